"""One comm target of the kernel: the pages that opened it, and one worker that carries out what they say, in order.

Nothing heavy is imported here, so that `%load_ext` can listen at once. Comm handlers run on a subshell thread beside
the user's cell, so they only note the message and return; one worker thread does the rest, because decisions take file
locks.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from threading import Thread
from typing import Any

import comm

from jupyter_mcpgen.lab.subshells import answer_while_busy

log = logging.getLogger(__name__)

Say = Callable[[Mapping[str, Any]], None]
"""Sends one message to a page, or to all of them."""

Work = Callable[[], None]


def _nothing() -> None:
    pass


class Wire:
    """The comm target of one kernel; pages open it, `close` takes it away.

    `serve` is given what a page said and how to reply, on the worker; `opened` is called when a page came.
    """

    def __init__(
        self, target: str, serve: Callable[[object, Say], None], opened: Callable[[], None] = _nothing
    ) -> None:
        self._target = target
        self._serve = serve
        self._on_opened = opened
        self._manager = comm.get_comm_manager()
        self._pages: dict[str, Any] = {}
        self._work: SimpleQueue[Work | None] = SimpleQueue()
        self._worker = Thread(target=self._carry_out, name=f"{target}-channel", daemon=True)
        self._worker.start()
        self._manager.register_target(target, self._opened)

    @property
    def has_pages(self) -> bool:
        """Tell whether a page listens."""
        return bool(self._pages)

    def put(self, work: Work) -> None:
        """Have something done after what was accepted so far; safe to call from any thread."""
        self._work.put(work)

    def tell_all(self, data: Mapping[str, Any]) -> None:
        """Send a message to every page."""
        for page in list(self._pages.values()):
            page.send(data)

    def close(self) -> None:
        """Stop listening and tell the pages; work already accepted is carried out first."""
        if self._manager.targets.get(self._target) == self._opened:
            self._manager.unregister_target(self._target, self._opened)
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
        self._on_opened()

    def _accept(self, page: Any, message: dict[str, Any]) -> None:
        data = message["content"]["data"]
        self.put(lambda: self._serve(data, page.send))

    def _carry_out(self) -> None:
        while (work := self._work.get()) is not None:
            try:
                work()
            except Exception:
                # the worker must outlive a page that went away or a fault of ours; the log has the trace
                log.exception("A message of `%s` could not be carried out.", self._target)
