"""Which come first: the largest and smallest, the first few, orders that were asked for, ranks."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.families.figures import ROWS, counted
from jupyter_mcpgen.nl.grammar.meanings import (
    Column,
    Costed,
    Entity,
    Extreme,
    Figure,
    Measure,
    Number,
    Part,
    Sorted,
    Term,
    Word,
)
from jupyter_mcpgen.nl.grammar.rule import Family, a, maybe
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.nl.lexicon.entries import Degree, Dimension
from jupyter_mcpgen.plan.ops import AggregateFunction as F

SUPERLATIVES = Family("superlatives")
rule = SUPERLATIVES.rule

_OF_LABEL = 0.12
"""What it costs to take "highest number of the room" for the largest of numbers that only number things."""
_MANY, _RATHER_A_NAME = 1_000, 0.3
_ANY_AMOUNT = "amount"
_SOME_AMOUNT = 0.1
"""What it costs to take "largest" for any of the amounts that a table has."""
_RATHER_COUNTED = 0.15
_AGE, _AGE_OF_ANOTHER = "age", 0.25
"""What it costs to take the age of somebody for that of a row which has a date: the oldest loan is the first."""
_DATES = frozenset({"date", "year"})
_OTHER_AMOUNT = 0.15
"""What it costs to take "biggest delay" for the amount behind, which is not of the kind that the word measures."""


@rule(C.EXTREME, C.MOST, a(C.TERM, C.FIGURE))
def most_of(table: Table, said: Word, by: Term | Measure) -> Extreme | Costed | None:
    """Read "highest price", "most goals", "lowest average price"."""
    if isinstance(by, Column) and (not table.is_number(by.name) or table.column(by.name).truth is not None):
        return None
    if isinstance(by, Column) and table.column(by.name).truth is not None and not table.lists("size", said.said):
        return None  # "the most overdue loans"
    if isinstance(by, Column) and table.column(by.name).is_label:
        size = table.lists("size", said.said) and not table.column(by.name).is_identifier
        return Costed(Extreme(said.meaning == "up", by=by, of_value=True), _OF_LABEL) if size else None
    better = judged(table, said.said, by)
    if better is None:
        return None if table.lexicon.judgement(said.said) else Extreme(said.meaning == "up", by=by, word=said.said)
    return Extreme(better, by=by, word=said.said)


@rule(C.EXTREME, C.MOST, C.TERM, C.ENTITY, tight=True)
def most_of_row(table: Table, said: Word, by: Term, entity: Entity) -> Extreme | Costed | None:
    """Read "highest fare ride" as the ride that has it."""
    return _of_row(table, most_of(table, said, by), entity)


def _of_row(table: Table, found: Extreme | Costed | None, entity: Entity) -> Extreme | Costed | None:
    """Return an extreme as one of a row, where the noun behind it is what rows are called."""
    inner = found.meaning if isinstance(found, Costed) else found
    if not isinstance(inner, Extreme) or entity.column or entity.asked or table.is_amount_noun(entity.word):
        return None
    whole = replace(inner, of_row=True, of_value=False)
    return Costed(whole, found.cost) if isinstance(found, Costed) else whole


@rule(C.EXTREME, C.MOST, C.COUNT, maybe(C.OF), C.TERM)
def most_in_number(table: Table, said: Word, count: Word, of: Word | None, by: Term) -> Extreme | Costed | None:
    """Read "the highest number of points" of a column of numbers."""
    number = isinstance(by, Column) and table.is_number(by.name) and table.column(by.name).truth is None
    return most_of(table, said, by) if number else None


@rule(C.EXTREME, C.MOST, C.TERM, a(C.COUNT, words="rows"), cost=_OF_LABEL)
def most_number(table: Table, said: Word, by: Term, number: Word) -> Extreme | None:
    """Read "the highest room number", the largest of numbers that only number things."""
    if not isinstance(by, Column) or not table.is_number(by.name) or not table.column(by.name).is_label:
        return None
    return Extreme(said.meaning == "up", by=by, of_value=True, word=said.said)


def judged(table: Table, said: str, by: Term | Measure) -> bool | None:
    """Tell whether the best and worst of something are its largest: of a rating it is, of a delay it is not."""
    term = by.term if isinstance(by, Figure) else by if isinstance(by, Column) else None
    for order in table.lexicon.judgement(said):
        for concept in order.concepts:
            if isinstance(term, Column) and any(name == term.name for name, _ in table.columns_about(concept)):
                return order.descending
    return None


@rule(C.EXTREME, C.MOST, C.ENTITY)
def most_things(table: Table, said: Word, entity: Entity) -> Extreme | None:
    """Read "the most orders" as the most rows."""
    found = counted(table, entity)
    measure = found.meaning if isinstance(found, Costed) else found
    if not table.lists("counting", said.said) or measure is None or table.is_amount_noun(entity.word):
        return None
    return Extreme(said.meaning == "up", by=measure, word=said.said)  # type: ignore[arg-type]


@rule(C.EXTREME, C.MOST, C.TERM)
def most_of_them(table: Table, said: Word, term: Term) -> Extreme | None:
    """Read "the most patients" as the most different ones, where rows are not patients."""
    label = isinstance(term, Column) and not table.is_date(term.name) and term.name in table.repeated_things
    return most_things(table, said, Entity(term.name)) if label and isinstance(term, Column) else None


@rule(C.FIGURES, C.MOST, C.AND, C.MOST, C.TERM)
def both_ends(table: Table, first: Word, joined: Word, second: Word, term: Term) -> tuple[Measure, ...] | None:
    """Read "highest and lowest price"."""
    if first.meaning == second.meaning or not (isinstance(term, Column) and table.is_number(term.name)):
        return None
    return tuple(Figure(F.MAX if word.meaning == "up" else F.MIN, term) for word in (first, second))


@rule(C.EXTREME, C.OFTEN)
def most_often(table: Table, said: Word) -> Extreme:
    """Read "most common", "busiest": by the number of rows."""
    return Extreme(said.meaning == "up", by=ROWS, word=said.said)


@rule(C.EXTREME, C.TERM, a(C.MOST))
def highest_behind(table: Table, by: Term, said: Word) -> Extreme | Costed | None:
    """Read "when was the price highest"."""
    return most_of(table, said, by) if isinstance(by, Column) and table.is_number(by.name) else None


@rule(C.EXTREME, C.DIMENSION)
def by_dimension(table: Table, said: Dimension) -> list[Extreme | Costed] | None:
    """Read "oldest", "cheapest", "busiest": by the column that it is about."""
    if said.degree is not Degree.SUPERLATIVE and not said.by_count:
        return None
    plain = 0.0 if said.degree is Degree.SUPERLATIVE else 0.5
    found: list[Extreme | Costed] = []
    behind = _RATHER_COUNTED if said.by_count else 0.0
    for place, concept in enumerate(said.concepts):
        for term, cost in table.terms_about(concept):
            one = Extreme(said.descending, by=term, word=said.lemma)
            found.append(Costed(one, cost + plain + behind + 0.03 * place))
    if _ANY_AMOUNT in said.concepts:
        more = (Extreme(said.descending, by=Column(name), word=said.lemma) for name in table.amounts)
        found += [Costed(one, plain + _SOME_AMOUNT) for one in more]
    if said.by_count:
        found.append(Costed(Extreme(said.descending, by=ROWS, word=said.lemma), plain))
    return found


@rule(C.EXTREME, C.DIMENSION, C.ENTITY)
def dimension_of_row(table: Table, said: Dimension, entity: Entity) -> list[Extreme | Costed] | None:
    """Read "longest flight" as the one row that has the largest."""
    found = by_dimension(table, said) if not entity.column and said.degree is Degree.SUPERLATIVE else None
    if found is None or said.by_count:
        return None
    costed = [one if isinstance(one, Costed) else Costed(one, 0.0) for one in found]
    aged = table.dates and not table.is_person(entity.word)
    ages = [Column(name) for name, _ in table.columns_about(_AGE)] if aged else []
    return [
        Costed(replace(one.meaning, of_row=True), one.cost + (_AGE_OF_ANOTHER if one.meaning.by in ages else 0.0))
        for one in costed
        if isinstance(one.meaning, Extreme)
    ]


@rule(C.EXTREME, C.DIMENSION, C.TERM)
def dimension_of(table: Table, said: Dimension, by: Term) -> Extreme | Costed | None:
    """Read "longest delay": by the amount that stands behind; "latest start date" by that date."""
    when = by.date if isinstance(by, Part) else by.name if isinstance(by, Column) and table.is_date(by.name) else ""
    if when and said.degree is Degree.SUPERLATIVE and not _DATES.isdisjoint(said.concepts):
        return Extreme(said.descending, by=Column(when), word=said.lemma)
    if not isinstance(by, Column) or not table.is_number(by.name) or table.column(by.name).is_label:
        return None
    if said.degree is not Degree.SUPERLATIVE:
        return None
    fits = any(name == by.name for concept in said.concepts for name, _ in table.columns_about(concept))
    return Costed(Extreme(said.descending, by=by, of_value=True), 0.0 if fits else _OTHER_AMOUNT)


@rule(C.EXTREME, C.DIMENSION, C.TERM, C.ENTITY, tight=True)
def dimension_of_its_row(table: Table, said: Dimension, by: Term, entity: Entity) -> Extreme | Costed | None:
    """Read "biggest fare ride"."""
    return _of_row(table, dimension_of(table, said, by), entity)


@rule(C.EXTREME, C.TERM, maybe(C.IS), C.DIMENSION, tight=True)
def dimension_behind(table: Table, by: Term, is_: Word | None, said: Dimension) -> Extreme | Costed | None:
    """Read "where are delays longest", but not "the cost of the longest"."""
    return dimension_of(table, said, by) if is_ is None or not table.lists("owning", is_.said) else None


@rule(C.EXTREME, a(C.FIRST, C.MOST), C.NUMBER)
def top(table: Table, said: Word, number: Number) -> Extreme | Costed | None:
    """Read "top 5"."""
    count = _count(number)
    if count is None or table.lists("limiting", said.said):
        return None
    found = Extreme(said.meaning in ("up", "first"), count, word=said.said, timed=said.meaning == "last")
    called = any(
        [word.text for word in table.column(name).facts.words] == [said.said, str(count)] for name in table.names
    )
    return Costed(found, _RATHER_A_NAME) if called or count >= _MANY else found


@rule(C.EXTREME, C.NUMBER, C.EXTREME)
def so_many(table: Table, number: Number, extreme: Extreme) -> Extreme | None:
    """Read "the three largest invoices"."""
    count = _count(number)
    if count is None or extreme.count != 1 or extreme.nth is not None:
        return None
    return Extreme(extreme.descending, count, extreme.by, word=extreme.word)


@rule(C.EXTREME, a(C.FIRST, C.MOST), C.NUMBER, C.EXTREME)
def top_most(table: Table, said: Word, number: Number, extreme: Extreme) -> Extreme | None:
    """Read "top 3 most expensive"."""
    return so_many(table, number, extreme)


@rule(C.EXTREME, C.ORDINAL, C.EXTREME)
def nth(table: Table, ordinal: Number, extreme: Extreme) -> Extreme | None:
    """Read "the second largest"."""
    if extreme.count != 1 or extreme.nth is not None or not 1 < ordinal.value <= 100:
        return None
    return Extreme(extreme.descending, 1, extreme.by, word=extreme.word, nth=int(ordinal.value))


@rule(C.EXTREME, C.MOST, cost=0.02)
def bare(table: Table, said: Word) -> Extreme:
    """Read "highest" alone: by what the question asks for elsewhere."""
    return Extreme(said.meaning == "up", word=said.said)


@rule(C.EXTREME, C.FIRST, cost=0.02)
def first(table: Table, said: Word) -> Extreme | None:
    """Read "first" and "last" by the date of the rows."""
    if not table.dates or table.lists("top", said.said):
        return None  # "top" says nothing of time
    return Extreme(said.meaning == "last", by=Column(table.dates[0]), word=said.said, timed=True)


@rule(C.EXTREME, C.TERM, C.FIRST, cost=-0.02)
def first_by_date(table: Table, date: Term, said: Word) -> Extreme | None:
    """Read "closed last" by the date that is named."""
    named = isinstance(date, Column) and table.is_date(date.name)
    return Extreme(said.meaning == "last", by=date, word=said.said) if named else None


@rule(C.SORTED, a(C.BY, words="group"), C.FIGURE, maybe(C.DIRECTION), cost=0.06)
def by_figure(table: Table, said: Word, by: Measure, direction: Word | None) -> Sorted:
    """Read "top 5 products by total revenue"."""
    return Sorted(by, direction.meaning == "down" if direction is not None else None)


def _count(number: Number) -> int | None:
    whole = number.value == int(number.value) and 1 <= number.value <= 10_000 and not number.unit
    return int(number.value) if whole else None
