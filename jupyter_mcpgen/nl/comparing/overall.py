"""One figure over the groups' figures: "mean over groups of total sales by order", "number of groups of …"."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from jupyter_mcpgen.nl.comparing.plans.overall import over_groups
from jupyter_mcpgen.nl.comparing.question import Attempt, Question
from jupyter_mcpgen.plan.ops import AggregateFunction

_FUNCTIONS = {
    "mean_over_groups": AggregateFunction.MEAN,
    "median_over_groups": AggregateFunction.MEDIAN,
    "number_of_groups": AggregateFunction.COUNT,
}


def of_groups(question: Question) -> Iterator[Attempt]:
    """Read "mean over groups of …" as the figures of the groups, and take the mean of them."""
    for key, function in _FUNCTIONS.items():
        if (found := question.find(key)) is not None:
            yield Attempt(question.without(found), partial(over_groups, function=function))
            return
