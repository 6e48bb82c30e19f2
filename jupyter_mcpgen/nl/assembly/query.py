"""What a question asks for: the meanings of a cover, sorted by what they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.families.courses import joined
from jupyter_mcpgen.nl.grammar.meanings import (
    Both,
    Column,
    Drawn,
    Entity,
    Extreme,
    Gap,
    Holds,
    Keys,
    Limit,
    Measure,
    Pair,
    Period,
    Season,
    Sided,
    Sides,
    Sorted,
    Statistic,
    Term,
    Test,
    Window,
    Within,
    Word,
)
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.nl.search.covers import Cover
from jupyter_mcpgen.nl.search.phrase import Phrase
from jupyter_mcpgen.plan.expressions import CompareOp
from jupyter_mcpgen.plan.ops import ChartKind

PAIRS = "tukey"
OF_PAIRS = frozenset({PAIRS, "anova"})
"""An analysis of variance, and the same with its groups in pairs."""


@dataclass(frozen=True)
class Query:
    """The parts of a question."""

    figures: tuple[Measure, ...] = ()
    terms: tuple[Term, ...] = ()
    """Values of the rows that were named alone."""
    entities: tuple[Entity, ...] = ()
    keys: tuple[Term, ...] = ()
    bins: tuple[Term, ...] = ()
    """How dates and numbers are grouped that may be named elsewhere."""
    weak: bool = False
    """True where nothing but "per" or "which" says that rows are grouped."""
    named: bool = False
    """True where a period was only named, as in "which month"."""
    tests: tuple[Test, ...] = ()
    limits: tuple[Limit, ...] = ()
    extreme: Extreme | None = None
    order: Sorted | None = None
    window: Window | None = None
    drawn: Drawn | None = None
    statistic: Statistic | None = None
    listed: bool = False
    compared: bool = False
    pair: Pair | None = None
    span: tuple[Period, ...] = ()
    """Two periods of which the one is compared with the other."""
    sides: Sides | None = None
    gap: bool = False
    """True where the gap between two that are compared is asked for."""
    how_much: bool = False
    function: str = ""
    """A function that stands apart from what it is of."""
    asked: str = ""
    """The question word that stands alone: who, when, where."""
    several: bool = False
    """True where what comes first is named in the plural: "the longest rivers"."""
    plural: frozenset[str] = frozenset()
    """The columns that were named in the plural: "which towns"."""
    beside: tuple[Term, ...] = ()
    """Of the values that were named alone, those that nothing joins to what is asked for."""

    @property
    def kind(self) -> ChartKind | None:
        """The chart that was asked for by name."""
        return self.drawn.kind if self.drawn is not None else None


def numbers_of(table: Table) -> frozenset[str]:
    """Return the columns of amounts: numbers that are no labels, and do not say yes or no."""
    views = ((name, table.column(name)) for name in table.names if table.is_number(name))
    return frozenset(name for name, column in views if not column.is_label and column.truth is None)


def query_of(cover: Cover, joining: frozenset[int] = frozenset(), plural: frozenset[int] = frozenset()) -> Query | None:
    """Return the parts of a cover; None where two of them contradict each other.

    `joining` are the places of words that join two things, such as "and", `plural` those of nouns in the plural.
    """
    query = Query()
    for phrase in cover.phrases:
        following = _with(query, phrase.category, phrase.meaning)
        if following is None:
            return None
        query = following
    named = [one.meaning for one in cover.phrases if one.category in (C.TERM, C.ENTITY) and one.last - 1 in plural]
    columns = (one.column if isinstance(one, Entity) else getattr(one, "name", "") for one in named)
    return replace(
        query,
        beside=tuple(_beside(cover.phrases, joining)),
        several=_several(cover.phrases, plural),
        plural=frozenset(columns),
    )


def _several(phrases: Sequence[Phrase], plural: frozenset[int]) -> bool:
    """Tell whether a question begins with a superlative and its noun in the plural: "the longest rivers"."""
    said = [one for one in phrases if one.category is not C.LIST][:2]
    if not said or not isinstance(said[0].meaning, Extreme):
        return False
    if said[0].meaning.of_row:
        return said[0].last - 1 in plural
    beside = said[-1].first == said[0].last and said[-1].category in (C.TERM, C.ENTITY)
    return beside and said[-1].last - 1 in plural


def _beside(phrases: Sequence[Phrase], joining: frozenset[int]) -> Iterator[Term]:
    """Yield the values that are named beside what is asked for: "the score of the player from Leeds"."""
    asking = [one for one in phrases if _asks(one)]
    asked = [one for one in phrases if isinstance(one.meaning, Entity) and one.meaning.asked]
    first = (*asked, *asking, None)[0]
    end = 0
    for phrase in phrases:
        joined = not joining.isdisjoint(range(end, phrase.first))
        if phrase.category is C.TERM and phrase is not first and not joined:
            yield phrase.meaning
        end = phrase.last


def _asks(phrase: Phrase) -> bool:
    """Tell whether a phrase may say what is asked for."""
    named = not isinstance(phrase.meaning, Entity) or bool(phrase.meaning.column)
    return named and phrase.category in (C.TERM, C.ENTITY, C.FIGURE, C.FIGURES, C.EXTREME)


def _with(query: Query, category: C, meaning: object) -> Query | None:
    match category, meaning:
        case C.FIGURE, _:
            return replace(query, figures=(*query.figures, meaning))  # type: ignore[arg-type]
        case C.FIGURES, tuple():
            return replace(query, figures=(*query.figures, *meaning))
        case C.TERM, _:
            return query if meaning in query.terms else replace(query, terms=(*query.terms, meaning))  # type: ignore[arg-type]
        case C.ENTITY, Entity("", word=noun) if any(not one.column and one.word != noun for one in query.entities):
            return None  # rows are not two things
        case C.ENTITY, Entity("", asked=False) if query.extreme is not None:
            return replace(query, entities=(*query.entities, replace(meaning, behind=True)))
        case C.ENTITY, Entity():
            return replace(query, entities=(*query.entities, meaning))
        case C.KEYS, Keys(terms, binned=True):
            return replace(query, bins=(*query.bins, *terms))
        case C.KEYS, Keys(terms, weak, named):
            if named and any(isinstance(one, Sided) for one in query.keys):
                return None  # "the rest of the year"
            if query.keys and named != query.named:
                return None  # "the week of the 4th, day by day" has no weeks
            keys = (*query.keys, *(term for term in terms if term not in query.keys))
            weak = weak and (query.weak or not query.keys)
            return replace(query, keys=keys, weak=weak, named=named and (query.named or not query.keys))
        case C.TEST, _:
            return _tested(query, meaning)  # type: ignore[arg-type]
        case C.LIMIT, Limit():
            return replace(query, limits=(*query.limits, meaning))
        case C.EXTREME, Extreme():
            extreme = meaning if query.extreme is None else _joined(query.extreme, meaning)
            return replace(query, extreme=extreme) if extreme is not None else None
        case C.SORTED, Sorted():
            if query.order is None:
                return replace(query, order=meaning)
            if query.order.descending is None and meaning.by is None:
                return replace(query, order=Sorted(query.order.by, meaning.descending))
            return None
        case C.WINDOW, Window():
            window = meaning if query.window is None else joined(query.window, meaning)
            return replace(query, window=window) if window is not None else None
        case C.DRAWN, Drawn():
            drawn = meaning if query.drawn is None else _both_drawn(query.drawn, meaning)
            return replace(query, drawn=drawn) if drawn is not None else None
        case C.STATISTIC_OF, Statistic():
            statistic = meaning if query.statistic is None else _with_pairs(query.statistic, meaning)
            return replace(query, statistic=statistic) if statistic is not None else None
        case C.LIST, Word():
            return replace(query, listed=True)
        case C.COMPARE_VERB, Word():
            return replace(query, compared=True)
        case C.PAIR, Pair():
            return replace(query, pair=meaning) if query.pair is None else None
        case C.SPAN, tuple():
            return replace(query, span=meaning) if not query.span else None
        case C.SIDES, Sides(_, test):
            if query.sides is not None:
                return None
            query = replace(query, sides=meaning)
            return query if test is None else _tested(query, test)
        case C.GAP, Gap():
            return replace(query, gap=True) if not query.gap else None
        case C.HOW_MUCH, Word():
            return replace(query, how_much=True)
        case C.AGGREGATE, Word(function):
            return replace(query, function=function) if not query.function else None
        case C.ASKING, Word("degree"):
            return None  # of what is not said
        case C.ASKING, Word(what):
            return replace(query, asked=query.asked or what)
        case _:
            return None


def _both_drawn(before: Drawn, more: Drawn) -> Drawn | None:
    """Join "the trend of" and "as bars": what shows a thing gives way to a chart that is named."""
    if before.kind is None or before.kind is more.kind:
        return more
    if more.kind is None or more.usual:
        return before
    return more if before.usual else None


def _with_pairs(before: Statistic, more: Statistic) -> Statistic | None:
    """Join an analysis of variance and the comparison of its groups in pairs, which holds both."""
    return Statistic(PAIRS) if {before.name, more.name} == OF_PAIRS else None


def _joined(before: Extreme, more: Extreme) -> Extreme | None:
    """Join "top 5" and "most expensive", of which the one says how many and the other by what."""
    if before.timed or more.timed:
        return None  # "worst first" says an order, and not the first day
    if before.by is None and more.by is not None and more.count == 1:
        return replace(more, count=before.count)
    if more.by is None and before.by is not None and before.count == 1:
        return replace(before, count=more.count)
    return None


def _tested(query: Query, test: Test) -> Query | None:
    terms = test.terms if isinstance(test, Both) else (test,)
    for term in terms:
        column = getattr(term, "column", None)
        for other in query.tests:
            if column is not None and getattr(other, "column", None) == column and type(other) is type(term):
                return None  # a column has to have one value and another
            if isinstance(term, Holds) and isinstance(other, Holds) and _differ(term, other):
                return None
            if isinstance(term, Within) and isinstance(other, Within) and not _narrows(term, other):
                return None  # a date has to lie in one period and in another
    return replace(query, tests=(*query.tests, *terms))


def _differ(one: Holds, other: Holds) -> bool:
    """Tell whether two conditions ask for two different values of the same."""
    equal = CompareOp.EQ in (one.op, other.op)
    return equal and one.left == other.left and one.right != other.right


def _narrows(one: Within, other: Within) -> bool:
    """Tell whether one period may lie in another: a month of every year in a year, or periods of two dates."""
    several = isinstance(one.period, Season) or isinstance(other.period, Season)
    return several or (one.date != other.date and bool(one.date or other.date))


def labels_and_numbers(query: Query, numbers: frozenset[str]) -> tuple[tuple[str, ...], tuple[Term, ...]]:
    """Return the named columns that are labels, and the values that are amounts."""
    labels = [term.name for term in query.terms if isinstance(term, Column) and term.name not in numbers]
    amounts = [term for term in query.terms if not isinstance(term, Column) or term.name in numbers]
    return tuple(labels), tuple(amounts)
