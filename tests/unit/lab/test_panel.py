"""What the Jupyter server says to a side panel: with a desk that decides at once, and real files that change."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from jupyter_mcpgen.errors import DecisionError
from jupyter_mcpgen.lab.panel import CHANGED, PanelChannel
from jupyter_mcpgen.lab.panel_clerk import PanelClerk
from jupyter_mcpgen.lab.panel_messages import (
    PanelActivity,
    PanelChanged,
    PanelInbox,
    PanelOutcome,
    PanelSeen,
    PanelTold,
    excuse,
)
from jupyter_mcpgen.lab.wire import Page, Say


class Desk:
    """Approves what is not "alone", refuses "gone", and breaks on "broken"."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str, str | None]] = []

    def inbox(self) -> PanelInbox:
        """Have nothing that waits."""
        return PanelInbox(cards=())

    def activity(self) -> PanelActivity:
        """Fail as no desk should."""
        raise ZeroDivisionError

    def why_alone(self, card_id: str) -> str:
        """Name the one that wants a look of its own."""
        return "It needs a confirmation of its own." if card_id == "alone" else ""

    def approve(self, seen: PanelSeen, notes: str | None) -> PanelOutcome:
        """Approve what is there."""
        return self._done("approve", seen, notes)

    def reject(self, seen: PanelSeen, notes: str | None) -> PanelOutcome:
        """Reject what is there."""
        return self._done("reject", seen, notes)

    def refine(self, card_id: str) -> str:
        """Make a new answer of every reason."""
        self.said.append(("refine", card_id, None))
        return "There is a new answer."

    def undo(self, card_id: str) -> PanelTold:
        """Refuse."""
        raise DecisionError("It was promoted again since.")

    def _done(self, decision: str, seen: PanelSeen, notes: str | None) -> PanelOutcome:
        if seen.card_id == "gone":
            raise DecisionError("It was decided elsewhere.")
        self.said.append((decision, seen.card_id, notes))
        return PanelOutcome(card_id=seen.card_id, tool_name=seen.card_id, done=True, sentence="Done.")


class Office:
    """A clerk at the desk, and what he answered."""

    def __init__(self) -> None:
        self.desk = Desk()
        self.heard: list[Mapping[str, Any]] = []
        self._clerk = PanelClerk(lambda: self.desk)  # type: ignore[arg-type, return-value]

    def says(self, data: object) -> list[Mapping[str, Any]]:
        """Say something to the clerk, and return his answers."""
        self.heard.clear()
        self._clerk.serve(data, self.heard.append, self.heard.append)
        return list(self.heard)

    def decide(self, decision: str, *cards: str, notes: str | None = None) -> list[Mapping[str, Any]]:
        """Decide about cards as a page does."""
        seen = [{"card_id": card, "fingerprint": "f"} for card in cards]
        return self.says({"kind": "panel_decide", "decision": decision, "cards": seen, "notes": notes})


@pytest.fixture
def office() -> Office:
    return Office()


def test_of_several_one_that_is_refused_leaves_the_others(office: Office) -> None:
    (decided,) = office.decide("approve", "a", "alone", "gone", "b")

    assert [(one["card_id"], one["done"], one["sentence"]) for one in decided["outcomes"]] == [
        ("a", True, "Done."),
        ("alone", False, "Not approved with others: It needs a confirmation of its own."),
        ("gone", False, "It was decided elsewhere."),
        ("b", True, "Done."),
    ]
    assert office.desk.said == [("approve", "a", None), ("approve", "b", None)]


def test_what_wants_a_look_of_its_own_is_approved_alone_and_rejected_with_others(office: Office) -> None:
    office.decide("approve", "alone")
    office.decide("reject", "alone", "a", notes="no use")

    assert office.desk.said == [("approve", "alone", None), ("reject", "alone", "no use"), ("reject", "a", "no use")]


def test_a_reason_against_one_answer_asks_for_a_new_one(office: Office) -> None:
    decided, told = office.decide("reject", "a", notes="I meant the median")

    assert (decided["kind"], told["sentence"]) == ("panel_decided", "There is a new answer.")
    assert office.desk.said == [("reject", "a", "I meant the median"), ("refine", "a", None)]


def test_a_refusal_says_why_and_a_fault_of_ours_tells_nothing_of_it(office: Office) -> None:
    (refused,) = office.says({"kind": "panel_undo", "card_id": "a"})
    (broken,) = office.says({"kind": "panel_activity_wanted"})

    assert (refused["about"], refused["message"]) == ("panel_undo", "It was promoted again since.")
    assert (broken["about"], broken["message"].startswith("Something went wrong")) == ("panel_activity_wanted", True)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"kind": "panel_approve_all"},
        {"kind": "panel_decide", "decision": "approve", "cards": []},
        {"kind": "panel_decide", "decision": "delete", "cards": [{"card_id": "a", "fingerprint": "f"}]},
        {"kind": "panel_decide", "decision": "approve", "cards": [{"card_id": "a"}]},
    ],
)
def test_what_cannot_be_read_decides_nothing(office: Office, data: object) -> None:
    assert (office.says(data), office.desk.said) == ([], [])


def test_pages_hear_of_each_change_of_the_files_and_of_none_after_they_left(tmp_path: Path) -> None:
    listed, came = tmp_path / "list", threading.Condition()
    heard: list[Mapping[str, Any]] = []

    def hear(data: Mapping[str, Any]) -> None:
        with came:
            heard.append(data)
            came.notify_all()

    def hears(number: int) -> bool:
        with came:
            return came.wait_for(lambda: len(heard) >= number, 20)

    class Nobody:
        def serve(self, data: object, reply: Say, tell_all: Say) -> None:
            """Answer nothing."""

    channel = PanelChannel(Nobody(), lambda: (listed,))
    channel.wire.join("page", Page(hear, lambda: None))
    assert hears(1)

    listed.write_text("one")
    assert hears(2)
    listed.write_text("three")
    assert hears(3)
    channel.wire.leave("page")
    listed.write_text("a fourth")

    assert heard == [CHANGED] * 3
    assert PanelChanged().model_dump(mode="json") == CHANGED
    channel.wire.close()


def test_a_page_whose_clerk_is_gone_hears_that_it_was_not_answered() -> None:
    told = excuse({"kind": "panel_decide"})

    assert told is not None
    assert (told.about, told.message) == ("panel_decide", "The process that answers this panel ended. Try it again.")
    assert excuse("nothing that a page says") is None
