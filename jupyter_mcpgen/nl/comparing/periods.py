"""Periods against the ones before: totals so far, moving averages, changes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from jupyter_mcpgen.nl.comparing.plans.periods import followed
from jupyter_mcpgen.nl.comparing.question import Attempt, Found, Question, as_word
from jupyter_mcpgen.plan.expressions import DateUnit
from jupyter_mcpgen.plan.ops import WindowFunction

ADDED_PERIOD = 0.05
"""What a period that the question does not name costs."""


def of_periods(question: Question) -> Iterator[Attempt]:
    """Read totals so far, moving averages and changes as the figures of each period, and compare these."""
    over: DateUnit | None = None
    size, unit = 1, None
    rest, found = question.cut("running_total")
    function = WindowFunction.RUNNING_TOTAL
    if found is None:
        rest, found = question.cut("moving_average")
        function = WindowFunction.MOVING_AVERAGE
        if found is not None:
            rest, span = (rest, found) if found.numbers else rest.cut("moving_average_over")
            if span is None or not span.numbers or int(span.numbers[0]) < 1:
                return  # an average over how many is for the person to say
            size, unit = int(span.numbers[0]), span.units[0]
    if found is None:
        rest, function, over, found = _of_changes(question)
    if found is None:
        return
    unit = over or unit
    complete = partial(followed, function=function, size=size, over=over, context=question.context)
    if rest.names_a_period:
        yield Attempt(rest.tokens, complete)
        return
    if rest.is_empty:
        yield Attempt((), complete, bare=True)
        return
    if unit is None and rest.names_groups:
        return  # "change in revenue by region" may also mean from one region to the next
    by = question.tree["words"]["by"]
    names = {DateUnit(unit): words[0] for unit, words in question.tree["periods"].items()}
    wanted = unit or DateUnit.START_OF_MONTH
    note = () if unit else (f"Compared by {names[wanted]}, because the question names no period.",)
    yield Attempt((*rest.tokens, as_word(by), as_word(names[wanted])), complete, note, 0.0 if unit else ADDED_PERIOD)


def _of_changes(question: Question) -> tuple[Question, WindowFunction, DateUnit | None, Found | None]:
    rest, found = question.cut("percent_change")
    function = WindowFunction.PERCENT_CHANGE
    if found is None:
        rest, found = question.cut("change")
        rest, percent = rest.cut("in_percent") if found is not None else (rest, None)
        function = WindowFunction.PERCENT_CHANGE if percent is not None else WindowFunction.CHANGE
    same = found is not None and len(found.units) == 2 and found.units[0] is found.units[1]
    over = found.units[0] if found is not None and same else None
    if over is None:
        tail, named = rest.cut("over")
        if named is not None and named.units[0] is named.units[1]:
            over = named.units[0]
            rest = tail
            if found is None:
                return rest, WindowFunction.PERCENT_CHANGE, over, named
    return rest, function, over, found
