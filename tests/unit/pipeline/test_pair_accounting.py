"""Where the rows of two tables went: right joins add up, and what counts twice never passes."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.model.validation import Verdict
from jupyter_mcpgen.pipeline.pair_accounting import account_second
from jupyter_mcpgen.plan.ops import Step
from tests.plans import derive, group, number, plan_of, table_of, totals, where
from tests.second_tables import Way, join, plan_over, union

LOANS, LOAN_COLUMNS = table_of("""
loan integer | member integer | days integer
1            | 1              | 10
2            | 1              | 20
3            | 2              | 5
4            | —              | 2
5            | 9              | 3
""")
MEMBERS, MEMBER_COLUMNS = table_of("""
member integer | town text | fee integer
1              | Lund      | 100
2              | Ystad     | 200
4              | Ed        | 400
""")
ONCE = join("members", "member", relation="many_to_one")


def accounted(way: Way, *steps: Step, members: pd.DataFrame = MEMBERS) -> dict[str, tuple[Verdict, str]]:
    plan = plan_over("loans", way(LOAN_COLUMNS, MEMBER_COLUMNS), *steps)
    engine = Engine(LOANS, members)
    try:
        return {item.check: (item.verdict, item.sentence) for item in account_second(plan, engine)}
    finally:
        engine.close()


def test_a_plan_over_one_table_has_nothing_to_say() -> None:
    engine = Engine(LOANS)

    assert account_second(plan_of(LOAN_COLUMNS, totals("count")), engine) == ()


@pytest.mark.parametrize(
    ("way", "sentence"),
    [
        (
            ONCE,
            "Matched by member: 3 of 5 rows of `loans` have a match in `members`, 2 without (1 without a key), kept "
            "without values of `members`. 1 of 3 rows of `members` match none and are left out.",
        ),
        (
            join("members", "member", how="inner", relation="many_to_one"),
            "Matched by member: 3 of 5 rows of `loans` have a match in `members`, 2 without (1 without a key), left "
            "out. 1 of 3 rows of `members` match none and are left out.",
        ),
        (
            join("members", "member", how="anti"),
            "Matched by member: 3 of 5 rows of `loans` have a match in `members`, 2 without (1 without a key).",
        ),
        (
            union("members"),
            "5 rows of `loans` and 3 of `members` = 8 rows. Careful: `loan`, `days`, `town`, `fee` are in one of the "
            "two only.",
        ),
    ],
)
def test_the_rows_of_both_tables_are_accounted_for(way: Way, sentence: str) -> None:
    assert accounted(way)["joined"] == (Verdict.PASSED, sentence)


@pytest.mark.parametrize(
    ("steps", "verdict", "words"),
    [
        ((group("town", "sum days"),), Verdict.PASSED, "40 = its total in `loans` (35 in rows with a match, 5 in rows"),
        ((group("town", "sum fee"),), Verdict.FAILED, "`fee` would be counted several times"),
        ((group("town", "count fee"),), Verdict.FAILED, "repeats rows of `members` 1 time."),
        ((group("town", "mean fee"),), Verdict.PASSED, "Careful: a row of `members` weighs as often in `mean_fee`"),
        (
            (derive("share", number("days", "/", "fee")), group("town", "sum share")),
            Verdict.FAILED,
            "`share` would be counted several times",
        ),
        (
            (derive("due", number("days", "*", "fee")), group("town", "sum due")),
            Verdict.PASSED,
            "`due` is each row's of `loans`, multiplied by what `members` has for it; the join repeats none of these",
        ),
        (
            (derive("left", number("fee", "-", "days")), group("town", "sum left")),
            Verdict.FAILED,
            "`left` would be counted several times",
        ),
        ((where("days", ">", 5), group("town", "sum fee")), Verdict.FAILED, "Its total over `members` is 700."),
    ],
)
def test_a_total_passes_only_when_its_values_count_once(steps: tuple[Step, ...], verdict: Verdict, words: str) -> None:
    said = {check: item for check, item in accounted(ONCE, *steps).items() if check.startswith("counted_once")}

    assert [item[0] for item in said.values()] == [verdict]
    assert words in next(iter(said.values()))[1]


@pytest.mark.parametrize("measure", ["min fee", "max fee", "count_distinct fee"])
def test_figures_that_do_not_change_when_rows_repeat_need_no_word(measure: str) -> None:
    assert list(accounted(ONCE, group("town", measure))) == ["joined"]


def test_keys_that_match_several_rows_are_said_loudly_and_fail_totals() -> None:
    twice = pd.concat([MEMBERS, MEMBERS.head(1)], ignore_index=True)

    found = accounted(join("members", "member"), totals("sum days"), members=twice)

    assert found["counted_once_days"][0] is Verdict.FAILED
    assert (
        "Careful: the key names several rows of `members`, so 5 pairs come of 3 rows of `loans`, 2 of them repeated."
    ) in found["joined"][1]


def test_a_product_over_keys_that_repeat_rows_of_both_tables_fails() -> None:
    twice = pd.concat([MEMBERS, MEMBERS.head(1)], ignore_index=True)
    due = derive("due", number("days", "*", "fee"))

    found = accounted(join("members", "member"), due, totals("sum due"), members=twice)

    assert found["counted_once_due"][0] is Verdict.FAILED


def test_keys_that_never_meet_fail_the_card() -> None:
    found = accounted(ONCE, totals("sum days"), members=MEMBERS.assign(member=[71, 72, 73]))

    assert found["joined"][0] is Verdict.FAILED
    assert "No key is in both tables" in found["joined"][1]
