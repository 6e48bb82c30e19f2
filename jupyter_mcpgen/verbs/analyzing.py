"""`analyze`, `gates` and `report`: what linters and compilers say of a person's own source code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from jupyter_mcpgen.coding.analysis import Whole, summarize
from jupyter_mcpgen.coding.gates import check_gates, limits_of
from jupyter_mcpgen.coding.reports.writing import write_analysis
from jupyter_mcpgen.errors import FolderMissing, SourceMissing
from jupyter_mcpgen.model.analysis import (
    GateReport,
    Issue,
    ProjectAnalysis,
    ReportFormat,
    counts_in_words,
    unchecked_in_words,
)
from jupyter_mcpgen.model.event import Progress
from jupyter_mcpgen.plan.visible import as_code, visible
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import UsageError, split_options
from jupyter_mcpgen.wording import in_digits

MOST_SHOWN = 20
_FORMS = {".html": ReportFormat.HTML, ".md": ReportFormat.MARKDOWN, ".json": ReportFormat.JSON}


def analyze(words: Sequence[str], runtime: Runtime) -> Said:
    """Show the flaws and measures of source code: `analyze PATH`."""
    typed = split_options(words, ("exclude",))
    path = _path(typed.words, "analyze")
    whole = _analysed(path, typed.options.get("exclude", ""), runtime)
    return Said(text="\n\n".join(_analysis_in_words(summarize(whole, str(path)), whole.issues)))


def gates(words: Sequence[str], runtime: Runtime) -> Said:
    """Hold source code against quality gates: `gates PATH max_errors=5`; in a terminal a violation is a failure."""
    typed = split_options(words, ("exclude",))
    given = dict(word.partition("=")[::2] for word in typed.words[1:])
    path = _path(typed.words[:1], "gates")
    limits = limits_of(given)
    found = summarize(_analysed(path, typed.options.get("exclude", ""), runtime), str(path))
    held = check_gates(found, limits, asked=tuple(given))
    return Said(text="\n\n".join(_gates_in_words(held, path)), ok=held.success)


def report(words: Sequence[str], runtime: Runtime) -> Said:
    """Write a report on source code, and tell where it is: `report PATH --to FILE`."""
    typed = split_options(words, ("exclude", "to"))
    path = _path(typed.words, "report")
    target = Path(typed.options.get("to") or f"{path.resolve().stem}-quality.html").expanduser()
    form = _FORMS.get(target.suffix.lower())
    if form is None:
        raise UsageError(f"The report can be written to a file that ends in {', '.join(_FORMS)}, not to `{target}`.")
    whole = _analysed(path, typed.options.get("exclude", ""), runtime)
    found = summarize(whole, str(path))
    size = write_analysis(found, whole.issues, target, form)
    return Said(
        text=f"{_score(found)}\n\nThe report is in [{visible(target.name)}]({quote(str(target))}) ({size:,} bytes)."
    )


def _path(words: Sequence[str], verb: str) -> Path:
    if len(words) != 1:
        raise UsageError(f"Which source code? `{verb} PATH`, with one file or one folder.")
    path = Path(words[0]).expanduser()
    if not path.exists():
        raise SourceMissing(path) if path.suffix else FolderMissing(path)
    return path


def _analysed(path: Path, exclude: str, runtime: Runtime) -> Whole:
    def tell(done: int, of: int) -> None:
        for listener in tuple(runtime.listeners):
            listener(Progress(text=f"{done} of {of} checks are done."))

    left_out = [glob.strip() for glob in exclude.split(",") if glob.strip()]
    return runtime.analyst.whole(path, exclude=left_out, progress=tell)


def _score(found: ProjectAnalysis) -> str:
    files = "1 file" if found.files_analyzed == 1 else f"{found.files_analyzed:,} files"
    counts = counts_in_words(found.issue_summary)
    return f"Quality score **{in_digits(found.quality_score)}** of 100 for {files}: {counts}."


def _analysis_in_words(found: ProjectAnalysis, issues: Sequence[Issue]) -> Iterator[str]:
    yield _score(found)
    measures = {
        "lines": found.metrics.total_loc,
        "mean complexity": found.metrics.avg_complexity,
        "mean maintainability": found.metrics.avg_maintainability,
    }
    yield ", ".join(f"{name} {in_digits(value)}" for name, value in measures.items() if value is not None) + "."
    if issues:
        rows = "\n".join(map(_row, issues[:MOST_SHOWN]))
        yield f"| severity | where | what | rule |\n|---|---|---|---|\n{rows}"
    if len(issues) > MOST_SHOWN:
        yield f"These are the {MOST_SHOWN} most severe of {len(issues):,}. `%mcpgen report PATH` writes all of them."
    yield from _unchecked_in_words(found)


def _row(issue: Issue) -> str:
    where = as_code(visible(f"{issue.file}:{issue.line}")).replace("|", "\\|")
    what = as_code(visible(issue.message)).replace("|", "\\|")
    return f"| {issue.severity.value} | {where} | {what} | {issue.rule} |"


def _gates_in_words(held: GateReport, path: Path) -> Iterator[str]:
    passed = f"{held.gates_passed} of {held.gates_checked} gates passed"
    yield f"**{held.overall_status}**: {passed} for {as_code(visible(str(path)))}."
    rows = (
        (one.gate, "passed" if one.passed else "failed", in_digits(one.actual), in_digits(one.threshold))
        for one in held.results
    )
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    yield f"| gate | | measured | threshold |\n|---|---|---|---|\n{table}"
    if held.not_measured:
        yield f"Not measured for these languages: {', '.join(held.not_measured)}."
    yield from _unchecked_in_words(held)


def _unchecked_in_words(found: ProjectAnalysis | GateReport) -> Iterator[str]:
    by_checker = [
        f"{as_code(visible(files))} by {as_code(visible(why))}" for files, why in unchecked_in_words(found.unchecked)
    ]
    rows = [*(f"{as_code(visible(name))}, not read" for name in found.skipped[:MOST_SHOWN]), *by_checker[:MOST_SHOWN]]
    if rows:
        listed = "\n".join(f"- {row}" for row in rows)
        more = len(found.skipped) + len(by_checker) - len(rows)
        yield f"Not checked:\n\n{listed}" + (f"\n- and {more:,} more" if more else "")
