"""A result is worked with on the card: every row, order, filters, files, variables, charts, code. A real browser."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tests.lab.conftest import Server, flaws, notebook, open_notebook, run_cell

pytestmark = pytest.mark.browser

SHOTS = os.environ.get("MCPGEN_SCREENSHOTS")
TABLE = """import pandas as pd
hives = pd.DataFrame({
    "apiary": [f"apiary {number % 1200:04}" for number in range(3600)],
    "honey": [(number * 37 % 1000) / 4 for number in range(3600)],
    "keeper": ["Ada", "Bo", "Cy"] * 1200,
})"""
MANY = "%mcpgen total honey by apiary in hives"
FEW = "%mcpgen total honey by keeper in hives"


def frame() -> pd.DataFrame:
    """Return the table as the notebook makes it."""
    cell: dict[str, Any] = {}
    exec(TABLE, cell)  # noqa: S102  the text above
    hives: pd.DataFrame = cell["hives"]
    return hives


def opened(page: Any, server: Server, name: str, question: str) -> Any:
    """Ask in a notebook of its own, over the kernel of the one before: nobody decides, so the answer is the same."""
    registry = f"%env MCPGEN_REGISTRY__PATH={server.root.parent / 'registries' / 'results'}"
    cells = (f"{registry}\n%load_ext jupyter_mcpgen", TABLE, question)
    open_notebook(page, server.notebook(f"results-{name}.ipynb", *cells), same_kernel=True)
    for index in range(len(cells)):
        run_cell(page, index)
    card = page.get_by_role("region", name=re.compile("^Answer: "))
    card.get_by_role("button", name="Yes", exact=True).wait_for()
    return card


def rows(card: Any) -> list[list[str]]:
    """Return the cells of the rows that are drawn."""
    drawn = card.get_by_role("group", name="Result table").locator("tbody tr:not([aria-hidden])").all_inner_texts()
    return [row.split("\t") for row in drawn]


def cell(page: Any, source: str) -> str:
    """Run some code in a new cell at the end, and return what it prints."""
    page.evaluate(
        """source => {
            const { content } = window.jupyterapp.shell.currentWidget;
            const { sharedModel } = content.model;
            sharedModel.insertCell(sharedModel.cells.length, { cell_type: 'code', source, metadata: {} });
        }""",
        source,
    )
    run_cell(page, page.evaluate("window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells.length") - 1)
    return str(page.locator(".jp-Cell").last.locator(".jp-OutputArea-output").inner_text()).strip()


def shoot(page: Any, name: str) -> None:
    """Keep a picture for a person to look at, where one is asked for."""
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


@pytest.mark.soak
def test_every_row_of_a_long_result_is_reached_by_scrolling_and_only_those_in_sight_are_drawn(
    lab: Server, page: Any
) -> None:
    card = opened(page, lab, "scrolled", MANY)
    scroller = card.get_by_role("group", name="Result table")
    card.get_by_text("1,200 rows", exact=True).wait_for()

    scroller.evaluate("node => { node.scrollTop = node.scrollHeight }")
    last = scroller.locator("tr[aria-rowindex='1201']")
    totals = frame().groupby("apiary")["honey"].sum().sort_values(ascending=False, kind="stable")
    last.get_by_text(totals.index[-1], exact=True).wait_for()

    assert len(rows(card)) < 120
    assert flaws(page, "section[aria-label^=Answer]") == []
    shoot(page, "scrolled")


def test_a_column_orders_and_narrows_the_rows_and_what_is_seen_is_what_is_taken(lab: Server, page: Any) -> None:
    card = opened(page, lab, "narrowed", MANY)
    table = card.get_by_role("group", name="Result table")

    table.get_by_role("button", name="apiary", exact=True).click()
    column = card.get_by_role("group", name="Column apiary")
    column.get_by_role("button", name="Sort descending").click()
    table.get_by_role("columnheader", name="apiary").and_(page.locator("[aria-sort=descending]")).wait_for()
    table.locator("tbody tr").first.get_by_text("apiary 1199").wait_for()
    table.get_by_role("button", name="apiary", exact=True).click()
    column.get_by_label("The value it is compared with").fill("Y 000")
    assert flaws(page, "section[aria-label^=Answer]") == []
    shoot(page, "column")
    column.get_by_role("button", name="Filter").click()
    card.get_by_text("Showing 10 of 1,200 rows").wait_for()

    tools = card.get_by_role("group", name="Take the result")
    tools.get_by_role("button", name="To variable…").click()
    tools.get_by_label("Name of the variable").fill("first_ten")
    tools.get_by_role("button", name="Save", exact=True).click()
    tools.get_by_text("10 rows are in first_ten.").wait_for()
    shoot(page, "taken")

    assert [row[0] for row in rows(card)] == [f"apiary {number:04}" for number in range(9, -1, -1)]
    assert cell(page, "print(*first_ten['apiary'])").split() == " ".join(row[0] for row in rows(card)).split()
    card.get_by_role("button", name="Remove: apiary contains Y 000").click()
    card.get_by_text("1,200 rows", exact=True).wait_for()


def test_a_value_that_a_column_cannot_be_compared_with_is_said_beside_the_table(lab: Server, page: Any) -> None:
    card = opened(page, lab, "mistyped", MANY)

    card.get_by_role("group", name="Result table").get_by_role("button", name="Sum of honey").click()
    column = card.get_by_role("group", name="Column Sum of honey")
    column.get_by_label("The value it is compared with").fill("plenty")
    column.get_by_role("button", name="Filter").click()

    card.get_by_text("plenty is not a number. Write one as 1200 or 3.5.").wait_for()
    card.get_by_text("1,200 rows", exact=True).wait_for()


@pytest.mark.soak
def test_rows_are_copied_and_saved_as_files(lab: Server, page: Any, tmp_path: Path) -> None:
    card = opened(page, lab, "saved", MANY)
    tools = card.get_by_role("group", name="Take the result")
    expected = frame()["honey"].sum()

    for button, read in (("CSV", pd.read_csv), ("Parquet", pd.read_parquet)):
        with page.expect_download() as download:
            tools.get_by_role("button", name=button, exact=True).click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        saved = read(file)
        assert (len(saved), saved["sum_honey"].sum()) == (1200, expected)

    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tools.get_by_role("button", name="Copy", exact=True).click()
    tools.get_by_text("Copied.").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.splitlines()[0] == "apiary\tsum_honey"
    assert len(copied.splitlines()) == 1201


@pytest.mark.soak
def test_what_the_browser_does_not_copy_is_not_said_to_be_copied(lab: Server, page: Any) -> None:
    card = opened(page, lab, "uncopied", FEW)
    tools = card.get_by_role("group", name="Take the result")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    page.evaluate("() => { document.execCommand = () => false; }")

    tools.get_by_role("button", name="Copy", exact=True).click()

    tools.get_by_text("The browser did not let the rows be copied.").wait_for()
    assert tools.get_by_text("Copied.", exact=True).count() == 0
    page.evaluate("() => { delete navigator.clipboard.writeText; delete document.execCommand; }")


def test_the_rows_behind_a_row_become_a_variable(lab: Server, page: Any) -> None:
    card = opened(page, lab, "behind", FEW)
    card.get_by_role("group", name="Result table").get_by_role("row").nth(1).click()
    tools = card.get_by_role("group", name="Take the rows behind it")
    tools.get_by_role("button", name="To variable…").click()
    tools.get_by_label("Name of the variable").fill("behind")
    page.keyboard.press("Enter")
    card.get_by_text("1,200 rows are in behind.").wait_for()

    assert cell(page, "print(len(behind), behind['keeper'].nunique())") == "1200 1"


def test_another_kind_of_chart_is_drawn_and_saved_as_a_picture(lab: Server, page: Any, tmp_path: Path) -> None:
    card = opened(page, lab, "drawn", FEW)
    tools = card.get_by_role("group", name="Take the result")
    chart = card.get_by_role("img", name=re.compile("^Chart: "))
    chart.locator("svg").wait_for()
    bars = chart.locator("svg [aria-roledescription='bar']").count()

    tools.get_by_label("Chart").select_option("Pie")
    chart.locator("svg [aria-roledescription='arc mark']").first.wait_for()
    slices = chart.locator("svg [aria-roledescription='arc mark']").count()
    shoot(page, "pie")
    for button, mark in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with page.expect_download() as download:
            tools.get_by_role("button", name=button, exact=True).click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        assert file.read_bytes().startswith(mark)
        if SHOTS and button == "PNG":
            (Path(SHOTS) / "saved-chart.png").write_bytes(file.read_bytes())
    tools.get_by_label("Chart").select_option("as answered")
    chart.locator("svg [aria-roledescription='bar']").first.wait_for()

    assert (bars, slices) == (3, 3)


@pytest.mark.soak
def test_the_code_comes_first_and_runs_as_a_cell_of_its_own(lab: Server, page: Any) -> None:
    card = opened(page, lab, "code", FEW)
    card.get_by_text("Code and how it ran").click()
    code = card.get_by_role("region", name="The calculation as code")
    code.get_by_text("groupby").first.wait_for()
    shoot(page, "code")
    assert flaws(page, "section[aria-label^=Answer]") == []

    code.get_by_role("button", name="Insert as cell").click()
    code.get_by_role("button", name="SQL", exact=True).click()
    code.get_by_text("GROUP BY").first.wait_for()
    code.get_by_role("button", name="Insert as cell").click()

    sources = "window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells.map(one => one.source)"
    inserted = page.evaluate(sources)[3:5]
    assert ["duckdb.sql" in source for source in inserted] == [True, False]
    expected = frame().groupby("keeper")["honey"].sum()
    for index, name in ((3, "duckdb"), (4, "pandas")):
        run_cell(page, index)
        output = page.locator(".jp-Cell").nth(index).locator(".jp-OutputArea-output")
        assert f"{expected.max():.1f}"[:6] in output.inner_text(), name


@pytest.mark.soak
def test_values_stand_at_the_bars_and_what_has_no_room_becomes_one_bar(lab: Server, page: Any) -> None:
    card = opened(page, lab, "values", MANY)
    tools = card.get_by_role("group", name="Take the result")
    chart = card.get_by_role("img", name=re.compile("^Chart: "))

    tools.get_by_label("Values").check()
    tools.get_by_label("Others as one bar").check()
    others = chart.locator("svg [aria-roledescription='bar'][aria-label*='others']")
    others.wait_for()
    shoot(page, "others")

    totals = frame().groupby("apiary")["honey"].sum().sort_values(ascending=False)
    label = str(others.get_attribute("aria-label"))
    assert "1,170 others" in label
    assert float(re.findall(r": ([\d.]+)", label)[0]) == pytest.approx(totals[30:].sum())
    assert chart.locator("svg .mark-text.role-mark text").count() == 31
    tools.get_by_label("Chart").select_option("Bars")  # of a figure that may be no sum
    others.wait_for(state="detached")
    assert tools.get_by_label("Others as one bar").count() == 0
    tools.get_by_label("Chart").select_option("as answered")
    assert flaws(page, "section[aria-label^=Answer]") == []


@pytest.mark.soak
def test_a_chart_draws_a_column_of_any_name_and_a_bar_leads_to_its_rows(lab: Server, new_page: Any) -> None:
    registry = f"%env MCPGEN_REGISTRY__PATH={lab.root.parent / 'registries' / 'named'}"
    table = """import pandas as pd
hives = pd.DataFrame({'a.b "c"\\\\d': ["x", "y", "x"], "gain[0]": [5, -3, 2]})"""
    cells = (f"{registry}\n%load_ext jupyter_mcpgen", table, '%mcpgen total gain[0] by a.b "c"\\d in hives')
    open_notebook(new_page, lab.notebook("results-named.ipynb", *cells))
    for index in range(len(cells)):
        run_cell(new_page, index)
    card = new_page.get_by_role("region", name=re.compile("^Answer: "))
    bars = card.locator("svg .mark-rect path")
    bars.nth(1).wait_for()
    card.get_by_role("checkbox", name="Values").check()
    card.locator("svg .mark-text.role-mark").nth(1).wait_for()

    texts = card.locator("svg text").all_text_contents()
    bars.first.click()

    assert {"x", "y", "7", "\u22123", "Sum of gain[0]"} <= set(texts)
    assert bars.count() == 2
    card.get_by_text("2 rows", exact=False).last.wait_for()
    assert "cannot be drawn" not in card.inner_text()


@pytest.mark.soak
def test_a_damaged_card_says_so_in_its_place(lab: Server, new_page: Any) -> None:
    saved = notebook(("1",))
    damaged = {"card_id": "sum-1", "status": "STAGED", "reading": "Sum", "table": {"columns": "x"}, "feedback": None}
    data = {"application/vnd.mcpgen.card.v1+json": damaged, "text/plain": "Sum"}
    saved["cells"][0]["outputs"] = [{"output_type": "display_data", "data": data, "metadata": {}}]
    (lab.root / "results-damaged.ipynb").write_text(json.dumps(saved))

    open_notebook(new_page, f"{lab.url}lab/tree/results-damaged.ipynb?reset")

    new_page.get_by_role("alert").get_by_text("This answer cannot be shown").wait_for()


@pytest.mark.soak
def test_without_a_kernel_the_card_shows_its_own_rows_and_nothing_that_would_need_one(lab: Server, page: Any) -> None:
    card = opened(page, lab, "alone", MANY)
    card.get_by_role("group", name="Take the result").wait_for()

    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")

    card.get_by_text("Showing 200 of 1,200 rows").wait_for()
    assert card.get_by_role("group", name="Take the result").count() == 0
    assert card.get_by_role("columnheader").first.get_by_role("button").count() == 0
