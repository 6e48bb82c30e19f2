"""A large table that stays in its Parquet file means what it means loaded, to queries, profile and digest."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from hypothesis import given

from jupyter_mcpgen.data import parquet_tables
from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.data.fingerprint import fingerprint_frame, fingerprint_rows
from jupyter_mcpgen.data.parquet_tables import ParquetTable
from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.errors import ReferenceFailed
from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.ops import Aggregate, Measure
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.toolkit.tables import load_csv_data_with_types
from tests.laws import law
from tests.plans import plan_of
from tests.strategies.plans import tables_with_plans

SMALL_GROUP = 5


@pytest.fixture(autouse=True)
def _of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_tables, "LEAST_ROWS", 1)


def opened(folder: Path, frame: pd.DataFrame | pa.Table) -> tuple[ParquetTable | None, pd.DataFrame]:
    """Return a table in its file, and loaded."""
    path = str(folder / "table.parquet")
    table = frame if isinstance(frame, pa.Table) else pa.Table.from_pandas(frame, preserve_index=False)
    parquet.write_table(table, path, row_group_size=SMALL_GROUP)
    return ParquetTable.of(path), load_csv_data_with_types(path)


@pytest.mark.soak
@law(75)
@given(tables_with_plans())
def test_a_query_gives_the_same_of_a_table_in_its_file(
    tmp_path_factory: pytest.TempPathFactory, case: tuple[pd.DataFrame, Plan]
) -> None:
    frame, plan = case
    table, loaded = opened(tmp_path_factory.mktemp("table"), frame)
    if table is None:
        return  # it has no row, or a column that loading changes
    try:
        expected = Engine(loaded).table(plan)
    except ReferenceFailed:
        return

    assert first_difference(Engine(table).table(plan), expected) is None
    pd.testing.assert_frame_equal(table.read(), loaded)
    assert fingerprint_rows(table) == fingerprint_frame(loaded)


def mixed(rows: int) -> pd.DataFrame:
    place = np.arange(rows)
    return pd.DataFrame(
        {
            "row": place,
            "region": pd.Series(np.array(["North", "South", None])[place % 3], dtype="str"),
            "amount": np.where(place % 7 == 0, np.nan, place / 4),
            "pieces": pd.Series(np.where(place % 5 == 0, None, place), dtype="Int64"),
            "paid": place % 2 == 0,
            "day": np.datetime64("2024-01-01", "us") + place * np.timedelta64(1, "D"),
        }
    )


def test_every_row_of_it_has_its_place(tmp_path: Path) -> None:
    table, loaded = opened(tmp_path, mixed(98))

    assert table is not None
    for step in (1, 3, 5, 50, 200):
        pd.testing.assert_frame_equal(table.every(step), loaded.iloc[::step].reset_index(drop=True))


def test_whole_numbers_with_gaps_are_fractions_as_pandas_has_them(tmp_path: Path) -> None:
    table, loaded = opened(tmp_path, mixed(98))

    assert table is not None
    assert (str(loaded["pieces"].dtype), table.schema.field("pieces").type) == ("float64", pa.float64())
    of_table, of_frame = profile("sales", table), profile("sales", loaded)
    assert of_table.schema_ == of_frame.schema_
    assert [c.nulls for c in of_table.columns] == [c.nulls for c in of_frame.columns]
    assert [c.maximum for c in of_table.columns] == [c.maximum for c in of_frame.columns]


@pytest.mark.parametrize(
    "table",
    [
        pa.table({"a": [Decimal("1.5"), Decimal("2.5")]}),
        pa.table({"a": pa.array([1.0, float("nan")])}),
        pa.table({"a": ['{"b": 1}', None]}),
        pa.table({"a": [None, None]}, schema=pa.schema([("a", pa.string())])),
        pa.table({"a": pa.array([1, 2], pa.timestamp("us", tz="Europe/Paris"))}),
        pa.table({"a": pa.array([1, 2], pa.timestamp("ns"))}),
        pa.table({"a": pa.array(["x", "y"]).dictionary_encode()}),
        pa.table({"a": pa.array([2**60, None])}),
        pa.table({"a": [1], "A": [2]}),
        pa.table({"a": [[1], [2]]}),
        pa.table({"a": [{"b": "x", "c": None}, {"b": "y", "c": "z"}], "n": [1, 2]}),
        pa.Table.from_pandas(pd.DataFrame({"a": [1, 2]}, index=pd.Index(["x", "y"], name="key"))),
        pa.Table.from_pandas(pd.DataFrame({"a": [1, 2]}, index=pd.RangeIndex(2, name="key"))),
    ],
    ids=str,
)
def test_a_table_that_loading_changes_is_loaded(tmp_path: Path, table: pa.Table) -> None:
    assert opened(tmp_path, table)[0] is None


def test_one_of_few_rows_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert opened(tmp_path, mixed(98))[0] is not None
    monkeypatch.setattr(parquet_tables, "LEAST_ROWS", 99)

    assert opened(tmp_path, mixed(98))[0] is None


def test_what_the_file_says_of_its_columns_is_what_is_in_them(tmp_path: Path) -> None:
    frame = mixed(98)
    table, loaded = opened(tmp_path, frame)

    assert table is not None
    ends = table.ends()
    assert ends is not None
    assert {name: told[0] for name, told in ends.items()} == loaded.notna().sum().to_dict()
    for name in ("row", "amount", "pieces", "day"):
        assert ends[name][1:] == (loaded[name].min(), loaded[name].max())
    assert (ends["region"][1:], ends["paid"][1:]) == ((None, None), (None, None))


def test_a_file_that_says_nothing_of_its_columns_is_looked_through(tmp_path: Path) -> None:
    frame = mixed(98).drop(columns=["row", "pieces", "paid"])  # only a count of gaps tells the type of these
    path = str(tmp_path / "table.parquet")
    parquet.write_table(pa.Table.from_pandas(frame, preserve_index=False), path, write_statistics=False)
    table = ParquetTable.of(path)

    assert table is not None
    assert table.ends() is None
    assert [c.nulls for c in profile("sales", table).columns] == frame.isna().sum().tolist()


def test_a_file_that_is_gone_is_a_failure_of_the_reference(tmp_path: Path) -> None:
    table, _ = opened(tmp_path, mixed(98))
    assert table is not None
    plan = plan_of({"row": "integer"}, Aggregate(measures=(Measure(function="sum", column=Col(name="row")),)))
    engine = Engine(table)
    Path(table.path).unlink()

    with pytest.raises(ReferenceFailed, match=r"did not finish: .*No such file"):
        engine.table(plan)
