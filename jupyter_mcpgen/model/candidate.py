"""A tool on its way from draft to promoted."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from jupyter_mcpgen.model.feedback import UserFeedback
from jupyter_mcpgen.model.package import FINGERPRINT_VERSION
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.run import RunArtifacts
from jupyter_mcpgen.model.spec import ToolSpec
from jupyter_mcpgen.model.validation import ValidationReport

CLIENT = "client: "
"""What `created_by` begins with where an AI client made a tool."""


class ToolStatus(StrEnum):
    """Where a tool stands: `DRAFT → STAGED → APPROVED → PROMOTED`, or `REJECTED`.

    A draft has its answer and waits for the gates; what they reject, or a person, is `REJECTED`.
    """

    DRAFT = "DRAFT"
    STAGED = "STAGED"
    APPROVED = "APPROVED"
    REJECTED = "REJECTED"
    PROMOTED = "PROMOTED"

    @property
    def waits(self) -> bool:
        """True for what a person can still decide about: also a draft whose gates were interrupted."""
        return self in (ToolStatus.DRAFT, ToolStatus.STAGED, ToolStatus.APPROVED)


class ToolCandidate(Record):
    """A generated tool with everything known about it, with the seed's fields.

    `code_hash` and `spec_hash` are SHA-256 digests in hex; `fingerprint` is what a person approves,
    `fingerprint_version` says which files it covers.
    """

    tool_id: str
    version: str = Field(default="1.0.0", pattern=r"^\d+\.\d+\.\d+$")
    spec: ToolSpec
    package_path: str
    code_hash: str
    spec_hash: str
    fingerprint: str
    fingerprint_version: int = FINGERPRINT_VERSION
    status: ToolStatus = ToolStatus.DRAFT
    validation_report: ValidationReport | None = None
    run_artifacts: RunArtifacts | None = None
    user_feedback: UserFeedback | None = None
    created_at: str
    created_by: str
    dependencies: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()
