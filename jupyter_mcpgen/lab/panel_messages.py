"""The wire between the side panel and the Jupyter server; the TypeScript types are generated from this module too."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.confirmation import Confirmation, Confirms
from jupyter_mcpgen.model.diff import Diff
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.spec import ToolParameter
from jupyter_mcpgen.registry.audit import Action

MOST_DECIDED = 200
"""How many cards one message decides about."""
_ENDED = "The process that answers this panel ended. Try it again."


class PanelInboxWanted(Record):
    """Send the answers that wait for a decision."""

    kind: Literal["panel_inbox_wanted"] = "panel_inbox_wanted"


class PanelCardWanted(Record):
    """Send a card with its result, its checks and its code."""

    kind: Literal["panel_card_wanted"] = "panel_card_wanted"
    card_id: str


class PanelSeen(Record):
    """A card as a person saw it: a decision counts for this content and no other."""

    card_id: str
    fingerprint: str
    confirmed: tuple[Confirms, ...] = ()


class PanelDecide(Record):
    """Approve or reject the cards that a person saw; `notes` is their reason."""

    kind: Literal["panel_decide"] = "panel_decide"
    decision: Literal["approve", "reject"]
    cards: tuple[PanelSeen, ...] = Field(min_length=1, max_length=MOST_DECIDED)
    notes: str | None = Field(default=None, max_length=2000)


class PanelUndo(Record):
    """Take back the approval of a card; its answer waits again."""

    kind: Literal["panel_undo"] = "panel_undo"
    card_id: str


class PanelLibraryWanted(Record):
    """Send the tools that fit some words, or without words the tools that were used last."""

    kind: Literal["panel_library_wanted"] = "panel_library_wanted"
    query: str = Field(default="", max_length=500)


class PanelToolWanted(Record):
    """Send a tool with its versions, and how to call it."""

    kind: Literal["panel_tool_wanted"] = "panel_tool_wanted"
    name: str


class PanelDiffWanted(Record):
    """Send what changes from one version of a tool to another."""

    kind: Literal["panel_diff_wanted"] = "panel_diff_wanted"
    name: str
    before: str
    after: str


class PanelRollback(Record):
    """Make a version in the archive active again."""

    kind: Literal["panel_rollback"] = "panel_rollback"
    name: str
    version: str


class PanelUnpublish(Record):
    """Put the active version of a tool into the archive, if it is still this one."""

    kind: Literal["panel_unpublish"] = "panel_unpublish"
    name: str
    version: str


class PanelClientsWanted(Record):
    """Send how each AI client is connected."""

    kind: Literal["panel_clients_wanted"] = "panel_clients_wanted"


class PanelHealthWanted(Record):
    """Send how server, clients, sandbox, model and registry are."""

    kind: Literal["panel_health_wanted"] = "panel_health_wanted"


class PanelVerify(Record):
    """Check the audit log, and that every tool is as approved."""

    kind: Literal["panel_verify"] = "panel_verify"


class PanelActivityWanted(Record):
    """Send the latest entries of the audit log."""

    kind: Literal["panel_activity_wanted"] = "panel_activity_wanted"


class PanelChanged(Record):
    """Something that a panel shows may have changed: ask for it again."""

    kind: Literal["panel_changed"] = "panel_changed"


class PanelWaiting(Record):
    """One answer that waits for a decision.

    `alone` says why it is not approved together with others, and is empty where it can be; `off` says why it cannot be
    approved at all.
    """

    card_id: str
    fingerprint: str
    tool_name: str
    version: str
    question: str
    reading: str
    data_name: str
    evidence_sentence: str
    created_at: str
    is_next_version: bool
    confirmations: tuple[Confirmation, ...]
    alone: str
    off: str


class PanelInbox(Record):
    """The answers that wait for a decision, the newest first; what AI clients offer is told elsewhere."""

    kind: Literal["panel_inbox"] = "panel_inbox"
    cards: tuple[PanelWaiting, ...]


class PanelCard(Record):
    """A card as the registry holds it."""

    kind: Literal["panel_card"] = "panel_card"
    card: Card


class PanelOutcome(Record):
    """What became of the decision about one card, and whether an approval can be taken back from here."""

    card_id: str
    tool_name: str
    done: bool
    sentence: str
    can_undo: bool = False


class PanelDecided(Record):
    """What became of a decision, card by card."""

    kind: Literal["panel_decided"] = "panel_decided"
    outcomes: tuple[PanelOutcome, ...]


class PanelLibraryTool(Record):
    """One tool in the list; `version` is empty where none is active."""

    name: str
    version: str
    description: str
    calls: int = 0
    errors: int = 0
    last_used: str = ""


class PanelLibrary(Record):
    """The tools that fit `query`, the best first; `more` fit besides, and `problems` say which do not load."""

    kind: Literal["panel_library"] = "panel_library"
    query: str
    tools: tuple[PanelLibraryTool, ...]
    more: int
    problems: tuple[str, ...]


class PanelVersion(Record):
    """One version of a tool; one that waits for a decision has the id of its card."""

    version: str
    state: Literal["active", "archived", "pending"]
    approved_at: str
    description: str
    card_id: str = ""


class PanelSnippet(Record):
    """Text to copy: what it is, and in which language."""

    label: str
    language: str
    text: str


class PanelTool(Record):
    """A tool with its versions, and how to call it; without an active version it cannot be called."""

    kind: Literal["panel_tool"] = "panel_tool"
    name: str
    version: str
    description: str
    when_to_use: str
    returns: str
    parameters: tuple[ToolParameter, ...]
    approved: str
    versions: tuple[PanelVersion, ...]
    snippets: tuple[PanelSnippet, ...]
    code: str


class PanelDiff(Record):
    """What changes from one version to another."""

    kind: Literal["panel_diff"] = "panel_diff"
    diff: Diff


class PanelClient(Record):
    """One AI client: its file, whether it knows of the server, and what to put there."""

    word: str
    name: str
    file: str
    connected: str
    snippets: tuple[PanelSnippet, ...]


class PanelClients(Record):
    """The AI clients that can be connected."""

    kind: Literal["panel_clients"] = "panel_clients"
    clients: tuple[PanelClient, ...]


class PanelPart(Record):
    """How one part of the product is, and the command that says more."""

    name: str
    state: Literal["good", "off", "bad"]
    sentences: tuple[str, ...]
    command: str


class PanelHealth(Record):
    """How the parts of the product are."""

    kind: Literal["panel_health"] = "panel_health"
    parts: tuple[PanelPart, ...]


class PanelVerified(Record):
    """What the check of the audit log and of the tools found; nothing, where all is as it was written."""

    kind: Literal["panel_verified"] = "panel_verified"
    at: str
    entries: int
    tools: int
    problems: tuple[str, ...]


class PanelEntry(Record):
    """One line of the audit log."""

    at: str
    action: Action
    by: str
    tool_name: str
    version: str
    notes: str


class PanelActivity(Record):
    """The latest entries of the audit log, the newest first, of `total`."""

    kind: Literal["panel_activity"] = "panel_activity"
    entries: tuple[PanelEntry, ...]
    total: int


class PanelTold(Record):
    """What was done."""

    kind: Literal["panel_told"] = "panel_told"
    sentence: str


class PanelRefused(Record):
    """What was not done or cannot be shown, and why; `about` is the kind of what the page said."""

    kind: Literal["panel_refused"] = "panel_refused"
    about: str
    message: str


PanelFromPage = (
    PanelInboxWanted
    | PanelCardWanted
    | PanelDecide
    | PanelUndo
    | PanelLibraryWanted
    | PanelToolWanted
    | PanelDiffWanted
    | PanelRollback
    | PanelUnpublish
    | PanelClientsWanted
    | PanelHealthWanted
    | PanelVerify
    | PanelActivityWanted
)
PanelToPage = (
    PanelChanged
    | PanelInbox
    | PanelCard
    | PanelDecided
    | PanelLibrary
    | PanelTool
    | PanelDiff
    | PanelClients
    | PanelHealth
    | PanelVerified
    | PanelActivity
    | PanelTold
    | PanelRefused
)

_FROM_PAGE: TypeAdapter[PanelFromPage] = TypeAdapter(Annotated[PanelFromPage, Field(discriminator="kind")])


def parse(data: object) -> PanelFromPage:
    """Turn a message's content into a record; raises pydantic's `ValidationError` for anything else."""
    return _FROM_PAGE.validate_python(data, strict=False)


def excuse(said: object) -> PanelRefused | None:
    """Return what a page hears of what it said, where the process that was to answer has ended."""
    kind = said.get("kind") if isinstance(said, dict) else None
    return PanelRefused(about=kind, message=_ENDED) if isinstance(kind, str) else None
