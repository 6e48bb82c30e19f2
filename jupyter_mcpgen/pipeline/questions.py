"""The questions that were asked back in this process, each open until one of its readings is picked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from jupyter_mcpgen.errors import DecisionError, McpgenError, NotUnderstood, UnknownCandidate
from jupyter_mcpgen.model.question import OpenQuestion, QuestionBack
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.written import Understood
from jupyter_mcpgen.pipeline.material import table_name
from jupyter_mcpgen.pipeline.unread import unread_in

_MOST_KEPT = 50


class AskedInstead(McpgenError):
    """Words that were asked in the place of others, and that are asked back or refused."""

    def __init__(self, question: QuestionBack) -> None:
        super().__init__(question.text)
        self.question = question


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
        self.waiting = question
        self.suggest((question,))

    def suggest(self, questions: Sequence[OpenQuestion]) -> None:
        """Remember questions that nobody asked yet; none of them is meant without its id."""
        self.kept.update((question.question_id, question) for question in questions)
        for oldest in list(self.kept)[:-_MOST_KEPT]:
            del self.kept[oldest]

    def refuse(self, refusal: NotUnderstood, request: Request, columns: Sequence[str]) -> OpenQuestion:
        """Remember a refused question, with the words that were not read in it, so that it can be asked in others.

        Where nothing near to it can be picked, a pick without an id still means the question before it.
        """
        tables, why = [table_name(ref) for ref in (request.data, request.other) if ref is not None], str(refusal)
        unread = unread_in(request.question, why, columns, tables)
        opened = self.kept.get(getattr(refusal, "question_id", ""))
        question = (opened or OpenQuestion(request=request, text="", intents=(), refusal=why)).replace(unread=unread)
        waiting = self.waiting
        self.keep(question)
        if not question.intents:
            self.waiting = waiting
        return question

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
