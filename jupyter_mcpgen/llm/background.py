"""The one place where synchronous code waits for a loop, which runs in a thread so that waiting can be ended."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from queue import SimpleQueue
from typing import Any, TypeVar

from jupyter_mcpgen.errors import AskCancelled
from jupyter_mcpgen.llm.model import CancelToken, Listener, Progress

Result = TypeVar("Result")
Work = Callable[[Listener], Coroutine[Any, Any, Result]]


class Background:
    """A loop that starts with the first request; after a fork the child gets its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._process = 0

    def run(self, work: Work[Result], cancelled: CancelToken, progress: Listener) -> Result:
        """Return what the work gives; raises `AskCancelled` as soon as it is cancelled, whatever the work waits for.

        Progress arrives in the thread of the caller.
        """
        if cancelled.is_cancelled:
            raise AskCancelled
        news: SimpleQueue[Progress | None] = SimpleQueue()
        future = asyncio.run_coroutine_threadsafe(work(news.put), self._running())
        future.add_done_callback(lambda _: news.put(None))
        try:
            with cancelled.calling(lambda: _end(future)):
                while (told := news.get()) is not None:
                    progress(told)
                return future.result()
        except CancelledError as error:
            raise AskCancelled from error
        except BaseException:
            future.cancel()  # Ctrl-C, or a listener that failed: nothing goes on unseen
            raise

    def begin(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Start work that nobody waits for."""
        asyncio.run_coroutine_threadsafe(work(), self._running())

    def close(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run what closes connections, and end the thread."""
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is None or thread is None or self._process != os.getpid():
            return
        asyncio.run_coroutine_threadsafe(_finish(last), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._process != os.getpid():
                self._loop, self._process = asyncio.new_event_loop(), os.getpid()
                self._thread = threading.Thread(target=self._loop.run_forever, name="mcpgen-model", daemon=True)
                self._thread.start()
            return self._loop


def _end(future: Any) -> None:
    future.cancel()


async def _finish(last: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """End what still runs, such as a request that was cancelled a moment ago, and close."""
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await last()
