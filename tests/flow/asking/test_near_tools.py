"""A question is answered by a tool that fits, is told of one that is near, or makes a new one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.model.validation import Evidence, is_sound
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.pipeline.near import COMPARED, NEAR
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.product import keep, shown, staged
from tests.products import new_runtime, ungated

ORCHARD = "orchard,sort,crates,price\nHill,Boskoop,12,3.5\nBrook,Elstar,7,2.5\nHill,Elstar,9,4.0\nBrook,Boskoop,4,3.0\n"


@pytest.fixture(scope="module")
def orchard(tmp_path_factory: pytest.TempPathFactory) -> DataRef:
    """Return four rows of harvests, in a folder whose registry has the tool `crates_of`."""
    folder = tmp_path_factory.mktemp("orchard")
    (folder / "orchards.csv").write_text(ORCHARD)
    runtime = ungated(folder)
    data = runtime.reference(str(folder / "orchards.csv"))
    card = staged(runtime.ask("total crates by orchard", data, "crates_of"))
    card = runtime.answer(card.card_id, card.fingerprint, "output", "Yes", None)
    keep(runtime, card)
    return data


@pytest.fixture
def kept(orchard: DataRef, tmp_path: Path) -> Runtime:
    """Return a product with a copy of that registry."""
    shutil.copytree(Path(orchard.path).parent / "registry", tmp_path / "registry")
    return new_runtime(tmp_path)


def told(card: Card, check: str) -> list[Evidence]:
    return [item for item in card.evidence if item.check == check]


def test_a_question_of_the_same_family_is_answered_by_the_tool_with_the_reasons(
    kept: Runtime, orchard: DataRef
) -> None:
    outcome = kept.ask("total price by sort", orchard)

    assert isinstance(outcome, flow.Reused)
    card = kept.reused_card(outcome)
    (reasons,) = told(card, COMPARED)
    assert card.tool_name == "crates_of"
    assert reasons in card.reasons
    assert reasons.sentence.startswith(
        "Compared with your tool `crates_of`: same operation (weight 0.3), same columns (weight 0.25), same form of "
        "the result (weight 0.2), same conditions (weight 0.15), words "
    )
    assert not told(card, NEAR)


def test_a_question_with_another_condition_says_which_tool_it_could_become_the_next_version_of(
    kept: Runtime, orchard: DataRef
) -> None:
    card = shown(kept, kept.compute("total crates by orchard where price > 3", orchard))

    (line,) = told(card, NEAR)
    (reasons,) = told(card, COMPARED)
    assert line in card.notes
    assert reasons in card.reasons
    assert line.figure == reasons.figure
    assert line.sentence == (
        f"Similar to your tool `crates_of` ({line.figure:.2f}: same operation, columns and form of the result, other "
        "conditions). To make it the next version of that tool: `%mcpgen ask --name crates_of …`"
    )
    assert "other conditions (weight 0.15)" in reasons.sentence
    assert card.tool_name != "crates_of"
    assert is_sound(card.evidence)


@pytest.mark.soak
def test_what_is_near_is_still_said_after_the_last_gate_and_the_approval(kept: Runtime, orchard: DataRef) -> None:
    card = staged(kept.ask("total crates by orchard where price > 3", orchard))
    card = kept.answer(card.card_id, card.fingerprint, "output", "Yes", None)

    approved = keep(kept, card)

    assert told(approved, NEAR) == told(card, NEAR)


@pytest.mark.soak
def test_a_next_version_of_the_tool_itself_is_near_to_nothing(kept: Runtime, orchard: DataRef) -> None:
    card = staged(kept.ask("total crates by orchard where price > 3", orchard, "crates_of"))

    assert card.diff is not None
    assert not told(card, NEAR)


def test_a_question_that_no_tool_is_near_to_says_nothing_of_tools(kept: Runtime, orchard: DataRef) -> None:
    card = shown(kept, kept.compute("highest price", orchard))

    assert not told(card, NEAR)
    assert not told(card, COMPARED)


def test_the_settings_say_from_where_on_a_tool_answers_and_is_near(
    kept: Runtime, orchard: DataRef, tmp_path: Path
) -> None:
    strict = new_runtime(tmp_path, **{"gap.reuse_from": 1.0, "gap.extend_from": 0.999})
    alone = new_runtime(tmp_path, **{"gap.extend_from": 0.85})

    not_alike = shown(strict, strict.compute("total price by sort", orchard))
    not_near = shown(alone, alone.compute("total crates by orchard where price > 3 and sort is Elstar", orchard))

    assert not told(not_alike, NEAR)
    assert not told(not_near, NEAR)
