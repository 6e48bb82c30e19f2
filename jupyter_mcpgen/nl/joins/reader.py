"""What a question means over two tables: of one of them, of both joined, or of one with figures of the other."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.dialogue.followup import follow_up
from jupyter_mcpgen.nl.grammar.table import table_of
from jupyter_mcpgen.nl.joins.clauses import clause_of
from jupyter_mcpgen.nl.joins.implied import by_which, implied
from jupyter_mcpgen.nl.joins.keys import are_alike, found_keys, is_told
from jupyter_mcpgen.nl.joins.matches import notes_of_summary
from jupyter_mcpgen.nl.joins.over_both import checked
from jupyter_mcpgen.nl.joins.profiles import profile_of_both
from jupyter_mcpgen.nl.joins.said_joins import of_clause
from jupyter_mcpgen.nl.joins.tables import (
    Tables,
)
from jupyter_mcpgen.nl.lexicon.lexicon import load
from jupyter_mcpgen.nl.planner import read
from jupyter_mcpgen.nl.reading import Understanding
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.sources import Summary


def read_both(question: str, first: Profile, other: Profile, language: str) -> Understanding:
    """Return what a question means over a table, where another one is known as well."""
    tokens = load(language).tokens(question)
    tables = table_of(first, language), table_of(other, language)
    clause = clause_of(tokens, tables)
    if clause is not None:
        return of_clause(clause, (first, other), language)
    found = found_keys(*tables)
    if not found.pairs or are_alike(*tables):
        return read(question, first, language)
    pair = found.pairs[0]
    if len(found.pairs) > 1 and not is_told(found, *tables):
        return by_which(question, found, (first, other), language)
    return implied(question, tokens, pair, found.sure, (first, other), language)


def followed(
    question: str, earlier: tuple[str, Plan], tables: tuple[Profile, Profile], language: str
) -> Understanding | None:
    """Return the change of an answer over both tables that a question asks for; None where it asks for none."""
    asked, plan = earlier
    second = plan.second
    if second is None:
        return None
    first, other = tables if plan.source == tables[0].name else tables[::-1]
    if (second.first_schema, second.other_schema) != (first.schema_, other.schema_):
        return None
    both = Tables(first, other, second, notes_of_summary(second, first.name) if isinstance(second, Summary) else ())
    alone = Plan(source=plan.source, source_schema=plan.source_schema, steps=plan.steps, chart=plan.chart)
    meant = follow_up(question, (asked, alone), profile_of_both(first, other, second), language)
    return checked(meant, both) if meant is not None else None
