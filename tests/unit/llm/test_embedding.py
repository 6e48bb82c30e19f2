"""Embeddings are asked for in one request, read with suspicion, and logged like every other request."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import BudgetSpent, ModelDown, ModelServerFailed, NoEmbeddings, WrongKey
from jupyter_mcpgen.llm.background import Background
from jupyter_mcpgen.llm.budget import DayPurse, Purse
from jupyter_mcpgen.llm.client import Client
from jupyter_mcpgen.llm.embedding import Embedder
from jupyter_mcpgen.llm.log import RequestLog
from tests.imitations.acts import always, at, endless, error, refuse, reset, silent
from tests.imitations.server import Act, Imitation

TEXTS = ("sum of crates", "mean of prices")


def embedded(*vectors: object, **more: object) -> Act:
    listed = [{"object": "embedding", "index": place, "embedding": one} for place, one in enumerate(vectors)]
    return refuse(200, {"object": "list", "data": listed, "model": "imitated", **more})


def answers(body: object) -> Act:
    return refuse(200, body)


GOOD = embedded([1.0, 0.5], [0.25, -1.0], usage={"prompt_tokens": 9, "total_tokens": 9})


@contextmanager
def embedder_at(
    address: str, folder: Path, purses: tuple[Purse | DayPurse, ...] = (), seconds: float = 60.0
) -> Iterator[Embedder]:
    background, client = Background(), Client(address, None)
    log = RequestLog(folder / "requests.jsonl")
    yield Embedder(lambda: client, "small-embedder", background, log, lambda: purses, seconds)
    background.close(client.close)


def test_all_texts_go_in_one_request_and_each_gets_its_vector(tmp_path: Path) -> None:
    with Imitation(((at("/v1/embeddings"), GOOD),)) as server, embedder_at(server.address, tmp_path) as embedder:
        vectors = embedder.vectors(TEXTS)

    (sent,) = server.arrivals
    assert vectors == ((1.0, 0.5), (0.25, -1.0))
    assert sent.body == {"model": "small-embedder", "input": list(TEXTS), "encoding_format": "float"}


def test_vectors_are_put_in_the_order_of_the_texts(tmp_path: Path) -> None:
    swapped = answers({"data": [{"index": 1, "embedding": [2]}, {"index": 0, "embedding": [1]}]})
    with Imitation(((always, swapped),)) as server, embedder_at(server.address, tmp_path) as embedder:
        assert embedder.vectors(TEXTS) == ((1.0,), (2.0,))


def test_what_is_sent_is_in_the_log_of_requests_without_its_words(tmp_path: Path) -> None:
    with Imitation(((always, GOOD),)) as server, embedder_at(server.address, tmp_path) as embedder:
        embedder.vectors(TEXTS)
        (entry,) = embedder.log.entries()

    assert (entry.model, entry.prompt, entry.status, entry.prompt_tokens) == ("small-embedder", "embeddings", "ok", 9)
    assert entry.body_bytes == len(server.arrivals[0].raw)
    assert "crates" not in (tmp_path / "requests.jsonl").read_text()


def test_an_address_without_its_ending_is_completed(tmp_path: Path) -> None:
    with (
        Imitation(((at("/v1/embeddings"), GOOD),)) as server,
        embedder_at(server.address.removesuffix("/v1"), tmp_path) as embedder,
    ):
        assert len(embedder.vectors(TEXTS)) == 2

    assert [one.path for one in server.arrivals] == ["/embeddings", "/v1/embeddings"]


def test_tokens_count_against_the_budget_and_a_spent_one_sends_nothing(tmp_path: Path) -> None:
    purse = Purse(40)
    with Imitation(((always, GOOD),)) as server, embedder_at(server.address, tmp_path, (purse,)) as embedder:
        embedder.vectors(TEXTS)
        with pytest.raises(BudgetSpent):
            embedder.vectors([*TEXTS, "x" * 200])

    assert (purse.spent, len(server.arrivals)) == (9, 1)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "act",
    [
        embedded([1.0]),
        embedded([1.0], [1.0, 2.0]),
        embedded([1.0], []),
        embedded([0.0], [0.0]),
        embedded([1.0], None),
        embedded([1.0], ["one"]),
        embedded([1.0], "AACAPw=="),
        embedded([1.0], [10**400]),
        refuse(200, '{"data": [{"embedding": [1]}, {"embedding": [NaN]}]}'),
        answers({"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}),
        answers({"data": [{"index": [0], "embedding": [1]}, {"index": 1, "embedding": [1]}]}),
        answers({"data": None}),
        answers({"data": [1, 2]}),
        answers([]),
        answers("null"),
    ],
)
def test_a_reply_that_has_not_one_vector_for_each_text_is_refused(act: Act, tmp_path: Path) -> None:
    with (
        Imitation(((always, act),)) as server,
        embedder_at(server.address, tmp_path) as embedder,
        pytest.raises(NoEmbeddings, match=r"not one vector for each text.*`llm\.embedding`"),
    ):
        embedder.vectors(TEXTS)


@pytest.mark.parametrize(
    ("act", "failure", "said"),
    [
        (
            error(404, "The model `small-embedder` does not exist", code="model_not_found"),
            NoEmbeddings,
            "no such model",
        ),
        (refuse(404), NoEmbeddings, "offers none"),
        (error(401, "bad key"), WrongKey, "asks for a key"),
        (error(500, "broken pipe"), ModelServerFailed, "broken pipe"),
        (refuse(200, {"error": {"message": "no memory"}}), ModelServerFailed, "no memory"),
        (refuse(200, '{"data": ['), ModelServerFailed, "half a reply"),
        (reset, ModelServerFailed, "connection was lost"),
        (endless("application/json", b"["), NoEmbeddings, "far more"),
    ],
    ids=["no model", "no path", "key", "status", "error", "half", "reset", "endless"],
)
def test_a_server_that_gives_none_is_told_apart(act: Act, failure: type[Exception], said: str, tmp_path: Path) -> None:
    with (
        Imitation(((always, act),)) as server,
        embedder_at(server.address, tmp_path) as embedder,
        pytest.raises(failure, match=said),
    ):
        embedder.vectors(TEXTS)


def test_a_silent_server_is_left_after_a_while(tmp_path: Path) -> None:
    with Imitation(((always, silent),)) as server:
        with (
            embedder_at(server.address, tmp_path, seconds=0.05) as embedder,
            pytest.raises(NoEmbeddings, match="sent nothing in"),
        ):
            embedder.vectors(TEXTS)
        assert server.gone.wait(60)
        assert [entry.status for entry in embedder.log.entries()] == ["silent"]


def test_a_server_that_is_down_is_said_to_be(tmp_path: Path) -> None:
    with Imitation(()) as server:
        address = server.address
    with embedder_at(address, tmp_path) as embedder, pytest.raises(ModelDown):
        embedder.vectors(TEXTS)


def test_the_log_is_written_before_anything_is_sent(tmp_path: Path) -> None:
    noted: list[str] = []

    def see(wire) -> None:
        noted.extend(json.loads(line)["status"] for line in (tmp_path / "requests.jsonl").read_text().splitlines())
        GOOD(wire)

    with Imitation(((always, see),)) as server, embedder_at(server.address, tmp_path) as embedder:
        embedder.vectors(TEXTS)

    assert noted == ["sent"]
