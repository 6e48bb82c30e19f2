"""The questions that were asked back in this process, each open until one of its readings is picked."""

from __future__ import annotations

from dataclasses import dataclass, field

from jupyter_mcpgen.errors import DecisionError, UnknownCandidate
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.written import Understood

_MOST_KEPT = 50


@dataclass
class OpenQuestions:
    """Keeps the latest questions by id. `waiting` is the one that a person who names none means.

    `unanswered` is what was asked last, for as long as it was asked back or refused.
    """

    kept: dict[str, OpenQuestion] = field(default_factory=dict)
    waiting: OpenQuestion | None = None
    unanswered: Request | None = None

    def keep(self, question: OpenQuestion) -> None:
        """Remember a question; the oldest gives way."""
        self.kept[question.question_id] = self.waiting = question
        for oldest in list(self.kept)[:-_MOST_KEPT]:
            del self.kept[oldest]

    def find(self, question_id: str) -> OpenQuestion:
        """Return an open question; raises `UnknownCandidate` for one of another process."""
        if question_id not in self.kept:
            raise UnknownCandidate(question_id)
        return self.kept[question_id]

    def go_on(self) -> None:
        """Note that another question was answered, so that none is meant without its id."""
        self.waiting = self.unanswered = None


def picked_intent(question: OpenQuestion, chip: str) -> Understood:
    """Return what the question means in one of its readings; raises `DecisionError` that lists them."""
    for intent in question.intents:
        if intent.reading == chip:
            return intent
    offered = ", ".join(f"`{intent.reading}`" for intent in question.intents)
    raise DecisionError(f"`{chip}` is not an option of this question. Options: {offered}.")
