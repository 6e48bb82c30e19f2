"""A large text that is written as Parquet piece by piece has the table that it has when it is read whole."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_mcpgen.data import large_texts
from jupyter_mcpgen.data.large_texts import write_in_pieces
from jupyter_mcpgen.toolkit.layouts import NOTHING_SAID, Reading
from jupyter_mcpgen.toolkit.tables import load_csv_data_with_types

SMALL_PIECE = 400
ROWS = 120

WHOLE = st.integers(-(10**6), 10**6).map(str)
WORDS = {
    "whole": WHOLE,
    "long": st.integers(10**14, 10**19).map(str),
    "coded": st.integers(0, 9999).map(lambda n: f"{n:04}"),
    "signed": WHOLE.map(lambda n: n if n.startswith("-") else f"+{n}"),
    "decimal": st.decimals(-1000, 1000, places=2).map(str),
    "scientific": st.sampled_from(["1e5", "2.5E-3", ".5", "7."]),
    "endless": st.sampled_from(["inf", "-Infinity", "3", "1e999"]),
    "truth": st.sampled_from(["true", "FALSE", "True"]),
    "day": st.dates().map(str),
    "slashed": st.dates().map(lambda day: f"{day:%Y/%m/%d}"),
    "no_day": st.sampled_from(["2023-02-30", "2024-01-05"]),
    "moment": st.sampled_from(["2024-01-05 10:30", "2024-01-05T10:30:11.25", "2024-01-05 10:30:00.123456789"]),
    "zoned": st.sampled_from(["2024-01-05T10:30Z", "2024-01-05 10:30:11Z"]),
    "code": st.sampled_from(["DE", "FR", "IT", "ES", "NA"]),
    "few_codes": st.sampled_from(["DE", "NA"]),
    "word": st.text("abcdé ,;\"'\n", min_size=1, max_size=12),
    "formula": st.integers(0, 99).map(lambda n: f'="{n:03}"'),
    "grouped": st.sampled_from(["1.234", "12.500", "7", "100.000"]),
    "nothing": st.sampled_from(["", "NA", "null", "n/a"]),
    "object": st.sampled_from(['{"a": 1}', '{"b": "x"}']),
}


@st.composite
def columns(draw: st.DrawFn) -> list[str]:
    """Draw the words of a column: of one kind, and of another kind from some row on, with or without gaps."""
    kind, later = (draw(st.sampled_from(sorted(WORDS))) for _ in range(2))
    change = draw(st.one_of(st.just(ROWS), st.integers(0, ROWS)))
    some = draw(st.lists(WORDS[kind], min_size=1, max_size=4)), draw(st.lists(WORDS[later], min_size=1, max_size=4))
    gaps = draw(st.one_of(st.just(()), st.sets(st.integers(0, ROWS - 1), max_size=3)))
    every = [some[row >= change][row % len(some[row >= change])] for row in range(ROWS)]
    return [draw(WORDS["nothing"]) if row in gaps else word for row, word in enumerate(every)]


def as_text(table: list[list[str]], delimiter: str) -> str:
    """Return rows under names that nothing can take for values."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(["row", *(f"name {chr(65 + place)}" for place in range(len(table)))])
    writer.writerows(enumerate_rows(table))
    return text.getvalue()


def enumerate_rows(table: list[list[str]]) -> list[tuple[str, ...]]:
    return [(f"r{row}", *cells) for row, cells in enumerate(zip(*table, strict=True))]


def both_ways(
    folder: Path, text: str | bytes, reading: Reading = NOTHING_SAID
) -> tuple[bool, pd.DataFrame, pd.DataFrame]:
    """Return whether a text was read in pieces, with its table read so and read whole."""
    path, target = folder / "table.csv", folder / "table.parquet"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    target.unlink(missing_ok=True)
    whole = load_csv_data_with_types(str(path), reading=reading)
    is_written = write_in_pieces(str(path), reading, target, {})
    return is_written, load_csv_data_with_types(str(target)) if is_written else whole, whole


@pytest.fixture(autouse=True)
def _in_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_texts, "PIECE_BYTES", SMALL_PIECE)


@pytest.mark.soak
@settings(max_examples=100, deadline=None)
@given(table=st.lists(columns(), min_size=1, max_size=4), delimiter=st.sampled_from([",", ";", "\t"]))
def test_a_text_means_the_same_in_pieces(
    tmp_path_factory: pytest.TempPathFactory, table: list[list[str]], delimiter: str
) -> None:
    text = as_text(table, delimiter)
    try:
        is_written, pieces, whole = both_ways(tmp_path_factory.mktemp("text"), text)
    except ValueError:
        return  # it has no table, read in either way

    pd.testing.assert_frame_equal(pieces, whole)
    assert is_written or any("{" in cell for column in table for cell in column)


def test_a_last_word_decides_about_its_column(tmp_path: Path) -> None:
    rows = "".join(f"r{row},{row},{row},{row}\n" for row in range(ROWS))

    is_written, pieces, whole = both_ways(tmp_path, f"name,a,b,c\n{rows}last,0.5,n/a,007\n")

    assert is_written
    pd.testing.assert_frame_equal(pieces, whole)
    assert list(map(str, pieces.dtypes)) == ["str", "float64", "float64", "str"]


def test_a_code_among_codes_stays_one_where_a_piece_has_none(tmp_path: Path) -> None:
    codes = [*("NA", "DE", "FR", "IT"), *[""] * ROWS]

    is_written, pieces, whole = both_ways(tmp_path, as_text([codes], ","))

    assert is_written
    pd.testing.assert_frame_equal(pieces, whole)
    assert pieces["name A"][0] == "NA"


@pytest.mark.parametrize(
    "text",
    [
        "name,a\n" + "r,1\n" * ROWS + "r,1,\n",
        "name,a\n" + "r,1\n" * ROWS + "r\u00e9,1\n",
        "name,a\n" + 'r,"{""b"": 1}"\n' * ROWS,
    ],
    ids=["an uneven row", "another encoding", "objects"],
)
def test_a_text_that_is_read_whole_is_said_to_be(tmp_path: Path, text: str) -> None:
    is_written, _, _ = both_ways(tmp_path, text.encode("cp1252"))

    assert not is_written


def test_what_is_said_of_a_text_holds_in_pieces(tmp_path: Path) -> None:
    text = "a preamble\nname;a\n" + "r;1\n" * ROWS + "r;keine\nsum;120\n"

    is_written, pieces, whole = both_ways(tmp_path, text, Reading(header=2, footer=1, missing=("keine",)))

    assert is_written
    pd.testing.assert_frame_equal(pieces, whole)
    assert (pieces["a"].sum(), len(pieces)) == (ROWS, ROWS + 1)
