"""Random tables, their names and values, and constants of their types."""

from __future__ import annotations

import datetime as dt

import pandas as pd
from hypothesis import strategies as st

from jupyter_mcpgen.plan.expressions import Lit
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema

PLAIN_NAMES = ["amount", "unit price", "kind", "flag", "day", "größe"]
HOSTILE_NAMES = [
    *("Amount", "AMOUNT", "count", "size", "self", "class", "lambda", "__debug__", "df", "pd", "table", "row_order"),
    *("step_0", "source_table", "index", "column", "sum_amount", "value_column", "group_by_columns", "None", "1", ""),
    *('he said "so"', "it's", '"""', "'''", "\\", "\\'", '\\"', "a\nb", "a\r\nb", "tab\there", "a\0b", " a "),
    *("{}", "{0}", "{amount}", "f{amount!r}", "%s", "${x}", "x'); drop", '"); drop table x; --', "/* a", "# b", "a;b"),
    *(
        "{{ spec }}",
        "{% raw %}",
        "__import__('os').system('true')",
        '"]; import os; df["',
        "😀",
        "👩‍🚀",
        "e\u0301",
        "é",
    ),
    *("\u202ekind", "\ufeffkind", "ı", "İ", "ſ", "K", "x" * 300, "a.b", "a[0]", "<b>", "|", "`amount`", "@amount"),
]
NAMES = [*PLAIN_NAMES, *HOSTILE_NAMES]
TEXTS = [
    *("red", "Red", "blue", "it's", 'a"b', "", "dark red", "grün", "%_", "\\", "'; drop table t; --", '"""', "'''"),
    *(
        "{x}",
        "{}",
        "\n",
        "a\nb",
        "😀",
        "%",
        "*",
        ".*",
        "__import__('os')",
        "\\n",
        "nan",
        "None",
        "1",
        "\u202e",
        "x" * 400,
    ),
]
DTYPES = {
    ColumnType.INTEGER: "Int64",
    ColumnType.REAL: "float64",
    ColumnType.TEXT: "str",
    ColumnType.BOOLEAN: "boolean",
    ColumnType.DATE: "datetime64[us]",
}

VALUES = {
    ColumnType.INTEGER: st.integers(-5, 5) | st.none(),
    ColumnType.REAL: st.sampled_from([-2.5, -1.0, 0.0, 0.1, 0.2, 3.75, 1e6, float("nan")]),
    ColumnType.TEXT: st.sampled_from(TEXTS) | st.none(),
    ColumnType.BOOLEAN: st.booleans() | st.none(),
    ColumnType.DATE: st.datetimes(dt.datetime(2019, 12, 28), dt.datetime(2021, 1, 5)).map(
        lambda d: d.replace(microsecond=0)
    )
    | st.none(),
}
_LITERALS = {
    ColumnType.INTEGER: st.integers(-5, 5),
    ColumnType.REAL: st.sampled_from([-1.0, 0.0, 0.1, 3.75]),
    ColumnType.TEXT: st.sampled_from(TEXTS),
    ColumnType.BOOLEAN: st.booleans(),
    ColumnType.DATE: st.sampled_from(["2020-01-01", "2020-02-29", "2020-12-31 12:00:00"]),
}


@st.composite
def tables(draw: st.DrawFn, most_rows: int = 12) -> tuple[pd.DataFrame, Schema]:
    """Draw a table of two to six columns, with missing values and hostile names."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=6, unique=True))
    types = [draw(st.sampled_from(list(ColumnType))) for _ in names]
    rows = draw(st.integers(0, most_rows))
    frame = pd.DataFrame(
        {
            name: pd.Series(draw(st.lists(VALUES[type_], min_size=rows, max_size=rows)), dtype=DTYPES[type_])
            for name, type_ in zip(names, types, strict=True)
        }
    )
    return frame, Schema(fields=tuple(Field(name=n, type=t) for n, t in zip(names, types, strict=True)))


def literal(type_: ColumnType) -> st.SearchStrategy[Lit]:
    """Draw a constant of a type."""
    return _LITERALS[type_].map(lambda value: Lit(value=value, type=type_))


def names_of(schema: Schema, *types: ColumnType) -> list[str]:
    """Return the columns of some types."""
    return [field.name for field in schema.fields if field.type in types]
