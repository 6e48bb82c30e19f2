"""What people decide about tools that AI clients offer: the inbox, single-use tokens, and standing consents.

Nothing that a client can send decides anything: every decision carries a token that was made for a person's screen.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from threading import Lock

from filelock import FileLock
from pydantic import ValidationError

from jupyter_mcpgen.authors.offered import offered_in
from jupyter_mcpgen.decisions import Decisions
from jupyter_mcpgen.errors import DecisionError, UnknownCandidate
from jupyter_mcpgen.model.candidate import ToolCandidate
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.consent import AlwaysAllowed, CapabilityWords, ConsentDecision, ConsentRequest
from jupyter_mcpgen.model.feedback import Face
from jupyter_mcpgen.model.offered import OfferedTool
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.person import person
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.sandbox.capabilities import told

TOKEN_SECONDS = 300
ALWAYS_DAYS = 90
ALWAYS_ALLOW = "always_allow.json"
STANDING = "standing consent of"
"""How the note of an approval begins that a standing consent gave."""


class _Standing(Record):
    """`always_allow.json`."""

    consents: tuple[AlwaysAllowed, ...] = ()


@dataclass(frozen=True)
class _Token:
    token: str
    fingerprint: str
    expires_at: datetime


@dataclass(frozen=True)
class Consents:
    """The requests of one registry; `folder` is where standing consents are kept, outside every registry."""

    registry: Registry
    decisions: Callable[[], Decisions]
    folder: Path
    clock: Callable[[], str]
    _tokens: dict[str, _Token] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def waiting(self) -> tuple[tuple[ToolCandidate, OfferedTool], ...]:
        """Return the offered tools that wait for a decision, newest first."""
        found = ((each, offered_in(self.registry.package(each.tool_id))) for each in self.registry.staged())
        return tuple((candidate, offered) for candidate, offered in found if offered is not None)

    def request(self, wanted: str) -> ConsentRequest:
        """Return one request with a fresh token, which takes the place of an earlier one.

        `wanted` is an id, the beginning of one, or the name of a tool. Raises `UnknownCandidate`.
        """
        candidate = self.registry.candidate(wanted)
        offered = offered_in(self.registry.package(candidate.tool_id))
        if offered is None or not candidate.status.waits:
            raise UnknownCandidate(wanted, [each.tool_id for each, _ in self.waiting()])
        card = self.registry.card(candidate.tool_id)
        expires = self._now() + timedelta(seconds=TOKEN_SECONDS)
        token = _Token(secrets.token_urlsafe(24), candidate.fingerprint, expires)
        with self._lock:
            self._tokens[candidate.tool_id] = token
        return ConsentRequest(
            request_id=candidate.tool_id,
            token=token.token,
            expires_at=expires.isoformat(timespec="seconds"),
            fingerprint=candidate.fingerprint,
            tool_name=offered.name,
            version=offered.version,
            description=offered.description,
            author=offered.author,
            client=offered.client,
            mode=offered.mode,
            source_code=card.code,
            capabilities=tuple(
                CapabilityWords(label=t.label, sentence=t.sentence, dangerous=t.is_dangerous, grants=t.grants)
                for t in told(candidate.capabilities)
            ),
            limits=offered.resource_limits,
            variables=offered.variables,
            evidence=tuple(item.sentence for item in card.evidence),
            confirmations=card.confirmations,
            diff=card.diff,
            created_at=candidate.created_at,
        )

    def decide(
        self,
        request_id: str,
        token: str,
        decision: ConsentDecision,
        confirmed: Collection[Confirms] = (),
        notes: str | None = None,
        face: Face = Face.PYTHON,
    ) -> Card:
        """Carry out a person's decision and return the card after it; the token is used up, whatever becomes of it.

        Raises `DecisionError` for a token that is none, was used, is too old, or was made for other content, and
        `NotConfirmed` where an approval leaves a confirmation out.
        """
        candidate = self.registry.candidate(request_id)
        with self._lock:
            known = self._tokens.pop(candidate.tool_id, None)
        # compared whether there is a token or not, so that the time tells nothing
        is_known = hmac.compare_digest(token.encode(), (known.token if known else secrets.token_urlsafe(24)).encode())
        if known is None or not is_known:
            raise DecisionError(
                f"This consent to `{candidate.spec.tool_name}` was used already, or comes from another process. "
                "Open the request again, then decide."
            )
        if self._now() > known.expires_at:
            raise DecisionError(
                f"The consent to `{candidate.spec.tool_name}` came more than {TOKEN_SECONDS} s after the request was "
                "shown. Open the request again, then decide."
            )
        if not hmac.compare_digest(known.fingerprint.encode(), candidate.fingerprint.encode()):
            raise DecisionError(
                f"`{candidate.spec.tool_name}` changed since it was shown. Open the request again, then decide."
            )
        return self._carried_out(candidate, decision, confirmed, notes, face)

    def is_always_allowed(self, candidate: ToolCandidate, offered: OfferedTool) -> bool:
        """Tell whether a person said that this content of this client needs no further question."""
        return any(
            hmac.compare_digest(each.content.encode(), content_digest(candidate).encode())
            and (each.client, each.mode, each.capabilities) == (offered.client, offered.mode, candidate.capabilities)
            for each in self.standing()
        )

    def approve_standing(self, candidate: ToolCandidate) -> Card:
        """Approve what a person always allows; the log names the standing consent."""
        return self.decisions().approve(
            candidate.tool_id,
            None,
            f"{STANDING} {person()}",
            tuple(Confirms(c) for c in _needed(self.registry, candidate)),
            Face.STANDING,
        )

    def standing(self) -> tuple[AlwaysAllowed, ...]:
        """Return the standing consents that did not expire."""
        now = self._now()
        return tuple(each for each in self._stored().consents if datetime.fromisoformat(each.expires_at) > now)

    def revoke_standing(self, tool_name: str) -> int:
        """Take back the standing consents to a tool and return how many there were."""
        with self._held():
            kept = tuple(each for each in self.standing() if each.tool_name != tool_name)
            number = len(self.standing()) - len(kept)
            if number:
                self._store(_Standing(consents=kept))
        return number

    def _carried_out(
        self,
        candidate: ToolCandidate,
        decision: ConsentDecision,
        confirmed: Collection[Confirms],
        notes: str | None,
        face: Face,
    ) -> Card:
        if decision is ConsentDecision.DECLINE:
            return self.decisions().answer(
                candidate.tool_id, candidate.fingerprint, "registration", "reject", notes, (), face
            )
        card = self.decisions().approve(candidate.tool_id, None, notes, confirmed, face)
        if decision is ConsentDecision.ALWAYS_ALLOW:
            self._allow_always(candidate)
        return card

    def _allow_always(self, candidate: ToolCandidate) -> None:
        offered = offered_in(self.registry.package(candidate.tool_id))
        if offered is None:
            return
        now = self._now()
        consent = AlwaysAllowed(
            content=content_digest(candidate),
            tool_name=offered.name,
            capabilities=candidate.capabilities,
            client=offered.client,
            mode=offered.mode,
            allowed_by=person(),
            allowed_at=now.isoformat(timespec="seconds"),
            expires_at=(now + timedelta(days=ALWAYS_DAYS)).isoformat(timespec="seconds"),
        )
        with self._held():
            others = (
                each for each in self.standing() if (each.content, each.client) != (consent.content, consent.client)
            )
            self._store(_Standing(consents=(*others, consent)))

    def _stored(self) -> _Standing:
        try:
            return _Standing.model_validate_json((self.folder / ALWAYS_ALLOW).read_bytes())
        except FileNotFoundError:
            return _Standing()
        except ValidationError as error:
            raise DecisionError(
                f"`{self.folder / ALWAYS_ALLOW}` cannot be read, so nothing is always allowed. Delete or mend the file."
            ) from error

    def _store(self, standing: _Standing) -> None:
        path = self.folder / ALWAYS_ALLOW
        beside = path.with_suffix(".new")
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(standing.model_dump_json(indent=2) + "\n")
        beside.replace(path)

    @contextmanager
    def _held(self) -> Iterator[None]:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with FileLock(self.folder / "always_allow.lock", mode=0o600):
            yield

    def _now(self) -> datetime:
        return datetime.fromisoformat(self.clock())


def content_digest(candidate: ToolCandidate) -> str:
    """Return a digest over what a tool is: contract, code and capabilities, without its version."""
    content = [candidate.spec_hash, candidate.code_hash, sorted(candidate.capabilities)]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _needed(registry: Registry, candidate: ToolCandidate) -> Collection[Confirms]:
    return [each.confirms for each in registry.card(candidate.tool_id).confirmations]
