"""A line below the running cell that says how far something is, and is empty once it is over."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from IPython.display import display

from jupyter_mcpgen.model.event import Event, Listener, Progress


@contextmanager
def progress_line(listeners: list[Listener]) -> Iterator[None]:
    """Show the latest progress that is announced within the block; nothing is shown where there is none."""
    line = uuid.uuid4().hex
    shown: list[str] = []

    def listen(event: Event) -> None:
        if isinstance(event, Progress):
            _show(event.text, line, again=bool(shown))
            shown.append(event.text)

    listeners.append(listen)
    try:
        yield
    finally:
        listeners.remove(listen)
        if shown:
            _show("", line, again=True)


def _show(text: str, line: str, *, again: bool) -> None:
    display({"text/plain": text}, raw=True, display_id=line, update=again)  # type: ignore[no-untyped-call]
