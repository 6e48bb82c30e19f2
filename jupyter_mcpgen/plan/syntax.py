"""How an engine's patterns write what the patterns of both engines share otherwise."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Syntax:
    """How a pattern writes any space, and the end of a text."""

    space: str
    end: str
