"""The model reads again what the planner answered, and the card says what came of it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from jupyter_mcpgen.authors.modelled.author import ModelledAuthor
from jupyter_mcpgen.authors.modelled.sheet import Policy
from jupyter_mcpgen.errors import EmptyReply, ModelDown
from jupyter_mcpgen.llm.model import Model
from jupyter_mcpgen.llm.prompt import Prompt
from jupyter_mcpgen.llm.reply import Reply
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.pipeline.draft import Staged
from jupyter_mcpgen.pipeline.second_reading import read_again
from jupyter_mcpgen.readers import Reader
from jupyter_mcpgen.registry.audit import Action
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.settings import LlmSettings
from tests.fakes.model import Answer, ScriptedModel
from tests.products import ungated

pytestmark = pytest.mark.ungated  # the model reads what was answered, tested or not

LOOMS = pd.DataFrame(
    {
        "hall": ["North", "North", "South", "South", "South", None],
        "metres": [12.0, 8.5, 6.0, None, 9.25, 4.0],
        "stops": [2, 1, 3, 1, 2, 1],
    }
)
SAME = "SELECT hall, sum(metres) AS s FROM looms WHERE hall IS NOT NULL GROUP BY hall"
OTHER = SAME.replace("sum", "avg")
BY_PLANNER = "Read by the planner: is this what you meant?"
BY_BOTH = "Read the same way by two readers, the planner and the model."


def reply(**parts: Any) -> dict[str, Any]:
    empty: dict[str, Any] = {"sql": None, "message": None, "options": [], "missing": []}
    return {"notes": "", "kind": "sql", "reading": "metres", "chart": "bar", "assumptions": [], **empty, **parts}


def of(model: Model) -> ModelledAuthor:
    return ModelledAuthor("played", lambda: model, Policy())


def answered(runtime: Runtime) -> Staged:
    staged = runtime.ask("total metres by hall", runtime.reference("looms", LOOMS))
    assert isinstance(staged, Staged)
    assert staged.card.read_by == BY_PLANNER
    return staged


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Staged]:
    """Return an answer of the planner that was staged once, and its registry."""
    runtime = ungated(tmp_path_factory.mktemp("looms"))
    return runtime.registry.root, answered(runtime)


@pytest.fixture
def staged(runtime: Runtime, once: tuple[Path, Staged]) -> Staged:
    """Return that answer, with a copy of its registry to decide in."""
    shutil.copytree(once[0], runtime.registry.root, dirs_exist_ok=True)
    return once[1]


def read(runtime: Runtime, staged: Staged, answer: Answer) -> Card | None:
    return read_again(staged, of(ScriptedModel({"sql": [answer]})), runtime.services)


def test_a_card_that_the_model_reads_the_same_says_so_and_stays_the_same_content(
    runtime: Runtime, staged: Staged
) -> None:
    changed = read(runtime, staged, reply(sql=SAME))

    stored = runtime.card(staged.card.card_id)
    assert changed == stored == staged.card.replace(read_by=BY_BOTH)
    assert [(line.action, line.by, line.notes) for line in runtime.registry.audit.entries()] == [
        (Action.READ_AGAIN, "played", BY_BOTH)
    ]
    assert runtime.approve(stored.card_id).status == "PROMOTED"
    assert runtime.registry.doctor().ok
    assert runtime.card(stored.card_id).read_by == BY_BOTH


@pytest.mark.soak
def test_a_card_that_the_model_reads_differently_says_how_and_claims_nothing(runtime: Runtime, staged: Staged) -> None:
    read(runtime, staged, reply(sql=OTHER))

    told = runtime.card(staged.card.card_id)
    assert told.read_by.startswith(f"{BY_PLANNER} The model read this differently: mean of metres by hall.")
    assert (told.table, told.evidence, told.sound) == (staged.card.table, staged.card.evidence, True)


@pytest.mark.parametrize(
    "answer",
    [
        ModelDown("http://127.0.0.1:1", "nothing listens there"),
        reply(kind="refusal", message="No column says that.", missing=["weavers"]),
        reply(kind="question", message="Of which year?", options=[]),
        reply(sql="DROP TABLE looms"),
        EmptyReply("played"),
    ],
    ids=["down", "refuses", "asks", "attacks", "silent"],
)
def test_a_model_that_does_not_answer_leaves_the_card_and_the_open_questions_as_they_were(
    runtime: Runtime, staged: Staged, answer: Answer
) -> None:
    assert read(runtime, staged, answer) is None

    assert runtime.card(staged.card.card_id) == staged.card
    assert list(runtime.registry.audit.entries()) == []
    assert runtime.unanswered is None


class _Meanwhile:
    """A model during whose reply a person decides."""

    def __init__(self, runtime: Runtime, card: Card, decision: str) -> None:
        self._runtime, self._card, self._decision = runtime, card, decision
        self._model = ScriptedModel({"sql": [reply(sql=SAME)]})

    def ask(self, prompt: Prompt, **options: Any) -> tuple[Reply, ...]:
        card, said = self._card, self._decision
        if said == "yes":
            self._runtime.answer(card.card_id, card.fingerprint, "output", said, None)
        else:
            self._runtime.answer(card.card_id, card.fingerprint, "registration", said, None)
        return self._model.ask(prompt, **options)


@pytest.mark.soak
@pytest.mark.parametrize("decision", ["approve", "reject", "yes"])
def test_a_decision_taken_meanwhile_stands(runtime: Runtime, staged: Staged, decision: str) -> None:
    if decision == "approve":
        runtime.answer(staged.card.card_id, staged.card.fingerprint, "output", "yes", None)

    assert read_again(staged, of(_Meanwhile(runtime, staged.card, decision)), runtime.services) is None

    decided = runtime.card(staged.card.card_id)
    assert decided.status == {"approve": "PROMOTED", "reject": "REJECTED", "yes": "STAGED"}[decision]
    assert decided.read_by == BY_PLANNER
    assert Action.READ_AGAIN not in [line.action for line in runtime.registry.audit.entries()]
    assert runtime.registry.doctor().ok


@pytest.mark.soak
def test_the_engine_of_the_answer_is_left_to_its_own_thread(runtime: Runtime) -> None:
    staged = answered(runtime)
    staged.computed.material.engine.close()

    changed = read(runtime, staged, reply(sql=SAME))

    assert changed is not None
    assert changed.read_by == BY_BOTH


@pytest.mark.soak
def test_data_that_changed_meanwhile_are_not_compared_and_not_sent(runtime: Runtime, tmp_path: Path) -> None:
    path = tmp_path / "looms.csv"
    LOOMS.to_csv(path, index=False)
    staged = runtime.ask("total metres by hall", runtime.reference(str(path)))
    assert isinstance(staged, Staged)
    LOOMS.head(2).to_csv(path, index=False)
    model = ScriptedModel({"sql": [reply(sql=SAME)]})

    assert read_again(staged, of(model), runtime.services) is None

    assert model.asked == []


def test_nothing_is_read_again_unless_the_settings_and_the_ladder_say_so(runtime: Runtime, staged: Staged) -> None:
    named = {"model": "loom-7b", "base_url": "http://127.0.0.1:1/v1"}
    runtime.use(LlmSettings.model_validate(named))
    assert runtime.second_reading(staged, Reader.LADDER) is None

    runtime.use(LlmSettings.model_validate({**named, "second_reader": True}))

    assert runtime.second_reading(staged, Reader.LADDER) is not None
    assert runtime.second_reading(staged, Reader.PLANNER) is None
    assert runtime.second_reading(staged, Reader.BOTH) is None
