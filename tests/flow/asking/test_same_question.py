"""The same question over the same data gives the card that waits, where that has the code that the answer has now."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.model.package import Package, code_hash, fingerprint
from jupyter_mcpgen.model.tool import annotations_for
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.product import ACCIDENTS, staged
from tests.products import ungated

QUESTION = "average severity by weather"


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    (tmp_path / "accidents.csv").write_text(ACCIDENTS)
    return ungated(tmp_path)


def planted(runtime: Runtime, card_id: str, added: str) -> str:
    """Put a card in the place of another one, with all that belongs to it and something added to its code."""
    registry = runtime.registry
    candidate, card, package = registry.candidate(card_id), registry.card(card_id), registry.package(card_id)
    other = Package(files={**package.files, "tool.py": package.files["tool.py"] + added})
    hints = annotations_for(candidate.capabilities).model_dump()
    rights = candidate.dependencies, candidate.capabilities
    mark = fingerprint(candidate.spec, candidate.version, other, hints, *rights)
    runtime.answer(card_id, card.fingerprint, "registration", "reject", None)
    changes = {"tool_id": "planted-1", "fingerprint": mark, "code_hash": code_hash(other)}
    registry.stage(
        candidate.replace(**changes), other, card.replace(card_id="planted-1", fingerprint=mark, code=other.code)
    )
    return "planted-1"


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("added", "is_found"), [("", True), ("\nimport json\n", False)])
def test_a_card_with_other_code_is_not_taken_for_the_answer(
    runtime: Runtime, tmp_path: Path, added: str, is_found: bool
) -> None:
    data = runtime.reference(str(tmp_path / "accidents.csv"))
    first = staged(runtime.ask(QUESTION, data))
    other = planted(runtime, first.card_id, added)

    again = staged(runtime.ask(QUESTION, data))

    assert (again.card_id == other) is is_found
