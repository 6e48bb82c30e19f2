"""Parts of a whole added up: "cumulative share of revenue by customer", "Pareto chart of complaints by cause"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.comparing.plans.figures import figures_of
from jupyter_mcpgen.nl.comparing.plans.pareto import added_up
from jupyter_mcpgen.nl.comparing.question import Attempt, Question
from jupyter_mcpgen.plan.ops import AggregateFunction
from jupyter_mcpgen.plan.plan import Plan

_KINDS = (("cumulative_percent", True), ("cumulative_share", False))


def of_added_shares(question: Question) -> Iterator[Attempt]:
    """Read "cumulative share of revenue by customer" as revenue by customer, and add the shares up."""
    for name, percent in _KINDS:
        rest, found = question.cut(name)
        if found is None:
            continue
        rest, _ = rest.cut("largest_first")
        complete = partial(added_up, percent=percent, name=name)
        counted = question.tree["words"]["counted"]
        yield Attempt(rest.tokens, complete, bare=rest.is_empty)
        yield Attempt(question.without(found, *counted), partial(_of_rows, complete=complete), cost=_COUNTED)
        return


_COUNTED = 0.05
"""What it costs that the rows are counted, where no figure may be named."""


def _of_rows(plan: Plan, complete: Callable[[Plan], Plan]) -> Plan:
    """Add up the shares of the rows that are counted; raises `PlanError` where values of a named figure would be."""
    measures = figures_of(plan).aggregate.measures
    if any(one.function is AggregateFunction.COUNT and one.column is not None for one in measures):
        raise PlanError("A share of a figure is none of the number of its values.")
    return complete(plan)
