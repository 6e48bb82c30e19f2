"""The pages that listen to us, and one worker that carries out what they say, in order.

Whatever brings the messages only notes them and returns; the worker does the rest, because decisions take file locks.
Nothing heavy is imported here, so that `%load_ext` and the Jupyter server can listen at once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from typing import Any

log = logging.getLogger(__name__)

Say = Callable[[Mapping[str, Any]], None]
"""Sends one message to a page, or to all of them."""

Serve = Callable[[object, Say], None]
"""Is given what a page said and how to reply, on the worker."""

Work = Callable[[], None]

AtOnce = Callable[[object, Say], bool]
"""Is given what a page said before it stands in line, and tells whether that was all to do about it; must be quick."""


def nothing() -> None:
    """Do nothing when a page comes."""


def not_at_once(data: object, reply: Say) -> bool:
    """Let everything that a page says stand in line."""
    return False


@dataclass(frozen=True)
class Page:
    """One page: how to send it a message, and how to disconnect it."""

    say: Say
    dismiss: Callable[[], None]


class Wire:
    """The pages of one face; `close` sends them away.

    `opened` is called when a page came. What `at_once` takes does not wait for what other messages are about. Safe to
    use from several threads.
    """

    def __init__(
        self, name: str, serve: Serve, opened: Callable[[], None] = nothing, at_once: AtOnce = not_at_once
    ) -> None:
        self._name = name
        self._serve = serve
        self._at_once = at_once
        self._on_opened = opened
        self._pages: dict[str, Page] = {}
        self._work: SimpleQueue[Work | None] = SimpleQueue()
        self._worker = Thread(target=self._carry_out, name=f"{name}-channel", daemon=True)
        self._worker.start()

    @property
    def has_pages(self) -> bool:
        """Tell whether a page listens."""
        return bool(self._pages)

    def join(self, page_id: str, page: Page) -> None:
        """Add a page that listens from now on."""
        self._pages[page_id] = page
        self._on_opened()

    def leave(self, page_id: str) -> None:
        """Forget a page that has gone."""
        self._pages.pop(page_id, None)

    def accept(self, data: object, reply: Say) -> None:
        """Have what a page said carried out."""
        if self._at_once(data, reply):
            return
        self.put(lambda: self._serve(data, reply))

    def put(self, work: Work) -> None:
        """Have something done after what was accepted so far."""
        self._work.put(work)

    def tell_all(self, data: Mapping[str, Any]) -> None:
        """Send a message to every page."""
        for page in list(self._pages.values()):
            page.say(data)

    def close(self) -> None:
        """Stop listening and tell the pages; work already accepted is carried out first."""
        self._work.put(None)
        self._worker.join(timeout=10)
        for page in list(self._pages.values()):
            page.dismiss()
        self._pages.clear()

    def _carry_out(self) -> None:
        while (work := self._work.get()) is not None:
            try:
                work()
            except Exception:
                # the worker must outlive a page that went away or a fault of ours; the log has the trace
                log.exception("A message of `%s` could not be carried out.", self._name)
