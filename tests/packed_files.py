"""Packed files that tests make: one small table in every container, workbooks cell by cell, and hostile ones."""

from __future__ import annotations

import bz2
import datetime as dt
import gzip
import json
import lzma
import sqlite3
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.orc as orc
import pyarrow.parquet as parquet

TOWNS = {"town": ["Lund", "Bari"], "code": ["007", "010"], "boxes": [3, 4], "price": [2.5, 1.0]}
"""What is in every container."""
TEXT = b"town,code,boxes,price\nLund,007,3,2.5\nBari,010,4,1\n"
ROWS = [dict(zip(TOWNS, row, strict=True)) for row in zip(*TOWNS.values(), strict=True)]
_ODS = "<?xml version='1.0'?><office:document-content xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0' "
_NAMES = (
    "xmlns:table='urn:oasis:names:tc:opendocument:xmlns:table:1.0' "
    "xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0'><office:body><office:spreadsheet>"
)


def write_book(
    path: Path, sheets: Mapping[str, list[list[Any]]], change: Callable[[Any], None] = lambda book: None
) -> Path:
    """Write a workbook of such sheets, each given row by row; `change` does what rows do not say."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    change(book)
    book.save(path)
    return path


def write_zip(path: Path, members: Mapping[str, bytes]) -> Path:
    """Write an archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def write_sqlite(path: Path, script: str) -> Path:
    """Write a database by statements."""
    base = sqlite3.connect(path)
    base.executescript(script)
    base.close()
    return path


def _book(path: Path) -> None:
    write_book(path, {"Towns": [list(TOWNS), *zip(*TOWNS.values(), strict=True)]})


def _ods(path: Path) -> None:
    cells = "".join(f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" for row in _rows())
    content = f"{_ODS}{_NAMES}<table:table table:name='Towns'>{cells}</table:table></office:spreadsheet></office:body>"
    mimetype = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        "<?xml version='1.0'?><manifest:manifest xmlns:manifest='urn:oasis:names:tc:opendocument:xmlns:manifest:1.0'>"
        f"<manifest:file-entry manifest:full-path='/' manifest:media-type='{mimetype}'/>"
        "</manifest:manifest>"
    )
    members = {"mimetype": mimetype.encode(), "content.xml": f"{content}</office:document-content>".encode()}
    write_zip(path, {**members, "META-INF/manifest.xml": manifest.encode()})


def _ods_cell(value: Any) -> str:
    told = "'string'" if isinstance(value, str) else f"'float' office:value='{value}'"
    return f"<table:table-cell office:value-type={told}><text:p>{value}</text:p></table:table-cell>"


def _rows() -> list[list[Any]]:
    return [list(TOWNS), *map(list, zip(*TOWNS.values(), strict=True))]


def _sqlite(path: Path) -> None:
    write_sqlite(
        path,
        "CREATE TABLE towns (town TEXT, code TEXT, boxes INTEGER, price REAL);"
        "INSERT INTO towns VALUES ('Lund', '007', 3, 2.5), ('Bari', '010', 4, 1);",
    )


def _duckdb(path: Path) -> None:
    with duckdb.connect(str(path)) as base:
        base.register("given", pd.DataFrame(TOWNS))
        base.execute("CREATE TABLE towns AS SELECT * FROM given")


def _web_page(path: Path) -> None:
    cells = "".join(f"<tr>{''.join(f'<td>{value}</td>' for value in row)}</tr>" for row in _rows())
    path.write_text(f"<html><body><p>Towns</p><table>{cells}</table></body></html>")


def _excel_2003(path: Path) -> None:
    def cell(value: Any) -> str:
        kind = "String" if isinstance(value, str) else "Number"
        return f'<Cell><Data ss:Type="{kind}">{value}</Data></Cell>'

    rows = "".join(f"<Row>{''.join(map(cell, row))}</Row>" for row in _rows())
    path.write_text(excel_2003(rows))


def excel_2003(rows: str) -> str:
    """Return a workbook as Excel 2003 writes XML, with one sheet of such rows."""
    space = "urn:schemas-microsoft-com:office:spreadsheet"
    table = f'<Worksheet ss:Name="Towns"><Table>{rows}</Table></Worksheet>'
    return f'<?xml version="1.0"?>\n<Workbook xmlns="{space}" xmlns:ss="{space}">{table}</Workbook>'


CONTAINERS: Mapping[str, Callable[[Path], object]] = {
    "towns.csv.gz": lambda path: path.write_bytes(gzip.compress(TEXT)),
    "towns.csv.bz2": lambda path: path.write_bytes(bz2.compress(TEXT)),
    "towns.csv.xz": lambda path: path.write_bytes(lzma.compress(TEXT)),
    "towns.csv.zst": lambda path: path.write_bytes(
        b"".join(pa.Codec("zstd").compress(part, asbytes=True) for part in (TEXT[:30], TEXT[30:]))
    ),
    "towns.zip": lambda path: write_zip(
        path, {"readme.txt": b"about", "d/towns.csv": TEXT, "__MACOSX/._towns.csv": b"x"}
    ),
    "compressed in an archive.zip": lambda path: write_zip(path, {"towns.csv.gz": gzip.compress(TEXT)}),
    "towns.json.gz": lambda path: path.write_bytes(gzip.compress(json.dumps({"data": {"rows": ROWS}}).encode())),
    "towns.xlsx": _book,
    "workbook.csv": _book,
    "towns.ods": _ods,
    "records.json": lambda path: path.write_text(json.dumps({"count": 2, "page": {"towns": ROWS}})),
    "split.json": lambda path: path.write_text(pd.DataFrame(TOWNS).to_json(orient="split")),
    "columns.json": lambda path: path.write_text(pd.DataFrame(TOWNS).to_json(orient="columns")),
    "lists.json": lambda path: path.write_text(json.dumps(_rows())),
    "lines.json": lambda path: path.write_text("\n".join(map(json.dumps, ROWS))),
    "towns.sqlite": _sqlite,
    "towns.duckdb": _duckdb,
    "towns.orc": lambda path: orc.write_table(pa.table(TOWNS), path),
    "parquet.data": lambda path: parquet.write_table(pa.table(TOWNS), path),
    "feather.data": lambda path: feather.write_feather(pa.table(TOWNS), path),
    "lined up.txt": lambda path: path.write_text(
        "town   code  boxes  price\n-----  ----  -----  -----\nLund   007       3    2.5\nBari   010       4      1\n"
    ),
    "excel 2003.xls": _excel_2003,
    "towns.html": _web_page,
    "web page.xls": _web_page,
}
"""The same table in every container, each by how it is written."""


def costs(book: Any) -> None:
    """Add to the sheet `Costs` what only a workbook has: merged cells, an error, and formulas nobody calculated."""
    sheet = book["Costs"]
    sheet.merge_cells("B1:C1")
    sheet.merge_cells("A3:A4")
    sheet["C4"] = "#DIV/0!"
    sheet["C4"].data_type = "e"
    sheet["D3"] = "=B3*2"


COSTS: list[list[Any]] = [
    ["", 2023, None, "more"],
    ["town", "q1", "q2", "twice"],
    ["Lund", 1, 2.5, None],
    [None, 3, None, dt.date(2024, 1, 2)],
    ["Bari", True, dt.datetime(2024, 1, 2, 12, 30), dt.timedelta(hours=30)],
]
