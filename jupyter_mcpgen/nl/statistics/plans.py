"""From what a question asks for and the columns it names to a statistical step, or to the question what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.implied import all_measures
from jupyter_mcpgen.nl.parts import Parts
from jupyter_mcpgen.nl.statistics.request import Request
from jupyter_mcpgen.plan.expressions import AnyOf, Col, Columns, IsIn, IsMissing, Lit, Predicate
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Chart, ChartKind, Filter, Measure, Sort, SortKey, Step
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.statistics import (
    Anova,
    ChiSquare,
    CorrelationMatrix,
    CorrelationMethod,
    Correlations,
    Duplicates,
    Histogram,
    LinearRegression,
    MissingValues,
    Normality,
    OutlierMethod,
    Outliers,
    TwoColumns,
    TwoGroups,
    TwoSampleTest,
)

MOST_GROUPS = 60
"""A column with more values than this is not offered as groups."""
MOST_LIKE_LABELS = 20
"""A whole number with at most so many values can be a category."""
MOST_COLUMNS = 20
"""How many columns are correlated when none are named."""
USUAL_REACH, USUAL_DEVIATIONS = 1.5, 3
OTHER = 0.25
"""What the other test costs that suits the same question."""
INDEPENDENT = "The two are compared as independent samples, without assuming the same spread."


@dataclass(frozen=True)
class Choice:
    """One way to answer: the steps after the conditions, what was assumed, and what it costs."""

    steps: tuple[Step, ...]
    chart: Chart | None = None
    notes: tuple[str, ...] = ()
    cost: float = 0.0
    conditions: tuple[Predicate, ...] = ()


@dataclass(frozen=True)
class Lacking:
    """What a statistic needs and the question does not name."""

    sentence: str


@dataclass(frozen=True)
class Named:
    """The columns of a question by what they can be in a statistic, and the two groups that are set side by side."""

    numbers: tuple[str, ...]
    labels: tuple[str, ...]
    sides: tuple[str, Lit, Lit] | None
    conditions: tuple[Predicate, ...]
    context: Context = field(repr=False)


def named_in(parts: Parts, context: Context) -> Named | None:
    """Return the columns that a question names; None when it asks for more than a statistic has a place for."""
    fine = (
        "columns",
        "enumerated",
        "keys",
        "each",
        "measures",
        "functions",
        "pair",
        "contrasted",
        "relation",
        "varies",
    )
    if not parts.has_only(*fine, "names_rows", "lists_rows", "listed", "overview") or any(k.unit for k in parts.keys):
        return None
    measured = [measure.column for measure in parts.measures if measure.column is not None]
    pair = (parts.pair.up, parts.pair.across) if parts.pair is not None else ()
    columns = tuple(dict.fromkeys((*measured, *pair, *parts.columns, *parts.listed)))
    keys = tuple(key.column for key in parts.keys)
    sides, conditions = _sides(parts.conditions, context)
    labels = tuple(dict.fromkeys((*(c for c in columns if not context.is_measure(c)), *keys)))
    numbers = tuple(c for c in columns if context.is_measure(c) and c not in keys)
    return Named(numbers, labels, sides, conditions, context)


def _sides(
    conditions: tuple[Predicate, ...], context: Context
) -> tuple[tuple[str, Lit, Lit] | None, tuple[Predicate, ...]]:
    """Take the condition that names two values of one column out of the others."""
    for condition in conditions:
        if isinstance(condition, IsIn) and not condition.negated and len(condition.values) == 2:
            first, second = condition.values
            rest = tuple(other for other in conditions if other is not condition)
            return (condition.operand.name, first, second), rest
    return None, conditions


def choices(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield the ways to answer; a `Lacking` when the question does not name enough."""
    asks = set(request.asks)
    order = (
        ("histogram", _histogram), ("missing", _missing), ("duplicates", _duplicates), ("outliers", _outliers),
        ("tukey", _anova), ("anova", _anova), ("mann_whitney", _two_samples), ("t_test", _two_samples),
        ("chi_square", _chi_square), ("normality", _normality), ("matrix", _matrix), ("regression", _regression),
        ("effect", _regression), ("strongest", _correlation), ("correlation", _correlation),
        ("difference", _difference), ("related", _related), ("relation", _relation),
    )  # fmt: skip
    if "ranked" in request.said and not asks & _RANKED:
        return  # what has the most of a test is no question that a test answers
    for name, make in order:
        if name in asks:
            yield from make(request, named)
            return


_RANKED = frozenset({"missing", "correlation", "strongest", "matrix"})
"""What is asked for whose figures can be put in order."""


def _col(name: str) -> Col:
    return Col(name=name)


def _histogram(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    if len(named.numbers) != 1 or named.labels or named.sides:
        yield _lacking(
            "A histogram needs one number column", named, groups=False, example="histogram of {0} with 20 bins"
        )
        return
    bins = Lit(value=int(request.number or 10), type=ColumnType.INTEGER)
    chart = Chart(kind=ChartKind.BAR, x="bin_start", y="count")
    yield Choice((Histogram(column=_col(named.numbers[0]), bins=bins),), chart)


def _missing(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    columns = (*named.numbers, *named.labels) or named.context.profile.schema_.names
    if "any_row" in request.said:
        gaps = tuple(IsMissing(operand=_col(name)) for name in columns)
        rows = Filter(predicate=gaps[0] if len(gaps) == 1 else AnyOf(terms=gaps))
        yield Choice((rows, _count()) if "count" in request.said else (rows,))
        return
    chart = Chart(kind=ChartKind.BAR, x="column", y="missing") if len(columns) > 1 else None
    counted = MissingValues(columns=Columns(names=columns))
    ranked = Sort(keys=(SortKey(column="missing", descending=True),))
    yield Choice((counted, ranked) if "ranked" in request.said else (counted,), chart)


def _duplicates(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    columns = (*named.numbers, *named.labels)
    note = () if columns else ("Two rows are duplicates when they are equal in every column.",)
    columns = columns or named.context.profile.schema_.names
    if "count" in request.said:
        step = Duplicates(columns=Columns(names=columns), repeats_only=True)
        yield Choice(
            (step, _count()), notes=(*note, "Rows that repeat an earlier row are counted, not the first ones.")
        )
    else:
        yield Choice((Duplicates(columns=Columns(names=columns)),), notes=note)


def _count() -> Aggregate:
    return Aggregate(measures=(Measure(function=AggregateFunction.COUNT),))


def _outliers(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    if len(named.numbers) == 1 and len(named.labels) == 1:
        yield _of_all_rows("Outliers are looked for", "outliers in {}", named)
        return
    if len(named.numbers) != 1 or named.labels:
        yield _lacking("Outliers are looked for in one number column", named, groups=False, example="outliers in {0}")
        return
    deviations = bool({"z_score", "deviations"} & request.said)
    methods = [OutlierMethod.Z_SCORE if deviations else OutlierMethod.IQR]
    if not deviations and "iqr" not in request.said:
        methods.append(OutlierMethod.Z_SCORE)
    for place, method in enumerate(methods):
        usual = USUAL_DEVIATIONS if method is OutlierMethod.Z_SCORE else USUAL_REACH
        reach = request.number if request.number is not None and place == 0 else usual
        literal = Lit(value=reach, type=ColumnType.INTEGER if isinstance(reach, int) else ColumnType.REAL)
        step = Outliers(column=_col(named.numbers[0]), method=method, reach=literal)
        steps: tuple[Step, ...] = (step, _count()) if "count" in request.said else (step,)
        yield Choice(steps, notes=(_OUTSIDE[method].format(f"{reach:g}"),), cost=OTHER * place)


_OUTSIDE = {
    OutlierMethod.IQR: "An outlier lies more than {} interquartile ranges below the first or above the third quartile.",
    OutlierMethod.Z_SCORE: "An outlier lies more than {} standard deviations from the mean.",
}


def _anova(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    tukey = "tukey" in request.asks
    name = "An analysis of variance with Tukey's test" if tukey else "An analysis of variance"
    ask = "Tukey HSD" if tukey else "ANOVA"
    if len(named.numbers) != 1 or len(named.labels) != 1:
        yield _lacking(f"{name} compares one number between groups", named, example=f"{ask} of {{0}} by {{1}}")
        return
    value, group = _col(named.numbers[0]), _col(named.labels[0])
    yield Choice((Anova(value=value, group=group, post_hoc=tukey),), notes=(_count_note(named),))
    if not tukey:
        yield Choice((Anova(value=value, group=group, post_hoc=True),), notes=(_count_note(named),), cost=OTHER)


def _count_note(named: Named) -> str:
    number = named.context.column(named.labels[0]).distinct
    return f"The groups are the {number:,} values of `{named.labels[0]}`; the same spread in each is assumed."


def _two_samples(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    test = TwoSampleTest.MANN_WHITNEY if "mann_whitney" in request.asks else TwoSampleTest.WELCH
    yield from _compared(test, named, 0.0)


def _compared(test: TwoSampleTest, named: Named, cost: float) -> Iterator[Choice | Lacking]:
    name = "A t-test" if test is TwoSampleTest.WELCH else "A Mann–Whitney test"
    ask = "t-test" if test is TwoSampleTest.WELCH else "Mann-Whitney test"
    note = (
        (INDEPENDENT,) if test is TwoSampleTest.WELCH else ("The two are compared as independent samples, by ranks.",)
    )
    sides = named.sides
    if sides is None and len(named.numbers) == 1 and len(named.labels) == 1:
        values = _values(named.labels[0], named.context)
        if len(values) != 2:
            yield _which_two(name, named.labels[0], values, named)
            return
        sides = (named.labels[0], *values)
    if sides is not None and len(named.numbers) == 1 and set(named.labels) <= {sides[0]}:
        group, first, second = sides
        step = TwoGroups(test=test, value=_col(named.numbers[0]), group=_col(group), first=first, second=second)
        yield Choice((step,), notes=note, cost=cost)
    elif sides is None and len(named.numbers) == 2 and not named.labels:
        columns = TwoColumns(test=test, first=_col(named.numbers[0]), second=_col(named.numbers[1]))
        paired = "If each row holds a pair of measurements, a paired test would be needed instead."
        yield Choice((columns,), notes=(*note, paired), cost=cost)
    else:
        yield _lacking(f"{name} compares one number between two groups", named, example=f"{ask} of {{0}} by {{1}}")


def _values(name: str, context: Context) -> tuple[Lit, ...]:
    """Return the values of a column of groups, in order; none when they are too many to be known."""
    column, type_ = context.column(name), context.type_of(name)
    if type_ is ColumnType.BOOLEAN:
        return Lit(value=False, type=type_), Lit(value=True, type=type_)
    if not column.complete:
        return ()
    return tuple(Lit(value=value, type=type_) for value in sorted(column.values))


def _which_two(name: str, group: str, values: tuple[Lit, ...], named: Named) -> Lacking:
    known = ", ".join(f"`{value.value}`" for value in values[:12])
    more = f" and {len(values) - 12} more" if len(values) > 12 else ""
    listed = f" Values: {known}{more}." if values else ""
    return Lacking(
        f"{name} compares two groups, and `{group}` has {named.context.column(group).distinct:,}: which two?{listed} "
        f"For all of them at once ask for: ANOVA of {named.numbers[0]} by {group}."
    )


def _chi_square(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    counted = tuple(name for name in named.numbers if _is_like_a_label(name, named.context))
    labels = (*named.labels, *counted)
    if len(labels) != 2 or len(counted) < len(named.numbers) or named.sides:
        example = "chi-square test of {1} and {2}"
        yield _lacking("A chi-square test needs two columns of categories", named, numbers=False, example=example)
        return
    first, second = labels
    yield Choice((ChiSquare(first=_col(first), second=_col(second)),))


def _is_like_a_label(name: str, context: Context) -> bool:
    """Tell whether a number has so few whole values that each can be a category."""
    return context.type_of(name) is ColumnType.INTEGER and context.column(name).distinct <= MOST_LIKE_LABELS


def _normality(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    if len(named.numbers) == 1 and len(named.labels) == 1:
        yield _of_all_rows("A normality test is made", "is {} normally distributed", named)
        return
    if len(named.numbers) != 1 or named.labels:
        example = "is {0} normally distributed"
        yield _lacking("A normality test needs one number column", named, groups=False, example=example)
        return
    yield Choice((Normality(column=_col(named.numbers[0])),))


def _method(request: Request) -> CorrelationMethod:
    ranks = "spearman" in request.said and "pearson" not in request.said
    return CorrelationMethod.SPEARMAN if ranks else CorrelationMethod.PEARSON


def _matrix(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    names, note = _numbers_or_all(named)
    if len(names) < 2 or named.labels or named.sides:
        yield _lacking("Correlations need number columns", named, groups=False, example="correlation matrix")
        return
    yield Choice((CorrelationMatrix(columns=Columns(names=names), method=_method(request)),), notes=note)


def _numbers_or_all(named: Named) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if named.numbers:
        return named.numbers, ()
    every = tuple(name for name in all_measures(named.context) if named.context.is_measure(name))
    if len(every) <= MOST_COLUMNS:
        return every, ("All number columns are taken, because the question names none.",)
    return every[:MOST_COLUMNS], (f"The first {MOST_COLUMNS} of {len(every)} number columns are taken.",)


def _correlation(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    if len(named.numbers) == 2 and len(named.labels) == 1 and not named.sides:
        yield _of_all_rows("A correlation is computed", "correlation between {} and {}", named)
        return
    if named.labels or named.sides:
        yield _lacking(
            "A correlation needs two number columns", named, groups=False, example="correlation between {0} and {3}"
        )
        return
    method = _method(request)
    if len(named.numbers) == 1:
        every = [name for name in all_measures(named.context) if named.context.is_measure(name)]
        others = tuple(name for name in every if name != named.numbers[0])[:MOST_COLUMNS]
        if not others:
            yield _lacking("A correlation needs two number columns", named, groups=False, example="correlation matrix")
            return
        against = _col(named.numbers[0])
        note = f"`{named.numbers[0]}` is correlated with every other number column."
        chart = Chart(kind=ChartKind.BAR, x="second", y="correlation")
        step = Correlations(columns=Columns(names=others), against=against, method=method)
        yield Choice((step,), chart if len(others) > 1 else None, (note,))
        return
    names, note_all = _numbers_or_all(named)
    if len(names) < 2:
        yield _lacking("A correlation needs two number columns", named, groups=False, example="correlation matrix")
        return
    other = CorrelationMethod.SPEARMAN if method is CorrelationMethod.PEARSON else CorrelationMethod.PEARSON
    for place, used in enumerate((method, other)):
        yield Choice((Correlations(columns=Columns(names=names), method=used),), notes=note_all, cost=OTHER * place)


def _regression(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    if len(named.numbers) == 2 and len(named.labels) == 1 and not named.sides:
        yield _of_all_rows("A regression is computed", "linear regression of {} on {}", named)
        return
    if len(named.numbers) != 2 or named.labels or named.sides:
        example = "linear regression of {0} on {3}"
        if "effect" in request.asks and len(named.numbers) == len(named.labels) == 1:
            yield from _difference(request, named)
        else:
            what = "A regression explains one number column by one other"
            yield _lacking(what, named, groups=False, example=example)
        return
    y, x = named.numbers
    if "effect" in request.asks and "regression" not in request.asks:
        y, x = x, y
    for place, (up, across) in enumerate(((y, x), (x, y))):
        note = f"`{up}` is explained by `{across}`."
        yield Choice((LinearRegression(y=_col(up), x=_col(across)),), notes=(note,), cost=OTHER * place)


def _difference(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Pick the test that suits the groups, and offer the one that assumes less."""
    two = named.sides is not None or (len(named.labels) == 1 and named.context.column(named.labels[0]).distinct == 2)
    if two or (len(named.numbers) == 2 and not named.labels):
        yield from _picked(TwoSampleTest.WELCH, "Welch's t-test", named, 0.0)
        yield from _picked(TwoSampleTest.MANN_WHITNEY, "the Mann–Whitney test", named, OTHER)
    elif len(named.numbers) == 1 and len(named.labels) == 1:
        value, group = _col(named.numbers[0]), _col(named.labels[0])
        note = "A one-way ANOVA is taken, because the question names no test and there are more than two groups."
        yield Choice((Anova(value=value, group=group),), notes=(note, _count_note(named)))
        yield Choice((Anova(value=value, group=group, post_hoc=True),), notes=(_count_note(named),), cost=OTHER)
    else:
        example = "significant difference in {0} between groups of {1}"
        yield _lacking("A test of a difference needs one number and groups", named, example=example)


def _picked(test: TwoSampleTest, name: str, named: Named, cost: float) -> Iterator[Choice | Lacking]:
    note = f"Of the tests for two groups {name} is taken, because the question names none."
    for choice in _compared(test, named, cost):
        if isinstance(choice, Choice):
            yield Choice(choice.steps, notes=(note, *choice.notes), cost=choice.cost)
        else:
            yield choice


def _related(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    if named.sides is None and not named.numbers and len(named.labels) == 2:
        yield from _chi_square(request, named)
    elif len(named.numbers) == 2 and not named.labels:
        yield from _correlation(request, named)
    else:
        yield from _difference(request, named)


def _relation(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Test what no drawing shows well: how two columns of categories go together."""
    if len(named.labels) == 2 and not named.numbers and named.sides is None:
        yield from _chi_square(request, named)


def _of_all_rows(what: str, example: str, named: Named) -> Lacking:
    """Say that a statistic is made once over all rows, and how to ask for one group."""
    group = named.labels[0]
    values = _values(group, named.context)
    one = f" where {group} is {values[0].value}" if values else f" where {group} is …"
    return Lacking(
        f"{what} once, over all rows that are asked about, and not for each `{group}` yet. "
        f"Ask for one group at a time: {example.format(*named.numbers)}{one}. Or leave `{group}` out."
    )


def _lacking(what: str, named: Named, *, example: str, numbers: bool = True, groups: bool = True) -> Lacking:
    """Ask for the columns that are missing, with those that fit."""
    fitting = _fitting_numbers(named.context)
    labels = _fitting_groups(named.context)
    wrong = _wrong(named, numbers=numbers, groups=groups)
    parts = [f"{what}: which {_which(numbers, groups)}?", *wrong]
    if numbers:
        parts.append(f"Number columns: {_listed(fitting)}.")
    if groups or not numbers:
        parts.append(f"Columns of groups: {_listed(labels)}.")
    filled = _filled(example, fitting, labels)
    return Lacking(" ".join([*parts, *([f"Ask for example: {filled}."] if filled else [])]))


def _which(numbers: bool, groups: bool) -> str:
    return " and ".join([*(["number"] if numbers else []), *(["groups"] if groups or not numbers else [])])


def _wrong(named: Named, *, numbers: bool, groups: bool) -> list[str]:
    """Say which of the named columns cannot be used."""
    if not groups:
        return [f"`{name}` is no number to compute with." for name in named.labels]
    return [f"`{name}` is a number, not a category." for name in named.numbers] if not numbers else []


def _fitting_numbers(context: Context) -> tuple[str, ...]:
    return tuple(name for name in all_measures(context) if context.is_measure(name))


def _fitting_groups(context: Context) -> tuple[str, ...]:
    return tuple(
        name
        for name in context.profile.schema_.names
        if not context.is_measure(name)
        and context.type_of(name) is not ColumnType.DATE
        and 2 <= context.column(name).distinct <= MOST_GROUPS
    )


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names[:24]) if names else "none"


def _filled(example: str, numbers: tuple[str, ...], groups: tuple[str, ...]) -> str | None:
    places = {"{0}": numbers[:1], "{3}": numbers[1:2], "{1}": groups[:1], "{2}": groups[1:2]}
    for place, found in places.items():
        if place in example:
            if not found:
                return None
            example = example.replace(place, found[0])
    return example
