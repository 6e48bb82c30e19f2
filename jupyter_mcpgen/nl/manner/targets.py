"""Finds what an order or bins are of: an axis of the chart, or the one thing that a few words name."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.manner.remainder import Remainder
from jupyter_mcpgen.nl.manner.wishes import Named, Target
from jupyter_mcpgen.nl.parsing.parse import parse
from jupyter_mcpgen.nl.text.tokens import Token

ARTICLES = frozenset({"the", "their", "its", "a", "each"})
"""Words before what to order by."""


def axis_of(left: Remainder, start: int, stop: int) -> m.Axis | None:
    """Return the axis of a chart that words stand for."""
    start = left.past(ARTICLES, start, stop)
    return left.words.axes.get(left.text(start, stop))


def target_of(left: Remainder, start: int, stop: int) -> Target | None:
    """Return what words ask to order by, the labels where there are none; None where they name no one thing."""
    if start == stop:
        return m.Axis("x")
    start = left.past(ARTICLES, start, stop)
    text = left.text(start, stop)
    whole = named_alone(left.tokens[start:stop], left.context)
    axis = left.words.axes.get(text)
    if axis is not None and (axis.said or left.context.plain(text) not in left.context.full_names):
        return axis
    return whole[0] if whole else None


def _is_row(meaning: m.Meaning) -> bool:
    """Tell whether a phrase only says whose rows are meant, such as the "company" in "order of company name"."""
    return isinstance(meaning, m.RowNoun) and not meaning.assumed


def named_alone(tokens: tuple[Token, ...], context: Context) -> list[Named]:
    """Return what a few words name when all of them name one thing, the surest first."""
    if not tokens:
        return []
    found: list[Named] = []
    for cover in parse(tokens, context).covers:
        items = [i for i in cover.items if not isinstance(i.meaning, m.Filler) and not _is_row(i.meaning)]
        if not cover.uncovered and len(items) == 1:
            meaning = items[0].meaning
            if isinstance(meaning, m.Column | m.Measured | m.GroupKey):
                found.append(meaning)
            elif isinstance(meaning, m.BarePeriod):
                found.append(m.GroupKey(meaning.column, meaning.unit))
            elif isinstance(meaning, m.Listed):
                found.append(m.Column(meaning.column))
    return found
