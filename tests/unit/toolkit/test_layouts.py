"""Where the table of a text file begins and ends is found, and every line that is left out is told."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jupyter_mcpgen.toolkit import load_csv_data_with_types, validate_file_and_columns
from jupyter_mcpgen.toolkit.layouts import FOOT_BYTES, LOOKED_AT, Reading
from jupyter_mcpgen.toolkit.tables import read_as, rows_as_read


def written(folder: Path, content: str) -> str:
    path = folder / "t.csv"
    path.write_text(content, encoding="utf-8", newline="")
    return str(path)


ROWS = "2024-01-05,Ulm,4.5\n2024-01-06,Bonn,3\n2024-02-01,Ulm,7.25\n"
NAMES = ["day", "town", "litres"]
HEADER = "day,town,litres\n"


@pytest.mark.parametrize(
    ("above", "below", "names", "said"),
    [
        (HEADER, "", NAMES, "comma-separated, UTF-8, header on line 1."),
        ("", "", ["column_1", "column_2", "column_3"], "comma-separated, UTF-8, no header."),
        ("sep=,\n" + HEADER, "", NAMES, "header on line 2."),
        ("Milk report\n\n" + HEADER, "", NAMES, "header on line 3. above “Milk report”"),
        (
            "# made by hand\n# 2024,v2,draft,x\n" + HEADER,
            "",
            NAMES,
            "line 3. above “# made by hand”, “# 2024,v2,draft,x”",
        ),
        ("Farm,Hill,,\nOwner,Ann,,\n\n" + HEADER, "", NAMES, "line 4. above “Farm,Hill”, “Owner,Ann”"),
        (HEADER, "Total,,14.75\n", NAMES, "line 1. below “Total,,14.75”"),
        (HEADER, "\nSource: the farm\nNote: provisional; see below\n", NAMES, "below “Source: the farm”, “Note: prov"),
        (HEADER, "Printed by the dairy on 3 March,,\n", NAMES, "below “Printed by the dairy on 3 March”"),
        (HEADER, ",,\n,,\n", NAMES, "line 1. 2 empty rows at the end left out."),
        (HEADER + "Sum,,14.75\n", "", NAMES, "line 1. above “Sum,,14.75”"),
        ("Milk,2024-07,\n" + HEADER, "", NAMES, "header on line 2. above “Milk,2024-07”"),
        ("Farm,Hill,\nYear,2024,\n" + HEADER, "", NAMES, "header on line 3. above “Farm,Hill”, “Year,2024”"),
        ("# v2, draft, x\n" + HEADER, "", NAMES, "header on line 2. above “# v2, draft, x”"),
        (HEADER + "date,,l\n", "", NAMES, "header on lines 1 to 2."),
        (HEADER, "\nEnd of report\nSource: the farm,,\nprinted in March\n", NAMES, "“printed in March”"),
        (HEADER, "End of report\n", NAMES, "below “End of report”"),
    ],
)
def test_what_is_no_row_is_left_out_and_told(
    tmp_path: Path, above: str, below: str, names: list[str], said: str
) -> None:
    path = written(tmp_path, above + ROWS + below)

    frame = load_csv_data_with_types(path)
    line = " ".join(read_as(path))
    for place in ("above the names of the columns", "below the rows"):
        line = line.replace(f"What stands {place} is left out:", place.split()[0])

    assert (list(frame.columns), frame.iloc[:, 2].tolist()) == (names, [4.5, 3.0, 7.25])
    assert said in line
    validate_file_and_columns(path, names)


@pytest.mark.parametrize("sign", [",", ";", "\t", "|", "#", "~", "^", ":", "§", "\x1f"])
def test_any_sign_may_stand_between_fields(tmp_path: Path, sign: str) -> None:
    rows = [("town", "litres", "cows"), ("Ulm", "4.5", "12"), ("Bonn", "3.0", "8"), ("Ulm", "7.25", "12")]
    path = written(tmp_path, "".join(sign.join(row) + "\n" for row in rows))

    assert load_csv_data_with_types(path).to_dict("list") == {
        "town": ["Ulm", "Bonn", "Ulm"],
        "litres": [4.5, 3.0, 7.25],
        "cows": [12, 8, 12],
    }


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("farm,2022,,2023,\n,milk,eggs,milk,eggs\nHill,1,2,3,4\nLake,5,6,7,8\n",
         ["farm", "2022 milk", "2022 eggs", "2023 milk", "2023 eggs"]),
        ("farm,2021,2022,2023\nHill,10,12,9\nLake,4,5,6\n", ["farm", "2021", "2022", "2023"]),
        ("farm,2023\nHill,10\nLake,4\n", ["farm", "2023"]),
        ("farm,2024-01-01,2024-02-01\nHill,10,4\nLake,7,5\n", ["farm", "2024-01-01", "2024-02-01"]),
        ("farm,Jan 2024,Feb 2024\nHill,1024.5,4\nLake,1713.25,5\n", ["farm", "Jan 2024", "Feb 2024"]),
        ("farm,1st,2nd,3rd\nHill,3.5,2.1,1.4\nLake,4.5,2.7,1.9\n", ["farm", "1st", "2nd", "3rd"]),
        ("farm,0,1,2\nHill,0.5,0.7,0.9\nLake,0.1,0.2,0.3\n", ["farm", "0", "1", "2"]),
        ("2021,Hill,10\n2022,Hill,12\n2023,Hill,9\n", ["column_1", "column_2", "column_3"]),
        ("Hill,2021,10\nHill,2022,12\n", ["column_1", "column_2", "column_3"]),
        ("H7,10\nH8,4\nH9,5\n", ["column_1", "column_2"]),
        ("farm,owner\nHill,Ann\nLake,Bob\n", ["farm", "owner"]),
        ("No,town\n7,Ulm\n,Bonn\n,Kiel\n", ["No", "town"]),
        ("farm,2022,2023,2024\nHill,1.5,,2\n", ["farm", "2022", "2023", "2024"]),
        ("Milk,kg,,\nfarm,owner,town,note\nHill,Ann,Ulm,good\nLake,Bob,Bonn,late\n", ["farm", "owner", "town", "note"]),
        ("at,day,n,m\n,date,l,kg\nHill,2024-01-05,3,4\nLake,2024-01-06,5,6\n", ["at", "day", "n", "m"]),
        ("Owner,Ann\nYear,first\n\nday,n\n2024-01-05,3\n2024-01-06,5\n2024-01-07,5\n", ["day", "n"]),
        ("Milk;;;\n\nHill;4;5;6\nLake;7;8;9\n", ["column_1", "column_2", "column_3", "column_4"]),
        ("Hill;4;\nLake;7;\n", ["column_1", "column_2"]),
        (",North,,South,,\nfarm,milk,eggs,milk,eggs,\nHill,1,2,3,4,\nLake,5,6,7,8,\n",
         ["farm", "North milk", "North eggs", "South milk", "South eggs"]),
    ],
)  # fmt: skip
def test_names_are_told_from_values(tmp_path: Path, text: str, names: list[str]) -> None:
    assert list(load_csv_data_with_types(written(tmp_path, text)).columns) == names


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("farm;milk\nHill;4;\nLake;5;\n", 2),
        ("farm;milk;\nHill;4\nLake;5\n", 2),
        ("farm;milk;\nHill;4;\nLake;5;\n", 2),
        ("farm;milk\nHill;4;\nLake;5\nWood;6;\n", 3),
    ],
)
def test_a_delimiter_at_the_end_of_rows_begins_no_column(tmp_path: Path, text: str, rows: int) -> None:
    frame = load_csv_data_with_types(written(tmp_path, text))

    assert (list(frame.columns), len(frame)) == (["farm", "milk"], rows)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b,c\n1,2,3\n4,5\n6,7,8\n9,1,2\n", "line 3 has 2 fields, the header has 3"),
        ("a,b,c\n1,2,3\n4,5,6\n7,8,9\n1,2\n", "line 5 has 2 fields, the header has 3"),
        ("a,b,c\nx,y,z\nx,y,z,w\nx,y,z\nx,y,z\n", "line 3 has 4 fields, the header has 3"),
        ("name,at,n\n" + "A,May, 4,7\n" * 3, "line 2 has 4 fields, the header has 3"),
    ],
)
def test_a_row_of_another_width_is_named_by_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        load_csv_data_with_types(written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEADER + ROWS + HEADER + ROWS, "its header on line 1 stands again on line 5"),
        ("farm,2022,2023\nHill,9,2\nfarm,2022,2023\nHill,3,4\n", "its header on line 1 stands again on line 3"),
        (HEADER + ROWS + "\ntown,cows,dogs\nUlm,4,1\n", "one begins on line 1, another on line 6"),
        (HEADER + ROWS + "\nHerds,,\ntown,cows,dogs\nUlm,4,1\n", "one begins on line 1, another on line 7"),
        (HEADER + ROWS + "\ntown,cows\nUlm,4\nBonn,5\n", "one begins on line 1, another on line 6"),
        ("town,cows,dogs,\nUlm,4,1\nBonn,5,2\n\n" + HEADER.strip() + ",eggs\n" + "2024-01-05,Ulm,4.5,2\n" * 5,
         "one begins on line 1, another on line 5"),
        ("town,note\nUlm,fine\n\nBonn,late\n", "may stand on line 1 or, below a blank line, on line 4"),
        ("milk,kg,,\nHill,8,2,3\nLake,4,9,6\n", "line 1 names 2 of 4 columns"),
        (HEADER + ROWS + '2024-02-02,"Bonn,3\n', "a quote that line 5 opens is never closed"),
        (HEADER + "2024-01-05,Ulm\n", "line 2 has 2 fields, the header has 3"),
        ("a,b;c\nx,y;z\nu,v;w\n", "separated by ',' or by ';'. Line 1 is then “a” | “b;c” or “a,b” | “c”. Write"),
    ],
)  # fmt: skip
def test_what_may_be_two_tables_is_refused_with_its_lines(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        load_csv_data_with_types(written(tmp_path, text))


def test_names_that_are_repeated_far_below_are_named(tmp_path: Path) -> None:
    path = written(tmp_path, "farm,milk\n" + "Hill,12\n" * 100_000 + "farm,milk\n" + "Hill,12\n" * 10_000)

    with pytest.raises(ValueError, match="its row 100,001 repeats the names of the columns"):
        load_csv_data_with_types(path)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("day\ttown\n" + "2024-01-05 07:30:15\tUlm\n" * 3, {"day": "2024-01-05 07:30:15", "town": "Ulm"}),
        ("at|town|owner\n" + "07:30|Ulm|Ann Berg\n" * 3, {"at": "07:30", "town": "Ulm", "owner": "Ann Berg"}),
        ("town|cost\n" + "Ulm|5,25\n|7,50\n|8,75\n", {"town": "Ulm", "cost": "5,25"}),
        ("club,result\n" + "Ulm,3–1\n" * 3, {"club": "Ulm", "result": "3–1"}),
    ],
)
def test_a_sign_inside_of_times_and_numbers_is_no_delimiter(tmp_path: Path, text: str, rows: dict) -> None:
    frame = load_csv_data_with_types(written(tmp_path, text))

    assert frame.astype(str).iloc[0].to_dict() == rows
    assert len(frame) == 3


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("station,jan,feb\nHill,closed,closed\nLake,1,2\nWood,3,4\n", 3),
        ("ok,n\nYes,1\nNo,2\nYes,3\nN,\n", 4),
        ("day;note;n\n9 September;;\n", 1),
        ("note;n\nDoor: left open;\n", 1),
        ("pb,code\n<2.76,A1\n,B2\n<0.29,x?y\n1.5,C3\n2.5,D4\n3.5,E5\n", 6),
        ('who,pb,at\nAnn,2.4,Ulm\n,<0.3,\n"Berg, Ann",<0.1,Ulm\nBob,2.5,Hof\nCleo,3.5,Ulm\n', 5),
        ("n,town\n1,Ulm\n\n2,Bonn\n\n3,Kiel\n", 3),
    ],
)
def test_a_row_like_no_other_is_kept(tmp_path: Path, text: str, rows: int) -> None:
    assert len(load_csv_data_with_types(written(tmp_path, text))) == rows


@pytest.mark.parametrize("last", ["Iceland,,\n", "Bosnia and Herzegovina,,\n", "Total Energies,5,6\n", ",,3\n"])
def test_a_row_with_gaps_is_no_note(tmp_path: Path, last: str) -> None:
    text = "country,milk,eggs\nBosnia and Herzegovina,1,2\nTrinidad and Tobago,3,4\n"

    assert len(load_csv_data_with_types(written(tmp_path, text + last))) == 3


STATEMENT = "day;payee;what;amount\n31.03.2025;Mill;flour;-8,5\n28.03.2025;Farm;eggs;-3\n02.01.2025;Hill;;50\n"


@pytest.mark.parametrize(
    "below",
    [
        "Closing balance;;;4,5\n",
        ";;;\nClosing balance;;;4,5\n",
        "Number of bookings:;;;3\nClosing balance;;;4,5\n",
        "Saldo:;;;4,5\n",
        ";;;\nSaldo;;;4,5\n",
    ],
)
@pytest.mark.parametrize("above", ["", "account of;Ann;;\nfrom;01.01.2025;;\n"])
def test_words_below_dates_with_a_figure_are_no_row(tmp_path: Path, above: str, below: str) -> None:
    path = written(tmp_path, above + STATEMENT + below)

    assert load_csv_data_with_types(path)["amount"].tolist() == ["-8,5", "-3", "50"]
    assert any(note.startswith("What stands below the rows is left out: ") for note in read_as(path))
    assert len(load_csv_data_with_types(path, reading=Reading(footer=0))) > 3


def test_words_above_dates_with_a_figure_are_no_row_either(tmp_path: Path) -> None:
    header, _, rows = STATEMENT.partition("\n")
    path = written(tmp_path, f"{header}\nOpening balance;;;1\n{rows}Closing balance;;;4,5\n")

    assert load_csv_data_with_types(path)["amount"].tolist() == ["-8,5", "-3", "50"]
    assert any("Opening balance" in note for note in read_as(path))


@pytest.mark.parametrize(
    "text",
    [
        STATEMENT + "pending;;;4,5\n",
        STATEMENT + "not yet paid;Farm;hay;4,5\n",
        STATEMENT.replace("31.03.2025", "not yet paid") + "02.01.2025;Hill;;50\nnot yet paid;;;4,5\n",
        STATEMENT.replace("28.03.2025", "not yet paid") + "02.01.2025;Hill;;50\nnot yet paid;;;4,5\n",
        STATEMENT.replace("Mill", "").replace("Farm", "").replace("Hill", "").replace("flour", "")
        + "in spring;;;4,5\n",
        "day;payee;what;amount\nin spring;;;4,5\n",
        "who;town;what;amount\nAnn Lee;Ulm;hay;3\nBo Hay;Ulm;hay;3\nClosing balance;;;4,5\n",
    ],
)
def test_words_in_a_last_row_that_may_be_of_the_table_are_kept(tmp_path: Path, text: str) -> None:
    assert len(load_csv_data_with_types(written(tmp_path, text))) == text.count("\n") - 1


def test_notes_below_a_file_of_which_only_the_beginning_is_looked_at_are_found(tmp_path: Path) -> None:
    count = 2 * (LOOKED_AT + FOOT_BYTES) // len("Hill,12\n")
    path = written(tmp_path, "farm,milk\n" + "Hill,12\n" * count + "\nSource: the farms\n")

    assert len(load_csv_data_with_types(path)) == count
    assert read_as(path)[1:] == ["What stands below the rows is left out: “Source: the farms”."]


def test_a_row_of_another_width_far_below_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "farm,milk\n" + "Hill,12\n" * 100_000 + "Hill,12,3\n" + "Hill,12\n" * 10)

    with pytest.raises(ValueError, match="line 100002 has 3 fields, the header has 2"):
        load_csv_data_with_types(path)


@pytest.mark.parametrize(
    ("text", "reading", "rows"),
    [
        ("a\nb\n", Reading(header=0), {"column_1": ["a", "b"]}),
        ("x,y\nu,v\n1,2\n", Reading(header=2), {"u": [1], "v": [2]}),
        ("x,y\n1,2\n3,4\n", Reading(header=0, skip=1), {"column_1": [1, 3], "column_2": [2, 4]}),
        ("x,y\n1,2\n3,4\n5,6\n", Reading(footer=2), {"x": [1], "y": [2]}),
        ("x,y,,\n1,2,9,4\n", Reading(header=1), {"x": [1], "y": [2], "Unnamed: 2": [9], "Unnamed: 3": [4]}),
        ("x,y\n1,2\nTotal,2\n", Reading(footer=0), {"x": ["1", "Total"], "y": [2, 2]}),
        ("x,y;z\n1,2;3\n", Reading(delimiter=","), {"x": [1], "y;z": ["2;3"]}),
        ("x,y\n1,none given\n2,5\n", Reading(missing=("none given",)), {"x": [1, 2], "y": [None, 5.0]}),
        ("x,y\n1,Å\n", Reading(encoding="latin-1"), {"x": [1], "y": ["Ã\x85"]}),
    ],
)
def test_what_is_said_of_a_file_is_not_looked_for(tmp_path: Path, text: str, reading: Reading, rows: dict) -> None:
    frame = load_csv_data_with_types(written(tmp_path, text), reading=reading)

    assert frame.astype(object).where(frame.notna(), None).to_dict("list") == rows


@pytest.mark.parametrize(
    ("reading", "said"),
    [
        (Reading(header=1), "line 1 has 2 fields, the header has 3"),
        (Reading(footer=0), "line 6 has 1 fields, the header has 3"),
        (Reading(skip=9), "nothing stands below its first 9 lines"),
        (Reading(encoding="ascii"), "it is not ascii throughout"),
        (Reading(encoding="klingon"), "`klingon` is no encoding"),
    ],
)
def test_what_is_said_and_does_not_fit_is_refused(tmp_path: Path, reading: Reading, said: str) -> None:
    text = "Farm,Hill\nOwner,Ann\n\nday,town,l\n2024-01-05,Köln,4\nSource: the farm\n"

    with pytest.raises(ValueError, match=said):
        load_csv_data_with_types(written(tmp_path, text), reading=reading)


@pytest.mark.parametrize("text", ["x" * 200_000, '"' + "x,y\n" * 100_000, '"' * 300_000])
def test_a_text_without_a_field_that_ends_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match=r"its first field has more than 131,072 signs\."):
        load_csv_data_with_types(written(tmp_path, text))


def test_a_header_longer_than_what_is_looked_at_is_read_whole(tmp_path: Path) -> None:
    names = [f"{'a long name of a column ' * 20}{number}" for number in range(600)]
    path = written(tmp_path, ",".join(names) + "\n" + ("1" + ",2" * 599 + "\n") * 3)

    frame = load_csv_data_with_types(path)

    assert (frame.shape, frame.columns[-1]) == ((3, 600), names[-1])


def test_a_pointer_to_a_file_elsewhere_is_no_table(tmp_path: Path) -> None:
    path = written(tmp_path, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n")

    with pytest.raises(ValueError, match="it only points to a file in Git LFS"):
        load_csv_data_with_types(path)


words = st.text(st.characters(codec="utf-8", categories=["Lu", "Ll", "Nd", "Po", "Zs"]), min_size=1, max_size=12)
tables = st.integers(2, 5).flatmap(
    lambda width: st.lists(
        st.tuples(st.integers(0, 9999), *[words.map(lambda word: f"w {word}") for _ in range(width - 1)]),
        min_size=2,
        max_size=30,
    )
)


@pytest.mark.soak
@given(tables, st.sampled_from(",;\t|"), st.booleans())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_row_is_lost_whatever_words_it_has(tmp_path: Path, rows: list[tuple], sign: str, has_title: bool) -> None:
    path = tmp_path / "t.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        if has_title:
            file.write("A list of everything\n\n")
        writer = csv.writer(file, delimiter=sign, lineterminator="\n")
        writer.writerow(["number", *(f"name {place}" for place in range(1, len(rows[0])))])
        writer.writerows(rows)

    frame = load_csv_data_with_types(str(path))

    assert frame["number"].tolist() == [row[0] for row in rows]
    assert frame["name 1"].tolist() == [row[1] for row in rows]


CELLS = {
    "number": st.integers(0, 99_999).map(str),
    "reading": st.floats(0.01, 99, allow_nan=False).map("{:.2f}".format),
    "cost": st.floats(0.01, 9_999, allow_nan=False).map(lambda value: f"{value:.2f}".replace(".", ",")),
    "day": st.dates().map(lambda day: day.strftime("%d.%m.") + f"{day.year:04}"),
    "start": st.times().map(lambda at: at.strftime("%H:%M:%S")),
    "key": st.integers(0, 999).map("K-{:03}".format),
    "town": st.sampled_from(["Ulm", "Bonn", "Łomża", "Bad Ems"]),
    "remark": st.sampled_from(
        ["late; paid later", 'said "no", twice', "line one\nline two", "total: see note 3", "fine"]
    ),
}
GAPPED = {name: st.one_of(cells, cells, cells, st.sampled_from(["", "-", "n/a"])) for name, cells in CELLS.items()}


@st.composite
def dressed(draw: st.DrawFn) -> tuple[str, list[str], list[list[str]]]:
    """Return a text with a table in it, and the names and rows of that table."""
    names = draw(st.lists(st.sampled_from([*CELLS]), min_size=3, max_size=6, unique=True))
    row = st.tuples(CELLS[names[0]], *(GAPPED[name] for name in names[1:])).map(list)
    rows = draw(st.lists(row, min_size=1, max_size=25))
    sign, end = draw(st.sampled_from(",;\t|")), draw(st.sampled_from(["\n", "\r\n"]))
    above = draw(
        st.sampled_from([[], [["Milk report"], []], [["Farm", "Hill"], ["Year", "2024"], []], [["# by hand"]]])
    )
    below = draw(st.sampled_from([[], [["Total"] + [""] * (len(names) - 1)], [[], ["Source: the farms"]]]))
    after = draw(st.sampled_from([[], [[""] * len(names)] * 2]))
    text = io.StringIO(newline="")
    quoting = draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    csv.writer(text, delimiter=sign, lineterminator=end, quoting=quoting).writerows(
        [*above, names, *rows, *below, *after]
    )
    return text.getvalue(), names, rows


@given(dressed())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_dressed_table_is_read_as_it_is_or_refused(
    tmp_path: Path, drawn: tuple[str, list[str], list[list[str]]]
) -> None:
    text, names, rows = drawn
    path = written(tmp_path, text)

    try:
        frame = load_csv_data_with_types(path)
    except ValueError as refused:
        assert re.search(r"lines? \d", str(refused))  # noqa: PT017
        return
    read = rows_as_read(path)

    assert list(frame.columns) == names
    assert read is not None
    assert [list(row.values()) for row in read.cells.to_pylist()] == rows


@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize("above", ["", "Exported in May\n"])
def test_a_line_of_more_fields_than_any_table_has_is_not_looked_through(tmp_path: Path, above: str, end: str) -> None:
    path = written(tmp_path, above + "1," * (1 << 20) + end)

    with pytest.raises(ValueError, match=r"its line \d has more than 262,144 signs that may stand between fields"):
        validate_file_and_columns(path)


@pytest.mark.soak
def test_lines_that_end_with_a_return_alone_are_looked_at_like_others(tmp_path: Path) -> None:
    rows = [f"{number},Ulm" for number in range(LOOKED_AT // 4)]
    usual = written(tmp_path, "\n".join(["number,town", *rows, ""]))
    told, frame = rows_as_read(usual), load_csv_data_with_types(usual)
    path = written(tmp_path, "\r".join(["number,town", *rows, ""]))

    again = rows_as_read(path)

    assert told is not None
    assert again is not None
    assert (again.first_line, again.cells) == (told.first_line, told.cells)
    assert load_csv_data_with_types(path).equals(frame)
