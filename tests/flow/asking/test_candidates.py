"""A model that is asked for several replies: the rows that most of them give are taken, and it is said how many."""

from __future__ import annotations

from typing import Any

import pytest

from jupyter_mcpgen.authors.both import Both
from jupyter_mcpgen.authors.embedded import EmbeddedAuthor
from jupyter_mcpgen.authors.modelled.author import ModelledAuthor
from jupyter_mcpgen.authors.modelled.prompting import Surface
from jupyter_mcpgen.authors.modelled.sheet import Policy
from jupyter_mcpgen.errors import AskedBack, EmptyReply, NotUnderstood
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.validation import is_sound
from jupyter_mcpgen.runtime import Runtime
from tests.fakes.model import Answer, ScriptedModel
from tests.flow.asking.product import shown
from tests.flow.asking.test_modelled_answers import code, computed, sql
from tests.unit.authors.test_plan_reply import by, figure, reply

TOTAL = sql("SELECT pier, sum(fee) AS total FROM berths WHERE pier IS NOT NULL GROUP BY pier")
SAME = sql(
    "WITH b AS (SELECT pier AS p, fee FROM berths WHERE pier IS NOT NULL) SELECT p, sum(fee) AS s FROM b GROUP BY p"
)
MEAN = sql("SELECT pier, avg(fee) AS mean FROM berths WHERE pier IS NOT NULL GROUP BY pier")
ALIKE_HERE = sql("SELECT pier, sum(fee) AS s FROM berths WHERE pier IS NOT NULL AND fee > 0 GROUP BY pier")
INVENTED = sql("SELECT pier, sum(fees) AS s FROM berths GROUP BY pier")
DEAR = "SELECT pier, bool_or(fee > 100) AS dear FROM berths WHERE pier IS NOT NULL GROUP BY pier"
REFUSED = sql(None, kind="refusal", message="There are no earnings here.", missing=["earnings"])


def asked(runtime: Runtime, *replies: Answer, question: str = "what did each pier earn", **more: list[Answer]) -> Card:
    model = ScriptedModel({"sql": list(replies), **more})
    return answered(runtime, ModelledAuthor("played", lambda: model, Policy(), candidates=len(replies)), question)


def answered(runtime: Runtime, author: Any, question: str) -> Card:
    return shown(runtime, computed(runtime, author, question))


def said(card: Card) -> str:
    return next(item.sentence for item in card.evidence if item.check == "replies")


def test_what_most_replies_give_is_taken_and_said_as_a_number(runtime: Runtime) -> None:
    model = ScriptedModel({"sql": [MEAN, SAME, TOTAL]})
    author = ModelledAuthor("played", lambda: model, Policy(), candidates=3)

    card = runtime.stage(computed(runtime, author, "what did each pier earn")).card

    assert card.sound, [item.sentence for item in card.evidence if not item.is_good]
    assert card.table.rows == (("Ost", 200.5), ("West", 150.25))
    assert said(card) == "2 of 3 replies of the model gave these rows."
    assert card.read_by == "Read by the model: is this what you meant?"
    report = runtime.registry.candidate(card.card_id).validation_report
    assert report is not None
    assert report.code_metrics is not None
    assert report.code_metrics.pass_at_k == {1: pytest.approx(2 / 3), 5: None, 10: None}
    assert "from 3 of 4 parts (no reference code)" in next(i.sentence for i in card.evidence if i.check == "score")


@pytest.mark.soak
def test_of_replies_that_agree_the_simplest_is_taken(runtime: Runtime) -> None:
    assert asked(runtime, SAME, TOTAL).table.columns == ("pier", "total")


@pytest.mark.soak
def test_replies_that_differ_on_generated_tables_alone_are_not_the_same(runtime: Runtime) -> None:
    with pytest.raises(AskedBack, match="in several ways"):
        asked(runtime, TOTAL, ALIKE_HERE)


@pytest.mark.ungated
def test_a_tie_is_asked_about_and_what_is_picked_is_computed(runtime: Runtime) -> None:
    with pytest.raises(AskedBack, match=r"\(1\) mean of fee by pier, or \(2\) sum of fee by pier") as caught:
        asked(runtime, MEAN, TOTAL)

    card = runtime.pick(caught.value.question_id, "sum of fee by pier")

    assert card.table.rows == (("Ost", 200.5), ("West", 150.25))


@pytest.mark.soak
@pytest.mark.parametrize("bad", [INVENTED, EmptyReply("played"), sql("DROP TABLE berths")])
def test_replies_that_cannot_be_used_lose_nothing(runtime: Runtime, bad: Answer) -> None:
    card = asked(runtime, bad, TOTAL, bad)

    assert is_sound(card.evidence)
    assert said(card) == "1 of 3 replies of the model gave these rows."


@pytest.mark.soak
def test_where_no_reply_can_be_used_one_is_asked_for_again(runtime: Runtime) -> None:
    card = asked(runtime, INVENTED, INVENTED, repair=[TOTAL])

    assert card.table.rows == (("Ost", 200.5), ("West", 150.25))


def test_where_most_replies_refuse_the_question_is_refused(runtime: Runtime) -> None:
    with pytest.raises(NotUnderstood, match="There are no earnings here"):
        asked(runtime, TOTAL, REFUSED, REFUSED)


@pytest.mark.soak
def test_code_is_asked_for_once_and_only_for_the_query_that_is_taken(runtime: Runtime) -> None:
    written = (
        "import pandas as pd\n\n\ndef analyze(df: pd.DataFrame) -> pd.DataFrame:\n"
        '    """Return which piers have a fee above 100."""\n'
        '    kept = df.dropna(subset=["pier", "fee"])\n'
        '    return (kept["fee"] > 100).groupby(kept["pier"]).any().reset_index(name="dear")\n'
    )
    model = ScriptedModel({"sql": [sql(DEAR), sql(DEAR.replace("100", "100.0")), MEAN], "code": [code(written)]})

    card = answered(runtime, ModelledAuthor("played", lambda: model, Policy(), candidates=3), "which piers are dear")

    assert [prompt.name for prompt in model.asked] == ["sql", "sql", "sql", "code"]
    assert [list(row) for row in card.table.rows] == [["Ost", True], ["West", False]]
    assert said(card) == "2 of 3 replies of the model gave these rows."


@pytest.mark.soak
def test_plans_are_compared_by_their_rows_too(runtime: Runtime) -> None:
    total = reply(group=[by("pier")], figures=[figure("total", "sum", "fee")])
    mean = reply(group=[by("pier")], figures=[figure("mean", "mean", "fee")])
    model = ScriptedModel({"plan": [mean, total, total]})
    author = ModelledAuthor("played", lambda: model, Policy(), surface=Surface.PLAN, candidates=3)

    card = answered(runtime, author, "what did each pier earn")

    assert card.table.rows == (("Ost", 200.5), ("West", 150.25))
    assert said(card) == "2 of 3 replies of the model gave these rows."


@pytest.mark.soak
def test_beside_the_planner_the_reply_that_most_agree_on_is_the_second_reading(runtime: Runtime) -> None:
    model = ScriptedModel({"sql": [MEAN, TOTAL, SAME]})
    author = Both(EmbeddedAuthor(), ModelledAuthor("played", lambda: model, Policy(), candidates=3))

    card = answered(runtime, author, "total fee by pier")

    assert card.read_by == "Read the same way by two readers, the planner and the model."


def test_the_numbers_of_a_question_are_those_of_its_readings_beside_the_planner_too(runtime: Runtime) -> None:
    most, least = (sql(TOTAL["sql"].replace("sum(fee)", f"{name}(fee)")) for name in ("max", "min"))
    model = ScriptedModel({"sql": [most, least]})
    author = Both(EmbeddedAuthor(), ModelledAuthor("played", lambda: model, Policy(), candidates=2))
    readings = ["mean of fee by pier, largest first", "largest fee by pier", "smallest fee by pier"]

    with pytest.raises(AskedBack) as caught:
        answered(runtime, author, "average fee by pier")

    named = ", or ".join(f"({number}) {reading}" for number, reading in enumerate(readings, 1))
    assert str(caught.value).startswith(f"The planner and the model read this in several ways: {named}?")
    opened = runtime.questions.find(caught.value.question_id)
    assert [intent.reading for intent in opened.intents] == readings


@pytest.mark.soak
@pytest.mark.ungated
def test_readings_that_are_said_alike_can_be_told_apart_and_picked(runtime: Runtime) -> None:
    written = "import pandas as pd\n\n\ndef analyze(df: pd.DataFrame) -> pd.DataFrame:\n"
    least = written + '    """Return it."""\n    kept = df.dropna(subset=["pier"])\n'
    least += '    return (kept.groupby("pier")["nights"].max() > 2).reset_index(name="dear")\n'
    by_nights = DEAR.replace("fee > 100", "nights > 2")

    with pytest.raises(AskedBack, match=r"\(1\) fees, or \(2\) fees \(reading 2\)\?") as caught:
        asked(runtime, sql(DEAR), sql(by_nights), code=[code(least)])

    card = runtime.pick(caught.value.question_id, "fees (reading 2)")
    assert card.table.rows == (("Ost", False), ("West", True))


@pytest.mark.soak
def test_one_reply_says_nothing_of_others(runtime: Runtime) -> None:
    assert not any(item.check == "replies" for item in asked(runtime, TOTAL).evidence)
