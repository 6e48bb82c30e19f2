"""Quality: what pylint finds in the code, and its score."""

from __future__ import annotations

from jupyter_mcpgen.analysis.linters import score_of
from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.pipeline.gates.gate import Cost, Found, Gate, Needs
from jupyter_mcpgen.pipeline.gates.remarks import remarks
from jupyter_mcpgen.pipeline.gates.subject import Files


def _check(files: Files, _: float) -> Found:
    return remarks(files, "pylint", "quality", f"pylint finds nothing to improve{_rated(files)}.")


def _rated(files: Files) -> str:
    try:
        score = score_of(files.linted.get("pylint"))
    except SandboxError:
        return ""
    return "" if score is None else f" and rates the code {score:g} of 10"


QUALITY = Gate("quality", Needs.FILES, Cost.DEAR, blocking=False, seconds=30, check=_check)
