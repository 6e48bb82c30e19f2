"""Reads what mypy, pylint and bandit said of a tool in the sandbox; each of them is a gate that never blocks."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import Any

from jupyter_mcpgen.model.validation import Finding, Severity

FUNCTION = "look"
"""The function of the job that asks them."""


def job_source() -> str:
    """Return the code of the job that asks them."""
    return resources.files("jupyter_mcpgen.analysis").joinpath("linting_job.py").read_text(encoding="utf-8")


def findings_of(gate: str, said: object) -> tuple[Finding, ...] | str:
    """Return what a linter found, all of it as warnings, or in words why it could not be asked."""
    match said:
        case str(why):
            return why
        case {"found": list(rows)} | list(rows):
            return tuple(_finding(gate, row) for row in rows)
        case _:
            return "it gave no answer"


def score_of(said: object) -> float | None:
    """Return the score from 0 to 10 that pylint gave."""
    match said:
        case {"score": float() | int() as score}:
            return round(float(score), 2)
        case _:
            return None


def _finding(gate: str, row: Mapping[str, Any]) -> Finding:
    message, line = str(row["says"]), row.get("line")
    return Finding(gate=gate, rule=str(row["rule"]), severity=Severity.WARNING, message=message, line=line)
