"""What a person says of how a file is written holds at once, in the next question, and for the tool made of it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from jupyter_mcpgen import ask, tools
from jupyter_mcpgen.cli import main
from jupyter_mcpgen.errors import DataError, DecisionError
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.request import ReadOptions
from jupyter_mcpgen.runtime import current
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests.levels import needs
from tests.packed_files import write_book
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


JUNE = MILK.replace("Hill;5\n", "Hill;5\nMoor;1\n")


@pytest.mark.soak
def test_a_tool_reads_the_next_file_as_it_was_told_to_read_the_first(place: Path) -> None:
    typed("ask --name milk_by_farm --data milk.csv --header 3 --footer 1 total litres by farm")
    typed("approve")
    (place / "june.csv").write_text(JUNE)

    ran, told = typed("run milk_by_farm --data june.csv")
    other, cut = typed("run milk_by_farm --data june.csv footer=2")
    called = tools.milk_by_farm("june.csv")
    served = current().calls.answer("milk_by_farm", {"file_path": str(place / "june.csv")})

    assert (ran, other) == (0, 0)
    assert ("Moor │ 1" in told, "checked" in told) == (True, False)
    assert "Moor" not in cut
    assert called.to_dict("list") == {"farm": ["Hill", "Lake", "Moor"], "sum_litres": [9, 6, 1]}
    assert served.structured["rows"][2] == {"farm": "Moor", "sum_litres": 1}
    assert "Read as: semicolon-separated, UTF-8, header on line 3." in served.text
    assert "left out: “checked;9”" in served.text


def test_what_was_said_of_a_file_counts_more_than_what_its_tool_was_told(place: Path) -> None:
    typed("ask --name milk_per_farm --data milk.csv --header 3 --footer 1 average litres by farm")
    typed("approve")
    (place / "july.csv").write_text(f"Dairy;1\n{JUNE}")
    typed("explore --header 4 --footer 1 july.csv")

    assert len(tools.milk_per_farm("july.csv")) == 3
    assert len(tools.milk_per_farm("july.csv", header=4, footer=2)) == 2


def test_a_file_that_is_written_in_another_way_is_refused_with_the_difference(place: Path) -> None:
    typed("ask --name most_litres --data milk.csv --header 3 --footer 1 highest litres by farm")
    typed("approve")
    (place / "plain.csv").write_text("farm,litres\nHill,4\nLake,6\n")

    code, told = typed("run most_litres --data plain.csv")
    passed, result = typed("run most_litres --data plain.csv header=auto footer=auto")

    assert (code == 0, passed) == (False, 0)
    assert "Its column names are on line 1, and they were read from line 3: pass header=1." in told
    assert "Lake │ 6" in result


def test_a_column_that_is_of_another_kind_in_the_next_file_is_refused(place: Path) -> None:
    (place / "commas.csv").write_text("farm;litres\nHill;4,5\nLake;6\n")
    (place / "points.csv").write_text("farm,litres\nHill,4.5\nLake,6\n")
    typed("ask --name litres_in_all --data commas.csv total litres")
    typed("approve")

    code, told = typed("run litres_in_all --data points.csv")

    (place / "means.csv").write_text("farm,litres\nHill,4.5\nLake,6\n")
    typed("ask --name middle_litres --data means.csv median litres")
    typed("approve")
    no_numbers, said = typed("run middle_litres --data commas.csv")

    assert (code == 0, no_numbers == 0) == (False, False)
    assert "litres holds numbers such as 4.5, and the tool reads texts there" in told
    assert "litres holds no numbers: its first value is 4,5." in said


@pytest.mark.soak
def test_a_tool_takes_the_sheet_that_its_question_was_about(place: Path) -> None:
    rows: list[list[Any]] = [["farm", "litres"], ["Hill", 4], ["Lake", 6]]
    for name, sheet in {"may": "Milk", "june": "Milk", "july": "Milch"}.items():
        write_book(place / f"{name}.xlsx", {sheet: rows, "Notes": [["x", "y"], [1, 2]]})
    typed("ask --name milk_in_all --data may.xlsx --sheet Milk lowest litres by farm")
    typed("approve")

    refused = current().calls.answer("milk_in_all", {"file_path": str(place / "july.xlsx")})
    named = current().calls.answer("milk_in_all", {"file_path": str(place / "july.xlsx"), "sheet": "Milch"})

    assert len(tools.milk_in_all("june.xlsx")) == len(named.structured["rows"]) == 2
    assert (refused.failed, "`july.xlsx` has no `Milk`." in refused.text) == (True, True)


@pytest.mark.soak
def test_a_question_of_another_file_is_answered_by_the_tool_as_that_file_is_read(place: Path) -> None:
    typed("ask --name litres_spread --data milk.csv --header 3 --footer 1 standard deviation of litres by farm")
    typed("approve")
    (place / "other.csv").write_text("farm,litres\nHill,4\nHill,6\n")

    again = ask("standard deviation of litres by farm", "other.csv")

    assert again.df.to_dict("list") == {"farm": ["Hill"], "std_litres": [pytest.approx(2**0.5)]}
    assert again.tool is not None


def test_another_reading_and_another_name_keep_how_the_file_is_read(place: Path) -> None:
    (place / "rain.csv").write_text("Rain\nHill;Lake\nplace;millimetres\nHill;4\nLake;6\nHill;5\nchecked;9\n")
    answer = ask("total millimetres by place", "rain.csv", read={"header": 3, "footer": 1})

    answer.adjust(calculation="mean").approve(name="rain_by_place")

    parameters = {each.name: each.default for each in current().registry.tool("rain_by_place").spec.parameters}
    assert (parameters["header"], parameters["footer"]) == (3, 1)


def test_a_file_is_read_otherwise_from_its_card(place: Path) -> None:
    (place / "snow.csv").write_text(MILK.replace("litres", "depth"))
    card = ask("number of rows", "snow.csv", read={"header": 3, "footer": 0}).card
    assert card is not None
    runtime = current()

    preview = runtime.preview_file(card.card_id)
    with pytest.raises(DataError, match="nothing stands below its first 29 lines"):
        runtime.read_file_so(card.card_id, ReadOptions(header=30))
    unchanged = runtime.preview_file(card.card_id)
    again = runtime.read_file_so(card.card_id, preview.options.replace(footer=1))

    assert (preview.options, unchanged) == (ReadOptions(header=3, footer=0), preview)
    assert (card.table.rows, again.table.rows) == (((4,),), ((3,),))
    assert again.files[0].note == "Read as: semicolon-separated, UTF-8, header on line 3."
    assert runtime.card(card.card_id).status is ToolStatus.REJECTED
    assert len(ask("number of rows", "snow.csv").df) == 1


@pytest.mark.soak
def test_another_sheet_is_taken_from_the_card(place: Path) -> None:
    milk: list[list[Any]] = [["farm", "litres"], ["Hill", 4], ["Lake", 6]]
    write_book(place / "dairy.xlsx", {"May": milk, "June": milk[:2]})
    card = ask("number of rows", "dairy.xlsx", sheet="May").card
    assert card is not None

    preview = current().preview_file(card.card_id, sheet="June")
    again = current().read_file_so(card.card_id, ReadOptions(), "June")

    assert (preview.sheets, preview.rows) == (("May", "June"), (("Hill", "4"),))
    assert (card.files[0].note, again.files[0].note) == tuple(
        f"Read from the sheet `{name}`, one of 2 with cells." for name in ("May", "June")
    )
    assert again.table.rows == ((1,),)


def test_how_a_variable_is_read_cannot_be_said(place: Path) -> None:
    card = ask("number of rows", pd.DataFrame({"a": [1, 2]})).card
    assert card is not None

    assert card.files == ()
    with pytest.raises(DecisionError, match="Ask the question of a text file"):
        current().preview_file(card.card_id)


@pytest.mark.soak
def test_marks_and_orders_that_are_said_settle_what_would_be_asked(place: Path) -> None:
    (place / "marks.csv").write_text("day,litres\n03/04/2024,1.234\n05/06/2024,2.500\n")

    thousands, litres = typed("ask --name litres_said --data marks.csv --thousands point total litres")
    typed("approve")
    dates, months = typed("ask --data marks.csv --thousands point --dates day-first number of rows by month of day")
    (place / "july.csv").write_text("day,litres\n03/07/2024,1.500\n05/07/2024,12\n")
    wrong, told = typed("ask --data marks.csv --dates %d.%m.%Y number of rows by month of day")

    assert (thousands, dates) == (0, 0)
    assert "3734" in litres.replace(",", "").replace(".0", "")
    assert "April 2024" in months or "2024-04" in months
    assert tools.litres_said("july.csv").iloc[0, 0] == 1512
    assert wrong != 0
    assert "--dates %d.%m.%Y does not hold for day: row 1 is 03/04/2024." in told


def test_a_point_where_a_comma_was_said_is_refused_and_what_was_said_before_stands(place: Path) -> None:
    (place / "points.csv").write_text("farm,litres\nHill,1.234\nLake,2.5\n")
    card = ask("total litres by farm", "points.csv").card
    assert card is not None

    with pytest.raises(DataError, match=r"row 2 of `litres` is `2\.5`"):
        current().read_file_so(card.card_id, ReadOptions(decimal=","))

    assert len(ask("total litres by farm", "points.csv").df) == 2


def test_what_is_said_of_a_second_file_is_kept_too(place: Path) -> None:
    (place / "amounts.csv").write_text("farm,litres\nHill,4\nLake,6\n")
    (place / "regions.csv").write_text("Farms;2024\nHill;Lake\nfarm;region\nHill;north\nLake;south\nchecked;none\n")
    typed("explore --header 3 --footer 1 regions.csv")
    question = "total litres by region in amounts joined with regions"

    code, _ = typed(f"ask --name litres_by_region --data amounts.csv --with regions.csv {question}")
    typed("approve")
    (place / "later.csv").write_text("Farms;2025\nHill;Lake\nfarm;region\nHill;west\nLake;east\nchecked;none\n")

    names = [each.name for each in current().registry.tool("litres_by_region").spec.parameters]
    assert code == 0
    assert {"other_header", "other_footer"} <= set(names)
    assert tools.litres_by_region("amounts.csv", "later.csv").iloc[:, 0].tolist() == ["east", "west"]
