"""What a remark about an answer names: columns, functions, conditions, charts, and what is denied."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.assembly.query import numbers_of
from jupyter_mcpgen.nl.dialogue.cues import replaces, wants_no_chart
from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.meanings import Column
from jupyter_mcpgen.nl.grammar.table import table_of
from jupyter_mcpgen.nl.planner import RULES
from jupyter_mcpgen.nl.search.chart import Chart
from jupyter_mcpgen.nl.search.edges import edges, skips
from jupyter_mcpgen.nl.search.phrase import Phrase
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.ops import AggregateFunction

SURE = 0.1
"""A meaning that costs more is a guess."""


@dataclass(frozen=True)
class Remark:
    """What some words name; `spoken` are the words for a chart or a function, by themselves."""

    columns: frozenset[str] = frozenset()
    """The columns that are named, apart from those that belong to a condition."""
    measures: frozenset[str] = frozenset()
    """The columns of the table that hold amounts."""
    functions: tuple[tuple[AggregateFunction, str], ...] = ()
    conditions: bool = False
    charts: tuple[str, ...] = ()
    no_chart: bool = False
    denies: bool = False
    replaces: bool = False
    names_a_column: bool = False
    """True for the word "column" itself."""


def remark_of(words: str, profile: Profile, language: str = "en") -> Remark:
    """Return what words about an answer over a table name."""
    table = table_of(profile, language)
    tokens = tokenize(words)
    found = edges(tokens, table)
    chart = Chart(found, skips(tokens, found, table), RULES, table, tokens)
    tests = [one for place in range(len(tokens)) for one in chart.starting(place) if one.category is C.TEST]
    sure = [one for one in _outermost(found) if one.cost <= SURE]
    inside = {at for test in tests if test.cost <= SURE for at in range(test.first, test.last)}
    columns = {
        one.meaning.name
        for one in sure
        if one.category is C.TERM and isinstance(one.meaning, Column) and one.first not in inside
    }
    said = {(one.first, one.last): " ".join(token.text for token in tokens[one.first : one.last]) for one in sure}
    functions = [(function, said[one.first, one.last]) for one in sure if (function := _function(one)) is not None]
    return Remark(
        columns=frozenset(columns),
        measures=numbers_of(table),
        functions=tuple(dict.fromkeys(functions)),
        conditions=bool(inside),
        charts=tuple(said[one.first, one.last] for one in sure if one.category is C.CHART),
        no_chart=wants_no_chart(words, language),
        denies=any(one.category is C.NOT for one in sure),
        replaces=replaces(words, language),
        names_a_column=any(one.category is C.KIND for one in sure),
    )


def _outermost(found: tuple[Phrase, ...]) -> Iterator[Phrase]:
    """Yield the meanings that do not lie inside that of more words: the column of a "column chart" is none."""
    for one in found:
        longer = (other for other in found if other.first <= one.first and one.last <= other.last)
        if not any(other.last - other.first > one.last - one.first for other in longer):
            yield one


def _function(one: Phrase) -> AggregateFunction | None:
    if one.category is C.COUNT:
        return AggregateFunction.COUNT
    name = one.meaning.meaning if one.category is C.AGGREGATE else ""
    return AggregateFunction(name) if name in tuple(AggregateFunction) else None
