"""Tells pages what AI clients offer, shows a request to who opens it, and carries their decision to the desk."""

from __future__ import annotations

import logging
import tokenize
import unicodedata
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from io import StringIO
from typing import Protocol, assert_never

from pydantic import ValidationError

from jupyter_mcpgen.consents import TOKEN_SECONDS, Consents
from jupyter_mcpgen.errors import McpgenError, UnknownCandidate
from jupyter_mcpgen.lab.consent_messages import (
    ConsentAnswer,
    ConsentAsked,
    ConsentOpened,
    ConsentOver,
    ConsentRefused,
    ConsentShown,
    ConsentsWaiting,
    ConsentSync,
    ConsentToPage,
    ConsentUndo,
    Outcome,
    parse,
)
from jupyter_mcpgen.lab.late import LateLooks
from jupyter_mcpgen.lab.wire import Say
from jupyter_mcpgen.model.candidate import CLIENT, ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.consent import ConsentDecision, ConsentRequest
from jupyter_mcpgen.model.feedback import Face
from jupyter_mcpgen.plan.visible import name_in_words, visible, visible_code
from jupyter_mcpgen.runtime import Runtime

log = logging.getLogger(__name__)

_MOST_LETTERS = 5
_BROKEN = "Something went wrong in the kernel. The kernel's log has the details; `%mcpgen inbox` shows what waits."


class ConsentDesk(Protocol):
    """Where requests are kept and decisions are carried out.

    Every method raises `UnknownCandidate` for a request it does not hold, and another `McpgenError` for what it
    refuses.
    """

    def waiting(self) -> tuple[ConsentAsked, ...]:
        """Return what waits, the oldest first."""

    def request(self, request_id: str) -> ConsentRequest:
        """Return a request with a fresh token."""

    def decide(
        self,
        request_id: str,
        token: str,
        decision: ConsentDecision,
        confirmed: Collection[Confirms],
        notes: str | None,
    ) -> Card:
        """Carry out a decision and return the card after it."""

    def undo(self, request_id: str, *, forget: bool) -> None:
        """Take back an approval, so that the request waits again; `forget` also what was always allowed."""

    def stand(self, request_id: str) -> tuple[Card, Outcome | None]:
        """Return a request's card, and what became of it, or None while it waits."""

    def look_late(self, request_id: str) -> None:
        """Have the linters look at a request's code, unless they did."""


class ConsentsClerk:
    """Serves the pages of one kernel; all of it runs on one thread."""

    def __init__(self, open_desk: Callable[[], ConsentDesk]) -> None:
        self._open_desk = open_desk
        self._late = LateLooks()
        self._told: set[str] = set()
        self._allowed: dict[str, ConsentDecision] = {}
        """What was allowed from pages of this kernel: they can take it back."""

    def begin(self, tell_all: Say) -> None:
        """Tell the pages what waits: they may remember what another clerk told them."""
        self.serve({"kind": "consent_sync"}, tell_all, tell_all)

    def serve(self, data: object, reply: Say, tell_all: Say) -> None:
        """Carry out what a page said."""
        try:
            message = parse(data)
        except ValidationError:
            log.exception("A message from the page cannot be read; page and kernel run different versions?")
            return
        if isinstance(message, ConsentSync):
            self.look(tell_all)  # what is new is new to the other pages too
            _say(ConsentsWaiting(requests=self._open_desk().waiting()), reply)
            return
        try:
            self._carry_out(message, reply, tell_all)
        except McpgenError as error:
            self._refuse(message, str(error), reply)
        except Exception:
            log.exception("A consent to `%s` could not be carried out.", message.request_id)
            self._refuse(message, _BROKEN, reply)

    def look(self, tell_all: Say) -> None:
        """Tell the pages what waits since the last look, and what waits no more."""
        waiting = {asked.request_id: asked for asked in self._open_desk().waiting()}
        for request_id, asked in waiting.items():
            if request_id not in self._told:
                self._told.add(request_id)
                _say(asked, tell_all)
                self._look_later(request_id)
        for request_id in sorted(self._told - set(waiting)):
            self._told.discard(request_id)
            over = self._over(request_id)
            if over is not None:  # else it waits again since, and the next look tells it
                _say(over, tell_all)

    def _look_later(self, request_id: str) -> None:
        """Have the linters look at what waits before a person opens it: the first look takes seconds."""

        def look() -> None:
            try:
                self._open_desk().look_late(request_id)
            except McpgenError as error:
                log.info("`%s` was not looked at: %s", request_id, error)
            except Exception:
                # no cell shows it, because no person asked for it; it is in the log
                log.exception("`%s` could not be looked at.", request_id)

        self._late.ask(request_id, look)

    def _carry_out(self, message: ConsentOpened | ConsentAnswer | ConsentUndo, reply: Say, tell_all: Say) -> None:
        desk, request_id = self._open_desk(), message.request_id
        match message:
            case ConsentOpened():
                desk.request(request_id)  # who opens what is over is told so at once
                desk.look_late(request_id)
                _say(_shown(desk.request(request_id)), reply)
            case ConsentAnswer():
                card = desk.decide(request_id, message.token, message.decision, message.confirmed, message.notes)
                self._told.discard(request_id)
                if message.decision is not ConsentDecision.DECLINE:
                    self._allowed[request_id] = message.decision
                _say(_decided(card, message.decision), tell_all)
            case ConsentUndo():
                forget = self._allowed.get(request_id) is ConsentDecision.ALWAYS_ALLOW
                desk.undo(request_id, forget=forget)
                self._allowed.pop(request_id, None)
                self.look(tell_all)
            case _:
                assert_never(message)

    def _refuse(self, message: ConsentOpened | ConsentAnswer | ConsentUndo, why: str, reply: Say) -> None:
        """Say why something was not done, or that somebody else decided meanwhile."""
        over = None if isinstance(message, ConsentUndo) else self._over(message.request_id)
        _say(over or ConsentRefused(request_id=message.request_id, message=why), reply)

    def _over(self, request_id: str) -> ConsentOver | None:
        """Return what became of a request that waits no more; None while it waits."""
        try:
            card, outcome = self._open_desk().stand(request_id)
        except UnknownCandidate:
            return ConsentOver(request_id=request_id, outcome="gone", sentence="This request no longer exists.")
        if outcome is None:
            return None
        told = {
            "allowed": "was allowed elsewhere, and is live.",
            "declined": "was declined elsewhere.",
            "withdrawn": "was withdrawn by the client that offered it.",
            "expired": "waited too long, and is in the archive.",
            "gone": "no longer exists.",
        }
        return ConsentOver(request_id=request_id, outcome=outcome, sentence=f"{_named(card)} {told[outcome]}")


@dataclass(frozen=True)
class RuntimeDesk:
    """The desk of a configured product, behind one face."""

    runtime: Runtime
    face: Face

    @property
    def _consents(self) -> Consents:
        return self.runtime.consents

    def waiting(self) -> tuple[ConsentAsked, ...]:
        """Return what waits, the oldest first."""
        return tuple(
            ConsentAsked(
                request_id=candidate.tool_id,
                tool_name=offered.name,
                version=offered.version,
                client=name_in_words(offered.client),
                created_at=candidate.created_at,
            )
            for candidate, offered in reversed(self._consents.waiting())
        )

    def request(self, request_id: str) -> ConsentRequest:
        """Return a request with a fresh token."""
        return self._consents.request(request_id)

    def look_late(self, request_id: str) -> None:
        """Have the linters look at a request's code, unless they did."""
        self.runtime.look_late(request_id)

    def decide(
        self,
        request_id: str,
        token: str,
        decision: ConsentDecision,
        confirmed: Collection[Confirms],
        notes: str | None,
    ) -> Card:
        """Carry out a decision and return the card after it."""
        return self._consents.decide(request_id, token, decision, confirmed, notes, self.face)

    def undo(self, request_id: str, *, forget: bool) -> None:
        """Take back an approval, so that the request waits again; `forget` also what was always allowed."""
        card = self.runtime.undo(request_id)
        if forget:
            self._consents.revoke_standing(card.tool_name)

    def stand(self, request_id: str) -> tuple[Card, Outcome | None]:
        """Return a request's card, and what became of it, or None while it waits."""
        registry = self.runtime.registry
        request_id = registry.candidate(request_id).tool_id
        waits = any(each.tool_id == request_id for each in registry.staged())
        card, candidate = registry.card(request_id), registry.candidate(request_id)  # what was decided since counts
        if waits and candidate.status.waits:
            return card, None
        if candidate.status is ToolStatus.PROMOTED:
            return card, "allowed"
        if candidate.status is not ToolStatus.REJECTED:
            return card, "expired"
        by = candidate.user_feedback.decided_by if candidate.user_feedback is not None else ""
        return card, "withdrawn" if by.startswith(CLIENT) else "declined"


def _shown(request: ConsentRequest) -> ConsentShown:
    """Return a request as it is put before a person: in what a client wrote, every sign shows."""
    diff = request.diff
    shown = request.replace(
        description=visible(request.description),
        author=visible(request.author),
        client=visible(request.client),
        source_code=visible_code(request.source_code),
        diff=None if diff is None else diff.replace(code=visible_code(diff.code)),
    )
    return ConsentShown(request=shown, seconds=TOKEN_SECONDS, warnings=tuple(_warnings(request, shown)))


def _warnings(request: ConsentRequest, shown: ConsentRequest) -> Iterator[str]:
    if shown.replace(diff=request.diff) != request:
        yield "These texts contain invisible characters. They are written out here, such as `\\u200b`."
    letters = sorted({sign for name in _names(request.source_code) for sign in name if not sign.isascii()})
    if letters:
        named = ", ".join(f"`{visible(sign)}` ({_name_of(sign)})" for sign in letters[:_MOST_LETTERS])
        more = " and others" if len(letters) > _MOST_LETTERS else ""
        yield f"Some names in the code contain letters that may look like others: {named}{more}."


def _names(code: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(StringIO(code).readline):
        if token.type == tokenize.NAME:
            yield token.string


def _name_of(sign: str) -> str:
    return unicodedata.name(sign, "no name").lower()


def _decided(card: Card, decision: ConsentDecision) -> ConsentOver:
    if decision is ConsentDecision.DECLINE:
        sentence = f"{_named(card)} is declined. The client is told so."
        return ConsentOver(request_id=card.card_id, outcome="declined", sentence=sentence)
    always = " You are not asked about it again." if decision is ConsentDecision.ALWAYS_ALLOW else ""
    sentence = f"{_named(card)} is live: AI clients can call it.{always}"
    return ConsentOver(request_id=card.card_id, outcome="allowed", sentence=sentence, can_undo=True)


def _named(card: Card) -> str:
    return f"{card.tool_name} v{card.version}"


def _say(message: ConsentToPage, listener: Say) -> None:
    listener(message.model_dump(mode="json"))
