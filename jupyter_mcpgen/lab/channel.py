"""The kernel's end of the wire: pages open it, their messages go to the clerk one by one, his answers go back.

Nothing heavy is imported here, so that `%load_ext` can listen at once to the cards that are already on the page; the
clerk is hired when the first message comes. Comm handlers run on a subshell thread beside the user's cell, so they
only note the message and return. One worker thread does the rest in order, because decisions take file locks.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol

import comm

from jupyter_mcpgen.lab.subshells import answer_while_busy

if TYPE_CHECKING:
    from jupyter_mcpgen.model.card import Card

TARGET = "mcpgen"

log = logging.getLogger(__name__)

Say = Callable[[Mapping[str, Any]], None]
"""Sends one message to a page, or to all of them."""

Work = Callable[[], None]


class Clerk(Protocol):
    """Who reads the messages and knows the answers."""

    def serve(self, data: object, reply: Say, tell_all: Say) -> None:
        """Carry out what a page said."""

    def paint(self, card: Card, tell_all: Say) -> None:
        """Tell the pages how a card stands."""

    def refresh(self, tell_all: Say) -> None:
        """Tell the pages which cards of saved tools stand otherwise now."""


class Channel:
    """The comm target of one kernel; pages open it, `close` takes it away."""

    def __init__(self, hire: Callable[[], Clerk]) -> None:
        self._hire = hire
        self._clerk: Clerk | None = None
        self._manager = comm.get_comm_manager()
        self._pages: dict[str, Any] = {}
        self._work: SimpleQueue[Work | None] = SimpleQueue()
        self._worker = Thread(target=self._carry_out, name="mcpgen-channel", daemon=True)
        self._worker.start()
        self._manager.register_target(TARGET, self._opened)

    def paint(self, card: Card) -> None:
        """Show a card's present state on every open page; safe to call from any thread."""
        self._work.put(lambda: self._at_work().paint(card, self._tell_all))

    def refresh(self) -> None:
        """Show how the cards of saved tools stand after a change of the registry; safe to call from any thread."""
        if self._clerk is not None:  # else no page was told of any
            self._work.put(lambda: self._at_work().refresh(self._tell_all))

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
        page.on_msg(lambda message: self._accept(page, message))
        page.on_close(lambda message: self._pages.pop(page.comm_id, None))
        if message["content"]["data"]:
            self._accept(page, message)

    def _accept(self, page: Any, message: dict[str, Any]) -> None:
        data = message["content"]["data"]
        self._work.put(lambda: self._at_work().serve(data, page.send, self._tell_all))

    def _at_work(self) -> Clerk:
        if self._clerk is None:
            self._clerk = self._hire()
        return self._clerk

    def _carry_out(self) -> None:
        while (work := self._work.get()) is not None:
            try:
                work()
            except Exception:
                # the worker must outlive a page that went away or a fault of ours; the log has the trace
                log.exception("A message of the card channel could not be carried out.")

    def _tell_all(self, data: Mapping[str, Any]) -> None:
        for page in list(self._pages.values()):
            page.send(data)
