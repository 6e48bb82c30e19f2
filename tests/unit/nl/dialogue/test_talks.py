"""A follow-up changes what it names of the answer before it, and nothing else."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.nl.dialogue.followup import UNCHANGED
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, DatePart, DateUnit, Lit, TextCall, TextFunction
from jupyter_mcpgen.plan.from_sql import read_sql
from jupyter_mcpgen.plan.from_sql.granted import Granted
from jupyter_mcpgen.plan.ops import Derive, Filter
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType
from tests.unit.nl.dialogue.talks import first, hires, then

Y2022 = "hired_on is at least 2022-01-01 and hired_on is less than 2023-01-01"
Y2023 = "hired_on is at least 2023-01-01 and hired_on is less than 2024-01-01"
OPEN = "sum of charge by harbour, largest first, where state is open"


def said(plan: Plan, words: str) -> str:
    """Return how the answer reads that follows."""
    match then(plan, words):
        case Answered(winner):
            return say_plan(winner.plan)
        case other:
            pytest.fail(f"{words}: {other}")


@pytest.mark.parametrize(
    ("question", "words", "reading"),
    [
        # groups
        ("total charge by harbour", "now by month", "sum of charge by month of hired_on"),
        ("total charge by harbour", "and by month?", "sum of charge by month of hired_on"),
        ("total charge by harbour", "by boat kind instead", "sum of charge by boat_kind, largest first"),
        ("total charge by month", "split by harbour", "sum of charge by month of hired_on and harbour"),
        ("total charge by harbour", "also by state", "sum of charge by harbour and state"),
        # conditions
        ("total charge by harbour", "only the open ones", OPEN),
        ("total charge by harbour", "without the cancelled ones", OPEN.replace("is open", "is not cancelled")),
        ("total charge by harbour", "excluding cancelled hires", OPEN.replace("is open", "is not cancelled")),
        ("total charge by harbour where state is cancelled", "what about open", OPEN),
        ("total charge by harbour", "just 2023", f"sum of charge by harbour, largest first, where {Y2023}"),
        (
            "total charge by harbour in 2022",
            "what about 2023",
            f"sum of charge by harbour, largest first, where {Y2023}",
        ),
        ("total charge in 2022", "only insured", f"sum of charge, where {Y2022} and insured is True"),
        ("total charge where state is open in 2022", "all years", "sum of charge, where state is open"),
        (
            "total charge by harbour in March 2022",
            "and April?",
            "sum of charge by harbour, largest first, where hired_on is at least 2022-04-01 and hired_on is less than "
            "2022-05-01",
        ),
        # figures
        ("total charge by harbour", "the average instead", "mean of charge by harbour, largest first"),
        ("average charge by harbour", "the same for hours", "mean of hours by harbour, largest first"),
        ("total charge by harbour", "and the number of hires", "number of rows by harbour, largest first"),
        ("total charge by harbour", "what's the total", "sum of charge"),
        ("total charge by harbour", "how many are there", "sum of charge by harbour, then number of groups"),
        (
            "total charge by harbour",
            "what is the average of those",
            "sum of charge by harbour, then mean of sum_charge",
        ),
        (
            "total charge by harbour",
            "in percent",
            "sum of charge by harbour, with share of sum_charge in its total in percent, largest first",
        ),
        (
            "total charge by month",
            "cumulative",
            "sum of charge by month of hired_on, also for a month without rows, with running total of sum_charge",
        ),
        # order and number
        ("total charge by harbour", "top 2", "sum of charge by harbour, largest first, first 2"),
        ("total charge by harbour", "bottom 1 by charge", "sum of charge by harbour, smallest first, first one"),
        ("total charge by harbour", "sort by harbour", "sum of charge by harbour, by harbour smallest first"),
        (
            "total charge by harbour",
            "only those above 100",
            "sum of charge by harbour, largest first, where sum_charge is greater than 100",
        ),
        ("total charge by harbour", "reverse it", "sum of charge by harbour, smallest first"),
        ("total charge by harbour", "sort alphabetically", "sum of charge by harbour, by harbour smallest first"),
        ("total charge by harbour", "limit it to 2", "sum of charge by harbour, largest first, first 2"),
        (
            "top 2 harbours by total charge",
            "by average hours instead",
            "mean of hours by harbour, largest first, first 2",
        ),
        ("total charge by harbour", "over time", "sum of charge by month of hired_on and harbour"),
        (
            "total charge by harbour in 2023",
            "compare with the year before",
            "sum of charge by harbour and year of hired_on, where hired_on is at least 2022-01-01 and hired_on is less "
            "than 2024-01-01",
        ),
        (
            "share of total charge by harbour",
            "what about Wells",
            "sum of charge by harbour, with share of sum_charge in its total, keeping those where harbour is Wells, "
            "largest first",
        ),
        # rows
        ("hires where state is open", "how many are there", "number of rows, where state is open"),
        (
            "hires where state is open",
            "how many of them are in Wells",
            "number of rows, where state is open and harbour is Wells",
        ),
        ("hires where state is open", "only the harbour and the charge", "harbour, charge, where state is open"),
        ("hires where state is open", "average charge of those", "mean of charge, where state is open"),
        ("total charge by harbour where state is open", "list them", "rows, where state is open"),
        # statistics
        (
            "correlation between charge and hours",
            "only Wells",
            "Pearson correlation of charge and hours, where harbour is Wells",
        ),
        (
            "correlation between charge and hours",
            "use spearman instead",
            "Spearman rank correlation of charge and hours",
        ),
    ],
)
def test_what_was_said_takes_its_place_and_the_rest_stays(question: str, words: str, reading: str) -> None:
    assert said(first(question), words) == reading


def test_a_talk_goes_on_from_answer_to_answer() -> None:
    plan = first("total charge by harbour")
    for words in ("only 2023", "without cancelled", "as a share", "top 2"):
        match then(plan, words):
            case Answered(winner):
                plan = winner.plan
            case other:
                pytest.fail(f"{words}: {other}")

    assert say_plan(plan) == (
        "sum of charge by harbour, with share of sum_charge in its total, largest first, first 2, "
        f"where {Y2023} and state is not cancelled"
    )


@pytest.mark.parametrize(("words", "kind"), [("as a line chart", "line"), ("as a pie", "pie"), ("as a table", None)])
def test_only_the_chart_changes_where_only_it_is_named(words: str, kind: str | None) -> None:
    before = first("total charge by harbour")

    match then(before, words):
        case Answered(winner):
            chart = winner.plan.chart
            assert winner.plan.steps == before.steps
            assert (chart.kind.value if chart is not None else None) == kind
        case other:
            pytest.fail(str(other))


@pytest.mark.parametrize(
    "words",
    ["how many hires were there by state", "average hours", "top 2 harbours by charge", "hires in 2023 by boat kind"],
)
def test_a_question_with_a_subject_of_its_own_follows_nothing(words: str) -> None:
    match then(first("total charge by harbour where state is open"), words):
        case Answered(winner):
            assert "state" not in say_plan(winner.plan).replace("by state", "")
            assert not any("follow-up" in note for note in winner.assumptions)
        case Asked() | Refused() as other:
            assert "follow-up" not in str(other)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("median charge", "cumulative"),
        ("median charge", "only the harbour"),
        ("total charge by harbour", "above average"),
        ("correlation between charge and hours", "top 3"),
        ("total charge by harbour", "why is it so low"),
    ],
)
def test_a_change_that_the_answer_has_no_place_for_is_refused(question: str, words: str) -> None:
    assert isinstance(then(first(question), words), Refused)


def test_what_gave_way_is_said_and_the_question_before_is_named() -> None:
    match then(first("total charge by harbour in 2022"), "and in 2023?", "charge in 2022"):
        case Answered(winner):
            assert winner.assumptions == (
                "Read as a follow-up to “charge in 2022”.",
                f"No longer: {Y2022}.",
            )
        case other:
            pytest.fail(str(other))


def test_an_answer_that_is_already_so_says_it() -> None:
    match then(first("total charge by harbour"), "by harbour"):
        case Answered(winner):
            assert UNCHANGED in winner.assumptions
        case other:
            pytest.fail(str(other))


def test_an_average_of_totals_or_of_rows_is_asked_about() -> None:
    assert isinstance(then(first("total charge by harbour"), "average"), Asked)


def test_a_plan_that_no_question_gives_keeps_what_it_computes() -> None:
    """A plan may come from a model, with a step that the planner has no words for."""
    hour = DatePart(unit=DateUnit.HOUR, operand=Col(name="hired_on"))
    early = Compare(op=CompareOp.LT, left=hour, right=Lit(value=12, type=ColumnType.INTEGER))
    plain = first("total charge by harbour")
    plan = plain.with_steps((Filter(predicate=early), *plain.steps), plain.chart)

    assert said(plan, "only Wells") == (
        "sum of charge by harbour, largest first, where hour of hired_on is less than 12 and harbour is Wells"
    )


@pytest.mark.parametrize(
    ("sql", "words", "reading"),
    [
        (
            "SELECT harbour, SUM(charge) AS total FROM hires GROUP BY harbour ORDER BY total DESC LIMIT 2",
            "by boat kind instead",
            "sum of charge by boat_kind, largest first, first 2",
        ),
        (
            "SELECT harbour, SUM(charge) / SUM(hours) AS rate FROM hires GROUP BY harbour",
            "only kayak",
            "sum of charge and sum of hours by harbour, by charge_per_hours largest first, where boat_kind is kayak, "
            "with charge_per_hours = (sum_charge / sum_hours)",
        ),
        (
            "SELECT * FROM hires WHERE charge > 50 ORDER BY charge DESC LIMIT 10",
            "only Wells",
            "rows, by charge largest first, first 10, where charge is greater than 50 and harbour is Wells",
        ),
    ],
)
def test_an_answer_that_a_model_wrote_as_sql_is_changed_as_any_other(sql: str, words: str, reading: str) -> None:
    plan = read_sql(sql, {"hires": Granted(hires().schema_, frozenset(hires().schema_.names))})
    assert isinstance(plan, Plan)

    assert said(plan, words) == reading


def test_a_plan_that_no_answer_gives_is_changed_at_its_ends() -> None:
    plain = first("total charge by harbour")
    shout = Derive(name="loud", expression=TextCall(function=TextFunction.UPPER, operand=Col(name="harbour")))
    plan = plain.with_steps((shout, *plain.steps), plain.chart)

    assert said(plan, "only kayak") == (
        "sum of charge by harbour, largest first, where boat_kind is kayak, with loud = harbour in upper case"
    )
    assert isinstance(then(plan, "by boat kind"), Refused)


def test_a_limit_of_an_amount_may_be_of_rows_or_of_their_total() -> None:
    assert isinstance(then(first("total charge by harbour"), "with a charge above 50"), Asked)


def test_a_question_about_another_table_follows_nothing() -> None:
    plan = first("total charge by harbour")
    other = Plan(source="elsewhere", source_schema=hires().schema_, steps=plan.steps)

    assert not isinstance(then(other, "only 2023"), Refused)
