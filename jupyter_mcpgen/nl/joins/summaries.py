"""Figures of one table for the rows of another: "gardens with the number of harvests", "readers without loans".

The phrases of the one table are read by its own words; each figure becomes a column of the other one, over which the
question is read as over any table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.assembly.answers import Listing, Planner
from jupyter_mcpgen.nl.assembly.derivation import Derivation
from jupyter_mcpgen.nl.assembly.query import Query, query_of
from jupyter_mcpgen.nl.dialogue.cues import lists
from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.meanings import (
    Column,
    Entity,
    Term,
    Word,
)
from jupyter_mcpgen.nl.grammar.table import Table, table_of
from jupyter_mcpgen.nl.joins.keys import Pair, is_unique
from jupyter_mcpgen.nl.joins.matches import matched, notes_of_summary
from jupyter_mcpgen.nl.joins.of_other import Several, converted, measured, phrases_of
from jupyter_mcpgen.nl.joins.of_rows import OF_ROWS, Such
from jupyter_mcpgen.nl.joins.owners import nouns_at
from jupyter_mcpgen.nl.joins.tables import JoinedTable, Tables, joined_table, table_beside
from jupyter_mcpgen.nl.joins.words import words_of
from jupyter_mcpgen.nl.planner import RULES, derived, whole_of
from jupyter_mcpgen.nl.search.chart import Chart
from jupyter_mcpgen.nl.search.covers import Cover, covers
from jupyter_mcpgen.nl.search.edges import edges, skips
from jupyter_mcpgen.nl.search.phrase import Phrase
from jupyter_mcpgen.nl.text.tokens import Token
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.ops import AggregateFunction, Measure, Select
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.sources import KeyPair, Relation, Summary

F = AggregateFunction
MOST_FIGURES = 6
MATCHED = 0.2
"""How much surer a reading is that says which rows have a match: the rows of the other table know only those."""


@dataclass(frozen=True)
class Read:
    """What a question means over the rows of a table with figures of another one."""

    found: tuple[Derivation, ...]
    tables: Tables
    more: tuple[Phrase, ...]
    table: JoinedTable

    @property
    def cost(self) -> float:
        """The cost of the best reading; rows with or without a match are asked for by nothing else."""
        best = self.found[0]
        such = any(isinstance(part.meaning, Such) for phrase in best.cover.phrases for part in phrase.walk())
        return best.cost - (MATCHED if such else 0.0)


def read_summaries(tokens: Sequence[Token], first: Profile, other: Profile, pair: Pair, language: str) -> Read | None:
    """Return what a question means over the rows of the first table with figures of the other; None for any other."""
    if tokens and words_of(language).says("beside", tokens[0].lower):
        tokens = tokens[1:]
    if not any(True for _ in nouns_at(tokens, table_beside(first, other, language))):
        return None  # no row of the first table is named
    theirs = phrases_of(tokens, table_beside(other, first, language), pair[1])
    if not theirs:
        return None
    made = measured(theirs, table_of(other, language))
    in_order = sorted(made, key=lambda one: one[0].first)
    measures = tuple(dict.fromkeys(measure for _, several in in_order for measure in several))[:MOST_FIGURES]
    if not measures:
        return None
    try:
        both = Tables(first, other, _summary(first, other, pair, measures))
        table = joined_table(both, language)
    except PlanError:
        return None
    called = dict(zip(measures, both.way.figures, strict=True)) if isinstance(both.way, Summary) else {}
    more = tuple(
        found
        for phrase, several in made
        if set(several) <= set(called)
        for found in converted(phrase, tuple(called[one].name for one in several))
    )
    more = (*more, *_any(tokens, language), *_whose(tokens, table_beside(first, other, language)))
    found = derived(tokens, table, (*RULES, *OF_ROWS.rules), more)
    shown = _listings(tokens, table, more)
    costs = skips(tokens, (*edges(tokens, table), *more), table)
    every = sorted((*found, *shown), key=lambda one: one.cost)
    used = {figure.name for figure in called.values()}
    kept = [placed for one in whole_of(every, tokens, costs) if (placed := _placed(one, both, used, more)) is not None]
    return Read(tuple(kept), both, more, table) if kept else None


def _whose(tokens: Sequence[Token], table: Table) -> Iterator[Phrase]:
    """Yield the rows whose figures are asked for: "each member's number of loans"."""
    for start, end, cost in nouns_at(tokens, table):
        if tokens[end - 1].lower.endswith("'s"):
            yield Phrase(start, end, C.ENTITY, Entity(word=tokens[start].lower), cost, "row")


def _any(tokens: Sequence[Token], language: str) -> Iterator[Phrase]:
    for place, token in enumerate(tokens):
        if lists("all", token.lower, language):
            yield Phrase(place, place + 1, C.CUE, Word("any", token.lower), 0.0, "word")


def _summary(first: Profile, other: Profile, pair: Pair, measures: tuple[Measure, ...]) -> Summary:
    unique = is_unique(first, pair[0]) and first.column(pair[0]).nulls <= 1
    return Summary(
        other=other.name,
        first_schema=first.schema_,
        other_schema=other.schema_,
        keys=(KeyPair(first=Col(name=pair[0]), second=Col(name=pair[1])),),
        measures=measures,
        relation=Relation.ONE_TO_ONE if unique else Relation.MANY_TO_ONE,
    )


def _listings(tokens: Sequence[Token], table: JoinedTable, more: tuple[Phrase, ...]) -> Iterator[Derivation]:
    """Yield rows with the figures that stand beside them: "gardens with the number of harvests"."""
    found = (*edges(tokens, table), *more)
    costs = skips(tokens, found, table)
    for cover in covers(Chart(found, costs, (*RULES, *OF_ROWS.rules), table, tokens), costs):
        several = [name for one in cover.phrases if isinstance(one.meaning, Several) for name in one.meaning.columns]
        rest = tuple(one for one in cover.phrases if not isinstance(one.meaning, Several))
        query = query_of(Cover(rest, cover.unread, cover.cost))
        terms = tuple(term.name for term in query.terms if isinstance(term, Column)) if query is not None else ()
        names = (*terms, *several)
        if query is None or len(terms) < len(query.terms) or not names or not query.entities:
            continue
        if query != replace(Query(), terms=query.terms, entities=query.entities, tests=query.tests, order=query.order):
            continue
        yield from _listing(query, names, cover, table)


def _listing(query: Query, names: tuple[str, ...], cover: Cover, table: JoinedTable) -> Iterator[Derivation]:
    own = tuple(name for name in names if name not in table.figures)
    order = query.order
    if any(one.column for one in query.entities) or (order is not None and not isinstance(order.by, Term)):
        return
    by = order.by if order is not None and isinstance(order.by, Term) else None
    answer = Listing(query.tests, names if own else (), by, bool(order and order.descending))
    try:
        yield Derivation(Planner(table).plan(answer), answer, query, round(cover.cost, 4), cover, False)
    except PlanError:
        return


def _placed(one: Derivation, tables: Tables, figures: set[str], more: Sequence[Phrase]) -> Derivation | None:
    """Return a plan over both tables with the figures that it uses only; None for one that uses none."""
    shown = set(one.answer.columns) if isinstance(one.answer, Listing) else set()
    named = {name for phrase in one.cover.phrases for part in phrase.walk() for name in _columns(part)}
    used = {name for step in one.plan.steps for name in names_in(step)} | shown | (named & figures)
    rows_named = any(_names_rows(phrase, more) for phrase in one.cover.phrases)
    if not used & figures or not rows_named or not isinstance(tables.way, Summary):
        return None
    each = any(part.rule == "of_rows.per_row" for phrase in one.cover.phrases for part in phrase.walk())
    if each and isinstance(one.answer, Listing) and not set(one.answer.columns) <= figures:
        return None  # "per reader name" asks for groups
    kept = tuple(
        measure for measure, figure in zip(tables.way.measures, tables.way.figures, strict=True) if figure.name in used
    )
    summary = tables.way.model_copy(update={"measures": kept})
    summary = Summary.model_validate(summary.model_dump())
    try:
        plan = Plan(
            source=tables.first.name, source_schema=summary.schema_, second=summary, steps=one.plan.steps,
            chart=one.plan.chart,
        )  # fmt: skip
    except PlanError:
        return None
    last = plan.steps[-1] if plan.steps else None
    key = tables.way.keys[0].first.name  # what the tables are matched by is no wish to see it
    if isinstance(last, Select) and set(last.columns.names) <= {*figures, key} and isinstance(one.answer, Listing):
        plan = plan.with_steps(plan.steps[:-1])  # of each row, with all that it has
    return replace(one, plan=matched(plan, summary), notes=(*notes_of_summary(summary, tables.first.name), *one.notes))


def _names_rows(phrase: Phrase, more: Sequence[Phrase]) -> bool:
    """Tell whether a phrase names rows of the first table; those of the other stand in its own phrases."""
    if any(phrase is one for one in more):
        return False
    own = isinstance(phrase.meaning, Entity) and not phrase.meaning.column
    return own or any(_names_rows(part, more) for part in phrase.parts)


def _columns(phrase: Phrase) -> Iterator[str]:
    match phrase.meaning:
        case Column(name):
            yield name
        case Several(names):
            yield from names
