"""What a server and its model take: found out by asking, changed by one field at a time, remembered for a day."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jupyter_mcpgen.llm.kept import read_record, write_record
from jupyter_mcpgen.llm.prompt import Message, Prompt
from jupyter_mcpgen.llm.schema import without

MAX_TOKENS = "max_tokens"
MAX_COMPLETION_TOKENS = "max_completion_tokens"
ROOM_TO_THINK = 16_384
"""The limit for a model that reasons before it writes: its reasoning counts."""
_KEPT_SECONDS = 24 * 3600
_BREAKS_BEFORE_DEMOTION = 2
_MOST_KEPT = 200


class Mode(StrEnum):
    """How a JSON object is asked for, strongest first."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    TEXT = "text"


@dataclass(frozen=True)
class Dialect:
    """How one model of one server is spoken to."""

    mode: Mode = Mode.SCHEMA
    dropped: tuple[str, ...] = ()
    """Keywords of JSON Schema that it does not take."""
    limits: tuple[str, ...] = (MAX_TOKENS, MAX_COMPLETION_TOKENS)
    """Names for the limit of a reply that were not refused yet; the first one is used."""
    temperature: bool = True
    top_p: bool = True
    stream_usage: bool = True
    system: bool = True
    """Whether it takes a system message; else its text goes before the first message of the user."""
    thinks: bool = False
    """Whether it needs room to reason before it writes."""
    path: str = ""
    """What belongs behind the address, where the person left it out."""
    breaks: int = 0
    """How often a reply broke the schema that should have been enforced."""

    def weaker(self) -> Dialect:
        """Return it with the next weaker way to ask for an object."""
        order = list(Mode)
        return replace(self, mode=order[min(order.index(self.mode) + 1, len(order) - 1)], dropped=(), breaks=0)

    def after_a_broken_schema(self) -> Dialect:
        """Return it after a reply that its mode should not have allowed; twice, and the mode is given up."""
        if self.mode is not Mode.SCHEMA:
            return self
        seen = self.breaks + 1
        return self.weaker() if seen >= _BREAKS_BEFORE_DEMOTION else replace(self, breaks=seen)

    def body(self, prompt: Prompt, sampling: Sampling, model: str) -> dict[str, Any]:
        """Return the body of a request."""
        body: dict[str, Any] = {"model": model, "messages": self._messages(prompt.messages), "stream": True}
        if self.stream_usage:
            body["stream_options"] = {"include_usage": True}
        if (limit := self.limit(sampling)) is not None:
            body[self.limits[0]] = limit
        if self.temperature and sampling.temperature is not None:
            body["temperature"] = sampling.temperature
        if self.top_p and sampling.top_p is not None:
            body["top_p"] = sampling.top_p
        if prompt.schema is not None and self.mode is not Mode.TEXT:
            body["response_format"] = self._format(prompt.name, prompt.schema)
        return body

    def limit(self, sampling: Sampling) -> int | None:
        """Return how many tokens a reply may have; `None` where the server decides."""
        if sampling.max_tokens is None or not self.limits:
            return None
        return max(sampling.max_tokens, ROOM_TO_THINK) if self.thinks else sampling.max_tokens

    def schema(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        """Return a schema as this server takes it."""
        return without(schema, frozenset(self.dropped))

    def _format(self, name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
        if self.mode is Mode.OBJECT:
            return {"type": Mode.OBJECT.value}
        return {
            "type": Mode.SCHEMA.value,
            "json_schema": {"name": name.replace(" ", "_"), "strict": True, "schema": self.schema(schema)},
        }

    def _messages(self, messages: tuple[Message, ...]) -> list[dict[str, str]]:
        first, *rest = messages
        if first.role == "system" and not self.system and rest:
            joined = replace(rest[0], content=f"{first.content}\n\n{rest[0].content}")
            messages = (joined, *rest[1:])
        return [{"role": one.role, "content": one.content} for one in messages]


@dataclass(frozen=True)
class Sampling:
    """How a model is to write; `None` leaves it to the server."""

    temperature: float | None = 0.2
    max_tokens: int | None = 2000
    top_p: float | None = None


_BY_HOST: Mapping[str, Dialect] = {
    "api.openai.com": Dialect(limits=(MAX_COMPLETION_TOKENS, MAX_TOKENS)),
    ".openai.azure.com": Dialect(limits=(MAX_COMPLETION_TOKENS, MAX_TOKENS)),
    "api.anthropic.com": Dialect(mode=Mode.TEXT),
}
"""Servers that would not say that they ignore a field, or whose first answer would be a refusal."""


def first_dialect(address: str) -> Dialect:
    """Return how an unknown model of an address is spoken to first."""
    host = urlsplit(address).hostname or ""
    for known, dialect in _BY_HOST.items():
        if host == known or (known.startswith(".") and host.endswith(known)):
            return dialect
    return Dialect()


class Dialects:
    """What was found out about models, for a day; in a file where there is one, so that the next process knows too."""

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[str, tuple[float, Dialect]] = _loaded(path) if path is not None else {}

    def known(self, address: str, model: str) -> Dialect | None:
        """Return what is known, unless it is too old."""
        with self._lock:
            found = self._known.get(_name(address, model))
        return found[1] if found is not None and self._clock() - found[0] < _KEPT_SECONDS else None

    def learn(self, address: str, model: str, dialect: Dialect) -> None:
        """Remember how a model is spoken to."""
        with self._lock:
            self._known[_name(address, model)] = (self._clock(), dialect)
            self._store()

    def forget(self, address: str, model: str) -> None:
        """Forget a model that is not there any more."""
        with self._lock:
            if self._known.pop(_name(address, model), None) is not None:
                self._store()

    def _store(self) -> None:
        if self._path is None:
            return
        newest = sorted(self._known.items(), key=lambda item: item[1][0])[-_MOST_KEPT:]
        with suppress(OSError):  # it would only be found out again
            write_record(self._path, {name: {"since": since, **asdict(one)} for name, (since, one) in newest})


def _name(address: str, model: str) -> str:
    return f"{address} {model}"


def _loaded(path: Path) -> dict[str, tuple[float, Dialect]]:
    record = read_record(path)
    known: dict[str, tuple[float, Dialect]] = {}
    for name, kept in record.items() if isinstance(record, dict) else ():
        # a file of another version is not a reason to fail: what it does not hold is found out again
        with suppress(AttributeError, KeyError, TypeError, ValueError):
            values = {one.name: kept[one.name] for one in fields(Dialect)}
            values |= {name: tuple(values[name]) for name in ("dropped", "limits")} | {"mode": Mode(values["mode"])}
            known[name] = (float(kept["since"]), Dialect(**values))
    return known
