"""Limits in single units of what a column counts in millions: a `budget_musd` under 20 million is under 20."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from jupyter_mcpgen.nl.around.limits.limits import Limit, limits_of
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.predicates import number
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Understanding, asking_which
from jupyter_mcpgen.nl.words.scales_in_names import scale_of_name
from jupyter_mcpgen.plan.expressions import Compare
from jupyter_mcpgen.plan.ops import Aggregate
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Node

_N = TypeVar("_N", bound=Node)
SCALES = (1_000, 1_000_000, 1_000_000_000)
FAR_BEYOND = 1_000
"""So many times the largest value is a limit that was rather said in other units than the column's."""


def limiting_in_its_scale(meant: Understanding, context: Context) -> Understanding:
    """Return a meaning with limits told as the column counts; asked about where its name does not tell how."""
    match meant:
        case Answered(winner, alternatives):
            others = tuple(_in_its_scale(other, context) for other in alternatives)
            scaled = replace(meant, winner=_in_its_scale(winner, context), alternatives=others)
            return _asked(scaled, context) or scaled
        case Asked(options=options):
            return replace(meant, options=tuple(_in_its_scale(option, context) for option in options))
        case _:
            return meant


def _in_its_scale(reading: Reading, context: Context) -> Reading:
    """Return a reading with every limit beyond a column of thousands or millions divided by its scale."""
    for limit, column in _limits(reading.plan, context):
        scale = scale_of_name(column, context.lexicon)
        if scale > 1 and abs(limit.number) >= scale and _is_beyond(limit, column, 1, context):
            reading = _divided(reading, limit, scale)
            note = f"`{column}` counts in units of {scale:,} by its name: {limit.number:,.15g} is taken as "
            reading = replace(reading, assumptions=(*reading.assumptions, f"{note}{limit.number / scale:,.15g}."))
    return reading


def _asked(meant: Answered, context: Context) -> Asked | None:
    """Ask which is meant where a limit lies far beyond all values of a column, and in larger units among them."""
    for limit, column in _limits(meant.winner.plan, context):
        if limit.column != column or not _is_beyond(limit, column, FAR_BEYOND, context):
            continue
        fitting = [scale for scale in SCALES if _lies_among(limit.number / scale, column, context)]
        if fitting:
            ways = (meant.winner, *(_divided(meant.winner, limit, scale) for scale in fitting))
            largest = context.column(column).maximum
            return asking_which(
                ways, f"No `{column}` comes near {limit.number:,.15g}: the largest is {largest:,.15g}. "
            )
    return None


def _limits(plan: Plan, context: Context) -> Iterator[tuple[Limit, str]]:
    """Yield the limits of a plan with the column of the table that each of them is told in the units of."""
    of = {name: name for name in context.column_words}
    for step in plan.steps:
        yield from ((limit, of[limit.column]) for limit in _compared(step) if limit.column in of)
        for measure in step.measures if isinstance(step, Aggregate) else ():
            if measure.column is not None and measure.column.name in of:
                of[measure.name] = of[measure.column.name]


def _compared(value: object) -> Iterator[Limit]:
    """Yield the comparisons with a number anywhere in a step."""
    match value:
        case Compare():
            yield from limits_of(value)
        case Node():
            for name in type(value).model_fields:
                yield from _compared(getattr(value, name))
        case tuple():
            for one in value:
                yield from _compared(one)
        case _:
            pass


def _is_beyond(limit: Limit, column: str, times: int, context: Context) -> bool:
    """Tell whether no value of a column comes near a limit on it; a sum may come to more than every value."""
    largest = context.column(column).maximum
    return isinstance(largest, int | float) and largest > 0 and limit.number > largest * times


def _lies_among(figure: float, column: str, context: Context) -> bool:
    known = context.column(column)
    ends = known.minimum, known.maximum
    return all(isinstance(end, int | float) for end in ends) and ends[0] <= figure <= ends[1]


def _divided(reading: Reading, limit: Limit, scale: int) -> Reading:
    """Return a reading with one limit told in units of a scale."""
    figure = limit.number / scale
    told = limit.term.model_copy(update={"right": number(int(figure) if figure == int(figure) else figure)})
    steps = tuple(_put(step, limit.term, told) for step in reading.plan.steps)
    return replace(reading, plan=reading.plan.with_steps(steps))


def _put(node: _N, term: Compare, other: Compare) -> _N:
    """Return a node in which one comparison is another."""
    parts = {name: _put_in(getattr(node, name), term, other) for name in type(node).model_fields}
    return node.model_copy(update=parts)


def _put_in(part: object, term: Compare, other: Compare) -> object:
    match part:
        case Compare() if part == term:
            return other
        case Node():
            return _put(part, term, other)
        case tuple():
            return tuple(_put_in(one, term, other) for one in part)
        case _:
            return part
