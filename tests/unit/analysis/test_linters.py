"""mypy, pylint and bandit look at a tool's code as it is, whatever its comments ask of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from jupyter_mcpgen.analysis.linters import FUNCTION, TOOL, findings_of, score_of, without_comments
from jupyter_mcpgen.model.validation import Severity
from jupyter_mcpgen.sandbox.job import Call, Job
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Policy
from tests.levels import require

FLAWED = '''"""A tool."""
import pickle


def shares(total: int) -> str:
    """Return shares."""
    unused = 1
    pickle.loads(b"")
    return total
'''
POISON = '''"""A file that gives a module of the standard library a part which it has not."""
import json

json.spoken = 1
'''

Look = Callable[..., list[Mapping[str, Any]]]


@pytest.fixture(scope="module")
def look() -> Iterator[Look]:
    """Return what has the linters look at code in a sandbox, all of it in one process."""
    backend = ProcessBackend()
    require(backend.missing(), backend.layers)

    def look(*codes: str) -> list[Mapping[str, Any]]:
        calls = tuple(Call({"code": without_comments(code)}) for code in codes)
        run = backend.run(Job(TOOL, FUNCTION, calls, is_ours=True), Policy())
        return [answer.value for answer in run.answers]

    yield look
    backend.close()


def rules(said: Mapping[str, object], linter: str) -> set[tuple[str, int | None]]:
    found = findings_of(linter, said[linter])
    assert not isinstance(found, str), found
    assert {finding.severity for finding in found} <= {Severity.WARNING}
    return {(finding.rule, finding.line) for finding in found}


@pytest.mark.soak
def test_each_linter_says_what_is_wrong_and_where(look: Look) -> None:
    (said,) = look(FLAWED)

    assert ("return-value", 9) in rules(said, "mypy")
    assert ("unused-variable", 7) in rules(said, "pylint")
    assert {("B301", 8), ("B403", 2)} <= rules(said, "bandit")
    score = score_of(said["pylint"])
    assert score is not None
    assert 0 <= score < 10


def test_no_comment_makes_a_linter_look_away(look: Look) -> None:
    hidden = FLAWED.replace("import pickle", "import pickle  # nosec").replace(
        "return total", "return total  # type: ignore"
    )
    hidden = hidden.replace("unused = 1", "unused = 1  # pylint: disable=all").replace(
        '"""A tool."""', '"""A tool."""  # mypy: ignore-errors  # pylint: skip-file'
    )

    assert look(hidden) == look(FLAWED)


def test_what_a_file_makes_of_pylint_never_reaches_the_look_at_the_next(look: Look) -> None:
    together = look(POISON, FLAWED)[1]  # in one process, as the product never does

    look(POISON)
    (after,) = look(FLAWED)

    assert rules(together, "pylint") == set()
    assert ("unused-variable", 7) in rules(after, "pylint")


def test_mypy_knows_what_nobody_imported_before(look: Look) -> None:
    (said,) = look('"""A tool."""\nimport sqlite3\nfrom email.message import Message\n\nsqlite3.connect(Message())\n')

    assert rules(said, "mypy") == {("call-overload", 5)}


def test_comments_go_and_every_line_stays_in_its_place() -> None:
    code = 'a = "# no comment"  # a comment\n# another\nb = 1\n'

    assert without_comments(code) == 'a = "# no comment"\n\nb = 1\n'


def test_code_that_does_not_parse_is_shown_to_the_linters_as_it_is() -> None:
    assert without_comments("def f(:\n  '''") == "def f(:\n  '''"


def test_a_linter_that_could_not_look_says_why() -> None:
    assert findings_of("types", "ImportError: no mypy") == "ImportError: no mypy"
    assert findings_of("types", None) == "it gave no answer"
    assert score_of("ImportError: no pylint") is None
