"""How far a question is, as a terminal and a page without the extension show it."""

from __future__ import annotations

from jupyter_mcpgen import card_text
from jupyter_mcpgen.asking_text import html, markdown, plain
from jupyter_mcpgen.model.asking import Asking, AskingState
from jupyter_mcpgen.model.card import Chip
from jupyter_mcpgen.model.event import ReadingFound, ResultFound, Stage, StageFinished, StageStarted
from jupyter_mcpgen.model.run import Table
from tests.lab.desk import crash_card

ASKED = Asking(asking_id="a", question="total *price* by <region>")
READ = (
    ASKED.after(StageFinished(request_id="r", stage=Stage.LOAD, milliseconds=1200))
    .after(
        ReadingFound(
            request_id="r",
            reading="sum of price by region",
            chips=(Chip(label="mean", reading="mean of price"), Chip(label="sum", reading="sum", chosen=True)),
            read_by="Read by the planner: is this what you meant?",
        )
    )
    .after(StageStarted(request_id="r", stage=Stage.TRIAL))
)


def test_a_question_that_is_being_read_says_how_to_stop_it() -> None:
    assert plain(ASKED) == (
        "total *price* by <region>\nread … · write · check · run\nTo stop it, interrupt the kernel."
    )


def test_its_reading_stands_above_its_steps() -> None:
    assert plain(READ) == (
        "total *price* by <region>\n"
        "Read as: sum of price by region\n"
        "Or: mean\n"
        "read 1.2 seconds · write – · check – · run …\n"
        "To stop it, interrupt the kernel."
    )


def test_a_stopped_question_says_so_and_no_more_how_to_stop_it() -> None:
    assert plain(READ.ended(AskingState.STOPPED)).splitlines()[-2:] == [
        "read 1.2 seconds · write – · check – · run stopped",
        "Stopped.",
    ]


def test_nothing_of_a_question_is_markup() -> None:
    assert "&lt;region&gt;" in html(ASKED)
    assert "\\*price\\*" in markdown(ASKED)


def test_an_answer_whose_code_is_being_tested_is_shown_as_a_card() -> None:
    card = crash_card("draft")
    answered = READ.answered(card)

    assert (plain(answered), html(answered)) == (card_text.plain(card), card_text.html(card))
    assert "Stopped." in plain(answered.ended(AskingState.STOPPED))


def test_a_first_result_stands_below_the_steps_until_the_answer_is_there() -> None:
    first = READ.after(ResultFound(table=Table(columns=("farm",), types=("text",), rows=(("<Hill>",),), total_rows=1)))

    assert "To stop it, interrupt the kernel.\nFirst result, by SQL. It is being checked:\nfarm" in plain(first)
    assert "&lt;Hill&gt;" in html(first)
    assert "| farm |" in markdown(first)
    assert first.answered(crash_card("draft")).first is None
