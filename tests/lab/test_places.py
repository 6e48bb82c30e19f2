"""Where people look in JupyterLab: palette, menus, launcher, status bar, settings page, keys, completion."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from jupyter_mcpgen.verbs.commands import COMMANDS
from tests.lab.conftest import Server, flaws, open_notebook, run_cell, serve

pytestmark = pytest.mark.browser

SHOTS = os.environ.get("MCPGEN_SCREENSHOTS")
TABLE = "import pandas as pd; landings = pd.DataFrame({'harbor': ['Lund', 'Ness'] * 6, 'weight': range(12)})"
SOURCES = """() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells.map(cell => cell.source)"""
CURSOR = """() => {
  const {editor, model} = window.jupyterapp.shell.currentWidget.content.activeCell;
  return [editor.hasFocus(), model.sharedModel.source.slice(0, editor.getOffsetAt(editor.getCursorPosition()))];
}"""
EXECUTE = "([command, args]) => window.jupyterapp.commands.execute(command, args)"
SETTINGS = "lab/user-settings/jupyter-mcpgen/card.jupyterlab-settings"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a JupyterLab whose server has our part."""
    yield from serve(tmp_path_factory.mktemp("places"), "jupyterlab", server_part=True)


def opened(page: Any, server: Server, name: str, *cells: str) -> None:
    registry = f"%env MCPGEN_REGISTRY__PATH={server.root.parent / 'registry'}"
    cells = (f"{registry}\n%load_ext jupyter_mcpgen", TABLE, *cells)
    open_notebook(page, server.notebook(f"places-{name}.ipynb", *cells), same_kernel=True)
    for index in range(len(cells)):
        run_cell(page, index)


def sources(page: Any) -> list[str]:
    return page.evaluate(SOURCES)


def shoot(page: Any, name: str) -> None:
    """Keep a picture for a person to look at, where one is asked for."""
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


def test_the_menu_and_the_toolbar_begin_a_question_below_the_cell(served: Server, page: Any) -> None:
    opened(page, served, "ask")

    page.get_by_role("menuitem", name="mcpgen", exact=True).click()
    shoot(page, "menu")
    page.get_by_role("menuitem", name="mcpgen: Ask a question").click()
    page.wait_for_function("() => document.activeElement?.closest('.jp-CodeCell') !== null")

    assert sources(page)[2] == "%mcpgen "
    assert page.evaluate(CURSOR) == [True, "%mcpgen "]
    page.locator(".jp-NotebookPanel-toolbar [data-jp-item-name=mcpgen-ask] jp-button").click()
    page.wait_for_function(f"({SOURCES})().length === 4")


def test_a_notebook_that_does_not_know_the_magic_gets_it_loaded(served: Server, page: Any) -> None:
    open_notebook(page, served.notebook("places-fresh.ipynb", "1 + 1"))

    page.evaluate(EXECUTE, ["mcpgen:ask", {}])

    assert sources(page)[1] == "%load_ext jupyter_mcpgen\n%mcpgen "


@pytest.mark.soak
def test_a_right_click_on_a_variable_explores_it_or_asks_about_it(served: Server, page: Any) -> None:
    opened(page, served, "pointed", "landings")
    word = page.locator(".jp-CodeCell .cm-line").last
    box = word.bounding_box()

    page.mouse.click(box["x"] + 12, box["y"] + box["height"] / 2, button="right")
    shoot(page, "right-click")
    page.get_by_role("menuitem", name="Explore “landings” with mcpgen").click()
    overview = page.get_by_role("region", name="Overview: landings")
    overview.get_by_role("button", name="average weight by harbor in landings", exact=True).wait_for()
    assert sources(page)[3] == "%mcpgen explore landings"

    page.mouse.click(box["x"] + 12, box["y"] + box["height"] / 2, button="right")
    page.get_by_role("menuitem", name="Ask mcpgen about this").click()
    page.wait_for_function(f"({SOURCES})().includes('%mcpgen  in landings')")
    assert page.evaluate(CURSOR) == [True, "%mcpgen "]  # the cursor stands where the question goes


def test_where_no_name_is_pointed_at_nothing_can_be_explored(served: Server, page: Any) -> None:
    opened(page, served, "no-name", "1 + 1")
    box = page.locator(".jp-CodeCell .cm-line").last.bounding_box()

    page.mouse.click(box["x"] + 8, box["y"] + box["height"] / 2, button="right")

    page.get_by_role("menuitem", name="Ask mcpgen about this").wait_for()
    assert page.get_by_role("menuitem", name="with mcpgen").count() == 0
    page.keyboard.press("Escape")


def test_the_launcher_opens_a_notebook_that_is_ready_for_questions(served: Server, page: Any) -> None:
    page.goto(f"{served.url}lab?reset")
    card = page.locator(".jp-LauncherCard", has_text="Ask your data")
    card.wait_for()
    shoot(page, "launcher")

    card.click()

    notebook = "window.jupyterapp.shell.currentWidget?.content?.model?.sharedModel?.cells"
    page.wait_for_function(f"() => {notebook}?.[0]?.source")
    assert sources(page) == ["%load_ext jupyter_mcpgen\n%mcpgen "]


def test_the_palette_has_what_the_menu_has(served: Server, page: Any) -> None:
    opened(page, served, "palette")

    page.evaluate(EXECUTE, ["apputils:activate-command-palette", {}])
    page.locator(".lm-CommandPalette-input:visible, jp-search:visible").last.click()
    page.keyboard.type("mcpgen:")
    rows = page.locator(".lm-CommandPalette-item .lm-CommandPalette-itemLabel").all_inner_texts()
    shoot(page, "palette")

    assert {
        "mcpgen: Ask a question",
        "mcpgen: Explore the table at the cursor",
        "mcpgen: New notebook to ask in",
        "mcpgen: Show what waits for a decision",
        "mcpgen: Settings",
        "mcpgen: Stop the question",
    } <= set(rows)


@pytest.mark.soak
def test_the_status_bar_counts_what_waits_and_opens_it(served: Server, page: Any) -> None:
    opened(page, served, "status", "%mcpgen total weight by harbor in landings")
    item = page.locator(".jp-mcpgen-status")

    page.wait_for_function("() => /mcpgen: 1$/.test(document.querySelector('.jp-mcpgen-status').textContent)")

    assert item.get_attribute("title") == "1 decision waits. The MCP server is not running."
    assert flaws(page, ".jp-mcpgen-status") == []
    shoot(page, "status")
    card = page.get_by_role("region", name="Answer: sum of weight by harbor")
    card.get_by_role("button", name="Yes", exact=True).click()
    card.get_by_role("button", name="Approve", exact=True).click()
    page.wait_for_function("() => /mcpgen: 0$/.test(document.querySelector('.jp-mcpgen-status').textContent)")
    item.click()
    page.get_by_text("No AI client offers a tool.").or_(page.locator("#mcpgen-panel")).first.wait_for()


def test_a_setting_that_is_made_on_the_page_takes_effect_there_and_in_the_next_kernel(
    served: Server, new_page: Any
) -> None:
    opened(new_page, served, "settings", "%mcpgen explore landings")
    table = new_page.get_by_role("group", name="Columns of landings")
    height = table.bounding_box()["height"]
    new_page.evaluate(EXECUTE, ["mcpgen:settings", {}])
    rows = new_page.locator("input[id$=card_page_rows]")
    rows.wait_for()
    shoot(new_page, "settings")

    rows.fill("1")
    new_page.get_by_label("Show the status bar item").uncheck()
    new_page.locator("select[id$=card_planner_language]").select_option(label="de")
    path = served.root.parent / "home" / "config" / SETTINGS
    new_page.wait_for_function("() => document.body.style.getPropertyValue('--jp-mcpgen-rows') === '1'")
    new_page.locator(".jp-mcpgen-status").wait_for(state="hidden")
    new_page.get_by_role("tab", name="places-settings.ipynb").click()
    assert table.bounding_box()["height"] < height  # its second row has to be scrolled to

    new_page.wait_for_function(
        "async path => (await (await fetch(path)).text()).includes('language')",
        arg=f"{served.url}lab/api/settings/jupyter-mcpgen:card",
    )
    assert path.is_file()
    open_notebook(new_page, served.notebook("places-german.ipynb", "%load_ext jupyter_mcpgen", "%mcpgen config"))
    run_cell(new_page, 0)
    run_cell(new_page, 1)
    row = new_page.get_by_role("row", name="planner.language")
    row.wait_for()
    path.unlink()
    assert row.get_by_role("cell").all_inner_texts()[1:] == ["de", "JupyterLab's settings page"]


def press_tab(page: Any, offered: Any) -> None:
    """Press the key until something is offered: JupyterLab gives up on a kernel that takes more than a second."""
    from playwright.sync_api import TimeoutError as NotYet  # deferred: only needed with a browser

    for _ in range(10):
        page.keyboard.press("Tab")
        with suppress(NotYet):
            offered.wait_for(timeout=3_000)
            return
    offered.wait_for(timeout=3_000)


def test_the_tab_key_offers_columns_and_commands(served: Server, page: Any) -> None:
    opened(page, served, "tab")
    page.evaluate(EXECUTE, ["mcpgen:ask", {}])

    page.keyboard.type("total weight by har")
    offered = page.locator(".jp-Completer-match")
    press_tab(page, offered.first)
    assert offered.all_inner_texts() == ["harbor"]
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => ({SOURCES})()[2] === '%mcpgen total weight by harbor'")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("%mcpgen re")
    press_tab(page, offered.filter(has_text="rebuild"))
    shoot(page, "completion")

    assert offered.all_inner_texts() == sorted(name for name in COMMANDS if name.startswith("re"))


def test_keys_ask_and_show_what_waits(served: Server, page: Any) -> None:
    opened(page, served, "keys")
    page.locator(".jp-CodeCell").first.click()

    page.keyboard.press("ControlOrMeta+Alt+q")

    page.wait_for_function(f"() => ({SOURCES})().some(source => source === '%mcpgen ')")


@pytest.mark.soak
def test_in_notebook_7_the_cell_menu_asks_and_nothing_is_missed(notebook7: Server, new_page: Any) -> None:
    complaints: list[str] = []
    new_page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    open_notebook(new_page, notebook7.notebook("places-seven.ipynb", TABLE, "landings"))

    box = new_page.locator(".jp-CodeCell .cm-line").last.bounding_box()
    new_page.mouse.click(box["x"] + 12, box["y"] + box["height"] / 2, button="right")
    new_page.get_by_role("menuitem", name="Ask mcpgen about this").click()

    new_page.wait_for_function(f"({SOURCES})().includes('%load_ext jupyter_mcpgen\\n%mcpgen  in landings')")
    assert [line for line in complaints if "mcpgen" in line] == []
