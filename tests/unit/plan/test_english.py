"""The reading of a plan. Whole sentences are recorded in `tests/cases/emit`; here is what must stay clear."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given

from jupyter_mcpgen.plan.english import say_generally, say_plan
from jupyter_mcpgen.plan.ops import Step
from jupyter_mcpgen.plan.plan import Plan
from tests.laws import law
from tests.plans import date, derive, describe, group, limit, number, plan_of, sort, totals, where
from tests.strategies.plans import tables_with_plans

TYPES = {"amount": "integer", "price": "real", "kind": "text", "sold": "date"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tea", "tea"),
        ("GREEN TEA", "GREEN TEA"),
        ("STOP SIGN/FLASHER", "STOP SIGN/FLASHER"),
        ("missing", "“missing”"),
        ("NOT DIVIDED", "“NOT DIVIDED”"),
        ("tea or coffee", "“tea or coffee”"),
        ("DARKNESS, LIGHTED ROAD", "“DARKNESS, LIGHTED ROAD”"),
        ("3", "“3”"),
        ("true", "“true”"),
        ("", "“”"),
        (" tea", "“ tea”"),
    ],
)
def test_a_text_that_could_be_read_as_a_part_of_the_sentence_is_quoted(text: str, said: str) -> None:
    assert say_plan(plan_of(TYPES, where("kind", "==", text))) == f"rows, where kind is {said}"


@pytest.mark.parametrize(
    ("steps", "reading"),
    [
        ((), "rows"),
        ((where("kind", "is missing"),), "rows, where kind is missing"),
        ((where("amount", "==", 3), where("kind", "in", ["a", "b"])), "rows, where amount is 3 and kind is a or b"),
        ((where("sold", ">=", date("2024-01-01")),), "rows, where sold is at least 2024-01-01"),
        ((sort("price desc"), limit(1)), "rows, by price largest first, first one"),
        ((totals("count"),), "number of rows"),
        ((group("kind", "mean price"), sort("mean_price")), "mean of price by kind, smallest first"),
        (
            (group("kind", "mean price", "count"), sort("count desc")),
            "mean of price and number of rows by kind, by count largest first",
        ),
        (
            (derive("revenue", number("price", "*", "amount")), group("kind", "sum revenue")),
            "sum of revenue by kind, with revenue = (price * amount)",
        ),
        ((group("kind", "count"), totals("count")), "number of rows by kind, then number of groups"),
        ((limit(3), totals("count")), "rows, first 3, then number of rows"),
        ((limit(3), describe("price")), "rows, first 3, then summary of price"),
        ((limit(3), where("kind", "==", "a")), "rows, first 3, keeping those where kind is a"),
        (
            (where("kind", "!=", "a"), group("kind", "count"), where("count", ">", 2)),
            "number of rows by kind, where kind is not a, then where count is greater than 2",
        ),
    ],
)
def test_a_plan_is_said_in_one_sentence(steps: tuple[Step, ...], reading: str) -> None:
    assert say_plan(plan_of(TYPES, *steps)) == reading


@law(30)
@given(tables_with_plans())
def test_every_plan_has_a_reading_and_a_family(case: tuple[pd.DataFrame, Plan]) -> None:
    _, plan = case

    assert say_plan(plan)
    assert say_generally(plan)
