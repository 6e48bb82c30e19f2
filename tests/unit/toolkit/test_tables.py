"""The loader keeps what a value means, and says clearly what it cannot read."""

from __future__ import annotations

import datetime
import re
import struct
from collections.abc import Callable
from datetime import time
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jupyter_mcpgen.toolkit import (
    Reading,
    detect_column_types,
    load_csv_data_with_types,
    validate_file_and_columns,
    validate_numbers,
    validate_sums,
    validate_texts,
)
from jupyter_mcpgen.toolkit.layouts import layout_of
from jupyter_mcpgen.toolkit.tables import _MISSING


def written(folder: Path, content: str | bytes, name: str = "table.csv") -> str:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def column(folder: Path, *words: str) -> pd.Series:
    return load_csv_data_with_types(written(folder, "\n".join(["row,value", *(f"1,{word}" for word in words)])))[
        "value"
    ]


@pytest.mark.parametrize(
    ("words", "dtype", "values"),
    [
        (("1", "-2", "+3"), "int64", [1, -2, 3]),
        (("1", "", "3"), "float64", [1.0, None, 3.0]),
        (("1", "2.5", "1e3", "-inf"), "float64", [1.0, 2.5, 1000.0, float("-inf")]),
        (("true", "False", "TRUE"), "bool", [True, False, True]),
        (("true", "", "false"), "boolean", [True, None, False]),
        (("2024-03-01", "2024-03-02 10:30"), "datetime64[us]", ["2024-03-01", "2024-03-02 10:30"]),
        (("0001-01-01", "9999-12-31"), "datetime64[us]", ["0001-01-01", "9999-12-31"]),
        (("2024-03-01 00:00:00.123456789",), "datetime64[ns]", ["2024-03-01 00:00:00.123456789"]),
        (("2024/03/01", ""), "datetime64[us]", ["2024-03-01", None]),
        (("2024-03-01T10:00:00Z", "2024-03-01T11:00:00Z"), "datetime64[us]", ["2024-03-01 10:00", "2024-03-01 11:00"]),
    ],
)
def test_values_that_can_be_read_one_way_get_their_type(tmp_path, words, dtype, values):
    loaded = column(tmp_path, *words)

    assert loaded.dtype == dtype
    pd.testing.assert_series_equal(loaded, pd.Series(values, name="value").astype(dtype))


@pytest.mark.parametrize(
    "words",
    [
        ("00501", "10001"),
        ("01/02/2024", "13/02/2024"),
        ("1,000".replace(",", "'"), "2"),
        ("$5", "$6"),
        ("5%", "6%"),
        ("2023-02-30", "2023-03-01"),
        ("2024-03-01T10:00+02:00", "2024-03-01T10:00+01:00"),
        ("2024-03-01T10:00:00Z", "2024-03-01 10:00"),
        ("12345678901234567890", "1"),
        ("1234567890123456", ""),
        ("1e999", "1"),
        ("1_000", "2"),
        ("yes", "no"),
        ("1", "x"),
        ("true", "1"),
    ],
)
def test_values_that_would_change_stay_text(tmp_path, words):
    loaded = column(tmp_path, *words)

    assert loaded.dtype == "str"
    assert list(loaded.fillna("")) == list(words)


def test_the_missing_words_are_those_of_pandas():
    from pandas._libs.parsers import STR_NA_VALUES

    assert set(_MISSING) == STR_NA_VALUES


@pytest.mark.parametrize(
    ("rows", "countries"),
    [
        (["DE,1", "NA,2", "FR,3", "US,4", ",5"], ["DE", "NA", "FR", "US", None]),
        (["DE,1", "NA,NA", "FR,3", "US,4"], ["DE", None, "FR", "US"]),
        (["DE,1", "NA,2", "DE,3"], ["DE", None, "DE"]),
        (["Rome,1", "NA,2", "Oslo,3", "Bonn,4"], ["Rome", None, "Oslo", "Bonn"]),
    ],
)
def test_na_is_a_code_among_codes_and_missing_elsewhere(tmp_path, rows, countries):
    loaded = load_csv_data_with_types(written(tmp_path, "\n".join(["country,n", *rows])))

    assert loaded["country"].astype(object).where(loaded["country"].notna(), None).tolist() == countries


def test_a_text_in_a_formula_is_that_text(tmp_path):
    loaded = load_csv_data_with_types(written(tmp_path, 'code;n\n="007";1\n=("0012");2\n003;3\n=1+1;4\n'))

    assert loaded["code"].tolist() == ["007", "0012", "003", "=1+1"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(tmp_path, delimiter):
    path = written(tmp_path, f"a{delimiter}b\n1{delimiter}x y\n2{delimiter}z\n")

    pd.testing.assert_frame_equal(load_csv_data_with_types(path), pd.DataFrame({"a": [1, 2], "b": ["x y", "z"]}))


def test_decimal_commas_do_not_pass_for_a_delimiter(tmp_path):
    loaded = load_csv_data_with_types(written(tmp_path, "a;b\n1,5;2,5\n1,0;3,5\n"))

    assert loaded.to_dict("list") == {"a": ["1,5", "1,0"], "b": ["2,5", "3,5"]}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_the_encoding_is_found(tmp_path, encoding):
    path = written(tmp_path, "Straße,n\nCafé – bar,1\n".encode(encoding))

    validate_file_and_columns(path, ["Straße"])
    assert load_csv_data_with_types(path).to_dict("list") == {"Straße": ["Café – bar"], "n": [1]}


def test_a_header_with_a_name_too_many_is_no_title_above_cut_numbers(tmp_path):
    with pytest.raises(ValueError, match=re.escape("line 2 has 2 fields, the header has 3 (separated by ';')")):
        load_csv_data_with_types(written(tmp_path, "name;amount;note\nA;1,5\nB;2,5\n"))


def test_a_title_with_a_comma_still_stands_above_rows_with_decimal_commas(tmp_path):
    table = load_csv_data_with_types(written(tmp_path, "Report 2024\nname;amount\nA;1,5\nB;2,5\n"))

    assert list(table.columns) == ["name", "amount"]


def test_quotes_hold_delimiters_and_line_breaks(tmp_path):
    loaded = load_csv_data_with_types(written(tmp_path, 'a,b\n"x, y","line one\nline two"\n"say ""hi""",z\n'))

    assert loaded.to_dict("list") == {"a": ["x, y", 'say "hi"'], "b": ["line one\nline two", "z"]}


def test_names_are_made_unique_the_way_pandas_does(tmp_path):
    path = written(tmp_path, ",a, a ,f1,NA\n0,1,2,3,4\n")

    assert list(load_csv_data_with_types(path).columns) == ["Unnamed: 0", "a", "a.1", "f1", "NA"]
    validate_file_and_columns(path, ["Unnamed: 0", "a.1"])


@pytest.mark.parametrize("content", ["a,b", "a,b\n", "\na,b\r\n\r\n"])
def test_a_header_alone_is_a_table_without_rows(tmp_path, content):
    loaded = load_csv_data_with_types(written(tmp_path, content))

    assert (list(loaded.columns), len(loaded)) == (["a", "b"], 0)


def test_a_cell_of_megabytes_is_read(tmp_path):
    loaded = load_csv_data_with_types(written(tmp_path, f'id;text\n1;"{"x;" * 1_000_000}"\n'))

    assert list(loaded.columns) == ["id", "text"]
    assert len(loaded["text"].item()) == 2_000_000


def test_json_objects_become_dotted_columns_in_place(tmp_path):
    content = (
        'id,payload,n\n1,"{""kind"": ""a"", ""at"": {""day"": ""2024-01-02""}}",5\n'
        '2,,6\n3,"{""kind"": ""b"", ""size"": 2}",7\n'
    )
    path = written(tmp_path, content)

    expanded = load_csv_data_with_types(path)

    assert list(expanded.columns) == ["id", "payload.kind", "payload.at.day", "payload.size", "n"]
    assert list(expanded["payload.kind"].fillna("-")) == ["a", "-", "b"]
    assert expanded["payload.at.day"].dtype == "datetime64[us]"
    assert list(load_csv_data_with_types(path, auto_expand_json=False).columns) == ["id", "payload", "n"]
    validate_file_and_columns(path, ["payload.size"])


def test_json_columns_stay_when_a_value_is_no_object_or_a_name_is_taken(tmp_path):
    mixed = written(tmp_path, 'p,q\n"{""a"": 1}",1\n[1],2\n', "mixed.csv")
    taken = written(tmp_path, 'p,p.a\n"{""a"": 1}",1\n', "taken.csv")

    assert list(load_csv_data_with_types(mixed).columns) == ["p", "q"]
    assert list(load_csv_data_with_types(taken).columns) == ["p", "p.a"]


TYPED = pd.DataFrame(
    {
        "code": ["007", "008"],
        "n": [1, 2],
        "r": [0.5, None],
        "day": pd.to_datetime(["2024-01-01", "2024-01-02"]).as_unit("us"),
        "ok": [True, False],
    }
)


@pytest.mark.parametrize("name", ["t.parquet", "t.feather", "t.arrow"])
def test_typed_formats_keep_their_types(tmp_path, name):
    path = tmp_path / name
    TYPED.to_parquet(path) if name == "t.parquet" else feather.write_feather(TYPED, str(path))

    validate_file_and_columns(str(path), ["code", "day"])
    pd.testing.assert_frame_equal(load_csv_data_with_types(str(path)), TYPED)


def test_an_arrow_stream_is_read_too(tmp_path):
    path = tmp_path / "t.arrow"
    table = pa.Table.from_pandas(TYPED)
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)

    pd.testing.assert_frame_equal(load_csv_data_with_types(str(path)), TYPED)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.json", '[{"code": "007", "day": "2024-01-01", "n": 1}, {"code": "008", "day": "2024-01-02"}]'),
        ("t.jsonl", '{"code": "007", "day": "2024-01-01", "n": 1}\n{"code": "008", "day": "2024-01-02"}\n'),
        ("t.json", '{"code": ["007", "008"], "day": ["2024-01-01", "2024-01-02"], "n": [1, null]}'),
    ],
)
def test_json_keeps_text_as_text_and_reads_its_dates(tmp_path, name, content):
    loaded = load_csv_data_with_types(written(tmp_path, content, name))

    expected = pd.DataFrame({"code": ["007", "008"], "day": TYPED["day"], "n": [1.0, None]})
    pd.testing.assert_frame_equal(loaded, expected)


def test_a_named_index_becomes_a_column(tmp_path):
    path = str(tmp_path / "t.parquet")
    TYPED.set_index("code").to_parquet(path)

    validate_file_and_columns(path, ["code"])
    pd.testing.assert_frame_equal(load_csv_data_with_types(path), TYPED)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.csv", b"", r"`empty.csv` is empty"),
        ("blank.csv", b" \n\n", r"`blank.csv` is empty"),
        ("image.csv", b"\x89PNG\r\n\x1a\n\0\0\0", r"`image.csv` cannot be read as a table: it is a binary file"),
        ("odd.csv", b"a,b\n\x81,1\n", r"its encoding cannot be told\. “.*” in cp1251 is “ü” in cp850"),
        ("long.csv", b"a,b\n1,2\n1,2,3\n", r"line 3 has 3 fields, the header has 2"),
        ("short.csv", b"a,b\n1,2\n1\n", r"line 3 has 1 fields, the header has 2"),
        ("cut.parquet", b"PAR1", r"`cut.parquet` cannot be read as a table"),
        ("cut.feather", b"ARROW1", r"`cut.feather` cannot be read as a table"),
        ("no.json", b"{", r"not valid JSON"),
        ("scalar.json", b"5", r"must hold a list of objects"),
        ("none.json", b"[]", r"`none.json` is empty"),
        ("latin.json", b'[{"a": "\xe9"}]', r"`latin.json` cannot be read as a table"),
    ],
)
def test_a_file_that_is_no_table_is_refused_with_the_reason(tmp_path, name, content, message):
    with pytest.raises(ValueError, match=message):
        load_csv_data_with_types(written(tmp_path, content, name))


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"There is no file `.*nope.csv`"):
        load_csv_data_with_types(str(tmp_path / "nope.csv"))
    with pytest.raises(ValueError, match="is not a file"):
        validate_file_and_columns(str(tmp_path))


def test_a_missing_column_is_named_with_the_nearest_and_all_others(tmp_path):
    path = written(tmp_path, "severity,state\n1,CA\n")

    with pytest.raises(ValueError, match=r"no column `Severty` \(did you mean `severity`\?\)") as caught:
        validate_file_and_columns(path, ["state", "Severty"])
    assert "Available columns: `severity`, `state`." in str(caught.value)


def test_whole_numbers_that_could_leave_64_bits_are_not_added_up():
    large = [2**62, 2**62, None]
    table = pd.DataFrame({"fits": [2**62, 1, 2], "wraps": pd.array(large, dtype="Int64"), "real": [1e300] * 3})

    validate_sums(table, ["fits", "real"])
    with pytest.raises(ValueError, match="`wraps` cannot be added up exactly"):
        validate_sums(table, ["fits", "wraps"])


@pytest.mark.parametrize(
    "values",
    [
        ["a", None],
        pd.Categorical(["a", "b"]),
        pd.to_datetime(["2024-01-01", None]),
        [b"a", b"b"],
        [time(1), time(2)],
        [pd.Period("2024"), None],
    ],
    ids=["text", "categories", "dates", "bytes", "times of the day", "periods"],
)
def test_what_is_no_number_is_not_added_up(values: object):
    table = pd.DataFrame({"value": values, "units": [1, 2]})

    with pytest.raises(
        ValueError, match=r"`value` holds no numbers, so it cannot be added up\. Columns of .*: `units`"
    ):
        validate_sums(table, ["units", "value"])


def test_a_column_without_any_value_can_be_added_up():
    validate_sums(
        pd.DataFrame({"none": [None, None], "nan": [float("nan")] * 2, "flags": [True, False]}),
        ["none", "nan", "flags"],
    )


@pytest.mark.parametrize("new", [pa.ipc.new_file, pa.ipc.new_stream])
def test_an_arrow_file_that_lies_about_where_its_texts_are_is_refused(tmp_path: Path, new: Any):
    table = pa.table({"word": ["alpha", "beta", "gamma"]})
    sink = pa.BufferOutputStream()
    with new(sink, table.schema) as writer:
        writer.write_table(table)
    honest = sink.getvalue().to_pybytes()
    ends, lies = struct.pack("<4i", 0, 5, 9, 14), struct.pack("<4i", 0, 5, 1 << 30, 14)

    path = written(tmp_path, honest, "table.arrow")
    validate_file_and_columns(path, ["word"])
    assert list(load_csv_data_with_types(path)["word"]) == ["alpha", "beta", "gamma"]
    with pytest.raises(ValueError, match="cannot be read as a table"):
        load_csv_data_with_types(written(tmp_path, honest.replace(ends, lies), "table.arrow"))


def test_each_column_is_in_exactly_one_kind():
    frame = TYPED.assign(name=["a", "b"]).loc[[0, 1] * 40].assign(key=[f"k{i}" for i in range(80)])

    assert detect_column_types(frame) == {
        "numeric": ["n", "r"],
        "categorical": ["code", "name"],
        "datetime": ["day"],
        "boolean": ["ok"],
        "high_cardinality": ["key"],
    }


@pytest.mark.parametrize(
    ("text", "names", "rows", "above"),
    [
        ("Sales 2024,,\n,,\nregion,amount,units\nnorth,1,2\n", ["region", "amount", "units"], 1, ["Sales 2024"]),
        ("# made by hand\n\n# 2024\nregion;amount\nnorth;1\n", ["region", "amount"], 1, ["# made by hand", "# 2024"]),
        ('"A title,\nof two lines"\nregion,amount\nnorth,1\nsouth,2\n', ["region", "amount"], 2, None),
        (",value\n0,5\n1,6\n", ["Unnamed: 0", "value"], 2, []),
        ("name,\nnorth,1\n", ["name", "Unnamed: 1"], 1, []),
        ("region\nnorth\n", ["region"], 1, []),
        ("notes,,\na,1,2\nb,3,4\n", ["notes", "Unnamed: 1", "Unnamed: 2"], 2, []),
    ],
)
def test_a_title_above_the_header_is_left_out(tmp_path, text, names, rows, above):
    path = tmp_path / "t.csv"
    path.write_text(text)

    frame = load_csv_data_with_types(str(path))

    assert (list(frame.columns), len(frame)) == (names, rows)
    assert above is None or layout_of(path, "utf-8").above == above
    validate_file_and_columns(str(path), names)


def test_points_that_may_stand_between_thousands_are_kept_in_a_file_with_semicolons(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("place;people;ratio\na;1.234;1.25\nb;567;2.5\n")

    frame = load_csv_data_with_types(str(path))

    assert frame.to_dict("list") == {"place": ["a", "b"], "people": ["1.234", "567"], "ratio": [1.25, 2.5]}


plain_words = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=20)
rows = st.lists(
    st.tuples(
        plain_words.map(lambda word: "w" + word),
        st.integers(-(10**17), 10**17),
        st.floats(allow_nan=False, width=64).filter(lambda x: abs(x) < 1e15 or abs(x) == float("inf")),
        st.booleans(),
        st.datetimes(datetime.datetime(1900, 1, 1), datetime.datetime(2100, 1, 1)),
    ),
    min_size=1,
    max_size=8,
)


@pytest.mark.soak
@given(rows)
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_pandas_writes_is_read_back(tmp_path, values):
    frame = pd.DataFrame(values, columns=["word", "whole", "real", "flag", "at"])
    frame["at"] = frame["at"].dt.as_unit("us")
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)

    pd.testing.assert_frame_equal(load_csv_data_with_types(str(path)), frame, check_exact=True)


@pytest.mark.parametrize(
    ("content", "said", "difference"),
    [
        (
            "Milk\n\nfarm,litres\nHill,4\n",
            {"header": 1},
            "Its column names are on line 3, and they were read from line 1: pass `header=3`.",
        ),
        (
            "farm,litres\nHill,4\n",
            {"skip": 2},
            "Its column names are on line 1, and 2 lines were left out: pass `skip=0`.",
        ),
        (
            "farm,litres\nHill,4\n",
            {"delimiter": ";"},
            "It is comma-separated, and it was read as semicolon-separated: pass `delimiter=','`.",
        ),
        (
            "Höfe,litres,farm\nHügel,4,5\n",
            {"encoding": "ascii"},
            "It is UTF-8, and it was read as ascii: pass `encoding='utf-8'`.",
        ),
    ],
)
def test_a_file_that_is_written_in_another_way_than_is_said_is_refused_with_the_difference(
    tmp_path: Path, content: str, said: dict[str, Any], difference: str
) -> None:
    path = tmp_path / "milk.csv"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(ValueError, match=re.escape(difference)):
        validate_file_and_columns(str(path), ["farm", "litres"], Reading(**said))


def test_a_file_without_the_columns_is_not_said_to_be_written_in_another_way(tmp_path: Path) -> None:
    path = tmp_path / "milk.csv"
    path.write_text("farm,litres\nHill,4\n")

    with pytest.raises(ValueError, match=r"Available columns: `farm,litres`\.$"):
        validate_file_and_columns(str(path), ["town"], Reading(delimiter=";"))


def test_a_workbook_is_to_be_saved_as_text_where_nothing_opens_it(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    path.write_bytes(b"PK\x03\x04" + bytes(60))

    with pytest.raises(ValueError, match="Save its table `Costs` as CSV, and name that file"):
        validate_file_and_columns(str(path), ["farm"], Reading(sheet="Costs"))


def test_what_is_no_number_has_no_mean() -> None:
    frame = pd.DataFrame({"a": [1.5, None], "b": [None, "4,5"], "c": [None, None]})

    validate_numbers(frame, ["a", "c"])
    with pytest.raises(ValueError, match=r"`b` holds no numbers: its first value is `4,5`\. Columns of numbers: `a`"):
        validate_numbers(frame, ["a", "b"])


def test_texts_that_a_tool_reads_must_be_texts() -> None:
    frame = pd.DataFrame({"a": ["4,5", None], "b": [None, 4.5], "c": pd.to_datetime(["2024-01-02", None])})

    validate_texts(frame, ["a"])
    validate_texts(frame.head(0), ["b"])
    with pytest.raises(ValueError, match=r"`b` holds numbers such as 4\.5, and the tool reads texts there"):
        validate_texts(frame, ["a", "b"])
    with pytest.raises(ValueError, match="`c` holds dates such as 2024-01-02"):
        validate_texts(frame, ["c"])


MANY = pd.DataFrame(
    {
        "a": [1, 2, 3],
        "a.b": ["x", "y", None],
        "payload": ['{"kind": "p", "at": {"day": "2024-01-05"}}', '{"kind": "q"}', None],
        "code": ["007", "008", "NA"],
        "land": ["NA", "DE", "FR"],
        "key": ["k", "l", "m"],
    }
)


def test_a_column_called_as_a_key_of_objects_keeps_them_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    frame = pd.DataFrame({"payload": ['{"kind": "p"}', '{"kind": "q"}'], "payload.kind": ["x", "y"], "n": [1, 2]})
    frame.to_csv(path, index=False)

    some = load_csv_data_with_types(str(path), columns=["payload", "n"])

    pd.testing.assert_frame_equal(some, frame[["payload", "n"]])


@pytest.mark.parametrize("validate", [validate_sums, validate_numbers])
def test_the_columns_of_numbers_that_are_named_are_those_of_the_file(
    tmp_path: Path, validate: Callable[..., None]
) -> None:
    path = tmp_path / "table.csv"
    pd.DataFrame({"region": ["N", "S"], "units": [1, 2]}).to_csv(path, index=False)
    some = load_csv_data_with_types(str(path), columns=["region"])

    with pytest.raises(ValueError, match="Columns of numbers: `units`"):
        validate(some, ["region"], str(path))


@pytest.mark.parametrize("name", ["table.csv", "table.parquet", "table.feather", "table.json", "keyed.parquet"])
@pytest.mark.parametrize(
    "columns", [["a"], ["land", "a"], ["a.b", "a.b"], ["payload.kind"], ["payload.at.day", "code"], ["key", "a"]]
)
def test_some_columns_are_what_they_are_in_the_whole_table(tmp_path: Path, name: str, columns: list[str]) -> None:
    path = tmp_path / name
    match name:
        case "table.csv":
            MANY.to_csv(path, index=False)
        case "table.json":
            MANY.to_json(path, orient="records")
        case "table.feather":
            feather.write_feather(MANY, path)
        case "keyed.parquet":
            MANY.set_index("key").to_parquet(path)
        case _:
            MANY.to_parquet(path)

    some = load_csv_data_with_types(str(path), columns=columns)

    whole = load_csv_data_with_types(str(path))
    pd.testing.assert_frame_equal(some, whole[list(dict.fromkeys(columns))])
