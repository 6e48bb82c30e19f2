"""Two tables that come together by a key, and what may be read over them without counting a row several times."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.joining.keys import Pair, is_unique
from jupyter_mcpgen.nl.joining.refusals import repeats
from jupyter_mcpgen.nl.joining.vocabulary import Way
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.plan.english_sources import say_keys, say_second
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.ops import AggregateFunction
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.repeats import Side, is_multiplied, sides_of, weighed_measures
from jupyter_mcpgen.plan.sources import Join, JoinKind, KeyPair, Relation, Second

ALIKE = 0.75
"""Tables that share this part of the columns of the smaller one are taken to hold the same kind of rows."""

_KINDS = {Way.INNER: JoinKind.INNER, Way.OUTER: JoinKind.OUTER}
_TOTALS = frozenset({AggregateFunction.SUM, AggregateFunction.COUNT})


@dataclass(frozen=True)
class Tables:
    """The two tables in the order of the plan, and what to say about how they come together."""

    first: Profile
    second: Profile
    way: Second
    notes: tuple[str, ...]


def joined_by_key(way: Way, pairs: tuple[Pair, ...], first: Profile, second: Profile) -> Tables | Refused:
    """Return two tables in the order in which rows of the first are kept once, and how; a refusal where neither is."""
    if way is Way.WITH:
        way = Way.HAVING if is_key_of(pairs, first, 0) and not is_key_of(pairs, second, 1) else Way.JOIN
    if way in (Way.WITHOUT, Way.HAVING):
        how = JoinKind.ANTI if way is Way.WITHOUT else JoinKind.SEMI
        join = _join(how, Relation.MANY_TO_MANY, pairs, first, second)
        return Tables(first, second, join, (f"Matched by {say_keys(join)}.",))
    unique = is_key_of(pairs, first, 0), is_key_of(pairs, second, 1)
    if unique == (False, False):
        return repeats(pairs, first, second)
    if not unique[1] and way is not Way.LEFT:
        first, second, unique = second, first, (unique[1], unique[0])
        pairs = tuple((own, other) for other, own in pairs)
    relation = Relation.MANY_TO_ONE if unique[1] else Relation.ONE_TO_MANY
    keyless = sum(first.column(own).nulls for own, _ in pairs)
    if unique == (True, True) and keyless <= 1:
        relation = Relation.ONE_TO_ONE
    how = _KINDS.get(way, JoinKind.LEFT)
    join = _join(how, relation, pairs, first, second)
    return Tables(first, second, join, tuple(_notes(join, first.name)))


def is_key_of(pairs: tuple[Pair, ...], profile: Profile, side: int) -> bool:
    """Tell whether keys name single rows; several columns together are taken to, and the tool makes sure."""
    return len(pairs) > 1 or is_unique(profile.column(pairs[0][side]), profile)


def _join(how: JoinKind, relation: Relation, pairs: tuple[Pair, ...], first: Profile, second: Profile) -> Join:
    keys = tuple(KeyPair(first=Col(name=own), second=Col(name=other)) for own, other in pairs)
    return Join(
        other=second.name,
        first_schema=first.schema_,
        other_schema=second.schema_,
        keys=keys,
        how=how,
        relation=relation,
    )


def _notes(join: Join, source: str) -> list[str]:
    unmatched = f"Rows of `{source}` without a match are"
    other = f"Rows of `{join.other}` that match none are left out."
    if join.how is JoinKind.OUTER:
        kept = f"{unmatched} kept, and so are rows of `{join.other}` that match none."
    elif join.how is JoinKind.LEFT:
        kept = f"{unmatched} kept; say “inner join” to leave them out. {other}"
    else:
        kept = f"{unmatched} left out. {other}"
    once = {
        Relation.MANY_TO_ONE: f"A row for each row of `{source}`",
        Relation.ONE_TO_ONE: f"A row for each row of `{source}`",
        Relation.ONE_TO_MANY: f"A row for each row of `{join.other}` that matches",
        Relation.MANY_TO_MANY: "A row for each pair that matches",
    }[join.relation]
    return [f"{once}, matched by {say_keys(join)}. {kept}"]


def checked(understood: Understanding, tables: Tables) -> Understanding:
    """Put the two tables into each reading; one that would count rows several times is refused."""
    match understood:
        case Answered(winner, alternatives):
            wrong = _counted_again(_placed(winner, tables), tables)
            if wrong is not None:
                return wrong
            placed = tuple(_placed(other, tables) for other in alternatives)
            kept = tuple(other for other in placed if _counted_again(other, tables) is None)
            return replace(understood, winner=_placed(winner, tables), alternatives=kept)
        case Asked(text, options):
            return Asked(text, tuple(_placed(option, tables) for option in options))
        case Refused(message):
            placed_near = understood.with_readings(partial(_placed, tables=tables))
            return replace(placed_near, message=f"Over {_called(tables)}: {message}")


def _called(tables: Tables) -> str:
    return say_second(tables.first.name, tables.way)


def _placed(reading: Reading, tables: Tables) -> Reading:
    plan = reading.plan.over(tables.way)
    weighed = [
        f"A row of `{tables.second.name}` weighs as often in {measure.name} as `{tables.first.name}` has rows for it."
        for measure in weighed_measures(plan)
        if measure.function not in _TOTALS and _is_repeated(plan, measure.column)
    ]
    alone = [
        f"A row of `{tables.first.name}` without a match counts as one row too."
        for measure in weighed_measures(plan)
        if measure.column is None and _keeps_without_match(tables.way)
    ]
    return replace(reading, plan=plan, assumptions=(*tables.notes, *weighed, *alone, *reading.assumptions))


def _keeps_without_match(way: Second) -> bool:
    """Tell whether rows are counted that stand for no row of the second table, which has several for others."""
    return isinstance(way, Join) and way.how is JoinKind.LEFT and way.relation is Relation.ONE_TO_MANY


def _is_repeated(plan: Plan, column: Col | None) -> bool:
    """Tell whether the rows that a column's values come from may be there several times."""
    if column is None or not isinstance(plan.second, Join) or not plan.second.how.adds_columns:
        return False
    sides, relation = sides_of(plan, column.name), plan.second.relation
    many = {Relation.MANY_TO_ONE: Side.FIRST, Relation.ONE_TO_MANY: Side.SECOND}.get(relation)
    if many is not None and is_multiplied(plan, column.name, many):
        return False
    return (Side.SECOND in sides and not relation.first_is_unique) or (
        Side.FIRST in sides and not relation.second_is_unique
    )


def _counted_again(reading: Reading, tables: Tables) -> Refused | None:
    """Return the refusal of a total whose values the join repeats, or of a count of the rows of either table."""
    outer = isinstance(tables.way, Join) and tables.way.how is JoinKind.OUTER
    for measure in weighed_measures(reading.plan):
        if outer and measure.column is None:
            return _counted_of_either(reading, tables)
        if measure.function in _TOTALS and _is_repeated(reading.plan, measure.column):
            second = Side.SECOND in sides_of(reading.plan, measure.column.name if measure.column is not None else "")
            owner, other = (tables.second, tables.first) if second else (tables.first, tables.second)
            column = measure.column.name if measure.column is not None else "rows"
            return Refused(
                f"`{column}` belongs to `{owner.name}`, and `{other.name}` has several rows for one of it: joined, its "
                f"values would be counted several times. Ask for it in `{owner.name}` alone, or ask for a column of "
                f"`{other.name}`.",
                nearest=reading,
            )
    return None


def _counted_of_either(reading: Reading, tables: Tables) -> Refused:
    first, second = tables.first.name, tables.second.name
    return Refused(
        f"A full outer join keeps the rows of both tables, so a row of `{second}` without a match would be counted as "
        f"one of `{first}`, or the other way round. To count rows of `{first}`, say “{first} left join {second}”; to "
        "count what is there in one of them, ask for a column of it.",
        nearest=reading,
    )


def are_alike(first: Profile, second: Profile) -> bool:
    """Tell whether two tables have nearly the same columns, so that they hold the same kind of rows."""
    shared = set(first.schema_.names) & set(second.schema_.names)
    return len(shared) >= ALIKE * min(len(first.schema_.names), len(second.schema_.names))
