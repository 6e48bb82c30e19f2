"""Two tables that come together, and what may be read over them without counting a row several times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.grammar.table import Table, table_of
from jupyter_mcpgen.nl.joins.keys import Pair, is_unique
from jupyter_mcpgen.nl.joins.profiles import profile_of_both
from jupyter_mcpgen.nl.joins.words import Way
from jupyter_mcpgen.nl.reading import Refused
from jupyter_mcpgen.nl.schema.facts import schema_of
from jupyter_mcpgen.nl.schema.row_nouns import OF_KIND
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english_sources import say_keys
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Measure
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.repeats import Side, is_multiplied, sides_of, weighed_measures
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.sources import Join, JoinKind, KeyPair, Relation, Second, Summary, Union

_TOTALS = frozenset({AggregateFunction.SUM, AggregateFunction.COUNT, AggregateFunction.RATE, AggregateFunction.PERCENT})

_MOSTLY_ONE = 0.5
"""A column with more different values than this part of the rows names the rows, or nearly."""


@dataclass(frozen=True)
class JoinedTable(Table):
    """A table that is made of two, as the rules see it; the rows that are asked about are those of the first."""

    key: str
    """The column that says which row of the second table a row belongs to."""
    owned: frozenset[str]
    """The columns that come from the second table."""
    figures: frozenset[str] = frozenset()
    """The columns that are figures of the rows of the second table."""

    def is_called(self, name: str) -> bool:
        """Tell whether questions may call a column by its name; figures are called as the other table's are."""
        return name not in self.figures

    @cached_property
    def dates(self) -> tuple[str, ...]:
        """The columns of dates: those of the rows, or of what they belong to where they have none."""
        return self._own(super().dates)

    @cached_property
    def years(self) -> tuple[str, ...]:
        """The columns of whole numbers that are years."""
        return self._own(super().years)

    def _own(self, names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in names if name not in self.owned) or names


@dataclass(frozen=True)
class Tables:
    """The two tables in the order of the plan, how they come together, and what to say about it."""

    first: Profile
    second: Profile
    way: Second
    notes: tuple[str, ...] = ()

    def table(self, language: str) -> JoinedTable:
        """Return the table that they become; what a row is comes from the first."""
        both = profile_of_both(self.first, self.second, self.way)
        own = table_beside(self.first, self.second, language)
        known = schema_of(both, own.lexicon, language)
        schema = replace(known, row=own.schema.row)
        taken = self.way.taken.values() if isinstance(self.way, Join) else ()
        key = self.way.keys[0].first.name if isinstance(self.way, Join | Summary) else ""
        figures = frozenset(one.name for one in self.way.figures) if isinstance(self.way, Summary) else frozenset()
        return JoinedTable(schema, own.lexicon, language, key, frozenset(taken), figures)


@lru_cache(maxsize=32)
def table_beside(profile: Profile, other: Profile, language: str) -> Table:
    """Return a table beside another one, whose rows are called by nouns that are none of this one's rows."""
    table = table_of(profile, language)
    theirs = {noun.words for noun in table_of(other, language).schema.row.nouns if noun.cost <= OF_KIND}
    kept = tuple(noun for noun in table.schema.row.nouns if noun.cost == 0 or noun.words not in theirs)
    return replace(table, schema=replace(table.schema, row=replace(table.schema.row, nouns=kept)))


@lru_cache(maxsize=16)
def joined_table(tables: Tables, language: str) -> JoinedTable:
    """Return the table that two become, made once."""
    return tables.table(language)


def is_key_of(pairs: tuple[Pair, ...], profile: Profile, side: int) -> bool:
    """Tell whether keys name single rows; several columns together are taken to, and the tool makes sure."""
    return len(pairs) > 1 or is_unique(profile, pairs[0][side])


def joined(way: Way, pairs: tuple[Pair, ...], first: Profile, second: Profile) -> Tables | Refused:
    """Return two tables in the order in which rows of the first are kept once, and how; a refusal where neither is."""
    if way in (Way.ANTI, Way.SEMI):
        how = JoinKind.ANTI if way is Way.ANTI else JoinKind.SEMI
        only = _join(how, Relation.MANY_TO_MANY, pairs, first, second)
        return Tables(first, second, only, (f"Matched by {say_keys(only)}.",))
    unique = is_key_of(pairs, first, 0), is_key_of(pairs, second, 1)
    if unique == (False, False):
        return repeated(pairs, first, second)
    if not unique[1] and way is not Way.KEEP_FIRST:
        first, second, unique = second, first, (unique[1], unique[0])
        pairs = tuple((own, other) for other, own in pairs)
    relation = Relation.MANY_TO_ONE if unique[1] else Relation.ONE_TO_MANY
    if unique == (True, True) and sum(first.column(own).nulls for own, _ in pairs) <= 1:
        relation = Relation.ONE_TO_ONE
    how = {Way.INNER: JoinKind.INNER, Way.OUTER: JoinKind.OUTER}.get(way, JoinKind.LEFT)
    join = _join(how, relation, pairs, first, second)
    return Tables(first, second, join, (_note(join, first.name),))


def stacked(first: Profile, second: Profile) -> Tables:
    """Return two tables one below the other; raises `PlanError` where their columns cannot be mixed."""
    union = Union(other=second.name, first_schema=first.schema_, other_schema=second.schema_)
    notes = [f"The rows of `{second.name}` stand below those of `{first.name}`, with columns matched by name."]
    if union.only_in_one:
        lacking = ", ".join(f"`{name}`" for name in union.only_in_one)
        notes.append(f"Only one of the two tables has {lacking}; the values are missing for the rows of the other.")
    return Tables(first, second, union, tuple(notes))


def _join(how: JoinKind, relation: Relation, pairs: Iterable[Pair], first: Profile, second: Profile) -> Join:
    keys = tuple(KeyPair(first=Col(name=own), second=Col(name=other)) for own, other in pairs)
    return Join(
        other=second.name, first_schema=first.schema_, other_schema=second.schema_, keys=keys, how=how,
        relation=relation,
    )  # fmt: skip


def _note(join: Join, source: str) -> str:
    unmatched, other = (
        f"Rows of `{source}` without a match are",
        f"Rows of `{join.other}` that match none are left out.",
    )
    match join.how:
        case JoinKind.OUTER:
            kept = f"{unmatched} kept, and so are rows of `{join.other}` that match none."
        case JoinKind.LEFT:
            kept = f"{unmatched} kept; say “inner join” to leave them out. {other}"
        case _:
            kept = f"{unmatched} left out. {other}"
    many = join.relation is Relation.ONE_TO_MANY
    once = f"A row for each row of `{join.other}` that matches" if many else f"A row for each row of `{source}`"
    return f"{once}, matched by {say_keys(join)}. {kept}"


def repeated(pairs: tuple[Pair, ...], first: Profile, second: Profile) -> Refused:
    """Return the refusal of a join by keys of which neither table has each once."""
    (own, other), *_ = pairs
    return Refused(
        f"`{own}` names several rows of `{first.name}`, and `{other}` several rows of `{second.name}`: joined, rows "
        "would be repeated and counted several times. Name keys that one of the tables has once, with “on …”."
    )


def counted_again(plan: Plan, tables: Tables) -> Refused | None:
    """Return the refusal of a total whose values the join repeats, or of a count of the rows of either table."""
    outer = isinstance(tables.way, Join) and tables.way.how is JoinKind.OUTER
    for measure in weighed_measures(plan):
        if outer and measure.column is None:
            first, second = tables.first.name, tables.second.name
            return Refused(
                f"A full outer join keeps the rows of both tables, so a row of `{second}` without a match would be "
                f"counted as one of `{first}`, or the other way round. To count rows of `{first}`, say “{first} left "
                f"join {second}”; to count what is there in one of them, ask for a column of it."
            )
        if measure.function in _TOTALS and _is_repeated(plan, measure):
            name = measure.column.name if measure.column is not None else "rows"
            second_side = Side.SECOND in sides_of(plan, name if measure.column is not None else "")
            owner, other = (tables.second, tables.first) if second_side else (tables.first, tables.second)
            return Refused(
                f"`{name}` belongs to `{owner.name}`, and `{other.name}` has several rows for one of it: joined, its "
                f"values would be counted several times. Ask for it in `{owner.name}` alone, or ask for a column of "
                f"`{other.name}`."
            )
    return None


def notes_of(plan: Plan, tables: Tables) -> Iterator[str]:
    """Yield what is to be said of figures over two tables: what weighs more than once, which column is meant."""
    first, second = tables.first, tables.second
    for measure in weighed_measures(plan):
        if measure.function not in _TOTALS and measure.column is not None and _is_repeated(plan, measure):
            yield f"A row of `{second.name}` weighs as often in {measure.name} as `{first.name}` has rows for it."
    if not isinstance(tables.way, Join) or not tables.way.how.adds_columns:
        return
    used = {name for step in plan.steps for name in names_in(step)}
    dates = [name for name in used if _is_date(name, first)]
    if dates and any(_is_date(name, second) for name in tables.way.taken) and len(dates) == 1:
        yield f"The dates are those of `{dates[0]}`, not those of `{second.name}`."
    groups = {name for step in plan.steps if isinstance(step, Aggregate) for name in step.by.names}
    for old, new in tables.way.taken.items():
        if new in used and new != old:
            yield f"`{new}` is the `{old}` of `{second.name}`."
        names = second.column(old).distinct
        if new in groups and second.rows > names > second.rows * _MOSTLY_ONE:
            yield f"{second.rows:,} rows of `{second.name}` share {names:,} values of `{old}`: those are put together."
    for name in sorted(_counted(plan) & {pair.first.name for pair in tables.way.keys}):
        yield f"Each `{name}` counts once, however many rows it has."


def _is_date(name: str, profile: Profile) -> bool:
    return name in profile.schema_.names and profile.schema_.type_of(name) is ColumnType.DATE


def _counted(plan: Plan) -> set[str]:
    """Return the columns whose different values are counted."""
    made = (measure for step in plan.steps if isinstance(step, Aggregate) for measure in step.measures)
    counted = (one.column for one in made if one.function is AggregateFunction.COUNT_DISTINCT)
    return {column.name for column in counted if column is not None}


def _is_repeated(plan: Plan, measure: Measure) -> bool:
    """Tell whether the rows that a figure's values come from may be there several times."""
    join, column = plan.second, measure.column
    if column is None or not isinstance(join, Join) or not join.how.adds_columns:
        return False
    sides = sides_of(plan, column.name)
    many = {Relation.MANY_TO_ONE: Side.FIRST, Relation.ONE_TO_MANY: Side.SECOND}.get(join.relation)
    if many is not None and is_multiplied(plan, column.name, many):
        return False
    return (Side.SECOND in sides and not join.relation.first_is_unique) or (
        Side.FIRST in sides and not join.relation.second_is_unique
    )
