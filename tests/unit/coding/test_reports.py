"""Reports say what the results say, in three forms, and nothing in the results becomes a part of the page."""

from __future__ import annotations

import json
import os
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from jupyter_mcpgen.coding.reports.content import Report, results_of
from jupyter_mcpgen.coding.reports.writing import render, write
from jupyter_mcpgen.errors import InvalidResultsError, WriteError
from jupyter_mcpgen.model.analysis import ReportFormat

RESULTS: dict[str, Any] = {
    "success": True,
    "path": "nursery",
    "files_analyzed": 42,
    "total_issues": 23,
    "quality_score": 85.5,
    "issue_summary": {"error": 3, "warning": 12, "info": 8},
    "metrics": {"total_loc": 12450, "avg_complexity": 14.2, "avg_maintainability": 41.3},
    "top_issues": [
        {"severity": "warning", "file": "a.py", "line": 3, "message": "unused", "rule": "F401", "category": "lint"},
        {"severity": "error", "file": "b.py", "line": 9, "message": "a shell", "rule": "B602", "category": "security"},
    ],
}
HOSTILE = "</td></table><script>alert(1)</script><img src=x onerror=y> [x](javascript:z) `a` | b ![p](http://x/y)\u202e"


class Page(HTMLParser):
    """Every element and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element."""
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Keep a text."""
        self.texts.append(data.strip())


def report(results: dict[str, Any] | None = None, **more: Any) -> Report:
    return Report("Weekly report", results_of(RESULTS if results is None else results), **more)


def test_a_web_page_has_every_figure_and_loads_nothing() -> None:
    text = render(report(), ReportFormat.HTML)

    page = Page(text)
    names = {name for name, _ in page.tags}
    assert {"85.50", "42", "23", "12,450", "14.20", "41.30", "b.py"} <= set(page.texts)
    assert names & {"script", "img", "link", "iframe", "object", "form", "a"} == set()
    assert not any(name in ("src", "href", "onload") for _, attributes in page.tags for name in attributes)
    assert "default-src 'none'" in text
    assert all(part in text for part in ("prefers-color-scheme: dark", "@media print"))
    assert not any(part in text for part in ("url(", "@import"))


def test_the_chart_has_a_bar_for_each_severity_in_proportion_and_says_its_figures() -> None:
    page = Page(render(report(), ReportFormat.HTML))

    widths = {attributes["class"]: int(attributes["width"] or 0) for name, attributes in page.tags if name == "rect"}
    assert widths == {"error": 90, "warning": 360, "info": 240}
    assert "3 errors, 12 warnings, 8 hints" in page.texts


def test_what_to_do_follows_from_the_findings_the_most_pressing_first() -> None:
    recommended = report().recommendations

    assert recommended[0] == "a shell (B602) in b.py."
    assert recommended[1] == "unused (F401) in a.py."
    assert any("complexity is 14.2" in each for each in recommended)
    assert any("maintainability index is 41.3" in each for each in recommended)


def test_what_to_do_says_of_each_finding_no_more_than_is_true() -> None:
    torn = {"severity": "error", "rule": "syntax", "category": "lint", "file": "a.c"}
    unused = {"severity": "info", "rule": "unused-function", "category": "dead_code", "file": "a.py", "message": "m"}
    issues = [{**torn, "message": "no `;`"}, {**torn, "message": "no `)`", "file": "b.c"}, *[unused] * 30]

    assert report({"issues": issues}).recommendations == ("2 × such as: no `;` (syntax) in a.c, b.c.",)


@pytest.mark.parametrize("form", [ReportFormat.HTML, ReportFormat.MARKDOWN])
def test_what_is_left_out_of_a_report_is_said(form: ReportFormat) -> None:
    issue = {"severity": "error", "message": "m"}

    assert "The 2,000 most severe of 2,001." in render(report({"issues": [issue] * 2_001}), form)


@pytest.mark.parametrize("form", list(ReportFormat))
def test_charts_and_recommendations_can_be_left_out(form: ReportFormat) -> None:
    plain = report(has_charts=False, has_recommendations=False)

    assert plain.sections == ("summary", "issues", "metrics")
    assert "B602) in" not in render(plain, form)
    assert "<svg" not in render(plain, form)


@pytest.mark.parametrize("form", [ReportFormat.HTML, ReportFormat.MARKDOWN])
def test_what_could_not_be_checked_is_said(form: ReportFormat) -> None:
    lacking = {"unchecked": [{"file": "sow.c", "checker": "gcc", "why": "no header"}], "skipped": ["big.py (2 MB)"]}

    text = render(report({**RESULTS, **lacking}), form)

    assert "unchecked" in report({**RESULTS, **lacking}).sections
    assert all(part in text for part in ("Not checked", "sow.c: gcc: no header", "big.py (2 MB)"))


def test_few_results_make_a_short_report() -> None:
    short = report({"files_analyzed": 42, "total_issues": 23, "quality_score": 85.5})

    assert short.sections == ("summary",)
    assert "Issues: 23" in render(short, ReportFormat.MARKDOWN)


def test_hostile_words_are_shown_as_text_in_a_web_page() -> None:
    issue = {"severity": "error", "file": HOSTILE, "message": HOSTILE, "rule": HOSTILE, "suggestion": HOSTILE}
    hostile = report({**RESULTS, "path": HOSTILE, "top_issues": [issue]})

    page = Page(render(Report(HOSTILE, hostile.results), ReportFormat.HTML))

    assert {name for name, _ in page.tags} & {"script", "img", "a"} == set()
    assert not any("onerror" in attributes for _, attributes in page.tags)
    assert sum("<script>alert(1)</script>" in text for text in page.texts) >= 6
    assert not any("\u202e" in text for text in page.texts)


def test_hostile_words_are_shown_as_text_in_markdown() -> None:
    issue = {"severity": "error", "file": HOSTILE, "message": HOSTILE, "rule": HOSTILE, "suggestion": HOSTILE}
    text = render(report({**RESULTS, "top_issues": [issue]}), ReportFormat.MARKDOWN)

    page = Page(MarkdownIt("commonmark", {"html": True}).enable("table").render(text))

    assert {name for name, _ in page.tags} & {"script", "img", "a", "code"} == set()
    assert "<!-- jupyter-mcpgen report -->" in text
    rows = [row for row in text.partition("## Issues")[2].splitlines() if row]
    assert rows[0].startswith("The 1 most severe")
    assert len(rows) == 4
    assert sum("<script>alert(1)</script>" in words for words in page.texts) >= 4


def test_json_has_the_results_and_what_to_do() -> None:
    written = json.loads(render(report(), ReportFormat.JSON))

    assert written["results"]["quality_score"] == 85.5
    assert written["recommendations"] == list(report().recommendations)


@pytest.mark.parametrize(
    ("results", "told"),
    [
        ({}, "have none of"),
        ({"anything": 1}, "have none of"),
        ({"success": False, "quality_score": 1}, "failed"),
        ({"quality_score": 120}, "`quality_score`"),
        ({"files_analyzed": "many"}, "`files_analyzed`"),
        ({"issue_summary": {"error": 10**400}}, r"`issue_summary\.error`"),
        ({"issue_counts": {"error": -5}}, r"`issue_counts\.error`"),
        ({"metrics": {"avg_complexity": 1e300}}, r"`metrics\.avg_complexity`"),
        ({"metrics": {"maintainability_index": 101}}, r"`metrics\.maintainability_index`"),
        ({"top_issues": [{"severity": "grave", "message": "x"}]}, r"`top_issues\.0\.severity`"),
    ],
)
def test_results_that_say_nothing_are_refused(results: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidResultsError, match=told):
        results_of(results)


def test_a_report_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "new" / "report.md"
    size = write("text", path)
    (tmp_path / "folder.md").mkdir()

    with pytest.raises(WriteError, match=r"folder\.md"):
        write("text", tmp_path / "folder.md")
    assert (size, path.read_text()) == (4, "text")
    assert [each.name for each in path.parent.iterdir()] == ["report.md"]


@pytest.mark.parametrize("form", list(ReportFormat))
def test_a_report_replaces_an_older_one_and_no_other_file(tmp_path: Path, form: ReportFormat) -> None:
    path, other = tmp_path / "report.md", tmp_path / "package.json"
    other.write_text('{"name": "nursery"}')
    write(render(report(), form), path)

    write(render(report(has_recommendations=False), form), path)
    with pytest.raises(WriteError, match="no report of ours"):
        write(render(report(), form), other)

    assert path.read_text() == render(report(has_recommendations=False), form)
    assert other.read_text() == '{"name": "nursery"}'


def test_a_pipe_in_the_place_of_a_report_is_no_report(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "quality.html")

    with pytest.raises(WriteError, match="is there already"):
        write("text", tmp_path / "quality.html")


@pytest.mark.parametrize("name", ["conftest.py", "Makefile", "run.sh"])
def test_a_report_is_no_file_that_something_else_would_run(tmp_path: Path, name: str) -> None:
    with pytest.raises(WriteError, match=r"ends in \.html"):
        write("text", tmp_path / name)

    assert list(tmp_path.iterdir()) == []
