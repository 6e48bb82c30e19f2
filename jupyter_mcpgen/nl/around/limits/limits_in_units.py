"""Limits with the unit of another column: "lots over 2.5 kg" are limited in `weight_kg`, and not in `lot`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from jupyter_mcpgen.nl.around.limits.limits import Limit, limits_of
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import TokenKind, tokenize
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, Filter
from jupyter_mcpgen.plan.plan import Plan

_NUMBERS = frozenset({"count", "number", "num"})
"""Words in the name of a column that counts things."""


def refusing_units_of_others(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning, or a refusal where a number with a unit limits a column that has none, beside one that has."""
    if not isinstance(meant, Answered):
        return meant
    said = list(_with_units(question, context))
    for column, _, number, _ in _limited(meant.winner.plan):
        unit = _taken(number, column, said, context)
        if unit is None or column not in context.column_words or _is_told_in(unit, column, context):
            continue
        fitting = [one.name for one in context.profile.columns if (one.unit or "").casefold() == unit]
        listed = " or ".join(f"`{name}`" for name in fitting)
        return Refused(
            f"{number:g} {unit} cannot be a limit of `{column}`, which is not in {unit}. Name the column that is "
            f"limited, such as {listed}.",
            (unit,),
            meant.winner,
        )
    return meant


def _taken(number: float, column: str, said: list[tuple[float, str]], context: Context) -> str | None:
    """Take the unit of a number from what a question says: the column's own where it is said, else the first in it."""
    own = (context.column(column).unit or "").casefold() if column in context.column_words else ""
    units = [unit for one, unit in said if one == number]
    unit = own if own in units else next(iter(units), None)
    if unit is not None:
        said.remove((number, unit))
    return unit


def asking_of_equal_units(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning, or a refusal where a limit's unit is that of several columns, and nothing says which is meant.

    "Recipes under 40 minutes" may be of `prep_min` or `cook_min`.
    """
    if not isinstance(meant, Answered):
        return meant
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    words = {context.plain(token.lower) for token in tokens}
    units = {
        float(one.number): context.plain(unit.lower) for one, unit in pairwise(tokens) if one.kind is TokenKind.NUMBER
    }
    for column, op, number, _ in _limited(meant.winner.plan):
        fitting: tuple[str, ...] = context.units_of_columns.get(units.get(number, ""), ())
        if op is CompareOp.EQ and [one for one in fitting if context.could_be(one, number)] == [column]:
            continue  # no other column has 35.99 sqmi
        told = any(f"`{column}`" in note for note in meant.winner.assumptions)
        if column not in fitting or len(fitting) == 1 or told or words & (_own(column, context) - {units[number]}):
            continue
        listed = " or ".join(f"`{name}`" for name in sorted(fitting))
        return Refused(
            f"{number:g} {units[number]} can be a limit of {listed}. Name the column that is limited.",
            (units[number],),
            meant.winner,
        )
    return meant


def refusing_counts_beside_money(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning, or a refusal where a number of things is compared with money and no column is named in full.

    "Claims above the premium" are told by `claim_amount`, and not by `claim_count`.
    """
    said = {context.plain(token.lower) for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)}
    for term in _compared(meant.winner.plan) if isinstance(meant, Answered) else ():
        pair = [side.name for side in (term.left, term.right) if isinstance(side, Col)]
        pair = [name for name in pair if name in context.column_words]
        counts = [name for name in pair if set(context.column_words[name]) & _NUMBERS]
        money = [name for name in pair if name not in counts and _is_money(name, context)]
        if counts and money and not set(context.column_words[counts[0]]) <= said:
            return Refused(
                f"`{counts[0]}` is a number of things and `{money[0]}` an amount of money, so I cannot compare them. "
                f"Name the two columns to compare, for example: `{money[0]}` above … ."
            )
    return meant


def _is_money(name: str, context: Context) -> bool:
    return context.is_of_money(name) or bool(set(context.column_words[name]) & context.lexicon.counted_money)


def _compared(plan: Plan) -> Iterator[Compare]:
    """Yield the comparisons of two columns."""
    for step in plan.steps:
        for term in terms_of(step.predicate) if isinstance(step, Filter) else ():
            if isinstance(term, Compare) and isinstance(term.left, Col) and isinstance(term.right, Col):
                yield term


def _own(column: str, context: Context) -> set[str]:
    return {context.plain(word) for word in split_name(column)} | set(context.column_words[column])


def _is_told_in(unit: str, column: str, context: Context) -> bool:
    """Tell whether a column has a unit, or says this one in its name: `YearsAtCompany`."""
    return bool(context.column(column).unit) or context.plain(unit) in context.column_words[column]


def _with_units(question: str, context: Context) -> Iterator[tuple[float, str]]:
    """Yield the numbers of a question that a unit of some column follows."""
    units = {(column.unit or "").casefold() for column in context.profile.columns} - {""}
    for first, second in pairwise(tokenize(question, decimal_comma=context.lexicon.decimal_comma)):
        if first.kind is TokenKind.NUMBER and second.lower in units:
            yield float(first.number), second.lower


def _limited(plan: Plan) -> Iterator[Limit]:
    """Yield where a plan compares columns of the table with numbers."""
    for step in plan.steps:
        if isinstance(step, Filter):
            yield from limits_of(step.predicate)
        elif isinstance(step, Aggregate):
            conditions = (measure.where for measure in step.measures if measure.where is not None)
            yield from (limit for where in conditions for limit in limits_of(where))
            return  # what follows is of the figures
