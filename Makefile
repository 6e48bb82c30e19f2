# `make demo` and `make test` are all that is needed; both create and reuse `.venv`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SOURCES := pyproject.toml constraints.txt hatch_build.py package.json yarn.lock install.json

.PHONY: demo test lab bench lint soak clean

demo: $(STAMP)
	$(BIN)/jupyter-mcpgen demo $(ARGS)

test: lint
	$(BIN)/python -m pytest -m "not soak" $(ARGS)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python hatch_build.py --check
	@if [ -d node_modules ]; then $(BIN)/jlpm lint; else echo "TypeScript lint skipped: no node_modules (run 'make node' first)"; fi

node: $(STAMP)
	$(BIN)/jlpm install --immutable

lab: $(STAMP)
	$(BIN)/jupyter lab notebooks/quickstart.ipynb

bench: $(STAMP)
	$(BIN)/python -m benchmarks $(ARGS)

soak: $(STAMP)
	$(BIN)/python -m pytest -m soak $(ARGS)

$(STAMP): $(SOURCES)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "jupyter-mcpgen needs Python 3.11 or newer; set PYTHON=…")'
	@test -x $(BIN)/python || uv venv --quiet --python $(PYTHON) $(VENV) 2>/dev/null || $(PYTHON) -m venv $(VENV)
	@if command -v uv >/dev/null 2>&1; then \
	  uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --editable '.[demo,test]'; \
	else \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[demo,test]'; \
	fi
	@touch $@

clean:
	rm -rf $(VENV) build dist lib node_modules .mypy_cache .ruff_cache .pytest_cache
