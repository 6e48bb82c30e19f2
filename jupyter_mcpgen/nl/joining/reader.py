"""Reads a question over two tables: takes out what joins them, lets the others read the rest over the joined table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.followups.followup import follow_up
from jupyter_mcpgen.nl.joining.clause import Clause, find_clause
from jupyter_mcpgen.nl.joining.hints import columns_named
from jupyter_mcpgen.nl.joining.keys import FoundKeys, Pair, found_keys, is_told, is_unique, named_keys
from jupyter_mcpgen.nl.joining.owners import said_without_owner
from jupyter_mcpgen.nl.joining.refusals import beyond, no_key, open_condition, repeats, unknown_key
from jupyter_mcpgen.nl.joining.summary import notes_of, with_figures_called
from jupyter_mcpgen.nl.joining.table import profile_of_both
from jupyter_mcpgen.nl.joining.vocabulary import Vocabulary, Way, load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english_sources import say_keys, say_second
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.ops import AggregateFunction
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.repeats import Side, sides_of, weighed_measures
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.sources import Join, JoinKind, KeyPair, Relation, Second, Summary, Union

Read = Callable[[str, Profile], Understanding]
"""Reads a question over one table."""
ALIKE = 0.75
"""Tables that share this part of the columns of the smaller one are taken to hold the same kind of rows."""
_KINDS = {Way.INNER: JoinKind.INNER, Way.OUTER: JoinKind.OUTER}
_TOTALS = frozenset({AggregateFunction.SUM, AggregateFunction.COUNT})


@dataclass(frozen=True)
class _Tables:
    """The two tables in the order of the plan, and what to say about how they come together."""

    first: Profile
    second: Profile
    way: Second
    notes: tuple[str, ...]


def read_joined(
    question: str, tables: tuple[Profile, Profile], language: str, earlier: tuple[str, Plan] | None, read: Read
) -> Understanding | None:
    """Return what a question means over two tables; None for one that does not say how they come together."""
    vocabulary = load_vocabulary(language)
    clause = find_clause(question, (tables[0].name, tables[1].name), vocabulary) if vocabulary is not None else None
    if clause is None or vocabulary is None:
        return _followed(question, tables, earlier, language)
    if clause.way is Way.BEYOND:
        return beyond()
    first, second = tables[clause.first], tables[clause.second]
    keys = named_keys(clause.after, first, second, vocabulary) if clause.way is not Way.STACK else None
    after = keys.after if keys is not None and keys.unknown is None else clause.after
    if keys is not None and keys.unknown is not None:
        return unknown_key(keys.unknown, first, second)
    if clause.way is Way.STACK or (clause.way is Way.EITHER and keys is None and _are_alike(first, second)):
        return _stacked(clause, after, first, second, vocabulary, read)
    options: tuple[tuple[Pair, ...], ...]
    if keys is not None:
        options = (keys.pairs,)
    else:
        found = found_keys(first, second, vocabulary)
        if not found.pairs or (clause.way is Way.EITHER and not found.sure):
            return no_key(first, second)
        options = tuple((pair,) for pair in found.pairs)
        if len(options) > 1 and not is_told(found, first, second):
            return _which_key(clause, after, options, first, second, vocabulary, read)
    return _over(clause, after, options[0], first, second, vocabulary, read)


def read_implied(question: str, tables: tuple[Profile, Profile], language: str, read: Read) -> Understanding | None:
    """Return what is asked of the rows of one table with columns of the other; None where that is not sure.

    "Total gift amount by city" names no join: each row of `gifts` belongs to one row of `donors`, which has the city.
    """
    vocabulary = load_vocabulary(language)
    found = found_keys(*tables, vocabulary) if vocabulary is not None else FoundKeys()
    if vocabulary is None or not found.sure or len(found.pairs) != 1 or _are_alike(*tables):
        return None
    pairs = found.pairs
    if _unique(pairs, tables[0], 0) == _unique(pairs, tables[1], 1):
        return None
    joined = _joined(Way.JOIN, pairs, *tables)
    if isinstance(joined, Refused) or not isinstance(joined.way, Join):
        return None
    meant = _of_both(question, joined, joined.way, vocabulary, read)
    if not isinstance(meant, Answered) or not set(joined.way.taken.values()) & _columns_used(meant.winner.plan):
        return None
    if any(new in _columns_used(meant.winner.plan) for new in _misnamed(question, joined.way.taken)):
        return None
    weighed = {measure.column.name for measure in weighed_measures(meant.winner.plan) if measure.column is not None}
    if weighed & set(joined.way.taken.values()):
        return None  # a value of the other table would weigh as often as it has rows here
    checked = _checked(meant, joined)
    return checked if isinstance(checked, Answered) else None


def _of_both(question: str, tables: _Tables, way: Join, vocabulary: Vocabulary, read: Read) -> Understanding:
    """Read a question over both tables; whose the rows are makes no groups: "the amount of Gold clients" is one."""
    both = profile_of_both(tables.first, tables.second, way)
    meant = read(question, both)
    for said in said_without_owner(question, tables.second, vocabulary):
        other = _of_first(read(said, both), way)
        if isinstance(other, Answered) and set(way.taken.values()) & _columns_used(other.winner.plan):
            return other
    return _of_first(meant, way)


def _of_first(meant: Understanding, way: Join) -> Understanding:
    """Settle which dates a period is of: those of the rows that are asked about, before those of their owners."""
    if not isinstance(meant, Asked):
        return meant
    types = way.schema_
    others = {new for new in way.taken.values() if types.type_of(new) is ColumnType.DATE}
    own = [option for option in meant.options if not others & _columns_used(option.plan)]
    if len(own) != 1 or len(meant.options) == 1:
        return meant
    dates = [name for name in types.names if name in _columns_used(own[0].plan)]
    said = " and ".join(f"`{name}`" for name in dates if types.type_of(name) is ColumnType.DATE)
    note = f"The dates are those of {said}, not those of `{way.other}`."
    return Answered(replace(own[0], assumptions=(*own[0].assumptions, note)))


def _misnamed(question: str, taken: Mapping[str, str]) -> tuple[str, ...]:
    """Return the columns that had to be renamed beside others and are not named: "members" is no `city_members`."""
    renamed = {old: new for old, new in taken.items() if old != new}
    named = set(columns_named(question, tuple(renamed)))
    return tuple(new for old, new in renamed.items() if old not in named)


def over_matches(alone: Answered, pairs: tuple[Pair, ...], tables: tuple[Profile, Profile]) -> Understanding:
    """Return an answer over the first table for those of its rows only that have a match in the second."""
    joined = _joined(Way.HAVING, pairs, *tables)
    return joined if isinstance(joined, Refused) else _checked(alone, joined)


def _columns_used(plan: Plan) -> set[str]:
    return {name for step in plan.steps for name in names_in(step)}


def how_to_join(first: Profile, second: Profile, language: str) -> str:
    """Say in which words two tables can be joined; nothing where no key is seen, or where they hold the same rows."""
    vocabulary = load_vocabulary(language)
    found = found_keys(first, second, vocabulary) if vocabulary is not None else FoundKeys()
    if not found.sure:
        return ""
    own, other = found.pairs[0]
    key = own if own == other else f"{own} = {other}"
    return (
        f"To use `{first.name}` and `{second.name}` together, say how: “… in {first.name} joined with {second.name} on "
        f"{key}”, or “{first.name} without {second.name}”."
    )


def _are_alike(first: Profile, second: Profile) -> bool:
    shared = set(first.schema_.names) & set(second.schema_.names)
    return len(shared) >= ALIKE * min(len(first.schema_.names), len(second.schema_.names))


def _followed(
    question: str, tables: tuple[Profile, Profile], earlier: tuple[str, Plan] | None, language: str
) -> Understanding | None:
    """Return the change of an answer over both tables that a question asks for."""
    if earlier is None or earlier[1].second is None:
        return None
    asked, plan = earlier
    second = plan.second
    first, other = tables if plan.source == tables[0].name else (tables[1], tables[0])
    if second is None or (second.first_schema, second.other_schema) != (first.schema_, other.schema_):
        return None
    if isinstance(second, Summary):
        question = with_figures_called(question, first, other, second, language)
    both = profile_of_both(first, other, second)
    alone = Plan(source=plan.source, source_schema=plan.source_schema, steps=plan.steps, chart=plan.chart)
    followed = follow_up(question, alone, asked, both, language)
    notes = notes_of(second, first.name) if isinstance(second, Summary) else ()
    return _checked(followed, _Tables(first, other, second, notes)) if followed is not None else None


def _stacked(
    clause: Clause, after: str, first: Profile, second: Profile, vocabulary: Vocabulary, read: Read
) -> Understanding:
    try:
        union = Union(other=second.name, first_schema=first.schema_, other_schema=second.schema_)
    except PlanError as error:
        return Refused(f"`{first.name}` and `{second.name}` cannot stand below each other. {error}")
    notes: tuple[str, ...] = (
        f"The rows of `{second.name}` stand below those of `{first.name}`, with columns matched by name.",
    )
    if union.only_in_one:
        lacking = ", ".join(f"`{name}`" for name in union.only_in_one)
        notes = (*notes, f"Only one of the two tables has {lacking}; the values are missing for the rows of the other.")
    return _read_rest(clause, after, _Tables(first, second, union, notes), vocabulary, read)


def _over(
    clause: Clause,
    after: str,
    pairs: tuple[Pair, ...],
    first: Profile,
    second: Profile,
    vocabulary: Vocabulary,
    read: Read,
) -> Understanding:
    """Return what is asked of two tables that are joined by a key."""
    try:
        tables = _joined(clause.way, pairs, first, second)
        if isinstance(tables, Refused):
            return tables
        meant = _read_rest(clause, after, tables, vocabulary, read)
        return open_condition(meant, clause, after, second, read) or meant
    except PlanError as error:
        return Refused(f"`{first.name}` and `{second.name}` cannot be joined in this way. {error}")


def _joined(way: Way, pairs: tuple[Pair, ...], first: Profile, second: Profile) -> _Tables | Refused:
    if way is Way.WITH:
        way = Way.HAVING if _unique(pairs, first, 0) and not _unique(pairs, second, 1) else Way.JOIN
    if way in (Way.WITHOUT, Way.HAVING):
        how = JoinKind.ANTI if way is Way.WITHOUT else JoinKind.SEMI
        join = _join(how, Relation.MANY_TO_MANY, pairs, first, second)
        return _Tables(first, second, join, (f"Matched by {say_keys(join)}.",))
    unique = _unique(pairs, first, 0), _unique(pairs, second, 1)
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
    return _Tables(first, second, join, tuple(_notes(join, first.name)))


def _unique(pairs: tuple[Pair, ...], profile: Profile, side: int) -> bool:
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


def _read_rest(clause: Clause, after: str, tables: _Tables, vocabulary: Vocabulary, read: Read) -> Understanding:
    both = profile_of_both(tables.first, tables.second, tables.way)
    rest = clause.rest(both.name, after, vocabulary)
    if not rest or rest.casefold() == both.name.casefold():
        rows = Plan(source=both.name, source_schema=both.schema_)
        return _checked(Answered(Reading(plan=rows, label="", cost=0.0)), tables)
    return _checked(read(rest, both), tables)


def _checked(understood: Understanding, tables: _Tables) -> Understanding:
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
            nearest = _placed(understood.nearest, tables) if understood.nearest is not None else None
            return replace(understood, message=f"Over {_called(tables)}: {message}", nearest=nearest)


def _called(tables: _Tables) -> str:
    return say_second(tables.first.name, tables.way)


def _placed(reading: Reading, tables: _Tables) -> Reading:
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
    if {Side.FIRST, Side.SECOND} <= sides:
        return False  # the quantity of a line times the price of its product is the line's own
    return (Side.SECOND in sides and not relation.first_is_unique) or (
        Side.FIRST in sides and not relation.second_is_unique
    )


def _counted_again(reading: Reading, tables: _Tables) -> Refused | None:
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


def _counted_of_either(reading: Reading, tables: _Tables) -> Refused:
    first, second = tables.first.name, tables.second.name
    return Refused(
        f"A full outer join keeps the rows of both tables, so a row of `{second}` without a match would be counted as "
        f"one of `{first}`, or the other way round. To count rows of `{first}`, say “{first} left join {second}”; to "
        "count what is there in one of them, ask for a column of it.",
        nearest=reading,
    )


def _which_key(
    clause: Clause,
    after: str,
    options: tuple[tuple[Pair, ...], ...],
    first: Profile,
    second: Profile,
    vocabulary: Vocabulary,
    read: Read,
) -> Understanding:
    """Ask by which of several keys the tables belong together."""
    readings = []
    for pairs in options:
        match _over(clause, after, pairs, first, second, vocabulary, read):
            case Answered(winner):
                readings.append(winner)
            case _:
                continue
    names = " or ".join(own if own == other else f"{own} = {other}" for ((own, other),) in options)
    return Asked(
        f"`{first.name}` and `{second.name}` can be joined by {names}. Which one is meant? Say it with “on …”.",
        tuple(readings),
    )
