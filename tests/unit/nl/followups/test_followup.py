"""A follow-up changes what it names of the answer before it, and nothing else."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

import pytest

from jupyter_mcpgen.nl.followups.followup import follow_up
from jupyter_mcpgen.nl.reading import Answered, Reading, Refused
from jupyter_mcpgen.nl.understand import understand
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.plan import Plan
from tests.unit.nl.questions import CASES, table


@dataclass(frozen=True)
class Talk:
    """A first question with its follow-ups: what is said, the reading, the chart."""

    table: str
    question: str
    then: tuple[tuple[str, ...], ...]
    alone: tuple[str, ...]
    language: str = "en"
    none: tuple[str, ...] = ()
    """Changes that the last answer has no place for."""


def _talks() -> list[Talk]:
    found = []
    for path in sorted(CASES.with_name("followups").glob("*.toml")):
        tree = tomllib.loads(path.read_text(encoding="utf-8"))
        for entry in tree["talk"]:
            then = tuple(tuple(step) for step in entry.get("then", ()))
            alone, none = tuple(entry.get("alone", ())), tuple(entry.get("none", ()))
            found.append(Talk(tree["table"], entry["question"], then, alone, tree.get("language", "en"), none))
    return found


def _first(talk: Talk) -> Plan:
    understood = understand(talk.question, table(talk.table), talk.language)
    assert isinstance(understood, Answered), understood
    return understood.winner.plan


def _next(talk: Talk, said: str, plan: Plan, question: str) -> Reading:
    understood = understand(said, table(talk.table), talk.language, (question, plan))
    assert isinstance(understood, Answered), (said, understood)
    return understood.winner


@pytest.mark.one_in(3)
@pytest.mark.parametrize("talk", [talk for talk in _talks() if talk.then], ids=lambda talk: talk.question)
def test_each_follow_up_changes_the_answer_before_it(talk: Talk) -> None:
    plan, question = _first(talk), talk.question
    for said, reading, *chart in talk.then:
        winner = _next(talk, said, plan, question)

        kind = [winner.plan.chart.kind.value] if winner.plan.chart is not None else []
        assert (say_plan(winner.plan), kind) == (reading, chart), said
        assert f"“{question}”" in winner.assumptions[0]
        plan, question = winner.plan, said


@pytest.mark.parametrize("talk", [talk for talk in _talks() if talk.none], ids=lambda talk: talk.question)
def test_a_change_that_the_answer_has_no_place_for_is_refused_and_never_read_alone(talk: Talk) -> None:
    plan = _first(talk)
    for said, *_ in talk.then:
        plan = _next(talk, said, plan, talk.question).plan

    before = (talk.question, plan)
    refused = [understand(said, table(talk.table), talk.language, before) for said in talk.none]

    assert [isinstance(answer, Refused) and talk.question in answer.message for answer in refused] == [True] * len(
        talk.none
    )


@pytest.mark.parametrize("talk", [talk for talk in _talks() if talk.alone], ids=lambda talk: talk.question)
def test_a_question_with_a_subject_of_its_own_follows_nothing(talk: Talk) -> None:
    plan = _first(talk)

    assert [said for said in talk.alone if follow_up(said, plan, talk.question, table(talk.table)) is not None] == []


def test_the_first_of_one_year_is_not_set_beside_another_year() -> None:
    talk = Talk("garden_sales_lines", "which region had the highest revenue in 2023", (), ())

    said = understand("compare with 2022", table(talk.table), earlier=(talk.question, _first(talk)))

    assert isinstance(said, Refused)


def test_what_gave_way_is_said() -> None:
    talk = Talk("crashes", "crashes in 2021", (), ())

    winner = _next(talk, "and in 2020?", _first(talk), talk.question)

    assert "No longer: crash_date is at least 2021-01-01." in winner.assumptions


def test_a_question_about_another_table_follows_nothing() -> None:
    talk = Talk("crashes", "crashes in 2021", (), ())

    assert follow_up("only 2020", _first(talk), talk.question, table("cars")) is None
