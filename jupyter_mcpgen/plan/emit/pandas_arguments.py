"""Which arguments of a statistical tool make no sense together."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.statistics import (
    Anova,
    ChiSquare,
    Correlations,
    KruskalWallis,
    LinearRegression,
    MeanInterval,
    Outliers,
    Statistic,
    TwoColumns,
    TwoGroups,
)


def argument_checks(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield when the arguments of a tool make no sense together, and what to say then."""
    for step in plan.steps:
        match step:
            case LinearRegression(y=Col(parameter=str(first)), x=Col(parameter=str(second))):
                yield f"{first} == {second}", f"`{first}` and `{second}` must be two columns."
            case TwoColumns() | ChiSquare() if step.first.parameter and step.second.parameter:
                first, second = step.first.parameter, step.second.parameter
                yield f"{first} == {second}", f"`{first}` and `{second}` must be two columns."
            case Anova() | KruskalWallis() | TwoGroups() if step.value.parameter and step.group.parameter:
                first, second = step.value.parameter, step.group.parameter
                yield f"{first} == {second}", f"`{first}` and `{second}` must be two columns."
            case Correlations(against=Col(parameter=str(one)), columns=Columns(parameter=str(others))):
                yield f"{one} in {others}", f"`{others}` must not hold `{one}` itself."
        if isinstance(step, Outliers) and step.reach.parameter:
            yield f"{step.reach.parameter} <= 0", f"`{step.reach.parameter}` must be larger than 0."
        if isinstance(step, MeanInterval) and step.level.parameter:
            level = step.level.parameter
            yield f"not 0 < {level} < 1", f"`{level}` must lie between 0 and 1, such as 0.95."
        if isinstance(step, TwoGroups) and step.first.parameter and step.second.parameter:
            first, second = step.first.parameter, step.second.parameter
            yield f"{first} == {second}", f"`{first}` and `{second}` must be two groups."
        columns = getattr(step, "columns", None)
        if isinstance(step, Statistic) and isinstance(columns, Columns) and columns.parameter:
            again = f"len(set({columns.parameter})) < len({columns.parameter})"
            yield again, f"`{columns.parameter}` must name each column once."
