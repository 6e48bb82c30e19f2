"""What a constraint says of a reading."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a reading is not answered and what to ask instead, with the columns that it is about."""

    reason: str
    columns: tuple[str, ...]
