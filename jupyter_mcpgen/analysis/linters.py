"""Reads what mypy, pylint and bandit said of a tool in the sandbox; each of them is a gate that never blocks."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jupyter_mcpgen.model.validation import Finding, Severity

TOOL = Path(__file__).with_name("linting")
"""The package of the tool that asks them."""
FUNCTION = "look"
"""Its function."""


def without_comments(code: str) -> str:
    """Return code without its comments, each line in its place: no comment may tell a linter to look away."""
    lines = code.splitlines()
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError):
        return code  # the linters say what is wrong with it
    for token in tokens:
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip()
    return "\n".join(lines) + "\n"


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
