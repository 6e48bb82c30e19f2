"""Ruff over generated files: what it finds, and what happens when it cannot run."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from jupyter_mcpgen.analysis import lint
from jupyter_mcpgen.analysis.lint import check_lint
from jupyter_mcpgen.model.validation import Severity


def found(files: dict[str, str]) -> list[tuple[str, Severity, int | None]]:
    """Return rule, severity and line of every finding."""
    return [(finding.rule, finding.severity, finding.line) for finding in check_lint(files)]


def test_a_tool_as_an_expert_writes_it_is_clean(tool: str) -> None:
    """The sample breaks no rule."""
    assert check_lint({"tool.py": tool, "helpers.py": "x=1\n", "spec.json": "{"}) == ()


def test_what_is_broken_blocks_and_what_could_read_better_warns() -> None:
    """An undefined name is an error, unsorted imports are a warning."""
    source = '"""A tool."""\n\nimport pandas as pd\nimport json\n\nX = json.dumps(pd.NA, missing)\n'

    assert found({"tool.py": source}) == [("I001", Severity.WARNING, 3), ("F821", Severity.ERROR, 6)]


def test_code_that_does_not_parse_is_an_error() -> None:
    """A syntax error is found by this gate too."""
    assert ("invalid-syntax", Severity.ERROR, 1) in found({"tool.py": "def f(:\n"})


def test_generated_code_cannot_silence_the_linter() -> None:
    """Comments that switch rules off do not count."""
    source = '# ruff: noqa\n"""A tool."""\n\nimport os  # noqa\n'

    assert found({"tool.py": source}) == [("F401", Severity.ERROR, 4)]


def test_settings_beside_the_code_do_not_count() -> None:
    """Only Python files are looked at, so a tool cannot bring its own rules."""
    files = {"tool.py": '"""A tool."""\n\nimport os\n', "ruff.toml": 'lint.select = ["W"]\n'}

    assert found(files) == [("F401", Severity.ERROR, 3)]


def test_a_finding_says_its_file_when_there_are_several(tool: str) -> None:
    """Two files are told apart."""
    (finding,) = check_lint({"tool.py": tool, "tests.py": "import os\n\n\ndef test_x():\n    assert True\n"})

    assert (finding.rule, finding.message, finding.fix) == (
        "F401",
        "tests.py: `os` imported but unused",
        "Remove unused import: `os`",
    )


def test_nothing_to_lint_has_no_findings() -> None:
    """Files that are not Python are not linted."""
    assert check_lint({"spec.json": "{"}) == ()


def program(folder: Path, script: str) -> str:
    """Write a program that stands in for ruff."""
    path = folder / "ruff"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
@pytest.mark.parametrize(
    ("script", "timeout", "reason"),
    [
        ("exec sleep 60", 0.2, "ruff took longer than 0.2 s"),
        ("echo oh no >&2; exit 3", 60, "ruff failed with oh no"),
        ("echo not json", 60, "ruff could not be run"),
        ("echo '[{}]'", 60, "ruff could not be run"),
    ],
    ids=["hangs", "fails", "says nonsense", "says something else"],
)
def test_a_linter_that_does_not_finish_is_never_a_pass(
    tool: str, tmp_path: Path, script: str, timeout: float, reason: str
) -> None:
    """Whatever goes wrong, the finding says that the check did not run and blocks."""
    (finding,) = check_lint({"tool.py": tool}, program=program(tmp_path, script), timeout=timeout)

    assert (finding.rule, finding.severity) == ("ruff-not-run", Severity.ERROR)
    assert reason in finding.message


def test_a_linter_that_is_not_there_is_never_a_pass(tool: str, tmp_path: Path) -> None:
    """A missing program is a finding that says what to install."""
    (finding,) = check_lint({"tool.py": tool}, program=str(tmp_path / "missing"))

    assert (finding.rule, finding.gate, finding.severity) == ("ruff-not-run", lint.GATE, Severity.ERROR)
    assert finding.fix is not None
    assert "Install `ruff`" in finding.fix
