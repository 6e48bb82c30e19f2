"""Embeddings of texts, from the server of the language model: one request for all of them, in the same log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jupyter_mcpgen.errors import ModelError, NoEmbeddings
from jupyter_mcpgen.llm.address import in_a_sentence
from jupyter_mcpgen.llm.arriving import Arrived, TooMuch
from jupyter_mcpgen.llm.background import Background
from jupyter_mcpgen.llm.budget import DayPurse, Purse, reserve
from jupyter_mcpgen.llm.client import Client, Refused, Trouble, Unanswered
from jupyter_mcpgen.llm.faults import Fault
from jupyter_mcpgen.llm.log import RequestLog
from jupyter_mcpgen.llm.model import NEVER, Listener, ignore
from jupyter_mcpgen.llm.noted import Noted
from jupyter_mcpgen.llm.prompt import CHARACTERS_PER_TOKEN
from jupyter_mcpgen.llm.sentences import error_of, unanswered
from jupyter_mcpgen.wording import in_time

Vector = tuple[float, ...]
SECONDS = 5.0
"""How long a person waits for embeddings; without them tools are compared by the words themselves."""
_NOT_THERE = (404, 405)
_PER_TEXT = 2
_LARGEST = 1e6
"""No embedding has such a number; one that is none is refused by it as well."""


@dataclass(frozen=True)
class Embedder:
    """An embedding model of the server. `client` opens it, and raises `NoKey` where its key is missing."""

    client: Callable[[], Client]
    model: str
    background: Background
    log: RequestLog
    purses: Callable[[], tuple[Purse | DayPurse, ...]]
    seconds: float = SECONDS

    @property
    def name(self) -> str:
        """What the model is called in a sentence."""
        return in_a_sentence(self.model)

    @property
    def identity(self) -> str:
        """What tells its vectors from those of other models."""
        return f"{self.client().address} {self.model}"

    def vectors(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        """Return a vector for each text, all of one length; raises the `ModelError` that says why there are none."""
        return self.background.run(lambda tell: self._vectors(texts, tell), NEVER, ignore)

    async def _vectors(self, texts: Sequence[str], _: Listener) -> tuple[Vector, ...]:
        client = self.client()
        try:
            return await self._found(client, texts)
        except Refused as refused:
            raise self._error_of(refused.fault, client) from None
        except Unanswered as nothing:
            if nothing.trouble is Trouble.SILENT:
                raise self._none(client, f"it sent nothing in {in_time(nothing.seconds)}") from None
            raise unanswered(nothing, client) from nothing
        except TooMuch as endless:
            raise self._none(client, f"it {endless}") from endless

    async def _found(self, client: Client, texts: Sequence[str]) -> tuple[Vector, ...]:
        """Ask where the address says, and below `/v1` where there is nothing and the person left that out."""
        try:
            return await self._asked(client, "", texts)
        except Refused as refused:
            if refused.fault.status not in _NOT_THERE or client.address.endswith("/v1"):
                raise
        return await self._asked(client, "/v1", texts)

    async def _asked(self, client: Client, path: str, texts: Sequence[str]) -> tuple[Vector, ...]:
        tokens = sum(len(text) // CHARACTERS_PER_TOKEN + _PER_TEXT for text in texts)
        arrived = Arrived()
        with (
            reserve(self.purses(), tokens) as reserved,
            Noted(self.log, client.origin, self.model, "embeddings", "none", arrived) as noted,
        ):
            try:
                record = await client.embeddings(path, self.model, texts, noted.begin, self.seconds)
            except Refused:
                reserved.used(0)
                raise
            if isinstance(record, Mapping):
                arrived.take_record(record)
            if arrived.fault is not None:
                raise Refused(arrived.fault)
            reserved.used(arrived.usage.prompt_tokens)
            found = _read(record, len(texts))
            if found is None:
                raise self._none(client, "the reply has not one vector for each text")
            return found

    def _error_of(self, fault: Fault, client: Client) -> ModelError:
        if fault.is_without_model:
            return self._none(client, "it has no such model")
        if fault.status in _NOT_THERE:
            return self._none(client, "it offers none")
        return error_of(fault, client, self.model)

    def _none(self, client: Client, reason: str) -> NoEmbeddings:
        return NoEmbeddings(client.origin, self.name, reason)


def _read(record: Any, count: int) -> tuple[Vector, ...] | None:
    """Return the vectors of a reply in the order of the texts; `None` unless each has one, all of one length."""
    listed = record.get("data") if isinstance(record, Mapping) else None
    if not isinstance(listed, list) or len(listed) != count or not all(isinstance(one, Mapping) for one in listed):
        return None
    places = [one.get("index", place) for place, one in enumerate(listed)]
    if not all(isinstance(place, int) for place in places) or sorted(places) != list(range(count)):
        return None
    placed = {place: _vector(one.get("embedding")) for place, one in zip(places, listed, strict=True)}
    found = [vector for place in range(count) if (vector := placed[place]) is not None]
    return tuple(found) if len(found) == count and len({len(vector) for vector in found}) == 1 else None


def _vector(value: Any) -> Vector | None:
    numbers = value if isinstance(value, list) else []
    is_good = all(isinstance(one, int | float) and -_LARGEST < one < _LARGEST for one in numbers)
    return tuple(map(float, numbers)) if numbers and is_good and any(numbers) else None
