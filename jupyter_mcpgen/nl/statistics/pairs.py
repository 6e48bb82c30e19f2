"""Statistics of how columns go together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl.assembling.implied import all_measures
from jupyter_mcpgen.nl.statistics.choice import OTHER, Choice, col
from jupyter_mcpgen.nl.statistics.groups import chi_square, difference
from jupyter_mcpgen.nl.statistics.lacking import Lacking, lacking
from jupyter_mcpgen.nl.statistics.named import Named, groups_of
from jupyter_mcpgen.nl.statistics.request import Request
from jupyter_mcpgen.nl.tables.single_rows import names_single_rows
from jupyter_mcpgen.plan.expressions import Case, Columns, Compare, CompareOp, Lit, When
from jupyter_mcpgen.plan.ops import Chart, ChartKind, Derive, Select, Sort, SortKey
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.statistics import CorrelationMatrix, CorrelationMethod, Correlations, LinearRegression

MOST_COLUMNS = 20
"""How many columns are correlated with each other when none are named."""
MOST_OTHERS = 100
"""How many columns one is correlated with when no others are named."""


def _method(request: Request) -> CorrelationMethod:
    ranks = bool({"spearman", "nonparametric"} & request.said) and "pearson" not in request.said
    return CorrelationMethod.SPEARMAN if ranks else CorrelationMethod.PEARSON


def matrix(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield the correlations of all pairs as a square table."""
    names, note = _numbers_or_all(named)
    if len(names) < 2 or named.labels or named.sides:
        yield lacking("Correlations need number columns", named, groups=False, example="correlation matrix")
        return
    yield Choice((CorrelationMatrix(columns=Columns(names=names), method=_method(request)),), notes=note)


def _numbers_or_all(named: Named) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if named.numbers:
        return named.numbers, ()
    every = tuple(name for name in all_measures(named.context) if named.context.is_measure(name))
    if len(every) <= MOST_COLUMNS:
        return every, ("All number columns are taken, because the question names none.",)
    return every[:MOST_COLUMNS], (f"The first {MOST_COLUMNS} of {len(every)} number columns are taken.",)


def correlation(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield the correlations of pairs of columns, the strongest first, or those below or above 0 at that end."""
    ends = {"negative", "positive"} & request.said
    for choice in _with_truths(request, named):
        if isinstance(choice, Choice) and len(ends) == 1:
            order = Sort(keys=(SortKey(column="correlation", descending=ends == {"positive"}),))
            yield replace(choice, steps=(*choice.steps, order))
        else:
            yield choice


def _with_truths(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield correlations in which a yes is 1 and a no 0."""
    truths = tuple(
        name for name in named.labels if name not in named.keys and named.context.type_of(name) is ColumnType.BOOLEAN
    )
    if not truths or "grouped" in request.said:
        yield from _correlation(request, named)
        return
    made = tuple(_as_number(name) for name in truths)
    labels = tuple(name for name in named.labels if name not in truths)
    numbers = (*named.numbers, *(step.name for step in made))
    for choice in _correlation(request, replace(named, numbers=numbers, labels=labels)):
        if isinstance(choice, Choice):
            notes = tuple(f"A yes in `{name}` is taken as 1, a no as 0." for name in truths)
            yield replace(choice, steps=(*made, *choice.steps), notes=(*choice.notes, *notes))
        else:
            yield choice


def _as_number(truth: str) -> Derive:
    """Return the column that has 1 where another one says yes, and 0 where it says no."""
    branches = tuple(
        When(
            condition=Compare(op=CompareOp.EQ, left=col(truth), right=Lit(value=side, type=ColumnType.BOOLEAN)),
            value=Lit(value=int(side), type=ColumnType.INTEGER),
        )
        for side in (True, False)
    )
    return Derive(name=f"{truth}_as_number", expression=Case(branches=branches))


def _correlation(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    if "grouped" not in request.said and not named.keys:  # "for urgent inspections" is no group for each of them
        labels = tuple(name for name in named.labels if not names_single_rows(name, named.context))
        named = replace(named, labels=labels)
    if (named.labels and len(named.numbers) < 2) or named.sides:
        yield lacking(
            "A correlation needs two number columns", named, groups=False, example="correlation between {0} and {3}"
        )
        return
    method = _method(request)
    if len(named.numbers) == 1:
        every = [name for name in all_measures(named.context) if named.context.is_measure(name)]
        others = tuple(name for name in every if name != named.numbers[0])
        if not others:
            yield lacking("A correlation needs two number columns", named, groups=False, example="correlation matrix")
            return
        against = col(named.numbers[0])
        which = "every other number column"
        if len(others) > MOST_OTHERS:
            which = f"the first {MOST_OTHERS} of {len(others)} other number columns"
        note = f"`{named.numbers[0]}` is correlated with {which}."
        chart = Chart(kind=ChartKind.BAR, x="second", y="correlation")
        step = Correlations(columns=Columns(names=others[:MOST_OTHERS]), against=against, method=method)
        yield Choice((step,), chart if len(others) > 1 else None, (note,))
        return
    names, note_all = _numbers_or_all(named)
    if len(names) < 2:
        yield lacking("A correlation needs two number columns", named, groups=False, example="correlation matrix")
        return
    other = CorrelationMethod.SPEARMAN if method is CorrelationMethod.PEARSON else CorrelationMethod.PEARSON
    by = groups_of(named)
    for place, used in enumerate((method, other)):
        step = Correlations(columns=Columns(names=names), method=used, by=by)
        yield Choice((step,), notes=note_all, cost=OTHER * place)


def regression(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield the line of one number over another."""
    if len(named.numbers) != 2 or named.sides:
        example = "linear regression of {0} on {3}"
        if len(named.numbers) > 2 and not named.labels and named.sides is None:
            yield Lacking(_SEVERAL, missing_capability="a regression with several explaining columns")
            return
        if "effect" in request.asks and len(named.numbers) == len(named.labels) == 1:
            yield from difference(request, named)
        else:
            what = "A regression explains one number column by one other"
            yield lacking(what, named, groups=False, example=example)
        return
    y, x = named.numbers
    if request.asks[0] == "effect":  # "does rain affect the yield": what has the effect is named first
        y, x = x, y
    for place, (up, across) in enumerate(((y, x), (x, y))):
        note = f"`{up}` is explained by `{across}`."
        step = LinearRegression(y=col(up), x=col(across), by=groups_of(named))
        yield Choice((step,), notes=(note,), cost=OTHER * place)


_SEVERAL = (
    "The built-in planner cannot compute a regression with several explaining columns yet; this is recorded as a "
    "missing capability. Name one column that explains another."
)


def related(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield the test that suits two columns that may be related."""
    if named.sides is None and not named.numbers and len(named.labels) == 2:
        yield from chi_square(request, named)
    elif len(named.numbers) == 2 and not named.labels:
        yield from correlation(request, named)
    else:
        yield from difference(request, named)


def relation(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Test what no drawing shows well: how two columns of categories go together; numbers of rows are drawn."""
    if len(named.labels) != 2 or named.numbers or named.sides is not None:
        return
    if all(map(named.context.is_code, named.labels)) and any(map(named.context.names_rows, named.labels)):
        x, y = named.labels
        yield Choice((Select(columns=Columns(names=(x, y))),), Chart(kind=ChartKind.SCATTER, x=x, y=y))
    else:
        yield from chi_square(request, named)
