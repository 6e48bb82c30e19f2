"""What is said of a build: that it began, its status, and its files."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from jupyter_mcpgen.model.record import Record


class State(StrEnum):
    """The status of a build; `error` is for an id that no build has."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    SUCCESS = "success"
    FAILURE = "failure"
    CANCELLED = "cancelled"
    ERROR = "error"

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self not in (State.PENDING, State.IN_PROGRESS)


class Artifact(Record):
    """A file that a build made."""

    path: str
    sha256: str
    size: int = Field(description="in bytes")


class BuildStarted(Record):
    """What `trigger_build` gives back: `pending` for a queued build, `success` where nothing was to be done."""

    status: Literal["success", "failure", "pending"]
    build_id: str = Field(default="", description="for `get_build_status`; empty where the build could not begin")
    message: str
    artifact_paths: tuple[str, ...] = ()
    log_output_summary: str = ""
    error_message: str = ""


class BuildStatus(Record):
    """What `get_build_status` gives back."""

    build_id: str
    status: State
    progress_percentage: int = Field(default=0, ge=0, le=100)
    message: str
    artifact_paths: tuple[str, ...] = ()
    artifacts: tuple[Artifact, ...] = Field(default=(), description="the same files with their SHA-256 and size")
    log_file_path: str = ""
    error_details: str = ""
