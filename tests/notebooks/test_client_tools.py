"""A tool of an AI client in a notebook: it reads a variable of the kernel, and is called from Python and by command."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from jupyter_mcpgen.errors import ToolFailed
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.consent import ConsentDecision
from jupyter_mcpgen.model.offered import Offering
from jupyter_mcpgen.runtime import Runtime
from tests.notebooks.kernels import Run, kernel
from tests.products import new_runtime

SCALED = 'def scaled(value: float, label: str = "x"):\n    return {label: value * multiplier}'

COUNTED = """\
def counted(pier: str):
    stops["seen"] = True
    return {"index": stops.index.name, "stops": int(stops.loc[pier, "n"]), "columns": list(stops.columns)}
"""
STOPS = """
import pandas as pd
stops = pd.DataFrame({"n": [7, 9]}, index=pd.Index(["Ost", "West"], name="pier"))
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    """Return the product of another process, such as a server, with a tool that reads `multiplier`."""
    home = tmp_path_factory.mktemp("served")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_DATA_DIR", str(home / "jupyter"))
        runtime = new_runtime(home)
        for name, code in (("scaled", SCALED), ("counted", COUNTED)):
            offering = Offering(name=name, source_code=code, capabilities=("cap:notebook.read",))
            request = runtime.consents.request(runtime.client_tools.register(offering, "Claude").card_id)
            runtime.consents.decide(request.request_id, request.token, ConsentDecision.ALLOW, [Confirms.UNCHECKED])
        yield runtime


@pytest.fixture(scope="module")
def run(server: Runtime, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    own = {"MCPGEN_REGISTRY__PATH": str(server.registry.root)}
    with kernel({**os.environ, **own}, tmp_path_factory.mktemp("notebook")) as running:
        running("%load_ext jupyter_mcpgen", "from jupyter_mcpgen import tools", "multiplier = 10")
        yield running


def test_the_variable_is_read_from_the_kernel_as_it_is_at_the_call(run: Run, server: Runtime) -> None:
    before = server.call_tool("scaled", {"value": 5}).structured

    run("multiplier = 4")

    assert before == {"status": "success", "result": {"x": 50}}
    assert server.call_tool("scaled", {"value": 5}).structured["result"] == {"x": 20}


def test_a_data_frame_is_read_as_a_copy_which_the_tool_may_change(run: Run, server: Runtime) -> None:
    run(STOPS)

    answer = server.call_tool("counted", {"pier": "West"})

    assert answer.structured.get("result") == {"index": "pier", "stops": 9, "columns": ["n", "seen"]}, answer.text
    assert "['n']" in run("print(list(stops.columns))")


def test_the_tool_is_called_from_python_and_by_command(run: Run) -> None:
    run("multiplier = 2")

    assert "{'y': 6}" in run("print(tools.scaled(3, label='y'))")
    assert '"x": 8' in run("%mcpgen run scaled value=4")
    assert "`scaled` v1.0.0 is live" not in run("%mcpgen inbox")


def test_after_the_extension_is_unloaded_nothing_is_read(run: Run, server: Runtime) -> None:
    run("%unload_ext jupyter_mcpgen")

    with pytest.raises(ToolFailed, match="no notebook is open"):
        server.call_tool("scaled", {"value": 5})
    run("%load_ext jupyter_mcpgen")
    assert not server.call_tool("scaled", {"value": 5}).failed
