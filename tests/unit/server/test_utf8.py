"""What is sent to a client can be sent."""

from __future__ import annotations

from jupyter_mcpgen.server.utf8 import sendable


def test_half_a_surrogate_pair_becomes_a_question_mark_wherever_it_stands() -> None:
    answer = {"a\ud800": ["\udcff.txt", {"deep": ("x\udfff", 1)}], "rest": None}

    assert sendable(answer) == {"a?": ["?.txt", {"deep": ["x?", 1]}], "rest": None}


def test_all_other_text_stays_as_it_is() -> None:
    answer = {"text": "ä 漢 \U0001f600 \0 \u2028", "number": 1.5, "truth": True, "empty": []}

    assert sendable(answer) == answer
