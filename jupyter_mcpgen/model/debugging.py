"""What debugging says of code that failed: the diagnosis, the fix, and how it was verified."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from jupyter_mcpgen.model.guidance import ErrorType
from jupyter_mcpgen.model.record import Record


class CodeDiagnosis(Record):
    """Why code failed. `error_type` is the language's own name of it, `category` that of the guide to errors."""

    error_type: str
    line_number: int | None
    root_cause: str
    language: str
    category: ErrorType | None = None
    advice: tuple[str, ...] = ()


class Verification(Record):
    """How a fix was held against the failure; `failure_reproduced` is how it was seen before the fix.

    `tests_passed` is true where the fixed code ran to its end, or gave an answer for each call that failed before, and
    every test in the code passed. `unchanged_calls` is how many other calls gave the same value, printed
    the same and left the same arguments before and after.
    """

    tests_passed: bool
    failure_reproduced: str
    tests_run: int = 0
    unchanged_calls: int = 0


class Debugged(Record):
    """Code that was fixed, with the fix as a unified diff and in words. `fixed_by` is who found it."""

    success: Literal[True] = True
    fixed_code: str
    diagnosis: CodeDiagnosis
    patches_attempted: int = Field(ge=1)
    patch_description: str
    patch: str
    fixed_by: Literal["rules", "model"]
    verification: Verification
