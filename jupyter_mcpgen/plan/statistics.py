"""The statistical steps of a plan: what each needs, what columns it gives, and what makes no sense.

Missing and infinite values are left out of every statistic. A figure that is not defined is missing, and the column
`finding` says in words why.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar, Literal, assert_never

from jupyter_mcpgen.errors import WrongType
from jupyter_mcpgen.plan.expressions import Col, Columns, Lit
from jupyter_mcpgen.plan.schema import ColumnType, Field, Node, Schema

SIGNIFICANCE = 0.05
"""A p-value below this is called significant."""
LEAST_PAIRS = 4
"""A line or a correlation through fewer rows than this says nothing about chance."""
LEAST_FOR_NORMALITY = 20
"""D'Agostino and Pearson's approximation holds from this many values on."""
MOST_COMPARED = 20
"""Tukey's test compares at most this many groups in pairs."""
LEAST_EXPECTED = 5
"""A chi-square test is rough when a combination is expected to occur less often than this."""

NO_INTERCEPT = 1e-6
"""An intercept below this part of the mean of `y` is rounding error: the line passes through the origin."""
SYMMETRIC = 1e-9
"""A skewness below this is rounding error: the values lie symmetrically."""

SIGNIFICANT = "significant at the 5 % level"
NOT_SIGNIFICANT = "not significant at the 5 % level"
NOT_NORMAL = "differs from a normal distribution at the 5 % level"
MAY_BE_NORMAL = "no difference from a normal distribution at the 5 % level"
ROUGH = "; some expected counts are below 5, so the p-value is rough"
NOT_COMPARED = f"; no pairs are compared among more than {MOST_COMPARED} groups"
FEW_PAIRS = f"not defined: fewer than {LEAST_PAIRS} rows have both values"
CONSTANT_COLUMN = "not defined: all values of a column are equal"
FEW_GROUPS = "not defined: there are fewer than 2 groups"
EQUAL_IN_GROUPS = "not defined: within each group all values are equal"
FEW_IN_SAMPLE = "not defined: a group has fewer than 2 values"
EQUAL_IN_SAMPLES = "not defined: within each of the two all values are equal"
EMPTY_SAMPLE = "not defined: a group has no values"
ALL_EQUAL = "not defined: all values are equal"
FEW_CATEGORIES = "not defined: a column has fewer than 2 categories"
FEW_VALUES = f"not defined: there are fewer than {LEAST_FOR_NORMALITY} values"


class CorrelationMethod(StrEnum):
    """Along a line, or of the ranks."""

    PEARSON = "pearson"
    SPEARMAN = "spearman"


class OutlierMethod(StrEnum):
    """Far outside the quartiles, in interquartile ranges; or far from the mean, in standard deviations."""

    IQR = "iqr"
    Z_SCORE = "z_score"


class TwoSampleTest(StrEnum):
    """Whether two samples have the same mean, or the same ranks."""

    WELCH = "welch"
    MANN_WHITNEY = "mann_whitney"


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
    """Keep the rows whose value lies far from the others; what counts as far follows from the finite values."""

    slots: ClassVar[Slots] = {
        "column": ("value_column", "Number column to look for outliers in."),
        "reach": ("reach", "How far an outlier lies outside, in interquartile ranges or standard deviations."),
    }
    kind: Literal["outliers"] = "outliers"
    column: Col
    method: OutlierMethod = OutlierMethod.IQR
    reach: Lit


class Correlations(_Statistic):
    """One row per pair of columns, or per column with `against`; the strongest correlation first."""

    slots: ClassVar[Slots] = {
        "against": ("against_column", "Number column that each of the others is correlated with."),
        "columns": ("columns", "Number columns to correlate."),
    }
    kind: Literal["correlations"] = "correlations"
    columns: Columns
    against: Col | None = None
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
    """The least-squares line of one column over another, with one row of figures."""

    slots: ClassVar[Slots] = {
        "y": ("y_column", "Number column that is explained."),
        "x": ("x_column", "Number column that explains it."),
    }
    kind: Literal["linear_regression"] = "linear_regression"
    y: Col
    x: Col

    @property
    def numbers(self) -> tuple[str, ...]:
        """Both columns."""
        return self.y.name, self.x.name


class TwoGroups(_Statistic):
    """Compare a number between two groups of a column: one row of figures."""

    slots: ClassVar[Slots] = {
        "value": ("value_column", "Number column to compare."),
        "group": ("group_column", "Column that says which group a row is in."),
        "first": ("first_group", "The first group."),
        "second": ("second_group", "The second group."),
    }
    kind: Literal["two_groups"] = "two_groups"
    test: TwoSampleTest = TwoSampleTest.WELCH
    value: Col
    group: Col
    first: Lit
    second: Lit

    @property
    def numbers(self) -> tuple[str, ...]:
        """The column that is compared."""
        return (self.value.name,)

    @property
    def labels(self) -> tuple[str, ...]:
        """The column of the groups."""
        return (self.group.name,)


class TwoColumns(_Statistic):
    """Compare two number columns as independent samples: one row of figures."""

    slots: ClassVar[Slots] = {
        "first": ("first_column", "The first number column."),
        "second": ("second_column", "The second number column."),
    }
    kind: Literal["two_columns"] = "two_columns"
    test: TwoSampleTest = TwoSampleTest.WELCH
    first: Col
    second: Col


class Anova(_Statistic):
    """One-way analysis of variance: one row; with `post_hoc` also a row per pair of groups (Tukey's HSD)."""

    slots: ClassVar[Slots] = {
        "value": ("value_column", "Number column to compare."),
        "group": ("group_column", "Column that says which group a row is in."),
    }
    kind: Literal["anova"] = "anova"
    value: Col
    group: Col
    post_hoc: bool = False

    @property
    def numbers(self) -> tuple[str, ...]:
        """The column that is compared."""
        return (self.value.name,)

    @property
    def labels(self) -> tuple[str, ...]:
        """The column of the groups."""
        return (self.group.name,)


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
    """Is a number distributed normally (D'Agostino and Pearson)? One row of figures."""

    slots: ClassVar[Slots] = {"column": ("value_column", "Number column to test.")}
    kind: Literal["normality"] = "normality"
    column: Col

    @property
    def numbers(self) -> tuple[str, ...]:
        """The column that is tested."""
        return (self.column.name,)


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
    MissingValues | Correlations | CorrelationMatrix | LinearRegression | TwoGroups | TwoColumns | Anova | ChiSquare
    | Normality | Histogram
)  # fmt: skip
"""Statistics that make a table of figures."""
Statistic = RowStatistic | FigureStatistic


def _fields(**types: str) -> tuple[Field, ...]:
    return tuple(Field(name=name, type=ColumnType(type_)) for name, type_ in types.items())


MISSING_FIELDS = _fields(column="text", missing="integer", present="integer", share_missing="real")
CORRELATION_FIELDS = _fields(
    first="text", second="text", n="integer", correlation="real", p_value="real", finding="text"
)
REGRESSION_FIELDS = _fields(
    n="integer", slope="real", intercept="real", r_squared="real", p_value="real", finding="text"
)
ANOVA_FIELDS = _fields(
    groups="integer",
    n="integer",
    f_statistic="real",
    df_between="integer",
    df_within="integer",
    p_value="real",
    eta_squared="real",
    finding="text",
)
CHI_SQUARE_FIELDS = _fields(
    n="integer", chi_square="real", df="integer", p_value="real", cramers_v="real", finding="text"
)
NORMALITY_FIELDS = _fields(
    n="integer", skewness="real", excess_kurtosis="real", statistic="real", p_value="real", finding="text"
)
HISTOGRAM_FIELDS = _fields(bin_start="real", bin_end="real", count="integer")


def post_hoc_fields(group: ColumnType) -> tuple[Field, ...]:
    """Return the columns of an ANOVA with Tukey's test; the groups keep their type."""
    return (
        *_fields(test="text"),
        Field(name="first", type=group),
        Field(name="second", type=group),
        *_fields(difference="real", statistic="real", p_value="real", effect_size="real", finding="text"),
    )


def two_sample_fields(test: TwoSampleTest, label: ColumnType) -> tuple[Field, ...]:
    """Return the columns of a test of two samples, which are called by values of a type."""
    centre, statistic = {
        TwoSampleTest.WELCH: ("mean", {"difference": "real", "t_statistic": "real", "df": "real"}),
        TwoSampleTest.MANN_WHITNEY: ("median", {"u_statistic": "real"}),
    }[test]
    samples = [
        field
        for name in ("first", "second")
        for field in (
            Field(name=name, type=label),
            Field(name=f"n_{name}", type=ColumnType.INTEGER),
            Field(name=f"{centre}_{name}", type=ColumnType.REAL),
        )
    ]
    return (*samples, *_fields(**statistic, p_value="real", effect_size="real", finding="text"))


def schema_after_statistic(step: Statistic, schema: Schema) -> Schema:
    """Return the columns that a statistic gives; raises `UnknownColumn` or `WrongType`."""
    match step:
        case Duplicates():
            _need_columns(step.columns, 1, schema)
            return schema
        case Outliers():
            _need_numbers("outliers", schema, step.column.name)
            if not step.reach.type.is_number or float(step.reach.value) <= 0:
                raise WrongType(f"Outliers lie more than a positive number outside, not `{step.reach.value}`.")
            return schema
        case MissingValues():
            _need_columns(step.columns, 1, schema)
            return Schema(fields=MISSING_FIELDS)
        case Correlations():
            return _after_correlations(step, schema)
        case CorrelationMatrix():
            _need_columns(step.columns, 2, schema)
            _need_numbers("correlation", schema, *step.columns.names)
            cells = tuple(Field(name=name, type=ColumnType.REAL) for name in step.columns.names)
            return Schema(fields=(*_fields(column="text"), *cells))
        case LinearRegression():
            _need_numbers("regression line", schema, step.y.name, step.x.name)
            _need_two("A regression", step.y.name, step.x.name)
            return Schema(fields=REGRESSION_FIELDS)
        case TwoGroups():
            return _after_two_groups(step, schema)
        case TwoColumns():
            _need_numbers("mean or ranks to compare", schema, step.first.name, step.second.name)
            _need_two("A test of two columns", step.first.name, step.second.name)
            return Schema(fields=two_sample_fields(step.test, ColumnType.TEXT))
        case Anova():
            _need_numbers("analysis of variance", schema, step.value.name)
            _need_two("An analysis of variance", step.value.name, step.group.name)
            type_ = schema.type_of(step.group.name)
            return Schema(fields=post_hoc_fields(type_) if step.post_hoc else ANOVA_FIELDS)
        case ChiSquare():
            for name in step.labels:
                if schema.type_of(name) in (ColumnType.REAL, ColumnType.DATE):
                    raise WrongType(f"`{name}` is {schema.type_of(name).value}, so it has no categories to count.")
            _need_two("A chi-square test", *step.labels)
            return Schema(fields=CHI_SQUARE_FIELDS)
        case Normality():
            _need_numbers("distribution to test", schema, step.column.name)
            return Schema(fields=NORMALITY_FIELDS)
        case Histogram():
            _need_numbers("histogram", schema, step.column.name)
            if not isinstance(step.bins.value, int) or step.bins.value < 1:
                raise WrongType(f"A histogram has a whole number of bins from 1 on, not `{step.bins.value}`.")
            return Schema(fields=HISTOGRAM_FIELDS)
        case _:
            assert_never(step)


def _after_correlations(step: Correlations, schema: Schema) -> Schema:
    _need_columns(step.columns, 2 if step.against is None else 1, schema)
    against = () if step.against is None else (step.against.name,)
    _need_numbers("correlation", schema, *against, *step.columns.names)
    for name in against:
        if name in step.columns.names:
            raise WrongType(f"`{name}` is not correlated with itself. Name other columns.")
    return Schema(fields=CORRELATION_FIELDS)


def _after_two_groups(step: TwoGroups, schema: Schema) -> Schema:
    _need_numbers("mean or ranks to compare", schema, step.value.name)
    _need_two("A test of two groups", step.value.name, step.group.name)
    type_ = schema.type_of(step.group.name)
    for group in (step.first, step.second):
        if group.type is not type_ and not (group.type.is_number and type_.is_number):
            raise WrongType(f"`{step.group.name}` is {type_.value}, so `{group.value}` is no group of it.")
    if step.first.value == step.second.value:
        raise WrongType(f"`{step.first.value}` cannot be compared with itself. Name two groups.")
    return Schema(fields=two_sample_fields(step.test, type_))


def _need_columns(columns: Columns, least: int, schema: Schema) -> None:
    for name in columns.names:
        schema.type_of(name)
    if len(set(columns.names)) < max(least, len(columns.names)):
        raise WrongType(f"This needs at least {least} different column{'s' if least > 1 else ''}, each named once.")


def _need_numbers(what: str, schema: Schema, *names: str) -> None:
    for name in names:
        if not schema.type_of(name).is_number:
            raise WrongType(f"`{name}` is {schema.type_of(name).value}, so it has no {what}.")


def _need_two(what: str, first: str, second: str) -> None:
    if first == second:
        raise WrongType(f"{what} needs two columns, and `{first}` is named twice.")
