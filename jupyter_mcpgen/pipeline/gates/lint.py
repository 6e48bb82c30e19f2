"""Lint: what ruff finds wrong, unsafe or hard to read in the files."""

from __future__ import annotations

from jupyter_mcpgen.analysis.lint import check_lint
from jupyter_mcpgen.pipeline.gates.gate import Cost, Found, Gate, Needs
from jupyter_mcpgen.pipeline.gates.subject import Subject


def _check(subject: Subject, seconds: float) -> Found:
    return Found(check_lint(subject.draft.package.files, timeout=seconds))


LINT = Gate("lint", Needs.FILES, Cost.DEAR, blocking=True, seconds=5, check=_check)
