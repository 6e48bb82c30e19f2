"""What a model is asked: messages, and the form of the reply."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from jupyter_mcpgen.errors import TooLongToSend

CHARACTERS_PER_TOKEN = 3
"""Fewer than most texts have, so that an estimate is rather too high than too low."""
_PER_MESSAGE = 4
MOST_CHARACTERS = 20_000
"""How long one text of a person may be; see `whole`."""


def whole(text: str, called: str) -> str:
    """Return a text that a prompt shows; raises `TooLongToSend`, with how it is `called`, and never cuts it."""
    if len(text) > MOST_CHARACTERS:
        raise TooLongToSend(called, len(text), MOST_CHARACTERS)
    return text


@dataclass(frozen=True)
class Message:
    """One message of a conversation. Only the first may be a `system` message."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class Prompt:
    """A question to a model, whole: nothing else is sent, so what it shows is what leaves.

    Its messages describe the JSON object they ask for, with the word JSON: some servers neither enforce `schema` nor
    show it to the model. `schema` keeps to what `schema.not_portable` accepts; without it the reply is plain text.
    """

    name: str
    """The prompt file, such as `sql`."""
    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    policy: str = "none"
    """What of the data may be in the messages, as a word of the settings; for the log."""

    @cached_property
    def digest(self) -> str:
        """The content as one hash; the same for two prompts exactly if they ask the same."""
        content = {"name": self.name, "messages": [vars(one) for one in self.messages], "schema": self.schema}
        return hashlib.sha256(json.dumps(content, sort_keys=True, default=dict).encode()).hexdigest()

    @property
    def estimated_tokens(self) -> int:
        """About how many tokens the messages are, rather too many than too few."""
        return sum(len(one.content) // CHARACTERS_PER_TOKEN + _PER_MESSAGE for one in self.messages)
