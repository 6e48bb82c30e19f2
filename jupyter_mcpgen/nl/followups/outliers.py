"""Leaving out outliers: "remove outliers in price", by the figures that tell them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.computed.column import free_name
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.followups.preparation import SURELY_A_NAME, Preparation, behind
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.predicates import number
from jupyter_mcpgen.nl.statistics.columns import USUAL_DEVIATIONS, USUAL_REACH
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Arithmetic,
    ArithmeticOp,
    Col,
    Compare,
    CompareOp,
    Expression,
    IsMissing,
    Predicate,
)
from jupyter_mcpgen.plan.ops import Filter, Window, WindowFunction

_QUARTILES = (("p25", WindowFunction.QUANTILE, 0.25), ("p75", WindowFunction.QUANTILE, 0.75))
_MOMENTS = (("mean", WindowFunction.MEAN, None), ("std", WindowFunction.STD, None))


def without_outliers(
    tokens: tuple[Token, ...], then: tuple[Token, ...], words: Mapping[str, Any], context: Context
) -> Preparation | None:
    """Return "outliers in price" as a condition that keeps the other rows; None for anything else.

    Outliers of no column are those of the only number that the step behind it names.
    """
    places = (place for place in range(len(tokens)) if behind(tokens[place:], words["nouns"]) is not None)
    before = tokens[: next(places, 0)]
    tokens = (*tokens[len(before) :], *before)  # "price outliers" are outliers in the price
    rest = behind(tokens, words["nouns"])
    if rest is None:
        return None
    if any(context.columns_with(context.plain(token.lower)) for token in tokens[: len(tokens) - len(rest)]):
        return None  # the table has a column of its own that says what an outlier is
    named = _only_number(rest, context)
    around = [t.lower for place, t in enumerate(rest) if named is None or not named.start <= place < named.end]
    reach, around = _reach(rest, around, words)
    if any(word not in (*words["around"], *words["z_score"]) for word in around):
        return None
    meant = named or _only_number(then, context)
    if meant is None or not isinstance(meant.meaning, m.Column):
        return None
    column, deviations = meant.meaning.name, any(word in words["z_score"] for word in around)
    far = reach or (USUAL_DEVIATIONS if deviations else USUAL_REACH)
    figures, inside = _usual(column, deviations, far, context)
    kept = Filter(predicate=AnyOf(terms=(IsMissing(operand=Col(name=column)), inside)))
    what = words["deviations" if deviations else "interquartile"].format(reach=f"{far:g}")
    note = words["note"].format(column=column, what=what)
    return Preparation((*figures, kept), (note,), column)


def _only_number(tokens: tuple[Token, ...], context: Context) -> Item | None:
    """Return where the only number column stands that some words name."""
    found = [i for i in link(tokens, context) if isinstance(i.meaning, m.Column) and i.cost <= SURELY_A_NAME]
    found = [i for i in found if isinstance(i.meaning, m.Column) and context.type_of(i.meaning.name).is_number]
    longest = max(found, key=lambda item: item.end - item.start, default=None)
    inside = [i for i in found if longest is not None and longest.start <= i.start and i.end <= longest.end]
    return longest if len(inside) == len(found) else None


def _reach(
    tokens: tuple[Token, ...], around: list[str], words: Mapping[str, Any]
) -> tuple[int | float | None, list[str]]:
    """Return how far an outlier is said to lie outside, and the other words."""
    said = [token.number for token in tokens if token.kind is TokenKind.NUMBER]
    if len(said) != 1 or said[0] <= 0 or not {"iqr", *words["threshold"]} & set(around):
        return None, around
    numbers = [token.lower for token in tokens if token.kind is TokenKind.NUMBER]
    return said[0], [word for word in around if word not in (*numbers, *words["threshold"])]


def _usual(column: str, deviations: bool, far: int | float, context: Context) -> tuple[tuple[Window, ...], Predicate]:
    """Return the figures of a column that tell its outliers, and the condition that a value is none."""
    of = Col(name=column)
    figures = tuple(
        Window(name=free_name(f"{stem}_of_{column}", context.profile), function=function, column=of, fraction=fraction)
        for stem, function, fraction in (_MOMENTS if deviations else _QUARTILES)
    )
    first, second = (Col(name=figure.name) for figure in figures)
    low, high = (first, first) if deviations else (first, second)
    width: Expression = second if deviations else Arithmetic(op=ArithmeticOp.SUBTRACT, left=second, right=first)
    reach = number(far)
    beyond = Arithmetic(op=ArithmeticOp.MULTIPLY, left=reach, right=width)
    least = Arithmetic(op=ArithmeticOp.SUBTRACT, left=low, right=beyond)
    most = Arithmetic(op=ArithmeticOp.ADD, left=high, right=beyond)
    ends = ((CompareOp.GE, least), (CompareOp.LE, most))
    return figures, All(terms=tuple(Compare(op=op, left=of, right=end) for op, end in ends))
