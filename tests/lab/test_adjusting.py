"""What was understood is changed on the card, part by part or in other words: a real browser, the real product."""

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
})"""
ASK = "%mcpgen total weight by harbor in landings"
SHOTS = os.environ.get("MCPGEN_SCREENSHOTS")


def opened(page: Any, server: Server, name: str, *questions: str) -> None:
    registry = f"%env MCPGEN_REGISTRY__PATH={server.root.parent / 'registries' / name}"
    cells = (f"{registry}\n%load_ext jupyter_mcpgen", TABLE, *questions)
    open_notebook(page, server.notebook(f"adjusting-{name}.ipynb", *cells))
    for index in range(len(cells)):
        run_cell(page, index)


def card_of(page: Any, reading: str) -> Any:
    return page.get_by_role("region", name=re.compile(f"^Answer: {re.escape(reading)}"))


def part(card: Any, name: str) -> Any:
    """Return the button of a part, once the kernel can be asked about it."""
    parts = card.get_by_role("group", name="Change what was understood")
    button = parts.get_by_role("button", name=re.compile(name), disabled=False)
    button.wait_for()
    return button


def rows(card: Any) -> list[list[str]]:
    table = card.get_by_role("group", name="Result table").get_by_role("row").all_inner_texts()
    return [row.split("\t") for row in table[1:]]


def shoot(page: Any, name: str) -> None:
    """Keep a picture for a person to look at, where one is asked for."""
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


def test_a_click_changes_a_part_and_the_answer_takes_the_place_of_the_one_before(lab: Server, page: Any) -> None:
    opened(page, lab, "parts", ASK)
    card = card_of(page, "sum of weight by harbor")
    card.get_by_role("button", name="Yes", exact=True).wait_for()

    part(card, "^calculation").click()
    choices = card.get_by_role("group", name="Choices for calculation")
    choices.get_by_role("button", name="mean", exact=True).wait_for()
    assert choices.get_by_role("button", name="sum", exact=True).get_attribute("aria-pressed") == "true"
    assert flaws(page, "section[aria-label^=Answer]") == []
    shoot(page, "choices")
    choices.get_by_role("button", name="mean", exact=True).click()

    mean = card_of(page, "mean of weight by harbor")
    mean.get_by_role("button", name="Yes", exact=True).wait_for()
    assert rows(mean) == [["Skye", "76.25"], ["Ness", "73.75"], ["Lund", "71.25"]]
    assert page.locator(".jp-mcpgen-Card").count() == 1
    assert mean.get_by_role("button", name="sum of weight by harbor").count() == 1  # the way back


@pytest.mark.soak
def test_several_columns_are_chosen_with_the_keyboard_alone(lab: Server, page: Any) -> None:
    opened(page, lab, "keys", ASK)
    card = card_of(page, "sum of weight by harbor")
    card.get_by_role("button", name="Yes", exact=True).wait_for()
    groups = part(card, "^group by")

    groups.focus()
    page.keyboard.press("Enter")
    choices = card.get_by_role("group", name="Choices for group by")
    choices.wait_for()
    page.keyboard.press("Escape")
    choices.wait_for(state="detached")
    assert groups.evaluate("button => button === document.activeElement")
    page.keyboard.press("Enter")
    choices.get_by_label("species").focus()
    page.keyboard.press("Space")
    choices.get_by_role("button", name="Apply").focus()
    page.keyboard.press("Enter")

    both = card_of(page, "sum of weight by harbor and species")
    both.get_by_role("button", name="Yes", exact=True).wait_for()
    assert len(rows(both)) == 12


@pytest.mark.soak
def test_what_does_not_fit_is_refused_and_the_card_stays(lab: Server, page: Any) -> None:
    opened(page, lab, "misfit", "%mcpgen 2 harbors with the highest total weight in landings")
    card = card_of(page, "sum of weight by harbor, largest first")
    card.get_by_role("button", name="Yes", exact=True).wait_for()

    part(card, "^rows").click()
    field = card.get_by_role("textbox", name="Another value for rows")
    field.fill("many")
    field.press("Enter")

    card.get_by_text("must be a number, not many").wait_for()
    field.fill("3")
    field.press("Enter")
    part(card, "^rows 3$")
    assert len(rows(card)) == 3


@pytest.mark.soak
def test_the_question_is_edited_on_the_card_and_what_is_asked_back_can_be_picked_there(lab: Server, page: Any) -> None:
    opened(page, lab, "words", ASK)
    card = card_of(page, "sum of weight by harbor")
    card.get_by_role("button", name="Yes", exact=True).wait_for()

    card.get_by_role("button", name="Edit the question").click()
    field = card.get_by_role("textbox", name="The question in other words")
    field.fill("total profit by harbor")
    field.press("Enter")
    refused = page.get_by_role("region", name="Not understood: total profit by harbor")
    refused.wait_for()
    assert card.count() == 1  # the answer stays
    shoot(page, "refused-below")
    columns = refused.get_by_role("group", name="Columns for “profit”")
    columns.get_by_role("button", name="crates", exact=True).click()
    again = refused.get_by_role("textbox", name="The question in other words")
    assert again.input_value() == "total crates by harbor"
    again.press("Enter")

    crates = card_of(page, "sum of crates by harbor")
    crates.get_by_role("button", name="Yes", exact=True).wait_for()
    assert page.locator(".jp-mcpgen-Card").count() == 1
    assert flaws(page, "section[aria-label^=Answer]") == []


@pytest.mark.soak
def test_a_reason_is_begun_by_a_button_and_the_answer_that_it_asks_for_leads_back(lab: Server, page: Any) -> None:
    opened(page, lab, "reasons", ASK)
    card = card_of(page, "sum of weight by harbor")
    card.get_by_role("button", name="No, because…", disabled=False).click()

    reasons = card.get_by_role("group", name="What is wrong")
    reasons.get_by_role("button", name="Wrong calculation").click()
    reasons.get_by_role("button", name="Wrong column").click()
    field = card.get_by_role("textbox", name="What is wrong with it?")
    assert field.input_value() == "wrong column: should be "
    assert flaws(page, "section[aria-label^=Answer]") == []
    shoot(page, "reasons")
    field.press_sequentially("crates")
    card.get_by_role("button", name="Send").click()

    crates = card_of(page, "sum of crates by harbor")
    crates.get_by_role("button", name="sum of weight by harbor", disabled=False).click()  # it was right after all
    card_of(page, "sum of weight by harbor").get_by_role("button", name="Yes", exact=True).wait_for()
    assert page.locator(".jp-mcpgen-Card").count() == 1


@pytest.mark.soak
def test_a_refused_question_is_a_card_with_its_unread_words_marked_and_a_field(lab: Server, page: Any) -> None:
    opened(page, lab, "refused", "%mcpgen total profit by harbor in landings")
    refused = page.get_by_role("region", name=re.compile("^Not understood: total profit by harbor"))
    refused.wait_for()

    assert refused.locator("mark").first.inner_text() == "profit"
    field = refused.get_by_role("textbox", name="The question in other words")
    field.wait_for()
    assert flaws(page, "section[aria-label^='Not understood']") == []
    shoot(page, "refused")
    field.fill("total crates by harbor in landings")
    field.press("Enter")

    card_of(page, "sum of crates by harbor").get_by_role("button", name="Yes", exact=True).wait_for()
    assert page.locator(".jp-mcpgen-Card").count() == 1
    page.evaluate("() => window.jupyterapp.shell.currentWidget.context.save()")
    (output,) = json.loads((lab.root / "adjusting-refused.ipynb").read_text())["cells"][2]["outputs"]
    assert "sum of crates by harbor" in json.dumps(output["data"])


@pytest.mark.soak
def test_a_condition_an_order_and_a_period_are_changed_without_typing_the_question(lab: Server, page: Any) -> None:
    opened(page, lab, "added", "%mcpgen total weight by harbor in landings")
    card = card_of(page, "sum of weight by harbor")
    card.get_by_role("button", name="Yes", exact=True).wait_for()

    part(card, "^\\+ condition").click()
    choices = card.get_by_role("group", name="Choices for + condition")
    choices.get_by_label("Column").select_option("species")
    choices.get_by_label("Value").fill("cod")
    assert flaws(page, "section[aria-label^=Answer]") == []
    shoot(page, "new-condition")
    page.keyboard.press("Enter")

    cod = card_of(page, "sum of weight by harbor, largest first, where species is cod")
    cod.get_by_role("button", name="Yes", exact=True).wait_for()
    part(cod, "^\\+ limit").click()
    field = cod.get_by_role("textbox", name="Another value for + limit")
    field.fill("2")
    field.press("Enter")
    two = card_of(page, "sum of weight by harbor, largest first, first 2, where species is cod")
    two.get_by_role("button", name="Yes", exact=True).wait_for()
    assert len(rows(two)) == 2
