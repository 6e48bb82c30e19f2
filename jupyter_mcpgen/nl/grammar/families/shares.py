"""Shares: the part that some rows are of others, that an amount is in another, and that each group has in the total."""

from __future__ import annotations

from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.families.figures import (
    adds_up,
    amount_of,
    are_numbers,
    counted,
    in_other_units,
    things_of,
)
from jupyter_mcpgen.nl.grammar.meanings import (
    Column,
    Entity,
    Figure,
    Holds,
    Is,
    Measure,
    PartOfAll,
    Rate,
    Ratio,
    Term,
    Test,
    Word,
)
from jupyter_mcpgen.nl.grammar.rule import Family, a, maybe
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.ops import AggregateFunction as F

SHARES = Family("shares")
rule = SHARES.rule


@rule(C.FIGURE, a(C.SHARE, words="share percent"), maybe(C.OF), C.ENTITY, maybe(C.IS, C.WHERE), C.TEST)
def share_of_rows(
    table: Table, said: Word, of: Word | None, entity: Entity, with_: Word | None, test: Test
) -> Measure | None:
    """Read "share of orders that are late"; "of orders in Leeds" may say of which orders."""
    if table.number_of(entity.word) is not None:
        return None  # rows are several of them
    clause = with_ is not None and not table.lists("led", with_.said)
    return Rate(test, said.meaning == "percent", bare=not clause, each=things_of(table, entity))


@rule(C.FIGURE, a(C.SHARE, words="share percent"), maybe(C.OF), C.TEST, maybe(C.OF), C.ENTITY)
def share_of_such(
    table: Table, said: Word, of: Word | None, test: Test, of_: Word | None, entity: Entity
) -> Measure | None:
    """Read "share of cancelled orders"."""
    if table.lists("of_two", said.said):
        return None
    return Rate(test, said.meaning == "percent", each=things_of(table, entity))


@rule(
    C.FIGURE,
    a(C.SHARE, words="share percent"),
    maybe(C.OF),
    C.TEST,
    maybe(C.OF),
    C.ENTITY,
    maybe(C.IS, C.WHERE),
    C.TEST,
)
def share_among(
    table: Table,
    said: Word,
    of: Word | None,
    among: Test,
    of_: Word | None,
    entity: Entity,
    with_: Word | None,
    test: Test,
) -> Measure | None:
    """Read "percentage of yellow cab rides that were paid in cash": among some rows, how many are such."""
    return Rate(test, said.meaning == "percent", among, each=things_of(table, entity)) if among != test else None


@rule(
    C.FIGURE,
    a(C.SHARE, words="share percent"),
    maybe(C.OF),
    C.ENTITY,
    maybe(C.WHERE, C.IN),
    C.TEST,
    a(C.IS, C.WHERE, C.ASKING),
    C.TEST,
    cost=-0.04,
)
def share_of_some(
    table: Table,
    said: Word,
    of: Word | None,
    entity: Entity,
    in_: Word | None,
    among: Test,
    are: Word,
    test: Test,
) -> Measure | None:
    """Read "what share of orders in Leeds were late": among those in Leeds, the late ones."""
    if among == test or table.lists("led", are.said):
        return None  # "orders sold with a discount" may be among either
    return Rate(test, said.meaning == "percent", among, each=things_of(table, entity))


@rule(C.FIGURE, a(C.SHARE, words="share percent"), maybe(C.OF), C.ENTITY, C.TEST, C.TEST, tight=True, spoken=True)
def share_of_some_that(
    table: Table,
    words: tuple[tuple[str, ...], ...],
    said: Word,
    of: Word | None,
    entity: Entity,
    among: Test,
    test: Test,
) -> Measure | None:
    """Read "percentage of orders in Leeds paid late"; a second "in 2023" would say more of the first condition."""
    led, verb = (table.lexicon.is_function(words[at][0].lower()) for at in (-2, -1))
    same = isinstance(among, Holds) and isinstance(test, Holds) and among.left == test.left
    told = led and not verb and among != test and not same
    return Rate(test, said.meaning == "percent", among, each=things_of(table, entity)) if told else None


@rule(
    C.FIGURE,
    a(C.SHARE, words="share percent"),
    maybe(C.OF),
    C.ENTITY,
    a(C.IS, C.ASKING),
    C.TEST,
    C.WHERE,
    C.TEST,
    cost=-0.04,
)
def share_where(
    table: Table, said: Word, of: Word | None, entity: Entity, are: Word, test: Test, when: Word, among: Test
) -> Measure | None:
    """Read "what fraction of orders is late when the town is Leeds"."""
    return Rate(test, said.meaning == "percent", among, each=things_of(table, entity)) if among != test else None


@rule(C.FIGURE, a(C.SHARE, words="share percent"), maybe(C.OF), C.TEST, maybe(C.ENTITY), C.IN, C.TEST, cost=-0.04)
def share_among_some(
    table: Table, said: Word, of: Word | None, test: Test, entity: Entity | None, among_: Word, among: Test
) -> Measure | None:
    """Read "share of late orders among those that were shipped"."""
    told = table.lists("among", among_.said) and among != test
    return Rate(test, said.meaning == "percent", among) if told else None


@rule(C.FIGURE, a(C.SHARE, words="share percent"), maybe(C.OF), C.TERM, a(C.IS, C.WHERE, C.IN, C.ASKING), C.TEST)
def share_of_things(table: Table, said: Word, of: Word | None, term: Term, with_: Word, test: Test) -> Measure | None:
    """Read "share of customers who paid in cash": of the different customers, those with such a row."""
    told = isinstance(term, Column) and term.name in table.repeated_things
    return Rate(test, said.meaning == "percent", each=term.name) if told and isinstance(term, Column) else None


@rule(C.FIGURE, a(C.SHARE, words="share percent"), maybe(C.OF), C.TEST, C.TERM)
def share_of_such_things(table: Table, said: Word, of: Word | None, test: Test, term: Term) -> Measure | None:
    """Read "share of refunded orders" where rows are lines of orders."""
    told = isinstance(term, Column) and term.name in table.repeated_things and not table.lists("of_two", said.said)
    return Rate(test, said.meaning == "percent", each=term.name) if told and isinstance(term, Column) else None


@rule(C.FIGURE, a(C.SHARE, words="share percent"), maybe(C.OF), maybe(C.IS, C.WHERE), C.TEST, cost=0.06)
def share_of_test(table: Table, said: Word, of: Word | None, are: Word | None, test: Test) -> Measure | None:
    """Read "what percentage were late", "% score above 4", where rows are of nothing that comes back."""
    of_things = table.schema.row.repeated or table.lists("of_two", said.said)
    return None if of_things else Rate(test, said.meaning == "percent", bare=True)


@rule(C.FIGURE, a(C.SHARE, words="share percent"), C.OF, C.TEST, a(C.IS, C.WHERE, C.ASKING), C.TEST)
def share_of_those(table: Table, said: Word, of: Word, among: Test, are: Word, test: Test) -> Measure | None:
    """Read "what percentage of women were late"."""
    told = among != test and not table.schema.row.repeated and not table.lists("of_two", said.said)
    return Rate(test, said.meaning == "percent", among) if told else None


@rule(C.FIGURE, C.TEST, a(C.SHARE, words="rate share percent"), spoken=True)
def rate_of(table: Table, words: tuple[tuple[str, ...], ...], test: Test, said: Word) -> Measure | None:
    """Read "return rate". In "among men, what percentage", the condition only says of whom."""
    led = table.lists("among", words[0][0].lower()) or table.lists("parting", said.said)
    return None if led else Rate(test, said.meaning == "percent")


@rule(C.FIGURE, a(C.SHARE, words="share percent"), maybe(C.OF), a(C.FIGURE, C.TERM))
def share_of_total(table: Table, said: Word, of: Word | None, whole: Measure | Term) -> Measure | None:
    """Read "share of revenue"."""
    figure_ = whole if isinstance(whole, Figure) else amount_of(table, whole)
    return PartOfAll(figure_, said.meaning == "percent") if isinstance(figure_, Figure) else None


@rule(C.FIGURE, a(C.SHARE, words="share percent"), C.OF, C.TERM, maybe(C.IS, C.ASKING), C.TERM, cost=-0.04)
def share_that_is(table: Table, said: Word, of: Word, whole: Term, is_: Word | None, part: Term) -> Measure | None:
    """Read "percentage of the weight that is wasted", "of wasted weight", where both are measured alike."""
    if is_ is None and isinstance(part, Column) and isinstance(whole, Column) and are_numbers(table, part, whole):
        part, whole = sorted((part, whole), key=table.most)  # "cracked pieces", "pieces cracked"
    return _part_of(table, part, whole, said)


@rule(C.FIGURE, a(C.SHARE, words="share percent"), C.OF, C.TERM, C.IN, C.TERM, cost=-0.04)
def share_in_another(table: Table, said: Word, of: Word, part: Term, in_: Word, whole: Term) -> Measure | None:
    """Read "share of parts cost in repair cost"."""
    return _part_of(table, part, whole, said)


def _part_of(table: Table, part: Term, whole: Term, said: Word) -> Measure | None:
    """Return the quotient of two amounts that are measured in the same unit."""
    top, bottom = amount_of(table, part), amount_of(table, whole)
    if (
        top is None
        or bottom is None
        or part == whole
        or not adds_up(table, top, bottom)
        or in_other_units(table, part, whole)
    ):
        return None
    return Ratio(top, bottom, percent=said.meaning == "percent")


@rule(C.FIGURE, C.TEST, a(C.SHARE, words="share percent"), C.OF, a(C.TERM, C.FIGURE), cost=-0.02)
def share_of_value(table: Table, part: Test, said: Word, of: Word, whole: Term | Measure) -> Measure | None:
    """Read "Leeds share of revenue"."""
    return _share_of(table, part, whole, said)


@rule(C.FIGURE, a(C.SHARE, words="share percent"), C.OF, C.TEST, C.IN, a(C.TERM, C.FIGURE), cost=-0.02)
def share_of_value_in(
    table: Table, said: Word, of: Word, part: Test, in_: Word, whole: Term | Measure
) -> Measure | None:
    """Read "share of Leeds in revenue"."""
    return _share_of(table, part, whole, said)


def _share_of(table: Table, part: Test, whole: Term | Measure, said: Word) -> Measure | None:
    """Return the part that one value of a column has in the total of an amount."""
    figure_ = amount_of(table, whole) if isinstance(whole, Term) else whole
    one = isinstance(part, Is) and len(part.values) == 1 and not part.negated and table.is_text(part.column)
    adds = isinstance(figure_, Figure) and figure_.function is F.SUM and adds_up(table, figure_)
    if not one or not adds or not isinstance(figure_, Figure):
        return None
    return PartOfAll(figure_, said.meaning == "percent", part)


@rule(C.FIGURE, a(C.SHARE, words="share percent"), maybe(C.OF), C.ENTITY, cost=0.04)
def share_of_count(table: Table, said: Word, of: Word | None, entity: Entity) -> Measure | None:
    """Read "percentage of orders" by groups."""
    found = None if entity.column or table.is_amount_noun(entity.word) else counted(table, entity)
    return PartOfAll(found, said.meaning == "percent") if isinstance(found, Figure) else None
