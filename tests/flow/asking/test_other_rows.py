"""Years in the names of columns, and lists in cells, are asked about, become tools, and next year's file is called."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from jupyter_mcpgen.errors import AskedBack, NotUnderstood
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.validation import Verdict
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.pipeline.draft import Reused
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.product import shown, staged

SALES = pd.DataFrame(
    {
        "region": ["north", "south", "east", "west"],
        "2019": [1.5, 2.0, None, 4.0],
        "2020": [2.0, 3.0, 4.0, 5.0],
        "2021": [3.0, 4.0, 5.0, 6.0],
    }
)
SURVEY = pd.DataFrame(
    {
        "person": range(101, 109),
        "age": [20, 30, 25, 40, 35, 50, 28, 33],
        "tools": ["Python;R", "R", "Python;SQL", "SQL", "Python", "R;SQL;Python", None, "Excel"],
    }
)
TAKEN = ", the columns 2019 to 2021 taken as one column `year`, their cells as `{}`"
BY_MEMBER = ", each member of the lists in tools counted once per row"


def card_of(runtime: Runtime, question: str, table: pd.DataFrame = SALES, *, follow: bool = False) -> Card:
    """Return the card of an answer as a person sees it first."""
    name = "survey" if table is SURVEY else "sales"
    return shown(runtime, runtime.compute(question, runtime.reference(name, table), follow=follow))


def asked_back(runtime: Runtime, question: str, table: pd.DataFrame) -> OpenQuestion:
    with pytest.raises(AskedBack) as raised:
        card_of(runtime, question, table)
    return runtime.questions.find(raised.value.question_id)


def evidence(card: Card) -> dict[str, tuple[Verdict, str]]:
    return {item.check: (item.verdict, item.sentence) for item in card.evidence}


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("total sales by year", f"sum of sales by year{TAKEN.format('sales')}"),
        ("average value by year", f"mean of value by year{TAKEN.format('value')}"),
        ("trend by year", f"sum of value by year{TAKEN.format('value')}"),
        (
            "sales in 2021 by region",
            f"sum of sales by region, largest first, where year is 2021{TAKEN.format('sales')}",
        ),
        ("average 2021", "mean of 2021"),
        ("number of regions", "number of different region"),
    ],
)
def test_a_wide_table_is_read_as_the_question_needs(runtime: Runtime, question: str, reading: str) -> None:
    assert card_of(runtime, question).reading == reading


@pytest.mark.soak
def test_two_years_are_shown_or_compared_as_the_person_picks(runtime: Runtime) -> None:
    question = asked_back(runtime, "2020 vs 2021", SALES)
    listed, compared = question.intents

    assert listed.reading == "2021, 2020"
    assert compared.reading == f"sum of value by year, where year is 2020 or 2021{TAKEN.format('value')}"
    assert isinstance(compared, Intent)
    answer = runtime.compute_as(question.request, compared)
    assert shown(runtime, answer).table.rows == ((2020, 14.0), (2021, 18.0))


def test_every_cell_is_accounted_for(runtime: Runtime) -> None:
    found = evidence(card_of(runtime, "total sales by year"))

    assert found["two_ways"] == (Verdict.PASSED, "Calculation checked: pandas and SQL agree.")
    assert found["rows"] == (Verdict.PASSED, "12 of 12 cells used.")
    assert found["cells"] == (Verdict.PASSED, "4 rows with 3 columns each: 12 cells.")
    assert found["without_value"] == (Verdict.PASSED, "1 of the rows used has no `sales`.")
    assert found["total_sales"] == (Verdict.PASSED, "39.5 = column total.")


@pytest.mark.soak
def test_a_follow_up_is_about_the_same_cells_and_a_question_of_its_own_is_not(runtime: Runtime) -> None:
    card_of(runtime, "total sales by year")

    assert card_of(runtime, "only for north", follow=True).reading == (
        f"sum of sales by year, where region is north{TAKEN.format('sales')}"
    )
    assert (
        card_of(runtime, "number of rows by region", follow=True).reading == "number of rows by region, largest first"
    )


def test_the_rows_of_a_table_are_never_counted_once_per_year(runtime: Runtime) -> None:
    with_staff = SALES.assign(staff=[10, 20, 30, 40])

    with pytest.raises(NotUnderstood):
        card_of(runtime, "total staff by year", with_staff)


def test_a_refusal_says_how_the_columns_can_be_asked_about(runtime: Runtime) -> None:
    with pytest.raises(NotUnderstood, match="`2019` to `2021` can be asked about as `year` and `value`, as in “sum of"):
        card_of(runtime, "growth from 2019 to 2021")


def test_a_tool_takes_the_years_of_next_years_file(runtime: Runtime, tmp_path: Path) -> None:
    card = staged(runtime.ask("total sales by year", runtime.reference("sales", SALES)))
    next_year = SALES.assign(**{"2022": [10.0, 20.0, 30.0, 40.0]})
    next_year.to_csv(tmp_path / "next.csv", index=False)
    SALES[["region"]].to_csv(tmp_path / "none.csv", index=False)
    SALES.assign(**{"2021": ["3 t", "4 t", "5 t", "6 t"]}).to_csv(tmp_path / "text.csv", index=False)

    assert card.sound, card.evidence
    assert evidence(card)["planted_faults"][0] is Verdict.PASSED
    runtime.answer(card.card_id, card.fingerprint, "registration", "approve", None)
    answer = runtime.call_tool(card.tool_name, {"file_path": str(tmp_path / "next.csv")})
    refused = runtime.call_tool(card.tool_name, {"file_path": str(tmp_path / "none.csv")})
    texts = runtime.call_tool(card.tool_name, {"file_path": str(tmp_path / "text.csv")})
    again = runtime.compute("total sales by year", runtime.reference("sales", next_year), follow=False)

    assert answer.structured is not None
    assert [list(row.values()) for row in answer.structured["rows"]] == [
        [2019, 7.5],
        [2020, 14.0],
        [2021, 18.0],
        [2022, 100.0],
    ]
    assert "No column is called by a year, as `2019` is." in refused.text
    assert "`2021` holds no numbers, so it cannot be added up." in texts.text
    assert isinstance(again, Reused)
    assert again.trial.table.rows[-1] == (2022, 100.0)


@pytest.mark.soak
def test_lists_are_counted_by_member_or_as_they_are_as_the_person_picks(runtime: Runtime) -> None:
    question = asked_back(runtime, "how many by tool", SURVEY)
    whole, by_member = question.intents

    assert (whole.reading, by_member.reading) == (
        "number of rows by tools, largest first",
        f"number of rows by tools, largest first{BY_MEMBER}",
    )
    answer = runtime.compute_as(question.request, by_member)
    card = shown(runtime, answer)
    found = evidence(card)
    assert card.table.rows == (("Python", 4), ("R", 3), ("SQL", 3), ("Excel", 1))
    assert found["rows"] == (Verdict.PASSED, "11 of 11 members used.")
    assert found["members"] == (
        Verdict.PASSED,
        "7 rows with 11 members in `tools`: a row counts once for each of its members.",
    )
    assert found["left_out"] == (Verdict.PASSED, "1 row without a member in `tools` was left out.")
    assert isinstance(answer, flow.Computed)
    kept = runtime.stage(answer).card
    assert kept.sound, kept.evidence
    assert evidence(kept)["planted_faults"][0] is Verdict.PASSED


def test_rows_with_one_of_two_members_are_not_counted_twice(runtime: Runtime) -> None:
    card = card_of(runtime, "how many use R or SQL", SURVEY)

    assert card.reading == "number of rows, where tools is R or SQL"
    assert card.assumptions[0] == (
        "The cells of `tools` are lists: each is taken as a whole, so that a value means a list of nothing else."
    )


def test_a_question_about_other_columns_is_read_over_the_rows_as_they_are(runtime: Runtime) -> None:
    assert card_of(runtime, "average age", SURVEY).reading == "mean of age"


def test_lists_that_a_frame_holds_are_counted_by_member_at_once(runtime: Runtime) -> None:
    lists = pd.DataFrame({"langs": [["en", "fr"], ["en"], ["de"], [], ["de", "en"]]})

    computed = runtime.compute("count by langs", runtime.reference("answers", lists))

    card = shown(runtime, computed)
    assert card.table.rows == (("en", 3), ("de", 2), ("fr", 1))
    assert evidence(card)["left_out"][1] == "1 row without a member in `langs` was left out."


@pytest.mark.soak
def test_months_of_text_in_a_file_are_computed_and_the_next_file_may_have_more(
    runtime: Runtime, tmp_path: Path
) -> None:
    (tmp_path / "costs.csv").write_text("dept;Jan;Feb;Mar\nA;1.234,50;2.000,00;n/a\nB;10,00;20,00;30,00\n")
    (tmp_path / "next.csv").write_text("dept;Mar;Apr;May\nA;1,50;2.000,00;n/a\nB;10,00;20,00;30,00\n")

    card = staged(runtime.ask("total costs by month", runtime.reference(str(tmp_path / "costs.csv"))))

    assert card.sound, card.evidence
    assert card.table.rows == (("Jan", 1244.5), ("Feb", 2020.0), ("Mar", 30.0))
    runtime.answer(card.card_id, card.fingerprint, "registration", "approve", None)
    answer = runtime.call_tool(card.tool_name, {"file_path": str(tmp_path / "next.csv")})
    assert answer.structured is not None, answer.text
    assert [list(row.values()) for row in answer.structured["rows"]] == [["Mar", 11.5], ["Apr", 2020.0], ["May", 30.0]]
