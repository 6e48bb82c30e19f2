"""A tool of the product is loaded once, and each of its jobs is confined in a process of its own all the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.job import Call, Job, Outcome, Run
from jupyter_mcpgen.sandbox.jobs.layers import WITHOUT_NAMESPACES
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Limits, Policy
from tests.unit.sandbox.jobs.workers import Children, of_waiting_workers, until

pytestmark = of_waiting_workers

SOURCE = """
import os
from pathlib import Path

loads = Path({loads!r})
try:
    loads.write_text(loads.read_text() + "loaded ")
except OSError:
    pass  # confined: nothing can be noted, as the test wants to see
heard = []

def tool(word):
    heard.append(word)
    return str(heard)

def write(path):
    Path(path).write_text("written")
    return "written"
"""
"""A tool that notes in a file that it is loaded, where nothing confines it, and keeps what it was told."""


@pytest.fixture
def loads(tmp_path: Path) -> Path:
    """Return the file that says how often the tool was loaded outside of the sandbox."""
    noted = tmp_path / "loads"
    noted.write_text("", encoding="utf-8")
    return noted


@pytest.fixture
def tool_of_ours(package: Path, loads: Path) -> Path:
    (package / "tool.py").write_text(SOURCE.format(loads=str(loads)), encoding="utf-8")
    return package


@pytest.fixture
def ours(light: Interpreter, scratch: Path, package: Path) -> Iterator[ProcessBackend]:
    backend = ProcessBackend(
        layers=WITHOUT_NAMESPACES, interpreter=light, scratch_root=scratch, idle_seconds=1.0, ours=package.parent
    )
    yield backend
    backend.close()


def told(backend: ProcessBackend, package: Path, word: str = "first", policy: Policy | None = None) -> Run:
    return backend.run(Job(package, "tool", (Call({"word": word}),), is_ours=True), policy or Policy())


def test_a_tool_of_ours_is_loaded_once_for_all_its_jobs(ours: ProcessBackend, tool_of_ours: Path, loads: Path) -> None:
    records = [told(ours, tool_of_ours) for _ in range(3)]

    assert {record.outcome for record in records} == {Outcome.COMPLETED}
    assert loads.read_text(encoding="utf-8") == "loaded "


def test_what_a_job_leaves_in_a_tool_of_ours_does_not_reach_the_next(ours: ProcessBackend, tool_of_ours: Path) -> None:
    calls = tuple(Call({"word": word}) for word in ("poison", "control"))
    in_one_process = ours.run(Job(tool_of_ours, "tool", calls, is_ours=True), Policy())

    texts = [told(ours, tool_of_ours, word).answers[0].text for word in ("poison", "next")]

    assert [answer.text for answer in in_one_process.answers] == ["['poison']", "['poison', 'control']"]
    assert texts == ["['poison']", "['next']"]


def test_a_job_of_a_tool_of_ours_is_confined_like_any_other(
    ours: ProcessBackend, tool_of_ours: Path, tmp_path: Path
) -> None:
    call = Call({"path": str(tmp_path / "elsewhere")})

    record = ours.run(Job(tool_of_ours, "write", (call,), is_ours=True), Policy())

    assert record.answers[0].error_type == "PermissionError"
    assert not (tmp_path / "elsewhere").exists()


def test_a_tool_that_is_not_ours_is_never_loaded_outside_of_the_sandbox(
    light: Interpreter, tool_of_ours: Path, loads: Path
) -> None:
    product = ProcessBackend(layers=WITHOUT_NAMESPACES, interpreter=light)

    with pytest.raises(SandboxError, match="no part of the product"):
        told(product, tool_of_ours)
    assert loads.read_text(encoding="utf-8") == ""


@pytest.mark.soak
def test_no_tool_of_ours_is_loaded_before_its_first_job(ours: ProcessBackend, tool_of_ours: Path, loads: Path) -> None:
    ours.warm()

    record = ours.run(Job(tool_of_ours, "tool", (Call({"word": "confined"}),)), Policy())

    assert record.outcome is Outcome.COMPLETED
    assert loads.read_text(encoding="utf-8") == ""


@pytest.mark.soak
def test_closing_ends_what_has_loaded_a_tool_of_ours_and_starts_no_more(
    ours: ProcessBackend, tool_of_ours: Path, loads: Path, children: Children
) -> None:
    told(ours, tool_of_ours)

    ours.close()
    record = told(ours, tool_of_ours)

    assert (record.outcome, children()) == (Outcome.COMPLETED, set())
    assert loads.read_text(encoding="utf-8") == "loaded "


@pytest.mark.soak
def test_what_has_loaded_a_tool_of_ours_ends_when_nobody_asks_for_it(
    ours: ProcessBackend, tool_of_ours: Path, loads: Path, children: Children
) -> None:
    told(ours, tool_of_ours)

    until(lambda: children() == set(), "its idle end")
    told(ours, tool_of_ours)

    assert loads.read_text(encoding="utf-8") == "loaded loaded "


def test_a_tool_of_ours_that_cannot_be_loaded_says_why(
    ours: ProcessBackend, tool_of_ours: Path, children: Children
) -> None:
    (tool_of_ours / "tool.py").write_text("raise RuntimeError('a broken installation')", encoding="utf-8")

    record = told(ours, tool_of_ours)

    assert record.outcome is Outcome.FAILED
    assert "a broken installation" in (record.reason or "")
    until(lambda: children() == set(), "its end")


def test_a_small_memory_bound_loads_a_tool_of_ours_in_the_job(
    ours: ProcessBackend, tool_of_ours: Path, loads: Path
) -> None:
    record = told(ours, tool_of_ours, policy=Policy(limits=Limits(memory_mb=512)))

    assert record.outcome is Outcome.COMPLETED
    assert loads.read_text(encoding="utf-8") == ""
