"""What a person consented to is what runs: no byte of it may differ, and no file may be added."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import TamperedTool
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.consent import ConsentDecision
from jupyter_mcpgen.model.offered import Offering
from jupyter_mcpgen.registry.layout import Layout
from jupyter_mcpgen.runtime import Runtime
from tests.products import new_runtime

CODE = 'def greeted(name: str = "Ada"):\n    return f"Hello {name}"\n'
CHANGES: dict[str, Callable[[str], str]] = {
    "a byte more": lambda text: text + " ",
    "a byte less": lambda text: text[:-1],
    "an invisible sign": lambda text: text.replace("e", "e\u200b", 1),
    "a look-alike": lambda text: text.replace("e", "\u0435", 1),
    "a bidirectional mark": lambda text: text.replace("e", "\u202ee", 1),
    "another letter": lambda text: text.replace("e", "f", 1),
}
FILES = ("tool.py", "spec.json", "offered.json", "card.json", "candidate.json", "__init__.py")


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> tuple[Runtime, Path]:
    """Return a product with a live tool of a client, and the folder of the tool."""
    runtime = new_runtime(tmp_path_factory.mktemp("live"), **{"server.client_calls_per_minute": 600})
    card = runtime.client_tools.register(
        Offering(name="greeted", source_code=CODE, description="Greet somebody by name."), "Claude"
    )
    request = runtime.consents.request(card.card_id)
    runtime.consents.decide(request.request_id, request.token, ConsentDecision.ALLOW, [Confirms.UNCHECKED])
    return runtime, Layout(runtime.registry.root).tool("greeted")


def test_the_tool_runs_as_it_was_allowed(live: tuple[Runtime, Path]) -> None:
    assert live[0].call_tool("greeted", {"name": "Grace"}).structured == {"status": "success", "result": "Hello Grace"}


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("file", "change"),
    [*product(FILES, CHANGES), ("VERSION", "a byte more"), ("VERSION", "a byte less")],
)
def test_a_changed_file_keeps_the_tool_from_running(live: tuple[Runtime, Path], file: str, change: str) -> None:
    runtime, folder = live
    path = folder / file
    before = path.read_bytes()

    path.write_bytes(CHANGES[change](before.decode()).encode())
    try:
        with pytest.raises(TamperedTool):
            runtime.call_tool("greeted", {})
        assert runtime.active() == ()
    finally:
        path.write_bytes(before)

    assert not runtime.call_tool("greeted", {}).failed


@pytest.mark.parametrize("change", ["an invisible sign", "a look-alike", "another letter"])
def test_a_changed_approval_keeps_the_tool_from_running(live: tuple[Runtime, Path], change: str) -> None:
    runtime, folder = live
    path = folder / "approval.json"
    before = path.read_text()
    path.write_text(CHANGES[change](before))
    try:
        with pytest.raises(TamperedTool):
            runtime.call_tool("greeted", {})
    finally:
        path.write_text(before)

    assert not runtime.call_tool("greeted", {}).failed


@pytest.mark.parametrize("name", ["helpers.py", "extra.py", ".hidden", "tests.py", "sitecustomize.py"])
def test_an_added_file_keeps_the_tool_from_running(live: tuple[Runtime, Path], name: str) -> None:
    runtime, folder = live
    (folder / name).write_text("")
    try:
        with pytest.raises(TamperedTool):
            runtime.call_tool("greeted", {})
    finally:
        (folder / name).unlink()

    assert not runtime.call_tool("greeted", {}).failed
