"""Conditions on rows: values, limits, texts, gaps, comparisons of two columns, and how they are joined and denied."""

from __future__ import annotations

from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.meanings import (
    Beside,
    Both,
    Bound,
    Column,
    Costed,
    Either,
    Entity,
    Holds,
    Is,
    Lacks,
    Like,
    Number,
    Part,
    Term,
    Test,
    Within,
    Word,
    disjoint,
)
from jupyter_mcpgen.nl.grammar.rule import Family, a, maybe
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.nl.grammar.units import in_unit_of
from jupyter_mcpgen.nl.lexicon.entries import Degree
from jupyter_mcpgen.nl.text.morphology import Form
from jupyter_mcpgen.plan.expressions import CompareOp
from jupyter_mcpgen.plan.ops import AggregateFunction

CONDITIONS = Family("conditions")
rule = CONDITIONS.rule

_SOME_OF_IT = 0.12
"""What it costs to take "with a discount" for rows whose discount is above zero."""
_TRUE = 0.08
"""What it costs to take a column of yes and no, which was only named, for a condition."""
_EQUAL_NUMBER = 0.1
_CONVERTED = 0.1
"""What it costs to convert a number into the unit of its column, where another one may have the unit that was said."""
_BY_VALUE = 0.15
"""What it costs to take "by Leeds" for a condition: that mostly stands before what rows are grouped by."""
_BY_HEADER = 0.6
"""What that costs where the value is a word of a header as well."""
_OTHER_SIDE = 0.6
"""What it costs to take "to Leeds" for a row that begins there."""
_SAME = 0.3
"""What it costs to take "is" between two columns for their values being the same."""
_RATHER_JOINING = 0.3
"""What it costs to take "but" for "except": it mostly joins two conditions."""
_AND_OF_OR = 0.12
"""What it costs to take "and" for looser than "or"."""
_DENIED_ALONE = 0.1
"""What it costs that "not" denies one condition and not the other behind "or"."""
_BY_WORD = 0.04
"""What it costs to find the column of a limit by the word that compares."""
_ONLY_UNIT, _SEVERAL_UNITS = 0.06, 0.2
"""What it costs to find the column of a limit by its unit alone."""


@rule(C.TEST, C.VALUE)
def value(table: Table, found: Is) -> Test:
    """Read "cash" as a value of the column that has it."""
    return found


@rule(C.TEST, a(C.IN, C.WHERE, C.VERSUS), C.VALUE)
def in_value(table: Table, said: Word, found: Is) -> Test | Costed:
    """Read "from Leeds", "where status is open"."""
    if table.lists("grouping", said.said):
        header = any(table.has_word(str(one).casefold()) for one in found.values)
        return Costed(found, _BY_HEADER if header else _BY_VALUE)
    return Costed(found, _OTHER_SIDE) if _is_of_other_side(table, said.said, found.column) else found


def _is_of_other_side(table: Table, word: str, column: str) -> bool:
    """Tell whether "to" stands before what a row may be from, or "from" before where it may go."""
    begins, ends = table.lists("beginning", word), table.lists("ending", word)
    return any((begins and column == sides.second) or (ends and column == sides.first) for sides in table.ends)


@rule(C.TEST, C.IN, C.VALUE, C.TO, C.VALUE, cost=-0.02)
def from_one_to_another(table: Table, said: Word, start: Is, joined: Word, end: Is) -> Test | None:
    """Read "from Leeds to York" by the two columns that say from where to where."""
    for one in table.schema.sides:
        if (start.column, end.column) == (one.first, one.second):
            return Both((start, end))
    return None


@rule(C.VALUE, C.VALUE, a(C.OR, C.AND, C.VERSUS), C.VALUE)
def values(table: Table, left: Is, joined: Word, right: Is) -> Is | None:
    """Read "Leeds or York", "Leeds and York"."""
    if left.column != right.column or set(left.values) & set(right.values):
        return None
    if table.column(left.column).truth is not None:
        return None  # yes and no are all that there is
    apart = joined.meaning in ("and", "versus") and (left.apart or len(left.values) == 1)
    against = joined.meaning == "versus" or left.against
    return Is(left.column, (*left.values, *right.values), apart=apart, against=against)


@rule(C.VALUE, C.VALUE, a(C.ENTITY, C.TERM, C.UNIT), C.VERSUS, C.VALUE, a(C.ENTITY, C.TERM, C.UNIT), cost=0.03)
def values_of_things(
    table: Table, left: Is, thing: Entity | Term, joined: Word, right: Is, again: Entity | Term
) -> Is | None:
    """Read "wet days vs dry days"."""
    return values(table, left, joined, right) if thing == again else None


@rule(C.TEST, C.TERM, maybe(C.IS, C.IN), C.VALUE, cost=-0.04)
def column_is(table: Table, term: Term, said: Word | None, found: Is) -> Test | None:
    """Read "region is North"."""
    return found if term == Column(found.column) else None


@rule(C.TEST, C.VALUE, C.TERM, cost=-0.04)
def value_of_column(table: Table, found: Is, term: Term) -> Test | None:
    """Read "North region"."""
    return found if term == Column(found.column) else None


@rule(C.TEST, C.TERM, maybe(C.IS), C.NOT, C.VALUE, cost=-0.04)
def column_is_not(table: Table, term: Term, said: Word | None, denied: Word, found: Is) -> Test | None:
    """Read "region is not North"; "regions except North" are regions."""
    if said is None and table.lists("excepting", denied.said):
        return None
    return Is(found.column, found.values, negated=True) if term == Column(found.column) else None


@rule(C.TEST, a(C.NOT), maybe(C.IN, C.WHERE), C.TEST)
def denied(table: Table, said: Word, inside: Word | None, test: Test) -> Test | Costed | None:
    """Read "not in Leeds", "except York", and "not insured" as the rows that say no."""
    truth = table.column(test.column).truth if isinstance(test, Is) else None
    if isinstance(test, Is) and truth is not None and not test.negated and test.values in ((truth[0],), (truth[1],)):
        return Is(test.column, (truth[1] if test.values == (truth[0],) else truth[0],))
    opposite = negated(test)
    rather = opposite is not None and table.lists("rather_joining", said.said)
    return Costed(opposite, _RATHER_JOINING) if rather and opposite is not None else opposite


@rule(C.TERM, C.TERM, a(C.KIND, words="kind value"), cost=0.08)
def kind_of(table: Table, term: Term, said: Word) -> Term | None:
    """Read "payment method" where the column is called `payment`."""
    if not isinstance(term, Column) or (table.is_number(term.name) and table.lists("ranges", said.said)):
        return None  # an age group is no age
    return term


@rule(C.TERM, a(C.KIND, words="kind"), C.OF, C.TERM, cost=0.08)
def kind_of_term(table: Table, said: Word, of: Word, term: Term) -> Term | None:
    """Read "the kind of payment" where the column is called `payment`."""
    own = isinstance(term, Column) and table.is_text(term.name) and table.lists("owning", of.said)
    return term if own and not table.has_word(said.said) else None


@rule(C.TEST, a(C.WHERE, C.IN), C.TEST)
def where(table: Table, said: Word, test: Test) -> Test | Costed | None:
    """Read "whose price is above 5"."""
    if table.lists("grouping", said.said):
        number = isinstance(test, Holds) and test.op is CompareOp.EQ
        return Costed(test, _BY_VALUE) if number else None  # "attended by 7260"
    other = isinstance(test, Is) and _is_of_other_side(table, said.said, test.column)
    return Costed(test, _OTHER_SIDE) if other else test


@rule(C.TEST, C.TEST, C.AND, C.TEST, cost=0.02)
def both(table: Table, left: Test, joined: Word, right: Test) -> Test | Costed | None:
    """Read "in Leeds and above 5"."""
    if isinstance(left, Within | Either) and isinstance(right, Within) and _apart(left, right):
        return Either((*(left.terms if isinstance(left, Either) else (left,)), right))
    if isinstance(left, Either) or isinstance(right, Either):
        return Costed(Both((*_terms(left), *_terms(right))), _AND_OF_OR)
    if _about(left) & _about(right) and isinstance(left, Is) and isinstance(right, Is):
        return None
    return Both((*_terms(left), *_terms(right)))


def _apart(left: Within | Either, right: Within) -> bool:
    """Tell whether conditions are of periods of one date that have no day in common: no row is in all of them."""
    terms = left.terms if isinstance(left, Either) else (left,)
    return all(isinstance(one, Within) and _no_day_in_common(one, right) for one in terms)


def _no_day_in_common(one: Within, other: Within) -> bool:
    plain = one.date == other.date and not one.negated and not other.negated
    return plain and disjoint(one.period, other.period)


@rule(C.TEST, C.TEST, C.OR, C.TEST, cost=0.02)
def either(table: Table, left: Test, joined: Word, right: Test) -> Test | Costed | None:
    """Read "in Leeds or above 5"; what is denied before "or" is mostly denied behind it: "not in Leeds or late"."""
    if isinstance(left, Is) and isinstance(right, Is) and left.column == right.column:
        return None
    found = Either((left, right))
    return Costed(found, _DENIED_ALONE) if getattr(left, "negated", False) else found


@rule(C.TEST, C.TERM, maybe(C.IS), C.BOUND)
def column_bound(table: Table, term: Term, said: Word | None, bound: Bound) -> Test | Costed | None:
    """Read "price above 5"."""
    return bounded(table, term, bound)


@rule(C.TEST, C.TERM, maybe(C.IS), a(C.SINCE, words="after before"), C.NUMBER, cost=0.02)
def column_after(table: Table, term: Term, is_: Word | None, said: Word, number: Number) -> Test | Costed | None:
    """Read "round after 12"."""
    return _beyond(table, term, said, number)


@rule(C.TEST, a(C.SINCE, words="after before"), C.TERM, C.NUMBER, cost=0.02)
def after_column(table: Table, said: Word, term: Term, number: Number) -> Test | Costed | None:
    """Read "before week 9"."""
    return _beyond(table, term, said, number)


@rule(C.TEST, C.TERM, C.AND, C.TERM, maybe(C.IS), C.BOUND)
def columns_bound(
    table: Table, first: Term, joined: Word, second: Term, said: Word | None, bound: Bound
) -> Test | None:
    """Read "height and width under 40" as a limit of both."""
    tests = [bounded(table, term, bound) for term in (first, second)]
    plain = tuple(test for test in tests if test is not None and not isinstance(test, Costed))
    return Both(plain) if len(plain) == 2 and first != second else None


@rule(C.TEST, maybe(C.WHERE), C.BOUND, maybe(C.OF), C.TERM)
def bound_column(table: Table, said: Word | None, bound: Bound, of: Word | None, term: Term) -> Test | Costed | None:
    """Read "more than 5 units"."""
    return bounded(table, term, bound)


@rule(C.TEST, C.TERM, C.IS, C.NUMBER)
def column_equals(table: Table, term: Term, said: Word, number: Number) -> Test | Costed | None:
    """Read "age is 30"."""
    return bounded(table, term, Bound(CompareOp.EQ, number))


@rule(C.TEST, C.TERM, C.NOT, C.IS, C.NUMBER)
def column_equals_not(table: Table, term: Term, denied: Word, said: Word, number: Number) -> Test | Costed | None:
    """Read "age does not equal 30"."""
    return bounded(table, term, Bound(CompareOp.NE, number))


@rule(C.TEST, C.TERM, maybe(C.IS), C.BOUND, a(C.OR, C.AND), C.BOUND)
def two_bounds(
    table: Table, term: Term, said: Word | None, one: Bound, joined: Word, other: Bound
) -> Test | Costed | None:
    """Read "price below 5 or above 20", "price above 5 and below 20"."""
    left, right = bounded(table, term, one), bounded(table, term, other)
    whole = left is not None and right is not None and not isinstance(left, Costed) and not isinstance(right, Costed)
    join = Either if joined.meaning == "or" else Both
    return join((left, right)) if whole else None  # type: ignore[arg-type]


@rule(C.TEST, C.TERM, C.NUMBER, cost=_EQUAL_NUMBER)
def column_number(table: Table, term: Term, number: Number) -> Test | Costed | None:
    """Read "round 4"."""
    if not isinstance(term, Column) or not table.column(term.name).counts_things_off:
        return None
    return bounded(table, term, Bound(CompareOp.EQ, number))


@rule(C.TEST, C.NUMBER, C.TERM, cost=_EQUAL_NUMBER)
def number_column(table: Table, number: Number, term: Term) -> Test | Costed | None:
    """Read "4 cylinders"."""
    if not isinstance(term, Column) or not table.is_number(term.name):
        return None
    return bounded(table, term, Bound(CompareOp.EQ, number))


@rule(C.TEST, C.TERM, a(C.COMPARE, C.IS), C.TERM)
def columns_compared(table: Table, left: Term, said: Word, right: Term) -> Test | Costed | None:
    """Read "cost above budget"."""
    if left == right or not _comparable(table, left, right):
        return None
    found = Holds(left, _operator(said), right)
    if found.op is CompareOp.EQ and not _share_values(table, left, right):
        return None
    return Costed(found, _SAME) if found.op is CompareOp.EQ else found


@rule(C.TEST, C.TERM, maybe(C.IS), C.COMPARE, a(C.AGGREGATE, words="mean median"))
def beside_figure(table: Table, term: Term, said: Word | None, compare: Word, figure: Word) -> Test | None:
    """Read "salary above average"."""
    if not isinstance(term, Column) or not table.is_number(term.name):
        return None
    return Beside(term, _operator(compare), AggregateFunction(figure.meaning))


@rule(C.TEST, maybe(C.WHERE), C.COMPARE, a(C.AGGREGATE, words="mean median"), C.TERM)
def above_figure(table: Table, said: Word | None, compare: Word, figure: Word, term: Term) -> Test | None:
    """Read "above average salary"."""
    return beside_figure(table, term, None, compare, figure)


@rule(C.TEST, C.TERM, maybe(C.IS), C.MISSING)
def is_missing(table: Table, term: Term, said: Word | None, missing: Word) -> Test | None:
    """Read "price is missing", where nothing is, by the sign that stands for it."""
    if not isinstance(term, Column):
        return None
    column = table.column(term.name)
    signs = tuple(one for one in column.known.values if isinstance(one, str) and not any(map(str.isalnum, one)))
    return Is(term.name, signs) if signs and not column.nulls else Lacks(term.name)


@rule(C.TEST, maybe(C.WHERE), C.MISSING, C.TERM, maybe(C.AND), maybe(C.TERM))
def missing_column(
    table: Table, said: Word | None, missing: Word, term: Term, joined: Word | None, more: Term | None
) -> Test | None:
    """Read "missing price", "missing price and weight"."""
    found = is_missing(table, term, None, missing)
    other = is_missing(table, more, None, missing) if joined is not None and more not in (None, term) else None
    if joined is None and more is None:
        return found
    return Both((found, other)) if found is not None and other is not None else None


@rule(C.TEST, C.TERM, maybe(C.IS), C.NOT, C.MISSING)
def is_not_missing(table: Table, term: Term, said: Word | None, denied: Word, missing: Word) -> Test | None:
    """Read "price is not missing"."""
    return Lacks(term.name, negated=True) if isinstance(term, Column) else None


@rule(C.TEST, maybe(C.WHERE), C.SIGN, C.TERM)
def signed(table: Table, said: Word | None, sign: Word, term: Term) -> Test | Costed | None:
    """Read "negative profit"."""
    return bounded(table, term, Bound(CompareOp(OPERATORS[sign.meaning]), Number(0)))


@rule(C.TEST, C.NOT, maybe(C.WHERE), C.TERM, cost=0.12)
def without(table: Table, said: Word, have: Word | None, term: Term) -> Test | Costed | None:
    """Read "without a permit": no value, or zero, or no, by what the column has."""
    if not isinstance(term, Column):
        return None
    column = table.column(term.name)
    if column.truth is not None:
        return Is(term.name, (column.truth[1],))
    if column.nulls:
        return Lacks(term.name)
    return Holds(term, CompareOp.EQ, Number(0)) if column.has_zeros else None


@rule(C.TEST, C.WHERE, C.TERM, cost=_SOME_OF_IT)
def having_some(table: Table, said: Word, term: Term) -> Test | None:
    """Read "with a discount": a value, or more than zero, by what the column has."""
    if not isinstance(term, Column):
        return None
    column = table.column(term.name)
    if column.truth is not None:
        return None  # `true` reads it
    if column.has_zeros and table.is_number(term.name):
        return Holds(term, CompareOp.GT, Number(0))
    return Lacks(term.name, negated=True) if column.nulls else None


@rule(C.TEST, C.TERM, cost=_TRUE)
def true(table: Table, term: Term) -> Test | None:
    """Read "insured" as the rows that say yes."""
    truth = table.column(term.name).truth if isinstance(term, Column) else None
    return Is(term.name, (truth[0],)) if truth is not None and isinstance(term, Column) else None


@rule(C.TEST, C.TERM, cost=-0.02, spoken=True)
def such(table: Table, words: tuple[tuple[str, ...], ...], term: Term) -> Test | None:
    """Read "late trips", "fined loans" as those with more than none of it."""
    if not isinstance(term, Column) or len(words[0]) > 1 or not table.is_number(term.name):
        return None
    column, word = table.column(term.name), words[0][0].lower()
    known = column.known.minimum
    if column.truth is not None or column.is_label or not isinstance(known, int | float) or known > 0:
        return None
    past = any(form is Form.PAST and lemma != word for lemma, form in table.lexicon.morphology.analyses(word))
    adjective = any(one.degree is Degree.POSITIVE and one.lemma == word for one in table.lexicon.dimension(word))
    return Holds(term, CompareOp.GT, Number(0)) if past or adjective else None


@rule(C.TEST, maybe(C.WHERE), C.MOST, C.TERM, cost=-0.04)
def end_of_scale(table: Table, said: Word | None, most: Word, term: Term) -> Test | None:
    """Read "highest priority" as the last of the priorities in their order."""
    order = table.order_of(term.name) if isinstance(term, Column) else ()
    told = order and isinstance(term, Column) and table.is_text(term.name) and table.lists("size", most.said)
    return Is(term.name, (order[-1 if most.meaning == "up" else 0],)) if told and isinstance(term, Column) else None


@rule(C.TEST, C.WHERE, a(C.STATISTIC, words="missing_values"), C.IN, C.TERM)
def with_missing(table: Table, said: Word, missing: Word, in_: Word, term: Term) -> Test | None:
    """Read "rows with missing values in price"."""
    return is_missing(table, term, None, missing)


@rule(C.BOUND, C.COMPARE, C.NUMBER)
def limit(table: Table, said: Word, number: Number) -> Bound:
    """Read "more than 5"; "older than 5" is of an age."""
    word, _, than = said.said.partition(" ")
    of_any = any(table.lists("of_any", lemma) for lemma in table.lexicon.lemmas(word))
    more = said.meaning in ("gt", "ge")
    orders = table.lexicon.dimension(word) if than and not of_any else ()
    about = tuple(dict.fromkeys(concept for order in orders for concept in order.concepts))
    turned = tuple(concept for order in orders if order.descending is not more for concept in order.concepts)
    return Bound(CompareOp(OPERATORS[said.meaning]), number, about=about, turned=turned)


@rule(C.BOUND, C.IS, C.COMPARE, C.NUMBER)
def is_limit(table: Table, said: Word, compare: Word, number: Number) -> Bound:
    """Read "is more than 5"."""
    return limit(table, compare, number)


@rule(C.BOUND, C.NOT, C.COMPARE, C.NUMBER)
def not_limit(table: Table, said: Word, compare: Word, number: Number) -> Bound:
    """Read "not more than 5"."""
    return Bound(_OPPOSITE[CompareOp(OPERATORS[compare.meaning])], number)


@rule(C.BOUND, C.NUMBER, C.BEHIND)
def number_or_more(table: Table, number: Number, said: Word) -> Bound:
    """Read "5 or more"."""
    return Bound(CompareOp(OPERATORS[said.meaning]), number)


@rule(C.BOUND, C.NUMBER, a(C.TO), C.NUMBER, cost=0.05)
def range_(table: Table, low: Number, joined: Word, high: Number) -> Bound | None:
    """Read "18-24"."""
    return Bound(CompareOp.GE, low, high) if low.value < high.value and table.lists("range", joined.said) else None


@rule(C.TEST, maybe(C.WHERE), C.BOUND)
def bound_of_unit(table: Table, said: Word | None, bound: Bound) -> list[Costed] | None:
    """Read "over 30 minutes" as a limit of the column that has such a unit."""
    if not bound.value.unit:
        return None
    columns = table.columns_in(bound.value.unit)
    cost = _ONLY_UNIT if len(columns) == 1 else _SEVERAL_UNITS
    found = ((bounded(table, Column(name), bound)) for name in columns)
    return [
        Costed(one.meaning, cost + one.cost) if isinstance(one, Costed) else Costed(one, cost)
        for one in found
        if one is not None
    ]


@rule(C.TEST, maybe(C.WHERE, C.IS), C.BOUND)
def bound_of_word(table: Table, said: Word | None, bound: Bound) -> list[Costed] | None:
    """Read "younger than 30" as a limit of the column of ages."""
    found: list[Costed] = []
    for concept in (one for one in bound.about if one not in bound.turned):
        for name, cost in table.columns_about(concept):
            test = bounded(table, Column(name), bound)
            if test is not None and not isinstance(test, Costed):
                found.append(Costed(test, cost + _BY_WORD))
    return found or None


@rule(C.TEST, C.TERM, cost=0.12)
def happened(table: Table, term: Term) -> Test | None:
    """Read "cancelled orders" as those that have a date of it."""
    if not isinstance(term, Column) or not table.is_date(term.name):
        return None
    return Lacks(term.name, negated=True) if table.tells_deed(term.name) else None


@rule(C.BOUND, C.BETWEEN, C.NUMBER, a(C.AND, C.TO), C.NUMBER)
def between(table: Table, said: Word, low: Number, joined: Word, high: Number) -> Bound | None:
    """Read "between 3 and 5"."""
    return Bound(CompareOp.GE, low, high) if low.value < high.value else None


_BEYOND = {"after": CompareOp.GT, "before": CompareOp.LT}
OPERATORS = {"gt": ">", "ge": ">=", "lt": "<", "le": "<=", "ne": "!="}
_OPPOSITE = {
    CompareOp.GT: CompareOp.LE,
    CompareOp.GE: CompareOp.LT,
    CompareOp.LT: CompareOp.GE,
    CompareOp.LE: CompareOp.GT,
    CompareOp.NE: CompareOp.EQ,
    CompareOp.EQ: CompareOp.NE,
}


def _beyond(table: Table, term: Term, said: Word, number: Number) -> Test | Costed | None:
    named = isinstance(term, Column) and table.column(term.name).is_identifier
    return None if named else bounded(table, term, Bound(_BEYOND[said.meaning], number))


def bounded(table: Table, term: Term, bound: Bound) -> Test | Costed | None:
    """Return a limit of a number, in the unit of its column; None where the column has no numbers."""
    if isinstance(term, Column) and not table.is_number(term.name):
        return None
    if not is_about(table, term, bound):
        return None
    if isinstance(term, Part) or (isinstance(term, Column) and bound.value.unit and table.column(term.name).is_label):
        return None
    if (
        bound.value.unit == ""
        and 0 < bound.value.value < 1
        and isinstance(term, Column)
        and table.is_percent(term.name)
    ):
        return None  # a part of 1 or a percentage
    low = in_unit_of(table, term, bound.value)
    high = in_unit_of(table, term, bound.upper) if bound.upper is not None else None
    if low is None or (bound.upper is not None and high is None):
        return None
    if high is None:
        found = Holds(term, bound.op, low)
        return found if low.value == bound.value.value else Costed(found, _CONVERTED)
    return Both((Holds(term, CompareOp.GE, low), Holds(term, CompareOp.LE, high)))


def is_about(table: Table, term: Term | None, bound: Bound) -> bool:
    """Tell whether a value may be what a limit is about: "older than 30" is no price where there are ages."""
    columns = {name for concept in bound.about for name, _ in table.columns_about(concept) if table.is_number(name)}
    if isinstance(term, Column) and bound.about and term.name in table.years:
        return False  # what is older has an earlier year
    return not columns or (isinstance(term, Column) and term.name in columns)


def negated(test: Test) -> Test | None:
    """Return the opposite of a condition; None where it has none that can be said so."""
    match test:
        case Is(column, values, was):
            return Is(column, values, negated=not was)
        case Within(period, date, was):
            return Within(period, date, not was)
        case Like(column, mode, text, was):
            return Like(column, mode, text, not was)
        case Lacks(column, was):
            return Lacks(column, not was)
        case Holds(left, op, right):
            return Holds(left, _OPPOSITE[op], right)
        case Beside(left, op, function, by):
            return Beside(left, _OPPOSITE[op], function, by)
        case Both(terms) | Either(terms):  # "excluding A and B" leaves out both
            opposite = tuple(one for term in terms if (one := negated(term)) is not None)
            return Both(opposite) if len(opposite) == len(terms) else None
        case _:
            return None


def undone(test: Test, table: Table) -> Test | None:
    """Return the opposite of a condition, of a yes the no: what "without" or "never" denied."""
    truth = table.column(test.column).truth if isinstance(test, Is) else None
    if isinstance(test, Is) and truth is not None and len(test.values) == 1:
        return Is(test.column, (truth[0] if test.values[0] == truth[1] else truth[1],))
    none = isinstance(test, Holds) and test.op is CompareOp.EQ
    return Holds(test.left, CompareOp.GT, Number(0)) if none and isinstance(test, Holds) else negated(test)


def _terms(test: Test) -> tuple[Test, ...]:
    return test.terms if isinstance(test, Both) else (test,)


def _about(test: Test) -> frozenset[str]:
    return frozenset({test.column}) if isinstance(test, Is | Like | Lacks) else frozenset()


def _operator(said: Word) -> CompareOp:
    return CompareOp(OPERATORS[said.meaning]) if said.meaning in OPERATORS else CompareOp.EQ


def _share_values(table: Table, left: Term, right: Term) -> bool:
    """Tell whether two columns of texts have a value in common, as far as is known."""
    known = [set(table.column(one.name).known.values) for one in (left, right) if isinstance(one, Column)]
    return len(known) < 2 or not all(known) or bool(known[0] & known[1])


def _comparable(table: Table, left: Term, right: Term) -> bool:
    if not isinstance(left, Column) or not isinstance(right, Column):
        return False
    return table.is_number(left.name) == table.is_number(right.name) and (
        table.is_date(left.name) == table.is_date(right.name)
    )
