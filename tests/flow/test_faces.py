"""The notebook, Python and the terminal say the same things: one story told in each of them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from tests.products import own_place

SALES = pd.DataFrame(
    {"region": ["North", "South", "North", None], "units": [3, 4, 5, 6], "price": [1.5, 2.0, 2.5, 3.0]}
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("faces")


@pytest.fixture(scope="module")
def shell(home: Path) -> Iterator[InteractiveShell]:
    """Load the extension into a plain IPython, over a registry of its own."""
    with own_place(home, gates=False):
        shell = InteractiveShell()
        shell.user_ns["sales"] = SALES
        with capture_output():
            shell.run_line_magic("load_ext", "jupyter_mcpgen")
        yield shell


CARD_ID = r"\b[a-z][a-z0-9_]*-[0-9a-f]{8}\b"


def card_id(shown: str) -> str:
    """Return the id of the first card that is named."""
    found = re.search(CARD_ID, shown)
    assert found is not None
    return found[0]


def say(shell: InteractiveShell, line: str, cell: str | None = None) -> str:
    """Run `%mcpgen …`, or `%%mcpgen …` over a cell, and return what it shows."""
    with capture_output() as shown:
        result = shell.run_line_magic("mcpgen", line) if cell is None else shell.run_cell_magic("mcpgen", line, cell)
    texts = [output.data.get("text/plain", "") for output in shown.outputs]
    return "\n".join([shown.stdout, *texts, result.to_string() if isinstance(result, pd.DataFrame) else ""])


def test_the_story_in_a_notebook(shell: InteractiveShell) -> None:
    asked = say(shell, "total units by region in sales")
    assert "Calculation checked: pandas and SQL agree. 3 of 4 rows used." in asked
    assert "1 row without `region` was left out." in asked

    approved = say(shell, "approve")
    assert "`sum_by_group` v1.0.0 is live" in approved

    assert "sum_by_group" in say(shell, "list")
    assert "your tool v1.0.0" in say(shell, "total price by region in sales")

    from jupyter_mcpgen import tools

    assert "sum_by_group" in dir(tools)
    table = tools.sum_by_group(SALES, value_column="price")
    assert table.to_dict("list") == {"region": ["North", "South"], "sum_price": [4.0, 2.0]}
    assert table.attrs["mcpgen"]["version"] == "1.0.0"
    refused = say(shell, "run sum_by_group --data sales value_column=region")
    assert "`region` holds no numbers, so it cannot be added up. Columns of numbers: `units`, `price`." in refused

    by_magic = say(shell, "run sum_by_group --data sales value_column=price group_by_columns=region")
    assert "sum_price" in by_magic

    assert "no longer active" in say(shell, "undo sum_by_group")
    assert "archived" in say(shell, "reject the region is wrong")
    assert "You have no tools yet" in say(shell, "list")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("average profit by region in sales", "profit"),
        ("approve", "No answer is pending"),
        ("approve nothing-123", "nothing-123"),
        ("show nothing", "nothing"),
        ("run nothing --data sales", "No tool named `nothing`"),
        ("undo nothing", "No tool named `nothing`"),
        ("ask", "Ask a question"),
        ("serve --port many", "is not a port"),
        ("total units in nowhere.csv", "nowhere.csv"),
        ("lst", "Did you mean `list`?"),
        ("salse", "Did you mean `sales`?"),
    ],
)
def test_what_cannot_be_done_is_said_without_a_traceback(shell: InteractiveShell, line: str, said: str) -> None:
    shown = say(shell, line)

    assert "**Not done.**" in shown or "**No answer.**" in shown
    assert said in shown
    assert "Traceback" not in shown


@pytest.mark.soak
def test_a_follow_up_is_about_the_table_of_the_question_before_it(shell: InteractiveShell) -> None:
    shell.user_ns["staff"] = pd.DataFrame({"team": ["A", "B", "A"], "salary": [10.0, 20.0, 30.0]})
    say(shell, "average salary by team in staff")

    first = say(shell, "the maximum instead")
    second = say(shell, "only A")

    assert "largest salary by team" in first
    assert "Read as a follow-up to “average salary by team in staff”." in first
    assert "where team is A" in second
    assert "largest salary by team" in say(shell, "why")


@pytest.mark.soak
def test_why_is_about_the_latest_question_also_where_it_was_not_answered(shell: InteractiveShell) -> None:
    shell.user_ns["rents"] = pd.DataFrame({"shop": ["A", "B"], "base_price": [1.0, 2.0], "full_price": [3.0, 4.0]})
    say(shell, "number of rows by shop in rents")

    say(shell, "average price by shop in rents")
    asked = say(shell, "why")
    say(shell, "average profit by shop in rents")
    refused = say(shell, "why")
    say(shell, "average base price by shop in rents")
    answered = say(shell, "why")

    assert "**asked" in asked
    assert "profit" in refused
    assert "**answered**" in answered
    assert "base_price" in answered


def test_a_question_of_several_readings_is_asked_back_and_one_is_picked(shell: InteractiveShell) -> None:
    shell.user_ns["prices"] = pd.DataFrame({"shop": ["A", "B"], "unit_price": [1.0, 2.0], "list_price": [3.0, 4.0]})

    asked = say(shell, "average price by shop in prices")
    wrong = say(shell, "pick 3")
    picked = say(shell, "pick 2")
    switched = say(shell, f"pick {card_id(picked)} 1")

    assert "Not done" not in asked
    assert "(2) mean of unit_price by shop" in asked
    assert "`3` is not an option of this question" in wrong
    assert "mean of unit_price by shop" in picked
    assert "mean of list_price by shop" in switched
    say(shell, f"reject {card_id(switched)}")


@pytest.mark.soak
def test_what_comes_nearest_to_a_refused_question_is_computed_only_when_it_is_picked(shell: InteractiveShell) -> None:
    before = say(shell, "list")

    refused = say(shell, "total units by zorp and region in sales")
    waits = say(shell, "list")
    picked = say(shell, "pick 1")

    assert "`zorp` is not a column" in refused
    assert "Without “zorp”, I could answer: (1) sum of units" in refused
    assert waits == before
    assert "sum of units" in picked
    assert "“zorp” could not be read and is left out." in picked
    say(shell, f"reject {card_id(picked)}")


def test_what_cannot_be_computed_at_all_offers_nothing_in_its_place(shell: InteractiveShell) -> None:
    refused = say(shell, "forecast of units by region in sales")

    assert "**No answer.**" in refused
    assert "missing capability" in refused


@pytest.mark.soak
def test_an_open_question_is_picked_by_its_id_after_others(shell: InteractiveShell) -> None:
    asked = say(shell, "average price in prices")
    say(shell, "total units by region in sales")

    picked = say(shell, f"pick {card_id(asked)} mean of list_price")

    assert "mean of list_price" in picked
    assert "3.5" in picked
    for waiting in re.findall(CARD_ID, say(shell, "list")):
        say(shell, f"reject {waiting}")


@pytest.mark.soak
def test_without_an_id_the_latest_card_of_this_kernel_is_meant(shell: InteractiveShell) -> None:
    first, second = (say(shell, f"{what} units by region in sales") for what in ("median", "largest"))

    behind = say(shell, "explain 1")
    none = say(shell, "explain 99")
    approved = say(shell, "approve")

    assert "2 rows stand behind it: rows, where region is North" in behind
    assert "so row `99` does not exist" in none
    assert f"`{card_id(second).rpartition('-')[0]}` v1.0.0 is live" in approved
    assert card_id(first) in say(shell, "list")
    say(shell, f"undo {card_id(second).rpartition('-')[0]}")
    for waiting in re.findall(CARD_ID, say(shell, "list")):
        say(shell, f"reject {waiting}")


def test_a_year_in_the_name_of_a_file_is_no_condition(
    shell: InteractiveShell, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    days = pd.Series(pd.to_datetime(["2023-05-01", "2024-05-01", "2024-06-01", "2024-07-01"]))
    SALES.assign(day=days).to_csv(home / "our north sales 2024.csv", index=False)

    named = say(shell, "why total units by region in 'our north sales 2024.csv'")
    given = say(shell, "why --data 'our north sales 2024.csv' total units by region")

    assert "where" not in named.split("What the words may mean")[0]
    assert "| sum of units by region, largest first |" in named
    assert "| sum of units by region, largest first |" in given


def test_two_variables_become_a_function_of_two_tables(shell: InteractiveShell) -> None:
    regions = pd.DataFrame({"region": ["North", "South"], "manager": ["Ida", "Ben"]})
    shell.user_ns["regions"] = regions
    assert "match none" in say(shell, "total units by manager in sales joined with regions")
    assert "is live" in say(shell, "approve")

    from jupyter_mcpgen import tools

    table = tools.sum_by_group_joined(SALES, regions, value_column="price")
    assert table.to_dict("list") == {"manager": ["Ida", "Ben"], "sum_price": [4.0, 2.0]}
    with pytest.raises(TypeError, match="missing a required argument: 'other'"):
        tools.sum_by_group_joined(SALES)
    assert "name the second one with `--with`" in say(shell, "run sum_by_group_joined --data sales")
    assert "no longer active" in say(shell, "undo sum_by_group_joined")
    say(shell, "reject")


def test_a_cell_magic_takes_its_question_from_the_cell(shell: InteractiveShell) -> None:
    assert "largest price" in say(shell, "--data sales", "highest price\n").lower()

    say(shell, "reject")


def test_a_missing_tool_is_an_attribute_error_with_a_hint(shell: InteractiveShell) -> None:
    from jupyter_mcpgen import tools

    with pytest.raises(AttributeError, match="No tool named `sum_by_grop`"):
        _ = tools.sum_by_grop


@pytest.mark.soak
def test_the_story_in_a_terminal(home: Path) -> None:
    SALES.to_csv(home / "sales.csv", index=False)
    environment = {
        **os.environ,
        "MCPGEN_REGISTRY__PATH": str(home / "terminal"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "COLUMNS": "200",
    }

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "import sys; from jupyter_mcpgen.cli import main; sys.exit(main())", *words]
        return subprocess.run(
            command, cwd=home, env=environment, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL
        )

    asked = run("ask", "total units by region in sales.csv")
    assert asked.returncode == 0, asked.stderr
    assert "3 of 4 rows used" in asked.stdout

    approved = run("approve")
    assert "sum_by_group v1.0.0 is live" in approved.stdout
    assert "MCP: no server is running, serve starts one." in " ".join(approved.stdout.split())
    approval = home / "terminal" / "active" / "tools" / "sum_by_group" / "approval.json"
    assert json.loads(approval.read_text())["face"] == "terminal"

    called = run("run", "sum_by_group", "--data", "sales.csv", "value_column=price")
    assert "sum_price" in called.stdout


def test_a_terminal_tells_what_is_refused_from_what_is_no_command(
    home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from jupyter_mcpgen.cli import main

    monkeypatch.chdir(home)
    SALES.to_csv(home / "sales.csv", index=False)

    unknown = main(["ask", "average profit by region in sales.csv"])
    refusal = capfd.readouterr()
    mistyped = main(["aprove"])
    hint = capfd.readouterr()

    assert (unknown, "profit" in refusal.out, refusal.err) == (1, True, "")
    assert (mistyped, "There is no command" in hint.err, hint.out) == (2, True, "")


def test_a_terminal_offers_no_pick_that_ends_with_its_process(
    home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from jupyter_mcpgen.cli import main

    monkeypatch.chdir(home)
    pd.DataFrame({"shop": ["A", "B"], "unit_price": [1.0, 2.0], "list_price": [3.0, 4.0]}).to_csv("prices.csv")

    asked = main(["ask", "average price by shop in prices.csv"])
    told = capfd.readouterr()

    assert asked == 1
    assert "(2) mean of unit_price by shop" in " ".join(told.out.split())
    assert "pick" not in told.out + told.err
