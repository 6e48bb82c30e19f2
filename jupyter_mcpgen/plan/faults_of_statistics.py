"""The faults of statistical steps: another method or test, the wrong side, exchanged columns, other bounds."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.plan.expressions import Lit
from jupyter_mcpgen.plan.fault_operators import Change, Operator
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.statistics import (
    CorrelationMatrix,
    CorrelationMethod,
    Correlations,
    Duplicates,
    LinearRegression,
    MeanInterval,
    OutlierMethod,
    Outliers,
    OutlierSide,
    Statistic,
    TwoColumns,
    TwoGroups,
    TwoSampleTest,
)

_OTHER_TEST = {
    TwoSampleTest.WELCH: TwoSampleTest.PAIRED,
    TwoSampleTest.PAIRED: TwoSampleTest.WELCH,
    TwoSampleTest.MANN_WHITNEY: TwoSampleTest.WILCOXON,
    TwoSampleTest.WILCOXON: TwoSampleTest.MANN_WHITNEY,
}
"""The test whose table looks most alike."""


def statistic_changes(step: Statistic) -> Iterator[Change]:
    """Yield a statistic with one fault of its own; what its columns and constants can be is not repeated here."""
    match step:
        case Correlations(method=method) | CorrelationMatrix(method=method):
            other = next(known for known in CorrelationMethod if known is not method)
            yield Change(Operator.METHOD, step.model_copy(update={"method": other}))
        case Outliers():
            other_method = next(known for known in OutlierMethod if known is not step.method)
            yield Change(Operator.METHOD, step.model_copy(update={"method": other_method}))
            for side in OutlierSide:
                if side is not step.side:
                    yield Change(Operator.METHOD, step.model_copy(update={"side": side}))
        case Duplicates():
            yield Change(Operator.DISTINCT_DROPPED, step.model_copy(update={"repeats_only": not step.repeats_only}))
        case LinearRegression():
            yield Change(Operator.EXCHANGED, step.model_copy(update={"x": step.y, "y": step.x}))
        case TwoColumns() | TwoGroups():
            yield Change(Operator.EXCHANGED, step.model_copy(update={"first": step.second, "second": step.first}))
            if isinstance(step, TwoColumns):
                yield Change(Operator.METHOD, step.model_copy(update={"test": _OTHER_TEST[step.test]}))
        case MeanInterval():
            level = Lit(value=(1 + float(step.level.value)) / 2, type=ColumnType.REAL)
            yield Change(Operator.CONSTANT, step.model_copy(update={"level": level}))
        case _:
            return
