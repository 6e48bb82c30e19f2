"""A question that only a language model reads, in a real notebook and browser, over a server that imitates one."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.imitations.acts import says
from tests.imitations.server import Arrival, Imitation
from tests.lab.conftest import Server, open_notebook, run_cell

pytestmark = pytest.mark.browser

FRAME = """import pandas as pd
looms = pd.DataFrame({"hall": ["A", "A", "B", "B", "C"], "torn": [1, 0, 5, 0, 2]})"""
PLANNED = "SELECT hall, sum(torn) AS spoilt FROM looms GROUP BY hall ORDER BY spoilt DESC NULLS LAST"
WRITTEN = "SELECT hall, bool_or(torn > 1) AS bad FROM looms GROUP BY hall"
CODE = '''import pandas as pd


def analyze(df: pd.DataFrame) -> pd.DataFrame:
    """Return which halls spoil cloth."""
    return (df["torn"] > 1).groupby(df["hall"]).any().reset_index(name="bad")
'''
FIRST = "which room of the mill wrecks the most cloth"
THIRD = "total torn by hall"
SECOND = "does any room of the mill wreck cloth badly"


def asks(words: str) -> Any:
    def holds(arrival: Arrival) -> bool:
        return arrival.method == "POST" and words in arrival.raw.decode()

    return holds


def sql(query: str, reading: str) -> str:
    told = {"notes": "", "kind": "sql", "sql": query, "reading": reading, "chart": "bar", "assumptions": []}
    return json.dumps({**told, "message": None, "options": [], "missing": []})


@pytest.fixture
def model() -> Iterator[Imitation]:
    """Serve a model that answers the two questions."""
    rules = (
        (asks("You write pandas code"), says(json.dumps({"notes": "", "code": CODE}))),
        # the prompt of the second question holds the first one as well
        (asks(SECOND), says(sql(WRITTEN, "halls where a loom tore more than one piece"))),
        (asks(THIRD), says(sql("SELECT hall, avg(torn) AS torn FROM looms GROUP BY hall", "usual tears"))),
        (asks(FIRST), says(sql(PLANNED, "torn cloth by hall"))),
    )
    with Imitation(rules) as imitation:
        yield imitation


def picture(page: Any, name: str) -> None:
    """Take a picture where a person asks for pictures."""
    folder = os.environ.get("MCPGEN_TEST_PICTURES")
    if folder:
        page.screenshot(path=str(Path(folder) / f"{name}.png"))


def card_of(page: Any, reading: str) -> Any:
    return page.get_by_role("region", name=re.compile(f"^Answer: {re.escape(reading)}", re.IGNORECASE))


def test_a_model_s_answers_are_cards_that_say_who_read_them_and_can_be_saved(
    page: Any, lab: Server, model: Imitation
) -> None:
    settings = f"""%env MCPGEN_REGISTRY__PATH={lab.root.parent / "registries" / "model"}
%env MCPGEN_LLM__MODEL=weaver-7b
%env MCPGEN_LLM__BASE_URL={model.address}
%load_ext jupyter_mcpgen"""
    cells = (settings, FRAME, f"%mcpgen {FIRST} in looms", f"%mcpgen {SECOND} in looms", "%mcpgen approve --as-read")
    open_notebook(page, lab.notebook("model.ipynb", *cells))

    for index in range(4):
        run_cell(page, index)
    page.get_by_text("reads those that the planner is not sure of").or_(page.get_by_text("weaver-7b")).first.wait_for()
    planned, written = card_of(page, "sum of torn by hall"), card_of(page, "halls where a loom")
    for card, claim in ((planned, "pandas and SQL agree"), (written, "code and SQL, written apart, agree")):
        card.get_by_role("button", name="Yes", exact=True).wait_for()
        assert claim in card.inner_text()
        assert "Read by the model: is this what you meant?" in card.inner_text()
    run_cell(page, 4)

    page.get_by_text(re.compile("is live")).first.wait_for()


@pytest.mark.soak
def test_approving_what_the_model_alone_read_asks_in_place_whether_it_is_meant(
    page: Any, lab: Server, model: Imitation
) -> None:
    settings = f"""%env MCPGEN_REGISTRY__PATH={lab.root.parent / "registries" / "confirmed"}
%env MCPGEN_LLM__MODEL=weaver-7b
%env MCPGEN_LLM__BASE_URL={model.address}
%load_ext jupyter_mcpgen"""
    open_notebook(page, lab.notebook("confirmed.ipynb", settings, FRAME, f"%mcpgen {FIRST} in looms"))
    for index in range(3):
        run_cell(page, index)
    card = card_of(page, "sum of torn by hall")
    card.get_by_role("button", name="Yes", exact=True).click()
    card.get_by_role("button", name="Approve").click()

    asked = card.get_by_role("group", name=re.compile("Is this what you meant"))
    asked.wait_for()
    picture(page, "confirm")
    assert "sum of torn by hall" in asked.inner_text()
    page.keyboard.press("Enter")
    asked.get_by_role("button", name="No").click()
    assert card.get_by_role("button", name="Approve").is_enabled()
    assert "is live" not in card.inner_text()

    card.get_by_role("button", name="Approve").click()
    asked.get_by_role("button", name="Yes, this is what I meant").click()
    card.get_by_text(re.compile("is live")).first.wait_for()


@pytest.mark.soak
def test_readings_that_differ_stand_beside_each_other_in_the_page(page: Any, lab: Server, model: Imitation) -> None:
    settings = f"""%env MCPGEN_REGISTRY__PATH={lab.root.parent / "registries" / "differ"}
%env MCPGEN_LLM__MODEL=weaver-7b
%env MCPGEN_LLM__BASE_URL={model.address}
%load_ext jupyter_mcpgen"""
    open_notebook(page, lab.notebook("differ.ipynb", settings, FRAME, f"%mcpgen --author both {THIRD} in looms"))
    for index in range(3):
        run_cell(page, index)
    asked = page.get_by_role("region", name=re.compile("^Asked back"))
    asked.wait_for()
    first, second = (asked.get_by_role("group", name=f"Result of reading {number}") for number in (1, 2))
    first.wait_for()
    picture(page, "differ")
    boxes = [each.bounding_box() for each in (first, second)]

    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] < boxes[1]["x"]
    assert "checked" not in asked.inner_text()
    asked.get_by_role("button", name=re.compile("^2")).click()
    picked = page.get_by_role("region", name=re.compile("^Answer: mean of torn", re.IGNORECASE))
    picked.get_by_role("button", name="Yes", exact=True).click()
    picked.get_by_role("button", name="Approve").click()
    picked.get_by_text(re.compile("is live")).first.wait_for()
