"""Answers from the page to the desk, and cards from the desk to every open page.

Comm handlers run on a subshell thread beside the user's cell, so they only note the message and return. One worker
thread carries the messages out in order, because decisions take file locks.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from queue import SimpleQueue
from threading import Thread
from typing import Any, Literal, Protocol, assert_never

import comm
from pydantic import ValidationError

from jupyter_mcpgen.errors import McpgenError, UnknownCandidate
from jupyter_mcpgen.lab.messages import (
    TARGET,
    Answer,
    FromPage,
    Painted,
    Pick,
    Refused,
    Sync,
    ToPage,
    Undo,
    UnknownCard,
    parse,
)
from jupyter_mcpgen.lab.mime import html, markdown
from jupyter_mcpgen.lab.subshells import answer_while_busy
from jupyter_mcpgen.model.card import Card

log = logging.getLogger(__name__)

Work = Callable[[], None]


class Desk(Protocol):
    """Where cards are kept and decisions are carried out.

    Every method raises `UnknownCandidate` for a card it does not hold, and another `McpgenError` for what it refuses.
    """

    def card(self, card_id: str) -> Card:
        """Return a card as it stands now."""

    def answer(
        self, card_id: str, fingerprint: str, step: Literal["output", "registration"], answer: str, notes: str | None
    ) -> Card:
        """Record a person's answer to one of the two questions, and return the card after it."""

    def undo(self, card_id: str) -> Card:
        """Take back the promotion of a card's tool, and return the card after it."""

    def pick(self, card_id: str, chip: str) -> Card:
        """Answer the card's question in another reading; the new card takes its place."""


class Channel:
    """The comm target of one kernel; pages open it, `close` takes it away."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._manager = comm.get_comm_manager()
        self._pages: dict[str, Any] = {}
        self._work: SimpleQueue[Work | None] = SimpleQueue()
        self._worker = Thread(target=self._carry_out, name="mcpgen-channel", daemon=True)
        self._worker.start()
        self._manager.register_target(TARGET, self._opened)

    def paint(self, card: Card, replaces: str | None = None) -> None:
        """Show a card's present state on every open page; safe to call from any thread."""
        self._work.put(lambda: self._broadcast(_painted(card, replaces)))

    def close(self) -> None:
        """Stop listening and tell the pages; work already accepted is carried out first."""
        if self._manager.targets.get(TARGET) == self._opened:
            self._manager.unregister_target(TARGET, self._opened)
        self._work.put(None)
        self._worker.join(timeout=10)
        for page in list(self._pages.values()):
            page.close()
        self._pages.clear()

    def _opened(self, page: Any, message: dict[str, Any]) -> None:
        answer_while_busy(page)
        self._pages[page.comm_id] = page
        page.on_msg(lambda message: self._accept(page, message["content"]["data"]))
        page.on_close(lambda message: self._pages.pop(page.comm_id, None))
        opening = message["content"]["data"]
        if opening:
            self._accept(page, opening)

    def _accept(self, page: Any, data: object) -> None:
        try:
            message = parse(data)
        except ValidationError:
            log.exception("A message from the page cannot be read; page and kernel run different versions?")
            return
        self._work.put(lambda: self._serve(page, message))

    def _carry_out(self) -> None:
        while (work := self._work.get()) is not None:
            try:
                work()
            except Exception:
                # the worker must outlive a page that went away or a fault of ours; the log has the trace
                log.exception("A message of the card channel could not be carried out.")

    def _serve(self, page: Any, message: FromPage) -> None:
        match message:
            case Sync(card_ids=card_ids):
                for card_id in card_ids:
                    _send([page], self._look_up(card_id))
            case Answer() | Undo() | Pick():
                self._decide(page, message)
            case _:
                assert_never(message)

    def _look_up(self, card_id: str) -> ToPage:
        try:
            return _painted(self._desk.card(card_id))
        except UnknownCandidate:
            return UnknownCard(card_id=card_id)
        except McpgenError as error:
            return Refused(card_id=card_id, message=str(error))

    def _decide(self, page: Any, message: Answer | Undo | Pick) -> None:
        try:
            card = self._carry_to_desk(message)
        except UnknownCandidate:
            _send([page], UnknownCard(card_id=message.card_id))
        except McpgenError as error:
            # the true state first, because a refusal often means that this page was behind
            _send([page], self._look_up(message.card_id))
            _send([page], Refused(card_id=message.card_id, message=str(error)))
        except Exception:
            log.exception("A decision about `%s` failed.", message.card_id)
            why = "Something went wrong in the kernel and nothing was decided. The kernel's log has the details."
            _send([page], Refused(card_id=message.card_id, message=why))
        else:
            self._broadcast(_painted(card, message.card_id if card.card_id != message.card_id else None))

    def _carry_to_desk(self, message: Answer | Undo | Pick) -> Card:
        match message:
            case Answer():
                return self._desk.answer(
                    message.card_id, message.fingerprint, message.step, message.answer, message.notes
                )
            case Undo():
                return self._desk.undo(message.card_id)
            case Pick():
                return self._desk.pick(message.card_id, message.chip)
            case _:
                assert_never(message)

    def _broadcast(self, message: ToPage) -> None:
        _send(list(self._pages.values()), message)


def _painted(card: Card, replaces: str | None = None) -> Painted:
    return Painted(card=card, replaces=replaces, html=html(card), markdown=markdown(card))


def _send(pages: Iterable[Any], message: ToPage) -> None:
    data = message.model_dump(mode="json")
    for page in pages:
        page.send(data)
