"""How a file is read is changed on the card, with a look at its beginning: a real browser, the real product."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.lab.conftest import Server, flaws, open_notebook, run_cell

pytestmark = pytest.mark.browser

MILK = "farm;litres\nHill;4\nLake;6\nHill;5\nchecked;9\n"
"""Its last row looks like any other; only a person knows that it is none."""
SHOTS = os.environ.get("MCPGEN_SCREENSHOTS")
CARD = re.compile("^Answer: sum of litres by farm")


def opened(page: Any, server: Server, name: str, question: str) -> Any:
    """Ask a question in a notebook of its own, and return its card."""
    (server.root / "milk.csv").write_text(MILK)
    place = server.root.parent / "reading" / name
    own = f"%env MCPGEN_REGISTRY__PATH={place / 'registry'}\n%env XDG_CACHE_HOME={place / 'cache'}"
    cells = (f"{own}\n%load_ext jupyter_mcpgen", question)
    open_notebook(page, server.notebook(f"reading-{name}.ipynb", *cells))
    for index in range(len(cells)):
        run_cell(page, index)
    card = page.get_by_role("region", name=CARD)
    card.get_by_role("button", name="Yes", exact=True).wait_for()
    return card


def rows(card: Any) -> list[list[str]]:
    table = card.get_by_role("group", name="Result table").get_by_role("row").all_inner_texts()
    return [row.split("\t") for row in table[1:]]


def shoot(page: Any, name: str) -> None:
    """Keep a picture for a person to look at, where one is asked for."""
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


@pytest.mark.soak
@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_a_file_is_read_otherwise_from_its_card(lab: Server, page: Any, theme: str) -> None:
    card = opened(page, lab, theme.split()[1].lower(), "%mcpgen total litres by farm in milk.csv")
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
    page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")
    assert rows(card) == [["Hill", "9"], ["checked", "9"], ["Lake", "6"]]

    change = card.get_by_role("button", name="Change how milk.csv is read", disabled=False)
    change.click()
    form = card.get_by_role("group", name="How milk.csv is read")
    form.get_by_role("group", name="The first rows as they are read").get_by_role("row").nth(4).wait_for()
    lines = form.get_by_role("list", name="The first lines as they are written").get_by_role("listitem")
    assert lines.all_inner_texts() == MILK.splitlines()
    form.get_by_label("Rows left out at the end").fill("1")
    form.get_by_role("status").filter(has_text="left out: “checked;9”").wait_for()
    assert flaws(page, "section[aria-label^=Answer]") == []
    form.scroll_into_view_if_needed()
    shoot(page, f"reading-{theme}")
    form.get_by_role("button", name="Ask again").click()

    form.wait_for(state="detached")
    card.get_by_text("left out: “checked;9”").wait_for()
    card.get_by_role("button", name="Yes", exact=True).wait_for()
    assert rows(card) == [["Hill", "9"], ["Lake", "6"]]
    assert page.locator(".jp-mcpgen-Card").count() == 1


@pytest.mark.soak
def test_what_cannot_be_read_so_is_said_and_nothing_is_asked(lab: Server, page: Any) -> None:
    card = opened(page, lab, "refused", "%mcpgen total litres by farm in milk.csv")
    change = card.get_by_role("button", name="Change how milk.csv is read", disabled=False)

    change.focus()
    page.keyboard.press("Enter")
    form = card.get_by_role("group", name="How milk.csv is read")
    header = form.get_by_label("Line of the column names")
    header.wait_for()
    assert header.evaluate("field => field === document.activeElement")
    header.fill("30")
    form.get_by_role("status").filter(has_text="nothing stands below its first 29 lines").wait_for()
    assert form.get_by_role("button", name="Ask again").get_attribute("aria-disabled") == "true"
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")

    form.wait_for(state="detached")
    assert change.evaluate("button => button === document.activeElement")
    assert rows(card) == [["Hill", "9"], ["checked", "9"], ["Lake", "6"]]
