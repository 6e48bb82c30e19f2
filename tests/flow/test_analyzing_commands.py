"""A person analyzes source code in a terminal: what is wrong, whether it is good enough, and a report to read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen.cli import main
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.verbs.commands import command_of
from tests.flawed_project import write_flawed
from tests.levels import needs
from tests.products import own_place

pytestmark = needs(ProgramSandbox().missing())


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    home = tmp_path_factory.mktemp("analyzing")
    write_flawed(home / "nursery")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(home / "cache"))
        patch.setenv("COLUMNS", "200")
        with own_place(home, gates=False):
            yield home


def test_flaws_are_listed_with_their_place_and_what_could_not_be_checked(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyze", "nursery", "--exclude", "*.js,*.c"]) == 0

    told = capsys.readouterr().out
    assert "Quality score 48.89 of 100 for 4 files: 4 errors, " in told
    assert "orders.py:12" in told
    assert "broken.py by bandit, mypy, radon, vulture: it cannot be parsed" in told
    assert "torn.js" not in told


@pytest.mark.soak
def test_a_violated_gate_fails_the_command(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gates", "nursery/orders.py"]) == 1
    assert "fail: 3 of 4 gates passed" in capsys.readouterr().out

    assert main(["gates", "nursery/orders.py", "max_errors=9"]) == 0
    assert "pass: 4 of 4 gates passed" in capsys.readouterr().out


@pytest.mark.every_run("q.json-{")
@pytest.mark.parametrize(
    ("name", "begins"),
    [("q.html", "<!doctype html>"), ("q.md", "<!-- jupyter-mcpgen report -->\n# Code quality"), ("q.json", "{")],
)
def test_a_report_is_written_as_its_name_says(
    place: Path, capsys: pytest.CaptureFixture[str], name: str, begins: str
) -> None:
    assert main(["report", "nursery", "--to", name]) == 0

    assert name in capsys.readouterr().out
    assert (place / name).read_text().startswith(begins)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["gates", "nursery", "max_eror=1"], 1, "Did you mean max_errors?"),
        (["analyze", "gone/away"], 1, "There is no folder gone/away."),
        (["analyze", "gone.py"], 1, "There is no file gone.py."),
        (["report", "nursery", "--to", "report.pdf"], 2, ".html, .md, .json"),
        (["analyze"], 2, "analyze PATH"),
    ],
)
def test_a_mistake_is_told_in_a_sentence(
    place: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int, told: str
) -> None:
    assert main(words) == code
    assert told in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("question", ["report sales by region", "analyze fatal injuries by weather", "gates per month"])
def test_a_question_that_begins_so_is_a_question(place: Path, question: str) -> None:
    assert command_of(question.split()) is None
    assert command_of([question.split()[0], "nursery"]) == question.split()[0]


def test_a_program_that_fails_is_shown_with_its_fix_and_stays_as_it_is(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "share.py").write_text("beds = 9\nprint(math.sqrt(beds))\n")

    assert main(["debug", "share.py"]) == 0

    told = capsys.readouterr().out
    assert "NameError on line 2" in told
    assert "+import math" in told
    assert (place / "share.py").read_text() == "beds = 9\nprint(math.sqrt(beds))\n"


def test_a_program_without_a_fix_fails_the_command_with_its_cause(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "lookup.py").write_text("print({}['north'])\n")
    (place / "fine.py").write_text("print(1)\n")

    assert main(["debug", "lookup.py"]) == 1
    assert "KeyError on line 1" in capsys.readouterr().out
    assert main(["debug", "fine.py"]) == 0
    assert "nothing to fix" in capsys.readouterr().out


@pytest.mark.parametrize("source", ["import beds_of_mine\n", "print(open('rows.csv').read())\n"])
def test_what_a_program_lacks_in_the_sandbox_alone_is_said_to_be_there_elsewhere(
    place: Path, source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "lacking.py").write_text(source)

    assert main(["debug", "lacking.py"]) == 1

    told = " ".join(capsys.readouterr().out.split())
    assert "runs the program by itself in the sandbox: without your other files" in told
    assert "list_available_packages" not in told
    assert "workspace" not in told


@pytest.mark.parametrize(
    "content", [b"\xef\xbb\xbfbeds = 0\nprint(5 / beds)\n", b"# coding: latin-1\nbeds = 0\nprint('\xe9', 5 / beds)\n"]
)
def test_a_program_is_read_in_its_encoding(place: Path, content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "beds.py").write_bytes(content)

    assert main(["debug", "beds.py"]) == 0
    assert "5 / beds if beds else None" in capsys.readouterr().out
