"""A request for a person's consent to a tool that an AI client offers, with everything the person must see."""

from __future__ import annotations

from enum import StrEnum

from jupyter_mcpgen.model.confirmation import Confirmation
from jupyter_mcpgen.model.diff import Diff
from jupyter_mcpgen.model.offered import ToolLimits
from jupyter_mcpgen.model.record import Record


class ConsentDecision(StrEnum):
    """What a person says about an offered tool, with the specification's words (seed 002)."""

    ALLOW = "allow"
    ALWAYS_ALLOW = "always_allow"
    """Also when the same client offers the same content once more."""
    DECLINE = "decline"


class CapabilityWords(Record):
    """One capability in plain words."""

    label: str
    sentence: str
    dangerous: bool
    grants: bool
    """False for a label that gives the tool nothing."""


class ConsentRequest(Record):
    """What is asked, and about which bytes.

    `author` and `client` are the client's own words. `token` is single-use, and good until `expires_at` (UTC); it is
    bound to `fingerprint`. `variables` are the names in the notebook of which each call gets a copy.
    """

    request_id: str
    token: str
    expires_at: str
    fingerprint: str
    tool_name: str
    version: str
    description: str
    author: str
    client: str
    mode: str
    source_code: str
    capabilities: tuple[CapabilityWords, ...]
    limits: ToolLimits
    variables: tuple[str, ...]
    evidence: tuple[str, ...]
    """What was found when the tool was tried, and what the linters say of its code, one sentence each."""
    confirmations: tuple[Confirmation, ...]
    diff: Diff | None = None
    created_at: str


class AlwaysAllowed(Record):
    """A standing consent: the same content, offered by the same client, is approved without a question until then.

    `content` is a digest over contract, code and capabilities.
    """

    content: str
    tool_name: str
    capabilities: tuple[str, ...]
    client: str
    mode: str
    allowed_by: str
    allowed_at: str
    expires_at: str
