"""What a SELECT says that no plan can hold, in one sentence."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Unread:
    """A SELECT that stays SQL; the sentence names the part that the plan language cannot hold, and a way out if any."""

    reason: str


class CannotHold(Exception):
    """Ends the reading of a SELECT where a plan would mean something else."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
