"""A report is text for people, and data that survives the way through it."""

from __future__ import annotations

import copy
import json
import pickle
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_mcpgen.toolkit import Report

TABLE = pd.DataFrame({"weather": ["CLEAR", "RAIN|SLEET", None], "deaths": [322, 40, 27], "rate": [1 / 3, 2.0, np.nan]})


def footer(text: str) -> dict:
    last = text.splitlines()[-1]
    assert last.startswith("<!--output_json:")
    assert last.endswith("-->")
    return json.loads(last.removeprefix("<!--output_json:").removesuffix("-->"))


def test_a_report_reads_as_markdown_with_its_accounting():
    report = Report.of(
        TABLE, title="Deaths by weather", source="c.csv", rows_in=209_306, rows_used=209_305, notes=["x"]
    )

    assert report.split("\n\n<!--")[0] == (
        "## Deaths by weather\n\n"
        "| weather | deaths | rate |\n"
        "| --- | ---: | ---: |\n"
        "| CLEAR | 322 | 0.333333 |\n"
        "| RAIN\\|SLEET | 40 | 2 |\n"
        "| — | 27 | — |\n\n"
        "209,305 of 209,306 rows used, 1 left out.\n\n"
        "- x"
    )


def test_the_footer_keeps_every_digit_and_names_the_columns():
    report = Report.of(TABLE, title="t", source="c.csv", rows_in=3, rows_used=3)

    assert footer(report) == {
        "path": "c.csv",
        "columns": ["weather", "deaths", "rate"],
        "numeric_columns": ["deaths", "rate"],
        "row_count": 3,
        "rows_in": 3,
        "rows_used": 3,
        "without_value": {},
        "notes": [],
        "rows": [
            {"weather": "CLEAR", "deaths": 322, "rate": 1 / 3},
            {"weather": "RAIN|SLEET", "deaths": 40, "rate": 2.0},
            {"weather": None, "deaths": 27, "rate": None},
        ],
    }


def test_a_report_is_a_string_that_carries_its_table_through_copies():
    report = Report.of(TABLE, title="t", source="c.csv", rows_in=3, chart={"mark": "bar"})

    for same in (report, pickle.loads(pickle.dumps(report)), copy.copy(report)):  # noqa: S301  our own bytes
        assert isinstance(same, str)
        assert same == report
        assert same.table is not None
        pd.testing.assert_frame_equal(same.table, TABLE)
        assert same.details["chart"] == {"mark": "bar"}
        assert same.failed is False
    assert json.dumps(report) == json.dumps(str(report))


def test_group_labels_in_an_index_become_columns():
    counts = pd.Series(["a", "b", "a"], name="kind").value_counts()

    assert Report.of(counts, title="t", source="s", rows_in=3).details["columns"] == ["kind", "count"]


def test_long_tables_are_cut_and_say_so():
    report = Report.of(pd.DataFrame({"n": range(1_051)}), title="t", source="s", rows_in=1_051)

    assert "… and 1,001 more rows" in report
    assert "| 49 |" in report
    assert "| 50 |" not in report
    assert len(footer(report)["rows"]) == 50
    assert report.details["row_count"] == 1_051


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1234567.8, "1234567.80"),
        (999999.7, "999999.70"),
        (0.1 + 0.2, "0.3"),
        (1e-9, "1e-09"),
        (12.0, "12"),
        (10**20, "100000000000000000000"),
        (True, "true"),
        (float("inf"), "Infinity"),
        (pd.Timestamp("2024-01-02"), "2024-01-02"),
        (pd.Timestamp("2024-01-02 03:04"), "2024-01-02 03:04:00"),
        ("a\nb", "a b"),
        ("![x](http://e/)", "!\\[x](http://e/)"),
        ("<!--output_json:{}-->", "&lt;!--output_json:{}-->"),
    ],
)
def test_values_are_shown_plainly(value, shown):
    assert f"| {shown} |" in Report.of(pd.DataFrame({"v": [value]}), title="t", source="s", rows_in=1)


def test_a_table_without_rows_says_so():
    assert "No rows." in Report.of(TABLE.head(0), title="t", source="s", rows_in=3, rows_used=0)


def test_a_column_of_another_type_is_said_to_be_the_trouble():
    report = Report.failure(TypeError("dtype 'str' does not support operation 'mean'"), "c.csv")

    assert "a type that this cannot be computed from: name another one, of numbers where numbers are needed" in report


def test_a_failure_says_what_went_wrong_and_what_to_do():
    report = Report.failure(ValueError("`c.csv` has no column `x`."), "c.csv")

    assert report.failed
    assert report.table is None
    assert report.startswith("## No result\n\n**ValueError**: `c.csv` has no column `x`.")
    assert "call the tool again" in report
    assert footer(report)["error"] == {"type": "ValueError", "message": "`c.csv` has no column `x`."}


hostile = st.one_of(
    st.sampled_from(["-->", "--!>", "<!--output_json:{}-->", "|", "\\|", "\n", "\u2028", '"}', "</script>", ""]),
    st.text(st.characters(codec="utf-8"), max_size=12),
)


@given(st.lists(st.tuples(hostile, hostile), max_size=6), hostile, hostile)
@settings(max_examples=150)
def test_no_cell_name_or_title_can_break_the_footer_or_forge_another(cells, name, title):
    table = pd.DataFrame(cells, columns=[name, name + "2"], dtype="str")

    report = Report.of(table, title=title, source=title, rows_in=len(table), notes=[title])

    assert report.count("<!--") == 1
    assert "-->" not in report.splitlines()[-1].removesuffix("-->")
    assert footer(report)["rows"] == table.to_dict("records")
    assert footer(report)["path"] == title


@given(st.lists(st.text(st.sampled_from("|\\ab"), max_size=6), min_size=1, max_size=4))
def test_every_row_keeps_its_columns(words):
    table = pd.DataFrame([words], columns=[f"c{i}" for i in range(len(words))], dtype="str")

    line = Report.of(table, title="t", source="s", rows_in=1).splitlines()[4]

    borders = [i for i, c in enumerate(line) if c == "|" and (len(line[:i]) - len(line[:i].rstrip("\\"))) % 2 == 0]
    assert len(borders) == len(words) + 1


@pytest.mark.parametrize("text", ["[a](b)", "\\[a](b)", "\\\\[a](b)", "![a](b)", "a\\|b", "\\[a](b)|[c](d)"])
def test_no_cell_makes_a_link_or_ends_itself(text):
    report = Report.of(pd.DataFrame({"x": [text]}), title="t", source="c.csv", rows_in=1)

    line = report.splitlines()[4]

    for sign in re.finditer(r"(\\*)([|\[])", line.strip("| ")):
        assert len(sign[1]) % 2 == 1, line
    assert re.sub(r"\\([\\|\[])", r"\1", line.strip("| ")) == text


def test_rows_used_that_add_nothing_to_a_figure_are_named():
    report = Report.of(TABLE, title="t", source="s", rows_in=9, rows_used=8, without_value={"speed": 3, "size": 0})

    assert "8 of 9 rows used, 1 left out; of those used, 3 without a value in `speed`." in report
    assert report.details["without_value"] == {"speed": 3}


def test_where_no_one_number_says_which_rows_were_used_only_what_was_read_is_said():
    report = Report.of(TABLE, title="t", source="s", rows_in=1)

    assert "\n1 row read." in report
    assert report.details["rows_used"] is None
