"""A reference names a table that a sandbox can read, and says clearly when there is none."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import dask.dataframe as dd
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from jupyter_mcpgen.data.lazy_frames import Most
from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.data.references import file_ref, frame_ref, orders_of, read_frame, repeated_columns, snapshot_notes
from jupyter_mcpgen.errors import DataError, EmptyData, LazyTooLarge, UnknownData, UnreadableData
from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.model.request import DataKind
from jupyter_mcpgen.toolkit.layouts import LOOKED_AT

FRAME = pd.DataFrame({"kind": ["a", None], "n": [1, 2], "at": pd.to_datetime(["2024-01-01", None]).as_unit("us")})


def test_a_file_is_referred_to_as_it_is(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,x\n")

    ref = file_ref(path)

    assert (ref.kind, ref.name, ref.path) == (DataKind.FILE, "t.csv", str(path.resolve()))
    assert read_frame(ref).to_dict("list") == {"a": [1], "b": ["x"]}
    assert snapshot_notes(ref) == ("Read as: comma-separated, UTF-8, header on line 1.",)


def test_a_file_that_is_not_there_is_refused_with_the_nearest_name(tmp_path):
    (tmp_path / "sales.csv").write_text("a\n1\n")

    with pytest.raises(UnknownData, match=r"Did you mean `.*sales\.csv`\?"):
        file_ref(tmp_path / "sale.csv")


def test_an_empty_file_and_an_unreadable_one_are_told_apart(tmp_path):
    (tmp_path / "empty.csv").touch()
    (tmp_path / "image.csv").write_bytes(b"\x89PNG\0\0")

    with pytest.raises(EmptyData, match=r"empty\.csv"):
        file_ref(tmp_path / "empty.csv")
    with pytest.raises(UnreadableData, match="it is a binary file") as caught:
        file_ref(tmp_path / "image.csv")
    assert str(caught.value).count("cannot be read as a table") == 1


@pytest.mark.soak
def test_a_file_that_breaks_later_is_refused_when_it_is_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "1,x\n" * LOOKED_AT + "2\n")
    ref = file_ref(path)

    with pytest.raises(UnreadableData, match=f"line {LOOKED_AT + 2} has 1 fields"):
        read_frame(ref)
    path.unlink()
    with pytest.raises(UnknownData, match=r"t\.csv"):
        read_frame(ref)


@pytest.mark.parametrize(
    "table",
    [
        FRAME,
        pl.from_pandas(FRAME),
        pl.from_pandas(FRAME).lazy(),
        pa.Table.from_pandas(FRAME),
        pa.Table.from_pandas(FRAME).to_reader(),
        dd.from_pandas(FRAME, npartitions=2),
    ],
    ids=["pandas", "polars", "polars lazy", "arrow", "arrow stream", "dask"],
)
def test_every_kind_of_frame_gives_the_same_snapshot(tmp_path, table):
    ref = frame_ref("sales", table, tmp_path)

    assert (ref.kind, ref.name) == (DataKind.FRAME, "sales")
    assert ref.path == frame_ref("other", FRAME, tmp_path).path
    pd.testing.assert_frame_equal(read_frame(ref), FRAME)


def test_a_snapshot_is_written_once_and_read_only(tmp_path):
    first = Path(frame_ref("f", FRAME, tmp_path).path)
    written = first.stat().st_mtime_ns

    frame_ref("f", FRAME.copy(), tmp_path)
    frame_ref("f", FRAME.assign(n=[1, 3]), tmp_path)

    assert first.stat().st_mtime_ns == written
    assert first.stat().st_mode & 0o222 == 0
    assert len(list(tmp_path.iterdir())) == 2


def test_a_snapshot_cut_short_is_written_again(tmp_path):
    path = Path(frame_ref("f", FRAME, tmp_path).path)
    path.chmod(0o644)
    path.write_bytes(b"PAR1")

    pd.testing.assert_frame_equal(read_frame(frame_ref("f", FRAME, tmp_path)), FRAME)


def test_an_index_is_kept_when_it_names_the_rows_and_is_left_out_when_it_only_counts_them(tmp_path):
    named = frame_ref("f", FRAME.set_index("kind"), tmp_path)
    levels = frame_ref("f", FRAME.set_index(["kind", "at"]), tmp_path)
    unnamed = frame_ref("f", FRAME.set_axis(["x", "y"]), tmp_path)
    dated = frame_ref("f", FRAME.set_axis(pd.to_datetime(["2024-01-31", "2024-02-29"])), tmp_path)
    counted = frame_ref("f", FRAME.set_axis([7, 9]), tmp_path)

    assert list(read_frame(named).columns) == ["kind", "n", "at"]
    assert list(read_frame(levels).columns) == ["kind", "at", "n"]
    assert snapshot_notes(named) == ()
    assert read_frame(unnamed)["index"].tolist() == ["x", "y"]
    assert read_frame(dated)["index"].dt.month.tolist() == [1, 2]
    assert snapshot_notes(unnamed) == snapshot_notes(dated) == ("The index has no name and is the column `index`.",)
    pd.testing.assert_frame_equal(read_frame(counted), FRAME)
    assert snapshot_notes(counted) == ("The index has no name and was left out; name it to keep it as a column.",)


def test_column_names_become_unique_text_with_a_note(tmp_path):
    frame = pd.DataFrame([[1, 2, 3, 4]], columns=pd.Index(["a", "a", 0, ("b", "c")], dtype=object, tupleize_cols=False))

    ref = frame_ref("f", frame, tmp_path)

    assert list(read_frame(ref).columns) == ["a", "a.1", "0", "b_c"]
    assert snapshot_notes(ref) == ("Columns were renamed: `'a'` is `a.1`, `('b', 'c')` is `b_c`.",)


def test_what_plain_types_leave_out_is_noted(tmp_path):
    frame = pd.DataFrame(
        {
            "size": pd.Categorical(["S", "L"], categories=["S", "L"], ordered=True),
            "level": pd.Categorical([2, 1], categories=[2, 1], ordered=True),
            "kind": pd.Categorical(["a", "b"]),
            "at": pd.to_datetime(["2024-01-01 12:00", None]).tz_localize("Europe/Berlin"),
            "paid": [Decimal("1.10"), Decimal("2.20")],
            "arrow": pd.array([Decimal("1.1"), None], dtype=pd.ArrowDtype(pa.decimal128(5, 2))),
            "took": pd.to_timedelta([90, None], unit="s"),
            "plain": [1, 2],
        }
    )

    notes = snapshot_notes(frame_ref("t", frame, tmp_path))

    assert notes == (
        "`level`: an order of categories is left out, the values sort by themselves.",
        "`at`: times are read as the clock shows them in Europe/Berlin, without the time zone.",
        "`paid`, `arrow`: decimals are computed as floats, which hold about 15 digits.",
        "`took`: durations are counted in seconds.",
    )
    assert snapshot_notes(frame_ref("t", frame, tmp_path), used={"arrow", "plain"}) == (
        "`arrow`: decimals are computed as floats, which hold about 15 digits.",
    )
    assert read_frame(frame_ref("t", frame, tmp_path))["took"].tolist()[0] == 90.0


def test_texts_that_are_year_first_dates_become_dates_as_in_a_text_file_and_others_stay(tmp_path):
    frame = pd.DataFrame(
        {
            "sold": ["2024-03-01", None, "2024/04/02 12:30"],
            "either": ["01/02/2024", "03/04/2024", "05/06/2024"],
            "mostly": ["2024-03-01", "soon", "2024-04-02"],
            "code": ["00501", "10115", "20095"],
        }
    )
    frame.to_csv(tmp_path / "t.csv", index=False)

    ref = frame_ref("t", frame, tmp_path)

    assert read_frame(ref).dtypes.map(str).to_dict() == {
        "sold": "datetime64[us]",
        "either": "str",
        "mostly": "str",
        "code": "str",
    }
    pd.testing.assert_frame_equal(read_frame(ref), read_frame(file_ref(tmp_path / "t.csv")))
    assert snapshot_notes(ref) == ("`sold`: every text is a year-first date, so they are read as dates.",)
    assert frame["sold"].tolist()[0] == "2024-03-01"


def test_the_order_of_categories_is_kept_for_the_profile(tmp_path):
    sizes = pd.Categorical(["tall", "short"], categories=["short", "grande", "tall"], ordered=True)
    ref = frame_ref("cups", pd.DataFrame({"size": sizes, "price": [3, 2]}), tmp_path)

    known = profile("cups", read_frame(ref), orders_of(ref)).column("size")

    assert (known.kind, known.order) == (Kind.ORDERED, ("short", "grande", "tall"))


def test_a_title_above_the_header_of_a_file_is_noted(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("Sales of 2024,,\nregion,amount,units\nnorth,1,2\n")

    notes = snapshot_notes(file_ref(path))

    assert notes == (
        "Read as: comma-separated, UTF-8, header on line 2.",
        "What stands above the names of the columns is left out: “Sales of 2024”.",
    )


def test_names_given_twice_are_known_with_what_became_of_them(tmp_path):
    (tmp_path / "t.csv").write_text("price,kind,price,price.1\n1,a,2,3\n")
    frame = pd.DataFrame([[1, 2, 3]], columns=["price", "kind", "price"])

    assert repeated_columns(file_ref(tmp_path / "t.csv")) == {"price": ("price", "price.1")}
    assert repeated_columns(frame_ref("t", frame, tmp_path)) == {"price": ("price", "price.1")}
    assert repeated_columns(frame_ref("t", FRAME, tmp_path)) == {}


def test_objects_that_arrow_does_not_know_become_text_and_the_frame_stays_as_it_was(tmp_path):
    frame = pd.DataFrame({"o": [complex(1, 2), {1}], "m": [1, "x"], "l": [[1], np.array([2])]})
    before = frame.copy(deep=True)

    loaded = read_frame(frame_ref("f", frame, tmp_path))

    assert loaded.to_dict("list") == {"o": ["(1+2j)", "{1}"], "m": ["1", "x"], "l": ["[1]", "[2]"]}
    pd.testing.assert_frame_equal(frame, before)


def test_a_series_is_a_table_of_one_column(tmp_path):
    assert list(read_frame(frame_ref("s", pd.Series([1, 2]), tmp_path)).columns) == ["s"]


def test_a_table_without_rows_keeps_its_types(tmp_path):
    pd.testing.assert_frame_equal(read_frame(frame_ref("f", FRAME.head(0), tmp_path)), FRAME.head(0))


@pytest.mark.parametrize(
    "table",
    [
        pl.LazyFrame({"n": range(50)}),
        dd.from_pandas(pd.DataFrame({"n": range(50)}), npartitions=5),
        pa.table({"n": range(50)}).to_reader(max_chunksize=5),
        duckdb.sql("SELECT unnest(range(50)) AS n"),
    ],
    ids=["polars lazy", "dask", "arrow stream", "a query of DuckDB"],
)
def test_a_table_that_has_to_be_computed_is_given_up_where_it_becomes_too_large(tmp_path, table):
    with pytest.raises(LazyTooLarge, match=r"`numbers` is too large to be computed for a question"):
        frame_ref("numbers", table, tmp_path, Most(rows=20, bytes=10_000))

    assert not list(tmp_path.iterdir())


def test_what_is_no_table_is_refused(tmp_path):
    with pytest.raises(DataError, match="`x` is a `list`, not a table"):
        frame_ref("x", [1, 2], tmp_path)
    with pytest.raises(EmptyData, match="`x` is empty"):
        frame_ref("x", pd.DataFrame(), tmp_path)
