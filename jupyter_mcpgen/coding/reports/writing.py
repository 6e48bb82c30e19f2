"""Writes a report as HTML, Markdown or JSON. Whatever the results hold is text in it, and never a part of the page."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_mcpgen.coding.reports.content import TITLE, Report, results_of
from jupyter_mcpgen.errors import WriteError
from jupyter_mcpgen.model.analysis import Issue, ProjectAnalysis, ReportFormat
from jupyter_mcpgen.plan.visible import visible

if TYPE_CHECKING:
    import jinja2

_MARKDOWN = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>#!|~&$"})
_WIDTH, _BEGINNING = 360, 1_000
ENDINGS = (".html", ".htm", ".md", ".markdown", ".json")
MARK = "jupyter-mcpgen report"
"""What every report has near its beginning: such a file may be replaced by a newer report."""


@dataclass(frozen=True)
class Bar:
    """One bar of a chart: how long it is in pixels, of at most 360."""

    label: str
    value: int
    width: int
    kind: str


def render(report: Report, form: ReportFormat) -> str:
    """Return a report as text."""
    match form:
        case ReportFormat.HTML:
            return templates().get_template("report.html.j2").render(report=report, bars=_bars(report))
        case ReportFormat.MARKDOWN:
            return templates().get_template("report.md.j2").render(report=report)
        case ReportFormat.JSON:
            return _as_json(report)


def write_analysis(found: ProjectAnalysis, issues: Sequence[Issue], path: Path, form: ReportFormat) -> int:
    """Write the report on a project with all its issues and return its size in bytes; raises `WriteError`."""
    results = {**found.model_dump(mode="json"), "issues": [issue.model_dump(mode="json") for issue in issues]}
    report = Report(TITLE, results_of(results), has_charts=form is ReportFormat.HTML)
    return write(render(report, form), path)


def write(text: str, path: Path) -> int:
    """Write a report as a whole and return its size in bytes.

    Raises `WriteError` if it cannot be written, would replace a file that is no report, or has a name whose ending
    other programs than a reader would open.
    """
    if path.suffix.lower() not in ENDINGS:
        raise WriteError(f"A report can be written to a file that ends in {', '.join(ENDINGS)}, not to `{path}`.")
    if path.exists() and not _is_report(path):
        raise WriteError(f"`{path}` is there already and is no report of ours, so it stays. Name another file.")
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    content = text.encode("utf-8", "backslashreplace")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(beside, "xb") as stream:
                stream.write(content)
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise WriteError(f"The report cannot be written to `{path}`: {error.strerror}.") from error
    return len(content)


def _is_report(path: Path) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe would never end
        with open(descriptor, "rb") as stream:
            return MARK.encode() in stream.read(_BEGINNING)
    except OSError:
        return False


def _as_json(report: Report) -> str:
    found = {
        "generator": MARK,
        "title": report.title,
        "subject": report.subject,
        "sections": report.sections,
        "recommendations": report.recommendations,
        "results": report.results.model_dump(mode="json", exclude_defaults=True),
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _bars(report: Report) -> Sequence[Bar]:
    """Return the bars of the issues by severity, on one scale."""
    counts = report.counts if report.has_charts else None
    most = max([1, *(counts or {}).values()])
    return [
        Bar(severity.value, count, round(_WIDTH * count / most), severity.value)
        for severity, count in (counts or {}).items()
    ]


@cache
def templates() -> jinja2.Environment:
    """Return the files that reports are made of; what is filled into a page or a picture becomes text in it."""
    import jinja2  # deferred: 40 ms

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=jinja2.select_autoescape(("html.j2", "svg.j2")),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["shown"] = visible
    environment.filters["in_markdown"] = lambda text: visible(" ".join(str(text).split())).translate(_MARKDOWN)
    return environment
