"""The card in a real browser: what a person sees, and what their answers do."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.lab.conftest import Server, flaws, open_notebook, run_cell

pytestmark = pytest.mark.browser

LOAD = "import desk as mcpgen_desk; d = mcpgen_desk.load()"


def show(card_id: str, changes: str = "") -> str:
    return f"mcpgen_desk.show(d, {card_id!r}{changes})"


def card_of(page: Any) -> Any:
    return page.get_by_role("region", name="Answer: sum of injuries_fatal by weather_condition")


def press(card: Any, name: str) -> None:
    card.get_by_role("button", name=name, exact=True).click()


def approve(card: Any) -> None:
    press(card, "Yes")
    press(card, "Approve")


def is_live(card: Any) -> None:
    card.get_by_role("status").get_by_text("sum_by_group v1.0.0 is live").wait_for()


def open_with_card(page: Any, server: Server, name: str, changes: str = "", *more: str) -> Any:
    open_notebook(page, server.notebook(f"{name}.ipynb", LOAD, show(name, changes), *more), same_kernel=True)
    run_cell(page, 0)
    run_cell(page, 1)
    card = card_of(page).first
    card.get_by_role("button", name="Yes", exact=True, disabled=False).wait_for()
    return card


def load_anew(page: Any, server: Server, name: str) -> None:
    """Load the page again with this notebook alone: of two that share a kernel JupyterLab lets only one speak to it."""
    page.goto(f"{server.url}lab/tree/{name}.ipynb?reset")


def test_a_card_shows_answer_evidence_and_the_first_question(lab: Server, new_page: Any) -> None:
    complaints: list[str] = []
    new_page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)

    card = open_with_card(new_page, lab, "whole")

    card.locator("svg.marks").wait_for()
    text = " ".join(card.inner_text().split())
    assert "pandas and SQL agree. 209,305 of 209,306 rows used. 389 = column total. Read by the planner: " in text
    assert "1 row without weather was left out." in text
    assert "fresh process" not in text
    assert "Is this output correct?" in text
    assert "Save it as a reusable tool?" not in text
    assert card.get_by_role("cell", name="271").evaluate("cell => getComputedStyle(cell).textAlign") == "right"
    assert flaws(new_page, "section[aria-label^=Answer]") == []
    card.evaluate("card => card.append(document.createElement('button'))")  # what has a flaw is found to have one
    assert flaws(new_page, "section[aria-label^=Answer]") == ["button-name: <button></button>"]
    assert [line for line in complaints if "mcpgen" in line] == []


VALUES = """table=mcpgen_desk.Table(
    columns=("month", "delivered", "year", "orders", "large", "revenue", "rate", "note"),
    types=("date", "date", "integer", "integer", "integer", "real", "real", "text"),
    rows=(
        ("2024-05-01T00:00:00", "2024-05-03T10:30:00", 2024, 1957, "9007199254740993", 1234567.891, 0.25, None),
        ("2024-06-01T00:00:00", None, 2024, 12045, "-9223372036854775807", 98.4, 0.00042, "late"),
    ),
    total_rows=2,
)"""


MANY = "reading='summary of ' + ', '.join([*(f'column_{n:02}' for n in range(60)), 'where region is north'])"


@pytest.mark.soak
def test_values_read_as_a_person_writes_them(lab: Server, page: Any) -> None:
    card = open_with_card(page, lab, "values", f", chart=None, {VALUES}", show("columns", f", chart=None, {MANY}"))

    rows = card.get_by_role("group", name="Result table").get_by_role("row").all_inner_texts()

    assert [row.split("\t") for row in rows[1:]] == [
        ["2024-05", "2024-05-03 10:30", "2024", "1,957", "9,007,199,254,740,993", "1,234,567.89", "0.2500", "–"],
        ["2024-06", "–", "2024", "12,045", "-9,223,372,036,854,775,807", "98.40", "0.0004", "late"],
    ]

    # a reading of very many columns keeps its ends, and all of it is one button away
    run_cell(page, 2)
    many = page.get_by_role("region", name="Answer: summary of column_00, ")
    heading = many.get_by_role("heading", level=3)
    names = heading.inner_text().split(", ")
    assert [*names[:2], *names[4:6], names[-1]] == [
        *("Summary of column_00", "column_01", "… 53 more …", "column_57"),
        "where region is north",
    ]
    press(many, "Show the whole reading")
    assert heading.inner_text().split(", ")[30] == "column_30"
    press(many, "Show less")


@pytest.mark.soak
def test_a_result_that_was_asked_for_as_text_is_shown_as_that_text(lab: Server, page: Any) -> None:
    text = '[\n  {\n    "weather_condition": "SNOW & <b>ice</b>"\n  }\n]'

    card = open_with_card(page, lab, "as_text", f", text={text!r}, ran='Ran over 8 rows in 3 ms.'")

    assert card.locator(".jp-mcpgen-result code").inner_text().strip() == text
    assert card.get_by_role("table").count() == 0
    card.get_by_text("Ran over 8 rows in 3 ms.").wait_for()


@pytest.mark.soak
def test_a_single_figure_stands_alone(lab: Server, page: Any) -> None:
    table = "mcpgen_desk.Table(columns=('count',), types=('integer',), rows=((209306,),), total_rows=1)"
    card = open_with_card(page, lab, "figure", f", chart=None, table={table}")

    assert card.get_by_role("group", name="Result", exact=True).inner_text().split() == ["209,306", "count"]
    assert card.get_by_role("table").count() == 0


def test_yes_and_approve_make_the_tool_live_and_the_saved_notebook_says_so(lab: Server, page: Any) -> None:
    card = open_with_card(page, lab, "approved")

    approve(card)

    is_live(card)
    card.get_by_role("status").get_by_text("MCP: no server is running, serve starts one").wait_for()
    page.evaluate("() => window.jupyterapp.shell.currentWidget.context.save()")
    (output,) = json.loads((lab.root / "approved.ipynb").read_text())["cells"][1]["outputs"]
    assert output["data"]["application/vnd.mcpgen.card.v1+json"]["status"] == "PROMOTED"
    assert "is live" in "".join(output["data"]["text/html"])


def test_undo_takes_the_tool_back_and_asks_again(lab: Server, page: Any) -> None:
    card = open_with_card(page, lab, "undone")
    approve(card)

    press(card, "Undo")

    card.get_by_role("button", name="Yes", exact=True).wait_for()


@pytest.mark.soak
def test_no_takes_the_notes_and_closes_the_card(lab: Server, page: Any) -> None:
    card = open_with_card(page, lab, "wrong")

    press(card, "No, because…")
    card.get_by_role("textbox", name="What is wrong with it?").press_sequentially("a b: weather 99 is unknown")
    press(card, "Send")

    card.get_by_role("status").get_by_text("a b: weather 99 is unknown").wait_for()
    assert card.get_by_role("button", name="Approve").count() == 0


def test_a_rejection_needs_a_reason(lab: Server, page: Any) -> None:
    card = open_with_card(page, lab, "refused")

    press(card, "Yes")
    press(card, "Reject")

    assert card.get_by_role("button", name="Send").is_disabled()


def test_a_card_that_is_not_sound_cannot_be_approved(lab: Server, page: Any) -> None:
    card = open_with_card(page, lab, "unsound", ", sound=False")

    press(card, "Yes")

    assert card.get_by_role("button", name="Approve").is_disabled()
    assert "Approval is off" in card.inner_text()


def test_the_keyboard_decides_and_a_second_enter_does_not_approve(lab: Server, page: Any) -> None:
    card = open_with_card(page, lab, "keys")

    card.get_by_role("button", name="Yes", exact=True).focus()
    page.keyboard.press("Enter")
    card.get_by_role("button", name="Approve").wait_for()
    page.wait_for_function("() => document.activeElement?.className === 'jp-mcpgen-decision'")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")

    assert page.evaluate("() => document.activeElement.textContent") == "Approve"
    page.keyboard.press("Enter")
    is_live(card)


@pytest.mark.soak
def test_approve_is_carried_out_while_a_cell_runs(lab: Server, page: Any) -> None:
    card = open_with_card(page, lab, "busy", "", "import time; time.sleep(25)")

    run_cell(page, 2, wait=False)
    page.wait_for_function("() => document.querySelectorAll('.jp-InputArea-prompt')[2].innerText.includes('*')")
    approve(card)

    is_live(card)
    assert "*" in page.locator(".jp-InputArea-prompt").nth(2).inner_text()
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:interrupt-kernel')")


def test_a_picked_reading_takes_the_place_of_the_card(lab: Server, page: Any) -> None:
    card = open_with_card(page, lab, "picked")

    press(card, "mean")

    page.get_by_role("region", name="Answer: mean of injuries_fatal by weather_condition").wait_for()


def test_a_click_on_a_bar_or_a_key_on_a_row_shows_the_rows_behind_it(lab: Server, page: Any) -> None:
    card = open_with_card(page, lab, "behind", ", explains=True")

    card.locator("svg.marks .mark-rect path").nth(1).click()
    behind = card.get_by_role("region", name="Rows behind row 2")
    behind.get_by_text("rows, where weather_condition is RAIN").wait_for()
    assert behind.get_by_role("cell", name="RAIN").count() == 2

    # a long table is one stop for the Tab key; a row keeps the focus while the kernel is asked
    rows = card.get_by_role("group", name="Result table").locator("tbody tr")
    assert [row.get_attribute("tabindex") for row in rows.all()].count("0") == 1
    rows.nth(2).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    card.get_by_role("region", name="Rows behind row 4").get_by_text("weather_condition is SNOW").wait_for()
    assert page.evaluate("() => document.activeElement.innerText") == "SNOW\t14"
    press(card, "Close")
    card.get_by_role("region", name="Rows behind row 4").wait_for(state="detached")


@pytest.mark.soak
def test_a_reload_and_a_kernel_restart_lose_nothing(lab: Server, page: Any) -> None:
    card = open_with_card(page, lab, "kept")
    page.evaluate("() => window.jupyterapp.shell.currentWidget.context.save()")
    press(card, "Yes")
    card.get_by_role("button", name="Approve").wait_for()

    load_anew(page, lab, "kept")
    page.wait_for_function("() => window.jupyterapp?.shell.currentWidget?.context?.isReady")
    card = card_of(page).first
    card.get_by_role("button", name="Approve").wait_for()

    page.evaluate("() => window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel.restart()")
    card.get_by_text("%load_ext jupyter_mcpgen").wait_for()
    assert card.get_by_role("button", name="Approve").count() == 0

    run_cell(page, 0)
    press(card, "Approve")
    is_live(card)


def test_without_a_kernel_a_card_is_read_only_and_says_how_to_go_on(lab: Server, page: Any) -> None:
    card = open_with_card(page, lab, "orphan")

    page.evaluate("() => window.jupyterapp.shell.currentWidget.context.sessionContext.shutdown()")

    card.get_by_text("Start the kernel and run").wait_for()
    assert "jupyter mcpgen approve orphan" in card.inner_text()
    assert card.get_by_role("button", name="Yes", exact=True).count() == 0


@pytest.mark.soak
def test_a_card_the_registry_does_not_hold_is_read_only(lab: Server, page: Any) -> None:
    card = open_with_card(page, lab, "lost")
    page.evaluate("() => window.jupyterapp.shell.currentWidget.context.save()")
    (lab.root / "cards" / "lost.json").unlink()

    load_anew(page, lab, "lost")

    card_of(page).first.get_by_text("does not hold this answer").wait_for()
    assert card.get_by_role("button", name="Yes", exact=True).count() == 0


@pytest.mark.soak
def test_a_second_view_and_a_second_browser_follow(lab: Server, page: Any, other_page: Any) -> None:
    card = open_with_card(page, lab, "twice")
    page.evaluate("() => window.jupyterapp.shell.currentWidget.context.save()")
    open_notebook(other_page, f"{lab.url}lab/tree/twice.ipynb?reset")
    card_of(other_page).first.get_by_role("button", name="Yes", exact=True).wait_for()
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:create-output-view')")
    page.wait_for_function("() => document.querySelectorAll('.jp-mcpgen-Card').length === 2")

    approve(card)

    for view in (card, card_of(page).nth(1), card_of(other_page).first):
        is_live(view)


def test_notebook_7_shows_the_card_and_approves(notebook7: Server, page: Any) -> None:
    card = open_with_card(page, notebook7, "seven")

    approve(card)

    is_live(card)


BESIDE = """async path => {
  const app = window.jupyterapp;
  const id = app.shell.currentWidget.context.sessionContext.session.kernel.id;
  const opened = await app.commands.execute('docmanager:open', { path, factory: 'Notebook', kernel: { id } });
  await opened.context.ready;
  await opened.context.sessionContext.ready;
}"""
"""Opens a notebook beside the other one, over its kernel."""


@pytest.mark.soak
def test_of_two_notebooks_over_one_kernel_the_second_says_where_to_decide(lab: Server, new_page: Any) -> None:
    first = open_with_card(new_page, lab, "first_view")
    lab.notebook("second_view.ipynb", LOAD, show("second_view"))
    new_page.evaluate(BESIDE, "second_view.ipynb")
    run_cell(new_page, 1)
    second = card_of(new_page).locator("visible=true").first

    second.get_by_text("Another open notebook has this kernel, and only the first one can reach it.").wait_for()
    assert "Decide there, or decide with jupyter mcpgen approve second_view." in second.inner_text()
    assert second.get_by_role("button", name="Yes", exact=True).count() == 0

    new_page.get_by_role("tab", name="first_view").click()
    approve(first)
    is_live(first)


NO_RESULT = """, sound=False, table=mcpgen_desk.Table(columns=(), types=(), rows=(), total_rows=0), chart=None"""


@pytest.mark.soak
def test_a_run_without_a_result_is_not_asked_about(lab: Server, new_page: Any) -> None:
    open_notebook(new_page, lab.notebook("nothing.ipynb", LOAD, show("nothing", NO_RESULT)))
    run_cell(new_page, 0)
    run_cell(new_page, 1)
    card = card_of(new_page).first

    card.get_by_role("button", name="Put it away…", exact=True, disabled=False).wait_for()

    assert "There is no output." in card.inner_text()
    assert "Is this output correct?" not in card.inner_text()
    assert card.get_by_role("button", name="Yes", exact=True).count() == 0


@pytest.mark.soak
def test_the_reasons_to_trust_an_answer_are_folded_and_each_is_there_once(lab: Server, page: Any) -> None:
    card = open_with_card(page, lab, "folded")
    checks = card.get_by_role("list", name="Checks")
    assert checks.count() == 0

    card.get_by_text("Why trust this?").click()

    assert [item.split("\n")[0].split(" (")[0] for item in checks.get_by_role("listitem").all_inner_texts()] == [
        "Passed 10 edge-case tables",
        "Ran again in a fresh process: same result.",
        "No total exists for a time zone.",
    ]
    assert card.inner_text().count("pandas and SQL agree") == 1


@pytest.mark.soak
def test_a_failed_check_is_in_the_line_and_those_that_passed_are_folded(lab: Server, page: Any) -> None:
    failed = "mcpgen_desk.failed_rows()"
    card = open_with_card(page, lab, "failed-check", f", sound=False, **{failed}")

    line = card.locator(".jp-mcpgen-sentence")
    assert line.inner_text() == (
        "209,304 of 209,306 rows used; the result has other rows. Read by the planner: is this what you meant?"
    )
    assert line.locator(".jp-mod-failed").count() == 1
    card.get_by_text("Why trust this?").click()
    card.get_by_role("list", name="Checks").get_by_text("pandas and SQL agree").wait_for()


@pytest.mark.soak
def test_a_draft_has_nothing_to_press_and_becomes_the_card_that_can_be_decided_in_its_place(
    lab: Server, page: Any
) -> None:
    draft = "mcpgen_desk.show_draft(d, 'drafted')"
    open_notebook(page, lab.notebook("drafted.ipynb", LOAD, draft, "mcpgen_desk.stage(d, 'drafted')"), same_kernel=True)
    run_cell(page, 0)
    run_cell(page, 1)
    card = card_of(page).first

    card.get_by_text("Testing the code behind this answer…").wait_for()
    text = " ".join(card.inner_text().split())
    assert "pandas and SQL agree. 209,305 of 209,306 rows used." in text
    assert card.get_by_role("cell", name="271").count() == 1
    assert card.locator("button:not([aria-disabled=true])").count() == 0
    assert "does not hold this answer" not in text

    run_cell(page, 2)

    card.get_by_role("button", name="Yes", exact=True, disabled=False).wait_for()
    assert page.locator(".jp-mcpgen-Card").count() == 1
    assert "Testing the code" not in card.inner_text()
    approve(card)
    is_live(card)


@pytest.mark.soak
def test_the_answer_of_an_approved_tool_has_nothing_to_decide_and_can_be_looked_into(lab: Server, page: Any) -> None:
    reused = ", reused=True, explains=True, status=mcpgen_desk.ToolStatus.PROMOTED"
    open_notebook(page, lab.notebook("reused.ipynb", LOAD, show("reused", reused)), same_kernel=True)
    run_cell(page, 0)
    run_cell(page, 1)
    card = card_of(page).first

    card.get_by_role("button", name="mean", exact=True, disabled=False).wait_for()
    assert card.locator(".jp-mcpgen-badge").inner_text() == "your tool v1.0.0"
    assert "Your tool gave this answer: sum_by_group(data" in card.get_by_role("status").inner_text()
    assert [card.get_by_role("button", name=name).count() for name in ("Yes", "Approve", "Undo")] == [0, 0, 0]

    card.get_by_role("cell", name="RAIN").click()
    card.get_by_role("region", name="Rows behind row 2").wait_for()
    press(card, "mean")
    page.get_by_role("region", name="Answer: mean of injuries_fatal by weather_condition").wait_for()


DIFF = """diff=mcpgen_desk.Diff(
    tool_name="sum_by_group", before="1.0.0", before_fingerprint="0", after="1.0.1",
    summary="v1.0.1 of `sum_by_group` takes the place of v1.0.0: the contract is the same.",
    result="On `crashes` the result is the same as that of v1.0.0 (7 rows).", code="-    old()\\n+    new()\\n",
)"""


def test_the_card_of_a_next_version_shows_what_changes_before_it_is_decided(lab: Server, page: Any) -> None:
    card = open_with_card(page, lab, "next", f", {DIFF}")

    changes = card.get_by_role("region", name="What changes from v1.0.0")
    assert "v1.0.1 of sum_by_group takes the place of v1.0.0: the contract is the same." in changes.inner_text()
    assert "the result is the same as that of v1.0.0 (7 rows)." in changes.inner_text()
    changes.get_by_text("What changes in the code").click()
    changes.get_by_text("+    new()").wait_for()
    approve(card)
    is_live(card)


MONTHS = """table=mcpgen_desk.Table(
    columns=("month_of_sale", "start_year", "sum_units"), types=("month", "year", "integer"),
    titles=("Month of sale", "Start year", "Sum of units"), rows=((2, 2020, 1500), (11, 2021, 2500)), total_rows=2,
)"""


def test_months_have_names_years_no_separators_and_columns_their_titles(lab: Server, page: Any) -> None:
    drawn = """mcpgen_desk.vega_lite_chart(mcpgen_desk.pd.DataFrame(
        {"month_of_sale": [2, 11], "sum_units": [1500, 2500]}), "line", "month_of_sale", "sum_units")"""
    card = open_with_card(page, lab, "months", f", explains=True, chart={drawn}, {MONTHS}")

    rows = card.get_by_role("group", name="Result table").get_by_role("row").all_inner_texts()
    card.locator("svg.marks").wait_for()

    assert [row.split("\t") for row in rows] == [
        ["Month of sale", "Start year", "Sum of units"],
        ["Feb", "2020", "1,500"],
        ["Nov", "2021", "2,500"],
    ]
    assert card.locator("svg.marks .role-axis-label text").all_text_contents()[:2] == ["Feb", "Nov"]
    card.locator("svg.marks .mark-symbol path").nth(1).click()
    card.get_by_role("region", name="Rows behind row 2").wait_for()


@pytest.mark.soak
def test_a_small_result_makes_no_hole_and_of_very_many_bars_the_first_are_drawn(lab: Server, page: Any) -> None:
    card = open_with_card(page, lab, "small", ", **mcpgen_desk.stores(2)", show("many", ", **mcpgen_desk.stores(80)"))
    table = card.get_by_role("group", name="Result table")
    card.locator("svg.marks").wait_for()
    assert table.bounding_box()["height"] < 100
    assert card.locator(".jp-mcpgen-result").bounding_box()["height"] < 260

    run_cell(page, 2)
    many = card_of(page).nth(1)
    many.get_by_text("first 30 of 80 bars").wait_for()
    assert many.locator("svg.marks .mark-rect path[aria-label]").count() == 30
    place = many.locator(".jp-mcpgen-chart")
    assert place.evaluate("box => box.scrollHeight <= box.clientHeight")
