"""The columns that a statistical step gives, and what it cannot be asked of."""

from __future__ import annotations

from typing import assert_never

from jupyter_mcpgen.errors import WrongType
from jupyter_mcpgen.plan.expressions import Columns
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema
from jupyter_mcpgen.plan.statistics import (
    Anova,
    ChiSquare,
    CorrelationMatrix,
    Correlations,
    Duplicates,
    Histogram,
    KruskalWallis,
    LinearRegression,
    MeanInterval,
    MissingValues,
    Normality,
    Outliers,
    Statistic,
    TwoColumns,
    TwoGroups,
    TwoSampleTest,
)


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
KRUSKAL_WALLIS_FIELDS = _fields(
    groups="integer",
    n="integer",
    h_statistic="real",
    df="integer",
    p_value="real",
    epsilon_squared="real",
    finding="text",
)
CHI_SQUARE_FIELDS = _fields(
    n="integer", chi_square="real", df="integer", p_value="real", cramers_v="real", finding="text"
)
NORMALITY_FIELDS = _fields(
    n="integer", skewness="real", excess_kurtosis="real", statistic="real", p_value="real", finding="text"
)
MEAN_INTERVAL_FIELDS = _fields(n="integer", mean="real", margin="real", low="real", high="real", finding="text")
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
        TwoSampleTest.PAIRED: ("mean", {"difference": "real", "t_statistic": "real", "df": "integer"}),
        TwoSampleTest.WILCOXON: ("median", {"w_statistic": "real"}),
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
            for name in step.by.names:
                schema.type_of(name)
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
            return Schema(fields=(*_keys(step.by, schema), *REGRESSION_FIELDS))
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
        case KruskalWallis():
            _need_numbers("ranks to compare", schema, step.value.name)
            _need_two("A Kruskal–Wallis test", step.value.name, step.group.name)
            schema.type_of(step.group.name)
            return Schema(fields=KRUSKAL_WALLIS_FIELDS)
        case ChiSquare():
            for name in step.labels:
                if schema.type_of(name) in (ColumnType.REAL, ColumnType.DATE):
                    raise WrongType(f"`{name}` is {schema.type_of(name).value}, so it has no categories to count.")
            _need_two("A chi-square test", *step.labels)
            return Schema(fields=CHI_SQUARE_FIELDS)
        case Normality():
            _need_numbers("distribution to test", schema, step.column.name)
            return Schema(fields=(*_keys(step.by, schema), *NORMALITY_FIELDS))
        case MeanInterval():
            _need_numbers("mean", schema, step.column.name)
            if not step.level.type.is_number or not 0 < float(step.level.value) < 1:
                raise WrongType(f"A confidence level lies between 0 and 1, such as 0.95, not `{step.level.value}`.")
            return Schema(fields=(*_keys(step.by, schema), *MEAN_INTERVAL_FIELDS))
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
    return Schema(fields=(*_keys(step.by, schema), *CORRELATION_FIELDS))


def _keys(by: Columns, schema: Schema) -> tuple[Field, ...]:
    return tuple(Field(name=name, type=schema.type_of(name)) for name in by.names)


def _after_two_groups(step: TwoGroups, schema: Schema) -> Schema:
    _need_numbers("mean or ranks to compare", schema, step.value.name)
    _need_two("A test of two groups", step.value.name, step.group.name)
    type_ = schema.type_of(step.group.name)
    for group in (step.first, step.second):
        if group.type is not type_ and not (group.type.is_number and type_.is_number):
            raise WrongType(f"`{step.group.name}` is {type_.value}, so `{group.value}` is no group of it.")
    if step.test.is_paired:
        raise WrongType("Two groups have no pairs of values: a paired test compares two columns of the same rows.")
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
