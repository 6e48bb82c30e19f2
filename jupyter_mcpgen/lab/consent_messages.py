"""The wire between a page and the kernel about consent; the TypeScript types are generated from this module too."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.consent import ConsentDecision, ConsentRequest
from jupyter_mcpgen.model.record import Record

_ENDED = "The process that keeps the requests ended. Open the request again; `jupyter mcpgen inbox` shows it too."

Outcome = Literal["allowed", "declined", "withdrawn", "expired", "gone"]


class ConsentSync(Record):
    """The page wants to know what waits for consent."""

    kind: Literal["consent_sync"] = "consent_sync"


class ConsentOpened(Record):
    """A person opened a request: send all that they must see, with a fresh token."""

    kind: Literal["consent_opened"] = "consent_opened"
    request_id: str


class ConsentAnswer(Record):
    """A person's decision, with the token of what they saw."""

    kind: Literal["consent_response"] = "consent_response"
    request_id: str
    token: str
    decision: ConsentDecision
    confirmed: tuple[Confirms, ...] = ()
    notes: str | None = Field(default=None, max_length=500)


class ConsentUndo(Record):
    """Take back what was allowed from a page of this kernel; the request waits again."""

    kind: Literal["consent_undo"] = "consent_undo"
    request_id: str


class ConsentAsked(Record):
    """A tool that an AI client offers waits for consent; `client` is the client's own word."""

    kind: Literal["consent_request"] = "consent_request"
    request_id: str
    tool_name: str
    version: str
    client: str
    created_at: str


class ConsentsWaiting(Record):
    """All that waits for consent, the oldest first."""

    kind: Literal["consents_waiting"] = "consents_waiting"
    requests: tuple[ConsentAsked, ...]


class ConsentShown(Record):
    """What a person decides about; its token is good for so many seconds.

    In the texts every sign that does not show is spelled out; `warnings` say so, and name letters that may
    look like others.
    """

    kind: Literal["consent_shown"] = "consent_shown"
    request: ConsentRequest
    seconds: int
    warnings: tuple[str, ...] = ()


class ConsentOver(Record):
    """A request that waits no more: what became of it, and whether a page can take that back."""

    kind: Literal["consent_over"] = "consent_over"
    request_id: str
    outcome: Outcome
    sentence: str
    can_undo: bool = False


class ConsentRefused(Record):
    """What a person wanted could not be done, and why; the request waits on, and its token is used up."""

    kind: Literal["consent_refused"] = "consent_refused"
    request_id: str
    message: str


ConsentFromPage = ConsentSync | ConsentOpened | ConsentAnswer | ConsentUndo
ConsentToPage = ConsentAsked | ConsentsWaiting | ConsentShown | ConsentOver | ConsentRefused

_FROM_PAGE: TypeAdapter[ConsentFromPage] = TypeAdapter(Annotated[ConsentFromPage, Field(discriminator="kind")])


def parse(data: object) -> ConsentFromPage:
    """Turn a message's content into a record; raises pydantic's `ValidationError` for anything else."""
    return _FROM_PAGE.validate_python(data, strict=False)


def excuse(said: object) -> ConsentRefused | None:
    """Return what a page hears of what it said about a request, where the process that kept the request has ended."""
    request_id = said.get("request_id") if isinstance(said, dict) else None
    return ConsentRefused(request_id=request_id, message=_ENDED) if isinstance(request_id, str) else None
