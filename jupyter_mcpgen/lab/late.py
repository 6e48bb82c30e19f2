"""Has cards looked at by the gates that no decision waits for, in threads that a closing kernel does not wait for."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock, Thread


class LateLooks:
    """One look at each card, and one at a time: the first starts the linters, which takes a processor for seconds."""

    def __init__(self) -> None:
        self._asked: set[str] = set()
        self._turn = Lock()

    def ask(self, card_id: str, look: Callable[[], None]) -> None:
        """Have a card looked at, unless it was; returns at once. `look` raises nothing."""
        if card_id in self._asked:
            return
        self._asked.add(card_id)
        Thread(target=self._take_turn, args=(look,), name="mcpgen-late-gates", daemon=True).start()

    def _take_turn(self, look: Callable[[], None]) -> None:
        with self._turn:
            look()
