"""Hop 8: a person's answers, read strictly, as one of a closed set of decisions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.feedback import (
    Decision,
    Face,
    OutputVerdict,
    UserFeedback,
    read_decision,
    read_output_verdict,
)
from jupyter_mcpgen.pipeline.services import Services


class Question(StrEnum):
    """The two questions of a card."""

    OUTPUT = "output"
    REGISTRATION = "registration"


@dataclass(frozen=True)
class Approve:
    """Keep the tool; `fingerprint` is the content that was shown."""

    feedback: UserFeedback
    fingerprint: str


@dataclass(frozen=True)
class Reject:
    """Do not keep the tool."""

    feedback: UserFeedback


@dataclass(frozen=True)
class Undecided:
    """The output was judged, or the answer decided nothing; the candidate goes on waiting."""

    feedback: UserFeedback


Choice = Approve | Reject | Undecided


def read_answer(
    question: Question,
    answer: str,
    notes: str | None,
    earlier: UserFeedback | None,
    fingerprint: str,
    services: Services,
    decided_by: str = "local",
    confirmed: Collection[Confirms] = (),
    face: Face | None = None,
) -> Choice:
    """Read an answer to one of the two questions; an output that is judged wrong rejects the tool with it.

    `confirmed` is what is said besides an approval; words never confirm. `face` is where they were said.
    """
    known = earlier.output if earlier is not None else OutputVerdict.PENDING
    said = read_output_verdict(answer) if question is Question.OUTPUT else known
    output = known if said is OutputVerdict.PENDING else said  # silence takes nothing back
    decision = read_decision(answer) if question is Question.REGISTRATION else Decision.PENDING
    if question is Question.OUTPUT and output is OutputVerdict.REJECTED:
        decision = Decision.REJECTED
    if decision is Decision.APPROVED and output is OutputVerdict.PENDING:
        output = OutputVerdict.ACCEPTED  # whoever asks to keep a tool accepts what it showed
    feedback = UserFeedback(
        output=output,
        decision=decision,
        notes=notes or answer,
        timestamp=services.clock(),
        decided_by=decided_by,
        confirmed=tuple(each for each in Confirms if each in confirmed) if decision is Decision.APPROVED else (),
        face=face,
    )
    match decision:
        case Decision.APPROVED:
            return Approve(feedback, fingerprint)
        case Decision.REJECTED:
            return Reject(feedback)
        case Decision.PENDING:
            return Undecided(feedback)
