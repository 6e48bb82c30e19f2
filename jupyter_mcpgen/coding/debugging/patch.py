"""A change of code that may end a failure, in words and as the code after it."""

from __future__ import annotations

import difflib
import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from jupyter_mcpgen.coding.checking import Edit


@dataclass(frozen=True)
class Patch:
    """Code after a change, what was changed, and who proposes it."""

    code: str
    description: str
    by: Literal["rules", "model"] = "rules"


def diff(before: str, after: str) -> str:
    """Return a change as a unified diff."""
    lines = difflib.unified_diff(lines_of(before), lines_of(after), "before", "after", n=3)
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def lines_of(code: str) -> list[str]:
    """Return the lines with their ends, as compilers count them: a form feed or a separator of Unicode ends none."""
    return list(io.StringIO(code, newline=""))


def edited(code: str, edits: Iterable[Edit]) -> str:
    """Return code with texts put in place of others; of edits that overlap, only the first is made."""
    begins = [0]
    for line in lines_of(code):
        begins.append(begins[-1] + len(line))

    def place(line: int, column: int) -> int:
        return min(begins[min(max(line, 1), len(begins)) - 1] + max(column, 1) - 1, len(code))

    made, taken = code, len(code) + 1
    for edit in sorted(edits, key=lambda one: (one.line, one.column), reverse=True):
        begin, end = place(edit.line, edit.column), place(edit.end_line, edit.end_column)
        if begin <= end <= taken:
            made, taken = f"{made[:begin]}{edit.text}{made[end:]}", begin
    return made
