"""An endpoint that talks to an imitated server, with pauses that are noted instead of waited for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from jupyter_mcpgen.llm.background import Background
from jupyter_mcpgen.llm.budget import DayPurse, Prices, Purse
from jupyter_mcpgen.llm.client import USUAL, Client, Patience
from jupyter_mcpgen.llm.dialect import Dialects, Sampling
from jupyter_mcpgen.llm.endpoint import Endpoint
from jupyter_mcpgen.llm.keys import Key
from jupyter_mcpgen.llm.log import RequestLog
from jupyter_mcpgen.llm.prompt import Message, Prompt

PAINT = {
    "type": "object",
    "properties": {"colour": {"type": "string", "pattern": "^.*$"}, "count": {"type": "integer"}},
    "required": ["colour", "count"],
    "additionalProperties": False,
}
"""With a keyword that some servers do not take, to see that it is given up."""


def prompt(text: str = "Which colour, and how many? Reply with JSON.", schema: object = PAINT) -> Prompt:
    """Return a prompt without any data."""
    messages = (Message("system", "You answer with one JSON object."), Message("user", text))
    return Prompt("paint", messages, schema, "none")  # type: ignore[arg-type]


@dataclass
class Pauses:
    """Notes how long somebody wanted to wait."""

    seconds: list[float] = field(default_factory=list)

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@contextmanager
def endpoint_at(
    address: str,
    folder: Path,
    *,
    key: Key | None = None,
    pauses: Pauses | None = None,
    patience: Patience = USUAL,
    purses: tuple[Purse | DayPurse, ...] = (),
    prices: Prices | None = None,
    dialects: Dialects | None = None,
) -> Iterator[Endpoint]:
    """Open an endpoint for a test, and close all that it opened."""
    background, client = Background(), Client(address, key, patience)
    yield Endpoint(
        client,
        "test-model",
        background,
        RequestLog(folder / "requests.jsonl"),
        dialects or Dialects(),
        Sampling(top_p=0.9),
        purses,
        prices,
        pauses or Pauses(),
        lambda: 0.5,
    )
    background.close(client.close)
