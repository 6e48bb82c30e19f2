"""A question on its way in one output, and the pages that watch it and stop it."""

from __future__ import annotations

import threading
from typing import Any

import comm
import pytest

from jupyter_mcpgen.errors import UnknownData
from jupyter_mcpgen.lab import asking as shown_by
from jupyter_mcpgen.lab.asking import AskingDisplay, Questions
from jupyter_mcpgen.lab.channel import TARGET, Channel
from jupyter_mcpgen.lab.clerk import DeskClerk
from jupyter_mcpgen.lab.messages import CARD_MIME
from jupyter_mcpgen.lab.mime import bundle
from jupyter_mcpgen.model.asking import Asking
from jupyter_mcpgen.model.event import GateFinished, ReadingFound, Stage, StageStarted
from jupyter_mcpgen.model.validation import Verdict
from tests.lab.desk import crash_card
from tests.unit.lab.test_channel import Desk, Page

READING = ReadingFound(request_id="r", reading="sum of price", chips=(), read_by="?")
RUNS = StageStarted(request_id="r", stage=Stage.TRIAL)
TICK = GateFinished(request_id="r", gate="contract", verdict=Verdict.PASSED, number=1, total=13)


class Output:
    """What one output of a cell holds, and what is told to pages beside it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.kept: list[dict[str, Any]] = []
        self.told: list[Asking] = []
        monkeypatch.setattr(shown_by, "show", self._keep)
        monkeypatch.setattr(shown_by, "show_again", self._keep)
        self.display = AskingDisplay("total price", self.told.append)
        self.display.show()

    def _keep(self, display: AskingDisplay) -> None:
        self.kept.append(display.mime_bundle())

    def asking(self) -> dict[str, Any]:
        """Return what it holds now, as a page reads it."""
        held: dict[str, Any] = self.kept[-1][CARD_MIME]
        return held


@pytest.fixture
def output(monkeypatch: pytest.MonkeyPatch) -> Output:
    return Output(monkeypatch)


def test_it_is_there_before_anything_is_known_of_the_question(output: Output) -> None:
    assert (output.asking()["question"], output.asking()["reading"]) == ("total price", "")


def test_steps_go_into_the_notebook_and_ticks_to_the_pages_alone(output: Output) -> None:
    output.display.hear([READING, RUNS])
    output.display.hear([TICK])

    assert [kept[CARD_MIME]["reading"] for kept in output.kept] == ["", "sum of price"]
    assert [len(each.ticks) for each in output.told] == [1]


def test_what_pages_are_told_carries_no_table(output: Output) -> None:
    output.display.test(crash_card("a"))
    output.display.hear([TICK])

    assert output.asking()["card"]["card_id"] == "a"
    assert [(each.card, each.card_id) for each in output.told] == [(None, "a")]


def test_in_the_end_its_place_holds_the_card_as_if_it_had_been_shown_alone(output: Output) -> None:
    card = crash_card("a")

    output.display.settle(bundle(card), card)

    assert output.kept[-1] == bundle(card)
    assert [(each.state, each.card_id) for each in output.told] == [("over", "a")]


def test_what_cannot_be_done_is_said_in_its_place(output: Output) -> None:
    output.display.fail(UnknownData("sales"))

    assert output.kept[-1]["text/plain"].startswith("**Not done.**")
    assert output.told[-1].state == "failed"


def test_a_stopped_question_keeps_what_was_found_by_then(output: Output) -> None:
    output.display.hear([READING, RUNS])
    output.display.stopped()

    assert (output.asking()["state"], output.asking()["reading"]) == ("stopped", "sum of price")


class Kernel:
    """A channel whose clerk is busy, and a question on its way."""

    def __init__(self, display: AskingDisplay) -> None:
        self.display = display
        self.questions = Questions()
        desk = Desk()
        self.busy = desk.gate
        self.channel = Channel(lambda: DeskClerk(lambda: desk, lambda: "nobody", {}), self.questions.heard)

    def page(self) -> Page:
        """Open a page."""
        page = Page()
        comm.get_comm_manager().targets[TARGET](page, {"content": {"data": None}})
        return page


def test_stop_is_heard_at_once_though_the_clerk_is_busy(output: Output) -> None:
    kernel = Kernel(output.display)
    kernel.busy.clear()
    page = kernel.page()
    with kernel.questions.at(output.display):
        page.answer("a")  # stands in the way of all that follows

        page.say("stop", asking_id=output.display.display_id)

        assert output.display.stop.is_cancelled
    kernel.busy.set()
    kernel.channel.close()


def test_a_page_that_comes_later_is_told_how_far_it_is(output: Output) -> None:
    kernel = Kernel(output.display)
    output.display.hear([READING])
    page = kernel.page()
    with kernel.questions.at(output.display):
        page.say("watch", asking_id=output.display.display_id)

        assert [(each["kind"], each["reading"]) for each in page.heard] == [("asking", "sum of price")]
    kernel.channel.close()


def test_a_page_hears_how_a_question_ended_and_that_nobody_is_at_another(output: Output) -> None:
    kernel = Kernel(output.display)
    page = kernel.page()
    card = crash_card("a")
    with kernel.questions.at(output.display):
        output.display.settle(bundle(card), card)
    page.say("watch", asking_id=output.display.display_id)
    page.say("stop", asking_id=output.display.display_id)
    page.say("stop", asking_id="another")
    kernel.channel.close()

    assert [(each["kind"], each.get("state"), each.get("card_id")) for each in page.heard] == [
        ("asking", "over", "a"),
        ("asking", "over", "a"),
        ("unasked", None, None),
    ]
    assert not output.display.stop.is_cancelled


def test_several_pages_hear_each_tick(output: Output) -> None:
    kernel = Kernel(output.display)
    pages = [kernel.page(), kernel.page()]

    threading.Thread(target=kernel.channel.tell, args=(output.display.asking,)).run()

    assert [page.kinds() for page in pages] == [["asking"], ["asking"]]
    kernel.channel.close()
