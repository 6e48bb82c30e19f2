"""The kernel's side of consent, with the comm package's own manager, a desk in memory and a list on disk."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import comm
import pytest
from comm.base_comm import BaseComm
from pydantic import ValidationError

from jupyter_mcpgen.errors import AlreadyDecided, DecisionError, UnknownCandidate
from jupyter_mcpgen.lab.comms import CommWire
from jupyter_mcpgen.lab.consent import TARGET, ConsentChannel
from jupyter_mcpgen.lab.consent_clerk import ConsentsClerk
from jupyter_mcpgen.lab.consent_messages import ConsentAsked, Outcome, parse
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.consent import ConsentDecision, ConsentRequest
from jupyter_mcpgen.model.offered import ToolLimits
from tests.lab.desk import crash_card

LINTED = "mypy finds no type error."
CODE = "def shout(text: str) -> str:\n    return text.upper()\n"


def request_of(request_id: str, **changes: Any) -> ConsentRequest:
    """Make a request whose token is its id."""
    return ConsentRequest(
        request_id=request_id,
        token=f"token of {request_id}",
        expires_at="2026-11-20T10:05:00+00:00",
        fingerprint="f" * 64,
        tool_name="shout",
        version="1.0.0",
        description="Writes a text in capital letters.",
        author="somebody",
        client="a client",
        mode="safe",
        source_code=CODE,
        capabilities=(),
        limits=ToolLimits(),
        variables=(),
        evidence=("It ran on 3 examples.",),
        confirmations=(),
        created_at="2026-11-20T10:00:00+00:00",
    ).replace(**changes)


class Desk:
    """Requests by id, kept where a registry keeps them, so that the list on disk changes with them."""

    def __init__(self, folder: Path) -> None:
        self.listed = folder / "staging" / "metadata.json"
        self.listed.parent.mkdir()
        self.requests: dict[str, ConsentRequest] = {}
        self.outcomes: dict[str, Outcome] = {}
        self.said: list[tuple[Any, ...]] = []
        self._changes = 0

    def offer(self, request_id: str, **changes: Any) -> None:
        """Do what a server process does when a client offers something."""
        self.outcomes.pop(request_id, None)
        self.requests[request_id] = request_of(request_id, **changes)
        place = self.listed.parent / "candidates" / request_id
        place.mkdir(parents=True, exist_ok=True)
        (place / "offered.json").write_text("{}")
        self._list()

    def end(self, request_id: str, outcome: Outcome) -> None:
        """Decide as another process would."""
        self.outcomes[request_id] = outcome
        self._list()

    def waiting(self) -> tuple[ConsentAsked, ...]:
        """Return what has no outcome."""
        return tuple(
            ConsentAsked(
                request_id=name, tool_name=r.tool_name, version=r.version, client=r.client, created_at=r.created_at
            )
            for name, r in self.requests.items()
            if name not in self.outcomes
        )

    def request(self, request_id: str) -> ConsentRequest:
        """Return a request that waits."""
        if request_id not in self.requests or request_id in self.outcomes:
            raise UnknownCandidate(request_id)
        return self.requests[request_id]

    def decide(
        self,
        request_id: str,
        token: str,
        decision: ConsentDecision,
        confirmed: Collection[Confirms],
        notes: str | None,
    ) -> Card:
        """Decide at once, with the right token."""
        if token == "break":
            raise ZeroDivisionError
        if request_id in self.outcomes:
            raise AlreadyDecided("shout", "PROMOTED")
        if token != self.request(request_id).token:
            raise DecisionError("Look at the request again, then decide.")
        self.said.append((request_id, decision, tuple(confirmed), notes))
        self.end(request_id, "declined" if decision is ConsentDecision.DECLINE else "allowed")
        return self._card(request_id)

    def undo(self, request_id: str, *, forget: bool) -> None:
        """Let it wait again, unless its name was given to another version since."""
        if self.outcomes.get(request_id) != "allowed":
            raise DecisionError("Undo that version first.")
        self.said.append((request_id, "undo", forget))
        self.offer(request_id)

    def stand(self, request_id: str) -> tuple[Card, Outcome | None]:
        """Return what became of a request."""
        if request_id not in self.requests:
            raise UnknownCandidate(request_id)
        return self._card(request_id), self.outcomes.get(request_id)

    def look_late(self, request_id: str) -> None:
        """Find something about the code, once."""
        request = self.requests[request_id]
        if LINTED not in request.evidence:
            self.requests[request_id] = request.replace(evidence=(*request.evidence, LINTED))

    def _card(self, request_id: str) -> Card:
        return crash_card(request_id).replace(tool_name="shout", status=ToolStatus.STAGED)

    def _list(self) -> None:
        self._changes += 1
        self.listed.write_text("." * self._changes)


class Page(BaseComm):
    """The kernel's end of a comm; `heard` collects what would go to the page."""

    def __init__(self) -> None:
        super().__init__(target_name=TARGET, primary=False)
        self.heard: list[dict[str, Any]] = []
        self.came = threading.Condition()
        comm.get_comm_manager().register_comm(self)

    def publish_msg(self, msg_type: str, data: Any = None, *rest: Any, **more: Any) -> None:
        """Keep what is sent."""
        if msg_type == "comm_msg":
            with self.came:
                self.heard.append(data)
                self.came.notify_all()

    def say(self, kind: str, **fields: Any) -> None:
        """Send a message to the kernel."""
        self.handle_msg({"content": {"data": {"kind": kind, **fields}}})

    def answer(self, request_id: str, decision: str = "allow", **more: Any) -> None:
        """Decide about what was shown."""
        token = f"token of {request_id}"
        self.say("consent_response", **{"request_id": request_id, "token": token, "decision": decision, **more})

    def hears(self, kind: str, number: int = 1) -> dict[str, Any]:
        """Wait until as many messages of a kind came, and return the last of them."""

        def found() -> list[dict[str, Any]]:
            return [message for message in self.heard if message["kind"] == kind]

        with self.came:
            assert self.came.wait_for(lambda: len(found()) >= number, 20), self.heard
            return found()[number - 1]


class Office:
    """A channel with its desk, and pages on demand."""

    def __init__(self, folder: Path) -> None:
        self.desk = Desk(folder)
        self.hired = 0
        self.channel = ConsentChannel(self._hire, lambda: self.desk.listed, CommWire)

    def _hire(self) -> ConsentsClerk:
        self.hired += 1
        return ConsentsClerk(lambda: self.desk)

    def open(self) -> Page:
        """Open a page as a browser does."""
        page = Page()
        comm.get_comm_manager().targets[TARGET](page, {"content": {"data": {"kind": "consent_sync"}}})
        return page

    def settle(self) -> None:
        """Wait until everything accepted so far is carried out."""
        done = threading.Event()
        self.channel._wire.put(done.set)
        assert done.wait(10)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    office = Office(tmp_path)
    yield office
    office.channel.close()


def test_a_page_that_opens_hears_all_that_waits(office: Office) -> None:
    office.desk.offer("a")
    office.desk.offer("b")

    page = office.open()

    assert [one["request_id"] for one in page.hears("consents_waiting")["requests"]] == ["a", "b"]


def test_every_page_hears_of_an_offer_that_another_process_took(office: Office) -> None:
    pages = office.open(), office.open()

    office.desk.offer("a", client="a \u200b client")

    assert [page.hears("consent_request")["request_id"] for page in pages] == ["a", "a"]
    assert "token" not in str(pages[0].heard)


def test_a_page_that_asks_what_waits_takes_no_news_from_the_others(office: Office) -> None:
    page = office.open()
    office.settle()
    office.desk.offer("a")

    office.open()  # it may ask before the next look is taken

    assert page.hears("consent_request")["request_id"] == "a"


def test_nothing_is_built_while_nothing_is_offered(office: Office) -> None:
    office.open()
    office.desk._list()
    office.settle()

    assert office.hired == 0


def test_the_token_goes_to_the_page_that_opened_the_request_and_to_no_other(office: Office) -> None:
    office.desk.offer("a")
    page, other = office.open(), office.open()

    page.say("consent_opened", request_id="a")

    shown = page.hears("consent_shown")
    assert (shown["request"]["token"], shown["seconds"]) == ("token of a", 300)
    assert shown["request"]["evidence"] == ["It ran on 3 examples.", LINTED]
    office.settle()
    assert "token of a" not in str(other.heard)


def test_what_was_allowed_is_told_on_every_page_and_can_be_taken_back(office: Office) -> None:
    office.desk.offer("a")
    page, other = office.open(), office.open()

    page.answer("a", "always_allow", confirmed=["unchecked"])

    over = other.hears("consent_over")
    assert (over["outcome"], over["can_undo"]) == ("allowed", True)
    assert over["sentence"] == "shout v1.0.0 is live: AI clients can call it. You are not asked about it again."
    page.say("consent_undo", request_id="a")
    office.settle()
    assert (other.heard[-1]["kind"], other.heard[-1]["request_id"]) == ("consent_request", "a")
    assert office.desk.said == [
        ("a", ConsentDecision.ALWAYS_ALLOW, (Confirms.UNCHECKED,), None),
        ("a", "undo", True),
    ]


def test_a_reason_goes_with_a_decline(office: Office) -> None:
    office.desk.offer("a")
    page = office.open()

    page.answer("a", "decline", notes="I have one.")

    assert page.hears("consent_over")["outcome"] == "declined"
    assert office.desk.said == [("a", ConsentDecision.DECLINE, (), "I have one.")]


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        ("allowed", "was allowed elsewhere, and is live"),
        ("declined", "was declined elsewhere"),
        ("withdrawn", "was withdrawn by the client"),
        ("expired", "waited too long"),
    ],
)
def test_what_was_decided_elsewhere_is_told_with_what_became_of_it(office: Office, outcome: Outcome, told: str) -> None:
    office.desk.offer("a")
    page = office.open()
    page.hears("consents_waiting")

    office.desk.end("a", outcome)

    over = page.hears("consent_over")
    assert told in over["sentence"]
    assert over["can_undo"] is False


def test_the_second_of_two_decisions_is_told_that_there_was_a_first(office: Office) -> None:
    office.desk.offer("a")
    page = office.open()
    page.hears("consents_waiting")
    office.desk.outcomes["a"] = "allowed"  # the list is not written yet, so no look was taken

    page.answer("a", "decline")

    assert "was allowed elsewhere" in page.hears("consent_over")["sentence"]
    assert office.desk.said == []


def test_a_decision_that_is_refused_says_why_and_the_request_waits_on(office: Office) -> None:
    office.desk.offer("a")
    page = office.open()

    page.answer("a", token="another")
    page.answer("a", token="break")

    assert page.hears("consent_refused")["message"] == "Look at the request again, then decide."
    assert "kernel's log" in page.hears("consent_refused", 2)["message"]
    assert office.desk.said == []


def test_what_cannot_be_taken_back_says_why(office: Office) -> None:
    office.desk.offer("a")
    office.desk.end("a", "declined")
    page = office.open()

    page.say("consent_undo", request_id="a")

    assert page.hears("consent_refused")["message"] == "Undo that version first."


def test_a_request_that_nobody_holds_is_over(office: Office) -> None:
    office.desk.offer("a")
    page = office.open()

    page.say("consent_opened", request_id="never")

    assert page.hears("consent_over")["outcome"] == "gone"


def test_signs_that_do_not_show_are_spelled_out_and_letters_that_look_like_others_are_named(office: Office) -> None:
    office.desk.offer(
        "a",
        source_code="def shout(t\u0435xt):\n    # never\u2028    return 1\n    return t\u0435xt\n",
        description="Writes \u202ea text.",
        client="a\u200bclient",
    )
    page = office.open()

    page.say("consent_opened", request_id="a")

    shown = page.hears("consent_shown")
    request = shown["request"]
    assert request["source_code"].splitlines()[1] == "    # never\\u2028    return 1"
    assert (request["description"], request["client"]) == ("Writes \\u202ea text.", "a\\u200bclient")
    about_hidden, about_letters = shown["warnings"]
    assert "invisible characters" in about_hidden
    assert "cyrillic small letter ie" in about_letters


def test_plain_code_is_shown_as_it_is_and_without_a_warning(office: Office) -> None:
    office.desk.offer("a", source_code=f"{CODE}# été\n")
    page = office.open()

    page.say("consent_opened", request_id="a")

    shown = page.hears("consent_shown")
    assert (shown["request"]["source_code"], shown["warnings"]) == (f"{CODE}# été\n", [])


def test_nothing_is_looked_at_once_no_page_is_open(office: Office) -> None:
    page = office.open()
    (follower,) = [one for one in threading.enumerate() if one.name == "mcpgen-consents"]

    page.handle_close({})

    follower.join(10)
    assert not follower.is_alive()
    office.desk.offer("a")
    assert office.open().hears("consents_waiting")["requests"] != []


def test_a_closed_channel_leaves_no_target_behind(office: Office) -> None:
    office.channel.close()

    assert TARGET not in comm.get_comm_manager().targets


@pytest.mark.parametrize(
    "data",
    [
        {"kind": "consent_response", "request_id": "a", "decision": "allow"},
        {"kind": "consent_response", "request_id": "a", "token": "t", "decision": "yes"},
        {"kind": "consent_response", "request_id": "a", "token": "t", "decision": "allow", "notes": "x" * 501},
        {"kind": "consent_opened"},
        {"kind": "allow everything"},
    ],
)
def test_a_decision_without_a_token_or_in_other_words_is_none(data: object) -> None:
    with pytest.raises(ValidationError):
        parse(data)
