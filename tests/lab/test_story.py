"""The first five minutes in a real browser with the real product: a question, its card, a tool, a client, and back."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

from jupyter_mcpgen.lab.messages import QUESTION_MIME
from jupyter_mcpgen.server import launch
from tests.lab.conftest import Server, open_notebook, run_cell

pytestmark = pytest.mark.browser

T = TypeVar("T")

LOAD = "%load_ext jupyter_mcpgen"
DEMO = "%mcpgen demo"
SMALL = """import pandas as pd
weather, fatal = ["CLEAR", "RAIN", "CLEAR", "SNOW", None], [0, 1, 2, 0, 0]
crashes = pd.DataFrame({"weather_condition": weather * 8, "injuries_fatal": fatal * 8, "injuries_total": fatal * 8})"""
"""Forty rows with the columns that are asked about, for what does not hang on the 209,306 of the demo."""
ASK = "%mcpgen how do fatal injuries vary by weather in crashes"
# the file ends the sleep; without it the cell would outlast the test
SLEEP = """
import pathlib, time
print("fell asleep", flush=True)
while not pathlib.Path("wake").exists():
    time.sleep(0.05)
print("woke up")
"""
LIST = "%mcpgen list"
SERVE = "%mcpgen serve"
TABLE = "weather_condition,injuries_fatal\nRAIN,1\nCLEAR,2\nRAIN,0\nCLEAR,3\n"

OUTPUTS = "index => window.jupyterapp.shell.currentWidget.content.widgets[index].model.outputs.toJSON()"
SAID = f"([index, text]) => JSON.stringify(({OUTPUTS})(index)).includes(text)"
CARDS = "() => document.querySelectorAll('.jp-mcpgen-Card').length"
KERNEL = "window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel"
SOON = 30


def open_with_question(page: Any, server: Server, name: str, *more: str, table: str = SMALL) -> Any:
    """Open a notebook whose registry is its own, ask the question, and return the card."""
    registry = f"%env MCPGEN_REGISTRY__PATH={server.root.parent / 'registries' / name}"
    open_notebook(page, server.notebook(f"story-{name}.ipynb", f"{registry}\n{LOAD}", table, ASK, *more))
    for index in range(3):
        run_cell(page, index)
    card = card_of(page)
    card.get_by_role("button", name="Yes", exact=True).wait_for()
    return card


def card_of(page: Any, reading: str = "sum of injuries_fatal by weather_condition") -> Any:
    return page.get_by_role("region", name=re.compile(f"^Answer: {re.escape(reading)}"))


def press(card: Any, name: str) -> None:
    card.get_by_role("button", name=name, exact=True).click()


def readings_of(asked: Any) -> Any:
    """Return the readings that can be picked from a question that was asked back or refused."""
    return asked.get_by_role("group", name="Readings of the question").get_by_role("button", disabled=False)


def is_live(card: Any) -> None:
    card.get_by_role("status").get_by_text("sum_by_group v1.0.0 is live").wait_for()


def outputs(page: Any, index: int) -> list[dict[str, Any]]:
    """Return what a cell put out."""
    return page.evaluate(OUTPUTS, index)  # type: ignore[no-any-return]


def text(page: Any, index: int) -> str:
    """Return what a cell put out, as text."""
    return json.dumps(outputs(page, index), ensure_ascii=False)


def save(page: Any) -> None:
    page.evaluate("() => window.jupyterapp.shell.currentWidget.context.save()")


@pytest.fixture
def state(lab: Server) -> Iterator[Path]:
    """Name the state folder of the MCP server that a notebook of this lab starts; stop that server in the end."""
    folder = lab.root.parent / "home" / "data" / "mcpgen" / "server"
    yield folder
    launch.stop(folder)


def as_client(server: launch.ServerStatus, work: Callable[[Client[Any]], Awaitable[T]]) -> T:
    """Do something as an MCP client, on a thread of its own, because the browser's driver runs a loop on ours."""

    async def connected() -> T:
        transport = StreamableHttpTransport(server.url, auth=server.token.get_secret_value())
        async with Client(transport) as client:
            return await asyncio.wait_for(work(client), SOON)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(connected())).result()


async def tool_names(client: Client[Any]) -> set[str]:
    return {tool.name for tool in await client.list_tools()}


async def until_gone(client: Client[Any], name: str) -> None:
    while name in await tool_names(client):
        await asyncio.sleep(0.1)


def test_a_question_becomes_a_tool_that_a_client_calls_until_it_is_undone(lab: Server, page: Any, state: Path) -> None:
    (lab.root / "small.csv").write_text(TABLE)
    card = open_with_question(page, lab, "story", SLEEP, LIST, SERVE, LIST, table=DEMO)

    # the answer, and why to believe it
    card.locator(".jp-mcpgen-chart svg, .jp-mcpgen-chart canvas").first.wait_for()
    assert card.get_by_role("heading", level=3).inner_text().startswith("Sum of injuries_fatal by weather_condition")
    assert card.get_by_role("group", name="Readings of the question").get_by_role("button").count() >= 1
    rows = card.get_by_role("group", name="Result table").get_by_role("row").all_inner_texts()
    assert rows[:3] == ["weather_condition\tSum of injuries fatal", "CLEAR\t322", "RAIN\t40"]
    shown = card.inner_text()
    line = "Calculation checked: pandas and SQL agree. 209,305 of 209,306 rows used. 389 = column total."
    assert f"{line} Read by the planner: is this what you meant?" in shown
    assert "1 row without weather_condition was left out." in shown
    assert "Data unchanged." not in shown

    # the two questions, answered while another cell runs
    assert "Is this output correct?" in shown
    run_cell(page, 3, wait=False)
    page.wait_for_function(SAID, arg=[3, "fell asleep"])
    press(card, "Yes")
    card.get_by_text("Save it as a reusable tool?").wait_for()
    press(card, "Approve")
    is_live(card)
    assert "woke up" not in text(page, 3)
    (lab.root / "wake").touch()
    page.evaluate("() => window.lastRun")
    assert "woke up" in text(page, 3)

    # the tool, for people and for clients
    run_cell(page, 4)
    assert "`sum_by_group` | 1.0.0" in text(page, 4)
    run_cell(page, 5)
    server = launch.status(state)
    assert server is not None
    assert "sum_by_group" in as_client(server, tool_names)
    answer = as_client(
        server, lambda client: client.call_tool("sum_by_group", {"file_path": str(lab.root / "small.csv")})
    )
    assert answer.structured_content["rows"] == [
        {"weather_condition": "CLEAR", "sum_injuries_fatal": 5},
        {"weather_condition": "RAIN", "sum_injuries_fatal": 1},
    ]

    # and back
    press(card, "Undo")
    card.get_by_role("button", name="Approve").wait_for()
    as_client(server, lambda client: until_gone(client, "sum_by_group"))
    run_cell(page, 6)
    assert "You have no tools yet" in text(page, 6)


@pytest.mark.soak
def test_linters_tick_on_the_card_once_it_can_be_decided(lab: Server, page: Any) -> None:
    card = open_with_question(page, lab, "linters")

    card.get_by_text("Why trust this?").click()

    for said in ("bandit finds nothing unsafe.", "mypy finds no type error.", "pylint finds nothing to improve"):
        card.get_by_text(said).wait_for()


@pytest.mark.soak
def test_a_reason_that_says_what_was_meant_gives_a_new_answer_in_the_same_place(lab: Server, page: Any) -> None:
    card = open_with_question(page, lab, "reason")

    press(card, "No, because…")
    card.get_by_role("textbox").fill("should be the mean, not the sum")
    press(card, "Send")

    refined = card_of(page, "mean of injuries_fatal by weather_condition")
    refined.get_by_role("button", name="Yes", exact=True).wait_for()
    assert page.evaluate(CARDS) == 1


@pytest.mark.soak
def test_another_reading_takes_the_place_of_the_card_and_can_be_approved(lab: Server, page: Any) -> None:
    card = open_with_question(page, lab, "picked")

    press(card, "mean")

    other = card_of(page, "mean of injuries_fatal by weather_condition")
    other.get_by_role("button", name="Yes", exact=True).wait_for()
    assert page.evaluate(CARDS) == 1
    press(other, "Yes")
    press(other, "Approve")
    other.get_by_role("status").get_by_text("v1.0.0 is live").wait_for()


@pytest.mark.soak
def test_after_a_restart_and_a_reload_load_ext_alone_paints_the_card_from_the_registry(lab: Server, page: Any) -> None:
    card = open_with_question(page, lab, "kept")
    save(page)
    press(card, "Yes")
    card.get_by_role("button", name="Approve").wait_for()

    page.evaluate(f"() => {KERNEL}.restart()")
    page.reload()
    page.wait_for_function("() => window.jupyterapp?.shell.currentWidget?.context?.isReady")
    card = card_of(page)
    card.get_by_text(f"Not decided here. Run {LOAD}").wait_for()
    card.locator(".jp-mcpgen-chart svg").first.wait_for()
    assert card.get_by_role("button", name="Yes", exact=True).count() == 0
    assert "24 = column total." in card.inner_text()

    run_cell(page, 0)
    press(card, "Approve")
    is_live(card)


@pytest.mark.soak
def test_what_comes_nearest_to_a_refused_question_is_computed_when_it_is_picked(lab: Server, page: Any) -> None:
    question = "average injuries_total by date_of_flight in crashes"
    open_notebook(page, lab.notebook("refused-column.ipynb", LOAD, SMALL, f"%mcpgen {question}"))
    for index in range(3):
        run_cell(page, index)

    (said,) = outputs(page, 2)
    asked = page.get_by_role("region", name=f"Not understood: {question}")
    readings_of(asked).first.click()

    assert "`date_of_flight` is not a column" in "".join(said["data"]["text/markdown"]).replace("\\", "")
    card = page.get_by_role("region", name="Answer: mean of injuries_total")
    card.get_by_text("“date_of_flight” could not be read and is left out.").wait_for()
    card.get_by_role("button", name="Yes", exact=True, disabled=False).wait_for()


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("name", "question", "reason"),
    [
        ("anova", "run ANOVA across groups in crashes", "which number and groups"),
        ("frame", "how many rows are there by month in flights", "`crashes`"),
    ],
)
def test_a_question_that_cannot_be_answered_is_refused_in_words(
    lab: Server, page: Any, name: str, question: str, reason: str
) -> None:
    open_notebook(page, lab.notebook(f"refused-{name}.ipynb", LOAD, SMALL, f"%mcpgen {question}"))
    for index in range(3):
        run_cell(page, index)

    said = outputs(page, 2)[0]

    assert said["output_type"] == "display_data"
    assert reason in "".join(said["data"]["text/markdown"]).replace("\\", "")
    assert "Traceback" not in text(page, 2)
    assert page.locator("section[aria-label^=Answer]").count() == 0


@pytest.mark.soak
def test_notebook_7_asks_and_approves(notebook7: Server, page: Any) -> None:
    card = open_with_question(page, notebook7, "seven")

    press(card, "Yes")
    press(card, "Approve")

    is_live(card)


FORGE = """
import desk
from IPython.display import display
from jupyter_mcpgen.lab.mime import bundle, question_bundle
from jupyter_mcpgen.model.question import Option, QuestionBack

known = open("asked.id").read()
option = Option(label="mean of unit_price", reading="a harmless reading")
display(bundle(desk.crash_card(known)), raw=True)
forged = QuestionBack(question_id=known, question="?", data_name="d", text="?", options=(option,))
display(question_bundle(forged), raw=True)
"""


@pytest.mark.soak
def test_a_question_asked_back_is_answered_by_a_button(lab: Server, page: Any) -> None:
    registry = f"%env MCPGEN_REGISTRY__PATH={lab.root.parent / 'registries' / 'asked'}"
    (lab.root / "prices.csv").write_text("shop,unit_price,list_price\nA,1.5,3\nB,2.5,4\n")
    ask = "%mcpgen average price in prices.csv"
    open_notebook(page, lab.notebook("asked.ipynb", f"{registry}\n{LOAD}", ask, FORGE))
    run_cell(page, 0)
    run_cell(page, 1)
    (lab.root / "asked.id").write_text(outputs(page, 1)[0]["data"][QUESTION_MIME]["question_id"])
    run_cell(page, 2)

    # what was not sent by the kernel has no buttons, also with the id of a question that it holds
    card_of(page).get_by_text("does not hold this answer").wait_for()
    assert card_of(page).get_by_role("button", name="Yes", exact=True).count() == 0
    asked = page.get_by_role("region", name="Asked back: average price in prices")
    asked.nth(1).get_by_role("button", name="2. mean of unit_price", exact=True, disabled=False).wait_for()
    assert page.locator(".jp-OutputArea").get_by_text("a harmless reading").count() == 0

    button = asked.first.get_by_role("button", name="2. mean of unit_price", exact=True, disabled=False)
    button.focus()
    page.keyboard.press("Space")

    card = card_of(page, "mean of unit_price").first
    card.get_by_role("button", name="Yes", exact=True).wait_for()
    page.wait_for_function("() => document.activeElement?.classList.contains('jp-mcpgen-Card')")
    assert asked.count() == 0
    assert "application/vnd.mcpgen.card.v1+json" in text(page, 1)
    assert "application/vnd.mcpgen.question.v1+json" not in text(page, 1)


@pytest.mark.soak
def test_a_refused_question_is_one_box_with_what_can_be_answered_instead_as_a_button(lab: Server, page: Any) -> None:
    registry = f"%env MCPGEN_REGISTRY__PATH={lab.root.parent / 'registries' / 'refused-box'}"
    (lab.root / "boats.csv").write_text("boat,harbour,length,crew,sail\nA,North,5,2,9\nB,South,7,3,8\nC,North,6,2,7\n")
    ask = "%mcpgen average draught by harbour in boats.csv"
    open_notebook(page, lab.notebook("refused-box.ipynb", f"{registry}\n{LOAD}", ask))
    run_cell(page, 0)
    run_cell(page, 1)

    box = page.get_by_role("region", name="Not understood: average draught by harbour in boats")
    readings_of(box).first.wait_for()
    said = box.inner_text()
    assert len(outputs(page, 1)) == 1
    assert "draught is not a column or value of boats" in said
    assert "Without “draught”, I could answer:" in said
    assert said.count("number of rows by harbour") == 1
    columns = box.get_by_role("group", name="Columns for “draught”").get_by_role("button").all_inner_texts()
    assert columns == ["boat", "harbour", "length", "crew"]
    assert "sail" not in said
    readings_of(box).first.click()
    card_of(page, "number of rows by harbour").first.get_by_role("button", name="Yes", exact=True).wait_for()


@pytest.mark.soak
def test_the_card_of_a_version_that_another_one_replaces_says_so_on_the_open_page(lab: Server, page: Any) -> None:
    more = "%mcpgen ask --name sum_by_group mean injuries_fatal by weather_condition in crashes"
    card = open_with_question(page, lab, "replaced", more, "%mcpgen approve", "%mcpgen unpublish sum_by_group")
    press(card, "Yes")
    press(card, "Approve")
    is_live(card)

    run_cell(page, 3)
    run_cell(page, 4)
    card.get_by_role("status").get_by_text("sum_by_group v1.0.0 is in the archive: v1.1.0 is active.").wait_for()
    badge = card.locator(".jp-mcpgen-badge").inner_text()
    run_cell(page, 5)
    card.get_by_role("status").get_by_text("is in the archive: the tool is unpublished.").wait_for()

    assert badge == "archived"
    assert card.get_by_role("button", name="Undo").count() == 0
    assert "is live" not in card.inner_text()
