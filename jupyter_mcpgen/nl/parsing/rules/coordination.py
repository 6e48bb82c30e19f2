"""Conditions joined by "and", "or", "nor" and "versus": what they mean together, and what is not torn apart."""

from __future__ import annotations

from functools import reduce

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.denials import joined_by_and, joined_by_or, left_out_too
from jupyter_mcpgen.nl.parsing.grammar import FREE, PIECE_MERGED, SLIGHT, SURE, USUAL, Found, rule
from jupyter_mcpgen.nl.predicates import about, both, compared, either, equal_values, opposite, values_of
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import All, AnyOf, Col, Compare, CompareOp, IsIn, Predicate, terms_of


@rule(m.Condition, m.HalfComparison, m.And)
def _and_compared(condition: m.Condition, half: m.HalfComparison, context: Context) -> Found:
    second = _same_column(condition.predicate, half, context)
    if second is not None:
        yield m.Condition(both(condition.predicate, second)), SURE


@rule(m.Condition, m.HalfComparison, m.Or)
def _or_compared(condition: m.Condition, half: m.HalfComparison, context: Context) -> Found:
    second = _same_column(condition.predicate, half, context)
    joined = either(condition.predicate, second) if second is not None else None
    if joined is not None:
        yield m.Condition(joined), SURE


def _same_column(predicate: Predicate, half: m.HalfComparison, context: Context) -> Predicate | None:
    name = about(predicate)
    return compared(name, half, context) if name is not None else None


@rule(m.Condition, m.Condition, m.Or)
def _or(left: m.Condition, right: m.Condition, context: Context) -> Found:
    joined = either(left.predicate, right.predicate)
    if joined is None:
        return
    if about(joined) is not None:
        yield m.Condition(joined), SURE
        return
    torn = _splits_a_choice(left.predicate, right.predicate)
    if _wants_one_value(left.predicate, right.predicate):  # A at home or A away: both are said alike
        torn = len(terms_of(left.predicate)) != len(terms_of(right.predicate))
        cost = FREE if torn else -USUAL
    else:
        cost = PIECE_MERGED + (FREE if torn else SURE)
    for way in joined_by_or(left, right, joined):
        yield way, cost


def _splits_a_choice(left: Predicate, right: Predicate) -> bool:
    """Tell whether two values of one column would be torn apart, as the channels in "north and online or store"."""
    last = left.terms[-1] if isinstance(left, All) else left
    first = right.terms[0] if isinstance(right, All) else right
    return about(left) != about(right) and about(last) is not None and about(last) == about(first)


def _wants_one_value(*choices: Predicate) -> bool:
    """Tell whether each of some conditions has the same value in it, of one column or another."""
    wanted = [
        {value.value for term in terms_of(choice) if equal_values(term) for value in values_of(term)}
        for choice in choices
    ]
    return bool(set.intersection(*wanted))


@rule(m.Condition, m.Condition, m.Nor)
def _nor(left: m.Condition, right: m.Condition, context: Context) -> Found:
    yield m.NeitherOf((left.predicate, right.predicate)), SURE


@rule(m.Condition, m.NeitherOf, m.And)
def _more_denied(condition: m.Condition, denied: m.NeitherOf, context: Context) -> Found:
    yield m.NeitherOf((condition.predicate, *denied.predicates)), SURE


@rule(m.Not, m.NeitherOf)
def _neither(word: m.Not, denied: m.NeitherOf, context: Context) -> Found:
    columns = {about(predicate) for predicate in denied.predicates}
    if None in columns:
        return
    if len(columns) == 1 and all(map(equal_values, denied.predicates)):
        first, *others = denied.predicates
        yield m.Condition(opposite(reduce(lambda a, b: either(a, b) or a, others, first))), SURE
    else:
        yield m.Condition(reduce(both, map(opposite, denied.predicates))), SURE


@rule(m.Condition, m.Condition, m.And)
def _and(left: m.Condition, right: m.Condition, context: Context) -> Found:
    if about(left.predicate) != about(right.predicate):
        for way in joined_by_and(left, right):
            yield way, PIECE_MERGED + _undone(left, right)
    elif equal_values(left.predicate) and equal_values(right.predicate):
        joined = either(left.predicate, right.predicate)  # "clear and rain" means rows of either
        if joined is not None:
            yield m.Condition(joined), SLIGHT


@rule(m.Condition, m.Column, m.And)
@rule(m.Condition, m.Column, m.Or)
def _without_both(condition: m.Condition, column: m.Column, context: Context) -> Found:
    """Read "without cancelled and gift wrap" as the rows that are neither cancelled nor gift wrapped."""
    joined = left_out_too(condition, column.name, context)
    if joined is not None:
        yield joined, PIECE_MERGED


@rule(m.Condition, m.Condition)
def _side_by_side(left: m.Condition, right: m.Condition, context: Context) -> Found:
    if about(left.predicate) != about(right.predicate):
        yield m.Condition(both(left.predicate, right.predicate)), PIECE_MERGED


@rule(m.Column, m.Condition, m.And)
def _limited_both(column: m.Column, condition: m.Condition, context: Context) -> Found:
    limit = _same_limit(column.name, condition.predicate, context)
    if limit is not None:
        yield m.Condition(both(limit, condition.predicate)), SURE  # "with height and width under 5": each is


@rule(m.Column, m.Condition, m.Or)
def _limited_either(column: m.Column, condition: m.Condition, context: Context) -> Found:
    limit = _same_limit(column.name, condition.predicate, context)
    joined = either(limit, condition.predicate) if limit is not None else None
    if joined is not None:
        yield m.Condition(joined), SURE


def _same_limit(name: str, predicate: Predicate, context: Context) -> Predicate | None:
    """Return the limit of the figures beside a column as one of its own; None where they have no limit in common."""
    terms = predicate.terms if isinstance(predicate, All | AnyOf) else (predicate,)
    limits: dict[str, list[Compare]] = {}
    for term in terms:
        if not isinstance(term, Compare) or not isinstance(term.left, Col) or term.op in (CompareOp.EQ, CompareOp.NE):
            return None
        limits.setdefault(term.left.name, []).append(term)
    own = [[term.model_copy(update={"left": Col(name=name)}) for term in each] for each in limits.values()]
    if name in limits or any(each != own[0] for each in own) or not all(map(context.is_measure, (name, *limits))):
        return None
    return own[0][0] if len(own[0]) == 1 else All(terms=tuple(own[0]))


def _undone(*conditions: m.Condition) -> float:
    """Return what it costs to join choices between columns: "and" binds more tightly than "or"."""
    choices = [c.predicate for c in conditions if isinstance(c.predicate, AnyOf) and about(c.predicate) is None]
    one_of_two = all(_wants_one_value(*choice.terms) for choice in choices)
    named = [set(names_in(c.predicate)) for c in conditions]
    return SURE if not choices or (one_of_two and not set.intersection(*named)) else FREE


@rule(m.Condition, m.Condition, m.Versus)
def _contrast(left: m.Condition, right: m.Condition, context: Context) -> Found:
    name, joined = about(left.predicate), either(left.predicate, right.predicate)
    if name is not None and name == about(right.predicate) and joined is not None and equal_values(joined):
        yield m.Contrast(joined, name), SURE


@rule(m.Between, m.Condition)
def _between_values(word: m.Between, condition: m.Condition, context: Context) -> Found:
    name = about(condition.predicate)
    if name is not None and isinstance(condition.predicate, IsIn) and equal_values(condition.predicate):
        yield m.Contrast(condition.predicate, name, between=True), SLIGHT  # "compare prices between Rome and Oslo"
