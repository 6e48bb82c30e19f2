# `make demo` and `make test` are all that is needed; both create and reuse `.venv`, with uv if it is there, else pip.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
COMPILED := $(VENV)/.compiled
# The bundle's digests are here because an editable install copies the bundle.
SOURCES := pyproject.toml constraints.txt hatch_build.py package.json yarn.lock install.json \
  jupyter_mcpgen/labextension/digests.json
INSTALL := --quiet --constraint constraints.txt --editable '.[demo,test]'
# Tests run side by side, those of a file or a table in one process (`tests/conftest.py`). Many wait for a browser, a
# limit or another process, so two processors are busy with four of them.
WORKERS ?= 4
SIDE_BY_SIDE = -n $(WORKERS) --dist loadfile --no-loadscope-reorder
# Its scripts call `jlpm` again.
JLPM := PATH="$(CURDIR)/$(BIN):$$PATH" jlpm
NODE_PACKAGES := node_modules/.yarn-state.yml

.PHONY: demo starter test page lab bench lint node soak clean

demo: $(COMPILED)
	@$(BIN)/jupyter-mcpgen demo $(ARGS)

test: lint page $(COMPILED)
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -m "not soak and not install" $(SIDE_BY_SIDE) $(ARGS)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python hatch_build.py --check
	@if ! command -v node >/dev/null; then echo "TypeScript lint SKIPPED: there is no \`node\` on PATH."; \
	elif [ ! -e $(NODE_PACKAGES) ]; then echo "TypeScript lint SKIPPED: run \`make node\` first (two to three minutes)."; \
	else $(JLPM) lint; fi

# What of the page needs no browser.
page: $(STAMP)
	@if ! command -v node >/dev/null; then echo "Tests of the page without a browser SKIPPED: there is no \`node\` on PATH."; \
	elif [ ! -e $(NODE_PACKAGES) ]; then echo "Tests of the page without a browser SKIPPED: run \`make node\` first."; \
	else $(JLPM) test; fi

# Its last file is the mark of a whole installation.
node: $(NODE_PACKAGES)

$(NODE_PACKAGES): package.json yarn.lock | $(STAMP)
	$(JLPM) install --immutable
	@touch $@

starter: $(COMPILED)
	$(BIN)/python registry_store/build.py $(ARGS)

lab: $(COMPILED)
	$(BIN)/jupyter lab notebooks/quickstart.ipynb

bench: $(COMPILED)
	@$(BIN)/python -m benchmarks $(ARGS)

# What `make test` leaves out: first what can run side by side, then the laws on many more examples, and last what needs
# the machine to itself. All three run, whatever the first ones find.
soak: $(COMPILED)
	@failed=; \
	$(BIN)/python -m pytest -m "soak and not (hypothesis or alone or install)" $(SIDE_BY_SIDE) $(ARGS) || failed=1; \
	$(BIN)/python -m pytest -m "hypothesis and not alone" --hypothesis-profile thorough --timeout 3600 $(SIDE_BY_SIDE) $(ARGS) || failed=1; \
	$(BIN)/python -m pytest -m "install or (soak and alone)" $(ARGS) || failed=1; \
	test -z "$$failed"

$(STAMP): $(SOURCES)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "jupyter-mcpgen needs Python 3.11 or newer; say which: make PYTHON=…")'
	@echo "Installing into $(VENV), once; this takes a minute or two."
	@test -x $(BIN)/python || uv venv --quiet --python $(PYTHON) $(VENV) 2>/dev/null || $(PYTHON) -m venv $(VENV)
	@if command -v uv >/dev/null && UV_COMPILE_BYTECODE=1 uv pip install --python $(BIN)/python $(INSTALL); then :; else \
	  ! command -v uv >/dev/null || echo "uv could not install the packages (see above); trying pip."; \
	  $(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip >/dev/null; \
	  $(BIN)/python -m pip install --disable-pip-version-check $(INSTALL); \
	fi
	@touch $@

# An editable installation compiles nothing, and each process that imports the product would compile all of it where the
# environment says to write no bytecode. The words of the languages are read once as well.
$(COMPILED): $(STAMP) $(shell find jupyter_mcpgen -name '*.py' -o -path '*/languages/*.toml')
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m compileall -q jupyter_mcpgen
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -c "import pandas as pd; from jupyter_mcpgen.data.profile import profile; \
	  from jupyter_mcpgen.nl.understand import understand; table = profile('one', pd.DataFrame({'number': [1]})); \
	  [understand('number of rows', table, language) for language in ('en', 'de')]"
	@touch $@

clean:
	rm -rf $(VENV) build dist lib node_modules .mypy_cache .ruff_cache .pytest_cache
