"""Shows an answer in a notebook: once for each cell, and again in its place when it changes."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol

from IPython.core.getipython import get_ipython
from IPython.display import display

from jupyter_mcpgen.errors import McpgenError

if TYPE_CHECKING:
    from jupyter_mcpgen.model.card import Card

log = logging.getLogger(__name__)


class Shown(Protocol):
    """Something with a bundle for a page. `display_id` tells its output apart, `shown_in` is the cell that has it."""

    display_id: str
    shown_in: int | None

    def mime_bundle(self) -> dict[str, Any]:
        """Return what a page shows."""


def show(answer: Shown) -> None:
    """Show an answer below the running cell, unless this cell shows it already."""
    cell = _running_cell()
    if answer.shown_in is None or answer.shown_in != cell:
        display(answer.mime_bundle(), raw=True, display_id=answer.display_id)  # type: ignore[no-untyped-call]
        answer.shown_in = cell


def show_again(answer: Shown) -> None:
    """Put an answer as it is now in the place where it is shown."""
    display(answer.mime_bundle(), raw=True, display_id=answer.display_id, update=True)  # type: ignore[no-untyped-call]


def show_when_read(answer: Shown, read: Callable[[], Card | None], paint: Callable[[Card], None]) -> None:
    """Have an answer read again beside the cells that follow, and show what changed; a closing kernel never waits."""

    def work() -> None:
        try:
            card = read()
            if card is not None:
                show_again(answer)
                paint(card)
        except McpgenError as error:
            log.info("A second reading was given up: %s", error)
        except Exception:
            # the person did not start it, so no cell shows the failure; it is in the log
            log.exception("A second reading failed.")

    Thread(target=work, name="mcpgen-second-reader", daemon=True).start()


def _running_cell() -> int | None:
    shell = get_ipython()
    return None if shell is None else int(shell.execution_count)
