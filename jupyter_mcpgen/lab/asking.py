"""Shows in a notebook how far a question is, in the place where its answer will be, and hears who wants it stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from pydantic import ValidationError

from jupyter_mcpgen.attending import attend
from jupyter_mcpgen.errors import McpgenError, QuestionStopped
from jupyter_mcpgen.lab.messages import Stop, Watch, parse
from jupyter_mcpgen.lab.mime import asking_bundle, failure_bundle
from jupyter_mcpgen.lab.showing import show, show_again
from jupyter_mcpgen.lab.wire import Say
from jupyter_mcpgen.model.asking import Asking, AskingState
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.event import Event
from jupyter_mcpgen.pipeline.course import Course
from jupyter_mcpgen.sandbox.cancellation import Cancellation

_MOST_KEPT = 50


class AskingDisplay:
    """One question in one output: its steps go into the notebook, each gate only to the pages that listen."""

    def __init__(self, question: str, tell: Callable[[Asking], None]) -> None:
        self.display_id = f"mcpgen-{uuid4().hex}"
        self.shown_in: int | None = None
        self.stop = Cancellation()
        self.asking = Asking(asking_id=self.display_id, question=question)
        self._tell = tell
        self._bundle = asking_bundle(self.asking)

    def mime_bundle(self) -> dict[str, Any]:
        """Return what a page shows."""
        return self._bundle

    def show(self) -> None:
        """Show the question below the running cell."""
        show(self)

    def hear(self, events: Sequence[Event]) -> None:
        """Show what the events changed."""
        before, self.asking = self.asking, _after(self.asking, events)
        if _steps(self.asking) != _steps(before):
            self._show_again()
        elif self.asking != before:
            self._tell(self.asking.replace(card=None))

    def test(self, card: Card) -> None:
        """Show the answer, whose code is tested from now on."""
        self.asking = self.asking.answered(card)
        self._show_again()

    def settle(self, bundle: dict[str, Any], card: Card | None = None) -> None:
        """Show in this place what came of the question in the end: a card, or something else."""
        self._over(AskingState.OVER, bundle, card)

    def fail(self, error: McpgenError) -> None:
        """Say in this place why there is no answer."""
        self._over(AskingState.FAILED, failure_bundle(error))

    def stopped(self) -> None:
        """Say in this place that the question was stopped, beside what was found by then."""
        self._over(AskingState.STOPPED, asking_bundle(self.asking.ended(AskingState.STOPPED)))

    def _over(self, state: AskingState, bundle: dict[str, Any], card: Card | None = None) -> None:
        self.asking = self.asking.ended(state, card.card_id if card is not None else None)
        self._bundle = bundle
        self._tell(self.asking.replace(card=None))  # first, so that the page knows of which question the card is
        show_again(self)

    def _show_again(self) -> None:
        self._bundle = asking_bundle(self.asking)
        show_again(self)


class AskedAgain:
    """A question that is answered anew on a card: its steps go to the pages alone, because no cell runs for it."""

    def __init__(self, card_id: str, question: str, tell: Callable[[Asking], None]) -> None:
        self.stop = Cancellation()
        self.asking = Asking(asking_id=f"mcpgen-{uuid4().hex}", question=question, card_id=card_id)
        self._tell = tell

    def attend(self, work: Callable[[Course], Card]) -> Card:
        """Return the card that the work gives, and tell how far it is; raises as `attending.attend` does."""
        self._tell(self.asking)
        state, card_id = AskingState.FAILED, ""
        try:
            card = attend(work, self._hear, self.stop)
            state, card_id = AskingState.OVER, card.card_id
        except QuestionStopped:
            state = AskingState.STOPPED
            raise
        finally:
            self.asking = self.asking.ended(state, card_id)
            self._tell(self.asking)
        return card

    def _hear(self, events: Sequence[Event]) -> None:
        before, self.asking = self.asking, _after(self.asking, events)
        if self.asking != before:
            self._tell(self.asking)


class Questions:
    """The questions that a kernel is at; any page watches and stops them, also while the cell runs.

    How the latest ones ended is kept for a page that was loaded meanwhile, which no output reaches.
    """

    def __init__(self) -> None:
        self._going: dict[str, AskingDisplay | AskedAgain] = {}
        self._over: dict[str, Asking] = {}

    @contextmanager
    def at(self, question: AskingDisplay | AskedAgain) -> Iterator[None]:
        """Let pages reach a question within the block."""
        asking_id = question.asking.asking_id
        self._going[asking_id] = question
        try:
            yield
        finally:
            self._over[asking_id] = question.asking.replace(card=None)
            del self._going[asking_id]
            for oldest in list(self._over)[:-_MOST_KEPT]:
                del self._over[oldest]

    def heard(self, data: object, reply: Say) -> bool:
        """Carry out what a page says of a question that is going on; tells whether it was that."""
        try:
            message = parse(data)
        except ValidationError:
            return False  # the clerk reports what cannot be read
        match message:
            case Stop(asking_id=asking_id) | Watch(asking_id=asking_id):
                going, ended = self._going.get(asking_id), self._over.get(asking_id)
            case _:
                return False
        if going is not None and isinstance(message, Stop):
            going.stop.cancel()
            return True
        asking = going.asking.replace(card=None) if going is not None else ended
        if asking is not None:
            reply(asking.model_dump(mode="json"))
        return asking is not None


def _after(asking: Asking, events: Sequence[Event]) -> Asking:
    for event in events:
        asking = asking.after(event)
    return asking


def _steps(asking: Asking) -> tuple[object, ...]:
    """Return what of a question is worth to be kept in the notebook."""
    return asking.steps, asking.reading, asking.doing, asking.first
