"""The consent clerk in a process of its own, for a Jupyter server: it loads pandas, which a Jupyter server must not.

Parent and child exchange lines of JSON. The child is started when there is something to do, ends when its input does or
when nothing was said for a while, and is started again when a page speaks.
"""

from __future__ import annotations

import itertools
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Literal, TextIO

from jupyter_mcpgen.lab.wire import Say
from jupyter_mcpgen.model.record import Record

IDLE_SECONDS = 900
"""Longer than a token of a request is good for."""
_FAILED = "The process that keeps the requests ended. Open the request again; `jupyter mcpgen inbox` shows it too."

log = logging.getLogger(__name__)


class _Asked(Record):
    """What the parent asks for: what a page said, to be served under a number, or a look at what waits."""

    number: int | None
    data: Any = None


class _Told(Record):
    """What the child tells: a message to the page of a number or to all, or that it is done with a number."""

    kind: Literal["reply", "all", "done"]
    number: int | None = None
    data: Mapping[str, Any] = {}


@dataclass(frozen=True)
class _Waiting:
    """A page that said something to a child and waits for the answer."""

    reply: Say
    said: object
    child: subprocess.Popen[str]


@dataclass
class ClerkProcess:
    """A `ConsentClerk` whose work another process does."""

    command: tuple[str, ...] = (sys.executable, "-P", "-m", __name__)
    """Without the current folder among the places of modules: it may be anybody's clone."""
    _child: subprocess.Popen[str] | None = None
    _numbers: itertools.count[int] = field(default_factory=itertools.count)
    _waiting: dict[int, _Waiting] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def serve(self, data: object, reply: Say, tell_all: Say) -> None:
        """Have what a page said carried out; the answers come later."""
        with self._lock:
            number = next(self._numbers)
            child = self._running(tell_all)
            self._waiting[number] = _Waiting(reply, data, child)
            _write(child, _Asked(number=number, data=data))

    def look(self, tell_all: Say) -> None:
        """Have the pages told what waits since the last look, and what waits no more."""
        with self._lock:
            _write(self._running(tell_all), _Asked(number=None))

    def _running(self, tell_all: Say) -> subprocess.Popen[str]:
        if self._child is None or self._child.poll() is not None:
            self._child = subprocess.Popen(  # noqa: S603  our own interpreter and module, no shell
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
            )
            Thread(target=self._hear, args=(self._child, tell_all), name="mcpgen-clerk", daemon=True).start()
        return self._child

    def _hear(self, child: subprocess.Popen[str], tell_all: Say) -> None:
        """Pass on what a child tells until it ends, then tell those who still wait for an answer of it."""
        for line in child.stdout or ():
            told = _Told.model_validate_json(line)
            waiting = None if told.number is None else self._waiting.get(told.number)
            match told.kind:
                case "all":
                    tell_all(told.data)
                case "reply" if waiting is not None:
                    waiting.reply(told.data)
                case "done" if told.number is not None:
                    self._waiting.pop(told.number, None)
        if child.wait() != 0:
            log.error("The process that keeps the requests of AI clients ended with %s.", child.returncode)
        with self._lock:
            if self._child is child:
                self._child = None
            left = [number for number, waiting in self._waiting.items() if waiting.child is child]
            for number in left:
                _excuse(self._waiting.pop(number))


def _write(child: subprocess.Popen[str], asked: _Asked) -> None:
    if child.stdin is None:
        return
    with suppress(BrokenPipeError):  # the child has ended; `_hear` tells the waiting pages
        child.stdin.write(asked.model_dump_json() + "\n")
        child.stdin.flush()


def _excuse(waiting: _Waiting) -> None:
    from jupyter_mcpgen.lab.consent_messages import ConsentRefused  # deferred: rarely needed

    request_id = waiting.said.get("request_id") if isinstance(waiting.said, dict) else None
    if isinstance(request_id, str):
        waiting.reply(ConsentRefused(request_id=request_id, message=_FAILED).model_dump(mode="json"))


def main() -> int:
    """Do what the parent asks until it says no more, or nothing for a while."""
    lines = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what else prints must not look like a message
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    from jupyter_mcpgen.lab.consent_clerk import ConsentsClerk, RuntimeDesk  # deferred: the parent has no use for it
    from jupyter_mcpgen.model.feedback import Face
    from jupyter_mcpgen.runtime import current

    clerk, tell = ConsentsClerk(lambda: RuntimeDesk(current(), Face.PANEL)), _teller(lines)

    def tell_all(data: Mapping[str, Any]) -> None:
        tell(_Told(kind="all", data=data))

    # the pages may remember what an earlier child told, and it has ended
    clerk.serve({"kind": "consent_sync"}, tell_all, tell_all)
    for asked in _asked(os.fdopen(os.dup(sys.stdin.fileno()), encoding="utf-8")):
        if asked.number is None:
            clerk.look(tell_all)
            continue
        clerk.serve(asked.data, partial(_reply, tell, asked.number), tell_all)
        tell(_Told(kind="done", number=asked.number))
    return 0


def _reply(tell: Callable[[_Told], None], number: int, data: Mapping[str, Any]) -> None:
    tell(_Told(kind="reply", number=number, data=data))


def _asked(lines: TextIO) -> Iterator[_Asked]:
    """Yield what the parent asks for."""
    heard: SimpleQueue[str] = SimpleQueue()

    def hear() -> None:
        for line in lines:
            heard.put(line)
        heard.put("")

    Thread(target=hear, name="mcpgen-hearing", daemon=True).start()
    with suppress(Empty):
        while line := heard.get(timeout=IDLE_SECONDS):
            yield _Asked.model_validate_json(line)


def _teller(lines: TextIO) -> Callable[[_Told], None]:
    lock = Lock()

    def tell(told: _Told) -> None:
        with lock:
            lines.write(told.model_dump_json() + "\n")
            lines.flush()

    return tell


if __name__ == "__main__":
    sys.exit(main())
