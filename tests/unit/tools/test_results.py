"""The text of a run obeys nobody but the reader; its record keeps what the program wrote."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.sandbox.execution.record import Reason, Status, setup_error
from jupyter_mcpgen.sandbox.guidance.diagnosis import Asked, diagnose
from jupyter_mcpgen.tools.results import as_text, coding_result, metadata_of

ESCAPES = "\x1b]0;title\x07\x1b[2J\x1b[31mred\x1b[0m\u202e\r\nnext\ttab"


def test_what_a_terminal_would_obey_is_made_plain_in_the_text_and_kept_in_the_record() -> None:
    run = replace(
        setup_error("python", Reason.RUNTIME_ERROR, f"failed: {ESCAPES}"),
        status=Status.ERROR, stdout=ESCAPES, stderr=ESCAPES,
    )  # fmt: skip
    metadata = metadata_of(run, diagnose(run, Asked(code="")))

    text, record = as_text(run, metadata), coding_result(run, metadata)

    assert not set(text) & {"\x1b", "\x07", "\r", "\u202e"}
    assert text.count("red") == 3
    assert "\nnext\ttab" in text
    assert (record.stdout, record.stderr) == (ESCAPES, ESCAPES)
