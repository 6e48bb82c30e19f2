"""A question that a model read: its SQL becomes a plan and is held against it, or stays beside written code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from jupyter_mcpgen.authors.both import Both
from jupyter_mcpgen.authors.embedded import EmbeddedAuthor
from jupyter_mcpgen.authors.ladder import Ladder
from jupyter_mcpgen.authors.modelled.author import ModelledAuthor
from jupyter_mcpgen.authors.modelled.sheet import Policy, Privacy
from jupyter_mcpgen.errors import AskedBack, ModelDown, NotUnderstood
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.validation import Verdict, is_sound
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.runtime import Runtime
from tests.fakes.model import Answer, ScriptedModel
from tests.flow.asking.product import shown
from tests.products import new_runtime

pytestmark = pytest.mark.ungated  # what the model read is known before them

BERTHS = pd.DataFrame(
    {
        "pier": ["Ost", "Ost", "West", "West", "West", None],
        "vessel": ["Tug", "Barge", "Tug", "Ferry", "Barge", "Tug"],
        "fee": [120.0, 80.5, 60.0, None, 90.25, 40.0],
        "nights": [2, 1, 3, 1, 2, 1],
        "arrived": pd.to_datetime(["2024-01-05", "2024-01-20", "2024-02-03", "2024-02-14", "2024-03-09", "2024-03-30"]),
    }
)
BY_PIER = (
    "SELECT pier, sum(fee) AS total FROM berths WHERE pier IS NOT NULL GROUP BY pier ORDER BY total DESC NULLS LAST"
)


def sql(query: str | None, **more: Any) -> dict[str, Any]:
    empty = {
        "notes": "",
        "kind": "sql",
        "reading": "fees",
        "chart": "bar",
        "assumptions": [],
        "message": None,
        "options": [],
        "missing": [],
    }
    return {**empty, "sql": query, **more}


def played(first: Answer, **later: Answer) -> ScriptedModel:
    """Return a model that gives one reply to the question, and others when it is asked for `repair` or `code`."""
    return ScriptedModel({"sql": [first], **{name: [answer] for name, answer in later.items()}})


def code(text: str) -> dict[str, Any]:
    return {"notes": "", "code": text}


def computed(runtime: Runtime, author: Any, question: str = "what did each side of the harbour earn") -> flow.Computed:
    vars(runtime)["services"] = replace(runtime.services, author=author)
    answer = runtime.compute(question, runtime.reference("berths", BERTHS))
    assert isinstance(answer, flow.Computed)
    return answer


def asked(runtime: Runtime, model: ScriptedModel, *, ladder: bool = False, policy: Policy | None = None) -> Card:
    author = ModelledAuthor("played", lambda: model, policy or Policy())
    return shown(runtime, computed(runtime, Ladder(EmbeddedAuthor(), author) if ladder else author))


def kept(runtime: Runtime, model: ScriptedModel) -> Card:
    return runtime.stage(computed(runtime, ModelledAuthor("played", lambda: model, Policy()))).card


def test_sql_that_a_plan_holds_becomes_a_planned_tool_with_all_its_evidence(tmp_path: Path) -> None:
    card = kept(new_runtime(tmp_path), played(sql(BY_PIER)))

    assert card.sound, [item.sentence for item in card.evidence if not item.is_good]
    assert card.reading == "sum of fee by pier, largest first"
    assert [row[1] for row in card.table.rows] == [200.5, 150.25]
    assert card.evidence_sentence.startswith("Calculation checked: pandas and SQL agree.")
    assert "The SQL that the plan was read from gives the same rows." in [item.sentence for item in card.evidence]
    assert card.read_by == "Read by the model: is this what you meant?"


def test_sql_that_no_plan_holds_stays_the_reference_of_code_written_without_sight_of_it(runtime: Runtime) -> None:
    query = "SELECT pier, bool_or(fee > 100) AS has_dear FROM berths WHERE pier IS NOT NULL GROUP BY pier"
    written = (
        "import pandas as pd\n\n\ndef analyze(df: pd.DataFrame) -> pd.DataFrame:\n"
        '    """Return which piers have a fee above 100."""\n'
        '    kept = df.dropna(subset=["pier", "fee"])\n'
        '    return (kept["fee"] > 100).groupby(kept["pier"]).any().reset_index(name="has_dear")\n'
    )
    model = played(sql(query), code=code(written))

    card = asked(runtime, model)

    assert "bool_or" not in "".join(message.content for message in model.asked[1].messages)
    assert [list(row) for row in card.table.rows] == [["Ost", True], ["West", False]]
    assert card.evidence_sentence.startswith("Calculation checked: code and SQL, written apart, agree.")


@pytest.mark.soak
def test_an_invented_column_is_asked_about_once_with_the_nearest_names(runtime: Runtime) -> None:
    model = played(sql(BY_PIER.replace("fee", "fees")), repair=sql(BY_PIER))

    card = asked(runtime, model)

    assert is_sound(card.evidence)
    assert len(model.asked) == 2
    assert "fee" in model.asked[1].messages[-1].content


@pytest.mark.parametrize(
    "query",
    [
        "DROP TABLE berths",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT pier FROM berths; SELECT 1",
        "COPY berths TO '/tmp/out.csv'",
        "SELECT getenv('HOME') FROM berths",
        "ATTACH '/tmp/other.db'",
    ],
)
def test_what_is_no_select_over_the_table_is_never_run(runtime: Runtime, query: str) -> None:
    with pytest.raises(NotUnderstood, match="could not be used"):
        asked(runtime, played(sql(query), repair=sql(query)))


@pytest.mark.soak
def test_a_text_is_written_as_the_data_have_it_and_that_is_said(runtime: Runtime) -> None:
    card = asked(runtime, played(sql("SELECT sum(fee) AS total FROM berths WHERE vessel = 'tug'")))

    assert card.table.rows == ((220.0,),)
    assert any("“tug” is written “Tug”" in said for said in card.assumptions)


@pytest.mark.parametrize(
    ("policy", "times"),
    [(Policy(), 1), (Policy(Privacy.MASKED), 1), (Policy(Privacy.ROWS), 2), (Policy(low_cardinality_values=True), 1)],
)
def test_a_text_that_is_not_there_never_gives_an_empty_answer_and_its_neighbours_are_sent_only_where_values_may_be(
    runtime: Runtime, policy: Policy, times: int
) -> None:
    absent = sql("SELECT sum(fee) AS total FROM berths WHERE vessel = 'Ferri'")
    model = played(absent, repair=absent)

    with pytest.raises(NotUnderstood, match=r"has no value “Ferri”\. Nearest: Ferry"):
        asked(runtime, model, policy=policy)
    assert len(model.asked) == times


def test_a_question_back_has_options_to_pick(runtime: Runtime) -> None:
    options = [
        {"reading": "total fees", "sql": "SELECT sum(fee) AS total FROM berths"},
        {"reading": "average fee", "sql": "SELECT avg(fee) AS average FROM berths"},
    ]
    back = sql(None, kind="question", message="Total or average?", options=options)

    with pytest.raises(AskedBack, match="Total or average") as caught:
        asked(runtime, played(back))
    card = runtime.pick(caught.value.question_id, "mean of fee")

    assert card.table.rows == ((78.15,),)


def test_a_refusal_names_what_is_missing(runtime: Runtime) -> None:
    refusal = sql(None, kind="refusal", message="The table has no weather.", missing=["weather"])

    with pytest.raises(NotUnderstood, match="no weather"):
        asked(runtime, played(refusal))


def test_a_model_that_is_down_leaves_the_refusal_of_the_planner_with_the_reason(runtime: Runtime) -> None:
    down = ModelDown("http://127.0.0.1:1", "nothing listens there")

    with pytest.raises(NotUnderstood, match="The model was asked too: No model server answers"):
        asked(runtime, played(down), ladder=True)


def test_with_a_planner_that_is_sure_no_model_is_asked(runtime: Runtime) -> None:
    model = ScriptedModel({})
    author = Ladder(EmbeddedAuthor(), ModelledAuthor("played", lambda: model, Policy()))

    card = shown(runtime, computed(runtime, author, "total fee by pier"))

    assert model.asked == []
    assert card.read_by.startswith("Read by the planner")


@pytest.mark.every_run("policy3-shown3-hidden3")
@pytest.mark.parametrize(
    ("policy", "shown", "hidden"),
    [
        (Policy(), ['"fee" DOUBLE'], ["120", "Ost", "Tug"]),
        (Policy(Privacy.MASKED), ['"aaa"'], ["120", "Ost", "Tug"]),
        (Policy(Privacy.ROWS), ['"Ost"', '"Tug"'], []),
        (Policy(low_cardinality_values=True), ['"Ost"', '"Tug"'], []),
    ],
)
def test_a_prompt_holds_of_the_data_what_is_allowed(
    runtime: Runtime, policy: Policy, shown: list[str], hidden: list[str]
) -> None:
    model = played(sql(BY_PIER))
    asked(runtime, model, policy=policy)

    sent = "".join(message.content for message in model.asked[0].messages)

    assert all(text in sent for text in shown)
    assert not any(text in sent for text in hidden)


@pytest.mark.soak
def test_a_tool_that_answers_again_is_held_against_the_query_too(runtime: Runtime) -> None:
    runtime.approve(kept(runtime, played(sql(BY_PIER))).card_id, confirmed=[Confirms.AS_READ])
    other = BY_PIER.replace("pier", "vessel")
    author = ModelledAuthor("played", lambda: played(sql(other)), Policy())
    vars(runtime)["services"] = replace(runtime.services, author=author)

    again = runtime.ask("and by kind of ship", runtime.reference("berths", BERTHS))

    assert isinstance(again, flow.Reused)
    assert next(item for item in again.trial.evidence if item.check == "own_query").verdict is Verdict.PASSED


def both(runtime: Runtime, query: str) -> Card:
    author = Both(EmbeddedAuthor(), ModelledAuthor("played", lambda: played(sql(query)), Policy()))
    return shown(runtime, computed(runtime, author, "total fee by pier"))


@pytest.mark.soak
def test_two_readers_that_give_the_same_rows_are_evidence_of_the_reading(runtime: Runtime) -> None:
    card = both(runtime, "SELECT pier, sum(fee) AS s FROM berths WHERE pier IS NOT NULL GROUP BY pier")

    assert card.read_by == "Read the same way by two readers, the planner and the model."
    assert is_sound(card.evidence)


@pytest.mark.every_run("other on the data")
@pytest.mark.parametrize(
    "query",
    [
        "SELECT pier, avg(fee) AS s FROM berths WHERE pier IS NOT NULL GROUP BY pier",
        "SELECT pier, sum(fee) AS s FROM berths WHERE pier IS NOT NULL AND fee > 0 GROUP BY pier",
    ],
    ids=["other on the data", "other on generated tables only"],
)
def test_readers_that_differ_are_asked_about_and_nothing_is_claimed(runtime: Runtime, query: str) -> None:
    with pytest.raises(AskedBack, match="read this differently") as caught:
        both(runtime, query)

    assert len(runtime.question(caught.value.question_id).options) == 2


@pytest.mark.soak
def test_each_of_two_readings_shows_its_first_rows_and_a_written_one_can_be_picked_too(runtime: Runtime) -> None:
    query = "SELECT pier, bool_or(fee > 100) AS has_dear FROM berths WHERE pier IS NOT NULL GROUP BY pier ORDER BY pier"
    text = (
        "import pandas as pd\n\n\ndef analyze(df: pd.DataFrame) -> pd.DataFrame:\n"
        '    """Return which piers have a fee above 100."""\n'
        '    kept = df.dropna(subset=["pier", "fee"])\n'
        '    return (kept["fee"] > 100).groupby(kept["pier"]).any().reset_index(name="has_dear")\n'
    )
    model = played(sql(query, reading="piers with a dear berth"), code=code(text))
    author = Both(EmbeddedAuthor(), ModelledAuthor("played", lambda: model, Policy()))

    with pytest.raises(AskedBack) as caught:
        computed(runtime, author, "total fee by pier")
    planned, written = runtime.question(caught.value.question_id).options
    card = runtime.pick(caught.value.question_id, "piers with a dear berth")

    assert planned.table is not None
    assert written.table is not None
    assert [row[1] for row in planned.table.rows] == [200.5, 150.25]
    assert written.table.rows == (("Ost", True), ("West", False))
    assert card.table.rows == written.table.rows
    assert card.confirmations == ()


@pytest.mark.soak
def test_the_chart_that_the_model_names_is_drawn_of_the_checked_result(runtime: Runtime) -> None:
    card = asked(runtime, played(sql(BY_PIER, chart="pie")))

    assert card.chart is not None
    assert "arc" in str(card.chart["mark"])
