"""Reads what a side panel says, carries it to the desk, and says what came of it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Protocol, assert_never

from pydantic import ValidationError

from jupyter_mcpgen.errors import McpgenError
from jupyter_mcpgen.lab.panel_messages import (
    PanelActivity,
    PanelActivityWanted,
    PanelCard,
    PanelCardWanted,
    PanelChanged,
    PanelClients,
    PanelClientsWanted,
    PanelDecide,
    PanelDecided,
    PanelDiff,
    PanelDiffWanted,
    PanelFromPage,
    PanelHealth,
    PanelHealthWanted,
    PanelInbox,
    PanelInboxWanted,
    PanelLibrary,
    PanelLibraryWanted,
    PanelOutcome,
    PanelRefused,
    PanelRollback,
    PanelSeen,
    PanelTold,
    PanelTool,
    PanelToolWanted,
    PanelToPage,
    PanelUndo,
    PanelUnpublish,
    PanelVerified,
    PanelVerify,
    parse,
)
from jupyter_mcpgen.lab.wire import Say

log = logging.getLogger(__name__)

_BROKEN = "Something went wrong. The Jupyter server's log has the details."


class PanelDesk(Protocol):
    """What a panel shows, and where its decisions are carried out.

    Every method raises a `McpgenError` for what it refuses.
    """

    def inbox(self) -> PanelInbox:
        """Return the answers that wait for a decision."""

    def card(self, card_id: str) -> PanelCard:
        """Return a card."""

    def why_alone(self, card_id: str) -> str:
        """Say why a card is not approved together with others; empty where it can be."""

    def approve(self, seen: PanelSeen, notes: str | None) -> PanelOutcome:
        """Approve what a person saw."""

    def reject(self, seen: PanelSeen, notes: str | None) -> PanelOutcome:
        """Reject what a person saw."""

    def refine(self, card_id: str) -> str:
        """Ask the question of a rejected card again as its reason says, and say what came of it."""

    def undo(self, card_id: str) -> PanelTold:
        """Take back the approval of a card."""

    def library(self, query: str) -> PanelLibrary:
        """Return the tools that fit some words."""

    def tool(self, name: str) -> PanelTool:
        """Return a tool."""

    def diff(self, name: str, before: str, after: str) -> PanelDiff:
        """Return what changes between two versions."""

    def rollback(self, name: str, version: str) -> PanelTold:
        """Make a version active again."""

    def unpublish(self, name: str, version: str) -> PanelTold:
        """Put the active version into the archive."""

    def clients(self) -> PanelClients:
        """Return how AI clients are connected."""

    def health(self) -> PanelHealth:
        """Return how the parts of the product are, as far as that is known at once."""

    def sandbox(self) -> PanelHealth:
        """Return how the sandbox is, which may take seconds."""

    def versions(self) -> PanelHealth:
        """Return which versions run."""

    def verify(self) -> PanelVerified:
        """Check the audit log and the tools."""

    def activity(self) -> PanelActivity:
        """Return the latest entries of the audit log."""


class PanelClerk:
    """Serves the panels of one server, one message after the other.

    The desk is opened for each, so a mended setting counts at once.
    """

    def __init__(self, open_desk: Callable[[], PanelDesk]) -> None:
        self._open_desk = open_desk

    def begin(self, tell_all: Say) -> None:
        """Have the pages ask again: what they asked of an earlier clerk may be lost."""
        _say(PanelChanged(), tell_all)

    def look(self, tell_all: Say) -> None:
        """Have the pages ask again."""
        _say(PanelChanged(), tell_all)

    def serve(self, data: object, reply: Say, tell_all: Say) -> None:
        """Carry out what a page said."""
        try:
            message = parse(data)
        except ValidationError:
            log.exception("A message of the side panel cannot be read; page and server run different versions?")
            return
        try:
            for told in self._answers(message):
                _say(told, reply)
        except McpgenError as error:
            _say(PanelRefused(about=message.kind, message=str(error)), reply)
        except Exception:
            log.exception("`%s` of the side panel could not be carried out.", message.kind)
            _say(PanelRefused(about=message.kind, message=_BROKEN), reply)

    def _answers(self, message: PanelFromPage) -> Iterator[PanelToPage]:
        desk = self._open_desk()
        match message:
            case PanelInboxWanted():
                yield desk.inbox()
            case PanelCardWanted():
                yield desk.card(message.card_id)
            case PanelDecide():
                yield from _decided(message, desk)
            case PanelUndo():
                yield desk.undo(message.card_id)
            case PanelLibraryWanted():
                yield desk.library(message.query)
            case PanelToolWanted():
                yield desk.tool(message.name)
            case PanelDiffWanted():
                yield desk.diff(message.name, message.before, message.after)
            case PanelRollback():
                yield desk.rollback(message.name, message.version)
            case PanelUnpublish():
                yield desk.unpublish(message.name, message.version)
            case PanelClientsWanted():
                yield desk.clients()
            case PanelHealthWanted():
                yield desk.health()
                yield desk.sandbox()
                yield desk.versions()
            case PanelVerify():
                yield desk.verify()
            case PanelActivityWanted():
                yield desk.activity()
            case _:
                assert_never(message)


def _decided(message: PanelDecide, desk: PanelDesk) -> Iterator[PanelToPage]:
    """Decide card by card: one that is refused leaves the others."""
    is_alone = len(message.cards) == 1
    outcomes = tuple(_outcome(message, seen, desk, is_alone=is_alone) for seen in message.cards)
    yield PanelDecided(outcomes=outcomes)
    if is_alone and message.decision == "reject" and message.notes and outcomes[0].done:
        sentence = desk.refine(message.cards[0].card_id)
        if sentence:
            yield PanelTold(sentence=sentence)


def _outcome(message: PanelDecide, seen: PanelSeen, desk: PanelDesk, *, is_alone: bool) -> PanelOutcome:
    try:
        if message.decision == "reject":
            return desk.reject(seen, message.notes)
        why = "" if is_alone else desk.why_alone(seen.card_id)
        return _refused(seen, f"Not approved with others: {why}") if why else desk.approve(seen, message.notes)
    except McpgenError as error:
        return _refused(seen, str(error))


def _refused(seen: PanelSeen, sentence: str) -> PanelOutcome:
    name = seen.card_id.rpartition("-")[0] or seen.card_id
    return PanelOutcome(card_id=seen.card_id, tool_name=name, done=False, sentence=sentence)


def _say(message: PanelToPage, listener: Say) -> None:
    listener(message.model_dump(mode="json"))
