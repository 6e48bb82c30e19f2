"""What a person says of how a file is written holds at once, in the next question, and for the tool made of it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from jupyter_mcpgen import ask
from jupyter_mcpgen.cli import main
from jupyter_mcpgen.errors import DataError
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests.levels import needs
from tests.products import own_place

pytestmark = needs(ProgramSandbox().missing())
MILK = "Milk;2024\nHill;Lake\nfarm;litres\nHill;4\nLake;6\nHill;5\nchecked;9\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Stand in a folder with a file that does not say where its table begins and ends."""
    folder, patch = tmp_path_factory.mktemp("said"), pytest.MonkeyPatch()
    patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    (folder / "milk.csv").write_text(MILK)
    (folder / "city.csv").write_bytes("town,n\nšl,1\n".encode("cp1250"))
    with own_place(folder, gates=False):
        yield folder
    patch.undo()


def typed(line: str) -> tuple[int, str]:
    """Type a command, and return the code of its end and what it says, in one line."""
    said = StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = main(shlex.split(line))
    return code, " ".join(said.getvalue().split())


def test_a_header_and_a_footer_that_are_named_hold_from_then_on(place: Path) -> None:
    code, told = typed("ask --name litres_by_farm --data milk.csv --header 3 --footer 1 total litres by farm")
    approved, _ = typed("approve")
    again, later = typed("ask --data milk.csv number of rows")
    ran, result = typed("run litres_by_farm --data milk.csv")

    assert (code, approved, again, ran) == (0, 0, 0, 0)
    assert ("Hill │ 9" in result, "checked │" in result) == (True, False)
    assert "Read as: semicolon-separated, UTF-8, header on line 3." in told
    assert "left out: “checked;9”" in told
    assert " 3 " in later
    assert ask("total litres by farm", "milk.csv").df.to_dict("list") == {
        "farm": ["Hill", "Lake"],
        "sum_litres": [9, 6],
    }


def test_python_says_the_same_as_an_option(place: Path) -> None:
    answer = ask("number of rows", "milk.csv", read={"header": 0, "skip": 3})

    assert answer.df.iloc[0, 0] == 4
    with pytest.raises(DataError, match=r"`read` cannot be used: `header`\. It takes `delimiter`"):
        ask("number of rows", "milk.csv", read={"header": "third"})
    with pytest.raises(ValueError, match="are about a file"):
        ask("number of rows", answer.df, read={"header": 0})


def test_an_encoding_that_cannot_be_told_is_named(place: Path) -> None:
    refused, told = typed("ask --data city.csv number of rows by town")
    named, answered = typed("ask --data city.csv --encoding cp1250 number of rows by town")

    assert (refused == 0, named) == (False, 0)
    assert "its encoding cannot be told" in told
    assert "šl" in answered


def test_auto_lets_the_file_decide_again(place: Path) -> None:
    _, said = typed("explore --header 3 --footer 1 milk.csv")
    _, found = typed("explore --header auto milk.csv")

    assert "3 rows" in said
    assert "3 rows" not in found


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "ask --data milk.csv --header third total litres",
            "--header third is no number. Write a number, none or auto.",
        ),
        ("ask --data milk.csv --delimiter ;; total litres", "--delimiter ;; is no single sign. Write one, or tab."),
        ("ask --data milk.csv --header 30 total litres", "nothing stands below its first 29 lines"),
    ],
)
def test_what_cannot_be_is_said_plainly(place: Path, line: str, said: str) -> None:
    code, told = typed(line)

    assert code != 0
    assert said in told
