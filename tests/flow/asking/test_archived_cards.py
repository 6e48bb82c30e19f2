"""The card of a version that is not active any more never says that it is live, wherever it is shown."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from jupyter_mcpgen.answer import Answer, answer_of
from jupyter_mcpgen.card_text import html, markdown, plain
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Archived, Card
from jupyter_mcpgen.pipeline.draft import Staged
from jupyter_mcpgen.runtime import Runtime
from tests.products import ungated

TOLLS = "bridge,lane,fee,trucks\nNorth,1,4.5,12\nSouth,2,3.0,7\nNorth,2,5.5,9\n"
FIRST, SECOND = "1.0.0", "1.1.0"


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Staged]]:
    """Save two versions of `fees_of`, one after the other; return the registry and the answers as they were staged."""
    folder = tmp_path_factory.mktemp("tolls")
    (folder / "tolls.csv").write_text(TOLLS)
    runtime = ungated(folder)
    answers = []
    for question in ("total fee by bridge", "average fee by bridge"):
        staged = runtime.ask(question, runtime.reference(str(folder / "tolls.csv")), name="fees_of")
        assert isinstance(staged, Staged)
        answer_of(staged, runtime, {}).approve()
        answers.append(staged)
    return runtime.registry.root, answers


@pytest.fixture
def versions(runtime: Runtime, saved: tuple[Path, list[Staged]]) -> dict[str, Answer]:
    """Return the answers of both versions, over a copy of their registry."""
    shutil.copytree(saved[0], runtime.registry.root, dirs_exist_ok=True)
    return {staged.card.version: answer_of(staged, runtime, {}) for staged in saved[1]}


def says_live(card: Card) -> list[bool]:
    return ["is live" in text for text in (html(card), markdown(card), plain(card))]


def card_of(answer: Answer) -> Card:
    assert answer.card is not None
    return answer.card


def test_a_version_that_was_replaced_says_which_one_is_active(versions: dict[str, Answer]) -> None:
    first, second = card_of(versions[FIRST]), card_of(versions[SECOND])

    assert (first.archived, second.archived) == (Archived(active=SECOND), None)
    assert (says_live(first), says_live(second)) == ([False] * 3, [True] * 3)
    assert plain(first).endswith(
        "fees_of v1.0.0 is in the archive: v1.1.0 is active. %mcpgen rollback fees_of 1.0.0 makes it active again."
    )


def test_after_a_rollback_the_other_version_is_the_live_one(runtime: Runtime, versions: dict[str, Answer]) -> None:
    runtime.rollback("fees_of")

    first, second = card_of(versions[FIRST]), card_of(versions[SECOND])

    assert (first.archived, second.archived) == (None, Archived(active=FIRST))
    assert (says_live(first), says_live(second)) == ([True] * 3, [False] * 3)


def test_after_unpublishing_no_version_is_live(runtime: Runtime, versions: dict[str, Answer]) -> None:
    runtime.unpublish("fees_of")

    cards = [card_of(answer) for answer in versions.values()]

    assert [card.archived for card in cards] == [Archived(active=None)] * 2
    assert [says_live(card) for card in cards] == [[False] * 3] * 2
    assert "is in the archive: the tool is unpublished." in plain(cards[0])


def test_after_an_undo_the_card_waits_again_and_the_version_before_it_is_live(
    runtime: Runtime, versions: dict[str, Answer]
) -> None:
    runtime.undo(card_of(versions[SECOND]).card_id)

    first, second = card_of(versions[FIRST]), card_of(versions[SECOND])

    assert (second.status, second.archived) == (ToolStatus.STAGED, None)
    assert (says_live(first), says_live(second)) == ([True] * 3, [False] * 3)


def test_an_answer_gives_no_function_of_a_version_that_is_not_active(
    runtime: Runtime, versions: dict[str, Answer]
) -> None:
    replaced = versions[FIRST].tool, versions[SECOND].tool
    runtime.unpublish("fees_of")
    unpublished = versions[SECOND].tool

    assert replaced[0] is None
    assert replaced[1] is not None
    assert unpublished is None


def test_the_registry_stores_nothing_of_it(runtime: Runtime, versions: dict[str, Answer]) -> None:
    stored = (runtime.registry.root / "archive" / "superseded" / "fees_of_1.0.0" / "card.json").read_text()

    assert Card.model_validate_json(stored).archived is None
    assert runtime.registry.doctor().ok
