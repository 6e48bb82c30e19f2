"""A model that is asked for a plan, or for SQL first: what it replied is computed in two ways, or asked again."""

from __future__ import annotations

from typing import Any

import pytest

from jupyter_mcpgen.authors.both import Both
from jupyter_mcpgen.authors.embedded import EmbeddedAuthor
from jupyter_mcpgen.authors.modelled.author import ModelledAuthor
from jupyter_mcpgen.authors.modelled.prompting import Surface
from jupyter_mcpgen.authors.modelled.sheet import Policy, Privacy
from jupyter_mcpgen.errors import NotUnderstood, UnreadableReply
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.validation import is_sound
from jupyter_mcpgen.runtime import Runtime
from tests.fakes.model import ScriptedModel
from tests.flow.asking.product import shown
from tests.flow.asking.test_modelled_answers import BY_PIER, computed, sql
from tests.unit.authors.test_plan_reply import by, figure, keep, order, reply

PLAN = reply(
    group=[by("pier")],
    figures=[figure("total", "sum", "fee")],
    order=[order("total")],
    chart="bar",
    assumptions=["Fees that are missing count as nothing."],
)
NOTHING = Policy()
LOST = sql(BY_PIER.replace("fee", "fees"))


def asked(runtime: Runtime, model: ScriptedModel, surface: Surface, policy: Policy = NOTHING) -> Card:
    author = ModelledAuthor("played", lambda: model, policy, surface=surface)
    return answered(runtime, author, "what did each side of the harbour earn")


def answered(runtime: Runtime, author: Any, question: str) -> Card:
    return shown(runtime, computed(runtime, author, question))


def names(model: ScriptedModel) -> list[str]:
    return [prompt.name for prompt in model.asked]


def test_a_plan_that_a_model_replies_with_is_computed_in_two_ways_and_read_by_the_model_alone(
    runtime: Runtime,
) -> None:
    model = ScriptedModel({"plan": [PLAN]})
    author = ModelledAuthor("played", lambda: model, Policy(), surface=Surface.PLAN)

    card = runtime.stage(computed(runtime, author)).card

    assert card.sound, [item.sentence for item in card.evidence if not item.is_good]
    assert card.table.rows == (("Ost", 200.5), ("West", 150.25))
    assert card.evidence_sentence.startswith("Calculation checked: pandas and SQL agree.")
    assert not any(item.check == "own_query" for item in card.evidence)
    assert card.read_by == "Read by the model: is this what you meant?"
    assert "Fees that are missing count as nothing." in card.assumptions
    assert card.chart is not None


def test_a_plan_with_a_flaw_is_asked_for_once_more_with_the_nearest_names(runtime: Runtime) -> None:
    wrong = reply(group=[by("pier")], figures=[figure("total", "sum", "fees")])
    model = ScriptedModel({"plan": [wrong], "repair": [PLAN]})

    card = asked(runtime, model, Surface.PLAN)

    assert is_sound(card.evidence)
    assert names(model) == ["plan", "repair"]
    assert "Did you mean `fee`" in model.asked[1].messages[-1].content


def test_a_plan_that_breaks_its_form_is_asked_for_once_more(runtime: Runtime) -> None:
    unreadable = UnreadableReply("played", "`kind`: 'chart' is not one of ['plan', 'refusal']", "{}")
    model = ScriptedModel({"plan": [unreadable], "repair": [PLAN]})

    assert is_sound(asked(runtime, model, Surface.PLAN).evidence)


@pytest.mark.parametrize(("policy", "turns"), [(Policy(), 1), (Policy(Privacy.ROWS), 2)])
def test_a_text_that_is_not_there_is_sent_back_only_where_values_may_be_seen(
    runtime: Runtime, policy: Policy, turns: int
) -> None:
    absent = reply(filters=[keep("vessel", "=", "Ferri")], figures=[figure("n", "count")])
    model = ScriptedModel({"plan": [absent], "repair": [absent]})

    with pytest.raises(NotUnderstood, match="has no value “Ferri”"):
        asked(runtime, model, Surface.PLAN, policy)
    assert len(model.asked) == turns


@pytest.mark.soak
def test_sql_that_names_what_is_not_there_twice_is_followed_by_a_plan_in_its_form(runtime: Runtime) -> None:
    model = ScriptedModel({"sql": [LOST], "repair": [LOST], "plan": [PLAN]})

    card = asked(runtime, model, Surface.AUTO)

    assert is_sound(card.evidence)
    assert names(model) == ["sql", "repair", "plan"]


@pytest.mark.parametrize(
    ("surface", "second"),
    [(Surface.SQL, LOST), (Surface.AUTO, sql("DROP TABLE berths"))],
    ids=["asked for SQL alone", "another flaw the second time"],
)
def test_no_plan_is_asked_for_where_names_are_not_what_is_wrong_or_sql_alone_is_wanted(
    runtime: Runtime, surface: Surface, second: dict[str, Any]
) -> None:
    model = ScriptedModel({"sql": [LOST], "repair": [second], "plan": [PLAN]})

    with pytest.raises(NotUnderstood, match="could not be used"):
        asked(runtime, model, surface)
    assert names(model) == ["sql", "repair"]


def test_the_form_that_is_sent_holds_no_value_that_must_not_be_seen(runtime: Runtime) -> None:
    model = ScriptedModel({"plan": [PLAN]})
    asked(runtime, model, Surface.PLAN)

    assert "Tug" not in str(model.asked[0].schema)
    assert "vessel" in str(model.asked[0].schema)


@pytest.mark.soak
def test_a_plan_of_the_model_that_gives_the_rows_of_the_planner_is_the_same_reading(runtime: Runtime) -> None:
    plain = reply(group=[by("pier")], figures=[figure("s", "sum", "fee")])
    model = ScriptedModel({"plan": [plain]})
    author = Both(EmbeddedAuthor(), ModelledAuthor("played", lambda: model, Policy(), surface=Surface.PLAN))

    card = answered(runtime, author, "total fee by pier")

    assert card.read_by == "Read the same way by two readers, the planner and the model."
