"""Cards last: many at once, page after page, a copied notebook; and all parts of one are open to everybody."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.lab.conftest import Server, flaws, open_notebook, run_cell
from tests.lab.test_card import LOAD, approve, card_of, is_live, load_anew, open_with_card, press, show
from tests.lab.test_results import FEW, cell, opened

pytestmark = pytest.mark.browser

SHOTS = os.environ.get("MCPGEN_SCREENSHOTS")
CARDS = 25
MOST_LOOKS = 40
IDLE = "() => window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
LISTENERS = (
    "import threading, comm; "
    "print(sum(each.name.startswith('subshell') for each in threading.enumerate()), len(comm.get_comm_manager().comms))"
)
THEMES = ["JupyterLab Light", "JupyterLab Dark", "JupyterLab Dark High Contrast"]


@pytest.mark.soak
def test_of_many_cards_at_once_each_is_decided_alone(lab: Server, page: Any) -> None:
    shown = "\n".join(show(f"many-{number}") for number in range(CARDS))
    open_notebook(page, lab.notebook("many.ipynb", LOAD, shown), same_kernel=True)
    run_cell(page, 0)
    run_cell(page, 1)
    cards = card_of(page)
    cards.nth(CARDS - 1).get_by_role("button", name="Yes", exact=True, disabled=False).wait_for()

    approve(cards.nth(7))
    is_live(cards.nth(7))

    stands = cards.evaluate_all("cards => cards.map(card => card.dataset.stand)")
    assert stands == ["live" if number == 7 else "output-asked" for number in range(CARDS)]


@pytest.mark.soak
@pytest.mark.parametrize("times", [2, pytest.param(100, marks=pytest.mark.soak)])
def test_page_after_page_leaves_no_listener_behind(lab: Server, page: Any, times: int) -> None:
    name = f"reloaded-{times}"
    open_with_card(page, lab, name)
    before = listeners(page)
    for _ in range(times):
        page.evaluate("() => window.jupyterapp.shell.currentWidget.context.save()")
        load_anew(page, lab, name)
        page.wait_for_function(IDLE)
        card_of(page).first.get_by_role("button", name="Yes", exact=True, disabled=False).wait_for()

    # one page listens, and one subshell answers it; a browser may drop what its last page said while it went, and a
    # kernel hears late of pages that have gone
    for _ in range(MOST_LOOKS):
        subshells, comms = listeners(page)
        if subshells <= before[0] + 1 and comms <= before[1] + 1:
            break
        page.wait_for_timeout(500)
    assert subshells <= before[0] + 1
    assert comms <= before[1] + 1


@pytest.mark.soak
def test_a_notebook_that_is_closed_leaves_no_listener_in_a_kernel_that_goes_on(lab: Server, new_page: Any) -> None:
    open_with_card(new_page, lab, "closed-0")
    before = listeners(new_page)

    for number in range(1, 4):
        open_with_card(new_page, lab, f"closed-{number}")

    assert listeners(new_page) == before


def listeners(page: Any) -> tuple[int, int]:
    """Return how many subshells and comms the kernel has."""
    subshells, comms = cell(page, LISTENERS).split()
    return int(subshells), int(comms)


@pytest.mark.soak
def test_a_copied_notebook_over_the_same_registry_decides_the_same_card(lab: Server, page: Any) -> None:
    open_with_card(page, lab, "original")
    page.evaluate("() => window.jupyterapp.shell.currentWidget.context.save()")
    (lab.root / "copied.ipynb").write_bytes((lab.root / "original.ipynb").read_bytes())

    open_notebook(page, f"{lab.url}lab/tree/copied.ipynb?reset")
    card = card_of(page).first
    card.get_by_text("Run %load_ext jupyter_mcpgen").wait_for()
    run_cell(page, 0)
    press(card, "Yes")
    press(card, "Approve")

    is_live(card)
    copied = json.loads((lab.root / "cards" / "original.json").read_text())
    assert copied["status"] == "PROMOTED"


@pytest.fixture(scope="module")
def spread(lab: Server, page: Any) -> Any:
    """Return a card with all of its parts open."""
    card = opened(page, lab, "spread", FEW)
    card.get_by_role("group", name="Result table").get_by_role("row").nth(1).click()
    card.get_by_role("region", name=re.compile("^Rows behind")).wait_for()
    card.get_by_text("Code and how it ran").click()
    card.get_by_role("region", name="The calculation as code").get_by_text("groupby").first.wait_for()
    card.get_by_text("Why trust this?").click()
    card.get_by_role("group", name="Result table").get_by_role("button", name="keeper", exact=True).click()
    card.get_by_role("group", name="Column keeper").wait_for()
    card.get_by_role("group", name="Take the result").get_by_role("button", name="To variable…").click()
    return card


@pytest.mark.every_run("JupyterLab Dark")
@pytest.mark.parametrize("theme", THEMES)
def test_a_card_with_all_its_parts_open_has_no_flaw_in_any_theme(spread: Any, page: Any, theme: str) -> None:
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
    page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")

    if SHOTS:
        spread.screenshot(path=str(Path(SHOTS) / f"spread-{theme}.png"))
    assert flaws(page, "section[aria-label^=Answer]") == []


def test_at_twice_the_size_nothing_is_cut_off(spread: Any, page: Any) -> None:
    size = page.viewport_size
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", THEMES[0])
    page.evaluate("() => window.jupyterapp.commands.execute('application:toggle-left-area')")
    page.set_viewport_size({"width": size["width"] // 2, "height": size["height"] // 2})

    if SHOTS:
        spread.screenshot(path=str(Path(SHOTS) / "spread-twice.png"))
    cut = "card => [...card.querySelectorAll(':scope > *')].filter(part => part.scrollWidth > part.clientWidth + 1)"
    assert spread.evaluate(f"{cut}.map(part => part.className)") == []
