"""Questions and tools are compared by meaning where the settings name an embedding model, over real HTTP."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from jupyter_mcpgen.llm.log import RequestLog
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.pipeline.near import COMPARED
from jupyter_mcpgen.readers import Reader
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.settings import load_settings, state_folder
from jupyter_mcpgen.verbs.modelling import model
from tests.flow.asking.product import keep, shown, staged
from tests.imitations.acts import at, refuse
from tests.imitations.server import Act, Imitation, Wire
from tests.products import know_proof, new_runtime, ungated

KILNS = "kiln,glaze,pots,fee\nNorth,Celadon,14,6.5\nSouth,Tenmoku,9,4.5\nNorth,Tenmoku,5,7.0\nSouth,Celadon,8,3.0\n"
EMBEDDER = "imitated-embedder"
NEAR_QUESTION = "total pots by kiln where fee > 4"


def vectors(wire: Wire) -> None:
    """Give each text the same direction, so that all are alike."""
    texts = wire.server.imitation.arrivals[-1].body["input"]
    refuse(200, {"data": [{"index": place, "embedding": [1, 1]} for place in range(len(texts))]})(wire)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the log, the budget and the index of each test apart."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(know_proof(tmp_path / "data")))


@pytest.fixture(scope="module")
def kilns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return four rows of firings, in a folder whose registry has the tool `pots_of`."""
    folder = tmp_path_factory.mktemp("kilns")
    path = folder / "kilns.csv"
    path.write_text(KILNS)
    runtime = ungated(folder)
    card = staged(runtime.ask("total pots by kiln", runtime.reference(str(path)), "pots_of"))
    card = runtime.answer(card.card_id, card.fingerprint, "output", "Yes", None)
    keep(runtime, card)
    return path


Opened = Callable[[Imitation], tuple[Runtime, DataRef]]


@pytest.fixture
def opened(kilns: Path, tmp_path: Path) -> Iterator[Opened]:
    """Give what opens a product whose model is at a server, with its table; the connections are closed at the end."""
    products: list[Runtime] = []
    shutil.copytree(kilns.parent / "registry", tmp_path / "registry")

    def make(server: Imitation, **more: object) -> tuple[Runtime, DataRef]:
        settings = {"llm.model": "imitated", "llm.base_url": server.address, "llm.embedding": EMBEDDER, **more}
        runtime = new_runtime(tmp_path, **settings)
        products.append(runtime)
        return runtime, runtime.reference(str(kilns))

    yield make
    for runtime in products:
        if runtime.connection is not None:
            runtime.connection.close()


def reasons(card: Card) -> str:
    (line,) = (item for item in card.evidence if item.check == COMPARED)
    return line.sentence


def serving(act: Act = vectors) -> AbstractContextManager[Imitation]:
    return Imitation(((at("/v1/embeddings"), act),))


def test_the_card_says_that_embeddings_compared_the_words(opened: Opened) -> None:
    with serving() as server:
        runtime, data = opened(server)
        card = shown(runtime, runtime.compute(NEAR_QUESTION, data))

    (sent,) = server.arrivals
    asked, told = sent.body["input"]
    assert f"words 100% alike by the embeddings of `{EMBEDDER}` (weight 0.1)" in reasons(card)
    assert "Not compared" not in reasons(card)
    assert (sent.body["model"], NEAR_QUESTION.split()[:4]) == (EMBEDDER, asked.split()[:4])
    assert told.startswith("pots_of".replace("_", " "))


@pytest.mark.soak
def test_a_tool_is_embedded_once_also_for_the_next_process(opened: Opened) -> None:
    with serving() as server:
        for question in (NEAR_QUESTION, "total pots by kiln where fee > 5"):
            runtime, data = opened(server)
            runtime.compute(question, data)

    assert [len(one.body["input"]) for one in server.arrivals] == [2, 1]


def test_what_leaves_the_machine_is_in_the_log_of_model_requests(opened: Opened) -> None:
    with serving() as server:
        runtime, data = opened(server)
        runtime.compute(NEAR_QUESTION, data)

    (entry,) = RequestLog(state_folder() / "llm" / "requests.jsonl").entries()
    assert (entry.origin, entry.model, entry.prompt) == (server.address.removesuffix("/v1"), EMBEDDER, "embeddings")
    assert (entry.status, entry.body_bytes) == ("ok", len(server.arrivals[0].raw))


@pytest.mark.soak
def test_where_the_server_fails_the_words_are_compared_by_spelling_and_the_card_says_why(opened: Opened) -> None:
    with serving(refuse(500, {"error": {"message": "no memory"}})) as server:
        runtime, data = opened(server)
        card = staged(runtime.ask(NEAR_QUESTION, data))

    assert "alike by spelling (weight 0.1)" in reasons(card)
    assert "Not compared by embeddings: The model server at" in reasons(card)
    assert card.sound


def test_without_the_setting_nothing_is_sent_and_the_card_says_that_spelling_was_compared(opened: Opened) -> None:
    with serving() as server:
        runtime, data = opened(server, **{"llm.embedding": None})
        card = shown(runtime, runtime.compute(NEAR_QUESTION, data))

    assert server.arrivals == []
    assert "alike by spelling (weight 0.1)" in reasons(card)
    assert "Not compared" not in reasons(card)


def test_a_question_to_the_planner_alone_sends_nothing(opened: Opened) -> None:
    with serving() as server:
        runtime, data = opened(server)
        card = shown(runtime, runtime.compute(NEAR_QUESTION, data, reader=Reader.PLANNER))

    assert server.arrivals == []
    assert "alike by spelling" in reasons(card)


def test_a_project_cannot_switch_it_on(tmp_path: Path) -> None:
    (tmp_path / "mcpgen.yaml").write_text("llm:\n  embedding: theirs\n")

    loaded = load_settings(project=tmp_path, environment={})

    assert loaded.values.llm.embedding is None
    assert "`llm.embedding`" in loaded.ignored[0]


def test_the_model_command_says_what_the_embedding_model_is_sent(opened: Opened) -> None:
    with serving() as server:
        runtime, _ = opened(server)
        text = model([], runtime).text

    assert f"`{EMBEDDER}` there compares questions with your tools. It is sent your question, and the names" in text
