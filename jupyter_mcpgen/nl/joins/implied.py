"""Questions over two tables that say nothing of how they come together: each phrase is of one of the two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.assembly.answers import Listing
from jupyter_mcpgen.nl.assembly.derivation import Derivation
from jupyter_mcpgen.nl.grammar.table import Table, table_of
from jupyter_mcpgen.nl.joins.keys import FoundKeys, Pair, is_unique
from jupyter_mcpgen.nl.joins.matches import misleading
from jupyter_mcpgen.nl.joins.over_both import RULES_OF_BOTH, checked, placed, which_key
from jupyter_mcpgen.nl.joins.owners import nouns_at, things
from jupyter_mcpgen.nl.joins.summaries import Read, read_summaries
from jupyter_mcpgen.nl.joins.tables import (
    JoinedTable,
    Tables,
    counted_again,
    is_key_of,
    joined,
    joined_table,
    repeated,
    table_beside,
)
from jupyter_mcpgen.nl.joins.words import Way
from jupyter_mcpgen.nl.planner import RULES, decide, derived, read, whole_of
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.nl.search.edges import edges, skips
from jupyter_mcpgen.nl.search.phrase import Phrase
from jupyter_mcpgen.nl.text.tokens import Token, tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.expressions import Columns as Names
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Distinct, Select
from jupyter_mcpgen.plan.plan import Plan

NEARLY = 0.03
"""A reading over one table alone is taken where one over both costs hardly less."""
OF_OTHER = 0.15
"""How much less a question costs that is only about the table which was not meant to be asked."""
BEGINS = 0.15
"""How much surer it is that rows with figures are asked for where a question begins with them."""
_NEVER = 9.0


@dataclass(frozen=True)
class _Way:
    """One way to read a question: its derivations that leave out nothing, and what comes of them."""

    found: tuple[Derivation, ...]
    tokens: tuple[Token, ...]
    table: Table
    more: tuple[Phrase, ...] = ()

    @property
    def cost(self) -> float:
        return self.found[0].cost if self.found else _NEVER

    def decided(self) -> Understanding:
        return decide(self.found, self.tokens, self.table, self.more)


def _way_over(tokens: Sequence[Token], table: Table, more: tuple[Phrase, ...] = ()) -> _Way:
    rules = RULES_OF_BOTH if more else RULES
    costs = skips(tokens, (*edges(tokens, table), *more), table)
    return _Way(tuple(whole_of(derived(tokens, table, rules, more), tokens, costs)), tuple(tokens), table, more)


def implied(
    question: str, tokens: Sequence[Token], pair: Pair, sure: bool, tables: tuple[Profile, Profile], language: str
) -> Understanding:
    """Return what is asked of one table, of the rows of one with columns of the other, or with figures of it."""
    first, other = tables
    alone = _way_over(tokens, table_beside(first, other, language))
    of_other = _way_over(tokens, table_beside(other, first, language))
    both = joined(Way.LEFT, (pair,), first, other) if sure else None
    ways = is_key_of((pair,), first, 0), is_key_of((pair,), other, 1)
    if not isinstance(both, Tables) or ways[0] == ways[1]:
        return alone.decided() if alone.found else _refused(question, of_other, tables, pair, language)
    over = _over_both(tokens, both, language)
    many, one = both.first, both.second
    oriented = pair if many is other else (pair[1], pair[0])
    summed = read_summaries(tokens, one, many, oriented, language)
    if summed is not None and over.found and misleading(summed.found[0].plan) is not None:
        summed = None
    costs = {
        "alone": alone.cost - NEARLY,
        "both": over.cost,
        "summed": _cost_of(summed, tokens, both, language),
        "other": of_other.cost + (OF_OTHER if over.found or summed is not None else 0.0),
    }
    best = min(costs, key=lambda name: costs[name])
    if costs[best] >= _NEVER - 1:
        return _refused(question, of_other, tables, pair, language)
    match best:
        case "both":
            return checked(over.decided(), both)
        case "summed" if summed is not None:
            return _of_summary(summed)
        case "other":
            return _of_owners(of_other, tables, both, tokens, language)
        case _:
            return _heeding(alone, of_other, tokens, tables, pair, language)


def _cost_of(summed: Read | None, tokens: Sequence[Token], both: Tables, language: str) -> float:
    """Return the cost of figures beside rows, which are meant where a question begins with the rows."""
    if summed is None:
        return _NEVER
    return summed.cost - (BEGINS if _begins_with(tokens, both, language) else 0.0)


def _over_both(tokens: Sequence[Token], both: Tables, language: str) -> _Way:
    """Return the readings that take something of both tables, and count nothing more often than it is there."""
    table = joined_table(both, language)
    way = _way_over(tokens, table, things(tokens, table_of(both.second, language)))
    names_rows, of_second = _names(tokens, both.first, language), _begins_with(tokens, both, language)
    kept = (
        one
        for one in way.found
        if _is_of_both(one, both, table, names_rows=names_rows) and not (of_second and isinstance(one.answer, Listing))
    )
    return replace(way, found=tuple(kept))


def _begins_with(tokens: Sequence[Token], both: Tables, language: str) -> bool:
    """Tell whether a question begins with rows of the second table, so that each of them is asked for once.

    A word that says of which rows may stand before them: "Gold clients with …".
    """
    table = table_beside(both.second, both.first, language)
    first = min((first for first, _, _ in nouns_at(tokens, table)), default=len(tokens))
    before = [token for token in tokens[:first] if table.lexicon.skip_cost(token.lower) is None]
    return first < len(tokens) and len(before) <= 1


def _names(tokens: Sequence[Token], profile: Profile, language: str) -> bool:
    """Tell whether a question names a table or what its rows are called."""
    return any(cost == 0 for _, _, cost in nouns_at(tokens, table_of(profile, language)))


def _is_of_both(one: Derivation, both: Tables, table: JoinedTable, *, names_rows: bool) -> bool:
    """Tell whether a reading takes something of both tables, and counts nothing more often than it is there."""
    used = {name for step in one.plan.steps for name in names_in(step)}
    own = used & set(both.first.schema_.names) - {table.key}
    shown = one.answer.columns if isinstance(one.answer, Listing) else ()
    repeats = bool(shown) and set(shown) <= {*table.owned, table.key}  # a row of the second table for each of the first
    if not used & table.owned or not (own or names_rows) or repeats:
        return False
    return counted_again(one.plan.over(both.way), both) is None


def _of_summary(summed: Read) -> Understanding:
    winner, *others = summed.found
    wrong = misleading(winner.plan)
    if wrong is not None:
        return wrong
    reading = Reading(winner.plan, "", winner.cost, winner.notes)
    near = (one for one in others if one.cost - winner.cost < 0.4 and misleading(one.plan) is None)
    return Answered(reading, tuple(Reading(one.plan, "", one.cost, one.notes) for one in list(near)[:3]))


def _of_owners(
    of_other: _Way, tables: tuple[Profile, Profile], both: Tables, tokens: Sequence[Token], language: str
) -> Understanding:
    """Return a question that only the other table answers as a refusal, or ask which of its rows are meant.

    The rows of the second table may be all of them, or those that the rows of the first mention.
    """
    said = say_plan(of_other.found[0].plan)
    table = joined_table(both, language)
    if both.second.name == tables[1].name and _names(tokens, both.second, language):
        way = _way_over(tokens, table, things(tokens, table_of(both.second, language)))
        matched = [one for one in way.found if _counts(one.plan, table.key)]
        if matched:
            kept = placed(Reading(matched[0].plan, "", matched[0].cost, matched[0].notes), both)
            return _which_rows(kept, said, tables)
    return _only_other(said, tables)


def _which_rows(kept: Reading, said: str, tables: tuple[Profile, Profile]) -> Asked:
    first, other = tables
    return Asked(
        f"Are all rows of `{other.name}` meant, or only those that `{first.name}` mentions? With `{first.name}` it is: "
        f"{say_plan(kept.plan)}. For all rows ask of `{other.name}` alone: {said}.",
        (kept,),
    )


def _only_other(said: str, tables: tuple[Profile, Profile]) -> Refused:
    first, other = tables
    return Refused(
        f"The question is only about `{other.name}`, not about `{first.name}`. Ask it of `{other.name}` alone: {said}."
    )


def _refused(
    question: str, of_other: _Way, tables: tuple[Profile, Profile], pair: Pair, language: str
) -> Understanding:
    if of_other.found:
        return _only_other(say_plan(of_other.found[0].plan), tables)
    refused = read(question, tables[0], language)
    if not isinstance(refused, Refused):
        return refused
    first, other = tables
    if not (is_unique(first, pair[0]) or is_unique(other, pair[1])):
        return replace(refused, message=f"{refused.message} {repeated((pair,), first, other).message}")
    key = pair[0] if pair[0] == pair[1] else f"{pair[0]} = {pair[1]}"
    hint = (
        f"To use `{first.name}` and `{other.name}` together, say how: “… in {first.name} joined with {other.name} on "
        f"{key}”, or “{first.name} without {other.name}”."
    )
    return replace(refused, message=f"{refused.message} {hint}")


def _heeding(
    alone: _Way, of_other: _Way, tokens: Sequence[Token], tables: tuple[Profile, Profile], pair: Pair, language: str
) -> Understanding:
    """Return an answer over the first table, saying what the name of the second was taken for."""
    first, other = tables
    meant = alone.decided()
    if not isinstance(meant, Answered) or not _names(tokens, other, language):
        return meant
    plan = meant.winner.plan
    if _counts(plan, pair[0]) and of_other.found and is_unique(other, pair[1]):
        matched = joined(Way.SEMI, (pair,), first, other)
        if isinstance(matched, Tables):
            return _which_rows(placed(meant.winner, matched), say_plan(of_other.found[0].plan), tables)
    plan = _each_once(plan, pair[0])
    used = {name for step in plan.steps for name in names_in(step)}
    what = (
        f"its name is read as `{pair[0]}` of `{first.name}`" if pair[0] in used else f"`{first.name}` alone gives this"
    )
    note = f"`{other.name}` was not used: {what}."
    return replace(meant, winner=replace(meant.winner, plan=plan, assumptions=(note, *meant.winner.assumptions)))


def _each_once(plan: Plan, key: str) -> Plan:
    """Return a list of keys as one of those that the rows name, each once, however many rows name it."""
    match plan.steps:
        case [*before, Select(columns=Names(names=(only,)))] if only == key:
            found = plan.tried((*before, Distinct(columns=Names(names=(only,)))))
            return found if found is not None else plan
        case _:
            return plan


def _counts(plan: Plan, key: str) -> bool:
    """Tell whether the values of a key are counted, for the rows of the table that it points at."""
    made = (measure for step in plan.steps if isinstance(step, Aggregate) for measure in step.measures)
    return any(m.function is AggregateFunction.COUNT_DISTINCT and m.column == Col(name=key) for m in made)


def by_which(question: str, found: FoundKeys, tables: tuple[Profile, Profile], language: str) -> Understanding:
    """Return an answer over the first table alone, or the question by which of several keys the tables are joined."""
    alone = read(question, tables[0], language)
    if isinstance(alone, Answered):
        return alone
    options = tuple((pair,) for pair in found.pairs)
    tokens = tokenize(question)
    meant = [implied(question, tokens, pair, True, tables, language) for (pair,) in options]
    if not any(isinstance(one, Answered) for one in meant):
        return alone
    return which_key(options, meant, *tables)
