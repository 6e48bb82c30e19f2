"""What the tools that debug code take and give."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, RootModel, WithJsonSchema

from jupyter_mcpgen.model.debugging import CodeDiagnosis, Debugged
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.sandbox.execution.record import Status

_CODE = 1_000_000


class CodingDebugCode(Record):
    """What `coding_debug_code` takes."""

    source_code: str = Field(max_length=_CODE, description="The code that failed")
    stdout: str = Field(description="Its standard output")
    stderr: str = Field(description="Its standard error; empty: run it")
    exit_code: int = Field(description="Its exit code")
    language: Annotated[str | None, WithJsonSchema({"type": "string"})] = Field(
        default=None, description="Default: found out"
    )
    max_retries: Annotated[int, WithJsonSchema({"type": "integer", "minimum": 1, "maximum": 10})] = Field(
        default=3, ge=1, le=10, description="Most fixes to try"
    )


class CodeDebug(Record):
    """What `code_debug` takes."""

    code: str = Field(max_length=_CODE, description="The code that failed")
    stdout: str = Field(default="", description="Its standard output")
    stderr: str = Field(default="", description="Its standard error; empty: run it")
    exit_code: int = Field(default=1, description="Its exit code")


class NotFixed(Record):
    """Why there is no fix, the seed's name of what went wrong, and the diagnosis where there is one."""

    success: Literal[False] = False
    error: str
    error_type: str
    diagnosis: CodeDiagnosis | None = None


class DebugReview(Record):
    """A fix, or why there is none; the status outside is that of the fix."""

    status: Status
    diagnosis: Debugged | CodeDiagnosis | None = None
    error: str | None = Field(default=None, exclude_if=lambda value: value is None)


DebugAnswer = RootModel[Debugged | NotFixed]
