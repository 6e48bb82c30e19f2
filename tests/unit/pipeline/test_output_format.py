"""A question may end with the form of its result, unless the words mean the data."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.model.intent import OutputFormat
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.pipeline.output_format import as_text, split_format

KILNS = profile("kilns", pd.DataFrame({"glaze": ["ash", "tenmoku"], "firings": [3, 5]}))
TABLE = Table(
    columns=("month", "a|b", "n"),
    types=("month", "text", "integer"),
    rows=((3, "x|y\nz", 2), (None, "\\", None)),
    total_rows=2,
)


@pytest.mark.parametrize(
    ("asked", "form"),
    [
        ("total firings by glaze as JSON", OutputFormat.JSON),
        ("total firings by glaze, in a markdown table?", OutputFormat.MARKDOWN),
        ("Summe von firings je glaze als Markdown-Tabelle", OutputFormat.MARKDOWN),
        ("total firings by glaze in JSON format", OutputFormat.JSON),
    ],
)
def test_a_form_at_the_end_is_no_part_of_the_question(asked: str, form: OutputFormat) -> None:
    question, found = split_format(asked, KILNS)

    assert found is form
    assert question in ("total firings by glaze", "Summe von firings je glaze")


@pytest.mark.parametrize("name", ["in kilns", "from `kilns`", "kilns"])
def test_the_name_of_the_table_may_stand_behind_the_form(name: str) -> None:
    asked = f"total firings by glaze as JSON {name}"

    assert split_format(asked, KILNS) == (f"total firings by glaze {name}", OutputFormat.JSON)


@pytest.mark.parametrize("asked", ["total firings by glaze", "json firings by glaze", "as json", "firings of JSON ash"])
def test_words_elsewhere_are_no_form(asked: str) -> None:
    assert split_format(asked, KILNS) == (asked, OutputFormat.TABLE)


@pytest.mark.parametrize(
    ("asked", "table"),
    [
        ("count of rows in JSON", {"json": [1, 2]}),
        ("count of rows in JSON", {"format": ["JSON", "CSV"]}),
        ("count of rows in JSON text", {"json_text": [1, 2]}),
        ("count of rows in markdown-table", {"kind": ["Markdown Table", "List"]}),
        ("count of rows in JSON", {"kind": [*(f"kind {i}" for i in range(1_100) for _ in range(2)), "JSON"]}),
    ],
)
def test_a_word_that_the_table_has_means_the_data(asked: str, table: dict[str, list[object]]) -> None:
    data = profile("files", pd.DataFrame(table))

    assert split_format(asked, data) == (asked, OutputFormat.TABLE)


@pytest.mark.parametrize("asked", ["x{}json", "x as{}json y", "x as json{}y", "x as json in{}y"])
def test_reading_the_form_takes_steps_in_the_length_of_the_question(asked: str) -> None:
    question = asked.format(" " * 100_000)

    assert split_format(question, KILNS) == (question, OutputFormat.TABLE)


def test_json_has_every_row_by_its_columns() -> None:
    assert json.loads(as_text(TABLE, OutputFormat.JSON)) == [
        {"month": 3, "a|b": "x|y\nz", "n": 2},
        {"month": None, "a|b": "\\", "n": None},
    ]


def test_a_value_cannot_end_a_cell_or_a_row_of_markdown() -> None:
    assert as_text(TABLE, OutputFormat.MARKDOWN).split("\n") == [
        "| month | a\\|b | n |",
        "| --- | --- | --- |",
        "| Mar | x\\|y z | 2 |",
        "|  | \\\\ |  |",
    ]


def test_a_table_is_no_text() -> None:
    assert as_text(TABLE, OutputFormat.TABLE) == ""
