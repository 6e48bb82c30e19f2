"""Readings over the table that two become, with what is to be said of it; what would count rows again is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.grammar.table import table_of
from jupyter_mcpgen.nl.joins.keys import Pair
from jupyter_mcpgen.nl.joins.owners import OWNERS, things
from jupyter_mcpgen.nl.joins.tables import (
    Tables,
    counted_again,
    joined_table,
    notes_of,
)
from jupyter_mcpgen.nl.planner import RULES, decide, derived
from jupyter_mcpgen.nl.reading import (
    IN_ITS_WORDS,
    Answered,
    Asked,
    Reading,
    Refused,
    Understanding,
    asking_which,
    retold,
)
from jupyter_mcpgen.nl.search.phrase import Phrase
from jupyter_mcpgen.nl.text.tokens import Token
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.sources import Join

RULES_OF_BOTH = (*RULES, *OWNERS.rules)


def over(rest: Sequence[Token], tables: Tables, language: str) -> Understanding:
    """Return what the rest of a question means over the table that two become."""
    table = joined_table(tables, language)
    if not rest or all(table.lexicon.skip_cost(token.lower) is not None for token in rest):
        rows = Plan(source=tables.first.name, source_schema=table.profile.schema_)
        return checked(Answered(Reading(rows, "", 0.0)), tables)
    more = _owners(rest, tables, language)
    return checked(decide(derived(rest, table, RULES_OF_BOTH, more), rest, table, more), tables)


def _owners(tokens: Sequence[Token], tables: Tables, language: str) -> tuple[Phrase, ...]:
    """Return the nouns for the rows of the second table, where they have a column of their own."""
    adds = isinstance(tables.way, Join) and tables.way.how.adds_columns
    return things(tokens, table_of(tables.second, language)) if adds else ()


def checked(meant: Understanding, tables: Tables) -> Understanding:
    """Put the two tables into each reading; one that would count rows several times is refused."""
    match meant:
        case Answered(winner, alternatives):
            best = placed(winner, tables)
            wrong = counted_again(best.plan, tables)
            if wrong is not None:
                return wrong
            others = (placed(other, tables) for other in alternatives)
            return Answered(best, tuple(one for one in others if counted_again(one.plan, tables) is None))
        case Asked(text, options):
            return _asked(text, options, tables)
        case Refused():
            over = f"Over {tables.first.name} and {tables.second.name}: {meant.message}"
            return replace(meant.with_readings(lambda one: placed(one, tables)), message=over)


def _asked(text: str, options: tuple[Reading, ...], tables: Tables) -> Understanding:
    """Return a question back about readings over two tables, without those that would count rows again."""
    ways = tuple(placed(option, tables) for option in options)
    wrong = [counted_again(way.plan, tables) for way in ways]
    left = tuple(way for way, refused in zip(ways, wrong, strict=True) if refused is None)
    if len(left) == len(ways):
        return Asked(retold(text, zip(options, ways, strict=True)), ways)
    if len(left) > 1:
        return asking_which(left, how=IN_ITS_WORDS)
    refused = next(one for one in wrong if one is not None)
    return Answered(left[0]) if left else refused


def placed(reading: Reading, tables: Tables) -> Reading:
    """Return a reading over two tables, with what is to be said of how they come together."""
    plan = reading.plan.over(tables.way)
    notes = (*tables.notes, *notes_of(plan, tables), *reading.assumptions)
    return replace(reading, plan=plan, assumptions=notes)


def which_key(
    options: tuple[tuple[Pair, ...], ...], meant: Sequence[Understanding], first: Profile, second: Profile
) -> Asked:
    """Return the question by which of several keys two tables belong together."""
    names = " or ".join(own if own == other else f"{own} = {other}" for ((own, other),) in options)
    readings = tuple(one.winner for one in meant if isinstance(one, Answered))
    return Asked(
        f"`{first.name}` and `{second.name}` can be joined by {names}. Which one is meant? Say it with “on …”.",
        readings,
    )
