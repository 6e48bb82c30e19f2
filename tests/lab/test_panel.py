"""The side panel in a real JupyterLab over a real registry: what waits, the tools, their health and what happened."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

from jupyter_mcpgen.model.candidate import ToolCandidate
from jupyter_mcpgen.registry.store import Registry
from tests.lab.conftest import Server, flaws, open_notebook, run_cell, serve
from tests.lab.test_consent import Assistant, press, tick
from tests.lab.test_server_part import hears, socket_of

pytestmark = pytest.mark.browser

HIVES = "hive,frames,honey\nNorth,8,3.5\nSouth,10,4.0\nNorth,6,2.5\n"
THEMES = ("JupyterLab Light", "JupyterLab Dark", "JupyterLab Dark High Contrast")
MOST_STOPS = 30
# A terminal that stays open: what is typed comes as a list of lines, and its outcome and all that they printed go back.
TYPE = """import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from jupyter_mcpgen.cli import main
for lines in sys.stdin:
    with redirect_stdout(io.StringIO()) as printed, redirect_stderr(printed):
        done = all(main(line.split(" ")) == 0 for line in json.loads(lines))
    print(json.dumps([done, printed.getvalue()]), flush=True)
"""
KERNELS = "async () => (await (await fetch('/api/kernels')).json()).length"
IS_KEPT = """async () => {
  const kept = (await (await fetch('/lab/api/workspaces/default')).json()).data;
  return kept?.['layout-restorer:data']?.left?.current === 'mcpgen-panel';
}"""
FOCUSED = "() => document.activeElement.textContent"
HOSTILE = "<img src=x onerror=\"window.taken = 'yes'\"> <b>bold</b> [link](javascript:window.taken='yes')"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a JupyterLab whose server has our part."""
    for running in serve(tmp_path_factory.mktemp("panel"), "jupyterlab", server_part=True):
        (running.root / "hives.csv").write_text(HIVES)
        yield running


@pytest.fixture(scope="module")
def panel(server: Server, page: Any) -> Any:
    """Open JupyterLab with the panel in front, and no kernel."""
    page.goto(f"{server.url}lab")
    return opened(page)


def opened(page: Any) -> Any:
    is_restored(page)
    page.evaluate("() => window.jupyterapp.commands.execute('mcpgen:open-panel')")
    return page.locator("#mcpgen-panel")


def is_restored(page: Any) -> None:
    """Wait until JupyterLab has put everything in its place; the launcher of an empty page takes the focus late."""
    page.wait_for_function("() => window.jupyterapp !== undefined")
    page.evaluate("async () => { await window.jupyterapp.restored; }")
    page.locator(".jp-Launcher, .jp-Notebook").first.wait_for()


def registry_of(server: Server) -> Path:
    return server.root.parent / "registry"


@dataclass(frozen=True)
class Terminal:
    """One process of the same person, who types line after line in it."""

    process: subprocess.Popen[str]

    def __call__(self, *lines: str) -> str:
        """Type some lines, and return what they printed; each has to succeed."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(lines) + "\n")
        self.process.stdin.flush()
        done, printed = json.loads(self.process.stdout.readline())
        assert done, printed
        return str(printed)


@pytest.fixture(scope="module")
def terminal(server: Server) -> Iterator[Terminal]:
    home = server.root.parent / "home"
    environment = {
        **os.environ,
        "HOME": str(home),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "MCPGEN_REGISTRY__PATH": str(registry_of(server)),
    }
    command = [sys.executable, "-c", TYPE]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, cwd=server.root, stdin=pipe, stdout=pipe, text=True) as process:
        yield Terminal(process)


def show(panel: Any, section: str) -> None:
    """Show a section, with nothing of it opened."""
    panel.get_by_role("tab", name=section).click()
    back = panel.locator(".jp-mcpgen-back")
    if back.count():
        back.click()


def entry(panel: Any, name: str) -> Any:
    """Return the entry of a list by what opens it."""
    return panel.locator("li.jp-mcpgen-entry", has=panel.page.get_by_role("button", name=name, exact=True))


def empty_inbox(server: Server, terminal: Terminal) -> None:
    waiting = Registry(registry_of(server)).staged()
    if waiting:
        terminal(*(f"reject {each.tool_id} over" for each in waiting))


def children(server: Server) -> list[psutil.Process]:
    found = psutil.Process(server.pid).children()
    return [child for child in found if "jupyter_mcpgen.panel" in child.cmdline()]


@pytest.mark.soak
def test_nothing_of_it_runs_before_it_is_opened_and_it_needs_no_kernel(server: Server, page: Any) -> None:
    page.goto(f"{server.url}lab?reset")
    is_restored(page)
    assert page.locator("#mcpgen-panel > *").count() == 0
    assert children(server) == []

    panel = opened(page)

    panel.get_by_text("Nothing waits for you.").wait_for()
    assert page.evaluate(FOCUSED) == "Answers and tools"
    assert page.evaluate(KERNELS) == 0
    assert len(children(server)) == 1


@pytest.mark.soak
def test_a_reload_keeps_it_and_its_section(server: Server, panel: Any, page: Any) -> None:
    show(panel, "Library")
    panel.get_by_role("searchbox").wait_for()
    page.wait_for_function(IS_KEPT)

    page.goto(f"{server.url}lab")

    panel.get_by_role("searchbox").wait_for()
    assert panel.get_by_role("tab", name="Library").get_attribute("aria-selected") == "true"
    show(panel, "Inbox")


@pytest.mark.soak
def test_without_the_server_part_it_says_so_and_what_to_do(lab: Server, new_page: Any) -> None:
    new_page.goto(f"{lab.url}lab?reset")

    panel = opened(new_page)

    panel.get_by_text("Server part not installed.").wait_for()
    assert "in the environment of the Jupyter server" in panel.inner_text()


@pytest.mark.soak
def test_notebook_7_opens_it_too(notebook7: Server, new_page: Any) -> None:
    new_page.goto(notebook7.notebook("panel.ipynb", "1"))

    panel = opened(new_page)

    panel.get_by_text("Server part not installed.").wait_for()
    assert new_page.evaluate(FOCUSED) == "Answers and tools"


def test_an_answer_that_is_asked_elsewhere_appears_and_is_approved_as_it_was_read(
    server: Server, terminal: Terminal, panel: Any, page: Any
) -> None:
    show(panel, "Inbox")
    terminal("ask --name honey_of total honey by hive in hives.csv")

    waiting = entry(panel, "sum of honey by hive, largest first")
    waiting.wait_for()
    assert "hives.csv · honey_of v1.0.0" in waiting.inner_text()
    waiting.get_by_text("Calculation checked").wait_for()
    waiting.get_by_role("button").click()
    panel.get_by_role("button", name="Approve").wait_for()
    assert panel.locator("td").all_inner_texts() == ["North", "6", "South", "4"]
    assert page.evaluate(FOCUSED) == "sum of honey by hive, largest first"

    press(panel, "Approve")

    panel.get_by_text("honey_of v1.0.0 is live").wait_for()
    panel.get_by_text("Nothing waits for you.").wait_for()
    approval = json.loads((registry_of(server) / "active" / "tools" / "honey_of" / "approval.json").read_text())
    assert approval["face"] == "panel"

    press(panel, "Undo: honey_of")

    waiting.wait_for()
    assert Registry(registry_of(server)).active() == ()
    terminal("approve honey_of")
    waiting.wait_for(state="detached")


@pytest.mark.soak
def test_several_are_decided_at_once_and_one_that_wants_a_look_of_its_own_says_why(
    server: Server, terminal: Terminal, panel: Any
) -> None:
    show(panel, "Inbox")
    terminal(
        "ask --name frames_of average frames by hive in hives.csv",
        "ask --name rows_of number of rows by hive in hives.csv",
        "ask --name honey_of average honey by hive in hives.csv",
    )
    next_version = entry(panel, "mean of honey by hive, largest first")
    next_version.get_by_text("it is the next version of a tool, so look at what changes").wait_for()
    panel.get_by_role("checkbox", name="Select “number of rows").wait_for()

    panel.get_by_role("checkbox", name="Select all").check()
    press(panel, "Approve")

    notice = panel.get_by_role("status").first
    notice.get_by_text("rows_of v1.0.0 is live").wait_for()
    text = notice.inner_text()
    assert "frames_of v1.0.0 is live" in text
    assert "honey_of: Not approved with others: It is the next version of a tool" in text
    assert {tool.name: tool.version for tool in Registry(registry_of(server)).active()} == {
        "frames_of": "1.0.0",
        "honey_of": "1.0.0",
        "rows_of": "1.0.0",
    }
    next_version.wait_for()

    panel.get_by_role("checkbox", name="Select “mean of honey").check()
    press(panel, "Reject…")
    assert panel.get_by_role("button", name="Reject", exact=True).is_disabled()
    panel.get_by_role("textbox").fill("not this one")
    press(panel, "Reject")

    next_version.wait_for(state="detached")
    assert "honey_of is rejected and archived." in notice.inner_text()


@pytest.mark.soak
def test_a_reason_that_says_what_was_meant_gives_a_new_answer_in_the_inbox(
    server: Server, terminal: Terminal, panel: Any
) -> None:
    empty_inbox(server, terminal)
    terminal("ask --name middle_of median honey by hive in hives.csv")
    show(panel, "Inbox")
    entry(panel, "median of honey by hive, largest first").get_by_role("button").click()

    press(panel, "Reject…")
    panel.get_by_role("textbox").fill("I meant the maximum")
    press(panel, "Reject")

    entry(panel, "largest honey by hive, largest first").wait_for()
    assert "The new answer is in the inbox" in panel.inner_text()
    empty_inbox(server, terminal)


def test_a_decision_counts_for_the_content_that_was_seen_and_no_other(server: Server, terminal: Terminal) -> None:
    empty_inbox(server, terminal)
    terminal("ask --name spread_of standard deviation of honey by hive in hives.csv")
    (card,) = Registry(registry_of(server)).staged()

    for decision in ("approve", "reject"):
        refused = elsewhere(decided(server, card, "0" * 64, decision))
        assert (refused["done"], "its files are not the ones you saw" in refused["sentence"]) == (False, True)
        assert [each.tool_id for each in Registry(registry_of(server)).staged()] == [card.tool_id]

    assert elsewhere(decided(server, card, card.fingerprint))["done"]
    assert "spread_of" in {tool.name for tool in Registry(registry_of(server)).active()}


async def decided(
    server: Server, card: ToolCandidate, fingerprint: str, decision: str = "approve", confirmed: Sequence[str] = ()
) -> dict[str, Any]:
    """Say over a socket that somebody saw some content of a card, and return what came of their decision."""
    seen = {"card_id": card.tool_id, "fingerprint": fingerprint, "confirmed": confirmed}
    async with socket_of(server, place="panel") as connection:
        message = {"kind": "panel_decide", "decision": decision, "cards": [seen], "notes": None}
        await connection.write_message(json.dumps(message))
        return (await hears(connection, "panel_decided"))["outcomes"][0]  # type: ignore[no-any-return]


def elsewhere(work: Coroutine[Any, Any, dict[str, Any]]) -> dict[str, Any]:
    """Do something in a loop of its own; the browser's driver runs one in this thread."""
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(asyncio.run, work).result()


@pytest.mark.soak
def test_a_decision_shows_on_the_open_card_of_a_notebook(server: Server, terminal: Terminal, other_page: Any) -> None:
    empty_inbox(server, terminal)
    asked = "%mcpgen --name most_of maximum honey by hive in hives.csv"
    open_notebook(other_page, server.notebook("panel.ipynb", "%load_ext jupyter_mcpgen", asked))
    run_cell(other_page, 0)
    run_cell(other_page, 1)
    card = other_page.locator(".jp-mcpgen-Card[data-stand='output-asked']")
    card.wait_for()
    panel = opened(other_page)
    show(panel, "Inbox")

    entry(panel, "largest honey by hive, largest first").get_by_role("button").click()
    press(panel, "Approve")

    other_page.locator(".jp-OutputArea").get_by_text("most_of v1.0.0 is live").wait_for()
    show(panel, "Library")
    panel.get_by_role("button", name="most_of").click()
    press(panel, "Unpublish…")
    press(panel, "Unpublish")
    other_page.locator(".jp-OutputArea").get_by_text("most_of v1.0.0 is in the archive").wait_for()


@pytest.mark.soak
def test_a_tool_is_found_called_compared_and_taken_out_of_use(
    server: Server, terminal: Terminal, panel: Any, page: Any
) -> None:
    empty_inbox(server, terminal)
    terminal(
        "ask --name honey_of median honey by hive in hives.csv",
        "approve",
        "run honey_of --data hives.csv",
    )
    show(panel, "Library")
    panel.get_by_role("searchbox").fill("median")
    found = entry(panel, "honey_of")
    found.get_by_text("1 call, last").wait_for()
    entry(panel, "rows_of").wait_for(state="detached")
    panel.get_by_role("button", name="honey_of", exact=True).click()
    panel.get_by_role("heading", name="Call it").wait_for()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    press(panel, "Copy: Command line")
    typed = page.evaluate("() => navigator.clipboard.readText()")
    assert typed == "jupyter mcpgen run honey_of --data data.csv value_column=honey group_by_columns=hive"
    printed = terminal(typed.removeprefix("jupyter mcpgen ").replace("data.csv", "hives.csv"))
    assert "North" in printed

    press(panel, "Show what changes from v1.0.0 to v1.1.0")
    panel.get_by_text("Described as").wait_for()
    press(panel, "Make v1.0.0 active")
    panel.get_by_text("honey_of v1.0.0 is active.").wait_for()
    panel.get_by_text("v1.0.0, approved by").wait_for()
    press(panel, "Unpublish…")
    assert page.evaluate(FOCUSED) == "Keep it"
    press(panel, "Unpublish")
    panel.get_by_text("honey_of v1.0.0 is no longer active").wait_for()
    panel.get_by_text("No version is active, so it cannot be called.").wait_for()
    assert "honey_of" not in {tool.name for tool in Registry(registry_of(server)).active()}

    press(panel, "Make v1.1.0 active")
    panel.get_by_role("heading", name="Call it").wait_for()
    assert page.evaluate(FOCUSED) == "honey_of"  # what was pressed is gone
    page.keyboard.press("Escape")
    panel.get_by_role("searchbox").fill("")
    entry(panel, "rows_of").wait_for()


def test_a_client_is_connected_by_what_is_copied(server: Server, panel: Any, page: Any) -> None:
    show(panel, "Library")
    panel.get_by_text("Cursor", exact=True).click()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    press(panel, "Copy: Starts the server itself")

    copied = json.loads(page.evaluate("() => navigator.clipboard.readText()"))
    arguments = copied["mcpServers"]["jupyter-mcpgen"]["args"]
    assert arguments[arguments.index("--registry") + 1] == str(registry_of(server))


def test_health_tells_how_the_parts_are_and_verifies_the_audit_log(server: Server, panel: Any) -> None:
    show(panel, "Health")
    panel.get_by_role("region", name="Sandbox").get_by_text("proved by").wait_for()
    text = panel.inner_text()
    assert "None is running." in text
    assert "No language model is set up" in text
    assert str(registry_of(server)) in text

    press(panel, "Verify the audit log")
    panel.get_by_text("Intact:").wait_for()

    log = registry_of(server) / "audit" / "log.jsonl"
    whole = log.read_text()
    log.write_text(whole.replace("honey_of", "money_of", 1))
    press(panel, "Verify the audit log")
    panel.get_by_text("was changed: its hash does not match its content").wait_for()
    log.write_text(whole)


def test_activity_follows_what_happens(server: Server, terminal: Terminal, panel: Any) -> None:
    terminal("ask --name kinds_of number of different frames by hive in hives.csv", "approve kinds_of")
    show(panel, "Activity")
    unpublished = panel.get_by_role("listitem").filter(has_text="Unpublished kinds_of v1.0.0")
    panel.get_by_role("listitem").first.wait_for()
    assert unpublished.count() == 0

    terminal("unpublish kinds_of")

    unpublished.wait_for()
    assert panel.get_by_role("listitem").first.inner_text().startswith("Unpublished kinds_of")


def test_what_a_client_writes_about_its_tool_is_text(server: Server, panel: Any, page: Any) -> None:
    assistant = Assistant(server)
    try:
        assistant.call(
            "dynamic_register_tool",
            name="echo",
            source_code='def echo(text: str) -> str:\n    """Repeat a text."""\n    return text\n',
            description=HOSTILE,
        )
        (offered,) = (each for each in Registry(registry_of(server)).staged() if each.spec.tool_name == "echo")
        refused = elsewhere(decided(server, offered, offered.fingerprint, confirmed=["unchecked"]))
        assert (refused["done"], "review the request" in refused["sentence"]) == (False, True)
        show(panel, "Inbox")
        press(panel, "Review: echo")
        dialog = page.get_by_role("dialog")
        tick(dialog)
        press(dialog, "Allow")
        show(panel, "Library")
        panel.get_by_role("button", name="echo", exact=True).click()
        panel.get_by_role("heading", name="Call it").wait_for()

        assert HOSTILE in panel.inner_text()
        assert panel.locator("img, b, a").count() == 0
        assert page.evaluate("() => window.taken") is None
        page.evaluate("text => { document.createElement('div').innerHTML = text; }", HOSTILE)
        page.wait_for_function("() => window.taken === 'yes'")
    finally:
        assistant.close()
    page.keyboard.press("Escape")


@pytest.mark.soak
def test_it_is_worked_with_the_keyboard_alone(server: Server, terminal: Terminal, panel: Any, page: Any) -> None:
    empty_inbox(server, terminal)
    terminal("ask --name least_of minimum honey by hive in hives.csv")
    opened(page)
    keys = page.keyboard
    keys.press("Tab")
    go_to(page, "ArrowRight", "Inbox")
    entry(panel, "smallest honey by hive, largest first").wait_for()
    go_to(page, "Tab", "smallest honey by hive, largest first")
    keys.press("Enter")
    panel.get_by_role("button", name="Approve").wait_for()
    keys.press("Escape")
    assert page.evaluate(FOCUSED) == "smallest honey by hive, largest first"
    keys.press("Enter")
    panel.get_by_role("button", name="Approve").wait_for()
    go_to(page, "Tab", "Approve")

    keys.press("Enter")

    panel.get_by_text("least_of v1.0.0 is live").wait_for()


def go_to(page: Any, key: str, text: str) -> None:
    """Press a key until what begins with a text has the focus."""
    for _ in range(MOST_STOPS):
        if page.evaluate(FOCUSED).startswith(text):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {text}")


@pytest.mark.soak
@pytest.mark.parametrize("theme", THEMES)
def test_no_section_has_a_flaw_in_any_theme(
    server: Server, terminal: Terminal, panel: Any, page: Any, theme: str
) -> None:
    if not Registry(registry_of(server)).staged():
        terminal("ask --name sum_of total frames by hive in hives.csv")
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
    page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")
    show(panel, "Inbox")
    panel.get_by_role("checkbox", name="Select “").first.check()
    assert flaws(page, "#mcpgen-panel") == []
    panel.locator(".jp-mcpgen-open").first.click()
    panel.get_by_text("The code").click()
    press(panel, "Reject…")
    panel.locator(".jp-mcpgen-code pre").wait_for()
    assert flaws(page, "#mcpgen-panel") == []
    press(panel, "‹ Back to the inbox")
    show(panel, "Library")
    panel.get_by_text("Cursor", exact=True).click()
    assert flaws(page, "#mcpgen-panel") == []
    panel.get_by_role("button", name="honey_of", exact=True).click()
    panel.get_by_role("button", name="Show what changes").first.click()
    panel.get_by_text("What changes from").wait_for()
    assert flaws(page, "#mcpgen-panel") == []
    press(panel, "‹ Back to the library")
    for section, there in (("Health", "Versions"), ("Activity", "Approved")):
        show(panel, section)
        panel.get_by_text(there).first.wait_for()
        assert flaws(page, "#mcpgen-panel") == []
    page.evaluate("() => document.querySelector('.jp-mcpgen-panelBody').append(document.createElement('button'))")
    assert flaws(page, "#mcpgen-panel") == ["button-name: <button></button>"]
