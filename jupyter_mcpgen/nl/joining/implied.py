"""Reads what is asked of the rows of one table with columns of the other, where nothing says how they are joined."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.joining.hints import columns_named
from jupyter_mcpgen.nl.joining.joined import Tables, are_alike, checked, is_key_of, joined_by_key
from jupyter_mcpgen.nl.joining.keys import FoundKeys, Pair, found_keys
from jupyter_mcpgen.nl.joining.owners import counts_owners, is_named, said_without_owner, without_owners
from jupyter_mcpgen.nl.joining.vocabulary import Vocabulary, Way, load_vocabulary
from jupyter_mcpgen.nl.joining.without_matches import asks_for_none
from jupyter_mcpgen.nl.joins.profiles import profile_of_both
from jupyter_mcpgen.nl.reading import Answered, Asked, ReadAlone, Refused, Understanding
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, IsIn, Predicate, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.repeats import weighed_measures
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.sources import Join
from jupyter_mcpgen.plan.statistics import Statistic

"""Reads a question over one table."""
MOSTLY_ONE = 0.5
"""A column with more different values than this part of the rows names the rows, or nearly."""


def read_implied(
    question: str, tables: tuple[Profile, Profile], language: str, read: ReadAlone
) -> Understanding | None:
    """Return what is asked of the rows of one table with columns of the other; None where that is not sure.

    "Total gift amount by city" names no join: each row of `gifts` belongs to one row of `donors`, which has the city.
    """
    vocabulary = load_vocabulary(language)
    found = found_keys(*tables, vocabulary) if vocabulary is not None else FoundKeys()
    if vocabulary is None or not found.sure or len(found.pairs) != 1 or are_alike(*tables):
        return None
    pairs = found.pairs
    if is_key_of(pairs, tables[0], 0) == is_key_of(pairs, tables[1], 1):
        return None
    both = joined_by_key(Way.JOIN, pairs, *tables)
    if isinstance(both, Refused) or not isinstance(both.way, Join):
        return None
    if counts_owners(question, both.second, vocabulary):
        return None  # a share of owners is no share of the rows that they have here
    said = without_owners(question, both.first, both.second, both.way.taken)
    meant = _of_both(said, both, both.way, vocabulary, read)
    sure = partial(_is_sure, said=said, tables=both, way=both.way, question=question)
    match meant:
        case Answered(winner) if sure(winner.plan):
            made = checked(_told(meant, both, both.way), both)
            return made if isinstance(made, Answered) else None
        case Asked(_, options) if options and all(sure(option.plan) for option in options):
            return checked(meant, both)
        case _:
            return None


def _is_sure(plan: Plan, said: str, tables: Tables, way: Join, question: str) -> bool:
    """Tell whether a plan over both tables uses the second one, and nothing of it counts more often than it should."""
    taken = set(way.taken.values())
    if asks_for_none(plan):
        return False  # the rows know only the owners that have some
    if not taken & _columns_used(plan) or any(new in _columns_read(plan) for new in _misnamed(said, way)):
        return False
    if taken & {measure.column.name for measure in weighed_measures(plan) if measure.column is not None}:
        return False  # a value of the other table would weigh as often as it has rows here
    return not _is_of_owners(plan, tables, way, question)


def _is_of_owners(plan: Plan, tables: Tables, way: Join, question: str) -> bool:
    """Tell whether nothing but the second table is asked about, whose rows would count as often as they are matched.

    That "correlation between hectares and subsidy" is of farms, not of the batches that came from them.
    """
    others = {new for new in way.taken.values() if way.schema_.type_of(new).is_number}
    if any(isinstance(step, Statistic) and others.intersection(names_in(step)) for step in plan.steps):
        return True
    if _columns_used(plan) & set(tables.first.schema_.names) - {pair.first.name for pair in way.keys}:
        return False
    if is_named(tables.first, question):
        return False
    made = (measure for step in plan.steps if isinstance(step, Aggregate) for measure in step.measures)
    counted = any(measure.function is AggregateFunction.COUNT_DISTINCT for measure in made)
    return not (is_named(tables.second, question) and counted)


def _told(meant: Answered, tables: Tables, way: Join) -> Answered:
    """Say which table a column is of that both have, and where rows of several owners are put together by a name."""
    used = _columns_used(meant.winner.plan)
    notes = [
        f"`{new}` is the `{old}` of `{way.other}`." for old, new in way.taken.items() if new in used and new != old
    ]
    both = [old for old, new in way.taken.items() if new != old and old in used]
    notes += [f"`{old}` is that of `{tables.first.name}`, not that of `{way.other}`." for old in both]
    rows = tables.second.rows
    for old, new in way.taken.items():
        names = tables.second.column(old).distinct
        if new in _groups(meant.winner.plan) and rows > names > rows * MOSTLY_ONE:
            notes.append(f"{rows:,} rows of `{way.other}` share {names:,} values of `{old}`: those are put together.")
    winner = meant.winner
    return replace(meant, winner=replace(winner, assumptions=(*notes, *winner.assumptions)))


def _groups(plan: Plan) -> set[str]:
    return {name for step in plan.steps if isinstance(step, Aggregate) for name in step.by.names}


def over_matches(alone: Answered, pairs: tuple[Pair, ...], tables: tuple[Profile, Profile]) -> Understanding:
    """Return an answer over the first table for those of its rows only that have a match in the second."""
    both = joined_by_key(Way.HAVING, pairs, *tables)
    return both if isinstance(both, Refused) else checked(alone, both)


def _of_both(question: str, tables: Tables, way: Join, vocabulary: Vocabulary, read: ReadAlone) -> Understanding:
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


def _misnamed(question: str, way: Join) -> tuple[str, ...]:
    """Return the columns that had to be renamed beside others and are not named: "members" is no `city_members`."""
    renamed = {old: new for old, new in way.taken.items() if old != new}
    named = set(columns_named(question, tuple(renamed)))
    return tuple(new for old, new in renamed.items() if old not in named and f"`{new}`" not in question)


def _columns_used(plan: Plan) -> set[str]:
    return {name for step in plan.steps for name in names_in(step)}


def _columns_read(plan: Plan) -> set[str]:
    """Return the columns that a plan uses, but for those that it keeps the rows of values of: these name themselves."""
    terms = [term for step in plan.steps if isinstance(step, Filter) for term in terms_of(step.predicate)]
    return _columns_used(plan) - {name for term in terms if _is_of_value(term) for name in names_in(term)}


def _is_of_value(term: Predicate) -> bool:
    same = isinstance(term, Compare) and term.op is CompareOp.EQ and isinstance(term.left, Col)
    return same or (isinstance(term, IsIn) and not term.negated)
