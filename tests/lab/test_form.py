"""The form of a tool on the page: a dropdown changes its answer."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.lab.conftest import Server, flaws, open_notebook, run_cell

pytestmark = pytest.mark.browser

TABLE = """import pandas as pd
from jupyter_mcpgen import tools
landings = pd.DataFrame({
    "harbor": ["Lund", "Ness", "Skye"] * 4, "crates": range(12), "weight": [n * 2.5 for n in range(12)],
})"""
MAKE = "%mcpgen ask --name total_of total crates by harbor in landings\n%mcpgen approve"
SHOTS = os.environ.get("MCPGEN_SCREENSHOTS")


def card(page: Any, reading: str) -> Any:
    return page.get_by_role("region", name=re.compile(f"^Answer: {re.escape(reading)}"))


def test_a_dropdown_of_the_form_changes_the_answer_below_it(lab: Server, new_page: Any) -> None:
    registry = f"%env MCPGEN_REGISTRY__PATH={lab.root.parent / 'registries' / 'form'}"
    cells = (f"{registry}\n%load_ext jupyter_mcpgen", TABLE, *MAKE.splitlines(), "tools.total_of.form(landings)")
    open_notebook(new_page, lab.notebook("form.ipynb", *cells))
    for index in range(len(cells)):
        run_cell(new_page, index)
    form = new_page.locator(".jp-Cell").last
    column = form.get_by_label("value column")
    column.wait_for()
    shown = form.get_by_role("region", name=re.compile("^Answer: sum of crates by harbor"))
    shown.get_by_text("your tool v1.0.0").wait_for()

    column.select_option("weight")

    changed = form.get_by_role("region", name=re.compile("^Answer: sum of weight by harbor"))
    changed.get_by_role("cell", name="65", exact=True).wait_for()
    assert form.locator(".jp-mcpgen-Card").count() == 1
    assert form.get_by_label("group by columns").count() == 1
    assert flaws(new_page, ".jp-OutputArea-output .jupyter-widgets") == []
    if SHOTS:
        form.scroll_into_view_if_needed()
        new_page.screenshot(path=str(Path(SHOTS) / "form.png"))
    column.focus()
    new_page.keyboard.press("ArrowUp")  # the keyboard alone changes it back
    form.get_by_role("region", name=re.compile("^Answer: sum of crates by harbor")).wait_for()
