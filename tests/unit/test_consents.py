"""Consent: one use, one content, a few minutes; nobody decides without a token that was made for a screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jupyter_mcpgen.client_tools import ClientTools
from jupyter_mcpgen.consents import TOKEN_SECONDS, Consents
from jupyter_mcpgen.errors import DecisionError, NotConfirmed, UnknownCandidate
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.consent import ConsentDecision
from jupyter_mcpgen.model.offered import Offering, ToolLimits
from jupyter_mcpgen.runtime import Runtime
from tests.products import new_runtime

READ = (Confirms.UNCHECKED,)


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 29, 9, tzinfo=UTC)

    def __call__(self) -> str:
        """Return the time in UTC."""
        return self.now.isoformat()

    def passes(self, **time: float) -> None:
        """Let time pass."""
        self.now += timedelta(**time)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    return new_runtime(tmp_path)


@pytest.fixture
def consents(runtime: Runtime, clock: Clock, tmp_path: Path) -> Consents:
    return Consents(runtime.registry, lambda: runtime.decisions, tmp_path / "consents", clock)


@pytest.fixture
def offer(runtime: Runtime, consents: Consents) -> Callable[..., Card]:
    tools: ClientTools = replace(runtime.client_tools, consents=consents)

    def one(code: str = "def one():\n    return 1", client: str = "Claude", limits: ToolLimits | None = None) -> Card:
        return tools.register(Offering(name="one", source_code=code, resource_limits=limits), client)

    return one


def test_a_token_decides_once(consents: Consents, offer: Callable[..., Card]) -> None:
    request = consents.request(offer().card_id)

    card = consents.decide(request.request_id, request.token, ConsentDecision.ALLOW, READ)

    assert card.status is ToolStatus.PROMOTED
    with pytest.raises(DecisionError, match="was used already"):
        consents.decide(request.request_id, request.token, ConsentDecision.DECLINE)


@pytest.mark.parametrize("guess", ["", "x", "0" * 32])
def test_a_guess_uses_the_token_up_and_decides_nothing(
    consents: Consents, offer: Callable[..., Card], guess: str
) -> None:
    request = consents.request(offer().card_id)

    with pytest.raises(DecisionError):
        consents.decide(request.request_id, guess, ConsentDecision.ALLOW, READ)

    with pytest.raises(DecisionError):
        consents.decide(request.request_id, request.token, ConsentDecision.ALLOW, READ)
    assert [candidate.tool_id for candidate, _ in consents.waiting()] == [request.request_id]


def test_a_token_of_one_request_does_not_decide_another(consents: Consents, offer: Callable[..., Card]) -> None:
    first = consents.request(offer().card_id)
    second = consents.request(offer("def one():\n    return 2", "Other").card_id)

    with pytest.raises(DecisionError):
        consents.decide(second.request_id, first.token, ConsentDecision.ALLOW, READ)


def test_a_token_is_good_for_some_minutes(consents: Consents, offer: Callable[..., Card], clock: Clock) -> None:
    request = consents.request(offer().card_id)

    clock.passes(seconds=TOKEN_SECONDS + 1)

    with pytest.raises(DecisionError, match=f"more than {TOKEN_SECONDS} s"):
        consents.decide(request.request_id, request.token, ConsentDecision.ALLOW, READ)
    fresh = consents.request(request.request_id)
    assert consents.decide(fresh.request_id, fresh.token, ConsentDecision.ALLOW, READ).status is ToolStatus.PROMOTED


def test_an_allowance_without_its_confirmation_allows_nothing(consents: Consents, offer: Callable[..., Card]) -> None:
    request = consents.request(offer().card_id)

    with pytest.raises(NotConfirmed):
        consents.decide(request.request_id, request.token, ConsentDecision.ALLOW)

    assert consents.waiting() != ()


def test_a_declined_tool_is_gone_with_the_reason(
    consents: Consents, offer: Callable[..., Card], runtime: Runtime
) -> None:
    request = consents.request(offer().card_id)

    card = consents.decide(request.request_id, request.token, ConsentDecision.DECLINE, notes="not this way")

    assert (card.status, card.feedback.notes) == (ToolStatus.REJECTED, "not this way")
    assert (consents.waiting(), runtime.active()) == ((), ())
    with pytest.raises(UnknownCandidate):
        consents.request(request.request_id)


def test_a_standing_consent_ends(consents: Consents, offer: Callable[..., Card], clock: Clock) -> None:
    request = consents.request(offer().card_id)
    consents.decide(request.request_id, request.token, ConsentDecision.ALWAYS_ALLOW, READ)
    assert [each.tool_name for each in consents.standing()] == ["one"]

    clock.passes(days=91)

    assert consents.standing() == ()


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("code", "client", "is_live"),
    [
        ("def one():\n    return 1", "Claude", True),
        ("def one():\n    return 1", "Other", False),
        ("def one():\n    return 1\n", "Claude", False),
        ("def one():\n    return 2", "Claude", False),
    ],
    ids=["the same", "another client", "one byte", "other code"],
)
def test_a_standing_consent_covers_the_same_content_of_the_same_client(
    consents: Consents, offer: Callable[..., Card], runtime: Runtime, code: str, client: str, is_live: bool
) -> None:
    request = consents.request(offer().card_id)
    consents.decide(request.request_id, request.token, ConsentDecision.ALWAYS_ALLOW, READ)
    runtime.unpublish("one")

    card = offer(code, client)

    assert (card.status is ToolStatus.PROMOTED) is is_live
    assert ([tool.name for tool in runtime.active()] == ["one"]) is is_live


def test_a_standing_consent_does_not_cover_higher_limits(
    consents: Consents, offer: Callable[..., Card], runtime: Runtime
) -> None:
    request = consents.request(offer().card_id)
    consents.decide(request.request_id, request.token, ConsentDecision.ALWAYS_ALLOW, READ)
    runtime.unpublish("one")

    card = offer(limits=ToolLimits(rate_limit_per_minute=600))

    assert card.status is ToolStatus.STAGED


def test_a_damaged_file_of_standing_consents_allows_nothing_and_says_so(
    consents: Consents, offer: Callable[..., Card], tmp_path: Path
) -> None:
    request = consents.request(offer().card_id)
    consents.decide(request.request_id, request.token, ConsentDecision.ALWAYS_ALLOW, READ)
    (tmp_path / "consents" / "always_allow.json").write_text("{")

    with pytest.raises(DecisionError, match="nothing is always allowed"):
        consents.standing()
