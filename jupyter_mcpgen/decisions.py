"""What a person decides about a card or an open question: save it, reject it, take it back, or take another reading."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from jupyter_mcpgen.conversation import Conversation, told_by
from jupyter_mcpgen.errors import AlreadyDecided, DecisionError, McpgenError, NameTaken, UnsoundApproval
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card, failed_gates
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.event import RegistryChanged
from jupyter_mcpgen.model.feedback import REPLACED, Decision, Face, OutputVerdict, Reason, UserFeedback
from jupyter_mcpgen.model.intent import Intent, ReadBy
from jupyter_mcpgen.model.parts import PartChoices
from jupyter_mcpgen.model.question import QUESTION_MARK
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.written import Understood
from jupyter_mcpgen.person import person
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.pipeline.again import data_of_card, in_reading, intent_of_card
from jupyter_mcpgen.pipeline.draft import Computed, Reused, Staged
from jupyter_mcpgen.pipeline.edit import code_to_edit, edited
from jupyter_mcpgen.pipeline.feedback import Question, Reject, read_answer
from jupyter_mcpgen.pipeline.material import Material, load_all
from jupyter_mcpgen.pipeline.parts import choices_of, with_parts
from jupyter_mcpgen.pipeline.present import blocking
from jupyter_mcpgen.pipeline.questions import OpenQuestions, picked_intent
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.registry.rules import require_confirmed

if TYPE_CHECKING:
    from jupyter_mcpgen.authors.author import Author
    from jupyter_mcpgen.pipeline.reasons import Objection

NOT_REFINED = "I could not make a new question of your reason, so nothing else was computed. Ask it in full."


@dataclass(frozen=True)
class Refined:
    """What became of the reason of a rejection: a new answer, or in a sentence why there is none."""

    staged: Staged | None = None
    sentence: str = ""


@dataclass(frozen=True)
class Decisions:
    """Carries out decisions; nothing changes without a clear one."""

    services: Services
    conversation: Conversation
    questions: OpenQuestions
    reused: Mapping[str, tuple[Card, Reused]]
    stage: Callable[[Computed], Staged]
    """Keeps an answer that takes the place of another one as a card of its own."""
    language: str
    """The language in which a reason is read."""
    model: Callable[[], Author] | None
    """Reads what a reason asks for where the planner cannot; None where no model is set up."""

    def answer(
        self,
        card_id: str,
        fingerprint: str,
        step: Literal["output", "registration"],
        answer: str,
        notes: str | None,
        confirmed: Collection[Confirms] = (),
        face: Face = Face.PYTHON,
    ) -> Card:
        """Record a person's answer to one of the two questions, and return the card after it.

        `confirmed` is what they confirmed besides an approval; raises `NotConfirmed` where the card needs more.
        """
        candidate = self.services.registry.candidate(card_id)
        choice = read_answer(
            Question(step),
            answer,
            notes,
            candidate.user_feedback,
            fingerprint,
            self.services,
            person(),
            confirmed,
            face,
        )
        if isinstance(choice, Reject):
            words = notes or (answer if len(answer.split()) > 1 else "")
            choice = Reject(choice.feedback.replace(reasons=self._reasons(candidate.tool_id, words)))
        return flow.decide(candidate.tool_id, choice, self.services)

    def refine(self, card_id: str) -> Refined:
        """Ask the question of a rejected card again, as the reason against it says; a generic reason asks for nothing.

        The rejection stands, whatever comes of it.
        """
        card = self.services.registry.card(card_id)
        feedback = self.services.registry.candidate(card_id).user_feedback
        words = feedback.notes if feedback is not None else None
        if feedback is None or words is None or not set(feedback.reasons) - {Reason.OTHER}:
            return Refined()
        try:
            staged = self._refined(card, words)
        except McpgenError as error:
            return Refined(sentence=f"There is no new answer: {error}")
        return Refined(staged) if staged is not None else Refined(sentence=NOT_REFINED)

    def _refined(self, card: Card, words: str) -> Staged | None:
        from jupyter_mcpgen.authors.embedded import EmbeddedAuthor  # deferred: loads the planner, as below
        from jupyter_mcpgen.pipeline.refine import refine_by_model, refine_by_planner, refined_question

        intent = intent_of_card(card, self.services)
        name = card.tool_name if card.is_named else None
        request = self.conversation.request(card.question, *data_of_card(card, intent), tool_name=name)
        objection, material = self._objection(request, intent, words)
        planner = EmbeddedAuthor(self.language)
        meant: Understood | None = refine_by_planner(objection, request, intent, material, planner)
        if meant is None and self.model is not None:
            by_model = replace(self.services, author=self.model())
            meant = refine_by_model(words, request, intent, material, by_model)
        if meant is None:
            return None
        if isinstance(meant, Intent) and isinstance(intent, Intent):
            meant = meant.instead_of(intent)
        asked = request.replace(question=refined_question(card.question, words))
        return self._in_reading(asked, meant)

    def _reasons(self, card_id: str, words: str) -> tuple[Reason, ...]:
        """Return what the words of a rejection find wrong; without words nothing."""
        if not words.strip():
            return ()
        try:
            card = self.services.registry.card(card_id)
            intent = intent_of_card(card, self.services)
            request = self.conversation.request(card.question, *data_of_card(card, intent))
            return self._objection(request, intent, words)[0].reasons
        except McpgenError:
            return (Reason.OTHER,)  # the words are kept, and the table that they could be held against is gone

    def _objection(self, request: Request, intent: Understood, words: str) -> tuple[Objection, Material]:
        from jupyter_mcpgen.pipeline.reasons import read_objection  # deferred: loads the planner

        material = load_all(request, self.services)
        return read_objection(words, intent, material.profile, self.language), material

    def approve(
        self,
        card_id: str,
        name: str | None,
        notes: str | None,
        confirmed: Collection[Confirms] = (),
        face: Face = Face.PYTHON,
    ) -> Card:
        """Accept a card's output and save its tool, under another name if one is given; returns the card after it.

        Raises `NotConfirmed` where the card needs a confirmation that `confirmed` leaves out.
        Raises `NameTaken` where another tool has the name, with a free one.
        """
        card = self.services.registry.card(card_id)
        if card.status is ToolStatus.DRAFT:
            card = self._finished(card)
        if not card.sound:
            raise UnsoundApproval(card.tool_name, blocking(card))
        require_confirmed(card, confirmed)
        if name is not None and name != card.tool_name:
            card = self._renamed(card, name)
        self.answer(card.card_id, card.fingerprint, "output", "yes", notes, face=face)
        return self.answer(card.card_id, card.fingerprint, "registration", "approve", notes, confirmed, face)

    def reopen(self, card_id: str) -> Card:
        """Let an expired card wait for a decision again."""
        return self.services.registry.card(self.services.registry.reopen(card_id, person()).tool_id)

    def undo(self, card_id: str) -> Card:
        """Take back the promotion of a card's tool."""
        registry = self.services.registry
        card = registry.card(card_id)
        tool = registry.tool(card.tool_name)
        if tool.tool_id != card.card_id:
            raise DecisionError(
                f"`{card.tool_name}` was promoted again since, as version {tool.version}. Undo that version first."
            )
        registry.undo(card.tool_name, person())
        self.services.announce(RegistryChanged(tool_name=card.tool_name, change="removed"))
        return registry.card(card_id)

    def pick(self, card_id: str, chip: str) -> Staged:
        """Answer in another reading: of an open question, or of a card, which is archived and replaced.

        A name that the person chose is kept. Of the card of an active tool it is the draft of its next version.
        """
        if card_id.startswith(QUESTION_MARK):
            opened = self.questions.find(card_id)
            picked = picked_intent(opened, chip).replace(read_by=ReadBy.PERSON)
            staged = self._in_reading(opened.request, picked)
            self.questions.go_on()
            return staged
        return self._read_otherwise(card_id, lambda intent: in_reading(intent, chip))

    def choices(self, card_id: str, key: str) -> PartChoices:
        """Return what may stand in a part of a card's reading; raises `DecisionError` for a part that it has not."""
        request, intent = self.asked(card_id)
        return choices_of(intent, key, load_all(request, self.services).profile)

    def adjust(self, card_id: str, parts: Mapping[str, Sequence[str]]) -> Staged:
        """Answer with other values in parts of a card's reading; the card is archived and replaced as by `pick`.

        A part without values is taken out. Raises `DecisionError` where they do not fit.
        """
        return self._read_otherwise(card_id, lambda intent: with_parts(intent, parts))

    def request_of(self, asked_id: str) -> Request:
        """Return what was asked on a card, or in a question that was asked back or refused."""
        return self.questions.find(asked_id).request if asked_id.startswith(QUESTION_MARK) else self.asked(asked_id)[0]

    def give_way(self, asked_id: str, to: Card) -> None:
        """Archive a card that waits for a decision, because its question was asked in other words."""
        if asked_id.startswith(QUESTION_MARK) or asked_id in self.reused:
            return
        if self.services.registry.card(asked_id).status.waits:
            self._withdraw(asked_id, f"Its question was asked in other words; the answer is `{to.card_id}` now.")

    def asked(self, card_id: str) -> tuple[Request, Understood]:
        """Return the question of a card, and how it is read there."""
        if card_id in self.reused:
            _, reused = self.reused[card_id]
            return reused.request, reused.intent
        card = self.services.registry.card(card_id)
        intent = intent_of_card(card, self.services)
        return self.conversation.request(card.question, *data_of_card(card, intent)), intent

    def _read_otherwise(self, card_id: str, read: Callable[[Understood], Intent]) -> Staged:
        """Answer the question of a card in another reading; the card is archived and replaced."""
        if card_id in self.reused:
            _, reused = self.reused[card_id]
            return self._in_reading(reused.request, read(reused.intent))
        card = self.services.registry.card(card_id)
        is_live = self._is_live(card)
        if not (card.status.waits or failed_gates(card) or is_live):
            raise AlreadyDecided(card.tool_name, card.status.value)
        intent = read(intent_of_card(card, self.services))
        staged = self._made_again(card, intent, card.tool_name if card.is_named or is_live else None)
        for table in {card.data_name, intent.input} & set(self.conversation.latest):
            self.conversation.remember(table, card.question, intent)
        if card.status.waits:
            self._withdraw(card.card_id, f"Another reading was picked: {intent.reading}.")
        return staged

    def code(self, card_id: str) -> str:
        """Return the function that computes a card's answer, for a person to change."""
        registry = self.services.registry
        card = registry.card(card_id)
        package = registry.package(card.card_id)
        return code_to_edit(intent_of_card(card, self.services), registry.candidate(card.card_id).spec, package)

    def edit(self, card_id: str, code: str) -> Staged:
        """Answer by code that a person changed, on a card in the place of the one before, under its name.

        Of the card of an active tool it is the draft of its next version. What the code computes has to stay: it is
        held against what it was held against before, and where a gate rejects it the card before stays as it is.
        Raises `UnusableCode` or `DecisionError` for code that is none.
        """
        card = self.services.registry.card(card_id)
        is_live = self._is_live(card)
        if not (card.status.waits or failed_gates(card) or is_live):
            raise AlreadyDecided(card.tool_name, card.status.value)
        intent = edited(intent_of_card(card, self.services), self.code(card.card_id), code)
        staged = self._made_again(card, intent, card.tool_name if card.is_named or is_live else None)
        if card.status.waits and staged.card.status.waits:
            self._withdraw(card.card_id, f"Its code was edited; the answer is `{staged.card.card_id}` now.")
        return staged

    def _is_live(self, card: Card) -> bool:
        """Tell whether a card is that of an active tool: another reading of it is that tool's next version."""
        before = self.services.registry.predecessor(card.tool_name)
        return before is not None and before.is_active and before.fingerprint == card.fingerprint

    def _in_reading(self, request: Request, intent: Understood) -> Staged:
        staged = self.stage(flow.compute_as(request, intent, self.services))
        self.conversation.remember(told_by(request.data), request.question, intent, request.other)
        return staged

    def _shown(self, card: Card) -> tuple[object, ...]:
        """Return what a person saw of a card's tool; tests and digests are made only when its gates have passed it."""
        candidate = self.services.registry.candidate(card.card_id)
        return candidate.version, candidate.spec_hash, candidate.code_hash, candidate.capabilities

    def _finished(self, card: Card) -> Card:
        """Run the gates of a card that was left as a draft; raises `DecisionError` where the answer is another now."""
        name = card.tool_name if card.is_named else None
        finished = self._made_again(card, intent_of_card(card, self.services), name).card
        self._withdraw(card.card_id, f"Its checks were run again as `{finished.card_id}`.")
        if (self._shown(finished), finished.table) != (self._shown(card), card.table):
            raise DecisionError(
                f"The data or the name of `{card.tool_name}` changed since this answer, so it was computed again as "
                f"`{finished.card_id}`. Look at it, then approve that one."
            )
        if finished.diff is not None:
            raise DecisionError(
                f"`{finished.card_id}` now shows what changes from version {finished.diff.before} of "
                f"`{finished.tool_name}`. Look at it, then approve that one."
            )
        return finished

    def _renamed(self, card: Card, name: str) -> Card:
        """Make a card's tool once more under another name; the card is archived, and the new one returned.

        The name of a tool is refused: its next version is approved after its card showed what changes.
        """
        if name in self.services.registry.names():
            raise NameTaken(
                f"You already have another tool named `{name}`. Choose another name, or ask the question again with "
                f"`--name {name}` to see what a next version of it would change."
            )
        renamed = self._made_again(card, intent_of_card(card, self.services), name).card
        self._withdraw(card.card_id, f"Saved under the name `{name}`.")
        if not renamed.sound:
            raise UnsoundApproval(renamed.tool_name, blocking(renamed))
        return renamed

    def _made_again(self, card: Card, intent: Understood, name: str | None) -> Staged:
        """Answer a card's question over the same data again, in a reading and under a name that a person gave."""
        request = self.conversation.request(card.question, *data_of_card(card, intent), tool_name=name)
        return self.stage(flow.compute_as(request, intent, self.services, self._kept_name(card, intent)))

    def _kept_name(self, card: Card, intent: Understood) -> str | None:
        """Return the name of a card for the same reading, where no tool has it: that nobody gave it stays so."""
        is_free = card.tool_name not in self.services.registry.names()
        return card.tool_name if is_free and intent.reading == card.reading else None

    def _withdraw(self, card_id: str, notes: str) -> None:
        """Archive a card that another one takes the place of."""
        withdrawn = UserFeedback(
            output=OutputVerdict.PENDING,
            decision=Decision.REJECTED,
            notes=notes,
            timestamp=self.services.clock(),
            decided_by=REPLACED,
        )
        flow.decide(card_id, Reject(withdrawn), self.services)
