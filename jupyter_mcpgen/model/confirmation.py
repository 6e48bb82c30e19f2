"""What a person has to say beyond "approve", where an answer is believed on less than usual."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from jupyter_mcpgen.model.record import Record


class Confirms(StrEnum):
    """What is confirmed; in a command it is the name of the option that confirms it."""

    AS_READ = "as-read"
    """The question is meant as the model alone read it."""
    UNCHECKED = "unchecked"
    """A person answers for a calculation that nothing else checked."""


class Confirmation(Record):
    """One confirmation that an approval needs: what is asked, and the answer that gives it."""

    confirms: Confirms
    sentence: str
    yes: str


def unconfirmed(needed: Collection[Confirmation], given: Collection[Confirms]) -> tuple[Confirmation, ...]:
    """Return the confirmations that an approval needs and was not given."""
    return tuple(each for each in needed if each.confirms not in given)
