"""A meaning in its place: what a span of a question may mean."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.nl.meanings import Meaning


@dataclass(frozen=True)
class Item:
    """A meaning of the tokens from `start` to `end` (exclusive), and how much believing it costs (0 is sure)."""

    start: int
    end: int
    meaning: Meaning
    cost: float
