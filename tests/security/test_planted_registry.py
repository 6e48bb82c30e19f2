"""A project that brings a registry of its own cannot make anybody trust the tools in it.

Approvals are not signed, so anyone who can write to a registry can approve tools in it. Only the person may say where
their registry is; a project's settings, which come with the project, may not.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen import runtime
from jupyter_mcpgen.cli import main
from jupyter_mcpgen.registry.store import Registry
from tests.builders import approval, approved, draft

CASKS = "cellar,litres\nNorth,30\nSouth,20\nNorth,25\n"
PLANTED = "planted_tool"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Stand in a project with a table, a registry with an approved tool, and settings that name that registry."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "casks.csv").write_text(CASKS)
    (folder / "mcpgen.yaml").write_text("registry: {path: tools}\n")
    made = draft(PLANTED, "planted")
    theirs = Registry(folder / "tools")
    theirs.stage(*made.parts)
    theirs.promote(made.tool_id, approval(made), approved())
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.delenv("MCPGEN_REGISTRY__PATH", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(folder)
    runtime._built.cache_clear()
    yield folder
    runtime._built.cache_clear()


def typed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    main(list(words))
    told = capsys.readouterr()
    return " ".join((told.out + told.err).split())


def test_the_tools_of_a_registry_that_a_project_names_are_neither_listed_nor_run(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = typed(capsys, "list")
    run = typed(capsys, "run", PLANTED, "--data", "casks.csv")
    served = [tool.name for tool in runtime.current().active()]

    assert "You have no tools yet" in listed
    assert f"No tool named {PLANTED} is registered" in run.replace("`", "")
    assert served == []


def test_nothing_is_written_into_a_registry_that_a_project_names(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.read_bytes() for path in (project / "tools").rglob("*") if path.is_file()}

    asked = typed(capsys, "ask", "total litres by cellar in casks.csv")

    assert "jupyter mcpgen approve" in asked
    assert {path: path.read_bytes() for path in (project / "tools").rglob("*") if path.is_file()} == before


def test_config_says_that_the_registry_of_a_project_is_ignored_and_where_to_name_it(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = typed(capsys, "config").replace("`", "")

    assert "registry.path from" in said
    assert "is ignored, because a project must not decide" in said
    assert "which tools are trusted. Set it in" in said


def test_the_same_registry_is_used_once_the_person_names_it(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCPGEN_REGISTRY__PATH", str(project / "tools"))

    assert PLANTED in typed(capsys, "list")
