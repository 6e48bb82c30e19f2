"""What every model promises, whatever is behind it: a server, a recording, kept replies, or the fake of the tests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from jupyter_mcpgen.errors import AskCancelled, ModelError, ModelServerFailed
from jupyter_mcpgen.llm.cached import Cached
from jupyter_mcpgen.llm.fallback import WithFallback
from jupyter_mcpgen.llm.model import Model, Progress
from jupyter_mcpgen.llm.prompt import Message, Prompt
from jupyter_mcpgen.llm.recorded import Recorded, Recording
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from tests.fakes.model import ScriptedModel
from tests.imitations.acts import always, says, sends
from tests.imitations.endpoints import PAINT, endpoint_at, prompt
from tests.imitations.quirks import GOOD, WRITTEN
from tests.imitations.server import Imitation

TEXT = "Red it is."
WITH_SCHEMA = prompt()
AS_TEXT = Prompt("free", (Message("user", "Which colour?"),))
UNKNOWN = Prompt("unknown", (Message("user", "Nobody has an answer to this."),), PAINT)


def scripted() -> ScriptedModel:
    return ScriptedModel({"paint": [GOOD], "free": [TEXT]})


@contextmanager
def an_endpoint(folder: Path) -> Iterator[Model]:
    def is_unknown(arrival: Any) -> bool:
        return always(arrival) and "Nobody" in arrival.body["messages"][0]["content"]

    rules = ((is_unknown, says("")), (sends("response_format"), says(WRITTEN)), (always, says(TEXT)))
    with Imitation(rules) as server, endpoint_at(server.address, folder) as endpoint:
        yield endpoint


@contextmanager
def a_recording(folder: Path) -> Iterator[Model]:
    for one in (WITH_SCHEMA, AS_TEXT):
        Recording(scripted(), folder).ask(one, candidates=3)
    yield Recorded(folder)


@contextmanager
def kept(folder: Path) -> Iterator[Model]:
    model = Cached(scripted(), folder, "scripted")
    for one in (WITH_SCHEMA, AS_TEXT):
        model.ask(one)
    yield model


@contextmanager
def a_fallback(folder: Path) -> Iterator[Model]:
    broken = ScriptedModel({name: [ModelServerFailed("o", 500, "")] for name in ("paint", "free")})
    yield WithFallback(broken, scripted(), "scripted")


Opened = Callable[[Path], AbstractContextManager[Model]]
MODELS: Mapping[str, Opened] = {
    "scripted": lambda folder: nullcontext(scripted()),
    "endpoint": an_endpoint,
    "recorded": a_recording,
    "recording": lambda folder: nullcontext(Recording(scripted(), folder)),
    "cached": lambda folder: nullcontext(Cached(scripted(), folder, "scripted")),
    "kept": kept,
    "fallback": a_fallback,
}


@pytest.fixture(params=MODELS)
def model(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Model]:
    with MODELS[request.param](tmp_path) as opened:
        yield opened


def test_a_prompt_with_a_schema_gives_an_object_that_keeps_to_it(model: Model) -> None:
    replies = model.ask(WITH_SCHEMA)

    assert [reply.value for reply in replies] == [GOOD]
    assert replies[0].model


def test_a_prompt_without_a_schema_gives_text_alone(model: Model) -> None:
    assert [(reply.text, reply.value) for reply in model.ask(AS_TEXT)] == [(TEXT, None)]


@pytest.mark.parametrize("candidates", [1, 2, 3])
def test_there_are_at_least_one_and_at_most_so_many_replies_as_candidates(model: Model, candidates: int) -> None:
    replies = model.ask(WITH_SCHEMA, candidates=candidates)

    assert len(replies) == candidates
    assert all(reply.value == GOOD for reply in replies)


def test_a_prompt_that_has_no_answer_is_an_error_of_models(model: Model) -> None:
    with pytest.raises(ModelError):
        model.ask(UNKNOWN)


def test_who_has_cancelled_gets_no_reply(model: Model) -> None:
    cancelled = Cancellation()
    cancelled.cancel()

    with pytest.raises(AskCancelled):
        model.ask(WITH_SCHEMA, cancelled=cancelled)


def test_progress_comes_in_the_thread_of_the_caller(model: Model) -> None:
    threads: list[threading.Thread] = []

    def listen(progress: Progress) -> None:
        threads.append(threading.current_thread())

    model.ask(WITH_SCHEMA, progress=listen)

    assert set(threads) <= {threading.current_thread()}
