"""A packed file is unpacked once, in the sandbox, into a table that is read like any other; or it is said why not."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
import tarfile
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from jupyter_mcpgen.data.kept_texts import SaidOfFiles
from jupyter_mcpgen.data.references import read_frame, snapshot_notes
from jupyter_mcpgen.data.unpacking.kept import KeptTables
from jupyter_mcpgen.errors import EmptyData, QuestionStopped, SeveralTables, UnreadableData
from jupyter_mcpgen.model.request import ReadOptions
from jupyter_mcpgen.pipeline.files import Files
from jupyter_mcpgen.pipeline.material import table_name
from jupyter_mcpgen.pipeline.unpacking import Unpacker
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests.levels import needs
from tests.packed_files import CONTAINERS, COSTS, TEXT, TOWNS, costs, excel_2003, write_book, write_sqlite, write_zip

pytestmark = needs(ProgramSandbox().missing())
ZEROS = b"\0" * (1 << 20)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(Unpacker(ProgramSandbox, KeptTables(tmp_path / "kept")), SaidOfFiles(tmp_path / "said"))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", CONTAINERS)
def test_a_table_is_the_same_in_every_container(files: Files, tmp_path: Path, name: str) -> None:
    CONTAINERS[name](tmp_path / name)

    ref = files.reference(str(tmp_path / name))

    assert (ref.name, ref.origin) == (name, str((tmp_path / name).resolve()))
    assert read_frame(ref).to_dict("list") == TOWNS


def test_a_plain_file_is_read_where_it_lies(files: Files, tmp_path: Path) -> None:
    for name, content in {"a.csv": TEXT, "b.json": b'[{"a": 1}]', "orc.csv": b"ORC,b\n1,2\n"}.items():
        (tmp_path / name).write_bytes(content)

        ref = files.reference(str(tmp_path / name))

        assert (ref.packed, ref.path) == (None, str((tmp_path / name).resolve()))
    assert not (tmp_path / "kept").exists()


def test_a_sheet_is_read_as_its_program_would_export_it(files: Files, tmp_path: Path) -> None:
    book = write_book(tmp_path / "book.xlsx", {"Costs": COSTS}, costs)

    ref = files.reference(str(book))

    assert Path(ref.path).read_text(encoding="utf-8").splitlines() == [
        ",2023,2023,more",
        "town,q1,q2,twice",
        "Lund,1,2.5,",
        "Lund,3,#DIV/0!,2024-01-02",
        "Bari,true,2024-01-02 12:30:00,30:00:00",
    ]
    assert snapshot_notes(ref)[:4] == (
        "Read from the sheet `Costs`.",
        "1 cell holds an error: `C4` `#DIV/0!`.",
        "1 formula was never calculated and read as missing: `D3`. Open and save the workbook in its program to have "
        "the values.",
        "The texts of merged cells stand in all their rows (1 filled).",
    )


def test_places_and_merged_cells_of_an_xml_workbook_are_kept(files: Files, tmp_path: Path) -> None:
    text, number = '<Data ss:Type="String">', '<Data ss:Type="Number">'
    (tmp_path / "book.xls").write_text(
        excel_2003(
            f'<Row><Cell ss:Index="2" ss:MergeAcross="1">{number}2023</Data></Cell><Cell>{text}at</Data></Cell></Row>'
            f'<Row ss:Index="3"><Cell ss:MergeDown="1">{text}Lund</Data></Cell><Cell>{number}1</Data></Cell>'
            '<Cell ss:Index="4"><Data ss:Type="DateTime">2024-01-02T00:00:00.000</Data></Cell></Row>'
            '<Row><Cell ss:Index="3"><Data ss:Type="Error">#N/A</Data></Cell></Row>'
        )
    )

    ref = files.reference(str(tmp_path / "book.xls"))

    assert Path(ref.path).read_text().splitlines() == [",2023,2023,at", "", "Lund,1,,2024-01-02", "Lund,,#N/A,"]


def test_columns_that_are_lined_up_are_cut_where_no_line_has_a_sign(files: Files, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(
        "Name          Unit price   Stock\nBlue paint          2.50      12\nRed  brick         10.00       3\n"
        "Old  chair          7.25\n"
    )

    ref = files.reference(str(tmp_path / "a.txt"))

    assert Path(ref.path).read_text().splitlines() == [
        "Name,Unit price,Stock", "Blue paint,2.50,12", "Red  brick,10.00,3", "Old  chair,7.25,",
    ]  # fmt: skip
    (tmp_path / "a.txt").write_text("town  unit price  note  note 2\nLund           7\nBari           8\n")
    assert Path(files.reference(str(tmp_path / "a.txt")).path).read_text().splitlines() == [
        "town,unit price,note,note 2", "Lund,7,,", "Bari,8,,",
    ]  # fmt: skip
    assert snapshot_notes(ref)[0] == "Read by the places of the columns: 3, which begin at 1, 15, 28."


def test_text_that_is_not_lined_up_is_read_as_it_is(files: Files, tmp_path: Path) -> None:
    texts = {"words.txt": "of  this\nand  that\n", "comma.csv": "a,  b\n1,  2\n3,  4\n", "one.txt": "a b\nc  d\ne  f\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)

    assert [files.reference(str(tmp_path / name)).packed for name in texts] == [None, None, None]


def test_of_several_sheets_one_has_to_be_named(files: Files, tmp_path: Path) -> None:
    more: list[list[Any]] = [["a", "b"], [1, 2]]
    sheets = {"Towns": [["town"], ["Lund"]], "Empty": [], "More costs": more, "Old": [["x"], [1]]}
    path = str(write_book(tmp_path / "book.xlsx", sheets, lambda book: _hide(book, "Old")))

    with pytest.raises(SeveralTables) as unnamed:
        files.reference(path)
    with pytest.raises(SeveralTables, match=r"has no `Town`\. Did you mean `Towns`\?"):
        files.reference(path, "Town")
    named, hidden = files.reference(path, "more COSTS"), files.reference(path, "Old")

    assert str(unnamed.value) == (
        "`book.xlsx` has 2 sheets: `Towns` (2 rows, 1 column), `More costs` (2 rows, 2 columns). Name one, such as "
        "`book.xlsx#Towns`, or add `--sheet Towns`."
    )
    assert named.name == "book.xlsx#More costs"
    assert (named.typed, read_frame(named).to_dict("list")) == (f"{path}#More costs", {"a": [1], "b": [2]})
    assert snapshot_notes(named) == (
        "Read from the sheet `More costs`, one of 3 with cells.",
        "Hidden and left out: `Old`.",
        "Read as: header on line 1.",
    )
    assert read_frame(hidden).to_dict("list") == {"x": [1]}


def _hide(book: Any, name: str) -> None:
    book[name].sheet_state = "hidden"


def test_a_table_with_a_name_of_its_own_is_read_without_what_stands_around_it(files: Files, tmp_path: Path) -> None:
    from openpyxl.worksheet.table import Table

    rows: list[list[Any]] = [
        ["about", None, None],
        [None, "a", "b"],
        [None, 1, 2],
        [None, 3, 4],
        ["signed", None, None],
    ]
    path = str(
        write_book(
            tmp_path / "book.xlsx",
            {"One": rows, "Two": [["x"], [1]]},
            lambda book: book["One"].add_table(Table(displayName="Counts", ref="B2:C4")),
        )
    )

    assert read_frame(files.reference(path, "Counts")).to_dict("list") == {"a": [1, 3], "b": [2, 4]}


def test_members_of_archives_and_tables_of_databases_are_named_alike(files: Files, tmp_path: Path) -> None:
    book = write_book(tmp_path / "b.xlsx", {"One": [["a"], [1]], "Two": [["a"], [2]]})
    archive = write_zip(
        tmp_path / "all.zip",
        {"a.csv": b"a\n1\n", "d/b.xlsx": book.read_bytes(), "../evil.csv": b"a\n9\n", "/etc/evil.csv": b"a\n9\n"},
    )
    base = write_sqlite(
        tmp_path / "all.db", 'CREATE TABLE one (a); CREATE TABLE "tw""o" (a); INSERT INTO "tw""o" VALUES (1), (\'x\')'
    )
    document = tmp_path / "all.json"
    document.write_text(json.dumps({"one": [{"a": 1}], "more": {"two": [{"a": 2}, {"a": 3}]}}))
    choices = {}

    for path, named in ((archive, "d/b.xlsx"), (archive, None), (base, None), (document, None)):
        with pytest.raises(SeveralTables) as several:
            files.reference(str(path), named)
        choices[path.name, named] = several.value.choices

    assert choices == {
        ("all.zip", "d/b.xlsx"): ("d/b.xlsx/One", "d/b.xlsx/Two"),
        ("all.zip", None): ("a.csv", "d/b.xlsx"),
        ("all.db", None): ("one", 'tw"o'),
        ("all.json", None): ("one", "more.two"),
    }
    chosen = [(archive, "d/b.xlsx/Two"), (base, 'tw"o'), (document, "more.two")]
    found = [read_frame(files.reference(str(path), name)).to_dict("list") for path, name in chosen]
    assert found == [{"a": [2]}, {"a": ["1", "x"]}, {"a": [2, 3]}]


def test_what_was_unpacked_is_found_again_and_made_again_when_its_file_changed(files: Files, tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(b"a\n1\n", mtime=0))
    first = files.reference(str(path))
    blind = Files(Unpacker(lambda: pytest.fail("it was unpacked again"), files.kept), files.said)

    again = blind.reference(str(path))
    path.write_bytes(gzip.compress(b"a\n2\n"))
    changed = files.reference(str(path))
    shutil.rmtree(Path(first.path).parent)
    path.write_bytes(gzip.compress(b"a\n1\n", mtime=0))
    lost = files.reference(str(path))

    assert again == first == lost
    assert [read_frame(ref)["a"].tolist() for ref in (lost, changed)] == [[1], [2]]


def test_a_file_that_changes_while_it_is_read_is_refused_and_not_kept(files: Files, tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(TEXT))

    def change() -> ProgramSandbox:
        path.write_bytes(gzip.compress(TEXT + TEXT.partition(b"\n")[2]))
        return ProgramSandbox()

    with pytest.raises(UnreadableData, match="it changed while it was read"):
        Files(Unpacker(change, files.kept), files.said).reference(str(path))
    assert not files.kept.folder.exists()
    assert read_frame(files.reference(str(path)))["boxes"].tolist() == [3, 4, 3, 4]


def test_whoever_stops_a_question_stops_the_unpacking(files: Files, tmp_path: Path) -> None:
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(TEXT))
    stop = Cancellation()
    stop.cancel()

    with pytest.raises(QuestionStopped):
        files.until(stop).reference(str(tmp_path / "a.csv.gz"))

    assert not files.kept.folder.exists()
    assert read_frame(files.reference(str(tmp_path / "a.csv.gz"))).to_dict("list") == TOWNS


def _far_cell(path: Path) -> None:
    """Write a workbook whose last cell is the last there can be."""
    write_book(path, {"One": [["a"], [1]]}, lambda book: book["One"].cell(1_048_576, 16_384, "x"))


def _bomb(path: Path) -> None:
    with gzip.open(path, "wb") as file:
        for _ in range(300):
            file.write(ZEROS)


def _lone_password(path: Path) -> None:
    beginning = bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 2000
    path.write_bytes(beginning + "EncryptedPackage".encode("utf-16-le") + b"\0" * 500)


def _encrypted_member(path: Path) -> None:
    content = bytearray(write_zip(path, {"a.csv": TEXT}).read_bytes())
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + flags] |= 1
    path.write_bytes(bytes(content))


def _tar(path: Path) -> None:
    (path.parent / "a.csv").write_bytes(TEXT)
    with tarfile.open(path, "w:gz") as archive:
        archive.add(path.parent / "a.csv", "a.csv")


HOSTILE = {
    "far.xlsx": (_far_cell, "opening it takes more than 3,072 MB of memory"),
    "bomb.csv.gz": (_bomb, r"this gzip file unpacks to more than \d+ MB"),
    "bomb.zip": (lambda path: write_zip(path, {"a.csv": ZEROS * 300}), "the member `a.csv` unpacks to more than"),
    "cut.csv.gz": (lambda path: path.write_bytes(gzip.compress(TEXT * 99)[:-9]), "ends too early.*it is not complete"),
    "junk.csv.gz": (lambda path: path.write_bytes(gzip.compress(TEXT) + b"junk"), "this gzip file is damaged"),
    "empty.csv.gz": (lambda path: path.write_bytes(gzip.compress(b"")), "has nothing in it"),
    "cut.zip": (lambda path: path.write_bytes(write_zip(path, {"a.csv": TEXT}).read_bytes()[:-9]), "not complete"),
    "deep.zip": (lambda path: _nest(path, 3), "compressed more than twice"),
    "secret.zip": (_encrypted_member, "whose files are encrypted"),
    "secret.xlsx": (_lone_password, "a workbook with a password"),
    "broken.xlsx": (
        lambda path: write_zip(path, {"xl/workbook.xml": b"<workbook"}),
        "damaged|cannot be opened|no workbook",
    ),
    "letter.docx": (lambda path: write_zip(path, {"word/document.xml": b"<a/>"}), "it is a Word document"),
    "blank.xlsx": (lambda path: write_book(path, {"One": []}), "without any filled cell"),
    "cut.sqlite": (
        lambda path: path.write_bytes(b"SQLite format 3\0" + b"\1" * 3000),
        "an SQLite file that cannot be read",
    ),
    "none.db": (lambda path: write_sqlite(path, "CREATE TABLE a (b); DROP TABLE a"), "without tables"),
    "cut.duckdb": (
        lambda path: path.write_bytes(b"\0" * 8 + b"DUCK" + b"\1" * 3000),
        "a DuckDB file that cannot be read",
    ),
    "twice.json": (lambda path: path.write_text('{"r": [{"a": 1, "a": 2}]}'), "has the key `a` twice"),
    "words.json": (lambda path: path.write_text('{"a": "b", "c": {"d": [1, 2]}}'), "holds no list of objects"),
    "deep.json": (lambda path: path.write_text('{"a":' + "[" * 100_000), "nested too deeply|not valid JSON"),
    "cells.xml": (
        lambda path: path.write_text("<?xml version='1.0'?><Workbook/>"),
        "an XML document that is no workbook",
    ),
    "cut.xml": (lambda path: path.write_text("<?xml version='1.0'?><Workbook>"), "an XML document that is damaged"),
    "all.tar.gz": (_tar, "it is a tar archive"),
    "note.txt": (
        lambda path: path.write_text("\n".join(["a   b", *["1   2"] * 2000, "nothing lined up"])),
        "under `a b` two of them run into each other, as in `nothing lined up`",
    ),
    "wide.txt": (
        lambda path: path.write_text("name   code\nab     1\nabcdefgh2\nc      3\n"),
        "under `name code` two of them run into each other, as in `abcdefgh2`",
    ),
    "page.html": (lambda path: path.write_text("<html><p>nothing</p></html>"), "a web page without a table"),
}


def _nest(path: Path, times: int) -> None:
    content = TEXT
    for _ in range(times):
        content = gzip.compress(content)
    path.write_bytes(content)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_that_holds_no_table_is_refused_in_one_sentence(files: Files, tmp_path: Path, name: str) -> None:
    make, said = HOSTILE[name]
    make(tmp_path / name)

    with pytest.raises(UnreadableData, match=said) as refused:
        files.reference(str(tmp_path / name))

    told = str(refused.value)
    assert told.startswith(f"`{tmp_path / name}` cannot be read as a table: ")
    assert (told.count("\n"), len(told) < 400, "Traceback" in told) == (0, True, False)


def test_views_and_statements_of_a_database_write_nothing(files: Files, tmp_path: Path) -> None:
    base = write_sqlite(
        tmp_path / "a.db",
        "CREATE TABLE t (a); INSERT INTO t VALUES (1); CREATE VIEW v AS SELECT load_extension('x'), a FROM t",
    )
    before = base.read_bytes()

    assert read_frame(files.reference(str(base))).to_dict("list") == {"a": [1]}
    with pytest.raises(UnreadableData, match="cannot be read"):
        files.reference(str(base), "v")
    assert base.read_bytes() == before


def test_changes_beside_a_database_are_said_to_be_left_out(files: Files, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    base = sqlite3.connect(path)
    base.execute("PRAGMA journal_mode = wal")
    base.executescript("CREATE TABLE t (a); INSERT INTO t VALUES (1); PRAGMA wal_checkpoint(truncate)")
    base.executescript("INSERT INTO t VALUES (2)")

    ref = files.reference(str(path))
    base.close()

    assert read_frame(ref).to_dict("list") == {"a": [1]}
    assert snapshot_notes(ref) == (
        "Read from the table `t`.",
        "Changes that a program has not written into `a.db` yet, but into `a.db-wal`, are left out.",
    )
    assert read_frame(files.reference(str(path))).to_dict("list") == {"a": [1, 2]}


def test_a_choice_in_a_file_of_one_table_is_refused(files: Files, tmp_path: Path) -> None:
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(TEXT))
    (tmp_path / "b.csv").write_bytes(TEXT)

    for name in ("a.csv.gz", "b.csv"):
        with pytest.raises(UnreadableData, match="there is no `Costs` to choose"):
            files.reference(str(tmp_path / name), "Costs")


def test_a_table_that_is_wrong_once_it_is_unpacked_is_told_by_its_own_file(files: Files, tmp_path: Path) -> None:
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"\x00\x01\x02"))
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(b"  \n"))

    with pytest.raises(UnreadableData, match=r"a\.csv\.gz` cannot be read as a table: it is a binary file"):
        files.reference(str(tmp_path / "a.csv.gz"))
    with pytest.raises(EmptyData, match=r"b\.csv\.gz` is empty"):
        files.reference(str(tmp_path / "b.csv.gz"))


def _year(folder: Path, texts: dict[str, str]) -> Path:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_files_of_one_shape_are_one_table_that_says_which_row_is_of_which_file(files: Files, tmp_path: Path) -> None:
    texts = {"a.csv": "town,n,note\nLund,1,\n", "b.csv": "n,town,note\n2.5,Bari,7\n", ".hidden.csv": "x\n1\n"}
    folder = _year(tmp_path / "sales", texts)
    (folder / "link.csv").symlink_to(_year(tmp_path / "other", {"c.csv": "town,n,note\nRome,9,\n"}) / "c.csv")

    whole, pattern = files.reference(str(folder)), files.reference(str(folder / "?.csv"))
    before = read_frame(whole).to_dict("list")
    (folder / "a.csv").write_text("town,n,note\nLund,5,x\n")
    after = files.reference(str(folder))
    files.read_so(str(folder / "b.csv"), ReadOptions(missing=("Bari",)))
    as_said = files.reference(str(folder))

    assert (whole.name, pattern.name, whole.typed) == ("sales", "sales/?.csv", str(folder))
    assert (table_name(whole), table_name(pattern)) == ("sales", "sales")
    assert before["n"] == read_frame(pattern)["n"].tolist() == [1.0, 2.5]
    assert before["file"] == ["a.csv", "b.csv"]
    assert snapshot_notes(whole) == ("Read from 2 files; the column `file` says which.",)
    assert read_frame(after).to_dict("list") == {
        "town": ["Lund", "Bari"], "n": [5.0, 2.5], "note": ["x", "7"], "file": ["a.csv", "b.csv"],
    }  # fmt: skip
    assert "Of several types in these files and read as text: `note`." in snapshot_notes(after)
    assert read_frame(as_said)["town"].isna().tolist() == [False, True]


def test_folders_that_are_called_key_and_value_are_columns(files: Files, tmp_path: Path) -> None:
    for year, town in ((2023, "Lund"), (2024, "Bari")):
        part = tmp_path / "sales" / f"year={year}" / f"code=0{year % 10}"
        part.mkdir(parents=True)
        pd.DataFrame({"town": [town]}).to_parquet(part / "0.parquet")
    _year(tmp_path / "sales" / "closed", {"a.parquet": "no table, and not looked at"})

    table = read_frame(files.reference(str(tmp_path / "sales")))

    assert table.drop(columns="file").to_dict("list") == {
        "town": ["Lund", "Bari"], "year": [2023, 2024], "code": ["03", "04"],
    }  # fmt: skip


def test_files_that_are_not_of_one_shape_are_refused_with_the_difference(files: Files, tmp_path: Path) -> None:
    folder = _year(tmp_path / "sales", {"a.csv": "a,b\n1,2\n", "b.csv": "a,c\n1,2\n", "c.json": "[]"})

    with pytest.raises(UnreadableData, match=r"`b\.csv` lacks `b` and has `c` besides, held against `a\.csv`"):
        files.reference(str(folder / "*.csv"))
    with pytest.raises(UnreadableData, match=r"of several kinds: `\*\.csv`, `\*\.json`"):
        files.reference(str(folder))
    with pytest.raises(UnreadableData, match="no file is called so"):
        files.reference(str(folder / "*.xlsx"))


def test_sheets_of_one_shape_are_one_table_where_a_pattern_names_them(files: Files, tmp_path: Path) -> None:
    months: dict[str, list[list[Any]]] = {
        "January": [["town", "n"], ["Lund", 1]],
        "February": [["town", "n"], ["Bari", 2]],
        "About": [["written by"], ["me"]],
    }
    path = str(write_book(tmp_path / "year.xlsx", months))

    ref = files.reference(path, "*uary")

    assert read_frame(ref).to_dict("list") == {"town": ["Lund", "Bari"], "n": [1, 2], "sheet": ["January", "February"]}
    assert snapshot_notes(ref) == ("Read from 2 sheets; the column `sheet` says which.",)
    assert (ref.name, table_name(ref)) == ("year.xlsx#*uary", "year")
    with pytest.raises(UnreadableData, match="`About` lacks `town`, `n` and has `written by` besides"):
        files.reference(path, "*")
    with pytest.raises(SeveralTables, match=r"has no `M\*`"):
        files.reference(path, "M*")
    archive = write_zip(tmp_path / "a.zip", {"a[1].csv": b"a\n1\n", "a1.csv": b"a\n2\n"})
    assert read_frame(files.reference(str(archive), "a[1].csv")).to_dict("list") == {"a": [1]}
