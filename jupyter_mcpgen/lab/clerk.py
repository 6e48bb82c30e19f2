"""Reads what a page says, carries it to the desk, and says what the pages should know then."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, MutableMapping, Sequence
from threading import Lock
from typing import Any, Literal, Protocol, assert_never

from pydantic import ValidationError

from jupyter_mcpgen.card_text import html, markdown
from jupyter_mcpgen.errors import McpgenError, UnknownCandidate
from jupyter_mcpgen.lab.asking import AskedAgain, Questions
from jupyter_mcpgen.lab.late import LateLooks
from jupyter_mcpgen.lab.messages import (
    Adjust,
    Answer,
    AskAgain,
    AskedBack,
    Draw,
    Explain,
    Fetch,
    Look,
    LookIntoFile,
    Offer,
    Offered,
    OfResults,
    Painted,
    Pick,
    ReadCode,
    ReadSo,
    Refused,
    Stop,
    Sync,
    Take,
    ToPage,
    Unasked,
    Undo,
    UnknownCard,
    Waiting,
    Watch,
    parse,
)
from jupyter_mcpgen.lab.results_clerk import ResultsDesk, look_closer
from jupyter_mcpgen.lab.wire import Say
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.feedback import Face
from jupyter_mcpgen.model.parts import PartChoices
from jupyter_mcpgen.model.question import QUESTION_MARK, QuestionBack
from jupyter_mcpgen.model.request import ReadOptions
from jupyter_mcpgen.pipeline.course import Course
from jupyter_mcpgen.pipeline.draft import Staged
from jupyter_mcpgen.pipeline.questions import AskedInstead

log = logging.getLogger(__name__)
Decided = Answer | Undo | Pick | Adjust | AskAgain | ReadSo
"""What may put another card in the place of one, or another state of it."""


class Desk(ResultsDesk, Protocol):
    """Where cards are kept and decisions are carried out.

    Every method raises `UnknownCandidate` for a card it does not hold, and another `McpgenError` for what it refuses.
    """

    def question(self, question_id: str) -> QuestionBack:
        """Return a question that was asked back and is still open."""

    def answer(
        self,
        card_id: str,
        fingerprint: str,
        step: Literal["output", "registration"],
        answer: str,
        notes: str | None,
        confirmed: Collection[Confirms] = (),
        face: Face = Face.NOTEBOOK,
    ) -> Card:
        """Record a person's answer to one of the two questions, and return the card after it."""

    def refined(self, card_id: str) -> Card | None:
        """Return the card of the new answer that the reason against a rejected card asks for, if it asks for one."""

    def undo(self, card_id: str) -> Card:
        """Take back the promotion of a card's tool, and return the card after it."""

    def pick(self, card_id: str, chip: str, course: Course | None = None) -> Card:
        """Answer the card's question in another reading; the new card takes its place."""

    def choices(self, card_id: str, key: str) -> PartChoices:
        """Return what may stand in a part of a card's reading."""

    def adjust(self, card_id: str, parts: Mapping[str, Sequence[str]], course: Course | None = None) -> Staged:
        """Answer with other values in parts of a card's reading; the new card takes its place."""

    def ask_again(self, asked_id: str, question: str, course: Course | None = None) -> Card:
        """Ask the question of a card, or an open one, in other words; the new card takes its place.

        Raises `AskedInstead` where the new words are asked back or refused.
        """

    def read_file_so(
        self,
        card_id: str,
        options: ReadOptions,
        sheet: str | None = None,
        course: Course | None = None,
        *,
        is_other: bool = False,
    ) -> Card:
        """Ask the card's question of a file that is read in another way; the new card takes its place.

        Raises `AskedInstead` as `ask_again` does.
        """

    def look_late(self, card_id: str) -> Card:
        """Run the gates that no decision waits for over a card's code, and return the card after it."""


class DeskClerk:
    """Serves the pages of one kernel; the desk is opened for each message, so a mended setting counts at once."""

    def __init__(
        self,
        open_desk: Callable[[], Desk],
        what_clients_see: Callable[[], str],
        variables: MutableMapping[str, Any],
        questions: Questions | None = None,
    ) -> None:
        self._open_desk = open_desk
        self._variables = variables
        self._questions = questions or Questions()
        self._what_clients_see = what_clients_see
        self._late = LateLooks()
        self._told: dict[str, Card] = {}
        """The cards of the registry, as all pages were told of them last, or the first page that asked."""
        self._speaking = Lock()
        """Held from the look at a card until it is said, so that no page hears of an older state after a newer one."""

    def serve(self, data: object, reply: Say, tell_all: Say) -> None:
        """Carry out what a page said."""
        try:
            message = parse(data)
        except ValidationError:
            log.exception("A message from the page cannot be read; page and kernel run different versions?")
            return
        with self._speaking:
            match message:
                case Sync(card_ids=card_ids):
                    for card_id in card_ids:
                        found = self._look_up(card_id)
                        _say(found, reply)
                        if isinstance(found, Painted) and not found.card.reused:
                            self._told.setdefault(card_id, found.card)
                        self._look_later(found, tell_all)
                case Answer() | Undo() | Pick() | Adjust() | AskAgain() | ReadSo():
                    self._decide(message, reply, tell_all)
                case Offer():
                    _say(self._offered(message), reply)
                case Explain() | Look() | Take() | Fetch() | Draw() | ReadCode() | LookIntoFile():
                    _say(self._looked(message), reply)
                case Stop() | Watch():  # of a question that is going on this is never heard here
                    _say(Unasked(asking_id=message.asking_id), reply)
                case _:
                    assert_never(message)

    def paint(self, card: Card, tell_all: Say) -> None:
        """Tell the pages how a card stands."""
        self._tell(self._painted(card), tell_all)

    def refresh(self, tell_all: Say) -> None:
        """Tell the pages which cards stand otherwise than they were told last."""
        with self._speaking:
            for card_id, told in list(self._told.items()):
                found = self._look_up(card_id)
                if isinstance(found, Painted) and found.card != told:
                    self._tell(found, tell_all)

    def _look_up(self, card_id: str) -> ToPage:
        def look() -> ToPage:
            if card_id.startswith(QUESTION_MARK):
                return Waiting(card_id=card_id, question=self._open_desk().question(card_id))
            return self._painted(self._open_desk().card(card_id))

        return _found(card_id, look, "The answer")

    def _looked(self, message: OfResults) -> ToPage:
        found = _found(
            message.card_id, lambda: look_closer(message, self._open_desk(), self._variables), "What was asked for"
        )
        return found.replace(looked=True) if isinstance(found, Refused) else found

    def _offered(self, message: Offer) -> ToPage:
        def look() -> ToPage:
            offered = self._open_desk().choices(message.card_id, message.part)
            return Offered(card_id=message.card_id, offered=offered)

        return _found(message.card_id, look, "The choices")

    def _decide(self, message: Decided, reply: Say, tell_all: Say) -> None:
        try:
            card = self._carry_to_desk(message, tell_all)
        except UnknownCandidate:
            _say(UnknownCard(card_id=message.card_id), reply)
        except AskedInstead as asked:
            _say(AskedBack(card_id=message.card_id, question=asked.question), reply)
        except McpgenError as error:
            # the true state first, because a refusal often means that this page was behind
            _say(self._look_up(message.card_id), reply)
            _say(Refused(card_id=message.card_id, message=str(error)), reply)
        except Exception:
            log.exception("A decision about `%s` failed.", message.card_id)
            why = "Something went wrong in the kernel and nothing was decided. The kernel's log has the details."
            _say(Refused(card_id=message.card_id, message=why), reply)
        else:
            painted = self._painted(card, message.card_id if card.card_id != message.card_id else None)
            self._tell(painted, tell_all)
            self._look_later(painted, tell_all)
            if isinstance(message, Answer) and card.status is ToolStatus.REJECTED:
                self._refine(card.card_id, reply, tell_all)

    def _refine(self, card_id: str, reply: Say, tell_all: Say) -> None:
        """Show the answer that a reason asks for in the place of the one that it rejects."""
        try:
            refined = self._open_desk().refined(card_id)
        except Exception:
            log.exception("The reason against `%s` could not be read as a question.", card_id)
            why = "The answer is rejected. Its reason could not be read as a question; the kernel's log says why."
            _say(Refused(card_id=card_id, message=why), reply)
            return
        if refined is not None:
            painted = self._painted(refined, card_id)
            self._tell(painted, tell_all)
            self._look_later(painted, tell_all)

    def _look_later(self, shown: ToPage, tell_all: Say) -> None:
        """Have the late gates run over a card that a page shows and a person can decide about, and tick them there."""
        if not isinstance(shown, Painted) or shown.card.status is not ToolStatus.STAGED:
            return
        before = shown.card

        def look() -> None:
            try:
                card = self._open_desk().look_late(before.card_id)
            except McpgenError as error:
                log.info("`%s` was not looked at: %s", before.card_id, error)
            except Exception:
                # no cell shows it, because no person asked for it; it is in the log
                log.exception("`%s` could not be looked at.", before.card_id)
            else:
                with self._speaking:
                    told = self._told.get(card.card_id, before)
                    if card.evidence != told.evidence:  # else a change of the registry was told meanwhile
                        self._tell(self._look_up(card.card_id), tell_all)

        self._late.ask(before.card_id, look)

    def _carry_to_desk(self, message: Decided, tell_all: Say) -> Card:
        desk = self._open_desk()
        card_id = message.card_id
        match message:
            case Answer():
                step, answer, notes = message.step, message.answer, message.notes
                confirmed = message.confirmed
                return desk.answer(message.card_id, message.fingerprint, step, answer, notes, confirmed, Face.NOTEBOOK)
            case Undo():
                return desk.undo(message.card_id)
            case Pick():
                chip = message.chip
                return self._anew(card_id, tell_all, lambda course: desk.pick(card_id, chip, course))
            case Adjust():
                parts = {message.part: message.values}
                return self._anew(card_id, tell_all, lambda course: desk.adjust(card_id, parts, course).card)
            case AskAgain():
                question = message.question
                return self._anew(card_id, tell_all, lambda course: desk.ask_again(card_id, question, course))
            case ReadSo(options=options, sheet=sheet, is_other=is_other):
                return self._anew(
                    card_id,
                    tell_all,
                    lambda course: desk.read_file_so(card_id, options, sheet, course, is_other=is_other),
                )
            case _:
                assert_never(message)

    def _anew(self, card_id: str, tell_all: Say, answer: Callable[[Course], Card]) -> Card:
        """Answer a card's question anew, while pages see how far that is and may stop it."""
        desk = self._open_desk()
        of_question = card_id.startswith(QUESTION_MARK)
        question = desk.question(card_id).question if of_question else desk.card(card_id).question
        asked = AskedAgain(card_id, question, lambda asking: _say(asking, tell_all))
        with self._questions.at(asked):
            return asked.attend(answer)

    def _painted(self, card: Card, replaces: str | None = None) -> Painted:
        clients = self._what_clients_see() if card.is_live else None
        return Painted(card=card, replaces=replaces, clients=clients, html=html(card), markdown=markdown(card))

    def _tell(self, told: ToPage, tell_all: Say) -> None:
        """Tell all pages how a card stands, and remember it."""
        _say(told, tell_all)
        if isinstance(told, Painted):
            if told.replaces is not None:
                self._told.pop(told.replaces, None)  # its place shows the new card
            if not told.card.reused:
                self._told[told.card.card_id] = told.card


def _found(card_id: str, look: Callable[[], ToPage], what: str) -> ToPage:
    """Return what was looked for, or why it cannot be shown; nothing is changed by looking."""
    try:
        return look()
    except UnknownCandidate:
        return UnknownCard(card_id=card_id)
    except McpgenError as error:
        return Refused(card_id=card_id, message=str(error))
    except Exception:
        log.exception("%s of `%s` could not be shown.", what, card_id)
        return Refused(card_id=card_id, message=f"{what} could not be shown. The kernel's log says why.")


def _say(message: ToPage, listener: Say) -> None:
    listener(message.model_dump(mode="json"))
