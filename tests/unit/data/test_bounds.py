"""A table that is too large is refused before it is loaded, and one that only looks so is not."""

from __future__ import annotations

import json
import os
import tracemalloc
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from jupyter_mcpgen.data.bounds import require_bounded
from jupyter_mcpgen.data.json_extent import json_extent
from jupyter_mcpgen.data.text_extent import rows_of_delimited
from jupyter_mcpgen.errors import DataMoved, DataTooLarge, DataTooSlow

ROWS, COLUMNS = 100, 5
BYTES = 1 << 20


def csv(frame: pd.DataFrame, path: Path) -> None:
    frame.to_csv(path, index=False)


def stream(frame: pd.DataFrame, path: Path) -> None:
    table = pa.Table.from_pandas(frame)
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)


FORMATS = {
    "table.csv": csv,
    "table.txt": lambda frame, path: frame.to_csv(path, index=False, sep=";"),
    "table.parquet": lambda frame, path: frame.to_parquet(path, index=False),
    "table.feather": lambda frame, path: frame.to_feather(path),
    "table.ipc": stream,
    "table.json": lambda frame, path: frame.to_json(path, orient="records"),
    "lists.json": lambda frame, path: path.write_text(json.dumps(frame.to_dict(orient="list")), encoding="utf-8"),
}


def frame(rows: int, columns: int = 2) -> pd.DataFrame:
    return pd.DataFrame({f"column_{number}": range(rows) for number in range(columns)})


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(("rows", "columns"), [(ROWS, COLUMNS), (1, COLUMNS), (ROWS, 1)])
def test_a_table_at_the_limits_is_let_in(tmp_path: Path, name: str, rows: int, columns: int) -> None:
    FORMATS[name](frame(rows, columns), tmp_path / name)

    require_bounded(tmp_path / name, ROWS, COLUMNS)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(("rows", "columns"), [(ROWS + 1, COLUMNS), (3, COLUMNS + 1)])
def test_a_table_beyond_one_is_refused_with_the_setting(tmp_path: Path, name: str, rows: int, columns: int) -> None:
    FORMATS[name](frame(rows, columns), tmp_path / name)

    beyond = "rows; at most 100 rows are read.*MAX_ROWS" if rows > ROWS else "columns; at most 5 columns.*MAX_COLUMNS"
    with pytest.raises(DataTooLarge, match=rf"`{name}` has \d+ {beyond}"):
        require_bounded(tmp_path / name, ROWS, COLUMNS)


def test_a_wide_table_below_a_title_is_refused_by_its_width(tmp_path: Path) -> None:
    path = tmp_path / "titled.csv"
    path.write_text("Measured in spring\n\n" + frame(3, COLUMNS + 1).to_csv(index=False))

    with pytest.raises(DataTooLarge, match=r"has 6 columns; at most 5 columns are read"):
        require_bounded(path, ROWS, COLUMNS)


def test_commas_inside_a_value_part_no_columns(tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_text('name,note\na,"one, two, three, four, five, six"\nb,"seven, eight"\n')

    require_bounded(path, ROWS, COLUMNS)


def test_line_breaks_inside_values_and_empty_lines_are_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_text("name,note\n" + 'a,"one\ntwo\nthree\nfour"\n' * 60 + "\n\n")

    require_bounded(path, 60, COLUMNS)
    with pytest.raises(DataTooLarge, match="has 60 rows"):
        require_bounded(path, 59, COLUMNS)


def test_rows_of_json_lines_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    path.write_text('{"a": 1}\n' * 101)

    with pytest.raises(DataTooLarge, match="101 rows"):
        require_bounded(path, ROWS, COLUMNS)


HARD_TEXTS = ["a,b", '"', '\\"', "\\", '\\\\",', "[{", "}]", "ä\n", "", ',"[{\\"}],\\\\"'] * 3


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("piece", [1, 2, 3, 7, 1 << 22])
def test_rows_of_json_are_told_from_what_stands_in_texts_and_below(piece: int, indent: int | None) -> None:
    rows = [{"t": text, text or "-": [[1, 2], {"x": [3, 4]}], "z": None} for text in HARD_TEXTS]
    lists = {"t": HARD_TEXTS, "[u],": list(range(len(HARD_TEXTS)))}

    def pieces(content: object) -> Iterator[bytes]:
        text = json.dumps(content, indent=indent, ensure_ascii=False).encode("utf-8-sig")
        return (text[at : at + piece] for at in range(0, len(text), piece))

    assert json_extent(pieces(rows)) == (len(HARD_TEXTS), 3)
    assert json_extent(pieces(lists)) == (len(HARD_TEXTS), 2)


@pytest.mark.parametrize(
    "content", [[], {}, [1, 2], [[1], [2]], {"a": 1}, {"a": {"b": [1, 2]}}, {"a": [1], "b": {}}, "[{", 7, None]
)
def test_json_that_is_no_table_is_left_to_the_tool(tmp_path: Path, content: object) -> None:
    (tmp_path / "table.json").write_text(json.dumps(content), encoding="utf-8")

    require_bounded(tmp_path / "table.json", 1, 1)


@pytest.mark.parametrize("name", ["table.parquet", "table.feather", "table.csv", "table.json"])
def test_what_is_no_table_is_left_to_the_tool(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\0\xff nothing" * 3)

    require_bounded(tmp_path / name, ROWS, COLUMNS, most_bytes=BYTES)


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r", "\n\n", "\r\r\n"])
@pytest.mark.parametrize("name", ["table.csv", "table.jsonl"])
def test_rows_are_counted_whichever_way_lines_end(tmp_path: Path, name: str, ending: str) -> None:
    row = '{"a": 1}' if name.endswith("l") else "1,2"
    lines = [row] * 300 if name.endswith("l") else ["a,b", *[row] * 300]
    (tmp_path / name).write_text(ending.join(lines) + ending, newline="")

    require_bounded(tmp_path / name, 300, COLUMNS)
    with pytest.raises(DataTooLarge, match="300 rows"):
        require_bounded(tmp_path / name, 299, COLUMNS)


def test_many_line_breaks_in_quotes_beside_a_very_long_value_are_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "letters.csv"
    path.write_text("a,b\n" + f'1,"x{chr(10) * 5_000}y"\n' * 300 + f'1,"{"z" * 140_000}"\n')

    require_bounded(path, 301, COLUMNS)
    with pytest.raises(DataTooLarge, match="301 rows"):
        require_bounded(path, 300, COLUMNS)


HARD_ROWS = {
    "a quote opens a value only where the value begins": ('5" pipe,1\n' * 3, ",", 3),
    "an opened value goes on until it is closed": ('a,"b\n\n,""c""\n"\r\n"d","e"\n', ",", 2),
    "two quotes in quotes are one": ('"a""\n""b"\n"""c\n"""\n""\n', ",", 3),
    "a value that is never closed is one": ('a,"b\nc\nd', ",", 1),
    "other marks delimit nothing": ('x,"\n1;2\n"a\nb";3\n', ";", 3),
    "what stands behind a closed value is plain": ('"a"b"c\n"d"\n', ",", 2),
    "empty": ("", ",", 0),
}


@pytest.mark.parametrize("piece", [1, 2, 3, 5, 1 << 20])
@pytest.mark.parametrize("case", HARD_ROWS)
def test_rows_are_told_from_line_breaks_in_quotes_wherever_pieces_end(case: str, piece: int) -> None:
    text, delimiter, rows = HARD_ROWS[case]
    for encoding in ("utf-8-sig", "utf-16"):
        data = text.encode(encoding)
        pieces = (data[at : at + piece] for at in range(0, len(data), piece))

        assert rows_of_delimited(pieces, delimiter, encoding) == rows


@pytest.mark.soak
def test_a_text_of_quotes_only_is_counted_by_its_lines(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_bytes(b'"' * (40 << 20) + b"\n1" * 200)

    with pytest.raises(DataTooLarge, match="200 rows"):
        require_bounded(tmp_path / "table.csv", ROWS, COLUMNS)


VALUE = "x" * 200_000
NO_TABLES = {
    "one long value": VALUE,
    "a long value in quotes": f'a,b\n1,"{VALUE}"\n',
    "rows of single returns": "a\r\r\n\rb" * 100_000,
    "too many rows after a long value": f"{VALUE}\n" + "1\n" * 20,
}


@pytest.mark.parametrize("text", NO_TABLES.values(), ids=list(NO_TABLES))
def test_values_that_no_reader_of_csv_takes_are_left_to_the_tool_too(tmp_path: Path, text: str) -> None:
    (tmp_path / "table.csv").write_text(text, newline="")

    require_bounded(tmp_path / "table.csv", 200_000, COLUMNS)


@pytest.mark.soak
def test_lines_count_as_rows_where_a_value_is_too_long_to_be_read(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("a\n" + "1\n" * 150_000 + f"{VALUE}\n")

    with pytest.raises(DataTooLarge, match="150,001 rows"):
        require_bounded(tmp_path / "table.csv", 10_000, COLUMNS)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["table.csv", "table.json", "table.jsonl"])
def test_counting_ends_with_its_time_and_says_what_to_do(tmp_path: Path, name: str) -> None:
    """A file with a hole of 3 GB takes no disk; within a longer time it is read to its end."""
    with (tmp_path / name).open("wb") as file:
        file.truncate(3 << 30)

    with pytest.raises(DataTooSlow, match=r"3,221,225,472 bytes, and its rows could not be counted in 5 seconds"):
        require_bounded(tmp_path / name, ROWS, COLUMNS, 5, count().__next__)

    (tmp_path / name).write_bytes(b"a\n" + bytes(30 << 20))
    require_bounded(tmp_path / name, ROWS, COLUMNS, 10_000, count().__next__)


def test_a_line_without_end_is_not_taken_into_memory(tmp_path: Path) -> None:
    """More lines than rows are allowed, then a hole: to read it as one line would take all of it and more."""
    with (tmp_path / "table.csv").open("wb") as file:
        file.write(b"1\n" * (ROWS + 2))
        file.truncate(256 << 20)
    tracemalloc.start()

    with pytest.raises(DataTooLarge, match="102 rows"):
        require_bounded(tmp_path / "table.csv", ROWS, COLUMNS, clock=lambda: 0.0)

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64 << 20


@pytest.mark.parametrize("name", FORMATS)
def test_a_link_that_was_put_there_since_is_not_followed(tmp_path: Path, name: str) -> None:
    """The same table is let in by its own path."""
    (tmp_path / "private").mkdir()
    FORMATS[name](frame(3), tmp_path / "private" / name)
    (tmp_path / name).symlink_to(tmp_path / "private" / name)
    (tmp_path / "folder").symlink_to(tmp_path / "private")

    for path in (tmp_path / name, tmp_path / "folder" / name):
        with pytest.raises(DataMoved):
            require_bounded(path, ROWS, COLUMNS)
    require_bounded(tmp_path / "private" / name, ROWS, COLUMNS)


def test_nobody_waits_for_a_pipe_that_was_put_there_since(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "table.csv")

    with pytest.raises(DataMoved, match="it is no file"):
        require_bounded(tmp_path / "table.csv", ROWS, COLUMNS)


@pytest.mark.parametrize("path", [Path("."), Path("/")])
def test_a_path_without_a_name_is_no_file_and_leaves_nothing_open(path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))

    with pytest.raises(DataMoved, match="it is no file"):
        require_bounded(path, ROWS, COLUMNS)

    assert len(os.listdir("/proc/self/fd")) == before
