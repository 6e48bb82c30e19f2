"""The rows that a tool says it used are the rows that the card accounts for, counted by the reference engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import pytest
from hypothesis import given

from jupyter_mcpgen.pipeline.accounting import account, count_rows
from jupyter_mcpgen.plan.emit.pandas_rows import emit_rows_used
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.shape import generalise
from jupyter_mcpgen.plan.sources import Union
from jupyter_mcpgen.plan.statistics import CorrelationMatrix, Correlations, FigureStatistic, TwoColumns
from tests.engines import arguments_of, reference, run_pandas, run_pandas_body
from tests.laws import law
from tests.plans import group, plan_of, where
from tests.statistic_plans import samples_with_statistics
from tests.strategies.plans import tables_with_plans
from tests.strategies.two_tables import two_tables_with_plans

NO_ONE_NUMBER = (Correlations, CorrelationMatrix)


def used(
    plan: Plan, frame: pd.DataFrame, arguments: Mapping[str, Any] | None = None, other: pd.DataFrame | None = None
) -> tuple[int, list[int]] | None:
    """Return how many rows the emitted code finds, and in how many of them each measured column has no value."""
    emitted = emit_rows_used(plan)
    if emitted is None:
        return None
    rows = run_pandas_body(emitted.body, "", frame, arguments, other)
    names = [eval(name, dict(arguments or {})) for name in emitted.measured]  # noqa: S307  names that were emitted
    return len(rows), [n for name in dict.fromkeys(names) if (n := int(rows[name].isna().sum()))]


def counted(plan: Plan, frame: pd.DataFrame, other: pd.DataFrame | None = None) -> tuple[int, list[int]]:
    """Return the same as the card has it."""
    rows = count_rows(plan, reference(frame, other))
    return rows.used, [number for _, number in rows.without_value]


@pytest.mark.soak
@law(60)
@given(tables_with_plans())
def test_a_tool_counts_the_rows_that_the_card_counts(case: tuple[pd.DataFrame, Plan]) -> None:
    frame, plan = case
    shape = generalise(plan)

    assert used(plan, frame) == used(shape.plan, frame, arguments_of(shape)) == counted(plan, frame)


@law(25)
@given(two_tables_with_plans())
def test_rows_below_each_other_are_counted_and_joined_ones_are_not(
    case: tuple[pd.DataFrame, pd.DataFrame, Plan],
) -> None:
    frame, other, plan = case
    shape = generalise(plan)

    found = used(shape.plan, frame, arguments_of(shape), other)

    assert found == (counted(plan, frame, other) if isinstance(plan.second, Union) else None)


@pytest.mark.filterwarnings("ignore:Precision loss:RuntimeWarning")
@law(40)
@given(samples_with_statistics())
def test_a_statistic_counts_the_rows_that_the_card_counts(case: tuple[pd.DataFrame, Plan]) -> None:
    frame, plan = case
    shape = generalise(plan)
    evidence = account(plan, run_pandas(plan, frame), reference(frame))
    (expected,) = [item.figure for item in evidence if item.check == "rows"]

    found = used(shape.plan, frame, arguments_of(shape))

    step = next((step for step in plan.steps if isinstance(step, FigureStatistic)), None)
    by_column = isinstance(step, TwoColumns) and not step.test.is_paired
    assert (found and found[0]) == (None if by_column or isinstance(step, NO_ONE_NUMBER) else expected)


def test_a_row_without_the_measured_value_is_used_and_named() -> None:
    frame = pd.DataFrame({"kind": ["a", "a", "b", None], "size": [1.0, None, 2.0, 4.0]})
    plan = plan_of({"kind": "text", "size": "real"}, where("size", "!=", 2.0), group("kind", "mean size"))

    assert used(plan, frame) == (1, [])
    assert used(plan_of({"kind": "text", "size": "real"}, group("kind", "mean size")), frame) == (3, [1])
