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

    source_code: str = Field(max_length=_CODE, description="The source code that failed")
    stdout: str = Field(description="Standard output from failed execution")
    stderr: str = Field(description="Standard error from failed execution (includes stack trace)")
    exit_code: int = Field(description="Exit code from failed execution")
    language: Annotated[str | None, WithJsonSchema({"type": "string"})] = Field(
        default=None, description="Programming language. Default: auto-detect"
    )
    max_retries: Annotated[int, WithJsonSchema({"type": "integer", "minimum": 1, "maximum": 10})] = Field(
        default=3, ge=1, le=10, description="Maximum fix attempts"
    )


class CodeDebug(Record):
    """What `code_debug` takes."""

    code: str = Field(max_length=_CODE, description="The source code that failed")
    stdout: str = Field(default="", description="What it wrote to standard output")
    stderr: str = Field(default="", description="What it wrote to standard error")
    exit_code: int = Field(default=1, description="How it ended")


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
