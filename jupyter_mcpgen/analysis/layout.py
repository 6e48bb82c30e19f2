"""Lays out generated Python the way the field does, with ruff's formatter."""

from __future__ import annotations

import re
import subprocess

from jupyter_mcpgen.errors import McpgenError

TIMEOUT_SECONDS = 5.0


def formatted(source: str, line_length: int = 120) -> str:
    """Return the source with standard layout; raises `McpgenError` when ruff cannot run or read it."""
    from ruff.__main__ import find_ruff_bin  # type: ignore[import-untyped]  # deferred: only authors need it

    command = [find_ruff_bin(), "format", "--isolated", "--no-cache", f"--line-length={line_length}", "-"]
    try:
        done = subprocess.run(  # noqa: S603  the arguments are ours; the text comes through standard input
            command, input=source, env={}, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise McpgenError(
            f"The generated code could not be laid out with `ruff`: {error}. Check that `ruff` is installed."
        ) from error
    return done.stdout


def lines_of(code: str) -> list[str]:
    """Return the lines as Python counts them: a form feed or a Unicode separator in a comment or a text ends none."""
    return re.split(r"\r\n|\r|\n", code)
