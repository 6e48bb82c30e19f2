"""An approval says what a person has to confirm besides, and no way leads round it."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from fastmcp import Client

from jupyter_mcpgen.answer import answer_of
from jupyter_mcpgen.authors.both import Both
from jupyter_mcpgen.authors.embedded import EmbeddedAuthor
from jupyter_mcpgen.authors.ladder import Ladder
from jupyter_mcpgen.authors.modelled.author import ModelledAuthor
from jupyter_mcpgen.authors.modelled.sheet import Policy
from jupyter_mcpgen.errors import AskedBack, NotConfirmed
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.feedback import Decision, OutputVerdict, UserFeedback
from jupyter_mcpgen.model.tool import Approval
from jupyter_mcpgen.pipeline.draft import Staged
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.server.app import build_app
from jupyter_mcpgen.server.shelf import RegistryShelf
from tests.fakes.model import ScriptedModel
from tests.products import new_runtime

pytestmark = pytest.mark.ungated  # what has to be confirmed is known before them

HIVES = pd.DataFrame({"meadow": ["Lea", "Lea", "Fen", "Fen"], "honey": [4.0, 2.5, 3.0, None]})
BY_MEADOW = "SELECT meadow, sum(honey) AS total FROM hives GROUP BY meadow ORDER BY total DESC NULLS LAST"


def sql(query: str | None, **more: Any) -> dict[str, Any]:
    told = {"notes": "", "kind": "sql", "reading": "honey", "chart": None, "assumptions": [], "message": None}
    return {**told, "options": [], "missing": [], "sql": query, **more}


def asked(runtime: Runtime, reply: dict[str, Any], question: str = "what did each side of the farm give") -> Card:
    author = ModelledAuthor("played", lambda: ScriptedModel({"sql": [reply]}), Policy())
    vars(runtime)["services"] = replace(runtime.services, author=author)
    answer = runtime.ask(question, runtime.reference("hives", HIVES))
    assert isinstance(answer, Staged)
    return answer.card


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Card]:
    """Return a registry with the card of an answer that a model alone read, asked once."""
    folder = tmp_path_factory.mktemp("read")
    return folder / "registry", asked(new_runtime(folder), sql(BY_MEADOW))


@pytest.fixture
def card(runtime: Runtime, read: tuple[Path, Card]) -> Card:
    """Have that card in a registry to decide in."""
    registry, card = read
    shutil.copytree(registry, runtime.registry.root, dirs_exist_ok=True)
    return card


def test_a_reading_of_the_model_alone_is_saved_only_when_a_person_says_that_it_is_meant(
    runtime: Runtime, card: Card
) -> None:
    with pytest.raises(NotConfirmed, match=f"as “{card.reading}”.*`%mcpgen approve {card.card_id} --as-read`"):
        runtime.approve(card.card_id, confirmed=[Confirms.UNCHECKED])
    left = runtime.card(card.card_id)
    saved = runtime.approve(card.card_id, confirmed=[Confirms.AS_READ])

    assert left.status is ToolStatus.STAGED
    assert left.feedback.output is OutputVerdict.PENDING
    assert saved.status is ToolStatus.PROMOTED


def test_what_was_confirmed_is_stored_with_the_approval(runtime: Runtime, card: Card) -> None:
    runtime.approve(card.card_id, confirmed=[Confirms.AS_READ])

    tool = runtime.registry.tool(card.tool_name)
    stored = Approval.model_validate_json((tool.path / "approval.json").read_text(), extra="ignore")
    assert stored.confirmed == (Confirms.AS_READ,)


@pytest.mark.parametrize("words", ["approve", "approve as-read", "approve unchecked", "approved, as read"])
def test_words_of_the_step_by_step_way_confirm_nothing(runtime: Runtime, card: Card, words: str) -> None:
    runtime.answer(card.card_id, card.fingerprint, "output", "yes", None)

    with pytest.raises(NotConfirmed):
        runtime.answer(card.card_id, card.fingerprint, "registration", words, None)

    assert runtime.active() == ()


def test_the_registry_itself_keeps_no_approval_that_leaves_a_confirmation_out(runtime: Runtime, card: Card) -> None:
    when = "2026-01-01T00:00:00Z"
    approval = Approval(
        tool_name=card.tool_name,
        version=card.version,
        fingerprint=card.fingerprint,
        approved_by="somebody",
        approved_at=when,
    )

    with pytest.raises(NotConfirmed):
        runtime.registry.promote(card.card_id, approval, UserFeedback(decision=Decision.APPROVED, timestamp=when))

    assert runtime.active() == ()


def test_no_tool_of_the_server_approves_or_confirms(runtime: Runtime, card: Card) -> None:
    shelf = RegistryShelf(runtime.registry, runtime.call_tool)

    async def listed() -> list[Any]:
        async with Client(build_app(shelf, state_key=b"k" * 32)) as client:
            return list(await client.list_tools())

    tools = asyncio.run(listed())
    taken = {name for tool in tools for name in tool.inputSchema.get("properties", {})}
    assert tools
    assert not any("approve" in tool.name or "confirm" in tool.name for tool in tools)
    assert not {"confirmed", "as_read", "unchecked", "approve"} & taken
    assert runtime.card(card.card_id).status is ToolStatus.STAGED


@pytest.mark.soak
def test_a_reading_that_a_person_picked_needs_no_second_word(runtime: Runtime) -> None:
    options = [
        {"reading": "all honey", "sql": "SELECT sum(honey) AS total FROM hives"},
        {"reading": "usual honey", "sql": "SELECT avg(honey) AS usual FROM hives"},
    ]
    with pytest.raises(AskedBack) as caught:
        asked(runtime, sql(None, kind="question", message="All or usual?", options=options))

    card = runtime.pick(caught.value.question_id, "mean of honey")

    assert card.confirmations == ()
    assert card.read_by == "A person picked this reading."
    assert runtime.approve(card.card_id).status is ToolStatus.PROMOTED


@pytest.mark.soak
def test_a_follow_up_on_what_the_model_alone_read_needs_the_same_confirmation(runtime: Runtime) -> None:
    asked(runtime, sql(BY_MEADOW))
    model = ModelledAuthor("away", lambda: ScriptedModel({}), Policy())
    vars(runtime)["services"] = replace(runtime.services, author=Ladder(EmbeddedAuthor(), model))
    hives = runtime.reference("hives", HIVES)

    followed = runtime.ask("only where meadow is Lea", hives, follow=True)
    again = runtime.ask("only Fen", hives, follow=True)
    alone = runtime.ask("total honey by meadow", hives, follow=True)

    assert isinstance(followed, Staged)
    assert isinstance(again, Staged)
    assert isinstance(alone, Staged)
    assert [each.confirms for each in followed.card.confirmations] == [Confirms.AS_READ]
    assert [each.confirms for each in again.card.confirmations] == [Confirms.AS_READ]
    assert alone.card.confirmations == ()
    with pytest.raises(NotConfirmed):
        runtime.approve(again.card.card_id)


@pytest.mark.soak
def test_a_model_that_agrees_with_a_change_of_its_own_reading_is_no_second_reader(runtime: Runtime) -> None:
    asked(runtime, sql(BY_MEADOW))
    reply = sql(BY_MEADOW.replace("GROUP", "WHERE meadow = 'Lea' GROUP"))
    model = ModelledAuthor("played", lambda: ScriptedModel({"sql": [reply]}), Policy())
    vars(runtime)["services"] = replace(runtime.services, author=Both(EmbeddedAuthor(), model))

    followed = runtime.ask("only where meadow is Lea", runtime.reference("hives", HIVES), follow=True)

    assert isinstance(followed, Staged)
    assert followed.card.read_by == "Read by the model: is this what you meant?"
    assert [each.confirms for each in followed.card.confirmations] == [Confirms.AS_READ]


@pytest.mark.soak
def test_a_reading_of_the_planner_or_of_both_needs_none(runtime: Runtime) -> None:
    planned = runtime.ask("total honey by meadow", runtime.reference("hives", HIVES))
    reply = sql("SELECT meadow, sum(honey) AS s FROM hives GROUP BY meadow")
    model = ModelledAuthor("played", lambda: ScriptedModel({"sql": [reply]}), Policy())
    vars(runtime)["services"] = replace(runtime.services, author=Both(EmbeddedAuthor(), model))
    both = runtime.ask("total honey by meadow", runtime.reference("hives", HIVES))

    assert isinstance(planned, Staged)
    assert isinstance(both, Staged)
    assert both.card.read_by.startswith("Read the same way by two readers")
    assert (planned.card.confirmations, both.card.confirmations) == ((), ())


def test_another_name_does_not_get_round_it(runtime: Runtime) -> None:
    card = asked(runtime, sql(BY_MEADOW))

    with pytest.raises(NotConfirmed):
        runtime.approve(card.card_id, "honey_by_meadow")

    assert [candidate.tool_id for candidate in runtime.registry.staged()] == [card.card_id]
    assert runtime.approve(card.card_id, "honey_by_meadow", confirmed=[Confirms.AS_READ]).tool_name == "honey_by_meadow"


@pytest.mark.soak
def test_an_answer_is_approved_in_python_with_the_same_word(runtime: Runtime) -> None:
    card = asked(runtime, sql(BY_MEADOW))
    staged = runtime.ask("what did each side of the farm give", runtime.reference("hives", HIVES))
    assert isinstance(staged, Staged)
    answer = answer_of(staged, runtime, {"hives": HIVES})

    with pytest.raises(NotConfirmed):
        answer.approve()
    answer.approve(as_read=True)

    assert answer.tool is not None
    assert staged.card.card_id == card.card_id
