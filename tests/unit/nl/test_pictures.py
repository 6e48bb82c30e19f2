"""Readings that must show the same figures are no choice; readings that may differ stay one."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.pictures import same_picture
from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.ops import Aggregate, Chart, ChartKind, Limit, Measure, Select, Sort, SortKey, Step
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.plan import Plan

ISLES = profile(
    "isles",
    pd.DataFrame(
        {
            "isle": ["Ahr", "Bo", "Cey", "Dun"],
            "shire": ["East", "East", "West", "West"],
            "height": [12.5, 40.0, 7.5, 31.0],
            "lights": [2.0, None, 1.0, 4.0],
        }
    ),
)
CONTEXT = context_of(ISLES, "en")


def _by(group: str, function: F, column: str | None, *more: Step, chart: ChartKind | None = None) -> Plan:
    measure = Measure(function=function, column=Col(name=column) if column else None)
    steps = (Aggregate(by=Columns(names=(group,)), measures=(measure,)), *more)
    drawn = Chart(kind=chart, x=group, y=measure.name) if chart is not None else None
    return Plan(source="isles", source_schema=ISLES.schema_, steps=steps, chart=drawn)


def _rows(*names: str, by: str | None = None) -> Plan:
    order = (Sort(keys=(SortKey(column=by),)),) if by is not None else ()
    steps = (*order, Select(columns=Columns(names=names)))
    return Plan(source="isles", source_schema=ISLES.schema_, steps=steps)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (_by("isle", F.MEAN, "height"), _by("isle", F.SUM, "height")),
        (_by("isle", F.MEAN, "height"), _rows("isle", "height")),
        (_by("shire", F.COUNT_DISTINCT, "isle"), _by("shire", F.COUNT, None)),
        (_by("shire", F.COUNT, "height"), _by("shire", F.COUNT, None)),
        (_by("shire", F.SUM, "height", chart=ChartKind.PIE), _by("shire", F.SUM, "height")),
    ],
)
def test_a_figure_of_a_single_row_is_that_row_and_what_each_row_has_is_counted_by_rows(one: Plan, other: Plan) -> None:
    assert same_picture(one, other, CONTEXT)
    assert same_picture(other, one, CONTEXT)


_FIRST_TWO = Limit(count=2)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (_by("shire", F.MEAN, "height"), _by("shire", F.SUM, "height")),
        (_by("isle", F.MEAN, "lights"), _by("isle", F.SUM, "lights")),
        (_by("shire", F.COUNT, "lights"), _by("shire", F.COUNT, None)),
        (_by("isle", F.MEAN, "height"), _by("shire", F.MEAN, "height")),
        (_rows("isle", "height", by="isle"), _rows("isle", "height", by="height")),
        (_by("isle", F.MEAN, "height", _FIRST_TWO), _by("isle", F.MEAN, "height")),
        (_by("shire", F.SUM, "height", chart=ChartKind.PIE), _by("shire", F.SUM, "height", chart=ChartKind.BAR)),
    ],
)
def test_readings_that_may_show_other_figures_another_order_or_another_chart_stay_a_choice(
    one: Plan, other: Plan
) -> None:
    assert not same_picture(one, other, CONTEXT)
