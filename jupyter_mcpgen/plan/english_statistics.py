"""Says the statistical steps of a plan: one by its columns, and the family of questions it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from jupyter_mcpgen.plan.expressions import Lit
from jupyter_mcpgen.plan.statistics import (
    Anova,
    ChiSquare,
    CorrelationMatrix,
    CorrelationMethod,
    Correlations,
    Duplicates,
    Histogram,
    KruskalWallis,
    LinearRegression,
    MeanInterval,
    MissingValues,
    Normality,
    OutlierMethod,
    Outliers,
    OutlierSide,
    RowStatistic,
    Statistic,
    TwoColumns,
    TwoGroups,
    TwoSampleTest,
)

_TESTS = {
    TwoSampleTest.WELCH: "Welch's t-test",
    TwoSampleTest.MANN_WHITNEY: "Mann–Whitney U test",
    TwoSampleTest.PAIRED: "paired t-test",
    TwoSampleTest.WILCOXON: "Wilcoxon signed-rank test",
}
_METHODS = {CorrelationMethod.PEARSON: "Pearson", CorrelationMethod.SPEARMAN: "Spearman rank"}


_SIDES = {
    OutlierSide.BOTH: "an outlier",
    OutlierSide.LOW: "an outlier on the low side",
    OutlierSide.HIGH: "an outlier on the high side",
}


def say_statistic(step: Statistic) -> str:
    """Return one step in words, such as `ANOVA of price by region, with Tukey's HSD`."""
    match step:
        case MissingValues():
            return f"missing values in {', '.join(step.columns.names)}"
        case Duplicates():
            what = "repeat an earlier row" if step.repeats_only else "occur more than once"
            return f"rows that {what} (equal in {', '.join(step.columns.names)})"
        case Outliers():
            within = f" within each {' and '.join(step.by.names)}" if step.by.names else ""
            far = _far(step.method, _figure(step.reach))
            return f"rows whose {step.column.name} is {_SIDES[step.side]}{within} ({far})"
        case Correlations(against=None):
            pairs = " and ".join(step.columns.names) if len(step.columns.names) == 2 else _list(step.columns.names)
            return f"{_METHODS[step.method]} correlation of {pairs}{_by(step)}"
        case Correlations():
            against = step.against.name if step.against is not None else ""
            return f"{_METHODS[step.method]} correlation of {against} with {_list(step.columns.names)}{_by(step)}"
        case CorrelationMatrix():
            return f"matrix of {_METHODS[step.method]} correlations of {', '.join(step.columns.names)}"
        case LinearRegression():
            return f"linear regression of {step.y.name} on {step.x.name}{_by(step)}"
        case TwoGroups():
            groups = f"{_value(step.first)} and {_value(step.second)} ({step.group.name})"
            return f"{_TESTS[step.test]} of {step.value.name} between {groups}"
        case TwoColumns():
            return f"{_TESTS[step.test]} of {step.first.name} against {step.second.name}"
        case Anova():
            return f"ANOVA of {step.value.name} by {step.group.name}{_tukey(step)}"
        case KruskalWallis():
            return f"Kruskal–Wallis test of {step.value.name} by {step.group.name}"
        case ChiSquare():
            return f"chi-square test of independence of {step.first.name} and {step.second.name}"
        case Normality():
            return f"normality test of {step.column.name}{_by(step)} (D'Agostino–Pearson)"
        case MeanInterval():
            return f"{_level(step.level)} confidence interval of the mean of {step.column.name}{_by(step)}"
        case Histogram():
            return f"histogram of {step.column.name} in {step.bins.value} bins"
        case _:
            assert_never(step)


def say_statistic_generally(step: Statistic) -> str:
    """Return what a family of questions computes, such as `one-way ANOVA of a column by groups`."""
    match step:
        case MissingValues():
            return "missing values of columns"
        case Duplicates():
            return "rows that repeat an earlier row" if step.repeats_only else "rows that occur more than once"
        case Outliers():
            return f"rows that are outliers in a column{' within groups' if step.by.names else ''}"
        case Correlations():
            return f"correlations of number columns{_with(step)}{_by_groups(step)} ({_METHODS[step.method]})"
        case CorrelationMatrix():
            return f"matrix of correlations of number columns ({_METHODS[step.method]})"
        case LinearRegression():
            return f"linear regression of a column on another{_by_groups(step)}"
        case TwoGroups():
            return f"comparison of a column between two groups ({_TESTS[step.test]})"
        case TwoColumns():
            return f"comparison of two columns ({_TESTS[step.test]})"
        case Anova():
            return f"one-way ANOVA of a column by groups{_tukey(step)}"
        case KruskalWallis():
            return "Kruskal–Wallis test of a column by groups"
        case ChiSquare():
            return "chi-square test of independence of two columns"
        case Normality():
            return f"normality test of a column{_by_groups(step)}"
        case MeanInterval():
            return f"confidence interval of the mean of a column{_by_groups(step)}"
        case Histogram():
            return "histogram of a column"
        case _:
            assert_never(step)


def _tukey(step: Anova) -> str:
    return ", with Tukey's HSD" if step.post_hoc else ""


def _by(step: Correlations | LinearRegression | Normality | MeanInterval) -> str:
    return f" by {' and '.join(step.by.names)}" if step.by.names else ""


def _by_groups(step: Correlations | LinearRegression | Normality | MeanInterval) -> str:
    return " by groups" if step.by.names else ""


def _with(step: Correlations) -> str:
    return "" if step.against is None else " with one of them"


def _list(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _far(method: OutlierMethod, reach: str, each: str = "") -> str:
    if method is OutlierMethod.IQR:
        return f"more than {reach} interquartile ranges outside the quartiles{each}"
    return f"more than {reach} standard deviations from the mean{each}"


def _figure(literal: Lit) -> str:
    return f"{float(literal.value):g}"


def _level(literal: Lit) -> str:
    return f"{100 * float(literal.value):g} %"


def _value(literal: Lit) -> str:
    text = str(literal.value)
    return text if text.strip() == text != "" and text.isprintable() else f"“{text}”"


def do_statistic(step: Statistic) -> str:
    """Return what a tool with this step does, in one sentence."""
    match step:
        case MissingValues():
            return "Counts the missing values of each column, and their share from 0 to 1."
        case Duplicates():
            kept = "but not the first of each" if step.repeats_only else "all of them"
            return f"Keeps the rows that are equal in the columns, {kept}; missing values count as equal."
        case Outliers():
            each = " of each group" if step.by.names else ""
            side = "" if step.side is OutlierSide.BOTH else f" on the {step.side.value} side only"
            return f"Keeps the rows whose value lies {_far(step.method, 'the given number of', each)}{side}."
        case Correlations() | CorrelationMatrix():
            return f"Computes {_METHODS[step.method]} correlations from the rows that have both values."
        case LinearRegression():
            each = " of each group" if step.by.names else ""
            return f"Fits the least-squares line{each}, and tests whether its slope differs from 0."
        case TwoColumns() if step.test.is_paired:
            what = "mean of the differences" if step.test is TwoSampleTest.PAIRED else "signed ranks of the differences"
            return f"Tests the {what} between the two values of each row ({_TESTS[step.test]})."
        case TwoGroups() | TwoColumns():
            what = "means, without assuming equal variances" if step.test is TwoSampleTest.WELCH else "ranks"
            return f"Compares the {what}, of two independent samples ({_TESTS[step.test]})."
        case Anova():
            pairs = ", then each pair of groups by Tukey's honestly significant difference" if step.post_hoc else ""
            return f"Compares the means of all groups by a one-way analysis of variance{pairs}."
        case KruskalWallis():
            return "Compares the ranks of all groups (Kruskal and Wallis's H, corrected for ties)."
        case ChiSquare():
            return "Counts the combinations and tests independence; a table of 2 by 2 gets Yates's correction."
        case Normality():
            each = " of each group" if step.by.names else ""
            return f"Tests skewness and kurtosis{each} together (D'Agostino and Pearson's K²)."
        case MeanInterval():
            each = " of each group" if step.by.names else ""
            return f"Computes the mean{each}, and how far around it the true mean may lie (Student's t)."
        case Histogram():
            return "Counts the values in bins of equal width between the smallest and the largest."
        case _:
            assert_never(step)


def limits_of_statistic(step: Statistic) -> Iterator[str]:
    """Yield what a person must know before relying on the figures."""
    if isinstance(step, RowStatistic | MissingValues):
        if isinstance(step, Outliers):
            yield "An outlier is unusual, not wrong: look at the row before leaving it out."
        return
    match step:
        case Correlations() | CorrelationMatrix():
            yield "A correlation does not say what causes what."
            if isinstance(step, CorrelationMatrix):
                yield "A cell is empty where all values of a column are equal or fewer than 2 rows have both values."
            else:
                yield "The p-values are not corrected for testing several pairs."
        case LinearRegression():
            yield "The p-value assumes a straight line with errors of the same spread everywhere."
            yield from _several(step)
        case TwoColumns() if step.test.is_paired:
            yield "The two values of a row must belong together, such as a measurement before and one after."
            if step.test is TwoSampleTest.WILCOXON:
                yield "The p-value is the normal approximation, which is rough for fewer than 10 differences."
        case TwoGroups() | TwoColumns():
            yield "The two samples must be independent; for measurements in pairs another test is needed."
            if step.test is TwoSampleTest.MANN_WHITNEY:
                yield "The p-value is the normal approximation, which is rough for fewer than 8 values on a side."
        case Anova():
            yield "The analysis of variance assumes the same spread in every group."
            if step.post_hoc:
                yield "Tukey's p-values are rounded to 6 decimals, and at most 20 groups are compared in pairs."
        case KruskalWallis():
            yield "It compares medians only where the groups are spread alike; else it says that some lie higher."
            yield "The p-value is the chi-square approximation, which is rough for fewer than 5 values in a group."
        case ChiSquare():
            yield "The p-value is rough where a combination is expected less than 5 times; the finding says so."
        case Normality():
            yield "In large samples even a harmless deviation is significant: look at the histogram too."
            yield from _several(step)
        case MeanInterval():
            yield "The values must be independent of each other, and about normal where they are few."
            yield "Each interval is for itself: whether two means differ is told by a test."
        case Histogram():
            yield "A value on the border of two bins counts in the upper one."


def _several(step: LinearRegression | Normality) -> Iterator[str]:
    if step.by.names:
        yield "The p-values are not corrected for testing several groups."
