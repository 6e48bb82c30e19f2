"""The wire: what is accepted, and that both sides of it are one definition."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from jupyter_mcpgen.lab.messages import Answer, Sync, parse
from jupyter_mcpgen.lab.typescript import render

TYPES = Path(__file__).parents[3] / "labextension" / "src" / "messages.ts"


def test_a_message_is_read_by_its_kind() -> None:
    data = {"kind": "answer", "card_id": "a", "fingerprint": "f", "step": "output", "answer": "yes", "notes": None}

    assert parse(data) == Answer(card_id="a", fingerprint="f", step="output", answer="yes")
    assert parse({"kind": "sync", "card_ids": ["a", "b"]}) == Sync(card_ids=("a", "b"))


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"kind": "promote", "card_id": "a"},
        {"kind": "undo"},
        {"kind": "undo", "card_id": "a", "extra": 1},
        {"kind": "answer", "card_id": "a", "fingerprint": "f", "step": "both", "answer": "yes"},
        "undo",
        None,
    ],
)
def test_anything_else_is_refused(data: object) -> None:
    with pytest.raises(ValidationError):
        parse(data)


def test_the_typescript_types_are_those_of_the_python_records() -> None:
    hint = "run `python -m jupyter_mcpgen.lab.typescript > labextension/src/messages.ts`"

    assert TYPES.read_text(encoding="utf-8") == render(), hint
