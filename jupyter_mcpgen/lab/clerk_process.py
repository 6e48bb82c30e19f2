"""The clerks of a Jupyter server in a process of their own: it loads pandas, which a Jupyter server must not.

Parent and child exchange lines of JSON. The child is started when there is something to do, ends when its input does or
when nothing was said for a while, and is started again when a page speaks. Its program is given by name, because it
knows the whole product.
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
from typing import Any, Literal, Protocol, TextIO

from jupyter_mcpgen.lab.wire import Say
from jupyter_mcpgen.model.record import Record

IDLE_SECONDS = 900
"""Longer than a token of a request is good for."""

log = logging.getLogger(__name__)

Excuse = Callable[[object], Record | None]
"""Says to a page what became of what it said, where nobody is left to carry it out."""


class Clerk(Protocol):
    """Who serves the pages of one topic, in the child."""

    def begin(self, tell_all: Say) -> None:
        """Tell the pages what they cannot know: they may remember what an earlier child told, and it has ended."""

    def serve(self, data: object, reply: Say, tell_all: Say) -> None:
        """Carry out what a page said."""

    def look(self, tell_all: Say) -> None:
        """Tell the pages what is new since the last look."""


class _Asked(Record):
    """What the parent asks for: what a page said, to be served under a number, or a look at what is new."""

    topic: str
    number: int | None
    data: Any = None


class _Told(Record):
    """What the child tells: a message to the page of a number or to all, or that it is done with a number."""

    kind: Literal["reply", "all", "done"]
    topic: str
    number: int | None = None
    data: Mapping[str, Any] = {}


@dataclass(frozen=True)
class _Waiting:
    """A page that said something to a child and waits for the answer."""

    reply: Say
    excuse: Callable[[], Record | None]
    child: subprocess.Popen[str]


@dataclass(frozen=True)
class RemoteClerk:
    """A clerk whose work the child does."""

    process: ClerkProcess
    topic: str
    excuse: Excuse

    def serve(self, data: object, reply: Say, tell_all: Say) -> None:
        """Have what a page said carried out; the answers come later."""
        self.process.serve(self, data, reply, tell_all)

    def look(self, tell_all: Say) -> None:
        """Have the pages told what is new since the last look."""
        self.process.look(self, tell_all)


@dataclass
class ClerkProcess:
    """The child, and the pages that wait for its answers."""

    command: tuple[str, ...]
    """What starts the child."""
    _child: subprocess.Popen[str] | None = None
    _numbers: itertools.count[int] = field(default_factory=itertools.count)
    _waiting: dict[int, _Waiting] = field(default_factory=dict)
    _listeners: dict[str, Say] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def serve(self, clerk: RemoteClerk, data: object, reply: Say, tell_all: Say) -> None:
        """Have what a page said carried out; the answers come later."""
        with self._lock:
            number = next(self._numbers)
            child = self._running(clerk, tell_all)
            self._waiting[number] = _Waiting(reply, partial(clerk.excuse, data), child)
            _write(child, _Asked(topic=clerk.topic, number=number, data=data))

    def look(self, clerk: RemoteClerk, tell_all: Say) -> None:
        """Have the pages of a topic told what is new since the last look."""
        with self._lock:
            _write(self._running(clerk, tell_all), _Asked(topic=clerk.topic, number=None))

    def _running(self, clerk: RemoteClerk, tell_all: Say) -> subprocess.Popen[str]:
        self._listeners[clerk.topic] = tell_all
        if self._child is None or self._child.poll() is not None:
            self._child = subprocess.Popen(  # noqa: S603  our own interpreter and module, no shell
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
            )
            Thread(target=self._hear, args=(self._child,), name="mcpgen-clerk", daemon=True).start()
        return self._child

    def _hear(self, child: subprocess.Popen[str]) -> None:
        """Pass on what a child tells until it ends, then tell those who still wait for an answer of it."""
        for line in child.stdout or ():
            told = _Told.model_validate_json(line)
            waiting = None if told.number is None else self._waiting.get(told.number)
            match told.kind:
                case "all":
                    self._listeners[told.topic](told.data)
                case "reply" if waiting is not None:
                    waiting.reply(told.data)
                case "done" if told.number is not None:
                    self._waiting.pop(told.number, None)
        if child.wait() != 0:
            log.error("The process that decides for pages without a kernel ended with %s.", child.returncode)
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
    said = waiting.excuse()
    if said is not None:
        waiting.reply(said.model_dump(mode="json"))


def serve_parent(open_clerks: Callable[[], Mapping[str, Clerk]]) -> int:
    """Do what the parent asks until it says no more, or nothing for a while; the clerks are by their topic."""
    lines = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what else prints must not look like a message
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    clerks, begun, tell = open_clerks(), set[str](), _teller(lines)
    for asked in _asked(os.fdopen(os.dup(sys.stdin.fileno()), encoding="utf-8")):
        topic, clerk = asked.topic, clerks[asked.topic]
        tell_all = partial(_tell_all, tell, topic)
        if topic not in begun:
            begun.add(topic)
            clerk.begin(tell_all)
        if asked.number is None:
            clerk.look(tell_all)
            continue
        clerk.serve(asked.data, partial(_reply, tell, topic, asked.number), tell_all)
        tell(_Told(kind="done", topic=topic, number=asked.number))
    return 0


def _reply(tell: Callable[[_Told], None], topic: str, number: int, data: Mapping[str, Any]) -> None:
    tell(_Told(kind="reply", topic=topic, number=number, data=data))


def _tell_all(tell: Callable[[_Told], None], topic: str, data: Mapping[str, Any]) -> None:
    tell(_Told(kind="all", topic=topic, data=data))


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
