"""Does one thing in a thread next to another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

_Made = TypeVar("_Made")


@contextmanager
def beside(make: Callable[[], _Made]) -> Iterator[Future[_Made]]:
    """Make something in a thread, next to what the block does; leaving the block waits for it."""
    with ThreadPoolExecutor(1, thread_name_prefix="mcpgen-beside") as pool:
        yield pool.submit(make)
