"""What people read above the columns of a result; the names in the data stay as they are."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.card_text import html, markdown, plain
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.pipeline.labels import labelled, titled, titles
from jupyter_mcpgen.plan.expressions import Col, DatePart, DateUnit
from jupyter_mcpgen.plan.ops import Derive
from tests.lab.desk import crash_card
from tests.plans import group, plan_of

COLUMNS = {"sold_on": "date", "unit_price": "real", "shop": "text"}
MONTH = Derive(name="month", expression=DatePart(unit=DateUnit.MONTH, operand=Col(name="sold_on")))


def test_a_figure_is_called_by_what_it_is_and_a_column_of_the_data_by_its_name() -> None:
    plan = plan_of(COLUMNS, group("shop", "sum unit_price", "count"))

    assert titles(plan) == {"sum_unit_price": "Sum of unit price", "count": "Number of rows"}


def test_the_month_of_a_date_is_a_month_on_the_card_and_a_number_in_the_data() -> None:
    plan = plan_of(COLUMNS, MONTH, group("month", "sum unit_price"))
    table = Table(
        columns=("month", "sum_unit_price"), types=("integer", "real"), rows=((2, 1.5), (11, 3.0)), total_rows=2
    )

    shown = labelled(table, plan)

    assert (shown.columns, shown.rows) == (table.columns, table.rows)
    assert (shown.types, shown.headers) == (("month", "real"), ("Month", "Sum of unit price"))
    card = crash_card("a").replace(table=shown)
    for text in (html(card), markdown(card), plain(card)):
        assert "Feb" in text
        assert "Nov" in text
    assert "Sum of unit price" in html(card)
    assert "Sum of unit price" in markdown(card)


@pytest.mark.parametrize(
    ("values", "kind"), [((1, 12, None), "month"), ((0, 12, 3), "integer"), ((1, 13, 3), "integer")]
)
def test_numbers_of_the_data_are_months_where_their_column_is_called_so(
    values: tuple[int | None, ...], kind: str
) -> None:
    table = Table(
        columns=("sale_month", "count_distinct_month", "months"),
        types=("integer", "integer", "integer"),
        rows=tuple((value, 3, 5) for value in values),
        total_rows=3,
    )
    plan = plan_of(
        {"sale_month": "integer", "months": "integer", "month": "integer"},
        group(["sale_month", "months"], "count_distinct month"),
    )

    assert labelled(table, plan).types == (kind, "integer", "integer")


def test_a_chart_calls_its_axes_and_tooltips_by_the_titles_unless_another_was_wished() -> None:
    drawn = {
        "data": {"values": [{"sum_a": 1}]},
        "encoding": {
            "x": {"field": "sum_a", "title": "sum_a"},
            "y": {"field": "sum_a", "title": "wished"},
            "tooltip": [{"field": "sum_a", "title": "sum_a"}],
        },
    }

    assert titled(drawn, {"sum_a": "Sum of a"}) == {
        "data": {"values": [{"sum_a": 1}]},
        "encoding": {
            "x": {"field": "sum_a", "title": "Sum of a"},
            "y": {"field": "sum_a", "title": "wished"},
            "tooltip": [{"field": "sum_a", "title": "Sum of a"}],
        },
    }


def test_a_column_whose_name_is_escaped_in_a_chart_has_its_title_there() -> None:
    drawn = {"encoding": {"x": {"field": "sum_x\\[0\\]", "title": "sum_x[0]"}}}

    assert titled(drawn, {"sum_x[0]": "Sum of x[0]"})["encoding"]["x"]["title"] == "Sum of x[0]"
