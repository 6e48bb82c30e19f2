"""A promoted tool, as the registry hands it out."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.feedback import Face
from jupyter_mcpgen.model.package import FINGERPRINT_VERSION
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.spec import ToolSpec

CHANGES = "deterministic: false"
"""The label of a tool that reads the clock or draws numbers: the same call may give another result."""

FIGURES = "cap:figures"
"""The label of a tool that draws figures: they come back beside its result, as PNG files."""


class Annotations(Record):
    """The MCP hints of a tool, derived from its capabilities and never from what an author claims."""

    readOnlyHint: bool  # noqa: N815  the name is the protocol's
    destructiveHint: bool  # noqa: N815
    idempotentHint: bool  # noqa: N815
    openWorldHint: bool  # noqa: N815


class Approval(Record):
    """A person's approval, bound to the content's fingerprint."""

    tool_name: str
    version: str
    fingerprint: str
    fingerprint_version: int = FINGERPRINT_VERSION
    """Which list of files the fingerprint covers."""
    approved_by: str
    approved_at: str
    notes: str | None = None
    confirmed: tuple[Confirms, ...] = ()
    """What the person confirmed besides."""
    face: Face | None = Field(default=None, exclude_if=lambda value: value is None)
    """Where they approved; older approvals do not say it, and their signatures are over what they said."""


class PromotedTool(Record):
    """One active version of a tool and where its files lie."""

    name: str
    version: str
    tool_id: str
    path: Path
    spec: ToolSpec
    spec_hash: str
    code_hash: str
    fingerprint: str
    annotations: Annotations
    capabilities: tuple[str, ...]
    dependencies: tuple[str, ...]
    promoted_at: str
    created_by: str


class Predecessor(Record):
    """The version of a name that new content under it would follow: the active one, or the one that was active last.

    `tool` is None where its files are not as approved.
    """

    version: str
    fingerprint: str
    is_active: bool
    tool: PromotedTool | None = None


def annotations_for(capabilities: tuple[str, ...]) -> Annotations:
    """Derive the MCP hints from what the sandbox grants."""
    writes = "cap:files.write" in capabilities
    same = CHANGES not in capabilities
    return Annotations(readOnlyHint=not writes, destructiveHint=writes, idempotentHint=same, openWorldHint=False)
