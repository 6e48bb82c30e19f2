"""A workbook is asked about at a terminal, and the tool that comes of it works on workbooks over MCP as well."""

from __future__ import annotations

import asyncio
import gzip
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

from jupyter_mcpgen import ask
from jupyter_mcpgen.cli import main
from jupyter_mcpgen.errors import SeveralTables
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.server import launch
from tests.levels import needs
from tests.packed_files import write_book
from tests.products import own_place

pytestmark = needs(ProgramSandbox().missing())
SOON = 120
JANUARY: list[list[Any]] = [["town", "boxes"], ["Lund", 3], ["Bari", 4], ["Lund", 5]]
FEBRUARY: list[list[Any]] = [["town", "boxes"], ["Lund", 10], ["Bari", 20]]
SECRET: list[list[Any]] = [["town", "boxes"], ["Rome", 99]]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Stand in a folder with workbooks, in which a tool was approved over one of their sheets."""
    folder, patch = tmp_path_factory.mktemp("packed"), pytest.MonkeyPatch()
    patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    write_book(folder / "year.xlsx", {"January": JANUARY, "February": FEBRUARY})
    write_book(folder / "one.xlsx", {"February": FEBRUARY})
    (folder / "plain.csv.gz").write_bytes(gzip.compress(b"town,boxes\nLund,7\n"))
    (folder / "parts").mkdir()
    for month, boxes in (("january", 30), ("february", 40)):
        (folder / "parts" / f"{month}.csv").write_text(f"town,boxes\nLund,{boxes}\nBari,1\n")
    with own_place(folder, gates=False):
        yield folder
    patch.undo()


@pytest.fixture(scope="module")
def asked(place: Path) -> str:
    """Return what was said when a sheet was asked about and the answer was approved."""
    code, told = typed("ask --name boxes_by_town --data year.xlsx --sheet January total boxes by town")
    assert code == 0, told
    assert typed("approve")[0] == 0
    return told


def typed(line: str) -> tuple[int, str]:
    """Type a command, and return the code of its end and what it says, in one line."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(shlex.split(line))
    return code, " ".join(f"{out.getvalue()} {err.getvalue()}".split())


def test_the_card_says_which_sheet_was_read_and_a_follow_up_stays_with_it(asked: str) -> None:
    code, told = typed("ask only Lund")

    assert "Read from the sheet `January`, one of 2 with cells." in asked
    assert (code, "Lund │ 8" in told, "Bari" in told) == (0, True, False)


@pytest.mark.soak
def test_a_workbook_of_several_sheets_is_refused_with_their_names(place: Path) -> None:
    unnamed, told = typed("ask total boxes by town in year.xlsx")
    named = typed("ask total boxes by town in year.xlsx#February")

    assert (unnamed, "year.xlsx has 2 sheets: January (4 rows, 2 columns), February" in told) == (1, True)
    assert (named[0], "Bari │ 20" in named[1]) == (0, True)
    with pytest.raises(SeveralTables):
        ask("total boxes by town", "year.xlsx")
    assert ask("total boxes by town", "year.xlsx", sheet="February").df["sum_boxes"].tolist() == [20, 10]


def test_the_code_reads_the_packed_file_itself(place: Path) -> None:
    sheet = ask("total boxes by town", "year.xlsx", sheet="February")
    packed = ask("total boxes by town", "plain.csv.gz")

    assert "pd.read_excel(" in sheet.code
    assert "year.xlsx" in sheet.code
    assert 'sheet_name="February"' in sheet.code
    assert "plain.csv.gz" in packed.code
    for answer in (sheet, packed):
        namespace: dict[str, Any] = {}
        exec(answer.code, namespace)  # noqa: S102  the code under test
        assert namespace["result"].equals(answer.df)


def test_a_tool_is_run_on_another_workbook_and_on_a_compressed_file(asked: str) -> None:
    for data, said in (
        ("one.xlsx", "Read from the sheet `February`."),
        ("year.xlsx --sheet February", "Read from the sheet `February`, one of 2 with cells."),
        ("plain.csv.gz", "Lund │ 7"),
    ):
        code, told = typed(f"run boxes_by_town --data {data}")

        assert (code, said.replace("`", "") in told) == (0, True), told


def test_the_files_of_a_folder_are_asked_about_as_one_table(place: Path, asked: str) -> None:
    by_file = typed("ask total boxes by file in parts/*.csv")
    follow_up = typed("ask now by town")
    as_a_tool = typed("run boxes_by_town --data parts")

    assert (by_file[0], "february.csv │ 41" in by_file[1], "january.csv │ 31" in by_file[1]) == (0, True, True)
    assert (follow_up[0], "Lund │ 70" in follow_up[1]) == (0, True)
    assert (as_a_tool[0], "Lund │ 70" in as_a_tool[1]) == (0, True)


@pytest.mark.soak
def test_a_client_calls_the_tool_with_a_workbook(place: Path, asked: str, tmp_path: Path) -> None:
    (place / "link.xlsx").symlink_to(write_book(tmp_path / "secret.xlsx", {"A": SECRET, "B": SECRET}))
    server = launch.start(place / "registry", folder=place / "served")
    try:
        one = call(server, file_path=str(place / "one.xlsx"))
        own = call(server, file_path=str(place / "year.xlsx"))
        several = call(server, file_path=str(write_book(place / "spring.xlsx", {"March": JANUARY, "May": JANUARY})))
        folder = call(server, file_path=str(place / "parts"))
        chosen = call(server, file_path=f"{place / 'year.xlsx'}#February")
        closed = [call(server, file_path=f"{place / 'link.xlsx'}{sheet}") for sheet in ("", "#A")]
    finally:
        launch.stop(place / "served")

    rows = [{"town": "Bari", "sum_boxes": 20}, {"town": "Lund", "sum_boxes": 10}]
    assert [answer.structured_content["rows"] for answer in (one, chosen)] == [rows, rows]
    assert "Read from the sheet `February`, one of 2 with cells." in chosen.content[0].text
    assert folder.structured_content["rows"] == [{"town": "Lund", "sum_boxes": 70}, {"town": "Bari", "sum_boxes": 2}]
    assert "Read from the sheet `January`, one of 2 with cells." in own.content[0].text
    assert several.is_error
    assert "`spring.xlsx` has no `January`." in several.content[0].text
    assert "`spring.xlsx` has 2 sheets: `March` (4 rows, 2 columns), `May`" in several.content[0].text
    assert all("is not in a folder that clients may read" in answer.content[0].text for answer in closed)


def call(server: launch.ServerStatus, **arguments: Any) -> Any:
    """Return what a client of the server is given."""

    async def story() -> Any:
        way = StreamableHttpTransport(server.url, auth=server.token.get_secret_value())
        async with Client(way, timeout=SOON) as client:
            return await client.call_tool("boxes_by_town", arguments, raise_on_error=False)

    return asyncio.run(story())
