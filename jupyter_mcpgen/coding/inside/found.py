"""What a checker says of one file, as the host reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Files: TypeAlias = Sequence[str]
Programs: TypeAlias = Mapping[str, str]

ERROR, WARNING, INFO = "error", "warning", "info"


@dataclass(frozen=True)
class Edit:
    """A text in place of another, which ends before its end; lines and columns of characters begin at 1."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True)
class Flaw:
    """One thing that a checker found; lines and columns begin at 1. `edits` are the checker's own fix."""

    severity: str
    line: int
    column: int
    rule: str
    message: str
    suggestion: str | None = None
    edits: Sequence[Edit] = ()


@dataclass(frozen=True)
class Found:
    """What was found in a file, what was measured, and in words why it could not be checked, if it could not.

    `complexities` are the cyclomatic complexities of its functions, and `maintainability` is from 0 to 100.
    """

    flaws: Sequence[Flaw] = ()
    complexities: Sequence[float] = ()
    maintainability: float | None = None
    unchecked: str | None = None


Checked: TypeAlias = Mapping[str, Found]


def by_file(found: Sequence[tuple[str, Flaw]]) -> dict[str, Found]:
    """Return flaws under the files that they are in, by line."""
    files: dict[str, list[Flaw]] = {}
    for file, flaw in found:
        files.setdefault(file, []).append(flaw)
    return {file: Found(sorted(flaws, key=lambda flaw: (flaw.line, flaw.column))) for file, flaws in files.items()}


def too_complex(name: str, line: int, complexity: float) -> Flaw | None:
    """Return the flaw of a function that is hard to follow: from McCabe's limit of 10 on, and badly so above 20."""
    if complexity <= 10:
        return None
    severity = WARNING if complexity > 20 else INFO
    message = f"`{name}` has a cyclomatic complexity of {complexity:g}"
    return Flaw(severity, line, 1, "complexity", message, "Split it into smaller functions.")
