"""The covariance of two columns: from the means of both, over the rows that have both values."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl.computed.column import free_name, has_finite_ends
from jupyter_mcpgen.nl.predicates import number
from jupyter_mcpgen.nl.statistics.choice import Choice, col
from jupyter_mcpgen.nl.statistics.lacking import Lacking, lacking
from jupyter_mcpgen.nl.statistics.named import Named, groups_of
from jupyter_mcpgen.nl.statistics.request import Request
from jupyter_mcpgen.plan.expressions import (
    All,
    Arithmetic,
    ArithmeticOp,
    Case,
    Compare,
    CompareOp,
    Expression,
    IsMissing,
    When,
)
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Derive,
    Filter,
    Measure,
    Step,
    Window,
    WindowFunction,
)

_NOTE = "The sample covariance (n - 1) of the rows that have both `{}` and `{}`; its unit is that of their product."


def covariance(_: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield the sample covariance of two number columns, of each group where groups are named."""
    if len(named.numbers) != 2 or named.sides is not None:
        yield lacking(
            "A covariance needs two number columns", named, groups=False, example="covariance between {0} and {3}"
        )
        return
    if not all(has_finite_ends(name, named.context) for name in named.numbers):
        return
    profile = named.context.profile
    by = groups_of(named)
    present = (IsMissing(operand=col(name), negated=True) for name in named.numbers)
    means = [
        Window(name=free_name(f"mean_of_{name}", profile), function=WindowFunction.MEAN, column=col(name), by=by)
        for name in named.numbers
    ]
    product = free_name("product_of_deviations", profile)
    first, second = (
        _of(ArithmeticOp.SUBTRACT, col(name), col(mean.name)) for name, mean in zip(named.numbers, means, strict=True)
    )
    sums = Measure(function=AggregateFunction.SUM, column=col(product), label=free_name("sum_of_products", profile))
    rows = Measure(function=AggregateFunction.COUNT)
    ratio = _of(ArithmeticOp.DIVIDE, col(sums.name), _of(ArithmeticOp.SUBTRACT, col(rows.name), number(1)))
    enough = Compare(op=CompareOp.GE, left=col(rows.name), right=number(2))
    steps: tuple[Step, ...] = (
        Filter(predicate=All(terms=tuple(present))),
        *means,
        Derive(name=product, expression=_of(ArithmeticOp.MULTIPLY, first, second)),
        Aggregate(by=by, measures=(rows, sums)),
        Derive(name=free_name("covariance", profile), expression=Case(branches=(When(condition=enough, value=ratio),))),
    )
    yield Choice(steps, notes=(_NOTE.format(*named.numbers),))


def _of(op: ArithmeticOp, left: Expression, right: Expression) -> Arithmetic:
    return Arithmetic(op=op, left=left, right=right)
