"""mypy, pylint and bandit look at a tool's code as it is, whatever its comments ask of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from jupyter_mcpgen.analysis.linters import findings_of, score_of
from jupyter_mcpgen.analysis.linting_job import look, without_comments
from jupyter_mcpgen.model.validation import Severity

FLAWED = '''"""A tool."""
import pickle


def shares(total: int) -> str:
    """Return shares."""
    unused = 1
    pickle.loads(b"")
    return total
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder to look in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def rules(said: dict[str, object], linter: str) -> set[tuple[str, int | None]]:
    found = findings_of(linter, said[linter])
    assert not isinstance(found, str), found
    assert {finding.severity for finding in found} == {Severity.WARNING}
    return {(finding.rule, finding.line) for finding in found}


def test_each_linter_says_what_is_wrong_and_where(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psutil", None)

    said = look(FLAWED)

    assert ("return-value", 9) in rules(said, "mypy")
    assert ("unused-variable", 7) in rules(said, "pylint")
    assert {("B301", 8), ("B403", 2)} <= rules(said, "bandit")
    score = score_of(said["pylint"])
    assert score is not None
    assert 0 <= score < 10


def test_no_comment_makes_a_linter_look_away(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psutil", None)
    hidden = FLAWED.replace("import pickle", "import pickle  # nosec").replace(
        "return total", "return total  # type: ignore"
    )
    hidden = hidden.replace("unused = 1", "unused = 1  # pylint: disable=all").replace(
        '"""A tool."""', '"""A tool."""  # mypy: ignore-errors  # pylint: skip-file'
    )

    assert look(hidden) == look(FLAWED)


def test_comments_go_and_every_line_stays_in_its_place() -> None:
    code = 'a = "# no comment"  # a comment\n# another\nb = 1\n'

    assert without_comments(code) == 'a = "# no comment"\n\nb = 1\n'


def test_code_that_does_not_parse_is_shown_to_the_linters_as_it_is() -> None:
    assert without_comments("def f(:\n  '''") == "def f(:\n  '''"


def test_a_linter_that_could_not_look_says_why() -> None:
    assert findings_of("types", "ImportError: no mypy") == "ImportError: no mypy"
    assert findings_of("types", None) == "it gave no answer"
    assert score_of("ImportError: no pylint") is None
