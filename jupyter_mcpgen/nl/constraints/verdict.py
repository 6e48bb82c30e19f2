"""What a constraint says of a reading."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.nl.assembly.answers import Answer


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a reading is not answered and what to ask instead, with the columns that it is about."""

    reason: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Doubt:
    """The answers that a question may have beside the one that was found, of which a person has to choose."""

    others: tuple[Answer, ...]
    instead: bool = False
    """True where what was found is none of them: a total of stocks over several times."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The answers that are offered beside the one that was found, which is most likely meant."""

    others: tuple[Answer, ...]


Verdict = Refusal | Doubt | Offer
