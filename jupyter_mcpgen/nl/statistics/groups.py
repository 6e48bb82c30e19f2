"""Tests that compare groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl.predicates import about
from jupyter_mcpgen.nl.statistics.choice import OTHER, Choice, col
from jupyter_mcpgen.nl.statistics.lacking import Lacking, lacking
from jupyter_mcpgen.nl.statistics.named import Named, values_of
from jupyter_mcpgen.nl.statistics.request import Request
from jupyter_mcpgen.nl.tables.numbered_kinds import is_like_a_label
from jupyter_mcpgen.plan.expressions import Lit
from jupyter_mcpgen.plan.statistics import Anova, ChiSquare, KruskalWallis, TwoColumns, TwoGroups, TwoSampleTest

INDEPENDENT = "The two are compared as independent samples, without assuming the same spread."


def anova(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield an analysis of variance, with and without the pairs of groups."""
    if "nonparametric" in request.said:
        yield from kruskal(request, named)
        return
    tukey = "tukey" in request.asks
    name = "An analysis of variance with Tukey's test" if tukey else "An analysis of variance"
    ask = "Tukey HSD" if tukey else "ANOVA"
    if len(named.numbers) != 1 or len(named.labels) != 1:
        yield lacking(f"{name} compares one number between groups", named, example=f"{ask} of {{0}} by {{1}}")
        return
    value, group = col(named.numbers[0]), col(named.labels[0])
    yield Choice((Anova(value=value, group=group, post_hoc=tukey),), notes=(count_note(named),))
    if not tukey:
        yield Choice((Anova(value=value, group=group, post_hoc=True),), notes=(count_note(named),), cost=OTHER)


def count_note(named: Named) -> str:
    """Return what is assumed of the groups of an analysis of variance."""
    return f"{_groups_said(named)}; the same spread in each is assumed."


def _groups_said(named: Named) -> str:
    group = named.labels[0]
    if any(about(condition) == group for condition in named.conditions):
        return f"The groups are the values of `{group}` that are listed"
    return f"The groups are the {named.context.column(group).distinct:,} values of `{group}`"


def kruskal(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield the comparison of the ranks of a number between all groups of a column."""
    if len(named.numbers) != 1 or len(named.labels) != 1:
        what = "A Kruskal–Wallis test compares one number between groups"
        yield lacking(what, named, example="Kruskal-Wallis test of {0} by {1}")
        return
    step = KruskalWallis(value=col(named.numbers[0]), group=col(named.labels[0]))
    yield Choice((step,), notes=(f"{_groups_said(named)}; they are compared by ranks.",))


def two_samples(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield the test of two groups that the question names."""
    ranks = "mann_whitney" in request.asks or "nonparametric" in request.said
    test = TwoSampleTest.MANN_WHITNEY if ranks else TwoSampleTest.WELCH
    yield from compared(test, named, 0.0)


def paired(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield the test of the differences between two columns of the same rows."""
    ranks = "wilcoxon" in request.asks or "nonparametric" in request.said
    test = TwoSampleTest.WILCOXON if ranks else TwoSampleTest.PAIRED
    name, ask = _PAIRED[test]
    if len(named.numbers) != 2 or named.labels or named.sides:
        what = f"{name} compares two number columns of the same rows"
        yield lacking(what, named, groups=False, example=f"{ask} of {{0}} and {{3}}")
        return
    first, second = (col(number) for number in named.numbers)
    yield Choice((TwoColumns(test=test, first=first, second=second),), notes=(_IN_PAIRS,))


_PAIRED = {
    TwoSampleTest.PAIRED: ("A paired t-test", "paired t-test"),
    TwoSampleTest.WILCOXON: ("Wilcoxon's signed-rank test", "Wilcoxon signed-rank test"),
}
_IN_PAIRS = "The two values of each row are taken to belong together; rows that lack one of them are left out."


def compared(test: TwoSampleTest, named: Named, cost: float) -> Iterator[Choice | Lacking]:
    """Yield one test between two groups of a column, or between two columns."""
    name = "A t-test" if test is TwoSampleTest.WELCH else "A Mann–Whitney test"
    ask = "t-test" if test is TwoSampleTest.WELCH else "Mann-Whitney test"
    note = (
        (INDEPENDENT,) if test is TwoSampleTest.WELCH else ("The two are compared as independent samples, by ranks.",)
    )
    named = _with_two_kinds(named)
    sides = named.sides
    if sides is None and len(named.numbers) == 1 and len(named.labels) == 1:
        values = values_of(named.labels[0], named.context)
        if len(values) != 2:
            yield _which_two(name, named.labels[0], values, named)
            return
        sides = (named.labels[0], *values)
    if sides is not None and len(named.numbers) == 1 and set(named.labels) <= {sides[0]}:
        group, first, second = sides
        step = TwoGroups(test=test, value=col(named.numbers[0]), group=col(group), first=first, second=second)
        yield Choice((step,), notes=note, cost=cost)
    elif sides is None and len(named.numbers) == 2 and not named.labels:
        columns = TwoColumns(test=test, first=col(named.numbers[0]), second=col(named.numbers[1]))
        paired = "If each row holds a pair of measurements, ask for a paired t-test instead."
        yield Choice((columns,), notes=(*note, paired), cost=cost)
    else:
        yield lacking(f"{name} compares one number between two groups", named, example=f"{ask} of {{0}} by {{1}}")


def _with_two_kinds(named: Named) -> Named:
    """Return the one of two number columns that only tells two kinds apart, such as 0 and 1, as the groups."""
    if len(named.numbers) != 2 or named.labels or named.sides is not None:
        return named
    twofold = [name for name in named.numbers if is_like_a_label(name, named.context)]
    twofold = [name for name in twofold if named.context.column(name).distinct == len((0, 1))]
    others = tuple(name for name in named.numbers if name not in twofold)
    return replace(named, labels=tuple(twofold), numbers=others) if len(twofold) == len(others) == 1 else named


def _which_two(name: str, group: str, values: tuple[Lit, ...], named: Named) -> Lacking:
    known = ", ".join(f"`{value.value}`" for value in values[:12])
    more = f" and {len(values) - 12} more" if len(values) > 12 else ""
    listed = f" Values: {known}{more}." if values else ""
    return Lacking(
        f"{name} compares two groups, and `{group}` has {named.context.column(group).distinct:,}: which two?{listed} "
        f"For all of them at once ask for: ANOVA of {named.numbers[0]} by {group}."
    )


def chi_square(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield whether two columns of categories are independent."""
    counted = tuple(name for name in named.numbers if is_like_a_label(name, named.context))
    labels = (*named.labels, *counted)
    if len(labels) != 2 or len(counted) < len(named.numbers) or named.sides:
        example = "chi-square test of {1} and {2}"
        yield lacking("A chi-square test needs two columns of categories", named, numbers=False, example=example)
        return
    single = next((name for name in labels if named.context.names_rows(name)), None)
    if single is not None:
        yield Lacking(
            f"`{single}` has another value in nearly every row, so a chi-square test with it would tell nothing. "
            "It needs two columns whose values repeat."
        )
        return
    first, second = labels
    yield Choice((ChiSquare(first=col(first), second=col(second)),))


def difference(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Pick the test that suits the groups, and offer the one that assumes less."""
    two = named.sides is not None or (len(named.labels) == 1 and named.context.column(named.labels[0]).distinct == 2)
    ranks = "nonparametric" in request.said
    if ranks and (two or (len(named.numbers) == 2 and not named.labels)):
        yield from compared(TwoSampleTest.MANN_WHITNEY, named, 0.0)
    elif ranks:
        yield from kruskal(request, named)
    elif two or (len(named.numbers) == 2 and not named.labels):
        yield from _picked(TwoSampleTest.WELCH, "Welch's t-test", named, 0.0)
        yield from _picked(TwoSampleTest.MANN_WHITNEY, "the Mann–Whitney test", named, OTHER)
    elif len(named.numbers) == 1 and len(named.labels) == 1:
        value, group = col(named.numbers[0]), col(named.labels[0])
        note = "A one-way ANOVA is taken, because the question names no test and there are more than two groups."
        for place, pairs in enumerate((request.of_which, not request.of_which)):
            step = Anova(value=value, group=group, post_hoc=pairs)
            yield Choice((step,), notes=(note, count_note(named)), cost=OTHER * place)
    else:
        example = "significant difference in {0} between groups of {1}"
        yield lacking("A test of a difference needs one number and groups", named, example=example)


def _picked(test: TwoSampleTest, name: str, named: Named, cost: float) -> Iterator[Choice | Lacking]:
    note = f"Of the tests for two groups {name} is taken, because the question names none."
    for choice in compared(test, named, cost):
        if isinstance(choice, Choice):
            yield Choice(choice.steps, notes=(note, *choice.notes), cost=choice.cost)
        else:
            yield choice
