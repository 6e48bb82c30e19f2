"""The kernel's side of the channel, with the comm package's own manager and a desk in memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

import comm
import pytest
from comm.base_comm import BaseComm

from jupyter_mcpgen.errors import AlreadyDecided, McpgenError, QuestionStopped, SettingsError, UnknownCandidate
from jupyter_mcpgen.lab.asking import Questions
from jupyter_mcpgen.lab.channel import TARGET, Channel
from jupyter_mcpgen.lab.clerk import DeskClerk
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Archived, Card
from jupyter_mcpgen.model.feedback import Face
from jupyter_mcpgen.model.question import Option, QuestionBack
from jupyter_mcpgen.model.validation import Evidence, Verdict
from jupyter_mcpgen.pipeline.course import Course
from tests.lab.desk import crash_card

TYPES = Evidence(check="types", verdict=Verdict.PASSED, sentence="mypy finds no type error.")
ASKED = QuestionBack(
    question_id="question-1",
    question="average price",
    data_name="sales",
    text="This can be read in 2 ways.",
    options=(Option(label="list", reading="mean of list_price"), Option(label="unit", reading="mean of unit_price")),
)


class Desk:
    """Two cards; `gate` holds every decision back until it is opened."""

    def __init__(self) -> None:
        self.cards = {name: crash_card(name) for name in ("a", "b")}
        self.changing = threading.Lock()
        """The registry changes a card as a whole as well."""
        self.gate = threading.Event()
        self.gate.set()
        self.looked: list[str] = []
        self.finds: tuple[Evidence, ...] = ()
        self.stopped: Callable[[Course], None] | None = None

    def card(self, card_id: str) -> Card:
        """Return a card."""
        if card_id not in self.cards:
            raise UnknownCandidate(card_id)
        return self.cards[card_id]

    def question(self, question_id: str) -> QuestionBack:
        """Return the one open question."""
        if question_id != ASKED.question_id:
            raise UnknownCandidate(question_id)
        return ASKED

    def answer(
        self,
        card_id: str,
        fingerprint: str,
        step: str,
        answer: str,
        notes: str | None,
        confirmed: Collection[str] = (),
        face: Face = Face.NOTEBOOK,
    ) -> Card:
        """Promote or reject at once; break on the word "break"."""
        self.gate.wait(10)
        if answer == "break":
            raise ZeroDivisionError
        with self.changing:
            card = self.card(card_id)
            if card.status is ToolStatus.PROMOTED:
                raise AlreadyDecided(card.tool_name, "PROMOTED")
            status = ToolStatus.REJECTED if answer == "reject" else ToolStatus.PROMOTED
            self.cards[card_id] = card.replace(status=status)
            return self.cards[card_id]

    def refined(self, card_id: str) -> Card | None:
        """Answer a rejection of the first card with the second one."""
        return self.cards["b"] if card_id == "a" else None

    def undo(self, card_id: str) -> Card:
        """Stage again."""
        self.cards[card_id] = self.card(card_id).replace(status=ToolStatus.STAGED)
        return self.cards[card_id]

    def look_late(self, card_id: str) -> Card:
        """Find what there is to find, once the gate is open."""
        self.gate.wait(10)
        self.looked.append(card_id)
        with self.changing:
            card = self.card(card_id)
            self.cards[card_id] = card.replace(evidence=(*card.evidence, *self.finds))
            return self.cards[card_id]

    def pick(self, card_id: str, chip: str, course: Course | None = None) -> Card:
        """Answer with another card, unless somebody stops it."""
        if course is not None and self.stopped is not None:
            self.stopped(course)
            if course.stop.is_cancelled:
                raise QuestionStopped
        return self.card("b")


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

    def hears(self, number: int) -> None:
        """Wait until as many messages came."""
        with self.came:
            assert self.came.wait_for(lambda: len(self.heard) >= number, 20), self.heard

    def say(self, kind: str, **fields: Any) -> None:
        """Send a message to the kernel."""
        self.handle_msg({"content": {"data": {"kind": kind, **fields}}})

    def answer(self, card_id: str, word: str = "approve") -> None:
        """Answer the second question."""
        self.say("answer", card_id=card_id, fingerprint="f", step="registration", answer=word)

    def kinds(self) -> list[str]:
        """Name the kinds of what was heard."""
        return [message["kind"] for message in self.heard]


class Office:
    """A channel with its desk, and pages on demand."""

    def __init__(self, pulse: Path) -> None:
        self.desk = Desk()
        self.hired = 0
        self.trouble: McpgenError | None = None
        self.questions = Questions()
        self.pulse = pulse
        self.channel = Channel(self._hire, self.questions.heard, lambda: (pulse,))

    def _hire(self) -> DeskClerk:
        self.hired += 1
        return DeskClerk(self._open_desk, lambda: "nobody listens", {}, self.questions)

    def _open_desk(self) -> Desk:
        if self.trouble is not None:
            raise self.trouble
        return self.desk

    def open(self, **opening: Any) -> Page:
        """Open a page as a browser does."""
        page = Page()
        comm.get_comm_manager().targets[TARGET](page, {"content": {"data": opening}})
        return page

    def settle(self) -> None:
        """Wait until everything accepted so far is carried out."""
        done = threading.Event()
        self.channel._wire.put(done.set)
        assert done.wait(10)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    office = Office(tmp_path / "pulse")
    yield office
    office.channel.close()


def test_a_page_that_opens_hears_how_its_cards_stand(office: Office) -> None:
    page = office.open(kind="sync", card_ids=["a", "gone"])
    office.settle()

    painted, unknown = page.heard
    assert painted["card"] == office.desk.cards["a"].model_dump(mode="json")
    assert unknown == {"kind": "unknown_card", "card_id": "gone"}


def late_looks_are_over() -> None:
    for thread in threading.enumerate():
        if thread.name == "mcpgen-late-gates":
            thread.join(30)


def test_a_card_that_a_page_shows_is_looked_at_once_and_ticks_on_every_page(office: Office) -> None:
    office.desk.finds = (TYPES,)
    other, page = office.open(), office.open(kind="sync", card_ids=["a"])
    office.settle()
    late_looks_are_over()
    page.say("sync", card_ids=["a"])
    office.settle()
    late_looks_are_over()

    assert office.desk.looked == ["a"]
    assert TYPES.model_dump(mode="json") in other.heard[-1]["card"]["evidence"]
    assert page.kinds() == ["painted", "painted", "painted"]


def test_what_takes_the_place_of_a_card_is_looked_at_too_and_what_is_decided_is_not(office: Office) -> None:
    page = office.open()

    page.say("pick", card_id="a", chip="mean")
    page.answer("a")
    office.settle()
    late_looks_are_over()

    assert office.desk.looked == ["b"]


def test_a_page_never_hears_of_an_older_state_after_a_newer_one(office: Office) -> None:
    office.desk.finds = (TYPES,)
    office.desk.gate.clear()
    page = office.open(kind="sync", card_ids=["a"])
    page.answer("a")
    office.desk.gate.set()
    office.settle()
    late_looks_are_over()

    statuses = [message["card"]["status"] for message in page.heard]
    assert statuses == sorted(statuses, key=["STAGED", "PROMOTED"].index)
    assert statuses[-1] == "PROMOTED"


def test_nobody_is_hired_before_the_first_message(office: Office) -> None:
    page = office.open()
    office.settle()
    assert office.hired == 0

    page.say("sync", card_ids=["a"])
    page.say("sync", card_ids=["b"])
    office.settle()

    assert office.hired == 1
    assert page.kinds() == ["painted", "painted"]


def test_a_setting_that_cannot_be_read_is_told_on_the_card_and_mended_without_a_restart(office: Office) -> None:
    office.trouble = SettingsError("The setting `sandbox.memory_mb` cannot be used.")
    page = office.open(kind="sync", card_ids=["a"])
    office.settle()
    assert page.heard == [{"kind": "refused", "card_id": "a", "message": str(office.trouble), "looked": False}]

    office.trouble = None
    page.say("sync", card_ids=["a"])
    office.settle()

    assert page.kinds() == ["refused", "painted"]


def test_an_answer_paints_every_page(office: Office) -> None:
    first, second = office.open(), office.open()

    first.answer("a")
    office.settle()

    assert first.heard == second.heard
    assert [message["card"]["status"] for message in second.heard] == ["PROMOTED"]


def test_a_reason_that_gives_a_new_answer_shows_it_in_the_place_of_the_rejected_card(office: Office) -> None:
    page = office.open()

    page.answer("a", "reject")
    page.answer("b", "reject")
    office.settle()

    shown = [(each["card"]["card_id"], each["card"]["status"], each["replaces"]) for each in page.heard]
    assert shown == [("a", "REJECTED", None), ("b", "STAGED", "a"), ("b", "REJECTED", None)]


def test_a_handler_returns_before_the_decision_is_made(office: Office) -> None:
    page = office.open()
    office.desk.gate.clear()

    page.answer("a")

    assert page.heard == []
    office.desk.gate.set()
    office.settle()
    assert page.kinds() == ["painted"]


def test_a_refused_answer_says_why_and_shows_the_true_state_to_that_page_only(office: Office) -> None:
    page, other = office.open(), office.open()
    page.answer("a")
    page.answer("a")
    office.settle()

    assert page.kinds() == ["painted", "painted", "refused"]
    assert "already promoted" in page.heard[-1]["message"]
    assert other.kinds() == ["painted"]


def test_a_fault_of_ours_is_told_and_the_next_answer_still_works(office: Office) -> None:
    page = office.open()

    page.answer("a", "break")
    page.answer("a")
    office.settle()

    assert page.kinds() == ["refused", "painted"]
    assert "nothing was decided" in page.heard[0]["message"]


def test_an_answer_about_an_unknown_card_says_so(office: Office) -> None:
    page = office.open()

    page.say("undo", card_id="gone")
    office.settle()

    assert page.heard == [{"kind": "unknown_card", "card_id": "gone"}]


def test_a_message_that_cannot_be_read_changes_nothing(office: Office) -> None:
    page = office.open()

    page.say("approve everything")
    office.settle()

    assert page.heard == []


def test_a_picked_reading_names_the_card_it_replaces(office: Office) -> None:
    page = office.open()

    page.say("pick", card_id="a", chip="mean")
    office.settle()

    going, over, painted = page.heard
    assert (going["state"], going["card_id"], over["state"], over["card_id"]) == ("going", "a", "over", "b")
    assert (painted["card"]["card_id"], painted["replaces"]) == ("b", "a")


def test_a_reading_that_is_being_picked_can_be_stopped_and_the_card_stays(office: Office) -> None:
    page = office.open()
    office.desk.stopped = lambda course: page.say("stop", asking_id=page.heard[0]["asking_id"])

    page.say("pick", card_id="a", chip="mean")
    office.settle()

    assert [message.get("state") for message in page.heard[:2]] == ["going", "stopped"]
    assert page.kinds()[2:] == ["painted", "refused"]
    assert page.heard[-1]["message"].startswith("The question was stopped, and nothing of it was kept.")


def test_an_open_question_is_told_from_one_that_is_gone(office: Office) -> None:
    page = office.open()

    page.say("sync", card_ids=["question-1", "question-2"])
    office.settle()

    assert page.kinds() == ["waiting", "unknown_card"]
    assert page.heard[0]["question"] == ASKED.model_dump(mode="json")


def test_a_picked_reading_of_a_question_puts_a_card_in_its_place(office: Office) -> None:
    page = office.open()

    page.say("pick", card_id="question-1", chip="list")
    office.settle()

    painted = page.heard[-1]
    assert (painted["card"]["card_id"], painted["replaces"]) == ("b", "question-1")


def test_a_decision_by_magic_reaches_the_pages(office: Office) -> None:
    page = office.open()

    office.channel.paint(office.desk.cards["a"])
    office.settle()

    assert page.kinds() == ["painted"]


def test_a_page_hears_what_clients_see_of_a_tool_that_is_live_and_of_no_other(office: Office) -> None:
    page = office.open(kind="sync", card_ids=["a"])
    page.answer("a")
    office.settle()

    assert [message["clients"] for message in page.heard] == [None, "nobody listens"]


def test_a_page_that_left_is_not_painted(office: Office) -> None:
    page, other = office.open(), office.open()

    page.handle_close({})
    other.answer("a")
    office.settle()

    assert page.heard == []
    assert other.kinds() == ["painted"]


def test_a_closed_channel_leaves_no_target_behind(office: Office) -> None:
    office.channel.close()

    assert TARGET not in comm.get_comm_manager().targets


def test_after_a_change_of_the_registry_pages_hear_which_saved_tools_stand_otherwise(office: Office) -> None:
    page, other = office.open(kind="sync", card_ids=["a", "b"]), office.open()
    page.answer("a")
    page.answer("b")
    office.settle()
    heard = len(page.heard)
    office.desk.cards["a"] = office.desk.cards["a"].replace(archived=Archived(active="1.1.0"))

    office.channel.refresh()
    office.channel.refresh()
    office.settle()

    (told,) = page.heard[heard:]
    assert (told["card"]["card_id"], told["card"]["archived"]) == ("a", {"active": "1.1.0"})
    assert (told["clients"], "is live" in told["html"]) == (None, False)
    assert other.heard[-1] == told


def test_pages_hear_what_another_process_decided_about_a_card_that_waits(office: Office) -> None:
    page = office.open(kind="sync", card_ids=["a"])
    office.settle()
    office.desk.cards["a"] = office.desk.cards["a"].replace(status=ToolStatus.REJECTED)

    office.pulse.write_text("another process wrote")

    page.hears(2)
    assert page.heard[1]["card"]["status"] == "REJECTED"


def test_a_card_that_another_took_the_place_of_is_not_told_in_its_place(office: Office) -> None:
    page = office.open(kind="sync", card_ids=["a"])
    page.say("pick", card_id="a", chip="mean")
    office.settle()
    heard = len(page.heard)
    office.desk.cards["a"] = office.desk.cards["a"].replace(status=ToolStatus.REJECTED)

    office.channel.refresh()
    office.settle()

    assert page.heard[heard:] == []


def test_nothing_is_looked_up_for_pages_that_never_spoke(office: Office) -> None:
    office.channel.refresh()
    office.settle()

    assert office.hired == 0
