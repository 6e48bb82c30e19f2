"""What `import jupyter_mcpgen` and `%load_ext jupyter_mcpgen` load: almost nothing.

Measured in modules, not in time; the standard library and IPython's own do not count.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from tests.builders import approval, approved, draft

COUNT = "sorted(m for m in set(sys.modules) - old if m.split('.')[0] not in {*sys.stdlib_module_names, 'IPython'})"
LOAD = f"""
import sys
old = set(sys.modules)
%load_ext jupyter_mcpgen
new = {COUNT}
"""
HEAVY = {"duckdb", "fastmcp", "mcp", "numpy", "openai", "pandas", "pyarrow", "scipy"}
LISTENS = "__import__('comm').get_comm_manager().targets.get('mcpgen') is not None"


@pytest.fixture(scope="module")
def kernel() -> Iterator[BlockingKernelClient]:
    manager, client = start_new_kernel(kernel_name="python3")
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def evaluate(kernel: BlockingKernelClient, expression: str, code: str = "") -> object:
    reply = kernel.execute_interactive(
        code, user_expressions={"it": f"__import__('json').dumps({expression})"}, output_hook=lambda message: None
    )
    value = reply["content"]["user_expressions"]["it"]
    assert value["status"] == "ok", value
    return json.loads(value["data"]["text/plain"].strip("'"))


def test_the_package_imports_nothing_but_itself() -> None:
    code = f"import sys; old = set(sys.modules); import jupyter_mcpgen; print(*{COUNT})"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["jupyter_mcpgen"]


def test_load_ext_listens_to_the_page_with_ten_light_modules(kernel: BlockingKernelClient) -> None:
    new = evaluate(kernel, "new", LOAD)

    assert new == [
        "jupyter_mcpgen",
        "jupyter_mcpgen.lab",
        "jupyter_mcpgen.lab.channel",
        "jupyter_mcpgen.lab.comms",
        "jupyter_mcpgen.lab.consent",
        "jupyter_mcpgen.lab.following",
        "jupyter_mcpgen.lab.subshells",
        "jupyter_mcpgen.lab.wire",
        "jupyter_mcpgen.magics",
        "jupyter_mcpgen.notebook_values",
    ]
    assert evaluate(kernel, LISTENS) is True


@pytest.mark.one_in(2)
@pytest.mark.parametrize("wanted", [True, False])
def test_once_its_cell_is_over_the_sandbox_gets_ready_without_pandas_in_the_kernel(wanted: bool) -> None:
    manager, client = start_new_kernel(
        kernel_name="python3", env={**os.environ, "MCPGEN_SANDBOX__BEGIN_AT_LOAD": str(wanted).lower()}
    )
    joined = "[one.join() for one in __import__('threading').enumerate() if one.name == 'mcpgen-warming'] and 1"
    begun = "(__import__('sys').modules['jupyter_mcpgen.warming'].BEGUN.waiting)"
    heavy = "sorted({'pandas', 'duckdb', 'jupyter_mcpgen.runtime'} & set(__import__('sys').modules))"

    evaluate(client, "1", "%load_ext jupyter_mcpgen")
    evaluate(client, joined)

    assert evaluate(client, heavy) == []
    assert evaluate(client, begun) is (wanted and ProcessBackend().missing() is None)
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def test_reload_ext_leaves_one_listener_and_unload_ext_none(kernel: BlockingKernelClient) -> None:
    workers = "sum(one.name == 'mcpgen-channel' for one in __import__('threading').enumerate())"

    assert evaluate(kernel, workers, "%reload_ext jupyter_mcpgen") == 1
    assert evaluate(kernel, LISTENS) is True
    assert evaluate(kernel, workers, "%unload_ext jupyter_mcpgen") == 0
    assert evaluate(kernel, LISTENS) is False


@pytest.mark.one_in(2)
@pytest.mark.parametrize("words", [["--version"], ["help"], ["help", "ask"], ["list"], ["status"], ["config"], ["lst"]])
def test_a_command_that_needs_no_table_loads_neither_pandas_nor_the_planner(words: list[str], tmp_path: Path) -> None:
    registry = Registry(tmp_path / "registry")
    for made in (draft(tool_id="kept"), draft(tool_id="waiting", version="1.1.0", body="return column")):
        registry.stage(*made.parts)
    registry.promote("kept", approval(draft(tool_id="kept")), approved())
    environment = {**os.environ, "MCPGEN_REGISTRY__PATH": str(registry.root), "JUPYTER_DATA_DIR": str(tmp_path)}
    code = f"import sys; from jupyter_mcpgen.cli import main; main({words!r}); print('loaded', *sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)

    *said, loaded = done.stdout.splitlines()
    assert {name.split(".")[0] for name in loaded.split()} & (HEAVY | {"filelock", "psutil"}) == set()
    assert {"jupyter_mcpgen.runtime", "jupyter_mcpgen.nl"} & set(loaded.split()) == set()
    assert bool(said) is (words != ["lst"])
    if words == ["list"]:
        assert all(name in done.stdout for name in ("sum_by_group", "waiting"))
