"""The kernel's end of the cards: what pages say goes to the clerk one by one, his answers go back.

Nothing heavy is imported here, so that `%load_ext` can listen at once to the cards that are already on the page; the
clerk is hired when the first message comes.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from jupyter_mcpgen.lab.comms import CommWire
from jupyter_mcpgen.lab.following import Follower
from jupyter_mcpgen.lab.wire import AtOnce, Say, not_at_once

if TYPE_CHECKING:
    from jupyter_mcpgen.model.asking import Asking
    from jupyter_mcpgen.model.card import Card

TARGET = "mcpgen"


class Clerk(Protocol):
    """Who reads the messages and knows the answers."""

    def serve(self, data: object, reply: Say, tell_all: Say) -> None:
        """Carry out what a page said."""

    def paint(self, card: Card, tell_all: Say) -> None:
        """Tell the pages how a card stands."""

    def refresh(self, tell_all: Say) -> None:
        """Tell the pages which cards stand otherwise now."""


class Channel:
    """The cards of one kernel; pages open it, `close` takes it away.

    What `at_once` takes does not wait for the clerk. `find_pulse` names the files of which every change of the registry
    replaces one: another process may decide about a card that a page shows.
    """

    def __init__(
        self,
        hire: Callable[[], Clerk],
        at_once: AtOnce = not_at_once,
        find_pulse: Callable[[], tuple[Path, ...]] = tuple,
    ) -> None:
        self._hire = hire
        self._clerk: Clerk | None = None
        self._follower = Follower("mcpgen-cards", find_pulse, lambda: self._wire.has_pages, self.refresh)
        self._wire = CommWire(
            TARGET,
            lambda data, reply: self._at_work().serve(data, reply, self._wire.tell_all),
            self._follower.follow,
            at_once,
        )

    def paint(self, card: Card) -> None:
        """Show a card's present state on every open page; safe to call from any thread."""
        self._wire.put(lambda: self._at_work().paint(card, self._wire.tell_all))

    def tell(self, asking: Asking) -> None:
        """Tell every open page how far a question is; safe to call from any thread."""
        if self._wire.has_pages:
            self._wire.tell_all(asking.model_dump(mode="json"))

    def refresh(self) -> None:
        """Show how the cards on the pages stand after a change of the registry; safe to call from any thread."""
        if self._clerk is not None:  # else no page was told of any
            self._wire.put(lambda: self._at_work().refresh(self._wire.tell_all))

    def close(self) -> None:
        """Stop listening and tell the pages; work already accepted is carried out first."""
        self._follower.close()
        self._wire.close()

    def _at_work(self) -> Clerk:
        if self._clerk is None:
            self._clerk = self._hire()
        return self._clerk
