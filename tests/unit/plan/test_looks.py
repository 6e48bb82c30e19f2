"""What a chart looks like is in the code of its tool, and makes another tool; what was not said is in neither."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from jupyter_mcpgen.plan.emit.pandas import emit_chart
from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.looks import LONGEST_TITLE, PLAIN_LOOK, Look, Stack
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Chart, ChartKind, Measure
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema
from jupyter_mcpgen.plan.shape import generalise, shape_key

SCHEMA = Schema(
    fields=(
        Field(name="mill", type=ColumnType.TEXT),
        Field(name="grain", type=ColumnType.TEXT),
        Field(name="sacks", type=ColumnType.INTEGER),
    )
)
TOTAL = Aggregate(
    by=Columns(names=("mill", "grain")),
    measures=(Measure(function=AggregateFunction.SUM, column=Col(name="sacks")),),
)


def _drawn(look: Look) -> Plan:
    chart = Chart(kind=ChartKind.BAR, x="mill", y="sum_sacks", color="grain", look=look)
    return Plan(source="mills", source_schema=SCHEMA, steps=(TOTAL,), chart=chart)


def test_the_code_says_a_look_with_every_text_quoted():
    look = Look(title='Flour", x', stack=Stack.SHARE, lying=True)

    assert emit_chart(_drawn(look)) == (
        "'bar', 'mill', 'sum_sacks', color='grain', title='Flour\", x', stack='share', lying=True"
    )
    assert "stack" not in str(emit_chart(_drawn(PLAIN_LOOK)))


def test_a_tool_with_another_look_is_another_tool():
    plain, stacked = (shape_key(generalise(_drawn(look))) for look in (PLAIN_LOOK, Look(stack=Stack.TOTAL)))

    assert plain != stacked
    assert "look" not in plain


def test_a_title_has_an_end():
    with pytest.raises(ValidationError, match="at most 120 characters"):
        Look(title="x" * (LONGEST_TITLE + 1))
