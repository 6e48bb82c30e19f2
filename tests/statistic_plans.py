"""Random statistical steps over random tables, for the law that both computations of every statistic agree."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from jupyter_mcpgen.plan.expressions import Col, Columns, Lit
from jupyter_mcpgen.plan.plan import Plan
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
)

NAMES = ("size", "unit price", "First", "n")
GROUPS = ("kind", "group")
TEXTS = ("a", "B", "it's", "x y")
SCHEMA = Schema(
    fields=(
        Field(name="size", type=ColumnType.REAL),
        Field(name="unit price", type=ColumnType.REAL),
        Field(name="First", type=ColumnType.REAL),
        Field(name="n", type=ColumnType.INTEGER),
        Field(name="kind", type=ColumnType.TEXT),
        Field(name="group", type=ColumnType.INTEGER),
    )
)


@st.composite
def samples(draw: st.DrawFn) -> pd.DataFrame:
    """Draw a table with gaps, ties, constants, infinite values, and few or many rows."""
    rows = draw(st.sampled_from([33, 120, 20, 7, 4, 3, 2, 1, 0]))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    columns: dict[str, pd.Series] = {name: _numbers(draw, rows, random) for name in NAMES[:3]}
    columns["n"] = pd.Series(random.integers(-3, draw(st.sampled_from([4, 50])), rows), dtype="Int64")
    words = draw(st.integers(1, len(TEXTS)))
    columns["kind"] = pd.Series([TEXTS[i] for i in random.integers(0, words, rows)], dtype="str")
    columns["group"] = pd.Series(random.integers(0, draw(st.sampled_from([1, 3, 25])), rows), dtype="int64")
    frame = pd.DataFrame(columns)
    gaps = draw(st.sampled_from([0.0, 0.2, 0.2, 1.0]))
    for name in ("size", "n", "kind"):
        frame[name] = frame[name].mask(pd.Series(random.random(rows) < gaps, dtype=bool))
    return frame


def _numbers(draw: st.DrawFn, rows: int, random: np.random.Generator) -> pd.Series:
    kind = draw(st.sampled_from(["normal", "ties", "constant", "skewed", "infinite", "decimals", "large"]))
    match kind:
        case "ties":
            values = random.integers(0, 4, rows).astype(float)
        case "constant":
            values = np.full(rows, 0.1)
        case "skewed":
            values = random.exponential(3.0, rows)
        case "decimals":
            values = np.round(random.normal(20.0, 5.0, rows), 1)
        case "large":
            values = 1e6 + random.normal(0.0, 100.0, rows)
        case _:
            values = random.normal(0.0, 1.0, rows)
    if kind == "infinite" and rows:
        values[0], values[-1] = np.inf, -np.inf
    return pd.Series(values, dtype="float64")


def _number(name: str) -> Lit:
    return Lit(value=name, type=ColumnType.TEXT)


def _level(level: float) -> Lit:
    return Lit(value=level, type=ColumnType.REAL)


@st.composite
def statistics(draw: st.DrawFn) -> Statistic:
    """Draw one statistic over the columns of `SCHEMA`."""
    x, y = (Col(name=name) for name in draw(st.permutations(NAMES))[:2])
    some = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True))
    any_ = draw(st.lists(st.sampled_from(SCHEMA.names), min_size=1, max_size=6, unique=True))
    method = draw(st.sampled_from(["pearson", "spearman"]))
    test = draw(st.sampled_from(["welch", "mann_whitney"]))
    groups = Columns(names=tuple(draw(st.lists(st.sampled_from(GROUPS), min_size=1, max_size=2, unique=True))))
    outlier_methods = st.sampled_from(["iqr", "z_score"])
    others = Columns(names=tuple(name for name in some if name != x.name) or (y.name,))
    choices = [
        MissingValues(columns=Columns(names=tuple(any_))),
        Duplicates(columns=Columns(names=tuple(any_)), repeats_only=draw(st.booleans())),
        Outliers(column=x, method="iqr", reach=Lit(value=1.5, type=ColumnType.REAL)),
        Outliers(column=x, method="z_score", reach=Lit(value=draw(st.integers(1, 3)), type=ColumnType.INTEGER)),
        Outliers(column=x, method=draw(outlier_methods), reach=Lit(value=2, type=ColumnType.INTEGER), by=groups),
        Correlations(columns=Columns(names=tuple(some)), method=method),
        Correlations(columns=others, against=x, method=method),
        Correlations(columns=Columns(names=tuple(some)), method=method, by=groups),
        CorrelationMatrix(columns=Columns(names=tuple(some)), method=method),
        LinearRegression(y=y, x=x),
        LinearRegression(y=y, x=x, by=groups),
        TwoColumns(test=test, first=x, second=y),
        TwoColumns(test=draw(st.sampled_from(["paired", "wilcoxon"])), first=x, second=y),
        TwoGroups(test=test, value=x, group=Col(name="kind"), first=_number("a"), second=_number("B")),
        TwoGroups(
            test=test,
            value=x,
            group=Col(name="group"),
            first=Lit(value=0, type=ColumnType.INTEGER),
            second=Lit(value=2, type=ColumnType.INTEGER),
        ),
        Anova(value=x, group=Col(name=draw(st.sampled_from(GROUPS))), post_hoc=draw(st.booleans())),
        KruskalWallis(value=x, group=Col(name=draw(st.sampled_from(GROUPS)))),
        ChiSquare(first=Col(name="kind"), second=Col(name=draw(st.sampled_from(["group", "n"])))),
        Normality(column=x),
        Normality(column=x, by=groups),
        MeanInterval(column=x, level=_level(draw(st.sampled_from([0.5, 0.9, 0.95, 0.999])))),
        MeanInterval(column=x, level=_level(0.95), by=groups),
        Histogram(column=x, bins=Lit(value=draw(st.integers(1, 25)), type=ColumnType.INTEGER)),
    ]
    return draw(st.sampled_from(choices))


@st.composite
def samples_with_statistics(draw: st.DrawFn) -> tuple[pd.DataFrame, Plan]:
    """Draw a table and a plan of one statistic over it."""
    frame = draw(samples())
    return frame, Plan(source="t", source_schema=SCHEMA, steps=(draw(statistics()),))


_KINDS = {step.model_fields["kind"].default: step for step in get_args(Statistic)}
_CONSTANTS = {int: ColumnType.INTEGER, float: ColumnType.REAL, str: ColumnType.TEXT, bool: ColumnType.BOOLEAN}


def statistic(kind: str, **fields: object) -> Statistic:
    """Return a step such as `statistic("anova", value="price", group="kind")`."""
    step = _KINDS[kind]
    return step(**{name: _field(step.model_fields[name].annotation, value) for name, value in fields.items()})


def _field(annotation: object, value: object) -> object:
    if annotation is Columns:
        return Columns(names=tuple(value))
    if annotation is Lit:
        return Lit(value=value, type=_CONSTANTS[type(value)])
    return Col(name=value) if annotation in (Col, Col | None) else value


EVERY_KIND = (
    statistic("missing_values", columns=["size", "kind", "n"]),
    statistic("duplicates", columns=["kind", "group"]),
    statistic("outliers", column="size", reach=1.5),
    statistic("outliers", column="First", method="z_score", reach=2),
    statistic("outliers", column="size", reach=1.5, by=["kind"]),
    statistic("outliers", column="First", method="z_score", reach=2, by=["kind", "group"]),
    statistic("correlations", columns=["size", "unit price", "First", "n"]),
    statistic("correlations", columns=["n", "First"], against="size", method="spearman"),
    statistic("correlations", columns=["size", "unit price", "n"], by=["kind"]),
    statistic("correlation_matrix", columns=["size", "unit price", "n"], method="spearman"),
    statistic("linear_regression", y="size", x="unit price"),
    statistic("two_groups", value="size", group="kind", first="a", second="B"),
    statistic("two_groups", test="mann_whitney", value="n", group="kind", first="a", second="B"),
    statistic("two_columns", first="size", second="unit price"),
    statistic("two_columns", test="mann_whitney", first="First", second="n"),
    statistic("two_columns", test="paired", first="size", second="unit price"),
    statistic("two_columns", test="wilcoxon", first="size", second="n"),
    statistic("anova", value="size", group="kind"),
    statistic("anova", value="unit price", group="group", post_hoc=True),
    statistic("kruskal_wallis", value="size", group="kind"),
    statistic("kruskal_wallis", value="n", group="group"),
    statistic("chi_square", first="kind", second="group"),
    statistic("normality", column="size"),
    statistic("mean_interval", column="size", level=0.95),
    statistic("mean_interval", column="n", level=0.9, by=["group"]),
    statistic("histogram", column="size", bins=12),
)


def usual_sample(seed: int) -> pd.DataFrame:
    """Return a table in which every statistic is defined, with gaps, ties and an infinite value."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(40, 400))
    price = np.round(random.gamma(2.0, 30.0, rows), 2)
    frame = pd.DataFrame(
        {
            "size": random.normal(10.0 ** random.integers(-2, 5), 3.0, rows) + price * random.normal(),
            "unit price": price,
            "First": random.exponential(5.0, rows),
            "n": pd.Series(random.integers(0, 9, rows), dtype="Int64"),
            "kind": pd.Series(random.choice(TEXTS, rows), dtype="str"),
            "group": random.integers(0, 5, rows),
        }
    )
    frame.loc[random.random(rows) < 0.1, ["size", "n"]] = None
    frame.loc[random.random(rows) < 0.05, "kind"] = None
    frame.loc[rows // 2, "First"] = np.inf
    return frame
