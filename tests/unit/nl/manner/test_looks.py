"""What a question wishes of the look of its chart is on the chart, or said; no other words are taken for a wish."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.read import read
from jupyter_mcpgen.nl.reading import Answered
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.looks import PLAIN_LOOK, Look, Stack
from tests.unit.nl.questions import frame, pairs, table, understood

TOTALS = "bar chart of total litres by orchard and apple"


@pytest.mark.parametrize(
    ("question", "look"),
    [
        ("stacked bar chart of litres by orchard and apple", Look(stack=Stack.TOTAL)),
        ("total litres by orchard stacked by apple", Look(stack=Stack.TOTAL)),
        ("percent stacked bar chart of litres by orchard and apple", Look(stack=Stack.SHARE)),
        ("stacked bar chart of the number of batches by orchard and apple", Look(stack=Stack.TOTAL)),
        ("stacked bar chart of mean sugar by orchard and apple", PLAIN_LOOK),
        ("horizontal bar chart of total litres by apple", Look(lying=True)),
        ("horizontal stacked bar chart of litres by orchard and apple", Look(lying=True, stack=Stack.TOTAL)),
        ("plot price against litres on a log scale", Look(log_y=True)),
        ("plot price against litres with a logarithmic x axis", Look(log_x=True)),
        ("plot price against litres on a log-log scale", Look(log_x=True, log_y=True)),
        (f"{TOTALS} on a log scale", PLAIN_LOOK),
        (f'{TOTALS} titled "What we press, by kind"', Look(title="What we press, by kind")),
        (f"{TOTALS}, title it Pressed so far", Look(title="Pressed so far")),
        (f'{TOTALS} with x axis labelled "place" and y axis labelled "l"', Look(x_title="place", y_title="l")),
        (f'{TOTALS}, y-axis label "l", stacked', Look(y_title="l", stack=Stack.TOTAL)),
    ],
)
def test_a_wish_is_on_the_chart_where_it_has_a_meaning(question, look):
    understood = read(question, table("cider_batches"))

    assert isinstance(understood, Answered)
    assert understood.winner.plan.chart is not None
    assert understood.winner.plan.chart.look == look


def test_a_wish_changes_no_figure():
    plain, wished = (read(f"{TOTALS}{wish}", table("cider_batches")) for wish in ("", ", stacked, without a legend"))

    assert isinstance(plain, Answered)
    assert isinstance(wished, Answered)
    assert wished.winner.plan.steps == plain.winner.plan.steps


def test_the_words_of_a_table_are_no_wishes():
    """A column called `title` keeps its meaning, also beside the name of a chart."""
    titled = profile("books", frame("cider_batches").rename(columns={"apple": "title"}))

    understood = read('bar chart of total litres by orchard with the title "Topaz"', titled)

    assert isinstance(understood, Answered)
    assert say_plan(understood.winner.plan) == "sum of litres by orchard, largest first, where title is Topaz"
    assert understood.winner.plan.chart is not None
    assert understood.winner.plan.chart.look == PLAIN_LOOK


@pytest.mark.soak
@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.soak)])
def test_questions_that_wish_for_nothing_have_charts_without_a_look(every):
    asked = [pair for pair in pairs() if pair.table == "sales"][::every]
    meant = {pair.question: understood(pair) for pair in asked}
    charts = {question: one.winner.plan.chart for question, one in meant.items() if isinstance(one, Answered)}
    looks = [(question, chart.look) for question, chart in charts.items() if chart is not None]

    assert len(looks) > 10
    assert [question for question, look in looks if look != PLAIN_LOOK] == []
