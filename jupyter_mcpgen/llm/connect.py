"""Builds the model that a person chose, with all that belongs to it; opens nothing before the first request."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from jupyter_mcpgen.errors import NoKey
from jupyter_mcpgen.llm.address import clean_address, origin_of, stays_here
from jupyter_mcpgen.llm.background import Background
from jupyter_mcpgen.llm.budget import DayPurse, Prices, Purse
from jupyter_mcpgen.llm.cached import Cached
from jupyter_mcpgen.llm.client import Client, Patience
from jupyter_mcpgen.llm.dialect import Dialects, Sampling
from jupyter_mcpgen.llm.embedding import SECONDS, Embedder
from jupyter_mcpgen.llm.endpoint import Endpoint
from jupyter_mcpgen.llm.fallback import WithFallback
from jupyter_mcpgen.llm.keys import FromRing, find_key
from jupyter_mcpgen.llm.log import RequestLog
from jupyter_mcpgen.llm.model import Model
from jupyter_mcpgen.llm.schema import checker


@dataclass(frozen=True)
class Named:
    """A model of a server, and how it is to write."""

    name: str
    sampling: Sampling = field(default_factory=Sampling)


@dataclass(frozen=True)
class Choice:
    """Which model is asked, where it is, and within which bounds."""

    address: str
    model: Named
    fallback: Named | None = None
    key_variable: str | None = None
    patience: Patience = field(default_factory=Patience)
    prices: Prices | None = None
    per_question: int | None = None
    per_day: int | None = None
    keeps_replies: bool = True
    embedding: str | None = None
    """The model that compares questions with tools; without one nothing is sent for that."""


class Connection:
    """One chosen model, for a whole process: the connections, the log, the budget of the day, the kept replies."""

    def __init__(
        self, choice: Choice, folder: Path, environment: Mapping[str, str], ring: FromRing | None = None
    ) -> None:
        self.choice = choice
        self.address = clean_address(choice.address)
        self.log = RequestLog(folder / "requests.jsonl")
        self._folder = folder
        self._environment = environment
        self._ring = ring
        self._background = Background()
        self._dialects = Dialects(folder / "dialects.json")
        self._day = DayPurse(choice.per_day, folder / "spent.json")

    @property
    def origin(self) -> str:
        """Scheme, host and port of the server."""
        return origin_of(self.address)

    @property
    def stays_here(self) -> bool:
        """Whether prompts stay on this machine, also those to the fallback, and texts to be embedded."""
        fallback, embedding = self.choice.fallback, self.choice.embedding
        named = (self.choice.model.name, None if fallback is None else fallback.name, embedding)
        return all(stays_here(self.address, name) for name in named if name is not None)

    @property
    def key_from(self) -> str | None:
        """Where the key is from: a variable's name, `keyring`, or `None` without a key; raises `NoKey`."""
        key = self._client.key
        return None if key is None else key.variable or "keyring"

    @property
    def spent_today(self) -> int:
        """How many tokens were used today."""
        return self._day.spent

    def for_question(self) -> Model:
        """Return the model for one question: its replies count against one budget. Raises `NoKey`."""
        purse = Purse(self.choice.per_question)
        first = self._model(self.choice.model, purse)
        if self.choice.fallback is None:
            return first
        return WithFallback(first, self._model(self.choice.fallback, purse), self.choice.fallback.name)

    def endpoint(self, purse: Purse | None = None) -> Endpoint:
        """Return the chosen model alone, without kept replies and without a fallback: to test it, or list models."""
        return self._endpoint(self.choice.model, purse or Purse(self.choice.per_question))

    @property
    def embedder(self) -> Embedder | None:
        """The embedding model that was chosen with the model, if one was; nothing is sent before it is asked."""
        if self.choice.embedding is None:
            return None
        return Embedder(
            client=lambda: self._client,
            model=self.choice.embedding,
            background=self._background,
            log=self.log,
            purses=lambda: (Purse(self.choice.per_question), self._day),
            seconds=min(SECONDS, self.choice.patience.total),
        )

    def warm(self) -> None:
        """Get ready in the background, which takes a second; nothing is sent."""
        with suppress(NoKey):  # that is for the first question to say
            self._background.begin(self._client.open)
            self._background.begin(_import_checker)

    def close(self) -> None:
        """Close all connections and end the thread."""
        if "_client" in vars(self):
            self._background.close(self._client.close)

    @cached_property
    def _client(self) -> Client:
        key = find_key(self.address, self.choice.key_variable, self._environment, self._ring)
        return Client(self.address, key, self.choice.patience)

    def _model(self, named: Named, purse: Purse) -> Model:
        endpoint = self._endpoint(named, purse)
        if not self.choice.keeps_replies:
            return endpoint
        return Cached(endpoint, self._folder / "replies", f"{self.address} {named}")

    def _endpoint(self, named: Named, purse: Purse) -> Endpoint:
        return Endpoint(
            client=self._client,
            model=named.name,
            background=self._background,
            log=self.log,
            dialects=self._dialects,
            sampling=named.sampling,
            purses=(purse, self._day),
            prices=self.choice.prices,
        )


async def _import_checker() -> None:
    checker({})


def connect(choice: Choice, folder: Path, environment: Mapping[str, str] | None = None) -> Connection:
    """Return the connection to a chosen model, with its files in a folder; raises `SettingsError`."""
    return Connection(choice, folder, os.environ if environment is None else environment)
