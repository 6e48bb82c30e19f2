"""What a linter says of a tool: remarks, which never block, or that it could not be asked."""

from __future__ import annotations

from textwrap import shorten

from jupyter_mcpgen.analysis.linters import findings_of
from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.model.validation import Evidence, Finding, Verdict
from jupyter_mcpgen.pipeline.gates.gate import Found
from jupyter_mcpgen.pipeline.gates.subject import Files

_LONGEST = 160


def remarks(files: Files, linter: str, gate: str, clean: str) -> Found:
    """Return what a linter found, summed up; `clean` says that it found nothing."""
    try:
        found = findings_of(gate, files.linted.get(linter))
    except SandboxError as error:
        found = str(error)
    if isinstance(found, str):
        said = f"{linter} could not look at the code: {shorten(found, _LONGEST).removesuffix('.')}."
        return Found(evidence=(Evidence(check=gate, verdict=Verdict.NOT_APPLICABLE, sentence=said),), looked=False)
    if not found:
        return Found(evidence=(Evidence(check=gate, verdict=Verdict.PASSED, sentence=clean),))
    return Found(found, (Evidence(check=gate, verdict=Verdict.NOT_APPLICABLE, sentence=_told(linter, found)),))


def _told(linter: str, found: tuple[Finding, ...]) -> str:
    first = found[0]
    where = "" if first.line is None else f" in line {first.line}"
    number = "1 remark" if len(found) == 1 else f"{len(found)} remarks, the first"
    return f"{linter} has {number}{where}: {shorten(first.message, _LONGEST).removesuffix('.')}."
