"""Files of the web: fetched where a person allows it, within bounds, kept by content, and never for a client."""

from __future__ import annotations

import asyncio
import gzip
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pytest
from fastmcp import Client

from jupyter_mcpgen.data.unpacking.kept import KeptTables
from jupyter_mcpgen.errors import (
    AddressesNotAllowed,
    DataError,
    DataNotAllowed,
    QuestionStopped,
    SeveralTables,
    UnreadableData,
)
from jupyter_mcpgen.pipeline.web_files import WebFiles
from jupyter_mcpgen.planned_components import planned_component
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.server.app import build_app
from jupyter_mcpgen.server.data_folders import DataFolders, only_open_data
from jupyter_mcpgen.server.shelf import RegistryShelf
from jupyter_mcpgen.verbs.perform import perform
from tests import web
from tests.products import Ungated, new_runtime, ungated

SALES = b"region,amount\nnorth,10.5\nsouth,2.25\nnorth,4\n"
NOW = datetime(2026, 5, 4, 3, 2, tzinfo=UTC)


@pytest.fixture
def site() -> Iterator[web.Web]:
    with web.serving() as site:
        yield site


@pytest.fixture
def files(tmp_path: Path) -> WebFiles:
    return WebFiles(KeptTables(tmp_path / "kept"), is_allowed=True, most_bytes=100_000, seconds=60, now=lambda: NOW)


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ungated:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return ungated(tmp_path, **{"data.urls": True})


def refusal(files: WebFiles, address: str) -> str:
    with pytest.raises(DataError) as refused:
        files.fetch(address, Cancellation())
    return str(refused.value)


def totals(runtime: Ungated, question: str) -> dict[str, float]:
    said = perform(["ask", *question.split()], runtime, {})
    assert said.answer is not None, said.text
    frame = said.answer.df
    return dict(zip(frame.iloc[:, 0], frame.iloc[:, 1], strict=True))


def test_a_question_of_an_address_is_answered_and_asked_again_of_what_is_there_then(
    site: web.Web, runtime: Ungated
) -> None:
    site.answers["/data/sales.csv"] = web.content(SALES)
    address = site.address("/data/sales.csv")

    said = perform(["ask", "total", "amount", "by", "region", "in", address], runtime, {})

    assert said.answer is not None, said.text
    card = said.answer.stage().card
    assert card is not None
    assert card.table.rows == (("north", 14.5), ("south", 2.25))
    assert any(note.startswith(f"Fetched from {address} on 2") for note in card.assumptions), card.assumptions
    site.answers["/data/sales.csv"] = web.content(SALES + b"south,100\n")
    assert totals(runtime, f"total amount by region in {address}") == {"north": 14.5, "south": 102.25}
    assert list(said.answer.df.iloc[:, 1]) == [14.5, 2.25]
    assert totals(runtime, "only for south") == {"south": 102.25}


@pytest.mark.soak
def test_a_sheet_of_a_workbook_and_packed_text_are_found_behind_an_address(
    site: web.Web, runtime: Ungated, tmp_path: Path
) -> None:
    with pd.ExcelWriter(tmp_path / "book.xlsx") as book:
        pd.DataFrame({"region": ["west"], "amount": [7]}).to_excel(book, sheet_name="Costs", index=False)
        pd.DataFrame({"a": [1]}).to_excel(book, sheet_name="Other", index=False)
    site.answers["/book.xlsx"] = web.content((tmp_path / "book.xlsx").read_bytes())
    site.answers["/sales.csv.gz?year=2024"] = web.content(gzip.compress(SALES))

    assert totals(runtime, f"total amount by region in {site.address('/book.xlsx')}#Costs") == {"west": 7}
    packed = site.address("/sales.csv.gz?year=2024")
    assert totals(runtime, f"total amount by region in {packed}") == {"north": 14.5, "south": 2.25}
    with pytest.raises(SeveralTables, match=f"such as `{site.address('/book.xlsx')}#Costs`"):
        perform(["ask", "total", "amount", "by", "region", "in", site.address("/book.xlsx")], runtime, {})


def test_what_is_said_of_how_a_file_is_written_counts_for_its_copy(site: web.Web, runtime: Ungated) -> None:
    site.answers["/sales.csv"] = web.content(b"written by hand\nregion;amount\nnorth;1,5\nsouth;2,5\n")

    said = perform(
        ["ask", "--skip", "1", "--data", site.address("/sales.csv"), "total", "amount", "by", "region"], runtime, {}
    )

    assert said.answer is not None, said.text
    assert said.answer.df.to_numpy().tolist() == [["south", 2.5], ["north", 1.5]]


def test_nothing_is_fetched_unless_it_is_allowed(site: web.Web, tmp_path: Path) -> None:
    site.answers["/sales.csv"] = web.content(SALES)
    careful = new_runtime(tmp_path)

    with pytest.raises(AddressesNotAllowed, match="MCPGEN_DATA__URLS=true"):
        careful.reference(site.address("/sales.csv"))
    assert site.asked == []


def test_a_copy_is_kept_once_for_each_content_and_says_when_it_was_fetched(site: web.Web, files: WebFiles) -> None:
    site.answers["/sales.csv"] = web.content(SALES)
    address = site.address("/sales.csv")

    first, second = (files.fetch(address, Cancellation()) for _ in range(2))

    assert first.path.name == "sales.csv"
    assert first.path.read_bytes() == SALES
    assert first == second
    assert first.note == f"Fetched from {address} on 2026-05-04 at 03:02 UTC, {len(SALES)} bytes."
    site.answers["/sales.csv"] = web.content(SALES * 2)
    assert files.fetch(address, Cancellation()).path.read_bytes() == SALES * 2
    assert first.path.read_bytes() == SALES
    assert len(list(files.kept.folder.iterdir())) == 2


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (web.content(b"", length=200_000), "more than 100,000 bytes"),
        (web.endless(b"north,1\n" * 100), "more than 100,000 bytes"),
        (web.content(gzip.compress(b"0" * 1_000_000), Content_Encoding="gzip"), "more than 100,000 bytes"),
        (web.content(SALES, length=len(SALES) + 10), "the connection ended before the file did"),
        (web.content(gzip.compress(SALES)[:-9], Content_Encoding="gzip"), "the connection ended before the file did"),
        (web.content(SALES, Content_Encoding="br"), "an encoding that was not asked for"),
        (web.content(b"<p>Log in</p>", Content_Type="text/html; charset=utf-8"), "a web page and not the file"),
        (web.redirect("/file.csv"), "redirects more than 5 times"),
        (web.redirect("file:///etc/passwd"), "only http and https are fetched"),
        (web.redirect("ftp://host/file.csv"), "only http and https are fetched"),
        (web.redirect("https://127.0.0.1/file.csv"), "is not `http` any more"),
        (web.redirect("http://localhost:1/file.csv"), "in a private network"),
        (web.redirect("http://169.254.169.254/latest"), "in a private network"),
        (web.redirect("http://10.0.0.1/file.csv"), "in a private network"),
        (web.redirect("http://[::ffff:10.0.0.1]/file.csv"), "in a private network"),
        (web.redirect("http://ada:secret@127.0.0.1/file.csv"), "a password in an address"),
        (web.redirect("http://[broken/file.csv"), "to what is not an address of the web"),
    ],
)  # fmt: skip
def test_what_is_not_a_whole_file_within_bounds_is_refused_and_nothing_is_kept(
    site: web.Web, files: WebFiles, answer: web.Answer, why: str
) -> None:
    site.answers["/file.csv"] = answer

    assert why in refusal(files, site.address("/file.csv"))
    assert list(files.kept.folder.iterdir()) == []


def test_a_file_that_is_not_there_and_a_server_that_is_not_there_are_said_so(site: web.Web, files: WebFiles) -> None:
    assert "its server answered 404 Not Found" in refusal(files, site.address("/no.csv"))
    assert "could not be fetched" in refusal(files, "http://127.0.0.1:9/no.csv")


def test_a_redirect_on_the_same_server_is_followed_and_the_name_is_that_of_the_address(
    site: web.Web, files: WebFiles
) -> None:
    site.answers["/sales.csv"] = web.redirect("/store/4711?token=abc")
    site.answers["/store/4711?token=abc"] = web.content(SALES)

    fetched = files.fetch(site.address("/sales.csv"), Cancellation())

    assert (fetched.path.name, fetched.path.read_bytes()) == ("sales.csv", SALES)
    assert "abc" not in fetched.note


def test_a_body_that_a_server_packed_for_the_way_is_unpacked(site: web.Web, files: WebFiles) -> None:
    site.answers["/sales.csv"] = web.content(gzip.compress(SALES), Content_Encoding="gzip")

    assert files.fetch(site.address("/sales.csv"), Cancellation()).path.read_bytes() == SALES


def test_a_server_that_falls_silent_is_given_up_and_so_is_one_that_somebody_stops(
    site: web.Web, files: WebFiles
) -> None:
    until = threading.Event()
    site.answers["/slow.csv"] = web.silent(until)
    stop = Cancellation()
    stop.cancel()

    assert "longer than 0.2 seconds" in refusal(replace(files, seconds=0.2), site.address("/slow.csv"))
    with pytest.raises(QuestionStopped):
        files.fetch(site.address("/slow.csv"), stop)
    until.set()


@pytest.mark.parametrize(
    "address",
    [
        "http://ada:hunter2@127.0.0.1/sales.csv",
        "http://127.0.0.1/sales.csv?X-Amz-Signature=hunter2",
        "http://127.0.0.1/sales.csv?access_token=hunter2",
        "http://127.0.0.1/sales.csv?year=1&apikey=1&api_key=hunter2",
    ],
)
def test_an_address_with_credentials_is_refused_without_repeating_them(files: WebFiles, address: str) -> None:
    said = refusal(files, address)

    assert "kept with the question" in said
    assert "hunter2" not in said


def test_a_client_cannot_have_an_address_fetched(site: web.Web, runtime: Ungated, tmp_path: Path) -> None:
    site.answers["/sales.csv"] = web.content(SALES)
    (tmp_path / "sales.csv").write_bytes(SALES)
    said = perform(["ask", "total", "amount", "by", "region", "in", str(tmp_path / "sales.csv")], runtime, {})
    assert said.answer is not None, said.text
    said.answer.approve()
    tool = said.answer.stage().card.tool_name
    folders = DataFolders(whole=(tmp_path, Path.cwd()), closed=())
    address = site.address("/sales.csv")

    async def called(named: str) -> tuple[bool, str]:
        shelf = RegistryShelf(runtime.registry, only_open_data(runtime.call_tool, folders))
        async with Client(build_app(shelf, state_key=b"k" * 32)) as client:
            answer = await client.call_tool(tool, {"file_path": named}, raise_on_error=False)
            return answer.is_error, str(answer.content[0])

    assert not asyncio.run(called(str(tmp_path / "sales.csv")))[0]
    for named in (address, f"{address}#x", address.upper(), "postgresql://ada@127.0.0.1/shop#orders"):
        failed, text = asyncio.run(called(named))
        assert failed
        assert "not in a folder that clients may read" in text
    assert runtime.call_tool(tool, {"file_path": address}).failed
    with pytest.raises(DataNotAllowed):
        planned_component(runtime.compute, runtime.reference, f"total amount by region in {address}", folders.allowed)
    assert site.asked == []


def test_a_tool_reads_an_address_that_a_person_names(site: web.Web, runtime: Ungated, tmp_path: Path) -> None:
    site.answers["/other.csv"] = web.content(b"region,amount\neast,5\n")
    (tmp_path / "sales.csv").write_bytes(SALES)
    said = perform(["ask", "total", "amount", "by", "region", "in", str(tmp_path / "sales.csv")], runtime, {})
    assert said.answer is not None, said.text
    said.answer.approve()
    tool = said.answer.stage().card.tool_name

    ran = perform(["run", tool, "--data", site.address("/other.csv")], runtime, {})

    assert ran.frame is not None, ran.text
    assert ran.frame.to_numpy().tolist() == [["east", 5]]


def test_an_unknown_scheme_is_no_address_of_the_web(files: WebFiles) -> None:
    with pytest.raises(UnreadableData, match="only http and https"):
        files.fetch("gopher://host/sales.csv", Cancellation())
