"""Confidence intervals: of a mean only; those of other figures are said to be lacking."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl.statistics.choice import Choice, col
from jupyter_mcpgen.nl.statistics.lacking import Lacking, lacking
from jupyter_mcpgen.nl.statistics.named import Named, groups_of
from jupyter_mcpgen.nl.statistics.request import Request
from jupyter_mcpgen.plan.expressions import Lit
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.statistics import MeanInterval

OTHER_INTERVALS = "a confidence interval of another figure than a mean"
"""What is recorded as a missing capability."""
_USUAL = 95
_OF_OTHERS = frozenset({"share_of", "percent_of", "differing", "count", "other_figure"})
"""What says that the interval is that of a share, or of a difference."""


def mean_interval(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield the mean of a number with its confidence interval, over all rows or of each group."""
    if request.said & _OF_OTHERS:
        yield other_interval()
        return
    if len(named.numbers) != 1:
        example = "95 % confidence interval of the mean of {0} by {1}"
        yield lacking("A confidence interval is that of the mean of a number", named, groups=False, example=example)
        return
    percent = _USUAL if request.number is None else request.number
    if not 0 < percent < 100:
        yield Lacking(f"A confidence level lies between 0 and 100 %, and {percent:g} % does not. Which one is meant?")
        return
    level = Lit(value=round(percent / 100, 10), type=ColumnType.REAL)
    notes = [f"The level is {_USUAL} %, because the question names none."] if request.number is None else []
    notes.append(f"The interval is that of the mean of `{named.numbers[0]}`, by Student's t.")
    step = MeanInterval(column=col(named.numbers[0]), level=level, by=groups_of(named))
    yield Choice((step,), notes=tuple(notes))


def other_interval() -> Lacking:
    """Return that there is no interval of the figure that is asked for."""
    sentence = (
        f"The built-in planner cannot compute {OTHER_INTERVALS} yet; this is recorded as a missing capability. Ask "
        "for a confidence interval of a mean, for example: “95 % confidence interval of the mean of price by region”."
    )
    return Lacking(sentence, missing_capability=OTHER_INTERVALS)
