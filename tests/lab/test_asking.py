"""A question on its way in a real browser: its reading at once, its steps, Stop, and the answer in the same place."""

from __future__ import annotations

import re
from typing import Any

import pytest

from jupyter_mcpgen.lab.messages import CARD_MIME
from tests.lab.conftest import Server, flaws, open_notebook, run_cell
from tests.lab.test_story import SMALL, outputs, save

pytestmark = pytest.mark.browser

# What the question waits for is a file, so that every state can be looked at for as long as a test likes.
HOLD = """
import pathlib, time
from jupyter_mcpgen.runtime import current
def is_held(event):
    return {held}
def hold(event):
    while is_held(event) and not pathlib.Path({name!r}).exists():
        time.sleep(0.02)
current().listeners.append(hold)
"""
TRIAL = "event.kind == 'stage_started' and event.stage == 'trial'"
TRIED = "event.kind == 'stage_finished' and event.stage == 'trial'"
THIRD_GATE = "event.kind == 'gate_finished' and event.number == 3"
ASK = "%mcpgen how do fatal injuries vary by weather in crashes"
READING = "Sum of injuries_fatal by weather_condition, largest first"
STOPPED = "Stopped. Nothing was saved; ask again when you want."
WAITING = "%mcpgen list"
LARGE = """import pandas as pd
rows = range(1_000_000)
litres = [row % 7 + row % 2 + 0.5 for row in rows]
milk = pd.DataFrame({'farm': [('Hill', 'Lake')[row % 2] for row in rows], 'litres': litres})"""
ASK_LARGE = "%mcpgen total litres by farm in milk"
MARK = "(card, names) => names.forEach((name, number) => (card.querySelector(name).id = `kept-${number}`))"
ENDED = "() => window.lastRun.then(() => true)"
KERNEL = "window.jupyterapp.shell.currentWidget.context.sessionContext"


def open_held(
    page: Any, server: Server, name: str, held: str, *more: str, table: str = SMALL, question: str = ASK
) -> Any:
    """Open a notebook, ask a question that stands still where it is held, and return what shows it."""
    registry = f"%env MCPGEN_REGISTRY__PATH={server.root.parent / 'registries' / name}"
    hold = HOLD.format(held=held, name=f"{name}-goes-on")
    cells = (f"{registry}\n%load_ext jupyter_mcpgen", f"{table}\n{hold}", question, *more)
    open_notebook(page, server.notebook(f"asking-{name}.ipynb", *cells))
    for index in range(2):
        run_cell(page, index)
    run_cell(page, 2, wait=False)
    return page.locator(".jp-mcpgen-Card")


def go_on(server: Server, name: str) -> None:
    (server.root / f"{name}-goes-on").touch()


def stop_of(card: Any) -> Any:
    return card.get_by_role("button", name="Stop", exact=True)


def steps(card: Any) -> list[str]:
    """Return each step with its state, such as `run running`."""
    found = card.locator(".jp-mcpgen-steps > li").evaluate_all(
        "items => items.map(item => item.innerText.trim().split(/\\s/)[0] + ' ' + item.dataset.state)"
    )
    return list(found)


def require_stopped(page: Any, card: Any) -> None:
    """Require that the cell has ended in one sentence, and that nothing waits for a decision."""
    page.evaluate(ENDED)
    card.get_by_text("stopped", exact=True).first.wait_for()
    assert stop_of(card).count() == 0
    errors = [each["traceback"] for each in outputs(page, 2) if each["output_type"] == "error"]
    assert errors == [[STOPPED]]
    assert page.locator(".jp-mcpgen-Card").count() == 1
    run_cell(page, 3)
    assert "injuries_fatal" not in str(outputs(page, 3))


@pytest.fixture(scope="module")
def held(lab: Server, page: Any) -> Any:
    """Return a question that stands at its trial."""
    card = open_held(page, lab, "held", TRIAL)
    page.locator("li[data-state=running]", has_text="run").wait_for()
    return card


def test_the_reading_and_its_alternatives_are_there_before_anything_has_run(held: Any) -> None:
    assert held.get_by_role("heading", level=3).inner_text() == READING
    assert held.get_attribute("aria-label") == "Question: how do fatal injuries vary by weather in crashes"
    assert steps(held) == ["read done", "write done", "check done", "run running"]
    assert held.get_by_role("group", name="Readings of the question").get_by_role("button").count() > 0
    assert held.get_by_role("status").inner_text() == "Running it on your data."


@pytest.mark.every_run("JupyterLab Dark")
@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark", "JupyterLab Dark High Contrast"])
def test_a_question_on_its_way_has_no_flaw_in_any_theme(held: Any, page: Any, theme: str) -> None:
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
    page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")

    assert flaws(page, ".jp-mcpgen-Card") == []


def test_nothing_moves_where_a_person_wants_it_so(held: Any, page: Any) -> None:
    moves = "() => getComputedStyle(document.querySelector('li[data-state=running]'), '::before').animationName"
    assert page.evaluate(moves) == "jp-mcpgen-work"

    page.emulate_media(reduced_motion="reduce")

    assert page.evaluate(moves) == "none"


@pytest.mark.soak
def test_the_button_ends_it_while_its_cell_runs_and_the_next_question_is_answered(lab: Server, new_page: Any) -> None:
    card = open_held(new_page, lab, "button", TRIAL, WAITING, ASK)
    new_page.locator("li[data-state=running]", has_text="run").wait_for()

    stop_of(card).click()

    require_stopped(new_page, card)
    assert steps(card) == ["read done", "write done", "check done", "run stopped"]
    go_on(lab, "button")
    run_cell(new_page, 4)
    new_page.get_by_role("region", name=re.compile("^Answer: ")).get_by_role("button", name="Yes").wait_for()


def test_a_key_ends_it_from_anywhere(lab: Server, new_page: Any) -> None:
    card = open_held(new_page, lab, "key", TRIAL, WAITING)
    stop_of(card).wait_for()
    new_page.locator("#jp-top-panel").click(position={"x": 900, "y": 5})

    new_page.keyboard.press("Control+Alt+KeyX")

    require_stopped(new_page, card)
    assert new_page.evaluate("() => window.jupyterapp.commands.isEnabled('mcpgen:stop')") is False


@pytest.mark.soak
def test_interrupting_the_kernel_is_the_same(lab: Server, new_page: Any) -> None:
    card = open_held(new_page, lab, "interrupt", TRIAL, WAITING)
    stop_of(card).wait_for()

    new_page.evaluate("() => window.jupyterapp.commands.execute('notebook:interrupt-kernel')")

    require_stopped(new_page, card)


@pytest.mark.every_run("1200")
@pytest.mark.parametrize("width", [1200, 900, 760])
def test_the_answer_comes_in_the_same_place_and_the_tests_tick_in_below_the_reading(
    lab: Server, new_page: Any, width: int
) -> None:
    new_page.set_viewport_size({"width": width, "height": 1100})
    card = open_held(new_page, lab, f"tests-{width}", THIRD_GATE)
    card.get_by_text("3 of 13").wait_for()
    places = "card => ['h3', '.jp-mcpgen-strip', '.jp-mcpgen-result', '.jp-mcpgen-evidence'].map(name => "
    places += "Math.round(card.querySelector(name).getBoundingClientRect().top - card.getBoundingClientRect().top))"
    card.locator("svg.marks").wait_for()
    card.evaluate(MARK, ["svg.marks", "ol", ".jp-mcpgen-result"])
    before = card.evaluate(places)
    assert steps(card)[-1] == "test running"
    assert flaws(new_page, ".jp-mcpgen-Card") == []

    go_on(lab, f"tests-{width}")

    card.get_by_role("button", name="Yes", exact=True, disabled=False).wait_for()
    assert card.evaluate(places) == before
    assert card.locator("[id^=kept-]").count() == 3  # nothing of it was made anew
    assert steps(card) == ["read done", "write done", "check done", "run done", "test done"]
    assert stop_of(card).count() == 0
    assert flaws(new_page, ".jp-mcpgen-Card") == []


@pytest.mark.soak
def test_an_answer_that_is_stopped_in_its_tests_stays_on_the_page_and_is_not_kept(lab: Server, new_page: Any) -> None:
    card = open_held(new_page, lab, "untested", THIRD_GATE, WAITING)
    card.get_by_text("3 of 13").wait_for()

    stop_of(card).focus()
    new_page.keyboard.press("Enter")

    require_stopped(new_page, card)
    card.get_by_text("It was stopped before its code was tested, so it cannot be saved.").wait_for()
    assert card.get_by_role("cell", name="CLEAR").count() == 1


@pytest.mark.soak
def test_another_reading_shows_its_steps_on_the_card_and_can_be_stopped_there(lab: Server, new_page: Any) -> None:
    held = f"({TRIAL}) and len(current().latest_cards) == 1"
    open_held(new_page, lab, "picked", held)
    card = new_page.get_by_role("region", name=re.compile("^Answer: Sum|^Answer: sum"))
    card.get_by_role("button", name="Yes", exact=True, disabled=False).wait_for()

    card.get_by_role("button", name="mean", exact=True).click()
    new_page.locator("li[data-state=running]", has_text="run").wait_for()
    stop_of(card).click()

    card.get_by_text("The question was stopped, and nothing of it was kept.").wait_for()
    go_on(lab, "picked")
    card.get_by_role("button", name="mean", exact=True, disabled=False).click()
    new_page.get_by_role("region", name=re.compile("^Answer: mean of injuries_fatal")).wait_for()


@pytest.mark.soak
def test_a_reloaded_page_finds_the_question_on_its_way_and_can_stop_it(lab: Server, new_page: Any) -> None:
    card = open_held(new_page, lab, "reload", TRIAL, WAITING)
    stop_of(card).wait_for()
    save(new_page)

    new_page.reload()

    stop_of(card).click()
    card.get_by_text("stopped", exact=True).first.wait_for()
    assert stop_of(card).count() == 0


@pytest.mark.soak
def test_a_reloaded_page_gets_the_answer_of_the_question_that_was_on_its_way(lab: Server, new_page: Any) -> None:
    card = open_held(new_page, lab, "reloaded", TRIAL)
    stop_of(card).wait_for()
    save(new_page)
    new_page.reload()
    stop_of(card).wait_for()

    go_on(lab, "reloaded")

    card.get_by_role("button", name="Yes", exact=True, disabled=False).wait_for()
    assert outputs(new_page, 2)[0]["data"][CARD_MIME]["status"] == "STAGED"


@pytest.mark.soak
def test_a_question_whose_kernel_died_says_that_it_does_not_go_on(lab: Server, new_page: Any) -> None:
    card = open_held(new_page, lab, "died", TRIAL)
    stop_of(card).wait_for()

    new_page.evaluate(f"() => {KERNEL}.session.kernel.restart()")

    card.get_by_text("stopped", exact=True).first.wait_for()
    assert stop_of(card).count() == 0
    assert outputs(new_page, 2)[0]["data"][CARD_MIME]["state"] == "going"  # nobody was left to say more


@pytest.mark.soak
def test_it_is_the_same_in_notebook_7(notebook7: Server, new_page: Any) -> None:
    card = open_held(new_page, notebook7, "seven", TRIAL, WAITING)
    new_page.locator("li[data-state=running]", has_text="run").wait_for()

    stop_of(card).click()

    require_stopped(new_page, card)


@pytest.mark.soak
def test_what_sql_gives_of_a_large_table_is_there_while_it_is_checked(lab: Server, new_page: Any) -> None:
    card = open_held(new_page, lab, "large", TRIED, table=LARGE, question=ASK_LARGE)
    first = card.get_by_role("group", name="First result, not checked yet")
    first.wait_for()

    assert first.locator("tbody").inner_text().split()[0] == "Lake"
    assert card.get_by_text("First result, by SQL. It is being checked").count() == 1
    assert card.get_by_role("button", name="Approve").count() == 0
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        new_page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
        new_page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")
        assert flaws(new_page, ".jp-mcpgen-Card") == []

    go_on(lab, "large")
    new_page.evaluate(ENDED)
    card.get_by_text("Calculation checked").first.wait_for()
    assert first.count() == 0
