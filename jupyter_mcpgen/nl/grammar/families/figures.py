"""Figures: one number of many rows, several at once, quotients and differences of two."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.meanings import (
    Between,
    Column,
    Computed,
    Costed,
    Entity,
    Figure,
    Keys,
    Measure,
    Number,
    OfEach,
    Part,
    Rate,
    Ratio,
    Term,
    Test,
    Word,
)
from jupyter_mcpgen.nl.grammar.rule import Family, a, maybe
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.expressions import ArithmeticOp
from jupyter_mcpgen.plan.ops import AggregateFunction as F

FIGURES = Family("figures")
rule = FIGURES.rule

ROWS = Figure(F.COUNT)
_BY_NAME = {one.value: one for one in (F.SUM, F.MEAN, F.MEDIAN, F.MIN, F.MAX, F.STD, F.VAR, F.MODE, F.COUNT_DISTINCT)}
_OR_OF_ROWS = 0.08
_BARE_COUNT = 0.2
_OF_NAMES = 0.2
"""What it costs to add up or average numbers that are names, such as those of an identifier."""
_FIRST_YEAR, _LAST_YEAR = 1800, 2100
_ENDS = {"up": "max", "down": "min"}
COUNTS = frozenset({F.COUNT, F.COUNT_DISTINCT})
_QUARTILES = {"first_quartile": 0.25, "third_quartile": 0.75}
ORDERED = frozenset({F.MIN, F.MAX, F.MODE, F.COUNT_DISTINCT})
"""Functions that take any values; the others take numbers."""


@rule(C.FIGURE, C.AGGREGATE, maybe(C.OF), C.TERM)
def function_of(table: Table, said: Word, of: Word | None, term: Term) -> Measure | Costed | None:
    """Read "average price", "sum of units"."""
    return figure(table, said.meaning, term)


@rule(C.FIGURE, C.TERM, C.AGGREGATE, cost=0.06)
def term_function(table: Table, term: Term, said: Word) -> Measure | Costed | None:
    """Read "price average"."""
    return figure(table, said.meaning, term)


@rule(C.FIGURE, C.AGGREGATE, maybe(C.OF), C.COUNT, maybe(C.OF), C.TERM)
def function_of_count(
    table: Table, said: Word, of: Word | None, count: Word, of_: Word | None, term: Term
) -> Measure | Costed | None:
    """Read "average number of guests" as the average of a column that counts."""
    return figure(table, said.meaning, term) if _is_number(table, term) else None


@rule(C.FIGURE, C.COUNT, C.AGGREGATE, maybe(C.OF), C.TERM)
def count_function(table: Table, count: Word, said: Word, of: Word | None, term: Term) -> Measure | Costed | None:
    """Read "how many total points"."""
    return figure(table, said.meaning, term) if said.meaning == "sum" and _is_number(table, term) else None


@rule(C.FIGURE, C.COUNT, cost=_BARE_COUNT)
def count_rows(table: Table, said: Word) -> Measure:
    """Read "how many were cancelled", which says no noun."""
    return ROWS


@rule(C.FIGURE, C.TALLY, cost=0.02)
def tally(table: Table, said: Word) -> Measure:
    """Read "and count them", "the total number"."""
    return Figure(F.COUNT, implied=True)


@rule(C.FIGURE, a(C.NUMBER, C.ORDINAL), a(C.AGGREGATE, words="percentile"), maybe(C.OF), C.TERM)
def percentile(table: Table, number: Number, said: Word, of: Word | None, term: Term) -> Measure | None:
    """Read "90th percentile of price"."""
    known = 0 < number.value < 100 and _is_number(table, term)
    return Figure(F.QUANTILE, term, fraction=number.value / 100) if known else None


@rule(C.FIGURE, C.FIGURE, C.EACH_ONE, cost=0.08)
def for_each_one(table: Table, figure_: Measure, said: Word) -> Measure:
    """Read "the harbours and the number of boats in each"."""
    return figure_


@rule(C.FIGURE, a(C.COUNT, words="rows"), maybe(C.OF), C.ENTITY)
def count(table: Table, said: Word, of: Word | None, entity: Entity) -> Measure | Costed | None:
    """Read "how many orders"."""
    return counted(table, entity)


@rule(C.FIGURE, C.ENTITY, a(C.COUNT, words="rows"), cost=0.02)
def count_behind(table: Table, entity: Entity, said: Word) -> Measure | Costed | None:
    """Read "order count"."""
    return counted(table, entity) if table.lists("count_behind", said.said) else None


@rule(C.FIGURE, C.COUNT, maybe(C.OF), a(C.AGGREGATE, words="count_distinct"), C.TERM)
def count_different(table: Table, said: Word, of: Word | None, different: Word, term: Term) -> Measure:
    """Read "number of different towns"."""
    return Figure(F.COUNT_DISTINCT, term)


@rule(C.FIGURE, C.COUNT, maybe(C.OF), C.TERM)
def count_column(table: Table, said: Word, of: Word | None, term: Term) -> Measure | Costed | None:
    """Read "number of customers"; "count by customer" counts what each has."""
    grouped = of is not None and table.lists("grouping", of.said)
    occasions = table.lists("occasions", said.said)
    if grouped or occasions or not isinstance(term, Column) or table.is_date(term.name):
        return None
    if said.meaning == "amount" and table.column(term.name).facts.money:
        return implied(table, term)
    return counted(table, Entity(term.name))


@rule(C.FIGURE, C.HOW_MUCH, maybe(C.OF), C.TERM)
def how_much(table: Table, said: Word, of: Word | None, term: Term) -> Measure | None:
    """Read "how much revenue"."""
    return implied(table, term)


@rule(C.FIGURES, C.COUNT, C.AND, C.FIGURE)
def count_and_share(table: Table, said: Word, joined: Word, right: Measure) -> tuple[Measure, ...] | None:
    """Read "number and share of late orders"."""
    known = isinstance(right, Rate) and right.among is None and not right.each
    return (replace(ROWS, where=right.test), right) if known and isinstance(right, Rate) else None


@rule(C.FIGURES, a(C.FIGURE, C.FIGURES), C.AND, C.FIGURE)
def several(table: Table, left: Measure | tuple[Measure, ...], said: Word, right: Measure) -> tuple[Measure, ...]:
    """Read "total units and average price"."""
    return (*(left if isinstance(left, tuple) else (left,)), right)


@rule(C.FIGURES, a(C.FIGURE, C.FIGURES), a(C.AND, C.VERSUS), C.TERM, cost=0.02)
def one_more_column(
    table: Table, left: Measure | tuple[Measure, ...], said: Word, term: Term
) -> tuple[Measure, ...] | None:
    """Read "average price and cost" as the average of both."""
    before = left if isinstance(left, tuple) else (left,)
    last = before[-1]
    if not isinstance(last, Figure) or last.term is None or not _is_number(table, term):
        return None
    alike = (one for one in before if isinstance(one, Figure) and one.term == last.term)
    return (*before, *(replace(one, term=term) for one in alike))


@rule(C.FIGURES, a(C.AGGREGATE, C.MOST), a(C.AND, C.VERSUS), a(C.AGGREGATE, C.MOST), maybe(C.OF), C.TERM)
def functions_of(
    table: Table, first: Word, joined: Word, second: Word, of: Word | None, term: Term
) -> tuple[Measure, ...] | None:
    """Read "smallest and average price"."""
    names = [_ENDS.get(said.meaning, said.meaning) for said in (first, second)]
    if first.meaning in _ENDS and second.meaning in _ENDS:
        return None  # `both_ends` reads it
    found = [_plain(figure(table, name, term)) for name in names]
    return tuple(one for one in found if one is not None) if all(found) else None


@rule(C.FIGURES, a(C.AGGREGATE, C.MOST), C.AND, C.FIGURES)
def one_more_function(table: Table, said: Word, joined: Word, right: tuple[Measure, ...]) -> tuple[Measure, ...] | None:
    """Read "lowest, average and highest price"."""
    terms = {one.term if isinstance(one, Figure) else None for one in right}
    term = terms.pop() if len(terms) == 1 else None
    found = _plain(figure(table, _ENDS.get(said.meaning, said.meaning), term)) if term is not None else None
    return (found, *right) if found is not None and found not in right else None


@rule(C.FIGURES, C.FIGURE, C.AND, a(C.ENTITY, C.TERM))
def one_more_count(table: Table, left: Measure, said: Word, what: Entity | Term) -> tuple[Measure, ...] | None:
    """Read "number of orders and customers"."""
    entity = Entity(what.name) if isinstance(what, Column) else what
    if not isinstance(left, Figure) or left.function not in COUNTS or not isinstance(entity, Entity):
        return None
    told = not entity.column or entity.column in table.repeated_things
    found = _plain(counted(table, entity)) if told and _is_plain(table, entity) else None
    return (left, found) if isinstance(found, Figure) and found.function in COUNTS and found != left else None


@rule(C.FIGURES, C.ENTITY, C.AND, C.FIGURE, cost=0.06)
def count_and_figure(table: Table, entity: Entity, said: Word, right: Measure) -> tuple[Measure, ...] | None:
    """Read "orders and average price by town" as how many there are, and the average."""
    plain = not entity.column and _is_plain(table, entity) and isinstance(right, Figure) and right.term is not None
    found = _plain(counted(table, entity)) if plain else None
    return (found, right) if found is not None else None


def _is_plain(table: Table, entity: Entity) -> bool:
    """Tell whether a noun says what is counted, and no amount or what is asked for."""
    return not (entity.asked or entity.each or table.is_amount_noun(entity.word))


@rule(C.FIGURE, a(C.FIGURE, C.TERM), a(C.PER, words="per"), a(C.TERM, C.FIGURE, C.ENTITY))
def per(table: Table, over: Measure | Term, said: Word, under: Measure | Term | Entity) -> Measure | None:
    """Read "revenue per unit" as one sum over another; below "per" may also stand what a row is."""
    top = _added(over if isinstance(over, Figure) else amount_of(table, over))
    if top == ROWS and isinstance(under, Figure):
        return None  # "homes for each number of rooms"
    bottom = _below(table, under)
    mean = isinstance(over, Figure) and over.function is F.MEAN
    if mean and isinstance(under, Entity) and bottom == ROWS and table.is_identified(under.word):
        return over  # type: ignore[return-value]  # of each row
    if top is None or bottom is None or top.term == bottom.term or not adds_up(table, top, bottom):
        return None
    if bottom == ROWS and top.term is not None:
        return Figure(F.MEAN, top.term)  # of each row
    return Ratio(top, bottom, both=True)


@rule(C.FIGURE, a(C.FIGURE, C.TERM), a(C.PER, words="per"), C.UNIT)
def per_unit(table: Table, over: Measure | Term, said: Word, part: Part) -> Measure | None:
    """Read "cost per day" by the one column that counts days."""
    columns = table.columns_of(part.unit.value.removeprefix("start_of_"))
    top = _added(over if isinstance(over, Figure) else amount_of(table, over))
    if len(columns) != 1 or top is None or top.term in (None, Column(columns[0])):
        return None
    return Ratio(top, Figure(F.SUM, Column(columns[0]), implied=True), both=True)


@rule(
    C.FIGURE,
    a(C.AGGREGATE, words="mean median min max"),
    maybe(C.OF),
    maybe(C.COUNT),
    maybe(C.OF),
    a(C.ENTITY, C.TERM),
    a(C.BY, words="per"),
    a(C.ENTITY, C.TERM, C.UNIT),
)
def of_each(
    table: Table,
    said: Word,
    of: Word | None,
    count: Word | None,
    of_: Word | None,
    what: Entity | Term,
    per_: Word,
    each: Entity | Term,
) -> Measure | Costed | None:
    """Read "average number of orders per customer", "average revenue per month".

    The average cost per customer may be that of their rows as well, and per region it is.
    """
    inner, group = _inner(table, what, counts=count is not None), _each(table, each)
    if inner is None or group is None or inner.term == group:
        return None
    found = OfEach(F(said.meaning), inner, group, or_within=count is None and isinstance(group, Part))
    if inner.function is not F.SUM or isinstance(group, Part):
        return found
    told_apart = isinstance(group, Column) and table.column(group.name).is_label and count is None
    return Costed(found, _OR_OF_ROWS) if told_apart else None


@rule(C.FIGURE, a(C.AGGREGATE, C.MOST, words="mean median min max std var up down"), maybe(C.OF), C.KEYS, C.TERM)
def of_each_period(table: Table, said: Word, of: Word | None, keys: Keys, what: Term) -> Measure | None:
    """Read "median monthly revenue", "highest daily sales"."""
    inner = _inner(table, what, counts=False)
    period = keys.terms[0] if len(keys.terms) == 1 and not keys.weak else None
    if inner is None or not isinstance(period, Part):
        return None
    return OfEach(F(_ENDS.get(said.meaning, said.meaning)), inner, period, or_within=True)


def _inner(table: Table, what: Entity | Term, *, counts: bool) -> Figure | None:
    """Return what each group has: how many things, or the total of an amount."""
    if isinstance(what, Entity) and not counts and table.only_describes_numbers(what.word):
        return None  # "average rating per month" counts no ratings
    if isinstance(what, Entity) or counts:
        entity = what if isinstance(what, Entity) else Entity(what.name) if isinstance(what, Column) else None
        found = _plain(counted(table, entity)) if entity is not None else None
        return found if isinstance(found, Figure) else None
    adds = isinstance(what, Column) and table.is_number(what.name) and table.column(what.name).adds_up
    return Figure(F.SUM, what) if adds else None


def _each(table: Table, each: Entity | Term) -> Term | None:
    """Return what to group by: people and things with an identifier, or periods."""
    if isinstance(each, Part):
        return each
    name = each.column if isinstance(each, Entity) else each.name if isinstance(each, Column) else ""
    label = bool(name) and (table.column(name).is_label or not table.is_number(name)) and table.repeats(name)
    return Column(name) if label else None


@rule(C.FIGURE, C.RATIO, a(C.FIGURE, C.TERM), a(C.TO, C.AND), a(C.FIGURE, C.TERM))
def ratio(table: Table, said: Word, over: Measure | Term, joined: Word, under: Measure | Term) -> Measure | None:
    """Read "ratio of profit to revenue"."""
    top = over if isinstance(over, Figure) else amount_of(table, over)
    bottom = under if isinstance(under, Figure) else amount_of(table, under)
    return Ratio(top, bottom) if isinstance(top, Figure) and isinstance(bottom, Figure) else None


@rule(C.FIGURE, C.RATIO, C.TEST, maybe(C.ENTITY), a(C.TO, C.AND, C.VERSUS), C.TEST, maybe(C.ENTITY))
def ratio_of_rows(
    table: Table,
    said: Word,
    over: Test,
    these: Entity | None,
    joined: Word,
    under: Test,
    those: Entity | None,
) -> Measure | None:
    """Read "ratio of late to punctual trips": of how many rows there are of both."""
    entity = those or these
    if over == under or entity is None or counted(table, entity) != ROWS:
        return None
    return Ratio(replace(ROWS, where=over), replace(ROWS, where=under))


@rule(C.FIGURE, a(C.TERM, C.FIGURE), maybe(C.IN), C.SHARE, maybe(C.OF), C.TERM)
def as_share_of(
    table: Table, over: Term | Measure, as_: Word | None, said: Word, of: Word | None, under: Term
) -> Measure | None:
    """Read "tips as a percentage of fares"."""
    top = _added(over if isinstance(over, Figure) else amount_of(table, over))
    bottom = amount_of(table, under)
    if said.meaning == "rate" or not isinstance(top, Figure) or bottom is None or top.term == bottom.term:
        return None
    if not adds_up(table, top, bottom):
        return None
    return Ratio(top, bottom, percent=said.meaning == "percent")


@rule(C.TERM, C.TERM, a(C.TIMES, C.MINUS, C.PLUS, words="times minus plus"), C.TERM)
def combined(table: Table, left: Term, said: Word, right: Term) -> Term | Costed | None:
    """Read "quantity times price"."""
    if not (_is_number(table, left) and _is_number(table, right)) or left == right:
        return None
    operation = _OPERATIONS[said.meaning]
    if operation is ArithmeticOp.SUBTRACT and isinstance(right, Column) and table.is_negative(right.name):
        operation = ArithmeticOp.ADD  # refunds that are below zero are added to take them off
    found = Computed(operation, left, right)
    columns = [one.name for one in (left, right) if isinstance(one, Column)]
    if found.op is ArithmeticOp.MULTIPLY and any(map(table.is_percent, columns)):
        found = Computed(ArithmeticOp.DIVIDE, found, Number(100))
    return Costed(found, 0.4) if table.lists("hardly_arithmetic", said.said) else found


_OPERATIONS = {
    "times": ArithmeticOp.MULTIPLY,
    "minus": ArithmeticOp.SUBTRACT,
    "plus": ArithmeticOp.ADD,
}


@rule(C.TERM, a(C.MINUS, words="difference"), C.TERM, a(C.AND, C.TO), C.TERM)
def difference(table: Table, said: Word, left: Term, joined: Word, right: Term) -> Term | None:
    """Read "difference between price and cost"."""
    if (
        not (_is_number(table, left) and _is_number(table, right))
        or left == right
        or in_other_units(table, left, right)
    ):
        return None
    return Computed(ArithmeticOp.SUBTRACT, left, right)


# -- what the table decides ------------------------------------------------------------------------------------------


def figure(table: Table, name: str, term: Term) -> Measure | Costed | None:
    """Return a function of a value of each row by its name; None where the values are of another kind."""
    if name in _QUARTILES:
        return Figure(F.QUANTILE, term, fraction=_QUARTILES[name]) if _is_number(table, term) else None
    if name == "range":
        whole = _is_number(table, term)
        return Ratio(Figure(F.MAX, term), Figure(F.MIN, term), ArithmeticOp.SUBTRACT) if whole else None
    if name == "quartile_range":
        third, first = (figure(table, one, term) for one in ("third_quartile", "first_quartile"))
        whole = isinstance(third, Figure) and isinstance(first, Figure)
        return Ratio(third, first, ArithmeticOp.SUBTRACT) if whole else None  # type: ignore[arg-type]
    if name == "count_distinct":
        return None
    function = _BY_NAME.get(name)
    if function is None:
        return None
    if function not in ORDERED and not _is_number(table, term):
        return None
    if isinstance(term, Column) and table.column(term.name).is_label and function not in ORDERED:
        return Costed(Figure(function, term), _OF_NAMES) if table.is_number(term.name) else None
    return Figure(function, term)


def things_of(table: Table, entity: Entity) -> str:
    """Return the column of the things of which some are such; empty where they are the rows."""
    if entity.column:
        return "" if table.numbers_rows(entity.column) else entity.column
    doubled = table.doubled_identifier(entity.word)
    return doubled if doubled in table.repeated_things and doubled is not None else ""


def counted(table: Table, entity: Entity) -> Measure | Costed | None:
    """Return how many of something there are: rows, different things, or the sum of a column that counts them."""
    if not entity.column:
        doubled = table.doubled_identifier(entity.word)
        if doubled is not None:
            return Figure(F.COUNT_DISTINCT, Column(doubled))
        known = table.number_of(entity.word)
        return ROWS if known is None else Figure(F.SUM, Column(known))
    column = table.column(entity.column)
    if column.says_yes_or_no:
        return None
    if table.numbers_rows(entity.column) and not entity.different:
        return ROWS
    if entity.different:
        return Figure(F.COUNT_DISTINCT, Column(entity.column))
    if column.truth is not None:
        return None
    if table.is_number(entity.column) and (column.adds_up or column.is_stock):
        function = F.COUNT if column.facts.money else F.SUM
        return Figure(function, Column(entity.column), implied=column.is_stock)
    if (table.is_number(entity.column) and not column.is_label) or table.says_how_many(entity.column):
        return None
    if column.is_unique and not column.nulls:
        return ROWS
    return Figure(F.COUNT_DISTINCT, Column(entity.column))


def implied(table: Table, term: Term) -> Figure | Ratio | None:
    """Return the figure of a value of each row that nobody said a function for: amounts are added, rates averaged.

    The difference of two amounts is that of their sums.
    """
    if not _is_number(table, term):
        return None
    match term:
        case Column(name):
            adds = table.column(name).may_add_up or table.column(name).is_stock
        case Computed(ArithmeticOp.ADD | ArithmeticOp.SUBTRACT as op, Column(left), Column(right)):
            adds = table.column(left).adds_up and table.column(right).adds_up
            if adds:
                return Ratio(Figure(F.SUM, Column(left), implied=True), Figure(F.SUM, Column(right), implied=True), op)
        case Computed(ArithmeticOp.DIVIDE, Computed(ArithmeticOp.MULTIPLY) as product, Number()):
            inner = implied(table, product)
            return Figure(inner.function, term, implied=True) if isinstance(inner, Figure) else None
        case Computed(ArithmeticOp.MULTIPLY, Column(left), Column(right)):
            adds = table.column(left).adds_up != table.column(right).adds_up
        case _:
            adds = False
    return Figure(F.SUM if adds else F.MEAN, term, implied=True)


def amount_of(table: Table, term: Measure | Term) -> Figure | None:
    """Return the figure that an amount stands for without a function; None for what is no amount."""
    if isinstance(term, Column) and (table.column(term.name).is_label or table.column(term.name).truth is not None):
        return None
    return Figure(F.SUM, term, implied=True) if isinstance(term, Term) and _is_number(table, term) else None


def adds_up(table: Table, *figures: Figure) -> bool:
    """Tell whether sums mean something: one of ratings or of prices does not."""
    columns = (one.term.name for one in figures if one.function is F.SUM and isinstance(one.term, Column))
    return all(table.column(name).may_add_up for name in columns)


def _added(top: Measure | None) -> Figure | None:
    """Return the numerator of "per"; the average of a ratio of two amounts divides their sums."""
    if not isinstance(top, Figure):
        return None
    return Figure(F.SUM, top.term) if top.function is F.MEAN else top


def _below(table: Table, under: Measure | Term | Entity) -> Figure | None:
    match under:
        case Entity("", word=noun):
            return None if table.measures_some(noun) and not table.is_identified(noun) else ROWS
        case Entity():
            return None  # "fee per customer" is of each customer
        case Figure():
            return under
        case Column(name) if not table.is_number(name) or table.tells_time(name) or _numbers_off(table, name):
            return None
        case _:
            return amount_of(table, under)


def are_numbers(table: Table, *columns: Column) -> bool:
    """Tell whether columns all hold numbers."""
    return all(table.is_number(one.name) for one in columns)


def _numbers_off(table: Table, name: str) -> bool:
    """Tell whether a column says which one rather than how many: a season that is called as its year."""
    known, untold = table.column(name).known, table.column(name).is_untold
    return untold and all(_FIRST_YEAR <= (end or 0) <= _LAST_YEAR for end in (known.minimum, known.maximum))


def _is_number(table: Table, term: Term) -> bool:
    return table.is_number(term.name) if isinstance(term, Column) else isinstance(term, Computed | Between)


def in_other_units(table: Table, left: Term, right: Term) -> bool:
    """Tell whether two columns have different units, so that their difference means nothing."""
    if not isinstance(left, Column) or not isinstance(right, Column):
        return False
    return table.unit_of(left.name) != table.unit_of(right.name)


def _plain(found: Measure | Costed | None) -> Measure | None:
    return found.meaning if isinstance(found, Costed) else found  # type: ignore[return-value]
