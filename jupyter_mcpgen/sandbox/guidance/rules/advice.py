"""Putting guidance together: its steps, its section in the guide, and quotations that cannot run away."""

from __future__ import annotations

import re

from jupyter_mcpgen.model.guidance import CodeExample, ErrorGuidance, ErrorType

_LONGEST = 300
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f\s]+")


def advice(kind: ErrorType, *steps: str | None, examples: tuple[CodeExample, ...] = ()) -> ErrorGuidance:
    """Return guidance of one kind; steps that do not apply are given as `None`."""
    return ErrorGuidance(
        error_type=kind,
        actionable_guidance=tuple(_sendable(step) for step in steps if step),
        related_docs=(kind.address,),
        code_examples=examples,
    )


def example(before: str, after: str, explanation: str) -> tuple[CodeExample, ...]:
    """Return one example, as the tuple that guidance holds."""
    return (CodeExample(before=_sendable(before), after=_sendable(after), explanation=explanation),)


def _sendable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()  # code and names may hold half characters, which no record takes


def quoted(text: str) -> str:
    """Return a program's words in backticks, on one line and not longer than a person reads."""
    line = _UNPRINTABLE.sub(" ", text).strip().replace("`", "'")
    return f"`{line if len(line) <= _LONGEST else line[: _LONGEST - 1] + '…'}`"
