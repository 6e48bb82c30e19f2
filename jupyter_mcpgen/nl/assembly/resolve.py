"""From the parts of a question to the answers that it may have, with what each costs in certainty."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from operator import attrgetter

from jupyter_mcpgen.nl.assembly.answers import Answer, Grouping, Listing
from jupyter_mcpgen.nl.assembly.choice import BESIDE, IMPLIED, SECOND, Choice
from jupyter_mcpgen.nl.assembly.comparisons import compares, comparisons, is_against, listed_only, set_apart
from jupyter_mcpgen.nl.assembly.courses import course, course_key, moved
from jupyter_mcpgen.nl.assembly.drawings import binned, drawings, grouping, is_drawn
from jupyter_mcpgen.nl.assembly.edits import mapped, parts
from jupyter_mcpgen.nl.assembly.extremes import by_each, extremes
from jupyter_mcpgen.nl.assembly.lookups import equated, finds_one, without_row_nouns
from jupyter_mcpgen.nl.assembly.query import Query, labels_and_numbers, numbers_of
from jupyter_mcpgen.nl.assembly.statistics import statistics
from jupyter_mcpgen.nl.grammar.families.figures import ORDERED, ROWS, counted, figure, implied
from jupyter_mcpgen.nl.grammar.meanings import (
    Both,
    Bound,
    Column,
    Either,
    Entity,
    Figure,
    Holds,
    Is,
    Lacks,
    Like,
    Limit,
    Measure,
    Number,
    OfEach,
    Part,
    PartOfAll,
    Period,
    Rate,
    Ratio,
    Term,
    Test,
    Within,
)
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.expressions import CompareOp
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.ops import ChartKind

_OF_NAMES = "`{0}` is a label made of numbers, so its {1} may mean nothing."
NOTHING_ASKED, OTHER_ASKED = 0.25, 0.25
"""What it costs that nothing says what "which" asks for."""


AMOUNT = "amount"
AS_AMOUNT, OF_SEVERAL = 0.05, 0.2
"""What it costs to take a noun such as "emissions" for the one amount that rows have, or for one of several."""


def choices(query: Query, table: Table) -> Iterator[Choice]:
    """Yield the answers that a question may have; figures of names are only drawn, and with a note."""
    drawn = query.drawn is not None or query.pair is not None
    for cost, one in _amounts_meant(query, table):
        for choice in _choices(one, table):
            names = tuple(_of_names(choice.answer, table))
            if not names or (drawn and isinstance(choice.answer, Grouping) and choice.answer.keys):
                answer = _with_both(choice.answer, table)
                answer = answer if drawn else _with_names(answer, table)
                yield replace(choice, answer=answer, cost=choice.cost + cost, notes=(*choice.notes, *names))


def _with_both(answer: Answer, table: Table) -> Answer:
    """Return an answer whose quotients are of rows that have both numbers."""
    if not isinstance(answer, Grouping):
        return answer
    sums = [
        figure.term.name
        for ratio in answer.measures
        if isinstance(ratio, Ratio) and ratio.both
        for figure in (ratio.left, ratio.right)
        if figure.function is F.SUM and isinstance(figure.term, Column) and ROWS not in (ratio.left, ratio.right)
    ]
    gaps = tuple(Lacks(name, negated=True) for name in dict.fromkeys(sums) if table.column(name).nulls)
    return replace(answer, tests=(*answer.tests, *gaps)) if gaps else answer


def _with_names(answer: Answer, table: Table) -> Answer:
    """Return an answer whose groups by the name or identifier of a thing show both, so that namesakes stay apart."""
    if not isinstance(answer, Grouping) or answer.window or answer.then or answer.some or answer.after or answer.chart:
        return answer
    keys: list[Term] = []
    per = 0
    for place, key in enumerate(answer.keys):
        pair = table.named_pair(key.name) if isinstance(key, Column) else None
        both = [key] if pair is None else [Column(name) for name in pair]
        keys += [one for one in both if one not in keys]
        per = len(keys) if place < answer.per else per
    return replace(answer, keys=tuple(keys), per=per)


def _amounts_meant(query: Query, table: Table) -> Iterator[tuple[float, Query]]:
    """Yield what is asked where a noun of the rows is that of an amount: "emissions by sector" add up the tonnes."""
    nouns = [one for one in query.entities if not one.column and table.is_amount_noun(one.word)]
    plain = not (query.figures or query.limits or query.extreme or query.statistic or query.pair)
    if not nouns or not plain or any(not isinstance(one, Column) or table.is_number(one.name) for one in query.terms):
        yield 0.0, query
        return
    rest = tuple(one for one in query.entities if one not in nouns)
    money = table.is_money_noun(nouns[0].word)
    amounts = table.totals if not money else [name for name in table.totals if table.column(name).facts.money]
    amounts = amounts or [name for name, _ in table.columns_about(AMOUNT)]
    cost = AS_AMOUNT if len(amounts) == 1 else OF_SEVERAL
    for name in amounts:
        yield cost, replace(query, entities=rest, terms=(*query.terms, Column(name)))
    if len(amounts) != 1:
        yield OF_SEVERAL, query


def _of_names(answer: Answer, table: Table) -> Iterator[str]:
    """Yield what is to be said of sums and averages of numbers that are names."""
    for one in answer.measures if isinstance(answer, Grouping) else ():
        term = one.term if isinstance(one, Figure) and one.function not in ORDERED else None
        if isinstance(one, Figure) and isinstance(term, Column) and table.column(term.name).is_label:
            yield _OF_NAMES.format(term.name, one.function.value)


def _choices(query: Query, table: Table) -> Iterator[Choice]:
    query = dated(_of_its_date(binned(query, table), table), table)
    if query.function:
        joined = _joined(query, table)
        if joined is None:
            return
        query = joined
    if any(one.cell for one in query.entities) and not finds_one(query.tests, table):
        return
    if listed_only(query.sides) and not (query.compared or query.gap or query.statistic or query.asked == "how"):
        return
    how = query.asked == "how"
    if how and (query.compared or is_against(query)) and not query.gap and not (query.sides and query.sides.periods):
        query, how = replace(query, asked=""), False  # "how do Leeds and York compare in price"
    if (how and not query.span) or compares(query):
        yield from comparisons(query, table)
        return
    if query.span or query.how_much or (query.window is not None and query.extreme is not None):
        yield from moved(query, table)
        if query.span or query.how_much:
            return
    query = without_row_nouns(_timed(query, table), table)
    apart = is_against(query) or query.compared
    if is_drawn(query) and not (apart and query.drawn is not None and query.drawn.timed):
        yield from drawings(query, table)
        return
    if query.statistic is not None and query.drawn is not None and query.drawn.kind is ChartKind.SCATTER:
        return  # a scatter plot shows rows
    if query.statistic is not None:
        yield from (Choice(answer) for answer in statistics(query, query.statistic.name, table))
        return
    if query.window is not None:
        yield from course(query, query.window, table)
    elif query.extreme is not None:
        yield from extremes(query, query.extreme, table)
    elif _asks_for_figures(query, table):
        yield from _figures(query, table)
    else:
        yield from _rows(query, table)


def _joined(query: Query, table: Table) -> Query | None:
    """Join a function with the one amount that stands apart from it: "who scored the most on average"."""
    if query.figures:
        return None
    extreme = query.extreme
    if extreme is not None and isinstance(extreme.by, Term):
        found = figure(table, query.function, extreme.by)
        return None if not isinstance(found, Figure) else replace(query, extreme=replace(extreme, by=found))
    numbers = numbers_of(table)
    amounts = [term for term in query.terms if not isinstance(term, Column) or term.name in numbers]
    if len(amounts) != 1:
        return None
    found = figure(table, query.function, amounts[0])
    terms = tuple(term for term in query.terms if term != amounts[0])
    return replace(query, figures=(found,), terms=terms) if isinstance(found, Figure) else None


def _of_its_date(query: Query, table: Table) -> Query:
    """Take a date that was named for that of the periods: "cancellations per month" go by `cancelled_at`."""
    named = [term for term in query.terms if isinstance(term, Column) and table.is_date(term.name)]
    periods = [one for key in query.keys for one in parts(key) if isinstance(one, Part | Within)]
    if len(named) != 1 or not periods or any(figure != ROWS for figure in query.figures):
        return query
    date = named[0].name
    keys = mapped(query.keys, lambda one: replace(one, date=date) if isinstance(one, Part | Within) else one)
    terms = tuple(term for term in query.terms if term != named[0])
    tests = (*query.tests, Lacks(date, negated=True)) if table.column(date).nulls else query.tests
    figures = query.figures if terms else (ROWS,)
    return replace(query, keys=keys, terms=terms, tests=tests, figures=figures)


def _asks_for_figures(query: Query, table: Table) -> bool:
    if query.figures or query.limits or query.keys or query.drawn is not None:
        return True
    if is_against(query):
        return True
    deeds = (one.date for one in query.tests if isinstance(one, Within) and one.date and table.tells_deed(one.date))
    if any(deeds) and not (query.terms or query.entities or query.listed or query.asked):
        return True  # "cancellations in June" are how many there were
    labels, amounts = labels_and_numbers(query, numbers_of(table))
    things = bool(labels) or any(one.column for one in query.entities)
    apart = any(isinstance(test, Is) and test.apart for test in query.tests)
    if query.compared:
        return apart or (things and bool(amounts))  # "how do the towns differ in price"
    return apart and bool(amounts)


def _timed(query: Query, table: Table) -> Query:
    """Group by the periods of a date where a course over time was asked for."""
    if query.drawn is None or not query.drawn.timed or any(isinstance(key, Part) for key in query.keys):
        return query
    if query.pair is not None or any(isinstance(term, Column) and table.tells_time(term.name) for term in query.terms):
        return query
    key = course_key(None, table)
    return replace(query, keys=(key, *query.keys)) if key is not None and key not in query.keys else query


def dated(query: Query, table: Table) -> Query:
    """Put the date of the rows where a period was said without one."""
    measured = [one.name for one in parts((query.figures, query.terms)) if isinstance(one, Column)]
    date = next(iter((*(date for name in measured for date in table.dates_of(name)), *table.dates)), "")
    year = table.years[0] if table.years else ""

    def settled(test: Test) -> Test:
        if isinstance(test, Both | Either):
            return replace(test, terms=tuple(map(settled, test.terms)))
        if not isinstance(test, Within) or test.date:
            return test
        whole = isinstance(test.period, Period) and all(
            end[4:] in ("", "-01-01") for end in (test.period.start, test.period.end)
        )
        return replace(test, date=year if year and (whole or not date) else date)

    def told(test: Test) -> Test:
        """Return a deed that was not done in a period as one of another time, or of none."""
        if isinstance(test, Both | Either):
            return replace(test, terms=tuple(map(told, test.terms)))
        undone = isinstance(test, Within) and test.negated and test.date and table.column(test.date).nulls
        return Either((Lacks(test.date), test)) if undone and isinstance(test, Within) else test

    def inside(one: object) -> object:
        if isinstance(one, Part) and table.dates and one.date == table.dates[0]:
            return replace(one, date=date)
        return told(settled(one)) if isinstance(one, Within) else one

    tests = tuple(told(settled(test)) for test in query.tests)
    keys = mapped(query.keys, inside)
    return replace(
        query, tests=tests, keys=keys, figures=mapped(query.figures, inside), limits=mapped(query.limits, inside)
    )


# -- figures ---------------------------------------------------------------------------------------------------------


def _figures(query: Query, table: Table) -> Iterator[Choice]:
    labels, amounts = labels_and_numbers(query, numbers_of(table))
    things = tuple(dict.fromkeys((*(one.column for one in query.entities if one.column), *labels)))
    only = query.figures[0] if len(query.figures) == 1 else None
    if isinstance(only, PartOfAll) and isinstance(only.of, Is):
        if not (things or amounts or query.limits or query.order or query.named or query.entities):
            keys = (*query.keys, Column(only.of.column))
            ordered = len(keys) > 1
            yield Choice(Grouping(query.tests, keys, (only,), order=only, ordered=ordered, after=(only.of,)))
        return
    shares = [one.figure for one in query.figures if isinstance(one, PartOfAll)]
    others = [one for one in query.figures if not isinstance(one, PartOfAll) and one not in shares]
    if shares and (amounts or others):
        return  # a share of the one in the other, or beside it
    if any(one.function is not F.COUNT for one in shares) and any(not one.column for one in query.entities):
        return  # "share of delayed visits" is one of the visits
    if _sorts(query, table):
        yield Choice(Listing(query.tests, order=query.keys[0]))
        return
    measures, cost = query.figures, 0.0
    if measures == (ROWS,):
        measures = (_rows_counted(query, table),)  # "how many late orders"
    keys = query.keys
    if query.asked in _ASKED_FOR and not (keys or things or query.tests) and not query.order:
        return  # "when did it peak" asks for no amount
    if any(isinstance(measure, Rate) and measure.each for measure in measures):
        yield from _rate_of_things(query, things)
        return
    if any(isinstance(one, Rate) and one.bare for one in measures) and any(
        not isinstance(test, Within) for test in query.tests
    ):
        return  # "percentage of e-bikes without a lock" may be among all bikes
    only = measures[0] if len(measures) == 1 else None
    if isinstance(only, Figure) and only.function is F.COUNT_DISTINCT and only.where is not None:
        query, measures = replace(query, tests=(*query.tests, only.where)), (replace(only, where=None),)
    among = [measure.among for measure in measures if isinstance(measure, Rate) and measure.among is not None]
    if among:
        if len(measures) > 1:
            return  # the other figures would be of these rows alone
        query = replace(query, tests=(*query.tests, among[0]))
    if query.tests and any(isinstance(measure, PartOfAll) for measure in measures):
        only = measures[0]
        if not isinstance(only, PartOfAll) or only.figure != ROWS or len(measures) > 1 or query.terms:
            return
        if not keys and len(query.tests) == 1:
            yield Choice(Grouping((), (), (Rate(query.tests[0], only.percent),)))
        if not keys or any(not isinstance(test, Is | Within) for test in query.tests):
            return  # the rows that count may be those of the part, or of the whole
    if len(measures) == 1 and _is_count(measures[0]) and not (keys or things or amounts or query.limits):
        never = _never(query, (measures[0].term.name,), table, F.COUNT)  # type: ignore[union-attr]
        if never is not None:
            yield never
            return
    if any(isinstance(one, PartOfAll) for one in measures) and (len(keys) > 1 or not (keys or things or query.tests)):
        return  # a share within what, or of nothing
    if len(measures) > 1 and any(isinstance(one, PartOfAll) and one.figure == ROWS for one in measures):
        return  # a share of the rows beside another figure
    if (
        query.compared
        and not keys
        and not things
        and not any(isinstance(test, Is) and test.apart for test in query.tests)
    ):
        return  # nothing is set side by side
    periods = query.named and measures == (ROWS,) and not things
    if query.limits and measures and (periods or (not keys and (ROWS in measures or _is_count(measures[0])))):
        yield from _groups_counted(query, table)
        return
    if any(isinstance(measure, OfEach) for measure in measures):
        yield from _of_each_group(query, things)
        return
    if query.named and not query.limits:
        return  # "which month" alone asks for no figure
    if any(table.column(name).truth is not None for name in labels):
        return
    if not things and not query.limits and not _is_total(measures):
        parted = set_apart(replace(query, keys=keys, figures=measures), amounts, table)
        if parted is None:
            return
        keys, measures, amounts = parted
    if amounts:
        more = tuple(implied(table, term) for term in amounts)
        if None in more or (measures and not keys):
            return
        measures, cost = (*measures, *(one for one in more if one is not None)), cost + IMPLIED
    if query.limits and not keys:
        keys = tuple(map(Column, things))
        if not keys:
            return
        measures = measures or tuple(dict.fromkeys(limit.measure for limit in query.limits))
    elif things:
        if any(table.is_date(name) and Column(name) not in keys for name in things):
            return  # a date beside a figure is what happened, and no group
        if measures and not keys:
            if any(table.column(name).says_yes_or_no for name in things) or not (
                query.listed or query.drawn or query.compared
            ):
                return  # "usage of estimated bills" is one figure
            keys, cost = tuple(map(Column, things)), cost + (0.0 if query.compared else BESIDE)
        elif not measures and keys and len(things) == 1 and _is_counted(query, things[0], table):
            found = counted(table, Entity(things[0]))  # "orders by country" counts each order once
            measures = (found,) if isinstance(found, Figure) else ()
            if not measures:
                return
        elif not measures:
            added = tuple(Column(name) for name in things if Column(name) not in keys)
            if keys and added and not query.listed:
                return  # "complaints by menu" may be how many there were, or which
            keys = (*keys, *added)
        elif any(Column(name) not in keys for name in things):
            return
    if query.limits:
        measures = measures or tuple(dict.fromkeys(limit.measure for limit in query.limits))
    if not measures:
        if query.compared and query.drawn is not None and not query.entities:
            return  # nothing says by what they are compared
        if any(table.is_amount_noun(one.word) for one in query.entities):
            return  # "sales by region" are not how many there were
        measures, cost = (_rows_counted(query, table),), cost + (0.0 if query.entities else IMPLIED)
    only = measures[0]
    if isinstance(only, Figure) and only.implied and isinstance(only.term, Column) and _shows_cell(query, keys, table):
        yield Choice(Listing(query.tests, (only.term.name,)), cost)
        return
    if not keys and any(one.each for one in query.entities):
        return  # a figure of every row alone
    if query.drawn is None and query.order is None and any(_is_row(key, table) for key in keys):
        if len(keys) == 1:
            yield from _of_each_row(query, measures, table, cost)
        return
    yield from grouping(query, keys, measures, table, cost)


def _is_counted(query: Query, name: str, table: Table) -> bool:
    return table.column(name).is_label or (name in table.persons and not query.weak)


def _rows_counted(query: Query, table: Table) -> Figure:
    """Return how many of something rows tell of, where a noun says what they are."""
    nouns = [one for one in query.entities if not one.column and one.word]
    found = counted(table, nouns[0]) if nouns and query.drawn is None else None
    return found if isinstance(found, Figure) else ROWS


def _sorts(query: Query, table: Table) -> bool:
    """Tell whether rows are listed by a number of theirs, which makes no groups: "list the boats by length"."""
    plain = query.listed and query.entities and not any(one.column for one in query.entities)
    others = query.figures or query.terms or query.limits or query.order or query.drawn or query.weak
    key = query.keys[0] if len(query.keys) == 1 else None
    sized = isinstance(key, Column) and key.name in numbers_of(table) and not table.column(key.name).makes_groups
    return bool(plain) and not others and sized


def _is_row(key: Term, table: Table) -> bool:
    """Tell whether groups are single rows by their identifier."""
    return isinstance(key, Column) and table.column(key.name).is_identifier and table.column(key.name).is_unique


def _of_each_row(query: Query, measures: tuple[Measure, ...], table: Table, cost: float) -> Iterator[Choice]:
    """Yield amounts of every row beside what it is called: "the fee of each member"."""
    plain = (one.term.name for one in measures if isinstance(one, Figure) and isinstance(one.term, Column))
    terms = tuple(plain)
    shown = tuple(name for name in table.called if name not in terms)
    if len(terms) == len(measures) and shown and not query.limits:
        yield Choice(Listing(query.tests, (*shown, *terms)), cost)


def _rate_of_things(query: Query, things: tuple[str, ...]) -> Iterator[Choice]:
    """Yield what part of things has such a row, for all of them or within groups."""
    only = query.figures[0]
    if (
        not isinstance(only, Rate)
        or len(query.figures) > 1
        or query.terms
        or query.limits
        or query.order
        or query.named
    ):
        return
    if any(name != only.each for name in things):
        return
    tests = query.tests if only.among is None else (*query.tests, only.among)
    such = Figure(F.COUNT, where=only.test)
    keys = (*query.keys, Column(only.each))
    yield Choice(Grouping(tests, keys, (such,), per=len(query.keys), some=only))


def _of_each_group(query: Query, things: tuple[str, ...]) -> Iterator[Choice]:
    """Yield a figure of the figures of groups, for all of them or within further groups."""
    only = query.figures[0]
    alone = len(query.figures) == 1 and not (things or query.terms or query.limits or query.order or query.named)
    if isinstance(only, OfEach) and alone and only.each not in query.keys:
        keys = (*query.keys, only.each)
        yield Choice(Grouping(query.tests, keys, (only.figure,), per=len(query.keys), then=only.function))
        if only.function is F.MEAN and only.or_within and only.figure.term is not None:
            yield Choice(Grouping(query.tests, keys, (Figure(F.MEAN, only.figure.term),)))  # the average in each


def _is_total(measures: tuple[Measure, ...]) -> bool:
    """Tell whether one total was asked for, which adds up what was set side by side."""
    return any(isinstance(one, Figure) and one.function is F.SUM and not one.implied for one in measures)


def _is_count(measure: Measure) -> bool:
    return isinstance(measure, Figure) and measure.function is F.COUNT_DISTINCT and isinstance(measure.term, Column)


def _groups_counted(query: Query, table: Table) -> Iterator[Choice]:
    """Yield how many things meet a limit of what each has: "how many towns had more than 3 orders"."""
    counted = [figure.term for figure in query.figures if _is_count(figure) and isinstance(figure, Figure)]
    counted = list(query.keys) or counted  # "how many months had more than 3 orders"
    if len(query.figures) != 1 or len(counted) != 1 or counted[0] is None or query.terms or query.entities:
        return
    measures = tuple(dict.fromkeys(limit.measure for limit in query.limits))
    yield Choice(Grouping(query.tests, (counted[0],), measures, query.limits, then=F.COUNT))


def _never(query: Query, things: tuple[str, ...], table: Table, then: F | None = None) -> Choice | None:
    """Return "members without a fine" as those that have no such row, where members come back in several rows."""
    if len(things) != 1 or not table.repeats(things[0]):
        return None
    denied = [test for test in query.tests if isinstance(test, Is | Within | Like) and test.negated]
    denied = [test for test in denied if isinstance(test, Within) or test.column != things[0]]
    if len(denied) != 1:
        return None
    rest = tuple(test for test in query.tests if test is not denied[0])
    lacks = replace(denied[0], negated=False)
    return Choice(Grouping(rest, (Column(things[0]),), (ROWS,), lacks=lacks, then=then), IMPLIED)


def _shows_cell(query: Query, keys: tuple[Term, ...], table: Table) -> bool:
    """Tell whether an amount is that of one row, which shows its cell."""
    return not keys and len(query.figures) <= 1 and not query.limits and finds_one(query.tests, table)


# -- rows ------------------------------------------------------------------------------------------------------------


def _rows(query: Query, table: Table) -> Iterator[Choice]:
    """Yield rows, or figures of an amount that was named without a function."""
    labels, amounts = labels_and_numbers(query, numbers_of(table))
    things = tuple(dict.fromkeys((*(one.column for one in query.entities if one.column), *labels)))
    if query.compared and not amounts and len(things) == 1:
        yield from by_each(query, things[0], table)
        return
    if query.compared:
        return
    order = query.order
    never = _never(query, things, table)
    if never is not None:
        if not amounts and order is None:
            yield never
        return
    if query.asked in _ASKED_FOR and not things and not amounts and not query.tests:
        return  # nothing says of what
    if query.asked in _ASKED_FOR and not things and not amounts:
        tested = {one.column for one in query.tests if isinstance(one, Is)}
        things = tuple(name for name in _ASKED_FOR[query.asked](table) if name not in tested)[:1]
        if not things and not (query.asked == "who" and table.rows_are_persons):
            return  # no column says who, when or where
    told = (*things, *(term.name for term in amounts if isinstance(term, Column)))
    if query.asked == "who" and told and all(table.is_date(name) or table.is_number(name) for name in told):
        return  # nobody is a date
    if query.asked == "who" and things and not query.tests and not set(things) & set(table.persons):
        return  # a herb is nobody
    timed = any(name in table.times or table.tells_time(name) for name in things)
    if query.asked == "when" and things and table.times and not timed:
        return  # a game is no day
    if query.asked == "where" and things and all(map(table.tells_time, things)):
        return  # no day is a place
    by = order.by if order is not None and isinstance(order.by, Term) else None
    names = tuple(term.name for term in query.terms if isinstance(term, Column))
    asked = query.listed or query.asked or any(one.asked for one in query.entities)
    if not asked and any(table.is_date(name) and table.tells_deed(name) for name in names):
        return  # "condos sold" are some of them, and not when they were
    shown = tuple(dict.fromkeys((*(one.column for one in query.entities if one.column), *names)))
    grouped = _of_each_thing(query, table)
    if grouped is not None:
        yield grouped
        return
    tested = {name for test in query.tests if (name := equated(test)) is not None}
    untold = tuple(name for name in shown if name not in tested)
    if shown and not untold:
        return  # what was said is not what is asked for
    shown = untold or shown or things
    if any(not one.column for one in query.entities) and any(table.column(name).truth is not None for name in shown):
        return  # "insured hires" are some of the hires, not what `insured` says
    listing = Listing(query.tests, shown, by, bool(order and order.descending))
    if order is not None and by is None:
        return
    single = finds_one(query.tests, table)
    if amounts and not things:
        measures = tuple(one for term in amounts if (one := implied(table, term)) is not None)
        if any(one.each for one in query.entities):
            yield from _of_each_row(query, measures, table, IMPLIED)
            return
        if len(measures) == len(amounts) and order is None:
            yield Choice(Grouping(query.tests, (), measures), IMPLIED + (SECOND if single else 0.0))
        if len(names) == len(query.terms):
            yield Choice(listing, 0.0 if single else SECOND)
        return
    if len(names) < len(query.terms):
        return
    sorts = order is not None and (order.of_rows or query.entities)
    if not (query.tests or shown or sorts) and not (query.listed and query.entities):
        return
    if any(one.different for one in query.entities):
        yield Choice(replace(listing, distinct=True))
        return
    if len(shown) == 1 and query.tests and not (amounts or order or single):
        yield Choice(_of_things(listing, query, table, asked=bool(asked)))
        return
    if shown and not query.tests and len(shown) == 1 and not amounts:
        if not _asks_for(query) or by not in (None, Column(shown[0])):
            return
        yield Choice(replace(listing, distinct=True), IMPLIED)
        return
    rows_asked = any(one.asked and not one.column for one in query.entities)
    other = OTHER_ASKED if rows_asked and query.beside else 0.0
    asks = query.asked == "which" or (query.listed and not query.entities)
    yield Choice(listing, other + (NOTHING_ASKED if asks and not shown else 0.0))


def _of_things(listing: Listing, query: Query, table: Table, *, asked: bool) -> Answer:
    """Return each of several things once that conditions leave, with the number of its rows where nothing asks which.

    What is named in the singular may be a cell of the rows.
    """
    name = listing.columns[0]
    column, several = table.column(name), name in query.plural
    if not (table.is_text(name) or column.is_label):
        return listing
    if asked:
        one_asked = any(one.asked for one in query.entities)
        told = several or (one_asked and (table.is_told_often(name) or table.has_identifier))
        return replace(listing, distinct=True) if told and table.repeats(name) else listing
    if column.is_unique and column.is_identifier and several:
        return replace(listing, columns=())  # the rows themselves
    if several and table.met.comes_back(name, listing.tests):
        return Grouping(listing.tests, (Column(name),), (ROWS,))
    return listing


def _asks_for(query: Query) -> bool:
    """Tell whether a question asks which values there are, or says a column and nothing else."""
    asked = any(one.asked or one.different for one in query.entities)
    return asked or query.listed or bool(query.asked) or not query.entities


_ASKED_FOR: dict[str, Callable[[Table], tuple[str, ...]]] = {
    "when": attrgetter("times"),
    "where": attrgetter("places"),
    "who": attrgetter("persons"),
}
"""The columns that question words ask for."""


def _of_each_thing(query: Query, table: Table) -> Choice | None:
    """Return "couriers with more than 60 km" by the total of each courier, where couriers come back in several rows."""
    labels, _ = labels_and_numbers(query, numbers_of(table))
    things = tuple(dict.fromkeys((*(one.column for one in query.entities if one.column), *labels)))
    limits = tuple(limit for test in query.tests if (limit := _total_limited(test, table)) is not None)
    text = len(things) == 1 and (table.is_text(things[0]) or table.column(things[0]).is_label)
    if query.asked == "who" or any(not one.column for one in query.entities):
        return None  # "the opponent of the match with more than" is of one match
    limited = {limit.measure.term for limit in limits if isinstance(limit.measure, Figure)}
    others = [term for term in query.terms if term not in limited]
    if not text or len(others) > 1 or not limits or not table.repeats(things[0]):
        return None
    measures = tuple(dict.fromkeys(limit.measure for limit in limits))
    rest = tuple(test for test in query.tests if _total_limited(test, table) is None)
    return Choice(Grouping(rest, (Column(things[0]),), measures, limits))


def _total_limited(test: Test, table: Table) -> Limit | None:
    """Return a limit of an amount as one of its total."""
    match test:
        case Holds(Column(name), op, Number() as number) if op is not CompareOp.EQ and table.column(name).adds_up:
            return Limit(Figure(F.SUM, Column(name)), Bound(op, number))
        case _:
            return None
