"""The lint gate: ruff over the files of a tool, with a fixed choice of rules that no comment or setting can change."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jupyter_mcpgen.analysis.rules import Rule
from jupyter_mcpgen.model.validation import Finding, Severity

GATE = "lint"
TIMEOUT_SECONDS = 5.0

NOT_RUN = Rule(
    "ruff-not-run",
    "The code was not linted: {subject}.",
    "Install `ruff` beside jupyter-mcpgen if it is missing, then ask the question again.",
)

_SELECTED = ("A", "B", "C4", "D1", "E", "F", "I", "PD", "PIE", "RET", "RUF", "S", "SIM", "UP", "W")
_IGNORED = (
    "E501",  # descriptions are as long as they are
    "PD901",  # `df` is what analysts call a frame
    "PD011",  # `.values` of a mapping is flagged too
    "PD010",  # a pivot of counted cells keeps empty ones, which `pivot_table` drops
    "UP032",  # a name of a column never stands in an f-string, so no text does in emitted expressions
    "S311",  # a tool draws a sample, not a key; the card says that it draws
    "RUF001",  # typographic characters in texts are meant
    "RUF002",
    "RUF003",
)
_BROKEN = ("F", "B", "S", "E9", "invalid-syntax")
"""Rules whose violations mean that the code is wrong or unsafe; the others mean that it could read better."""

_OPTIONS = (
    "--isolated",
    "--no-cache",
    "--ignore-noqa",
    "--exit-zero",
    "--output-format=json",
    "--target-version=py311",
    "--line-length=120",
    f"--select={','.join(_SELECTED)}",
    f"--ignore={','.join(_IGNORED)}",
    # The helpers travel with the tool, and are sorted like any library it imports.
    "--config=lint.isort.known-third-party=['helpers']",
    "--config=lint.per-file-ignores={'tests.py'=['S101','D1'],'helpers.py'=['ALL']}",
)


def check_lint(
    files: Mapping[str, str], program: str | None = None, timeout: float = TIMEOUT_SECONDS
) -> tuple[Finding, ...]:
    """Return what ruff finds in the Python files of a tool; a run that did not happen is a finding, never a pass.

    `program` is the ruff that is installed with us unless another is given.
    """
    sources = {name: text for name, text in files.items() if name.endswith(".py")}
    if not sources:
        return ()
    with tempfile.TemporaryDirectory(prefix="mcpgen-lint-") as folder:
        for name, text in sources.items():
            Path(folder, name).write_text(text, encoding="utf-8", newline="\n", errors="replace")
        try:
            return tuple(_findings(_run(Path(folder), program, timeout), names=len(sources)))
        except (ImportError, OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
            return (NOT_RUN.finding(_reason(error), None, GATE),)


def _run(folder: Path, program: str | None, timeout: float) -> list[dict[str, Any]]:
    """Run ruff once over a folder and return its diagnostics."""
    from ruff.__main__ import find_ruff_bin  # type: ignore[import-untyped]  # deferred: missing is a finding

    command = [program or find_ruff_bin(), "check", *_OPTIONS, "."]
    done = subprocess.run(  # noqa: S603  the arguments are ours; the files are only read
        command,
        cwd=folder,
        env={},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout,
        check=True,
    )
    diagnostics: list[dict[str, Any]] = json.loads(done.stdout)
    return diagnostics


def _reason(error: Exception) -> str:
    match error:
        case subprocess.TimeoutExpired(timeout=seconds):
            return f"ruff took longer than {seconds:g} s"
        case subprocess.CalledProcessError(stderr=str(words)) if words.strip():
            return f"ruff failed with {words.strip().splitlines()[-1]}"
    return f"ruff could not be run ({error})"


def _findings(diagnostics: list[dict[str, Any]], names: int) -> Iterator[Finding]:
    for diagnostic in sorted(diagnostics, key=lambda d: (d["filename"], d["location"]["row"], d["code"] or "")):
        code = diagnostic["code"] or "invalid-syntax"
        place = f"{Path(diagnostic['filename']).name}: " if names > 1 else ""
        yield Finding(
            gate=GATE,
            rule=code,
            severity=Severity.ERROR if code.startswith(_BROKEN) else Severity.WARNING,
            message=f"{place}{diagnostic['message']}",
            line=diagnostic["location"]["row"],
            fix=(diagnostic.get("fix") or {}).get("message"),
        )
