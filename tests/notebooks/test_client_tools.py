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


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    """Return the product of another process, such as a server, with a tool that reads `multiplier`."""
    home = tmp_path_factory.mktemp("served")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_DATA_DIR", str(home / "jupyter"))
        runtime = new_runtime(home)
        card = runtime.client_tools.register(
            Offering(name="scaled", source_code=SCALED, capabilities=("cap:notebook.read",)), "Claude"
        )
        request = runtime.consents.request(card.card_id)
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
