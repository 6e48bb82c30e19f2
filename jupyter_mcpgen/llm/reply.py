"""What a model answered, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Usage:
    """The tokens of one request; `None` is what the server did not tell."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    """How many of the prompt's tokens the server had read before."""
    cost: float | None = None
    """In the currency of the prices that the person set; `None` without prices."""

    @property
    def total(self) -> int | None:
        """All tokens, or `None` where one of both numbers is missing."""
        if self.prompt_tokens is None or self.completion_tokens is None:
            return None
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True)
class Reply:
    """One answer. With a schema `value` is the JSON object that keeps to it; `text` is what the model wrote.

    Reasoning text of the model is in neither.
    """

    text: str
    model: str
    """The model that answered, as the server names it; it may differ from the one asked for."""
    value: Mapping[str, Any] | None = None
    usage: Usage = Usage()
    seconds: float = 0.0
    cached: bool = False
    """Whether it was kept from an earlier request, so that nothing was sent."""
