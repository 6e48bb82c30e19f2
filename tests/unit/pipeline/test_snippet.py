"""The law of an answer's code: run in a namespace that holds only the table, it gives the result."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from sqlglot import tokenize

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.data.references import file_ref, frame_ref, read_frame
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.pipeline.material import Material, table_name
from jupyter_mcpgen.pipeline.snippet import laid_out, plain_pandas, sql_over
from jupyter_mcpgen.plan.emit.duckdb import emit_duckdb
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.reshaping import Members
from tests.engines import run_duckdb, run_pandas
from tests.laws import law
from tests.plans import date, group, plan_of, sort, where
from tests.strategies.plans import tables_with_plans


def material_of(ref: DataRef) -> Material:
    frame = read_frame(ref)
    return Material(ref=ref, rows=frame, profile=profile(table_name(ref), frame), before="")


def result_of(code: str, variables: dict[str, Any]) -> Any:
    """Run a cell and return what its last line shows."""
    *lines, last = code.strip().split("\n")
    namespace = dict(variables)
    exec("\n".join(lines), namespace)  # noqa: S102  the code under test
    return eval(last, namespace)  # noqa: S307  the code under test


@law(60)
@given(tables_with_plans())
def test_the_code_gives_the_result_and_overwrites_no_table(
    tmp_path_factory: pytest.TempPathFactory, case: tuple[pd.DataFrame, Plan]
) -> None:
    frame, plan = case
    ref = frame_ref("table", frame, tmp_path_factory.mktemp("snapshots"))
    before = frame.copy(deep=True)
    variables = {"table": frame}

    code = plain_pandas(plan, material_of(ref), variables)

    assert first_difference(result_of(code, variables), run_pandas(plan, frame)) is None, code
    pd.testing.assert_frame_equal(frame, before)


PLAN = plan_of({"berth": "text", "tons": "real", "day": "date"}, group("berth", "sum tons"), sort("sum_tons desc"))
LATER = plan_of(
    {"berth": "text", "tons": "real", "day": "date"}, where("day", ">=", date("2024-02-01")), group("berth", "sum tons")
)
CARGO = pd.DataFrame(
    {
        "berth": ["N", "S", "N", "E"],
        "tons": [1.5, 2.25, 4.0, 8.0],
        "day": pd.to_datetime(["2024-01-03", "2024-02-01", "2024-02-09", "2024-03-01"]),
    }
)
SHAPES: dict[str, Any] = {
    "plain": CARGO,
    "categories": CARGO.assign(berth=CARGO["berth"].astype(pd.CategoricalDtype(["S", "N", "E"]))),
    "days as text": CARGO.assign(day=CARGO["day"].dt.strftime("%Y-%m-%d")),
    "days as objects": CARGO.assign(
        day=[dt.date(2024, 1, 3), dt.date(2024, 2, 1), dt.date(2024, 2, 9), dt.date(2024, 3, 1)]
    ),
    "a time zone": CARGO.assign(day=CARGO["day"].dt.tz_localize("Europe/Oslo")),
    "decimals": CARGO.assign(tons=[Decimal("1.5"), Decimal("2.25"), Decimal("4"), Decimal("8")]),
    "arrow types": CARGO.convert_dtypes(dtype_backend="pyarrow"),
    "a named index": CARGO.set_index("berth"),
    "repeated labels": CARGO.set_axis([7, 7, 8, 8]),
    "a table of arrow": pa.Table.from_pandas(CARGO),
    "polars": pl.from_pandas(CARGO),
    "lazy polars": pl.from_pandas(CARGO).lazy(),
    "dask": dd.from_pandas(CARGO, npartitions=2),
    "dask with a named index": dd.from_pandas(CARGO.set_index("berth"), npartitions=2),
    "dask with days as text": dd.from_pandas(CARGO.assign(day=CARGO["day"].dt.strftime("%Y-%m-%d")), npartitions=2),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("plan", [PLAN, LATER], ids=["a total", "a condition on a day"])
@pytest.mark.parametrize("shape", SHAPES)
def test_any_kind_of_table_can_be_used_as_it_is(shape: str, plan: Plan, tmp_path: Path) -> None:
    variables = {"cargo": SHAPES[shape]}
    material = material_of(frame_ref("cargo", SHAPES[shape], tmp_path))

    code = plain_pandas(plan, material, variables)

    assert first_difference(result_of(code, variables), run_duckdb(plan, CARGO)) is None, code


def test_the_code_of_an_ordinary_table_is_one_short_chain(tmp_path: Path) -> None:
    material = material_of(frame_ref("cargo", CARGO, tmp_path))

    code = plain_pandas(PLAN, material, {"cargo": CARGO})

    assert code == (
        "result = (\n"
        '    cargo.groupby(["berth"], observed=True)["tons"]\n'
        "    .sum(min_count=1)\n"
        '    .reset_index(name="sum_tons")\n'
        '    .sort_values("sum_tons", ascending=False, kind="stable", ignore_index=True)\n'
        ")\n"
        "result\n"
    )


def test_names_that_the_code_would_use_itself_are_left_alone(tmp_path: Path) -> None:
    names = ("df", "result", "kept")
    for name in names:
        material = material_of(frame_ref(name, CARGO, tmp_path))
        variables = dict.fromkeys(names, CARGO)

        code = plain_pandas(LATER, material, variables)
        namespace = dict(variables)
        exec(code, namespace)  # noqa: S102  the code under test

        assert all(namespace[other] is CARGO for other in names), code


@pytest.mark.parametrize(
    ("text", "reader"),
    [
        ("berth,tons,day\nN,1.5,2024-01-03\nS,2.25,2024-02-01\n", "pd.read_csv("),
        ("berth;tons;day\nN;1.5;2024-01-03\nS;2.25;2024-02-01\n", "load_csv_data_with_types("),
    ],
)
def test_a_file_is_read_by_pandas_alone_where_that_gives_the_same(text: str, reader: str, tmp_path: Path) -> None:
    (tmp_path / "cargo.csv").write_text(text)
    material = material_of(file_ref(tmp_path / "cargo.csv"))

    code = plain_pandas(PLAN, material, {})

    assert reader in code
    assert result_of(code, {})["sum_tons"].tolist() == [2.25, 1.5]


def test_the_sql_finds_the_table_by_its_own_name(tmp_path: Path) -> None:
    material = material_of(frame_ref("cargo", CARGO, tmp_path))
    connection = duckdb.connect()
    connection.register("cargo", CARGO)

    shown = connection.execute(sql_over(LATER, material)).df()

    assert shown["sum_tons"].tolist() == [8.0, 4.0, 2.25]


@law(60)
@given(tables_with_plans())
def test_a_query_in_lines_is_the_same_query(drawn: tuple[pd.DataFrame, Plan]) -> None:
    query = emit_duckdb(drawn[1])

    lines = laid_out(query)

    assert [token.text for token in tokenize(lines, read="duckdb")] == [
        token.text for token in tokenize(query, read="duckdb")
    ]
    assert all(len(clause.split(" FROM ")) == 1 for clause in lines.splitlines() if clause.startswith("  SELECT"))


def test_a_text_in_a_query_keeps_its_blanks_and_words() -> None:
    query = """WITH a AS (SELECT 'one  FROM two, b AS (' AS "x  WHERE" FROM t) SELECT "x  WHERE" FROM a"""

    lines = laid_out(query).splitlines()

    assert lines == [
        "WITH a AS (",
        """  SELECT 'one  FROM two, b AS (' AS "x  WHERE\"""",
        "  FROM t",
        ")",
        'SELECT "x  WHERE"',
        "FROM a",
    ]


def test_lists_of_a_frame_are_taken_apart_by_the_code_as_by_the_tool(tmp_path: Path) -> None:
    answers = pd.DataFrame({"langs": [["en", "fr"], ["en"], [], None, ["ü", "en"]]})
    steps = (Members(column=Col(name="langs")), group("langs", "count"))
    material = material_of(frame_ref("answers", answers, tmp_path))

    code = plain_pandas(plan_of({"langs": "text"}, *steps), material, {"answers": answers})

    result = result_of(code, {"answers": answers})
    assert result.to_dict("list") == {"langs": ["en", "fr", "ü"], "count": [3, 1, 1]}
