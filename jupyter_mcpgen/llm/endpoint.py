"""A model behind an OpenAI-compatible address: asked, waited for, read and checked.

The first request to an unknown server asks for everything; what is refused is given up, one field at a time, and
remembered. A reply is used only if it is complete and keeps to the schema.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

from jupyter_mcpgen.errors import (
    ContextTooSmall,
    EmptyReply,
    ModelError,
    ModelRefused,
    ModelServerFailed,
    TruncatedReply,
    UnreadableReply,
)
from jupyter_mcpgen.llm.address import in_a_sentence
from jupyter_mcpgen.llm.arriving import Arrived, TooMuch
from jupyter_mcpgen.llm.background import Background
from jupyter_mcpgen.llm.budget import DayPurse, Prices, Purse, Reserved, reserve
from jupyter_mcpgen.llm.client import Client, Refused, Trouble, Unanswered
from jupyter_mcpgen.llm.dialect import ROOM_TO_THINK, Dialect, Dialects, Sampling, first_dialect
from jupyter_mcpgen.llm.faults import Fault, adjusted
from jupyter_mcpgen.llm.log import RequestLog
from jupyter_mcpgen.llm.model import NEVER, CancelToken, Listener, Progress, Stage, ignore
from jupyter_mcpgen.llm.names import names_in
from jupyter_mcpgen.llm.noted import Noted
from jupyter_mcpgen.llm.parse import Unreadable, read_object, without_reasoning
from jupyter_mcpgen.llm.prompt import CHARACTERS_PER_TOKEN, Prompt
from jupyter_mcpgen.llm.reply import Reply, Usage
from jupyter_mcpgen.llm.retry import Retries
from jupyter_mcpgen.llm.schema import checker
from jupyter_mcpgen.llm.sentences import error_of, no_such_model, quoted, unanswered

_OF_ONE_REPLY = (EmptyReply, ModelRefused, TruncatedReply, UnreadableReply)
"""Failures that say nothing of the next reply."""
_MOST_CHANGES = 6
_NOT_FOUND = 404
_NEWS_CHARACTERS = 80
_LIST_SECONDS = 3.0
_ENOUGH_TO_TELL = 4_000
_CHARACTERS_OF_A_LOST_TOKEN = 8
"""Text has about four characters a token: a server that counts one for eight has dropped half of the prompt."""


@dataclass
class Endpoint:
    """One model of one server. Endpoints of several questions share the client, the loop and what was learned."""

    client: Client
    model: str
    background: Background
    log: RequestLog
    dialects: Dialects = field(default_factory=Dialects)
    sampling: Sampling = field(default_factory=Sampling)
    purses: tuple[Purse | DayPurse, ...] = ()
    prices: Prices | None = None
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    jitter: Callable[[], float] = random.random

    def ask(
        self,
        prompt: Prompt,
        *,
        candidates: int = 1,
        cancelled: CancelToken = NEVER,
        progress: Listener = ignore,
    ) -> tuple[Reply, ...]:
        """Return the replies of so many separate requests; see `Model`."""
        return self.background.run(lambda tell: self._ask(prompt, candidates, tell), cancelled, progress)

    def body_of(self, prompt: Prompt) -> dict[str, Any]:
        """Return the very body that a request for a prompt would have now, for a person to see; sends nothing."""
        return self._dialect().body(prompt, self.sampling, self.model)

    def models(self, cancelled: CancelToken = NEVER) -> tuple[str, ...]:
        """Return the names of the models that the server has, as far as it tells."""
        return self.background.run(lambda tell: self._models(), cancelled, ignore)

    async def _ask(self, prompt: Prompt, candidates: int, tell: Listener) -> tuple[Reply, ...]:
        results: list[Reply | BaseException] = []
        if self.dialects.known(self.client.address, self.model) is None and candidates > 1:
            # what the first one finds out spares the others the same refusals
            results = list(await asyncio.gather(self._candidate(prompt, tell), return_exceptions=True))
            if isinstance(results[0], BaseException) and not isinstance(results[0], _OF_ONE_REPLY):
                raise results[0]
        asked = [self._candidate(prompt, tell) for _ in range(candidates - len(results))]
        results += await asyncio.gather(*asked, return_exceptions=True)
        replies = tuple(one for one in results if isinstance(one, Reply))
        for one in results:
            if isinstance(one, BaseException) and not (replies and isinstance(one, ModelError)):
                raise one
        return replies

    async def _candidate(self, prompt: Prompt, tell: Listener) -> Reply:
        """Ask until there is a reply, or a reason to give up."""
        retries, changes, asked_again = Retries(self.jitter), 0, False
        while True:
            dialect = self._dialect()
            started = time.monotonic()
            arrived = Arrived()
            tell(Progress(Stage.ASKING, f"asking `{in_a_sentence(self.model)}`"))
            try:
                await self._send(prompt, dialect, arrived, tell)
            except Refused as refused:
                better = self._better(dialect, refused.fault, prompt) if changes < _MOST_CHANGES else None
                if better is None:
                    await self._wait(retries, refused.fault, tell)
                else:
                    changes += 1
                    self._learn(better)
                    tell(Progress(Stage.ADJUSTING, "the server does not take every field; asking without one"))
                continue
            except Unanswered as nothing:
                if nothing.trouble is not Trouble.LOST or not retries.may_go_on():
                    raise unanswered(nothing, self.client) from nothing
                tell(Progress(Stage.RETRYING, "the connection was lost; asking again"))
                continue
            except TooMuch as endless:
                raise UnreadableReply(self.model, f"it {endless}") from endless
            if self._wants_room(arrived, dialect):
                self._learn(replace(dialect, thinks=True))
                tell(Progress(Stage.RETRYING, "the model needs more room to think; asking again"))
                continue
            if not asked_again and self._is_empty(arrived):
                asked_again = True
                tell(Progress(Stage.RETRYING, "the reply was empty; asking again"))
                continue
            if self.dialects.known(self.client.address, self.model) is None:
                self._learn(dialect)
            return self._read(prompt, dialect, arrived, time.monotonic() - started)

    async def _wait(self, retries: Retries, fault: Fault, tell: Listener) -> None:
        """Wait as long as a refused request has to, or raise what is wrong."""
        if fault.status == _NOT_FOUND or fault.is_without_model:
            self.dialects.forget(self.client.address, self.model)
        if fault.is_without_model:
            raise no_such_model(self.model, self.client, await self._models())
        seconds = retries.pause_after(fault)
        if seconds is None:
            raise error_of(fault, self.client, self.model)
        loading = Progress(Stage.LOADING, "the server is loading the model")
        again = Progress(Stage.RETRYING, f"the server is busy; asking again in {seconds:.0f} s")
        tell(loading if fault.is_loading else again)
        await self.sleep(seconds)

    async def _send(self, prompt: Prompt, dialect: Dialect, arrived: Arrived, tell: Listener) -> None:
        body = dialect.body(prompt, self.sampling, self.model)
        told = 0

        def news() -> None:
            nonlocal told
            so_far = arrived.characters + arrived.thought
            if so_far - told >= _NEWS_CHARACTERS:
                told = so_far
                stage = Stage.WRITING if arrived.characters else Stage.THINKING
                tell(Progress(stage, f"{so_far:,} characters", arrived.characters))

        limit = dialect.limit(self.sampling) or 0
        with reserve(self.purses, prompt.estimated_tokens + limit) as reserved, self._logged(prompt, arrived) as noted:
            try:
                await self.client.post(dialect.path, body, arrived, noted.begin, news)
            except Refused:
                reserved.used(0)
                raise
            finally:
                self._settle(reserved, prompt, arrived)

    def _settle(self, reserved: Reserved, prompt: Prompt, arrived: Arrived) -> None:
        """Count what the request took; where the server does not tell, by the length of the texts."""
        if reserved.tokens == 0:
            return
        written = (arrived.characters + arrived.thought) // CHARACTERS_PER_TOKEN
        reserved.used(arrived.usage.total or prompt.estimated_tokens + written)

    def _read(self, prompt: Prompt, dialect: Dialect, arrived: Arrived, seconds: float) -> Reply:
        """Return the reply, or raise why it cannot be used; how it ended comes before what it says."""
        answered = in_a_sentence(arrived.model or self.model)
        if arrived.refusal:
            raise ModelRefused(answered, quoted(in_a_sentence(arrived.refusal)))
        if arrived.finish == "content_filter":
            raise ModelRefused(answered, "a filter of the server stopped the reply")
        if arrived.finish == "error":
            raise ModelServerFailed(self.client.origin, None, "it stopped in the middle of the reply")
        text = without_reasoning(arrived.text)
        if not text and not arrived.finish and arrived.is_over:
            raise EmptyReply(answered)
        if not arrived.finish or arrived.is_broken:
            raise TruncatedReply(answered)
        if arrived.finish == "length":
            if not text:
                raise EmptyReply(answered, thought=True)
            raise TruncatedReply(answered, dialect.limit(self.sampling) or arrived.usage.completion_tokens)
        if not text:
            raise EmptyReply(answered, thought=bool(arrived.thought))
        if self._has_lost_text(prompt, arrived.usage):
            raise ContextTooSmall(answered, prompt.estimated_tokens, arrived.usage.prompt_tokens)
        reply = Reply(text, answered, usage=self._priced(arrived.usage), seconds=seconds)
        if prompt.schema is None:
            return reply
        value = read_object(arrived.text, checker(prompt.schema), wrapper=prompt.name)
        if isinstance(value, Unreadable):
            self._learn(dialect.after_a_broken_schema())
            raise UnreadableReply(answered, in_a_sentence(value.reason), text)
        if dialect.breaks:
            self._learn(replace(dialect, breaks=0))
        return replace(reply, value=value)

    def _is_empty(self, arrived: Arrived) -> bool:
        ended_well = arrived.finish not in ("length", "error", "content_filter") and (arrived.finish or arrived.is_over)
        return bool(ended_well) and not arrived.refusal and not without_reasoning(arrived.text)

    def _wants_room(self, arrived: Arrived, dialect: Dialect) -> bool:
        """Return whether a model used up its limit with reasoning, and a higher limit was not tried yet."""
        if arrived.finish != "length" or without_reasoning(arrived.text) or dialect.thinks:
            return False
        limit = dialect.limit(self.sampling)
        return limit is not None and limit < ROOM_TO_THINK

    def _has_lost_text(self, prompt: Prompt, usage: Usage) -> bool:
        """Return whether the server counted so few tokens that it cannot have read the whole prompt."""
        characters = sum(len(one.content) for one in prompt.messages)
        if usage.prompt_tokens is None or characters < _ENOUGH_TO_TELL:
            return False
        read = usage.prompt_tokens + (usage.cached_tokens or 0)
        return read < characters // _CHARACTERS_OF_A_LOST_TOKEN

    def _priced(self, usage: Usage) -> Usage:
        if self.prices is None or usage.prompt_tokens is None or usage.completion_tokens is None:
            return usage
        cost = self.prices.cost(usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens or 0)
        return replace(usage, cost=cost)

    def _better(self, dialect: Dialect, fault: Fault, prompt: Prompt) -> Dialect | None:
        """Return how to ask again after a refusal, if something else than asking later may help."""
        nothing_there = fault.status in (_NOT_FOUND, 405) and not fault.is_without_model
        if nothing_there and not dialect.path and not self.client.address.endswith("/v1"):
            return replace(dialect, path="/v1")
        return adjusted(dialect, fault, prompt.schema)

    def _dialect(self) -> Dialect:
        known = self.dialects.known(self.client.address, self.model)
        return known if known is not None else first_dialect(self.client.address)

    def _learn(self, dialect: Dialect) -> None:
        if self.dialects.known(self.client.address, self.model) != dialect:
            self.dialects.learn(self.client.address, self.model, dialect)

    def _logged(self, prompt: Prompt, arrived: Arrived) -> Noted:
        return Noted(self.log, self.client.origin, self.model, prompt.name, prompt.policy, arrived)

    async def _models(self) -> tuple[str, ...]:
        nothing = Arrived()
        with Noted(self.log, self.client.origin, self.model, "models", "none", nothing) as noted:
            listed = await self.client.model_list(self._dialect().path, noted.begin, _LIST_SECONDS)
        return names_in(listed)
