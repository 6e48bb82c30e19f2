"""Hop 6: the run on the person's own data, and the evidence that the answer is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.model.event import ResultFound
from jupyter_mcpgen.model.run import RunArtifacts, Table
from jupyter_mcpgen.model.validation import Evidence, Finding, Severity, Verdict
from jupyter_mcpgen.pipeline.beside import beside
from jupyter_mcpgen.pipeline.draft import Draft, Trial
from jupyter_mcpgen.pipeline.edit import said_of_edits
from jupyter_mcpgen.pipeline.election import said_of_replies
from jupyter_mcpgen.pipeline.examples import tried_on_examples
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.reference import Reference
from jupyter_mcpgen.pipeline.references import reference_of
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.workbench import (
    PlacedTool,
    call_all,
    figures_in,
    kept_files,
    result_in,
    unpacked,
    what_went_wrong,
)
from jupyter_mcpgen.sandbox.job import Answer, Run
from jupyter_mcpgen.toolkit.values import json_value

if TYPE_CHECKING:
    import pandas as pd

FIRST_ROWS = 10
"""How many rows are shown before a result is checked."""
SHOWN_ROWS = 200
"""How many rows of a result a card carries."""
DATA_DIGEST = "data_sha256"
"""The digest of the data that a run worked on, among the facts about the run."""
LARGEST_EXACT = 2**53
"""JavaScript, and many a reader of JSON, holds every number as a float: whole ones are exact up to here."""


def try_on_data(draft: Draft, findings: tuple[Finding, ...], material: Material, services: Services) -> Trial:
    """Run a drafted tool on the data of the request, with its defaults; code that a gate refused is never run."""
    if any(finding.severity is Severity.ERROR for finding in findings):
        return _failed("a gate refused its code, so it was not run", material)
    with unpacked(draft.package, services.workspace) as folder:
        tool = PlacedTool(folder, draft.contract.spec.tool_name, draft.contract.capabilities)
        trial = run_on_data(tool, {}, reference_of(draft, services), material, services)
        tried = tried_on_examples(draft, tool, material, services) if trial.result is not None else ()
    return replace(
        trial, evidence=(*trial.evidence, *tried, *said_of_replies(draft.intent), *said_of_edits(draft.intent))
    )


def run_on_data(
    tool: PlacedTool, arguments: Mapping[str, Any], reference: Reference, material: Material, services: Services
) -> Trial:
    """Run a tool on a table and hold its result against the reference."""
    call = {**material.paths, **arguments}
    first = reference.first_result(material)
    if first is not None:
        services.announce(ResultFound(table=reference.labelled(table_of(first, FIRST_ROWS))))
    try:
        with beside(lambda: material.engine):  # the tool runs in another process, and the reference has to load
            run = call_all(services.sandbox, tool, (call,), services.limits)
    except SandboxError as error:
        return _failed(str(error), material)
    answer = run.answers[0] if run.answers else None
    wrong = what_went_wrong(run, answer)
    if answer is None or wrong is not None:
        return _failed(wrong or "it gave no result", material)
    try:
        result = result_in(answer, services.limits)
    except SandboxError as error:
        return _failed(str(error), material)
    files = kept_files(run, services.workspace)
    return Trial(
        artifacts=_artifacts(answer, run, result, material, files),
        table=reference.labelled(table_of(result)),
        chart=reference.chart(result),
        evidence=(
            *reference.evidence(answer, result, material),
            *reference.effects(files, material),
            _unchanged(material),
        ),
        result=result,
        value=answer.value,
        figures=figures_in(run),
    )


def table_of(frame: pd.DataFrame, most: int = SHOWN_ROWS) -> Table:
    """Return the first rows of a frame as JSON values."""
    head = frame.head(most)
    return Table(
        columns=tuple(str(name) for name in frame.columns),
        types=tuple(_kind(frame[name]) for name in frame.columns),
        rows=tuple(tuple(_wire_value(value) for value in row) for row in head.itertuples(index=False, name=None)),
        total_rows=len(frame),
    )


def _wire_value(value: Any) -> Any:
    """Return a JSON value; a whole number that readers of JSON would round goes as text."""
    plain = json_value(value)
    return str(plain) if isinstance(plain, int) and abs(plain) > LARGEST_EXACT else plain


def _kind(column: pd.Series[Any]) -> str:
    from pandas.api.types import is_bool_dtype, is_datetime64_any_dtype, is_integer_dtype, is_numeric_dtype

    if is_bool_dtype(column):
        return "boolean"
    if is_integer_dtype(column):
        return "integer"
    if is_numeric_dtype(column):
        return "real"
    return "date" if is_datetime64_any_dtype(column) else "text"


def _unchanged(material: Material) -> Evidence:
    same = material.is_unchanged()
    return Evidence(
        check="unchanged",
        verdict=Verdict.PASSED if same else Verdict.FAILED,
        sentence="Data unchanged." if same else f"`{material.name}` changed while the tool ran.",
    )


def _artifacts(
    answer: Answer, run: Run, result: pd.DataFrame, material: Material, files: tuple[str, ...]
) -> RunArtifacts:
    table = table_of(result)
    return RunArtifacts(
        result={"columns": list(table.columns), "rows": [list(row) for row in table.rows], "row_count": len(result)},
        outputs={"markdown_table": answer.text or ""},
        summary_markdown=answer.text,
        files=files,
        artifacts=tuple(artifact.path for artifact in run.artifacts),
        sample_rows=tuple(dict(zip(table.columns, row, strict=True)) for row in table.rows[:5]),
        execution_time_ms=answer.milliseconds,
        rows_processed=_rows_of(material),
        metadata={
            "wall_seconds": run.usage.wall_seconds,
            "cpu_seconds": run.usage.cpu_seconds,
            "peak_memory_bytes": run.usage.peak_memory_bytes,
            "read_bytes": run.usage.read_bytes,
            "written_bytes": run.usage.written_bytes,
            "rows": run.usage.rows,
            "sandbox_level": int(run.level),
            DATA_DIGEST: material.digest,
        },
    )


def _rows_of(material: Material) -> int:
    """Return how many rows the tables of a question have together."""
    return material.profile.rows + (0 if material.other is None else material.other.profile.rows)


def _failed(reason: str, material: Material) -> Trial:
    sentence = f"The tool gave no result on `{material.name}`: {reason.rstrip('.')}."
    return Trial(
        artifacts=RunArtifacts(result={}, execution_time_ms=0.0, rows_processed=_rows_of(material)),
        table=Table(columns=(), types=(), rows=(), total_rows=0),
        chart=None,
        evidence=(Evidence(check="run", verdict=Verdict.FAILED, sentence=sentence),),
    )
