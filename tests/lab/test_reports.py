"""A report in a real browser: it loads nothing, reads well in light and dark, for everybody, and prints."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from jupyter_mcpgen.coding.reports.content import Report, results_of
from jupyter_mcpgen.coding.reports.writing import render, write
from jupyter_mcpgen.model.analysis import ReportFormat
from tests.flawed_project import write_flawed
from tests.lab.conftest import Server, flaws, open_notebook, run_cell

pytestmark = pytest.mark.browser

SHOTS = os.environ.get("MCPGEN_SCREENSHOTS")
HOSTILE = "<script>document.title = 'taken'</script><img src='http://127.0.0.1:9/x' onerror='document.title = 1'>"
RESULTS: dict[str, Any] = {
    "path": "nursery",
    "files_analyzed": 42,
    "quality_score": 85.5,
    "issue_summary": {"error": 3, "warning": 12, "info": 8},
    "metrics": {"total_loc": 12450, "avg_complexity": 14.2, "avg_maintainability": 41.3},
    "issues": [
        {"severity": "error", "file": f"beds/{number}.py", "line": number, "message": HOSTILE, "rule": "B602",
         "category": "security", "suggestion": "Pass a list."}
        for number in range(1, 60)
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("reports") / "quality.html"
    write(render(Report("Weekly report", results_of(RESULTS)), ReportFormat.HTML), path)
    return path.as_uri()


@pytest.mark.every_run("light")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_loads_nothing_runs_nothing_and_has_no_flaw_for_anybody(
    chromium: Any, report: str, scheme: str
) -> None:
    context = chromium.new_context(color_scheme=scheme, viewport={"width": 900, "height": 900})
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    page.goto(report)

    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"report-{scheme}.png")
    assert asked == [report]
    assert page.title() == "Weekly report"
    assert page.get_by_role("img", name="3 errors, 12 warnings, 8 hints").is_visible()
    assert page.get_by_role("row").count() > 59
    heads = {head.inner_text(): head.bounding_box()["height"] for head in page.get_by_role("columnheader").all()}
    assert [head for head, height in heads.items() if height > 40] == []  # no word is broken over two lines
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert flaws(page, "body") == []
    context.close()


def test_a_report_prints_on_several_pages_with_the_head_of_its_table(chromium: Any, report: str) -> None:
    context = chromium.new_context()
    page = context.new_page()
    page.goto(report)

    printed = page.pdf(format="A4")

    assert printed.count(b"/Type /Page\n") >= 2
    context.close()


@pytest.mark.soak
def test_the_report_of_a_cell_opens_in_jupyterlab_by_a_click(lab: Server, page: Any) -> None:
    write_flawed(lab.root / "nursery")
    open_notebook(page, lab.notebook("reporting.ipynb", "%load_ext jupyter_mcpgen", "%mcpgen report nursery"))
    run_cell(page, 0)
    run_cell(page, 1)

    page.get_by_role("link", name="nursery-quality.html").click()

    shown = page.frame_locator("iframe.jp-HTMLViewer-iframe, .jp-HTMLViewer iframe")
    shown.get_by_role("heading", name="Code quality report").wait_for()
    shown.get_by_text("beds").or_(shown.get_by_text("orders.py")).first.wait_for()
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / "report-in-lab.png")
