"""A tiny question to a model, to see whether it answers, and how."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.llm.model import NEVER, CancelToken, Listener, Model, ignore
from jupyter_mcpgen.llm.prompt import Message, Prompt
from jupyter_mcpgen.llm.reply import Usage

TINY = Prompt(
    name="round_trip",
    messages=(
        Message("system", "Reply with one JSON object and nothing else."),
        Message("user", 'What is 2 + 3? Reply with JSON of the form {"sum": <whole number>}.'),
    ),
    schema={
        "type": "object",
        "properties": {"sum": {"type": "integer"}},
        "required": ["sum"],
        "additionalProperties": False,
    },
)
"""A question without any data."""
_RIGHT = 5


@dataclass(frozen=True)
class RoundTrip:
    """That a model answered, and how."""

    model: str
    seconds: float
    usage: Usage
    is_right: bool


def round_trip(model: Model, cancelled: CancelToken = NEVER, progress: Listener = ignore) -> RoundTrip:
    """Ask the tiny question; raises the `ModelError` that says what is wrong."""
    reply = model.ask(TINY, cancelled=cancelled, progress=progress)[0]
    is_right = reply.value is not None and reply.value["sum"] == _RIGHT
    return RoundTrip(reply.model, reply.seconds, reply.usage, is_right)
