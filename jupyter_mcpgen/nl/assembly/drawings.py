"""Answers that are drawn: figures along what goes across, rows by two of their values, counts of a label."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl.assembly.answers import Grouping, Listing
from jupyter_mcpgen.nl.assembly.choice import IMPLIED, SECOND, Choice
from jupyter_mcpgen.nl.assembly.query import Query, numbers_of
from jupyter_mcpgen.nl.grammar.families.figures import COUNTS, ROWS, implied
from jupyter_mcpgen.nl.grammar.meanings import Axis, Band, Column, Figure, Measure, Pair, Part, Sorted, Term
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.ops import ChartKind

_MOSTLY_DIFFERENT = 0.7
"""Where so many of the values across are different, each row is a mark of its own."""
_REPEATED = "Every row is drawn: the question names no calculation, and some rows share the same `{}`."


def is_drawn(query: Query) -> bool:
    """Tell whether a question asks for a chart and names what to draw without saying how it becomes one figure."""
    if query.extreme is not None or query.window is not None or query.limits or query.statistic is not None:
        return False
    axis = query.order is not None and isinstance(query.order.by, Axis)
    return query.pair is not None or ((query.drawn is not None or axis) and not (query.figures and query.keys))


def binned(query: Query, table: Table) -> Query:
    """Put bins in the place of the groups that they tell more of: "in each year …, binned by month"."""
    if not query.bins:
        return query
    keys = query.keys
    for bin_ in query.bins:
        one = replace(bin_, date=_binned_date(query, table)) if isinstance(bin_, Part) and not bin_.date else bin_
        keys = (one, *(key for key in keys if not _told_by(one, key, table)))
    bases = [_base(key) for key in keys]
    terms = tuple(term for term in query.terms if term not in bases)
    return replace(query, keys=keys, terms=terms, bins=())


def _told_by(bin_: Term, key: Term, table: Table) -> bool:
    """Tell whether a group is what its bins say again, or a unit of a date that nobody named."""
    unnamed = isinstance(bin_, Part) and isinstance(key, Part) and key.date == table.dates[0]
    return unnamed or _base(bin_) in (key, _base(key))


def _binned_date(query: Query, table: Table) -> str:
    """Return the date that bins without one are of: the one that the question names, else that of the rows."""
    across = query.pair.across if query.pair is not None else None
    named = (across, *query.keys, *(_base(key) for key in query.keys), *query.terms)
    dates = (term.name for term in named if isinstance(term, Column) and table.is_date(term.name))
    return next(dates, table.dates[0] if table.dates else "")


def drawings(query: Query, table: Table) -> Iterator[Choice]:
    """Yield the drawings that a question may ask for."""
    if query.pair is not None:
        yield from _pair(query, query.pair, table)
        return
    names = _named(query)
    if names is None:
        return
    if query.figures:
        yield from _figures(query, names, table)
        return
    if query.keys:
        yield from _over_keys(query, names, table)
    elif len(names) == 1:
        yield from _one(query, names[0], table)
    elif len(names) in (2, 3):
        yield from _columns(query, names, table)


def _named(query: Query) -> tuple[str, ...] | None:
    """Return the columns that are named alone; None where something else is named as well."""
    if not all(isinstance(term, Column) for term in query.terms):
        return None
    things = (one.column for one in query.entities if one.column)
    return tuple(dict.fromkeys((*things, *(term.name for term in query.terms if isinstance(term, Column)))))


# -- what goes across and what goes up -------------------------------------------------------------------------------


def _pair(query: Query, pair: Pair, table: Table) -> Iterator[Choice]:
    if pair.drawn_only and query.drawn is None:
        return
    if query.figures and set(query.figures) != {pair.up}:
        return
    if _named(query) not in ((), _columns_of(pair)[:1], _columns_of(pair)):
        return
    across, others = _across(pair.across, query.keys)
    if not isinstance(pair.up, Term):
        keys = (across, *others)
        yield from grouping(query, keys, (pair.up,), table, kind=pair.kind)
        return
    kind = chart_of(query) or pair.kind
    both = isinstance(across, Column) and isinstance(pair.up, Column) and pair.kind is None and query.drawn is None
    if both and others and isinstance(across, Column) and _is_measure(across.name, table):
        yield from _amounts(query, others, (pair.up, across), table, kind)  # "made against planned by team"
        return
    if isinstance(across, Column) and isinstance(pair.up, Column):
        colors = tuple(key.name for key in others if isinstance(key, Column))
        if len(colors) == len(others):
            if colors and kind is ChartKind.SCATTER and pair.kind is None:  # "cost against weight, one colour per town"
                yield from _rows(query, (across.name, pair.up.name, *colors), kind, table)
                return
            yield from _two(query, across.name, pair.up.name, colors, kind, table)
            return
    yield from _amounts(query, (across, *others), (pair.up,), table, kind)


def _columns_of(pair: Pair) -> tuple[str, ...]:
    up = pair.up.term if isinstance(pair.up, Figure) else pair.up
    return tuple(dict.fromkeys(term.name for term in (pair.across, up) if isinstance(term, Column)))


def _across(across: Term, keys: tuple[Term, ...]) -> tuple[Term, tuple[Term, ...]]:
    """Return what goes across, by its bins where those are named, and the other groups."""
    own = next((key for key in keys if key == across or _base(key) == across), None)
    return (across, keys) if own is None else (own, tuple(key for key in keys if key != own))


def _base(key: Term) -> Term | None:
    match key:
        case Part(_, date):
            return Column(date)
        case Band(of):
            return of
        case _:
            return None


def _two(
    query: Query, across: str, up: str, colors: tuple[str, ...], kind: ChartKind | None, table: Table
) -> Iterator[Choice]:
    """Yield two values of the rows against each other, or the usual figure of the one by the other."""
    number, measure = table.is_number(up), _is_measure(up, table)
    if not number and table.is_number(across) and kind is not ChartKind.LINE:
        across, up, number, measure = up, across, True, _is_measure(across, table)
    if not number or len(colors) > 1:
        return
    both = _is_measure(across, table) and measure
    if kind is ChartKind.SCATTER or (kind is None and both):
        if not table.is_number(across):
            return
        timed = any(table.is_date(name) or name in table.years for name in colors)
        if not timed and not (colors and all(table.column(name).adds_up for name in (across, up))):
            yield from _rows(query, (across, up, *colors), ChartKind.SCATTER, table)
            return
        yield from _amounts(query, tuple(map(Column, colors)), (Column(up), Column(across)), table, kind)
        return
    single = not measure or _mostly_different(across, table) or both
    if not colors:
        shown = kind if kind not in (None, ChartKind.HISTOGRAM) else ChartKind.BAR
        yield from _rows(query, (across, up), shown, table, 0.0 if single else SECOND)
    if not single:
        yield from _amounts(query, (across, *colors), (Column(up),), table, kind)


def _amounts(
    query: Query, keys: tuple[Term | str, ...], amounts: tuple[Term, ...], table: Table, kind: ChartKind | None
) -> Iterator[Choice]:
    """Yield the usual figures of amounts by groups."""
    measures = tuple(one for term in amounts if (one := implied(table, term)) is not None)
    if len(measures) == len(amounts):
        terms = tuple(Column(key) if isinstance(key, str) else key for key in keys)
        yield from grouping(query, terms, measures, table, IMPLIED, kind)


def _is_measure(name: str, table: Table) -> bool:
    return table.is_number(name) and not table.column(name).is_label and name not in table.years


def _makes_marks(name: str, table: Table) -> bool:
    """Tell whether a chart has a mark for each value of a column."""
    return not _is_measure(name, table) and not table.column(name).is_unique


def _mostly_different(name: str, table: Table) -> bool:
    column = table.column(name)
    return column.known.distinct >= _MOSTLY_DIFFERENT * max(column.rows - column.nulls, 1)


# -- what is only named ----------------------------------------------------------------------------------------------


def _figures(query: Query, names: tuple[str, ...], table: Table) -> Iterator[Choice]:
    """Yield figures by the labels that are named beside them, or a count of a label by that label."""
    if query.keys:
        return
    labels = tuple(name for name in names if not _is_measure(name, table))
    if names and labels == names:
        yield from grouping(query, tuple(map(Column, names)), query.figures, table, IMPLIED)
        return
    match query.figures:
        case (Figure(F.COUNT_DISTINCT, Column(name)),) if not names and _makes_marks(name, table):
            note = f"One mark is drawn for each `{name}`, for the number of its rows."
            for choice in grouping(query, (Column(name),), (ROWS,), table, IMPLIED):
                yield Choice(choice.answer, choice.cost, (note,))


def _over_keys(query: Query, names: tuple[str, ...], table: Table) -> Iterator[Choice]:
    """Yield amounts, or counts of the rows, by the groups that are named."""
    bases = (*query.keys, *(_base(key) for key in query.keys))
    beside = tuple(name for name in names if Column(name) not in bases)
    match query.keys:
        case (Column(own),) if len(beside) == 2 and table.column(own).is_unique:
            yield from _columns(query, beside, table)  # "the age and town of each keeper" are of each row
            return
    if not beside:
        course = only_amount(query, table) if query.drawn is not None and query.drawn.timed else None
        cost = 0.0 if query.entities else IMPLIED
        yield from grouping(query, query.keys, (course or ROWS,), table, cost)
        return
    labels = [key.name for key in query.keys if isinstance(key, Column) and not _is_measure(key.name, table)]
    alone = len(beside) == len(labels) == len(query.keys) == 1 and query.order is None
    if alone and chart_of(query) is ChartKind.HISTOGRAM and _is_measure(beside[0], table):
        yield Choice(Listing(query.tests, (beside[0], labels[0]), chart=ChartKind.HISTOGRAM))
    elif len(beside) == 1 and _is_measure(beside[0], table):
        yield from _amounts(query, query.keys, (Column(beside[0]),), table, chart_of(query))
    elif len(beside) == 1 and len(query.keys) == 1 and isinstance(query.keys[0], Column):
        yield from _two(query, query.keys[0].name, beside[0], (), chart_of(query), table)
    elif len(beside) == 2 and all(_is_measure(name, table) for name in beside) and len(query.keys) == 1:
        key = query.keys[0]
        if isinstance(key, Column):
            yield from _two(query, beside[0], beside[1], (key.name,), chart_of(query), table)


def _one(query: Query, name: str, table: Table) -> Iterator[Choice]:
    """Yield the distribution of one column: bins of a measure, a count of the rows of each label."""
    kind = chart_of(query)
    if not _is_measure(name, table):
        yield from grouping(query, (Column(name),), (ROWS,), table)
    elif kind is ChartKind.HISTOGRAM:
        yield Choice(Listing(query.tests, (name,), chart=kind))
    elif kind is ChartKind.LINE and (table.dates or table.years):
        period = Part(table.usual_unit(table.dates[0]), table.dates[0]) if table.dates else None
        date = period or Column(table.years[0])
        yield from _amounts(query, (date,), (Column(name),), table, kind)


def _columns(query: Query, names: tuple[str, ...], table: Table) -> Iterator[Choice]:
    """Yield what is drawn of columns that are only named."""
    labels = tuple(name for name in names if not table.is_number(name))
    numbers = tuple(name for name in names if table.is_number(name))
    kind = chart_of(query)
    if len(names) == 2 and len(labels) == 1:
        if kind is ChartKind.HISTOGRAM and query.order is None:
            yield Choice(Listing(query.tests, (*numbers, *labels), chart=kind))
        yield from _two(query, labels[0], numbers[0], (), kind, table)
    elif len(names) == 2 and not labels:
        yield from _two(query, names[0], names[1], (), kind, table)
    elif not numbers and len(labels) == 2 and kind in (None, ChartKind.BAR, ChartKind.HEATMAP, ChartKind.HISTOGRAM):
        yield from grouping(query, tuple(map(Column, labels)), (ROWS,), table, IMPLIED)
    elif len(numbers) == 2 and len(labels) == 1 and kind in (None, ChartKind.SCATTER):
        yield from _two(query, numbers[0], numbers[1], labels, ChartKind.SCATTER, table)
    elif len(labels) == 2 and len(numbers) == 1:
        yield from _amounts(query, labels, (Column(numbers[0]),), table, kind)


# -- rows and groups with their order --------------------------------------------------------------------------------


def _rows(query: Query, names: tuple[str, ...], kind: ChartKind, table: Table, cost: float = 0.0) -> Iterator[Choice]:
    order = query.order
    by: str | None = None
    if order is not None:
        match order.by:
            case None | Axis("x"):
                by = names[0] if order.by is not None else names[1]
            case Axis():
                by = names[1]
            case Column(name) if name in names:
                by = name
            case Figure(_, Column(name)) if name in names:
                by = name
            case _:
                return
    elif kind is ChartKind.LINE:
        by = names[0]
    repeated = kind is not ChartKind.SCATTER and not table.column(names[0]).is_unique
    descending = order is not None and bool(order.descending)
    listing = Listing(query.tests, names, Column(by) if by else None, descending, chart=kind)
    yield Choice(listing, cost, (_REPEATED.format(names[0]),) if repeated else ())


def grouping(
    query: Query,
    keys: tuple[Term, ...],
    measures: tuple[Measure, ...],
    table: Table,
    cost: float = 0.0,
    kind: ChartKind | None = None,
) -> Iterator[Choice]:
    """Yield figures by groups in the order that was asked for."""
    bases = {*keys, *(_base(key) for key in keys)}
    measures = tuple(dict.fromkeys(_counting(measure, bases) for measure in measures))
    asked = query.drawn is not None or query.pair is not None or query.order is not None
    unique = asked and [key for key in keys if isinstance(key, Column) and table.column(key.name).is_unique]
    if unique and (len(keys) > 1 or all(isinstance(one, Figure) and one.function in COUNTS for one in measures)):
        return  # a count of each row, or groups of one row each
    order = query.order
    by: Measure | Term | None = None
    if order is not None:
        by = _ordering(order, keys, measures, bases)
        if by is None:
            return
        if isinstance(by, Figure) and by not in measures:
            measures = (*measures, by)
    chart = chart_of(query) or kind
    if query.drawn is not None and query.drawn.usual and chart is ChartKind.PIE and len(keys) > 1:
        return  # "the proportion of each stone at each spring" is a share within what
    yield Choice(
        Grouping(
            query.tests, keys, measures, query.limits, order=by, ordered=order is not None,
            descending=order.descending if order is not None else None,
            chart=chart if chart is not ChartKind.HISTOGRAM else ChartKind.BAR,
        ),
        cost,
    )  # fmt: skip


def only_amount(query: Query, table: Table) -> Measure | None:
    """Return the figure of the one number that a table has, which "the trend by month" is of."""
    amounts = numbers_of(table) - {key.name for key in query.keys if isinstance(key, Column)}
    return implied(table, Column(next(iter(amounts)))) if len(amounts) == 1 and not query.entities else None


def _counting(measure: Measure, keys: set[Term | None]) -> Measure:
    """Return a count of what makes the groups as a count of their rows."""
    if isinstance(measure, Figure) and measure.function is F.COUNT and measure.term is None:
        return replace(measure, implied=False)
    same = isinstance(measure, Figure) and measure.function is F.COUNT_DISTINCT and measure.term in keys
    return ROWS if same else measure


def _ordering(
    order: Sorted, keys: tuple[Term, ...], measures: tuple[Measure, ...], bases: set[Term | None]
) -> Measure | Term | None:
    """Return what groups are ordered by; None where they have nothing of the kind."""
    match order.by:
        case Axis("x") if keys:
            return keys[0]
        case None | Axis() | Figure(F.COUNT, None, None, None, implied=True):
            return measures[0]
        case Figure() as figure:
            figure = _counting(figure, bases)  # type: ignore[assignment]
            if figure in measures:
                return figure
            return next((one for one in measures if isinstance(one, Figure) and one.term == figure.term), figure)
        case term if isinstance(term, Term):
            own = next((key for key in keys if term in (key, _base(key))), None)
            return own or next((one for one in measures if isinstance(one, Figure) and one.term == term), None)
        case measure:
            return measure if measure in measures else None


def chart_of(query: Query) -> ChartKind | None:
    """Return the kind of chart that was named."""
    return query.drawn.kind if query.drawn is not None else None
