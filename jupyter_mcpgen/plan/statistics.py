"""The statistical steps of a plan.

Missing and infinite values are left out of every statistic. A figure that is not defined is missing, and the column
`finding` says in words why.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar, Literal

from jupyter_mcpgen.plan.expressions import Col, Columns, Lit
from jupyter_mcpgen.plan.schema import Node


class CorrelationMethod(StrEnum):
    """Along a line, or of the ranks."""

    PEARSON = "pearson"
    SPEARMAN = "spearman"


class OutlierSide(StrEnum):
    """On which side of the others an outlier lies."""

    BOTH = "both"
    LOW = "low"
    HIGH = "high"


class OutlierMethod(StrEnum):
    """Far outside the quartiles, in interquartile ranges; or far from the mean, in standard deviations."""

    IQR = "iqr"
    Z_SCORE = "z_score"


class TwoSampleTest(StrEnum):
    """Whether two samples have the same mean, or the same ranks."""

    WELCH = "welch"
    MANN_WHITNEY = "mann_whitney"
    PAIRED = "paired"
    """The t-test of the differences within each row."""
    WILCOXON = "wilcoxon"
    """The signed ranks of the differences within each row."""

    @property
    def is_paired(self) -> bool:
        """True where the two values of a row belong together, so that both must be there."""
        return self in (TwoSampleTest.PAIRED, TwoSampleTest.WILCOXON)


Slots = Mapping[str, tuple[str, str]]
"""The fields of a step that become parameters of a tool: their role and what the parameter means."""


class _Statistic(Node):
    """What all statistical steps have in common."""

    slots: ClassVar[Slots] = {}

    @property
    def least_columns(self) -> int:
        """How many columns a list must name."""
        return 1

    @property
    def numbers(self) -> tuple[str, ...]:
        """The columns whose values must be there and finite for a row to be used."""
        return ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The columns whose values must be there for a row to be used."""
        return ()


class MissingValues(_Statistic):
    """One row per column: how many of its values are missing."""

    slots: ClassVar[Slots] = {"columns": ("columns", "Columns to count the missing values of.")}
    kind: Literal["missing_values"] = "missing_values"
    columns: Columns


class Duplicates(_Statistic):
    """Keep the rows whose values occur more than once, or without their first occurrence; missing values are equal."""

    slots: ClassVar[Slots] = {"columns": ("columns", "Columns in which two rows must be equal.")}
    kind: Literal["duplicates"] = "duplicates"
    columns: Columns
    repeats_only: bool = False


class Outliers(_Statistic):
    """Keep the rows whose value lies far from the others; what counts as far follows from the finite values.

    With groups it follows from the values of each group, and rows that lack a group value are no outliers.
    """

    slots: ClassVar[Slots] = {
        "column": ("value_column", "Number column to look for outliers in."),
        "reach": ("reach", "How far an outlier lies outside, in interquartile ranges or standard deviations."),
        "by": ("group_by_columns", "Columns within whose combinations outliers are looked for."),
    }
    kind: Literal["outliers"] = "outliers"
    column: Col
    method: OutlierMethod = OutlierMethod.IQR
    reach: Lit
    side: OutlierSide = OutlierSide.BOTH
    by: Columns = Columns(names=())


class Correlations(_Statistic):
    """One row per pair of columns, or per column with `against`; the strongest correlation first.

    With groups there are such rows for each of them, ordered by the groups; rows that lack a group value are left out.
    """

    slots: ClassVar[Slots] = {
        "against": ("against_column", "Number column that each of the others is correlated with."),
        "columns": ("columns", "Number columns to correlate."),
        "by": ("group_by_columns", "Columns to group by; the correlations within each combination."),
    }
    kind: Literal["correlations"] = "correlations"
    columns: Columns
    against: Col | None = None
    by: Columns = Columns(names=())
    method: CorrelationMethod = CorrelationMethod.PEARSON

    @property
    def least_columns(self) -> int:
        """A pair, unless there is a column to pair each with."""
        return 2 if self.against is None else 1


class CorrelationMatrix(_Statistic):
    """One row and one column per number column; a cell uses the rows that have both values."""

    slots: ClassVar[Slots] = {"columns": ("columns", "Number columns to correlate.")}
    kind: Literal["correlation_matrix"] = "correlation_matrix"
    columns: Columns
    method: CorrelationMethod = CorrelationMethod.PEARSON

    @property
    def least_columns(self) -> int:
        """A matrix of one column says nothing."""
        return 2


class LinearRegression(_Statistic):
    """The least-squares line of one column over another, with one row of figures.

    With groups each has a line of its own, ordered by the groups; rows that lack a group value are left out.
    """

    slots: ClassVar[Slots] = {
        "y": ("y_column", "Number column that is explained."),
        "x": ("x_column", "Number column that explains it."),
        "by": ("group_by_columns", "Columns to group by; a line for each combination."),
    }
    kind: Literal["linear_regression"] = "linear_regression"
    y: Col
    x: Col
    by: Columns = Columns(names=())

    @property
    def numbers(self) -> tuple[str, ...]:
        """Both columns."""
        return self.y.name, self.x.name

    @property
    def labels(self) -> tuple[str, ...]:
        """The columns of the groups."""
        return self.by.names


class _NumberInGroups(_Statistic):
    """What compares a number between the groups of a column."""

    slots: ClassVar[Slots] = {
        "value": ("value_column", "Number column to compare."),
        "group": ("group_column", "Column that says which group a row is in."),
    }
    value: Col
    group: Col

    @property
    def numbers(self) -> tuple[str, ...]:
        """The column that is compared."""
        return (self.value.name,)

    @property
    def labels(self) -> tuple[str, ...]:
        """The column of the groups."""
        return (self.group.name,)


class TwoGroups(_NumberInGroups):
    """Compare a number between two groups of a column: one row of figures."""

    slots: ClassVar[Slots] = {
        **_NumberInGroups.slots,
        "first": ("first_group", "The first group."),
        "second": ("second_group", "The second group."),
    }
    kind: Literal["two_groups"] = "two_groups"
    test: TwoSampleTest = TwoSampleTest.WELCH
    first: Lit
    second: Lit


class TwoColumns(_Statistic):
    """Compare two number columns, as independent samples or within each row: one row of figures."""

    slots: ClassVar[Slots] = {
        "first": ("first_column", "The first number column."),
        "second": ("second_column", "The second number column."),
    }
    kind: Literal["two_columns"] = "two_columns"
    test: TwoSampleTest = TwoSampleTest.WELCH
    first: Col
    second: Col

    @property
    def numbers(self) -> tuple[str, ...]:
        """Both columns where their values belong together; otherwise each is used for itself."""
        return (self.first.name, self.second.name) if self.test.is_paired else ()


class Anova(_NumberInGroups):
    """One-way analysis of variance: one row; with `post_hoc` also a row per pair of groups (Tukey's HSD)."""

    kind: Literal["anova"] = "anova"
    post_hoc: bool = False


class KruskalWallis(_NumberInGroups):
    """Do the ranks of a number differ between the groups of a column (Kruskal and Wallis)? One row of figures."""

    kind: Literal["kruskal_wallis"] = "kruskal_wallis"


class ChiSquare(_Statistic):
    """Are two columns of categories independent? One row of figures."""

    slots: ClassVar[Slots] = {
        "first": ("first_column", "Column with the first category of each row."),
        "second": ("second_column", "Column with the second category of each row."),
    }
    kind: Literal["chi_square"] = "chi_square"
    first: Col
    second: Col

    @property
    def labels(self) -> tuple[str, ...]:
        """Both columns."""
        return self.first.name, self.second.name


class Normality(_Statistic):
    """Is a number distributed normally (D'Agostino and Pearson)? One row of figures.

    With groups each is tested for itself, ordered by the groups; rows that lack a group value are left out.
    """

    slots: ClassVar[Slots] = {
        "column": ("value_column", "Number column to test."),
        "by": ("group_by_columns", "Columns to group by; a test of each combination."),
    }
    kind: Literal["normality"] = "normality"
    column: Col
    by: Columns = Columns(names=())

    @property
    def numbers(self) -> tuple[str, ...]:
        """The column that is tested."""
        return (self.column.name,)

    @property
    def labels(self) -> tuple[str, ...]:
        """The columns of the groups."""
        return self.by.names


class MeanInterval(_Statistic):
    """The mean of a number with its confidence interval by Student's t: one row of figures.

    With groups each has an interval of its own, ordered by the groups; rows that lack a group value are left out.
    """

    slots: ClassVar[Slots] = {
        "column": ("value_column", "Number column to take the mean of."),
        "level": ("confidence_level", "How sure the interval is to hold the mean, between 0 and 1."),
        "by": ("group_by_columns", "Columns to group by; an interval for each combination."),
    }
    kind: Literal["mean_interval"] = "mean_interval"
    column: Col
    level: Lit
    by: Columns = Columns(names=())

    @property
    def numbers(self) -> tuple[str, ...]:
        """The column that is averaged."""
        return (self.column.name,)

    @property
    def labels(self) -> tuple[str, ...]:
        """The columns of the groups."""
        return self.by.names


class Histogram(_Statistic):
    """One row per bin of equal width: where it begins and ends and how many values it holds."""

    slots: ClassVar[Slots] = {
        "column": ("value_column", "Number column to count the values of."),
        "bins": ("bins", "Number of bins of equal width, at least 1."),
    }
    kind: Literal["histogram"] = "histogram"
    column: Col
    bins: Lit

    @property
    def numbers(self) -> tuple[str, ...]:
        """The column that is counted."""
        return (self.column.name,)


RowStatistic = Duplicates | Outliers
"""Statistics that keep some of the rows as they are."""
FigureStatistic = (
    MissingValues | Correlations | CorrelationMatrix | LinearRegression | TwoGroups | TwoColumns | Anova
    | KruskalWallis | ChiSquare | Normality | MeanInterval | Histogram
)  # fmt: skip
"""Statistics that make a table of figures."""
Statistic = RowStatistic | FigureStatistic
