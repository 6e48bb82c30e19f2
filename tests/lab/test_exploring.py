"""A first look at a table on the page: its questions are buttons, and each answer appears below its button."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.lab.conftest import Server, flaws, open_notebook, run_cell

pytestmark = pytest.mark.browser

TABLE = """import pandas as pd
landings = pd.DataFrame({
    "harbor": ["Lund", "Ness", "Skye"] * 20, "species": ["cod", "hake", "ling", "eel"] * 15,
    "crates": [number % 7 for number in range(60)], "weight": [number * 2.5 for number in range(60)],
    "landed": pd.date_range("2024-01-01", periods=60, freq="W"),
})"""
SHOTS = os.environ.get("MCPGEN_SCREENSHOTS")
SAVED = "() => window.jupyterapp.shell.currentWidget.context.save()"
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}


def opened(page: Any, server: Server, name: str) -> Any:
    """Open a notebook that explores a table, over the kernel of the one before, and return the overview."""
    registry = f"%env MCPGEN_REGISTRY__PATH={server.root.parent / 'registries' / 'exploring'}"
    cells = (f"{registry}\n%load_ext jupyter_mcpgen", TABLE, "%mcpgen explore landings")
    open_notebook(page, server.notebook(f"exploring-{name}.ipynb", *cells), same_kernel=True)
    for index in range(len(cells)):
        run_cell(page, index)
    return overview_on(page)


def overview_on(page: Any) -> Any:
    overview = page.get_by_role("region", name="Overview: landings")
    overview.wait_for()
    return overview


def question(overview: Any, text: str) -> Any:
    return overview.get_by_role("button", name=f"{text} in landings", exact=True)


def answer(overview: Any, reading: str) -> Any:
    return overview.get_by_role("region", name=re.compile(f"^Answer: {re.escape(reading)}"))


def shoot(page: Any, name: str) -> None:
    """Keep a picture for a person to look at, where one is asked for."""
    if SHOTS:
        for theme, called in THEMES.items():
            page.evaluate("name => window.jupyterapp.commands.execute('apputils:change-theme', {theme: name})", called)
            page.wait_for_timeout(500)
            page.screenshot(path=str(Path(SHOTS) / f"{name}-{theme}.png"))


def test_a_suggested_question_is_answered_below_its_button(lab: Server, page: Any) -> None:
    overview = opened(page, lab, "asked")

    question(overview, "number of rows by species").and_(page.locator("[aria-disabled=false]")).click()
    card = answer(overview, "number of rows by species")
    card.get_by_role("button", name="Yes", exact=True).wait_for()

    button = page.get_by_role("button", name="number of rows by species in landings", exact=True)
    assert overview.locator("li", has=button).locator("section.jp-mcpgen-Card").count() == 1


@pytest.mark.soak
def test_each_suggested_question_is_a_button_whose_answer_appears_below_it_and_is_kept_in_the_notebook(
    lab: Server, page: Any
) -> None:
    overview = opened(page, lab, "kept")
    rows = overview.get_by_role("group", name="Columns of landings").get_by_role("row").all_inner_texts()
    first = question(overview, "average weight by harbor")
    suggestions = overview.locator(".jp-mcpgen-suggestions li > .jp-mcpgen-chip")

    assert [row.split("\t") for row in rows[1:3]] == [
        ["harbor", "text", "0", "3", "Lund, Ness, Skye"],
        ["species", "text", "0", "4", "cod, eel, hake, ling"],
    ]
    assert suggestions.count() == 5
    assert flaws(page, ".jp-mcpgen-Overview") == []
    first.and_(page.locator("[aria-disabled=false]")).click()
    card = answer(overview, "mean of weight by harbor")
    card.get_by_role("button", name="Yes", exact=True).wait_for()

    button = page.get_by_role("button", name="average weight by harbor in landings", exact=True)
    assert overview.locator("li", has=button).locator("section.jp-mcpgen-Card").count() == 1
    assert first.get_attribute("aria-disabled") == "true"
    question(overview, "number of rows by species").click()
    answer(overview, "number of rows by species").get_by_role("button", name="Yes", exact=True).wait_for()
    assert card.count() == 1  # the first answer stays
    assert flaws(page, ".jp-mcpgen-Overview") == []
    shoot(page, "overview")

    card.get_by_role("button", name="Yes", exact=True).click()
    card.get_by_role("button", name="Approve", exact=True).click()
    card.get_by_text("live tool").wait_for()

    page.evaluate(SAVED)
    page.goto(f"{lab.url}lab/tree/exploring-kept.ipynb?reset")

    card = answer(overview_on(page), "mean of weight by harbor")
    card.get_by_text("live tool").wait_for()
    saved = json.loads((lab.root / "exploring-kept.ipynb").read_text())
    (output,) = saved["cells"][2]["outputs"]
    kept = output["data"]["application/vnd.mcpgen.overview.v1+json"]["suggestions"]
    assert [one["card"] and one["card"]["status"] for one in kept].count("PROMOTED") == 1


@pytest.mark.soak
def test_a_restarted_kernel_says_how_to_ask_again(lab: Server, page: Any) -> None:
    overview = opened(page, lab, "restarted")
    question(overview, "average weight by harbor").and_(page.locator("[aria-disabled=false]")).wait_for()

    page.evaluate("() => window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel.restart()")
    overview.get_by_text("Run %load_ext jupyter_mcpgen").wait_for()
    run_cell(page, 0)
    overview.get_by_text("To ask one of these questions, run the cell again.").wait_for()
    run_cell(page, 1)
    run_cell(page, 2)

    question(overview_on(page), "average weight by harbor").and_(page.locator("[aria-disabled=false]")).wait_for()
