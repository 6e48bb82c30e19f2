"""A line on a terminal that says how far something is, and goes once it is over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

from jupyter_mcpgen.model.event import Event, Listener, Progress


@contextmanager
def progress_line(listeners: list[Listener]) -> Iterator[None]:
    """Show the latest progress that is announced within the block, where standard error is a terminal."""
    console = Console(stderr=True)
    status = console.status("")

    def listen(event: Event) -> None:
        if isinstance(event, Progress):
            status.update(Text(event.text))
            status.start()

    if console.is_terminal:
        listeners.append(listen)
    try:
        yield
    finally:
        if listen in listeners:
            listeners.remove(listen)
        status.stop()
