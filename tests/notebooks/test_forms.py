"""`tools.NAME.form(frame)` in a real kernel: fields from the tool's schema, and its answer after each change."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen.lab.messages import CARD_MIME
from tests.notebooks.kernels import Run, kernel

TABLES = """import pandas as pd
from jupyter_mcpgen import tools
ferries = pd.DataFrame({
    "pier": ["Ost", "West", "Ost"] * 4, "boat": ["a", "b", "c", "d"] * 3, "cars": range(12),
    "vans": [n * 0.5 for n in range(12)], "day": pd.date_range("2024-01-01", periods=12),
})
docks = pd.DataFrame({"pier": ["Ost", "West"], "harbor": ["Lund", "Ness"], "depth": [4.5, 6.0]})"""
MAKE = (
    "%mcpgen ask --name top_of top 3 total cars by pier where boat is a or b in ferries",
    "%mcpgen approve",
    "%mcpgen ask --name since total cars by pier where day is after 2024-01-05 in ferries",
    "%mcpgen approve",
    "%mcpgen ask --name per_harbor total cars by harbor in ferries joined with docks on pier",
    "%mcpgen approve",
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, state: Path) -> Iterator[Run]:
    """Return a kernel with three tools."""
    home = tmp_path_factory.mktemp("forms")
    own = {"MCPGEN_REGISTRY__PATH": str(home / "registry"), "JUPYTER_DATA_DIR": str(state)}
    with kernel({**os.environ, **own}, home) as running:
        running("%load_ext jupyter_mcpgen", TABLES, *MAKE)
        yield running


def test_each_field_is_what_the_schema_says_and_offers_columns_that_fit(run: Run) -> None:
    shown = run(
        "form = tools.top_of.form(ferries)",
        "for name, field in form.fields.items():\n"
        "    print(name, type(field.widget).__name__, getattr(field.widget, 'options', ''), repr(field.value))",
    )

    assert [line for line in shown.splitlines() if line] == [
        "filter_column Dropdown ('pier', 'boat') 'boat'",
        "filter_values Text  ['a', 'b']",
        "value_column Dropdown ('cars', 'vans') 'cars'",
        "group_by_columns SelectMultiple ('pier', 'boat', 'cars', 'vans', 'day') ['pier']",
        "top IntText  3",
    ]


def test_a_change_of_a_field_shows_the_new_answer_in_the_same_output(run: Run) -> None:
    cell = run.cell("form = tools.top_of.form(ferries)\nform")
    before = [output.data[CARD_MIME] for output in cell.outputs if CARD_MIME in output.data]

    run("form.fields['value_column'].widget.value = 'vans'")

    after = [output.data[CARD_MIME] for output in cell.outputs if CARD_MIME in output.data]
    assert [card["reading"] for card in (*before, *after)] == [
        f"sum of {column} by pier, largest first, first 3, where boat is a or b" for column in ("cars", "vans")
    ]
    assert after[0]["sound"]
    assert after[0]["table"]["rows"] == [["Ost", 11.0], ["West", 2.5]]
    assert "vans" in run("print(form.call)")
    assert "True" in run("print(form.df.equals(tools.top_of(ferries, value_column='vans')))")


def test_what_is_wrong_stands_beside_its_field_until_it_is_right_again(run: Run) -> None:
    run("form = tools.top_of.form(ferries)")

    wrong = run(
        "form.fields['top'].widget.value = 0",
        "print(form.fields['top'].note.value)",
        "print(form.card, form.errors)",
        "try:\n    form.df\nexcept Exception as error:\n    print(error)",
    )
    assert "0 is less than the minimum of 1." in wrong
    assert "None {'top': '0 is less than the minimum of 1.'}" in wrong
    assert "The form has no result. Correct it first: `top`: 0 is less than the minimum of 1." in wrong
    right = run("form.fields['top'].widget.value = 1", "print(len(form.df), repr(form.fields['top'].note.value))")
    assert "1 ''" in right


def test_values_that_do_not_fit_the_column_are_said_to_be_wrong(run: Run) -> None:
    said = run(
        "form = tools.top_of.form(ferries)",
        "form.fields['filter_values'].widget.value = ''",
        "print(form.errors)",
        "print(form.fields['filter_column'].widget.options)",
    )

    assert "'filter_values': " in said
    assert "('pier', 'boat')" in said  # which columns fit does not depend on it


def test_a_day_is_picked_from_a_calendar(run: Run) -> None:
    shown = run(
        "form = tools.since.form(ferries)",
        "(name,) = [name for name, field in form.fields.items() if type(field.widget).__name__ == 'DatePicker']",
        "import datetime",
        "form.fields[name].widget.value = datetime.date(2024, 1, 10)",
        "print(form.card.reading)",
        "print(form.df.iloc[:, -1].sum())",
    )

    assert "2024-01-10" in shown
    assert shown.split()[-1] == str(9 + 10 + 11)  # from that day on


def test_a_tool_of_two_tables_has_the_columns_of_both(run: Run) -> None:
    shown = run(
        "form = tools.per_harbor.form(ferries, docks)",
        "print(form.df.to_dict('list'))",
        "options = {name: field.widget.options for name, field in form.fields.items() if field.offers_columns}",
        "print(options)",
        "try:\n    tools.per_harbor.form(ferries)\nexcept Exception as error:\n    print(error)",
    )

    assert "'harbor': ['Lund', 'Ness']" in shown
    assert "'depth'" in shown
    assert "`per_harbor` takes 2 tables, so its form does too" in shown


def test_without_ipywidgets_the_call_is_said_instead(run: Run) -> None:
    said = run(
        "import sys; kept = sys.modules['ipywidgets']; sys.modules['ipywidgets'] = None",
        "try:\n    tools.since.form(ferries)\nexcept Exception as error:\n    print(error)",
        "sys.modules['ipywidgets'] = kept",
    )

    assert "A form needs ipywidgets: `pip install 'jupyter-mcpgen[forms]'`." in said
    assert "Without it, write the call: `tools.since(data, " in said


@pytest.mark.soak
def test_a_tool_whose_code_was_written_shows_its_result_as_a_table(run: Run) -> None:
    run("%mcpgen starter analyze_text_content --yes --unchecked")
    run("notes = pd.DataFrame({'text': ['red ship', 'red boat'], 'other': ['a', 'blue car'], 'number': [1, 2]})")

    cell = run.cell("form = tools.analyze_text_content.form(notes)\nform")
    options = run("print(form.fields['column'].widget.options, form.card, form.df.iloc[0, 0])")
    run("form.fields['column'].widget.value = 'other'")

    assert "('text', 'other') None red" in options
    assert ["blue" in output.data["text/html"] for output in cell.outputs if "text/html" in output.data] == [True]
