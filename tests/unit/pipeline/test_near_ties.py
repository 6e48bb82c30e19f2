"""Totals of money that only rounding keeps apart are ties: they raise no alarm, whatever is done with their order."""

from __future__ import annotations

from random import Random

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.pipeline.agreement import disagreement, first_difference
from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    Limit,
    Measure,
    Select,
    Sort,
    SortKey,
    Step,
    TopPerGroup,
    Window,
    WindowFunction,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Field, Schema
from tests.engines import reference, run_pandas
from tests.laws import law

SCHEMA = Schema(
    fields=(
        Field(name="district", type="text"),
        Field(name="kiosk", type="text"),
        Field(name="price", type="real"),
    )
)
MOST_FIRST = SortKey(column="sum_price", descending=True)
RANK = Window(name="rank", function=WindowFunction.RANK, column=Col(name="sum_price"))
ENDS: tuple[tuple[Step, ...], ...] = (
    (Sort(keys=(MOST_FIRST,)),),
    (Sort(keys=(MOST_FIRST, SortKey(column="kiosk"))),),
    (Sort(keys=(MOST_FIRST,)), Limit(count=25)),
    (Sort(keys=(MOST_FIRST,)), Limit(count=25), Select(columns=Columns(names=("kiosk",)))),
    (TopPerGroup(by=Columns(names=("district",)), keys=(MOST_FIRST,), count=3),),
    (RANK,),
    (RANK.model_copy(update={"by": Columns(names=("district",))}), Sort(keys=(MOST_FIRST,))),
)


@st.composite
def takings(draw: st.DrawFn) -> pd.DataFrame:
    """Draw amounts with cents of thousands of kiosks, so that many totals are equal in cents."""
    random = Random(draw(st.integers(0, 10_000)))
    kiosks = draw(st.integers(1_000, 3_000))
    each = draw(st.integers(3, 8))
    cents = draw(st.sampled_from([500, 20_000, 300_000]))
    rows = [
        (f"district {kiosk % 7}", f"kiosk {kiosk}", random.randrange(cents) / 100)
        for kiosk in range(kiosks)
        for _ in range(each)
    ]
    random.shuffle(rows)
    return pd.DataFrame(rows, columns=["district", "kiosk", "price"])


@law(4)
@given(takings())
def test_both_computations_agree_on_totals_of_money_in_any_order(frame: pd.DataFrame) -> None:
    total = Measure(function="sum", column=Col(name="price"))
    grouped = Aggregate(by=Columns(names=("district", "kiosk")), measures=(total,))
    plans = [Plan(source="takings", source_schema=SCHEMA, steps=(grouped, *end)) for end in ENDS]
    engine = reference(frame)

    results = [run_pandas(plan, frame) for plan in plans]

    assert [disagreement(result, plan, engine) for result, plan in zip(results, plans, strict=True)] == [None] * 7
    assert first_difference(results[0], engine.table(plans[0])) is not None, "no near-tie was drawn"


def test_equal_totals_share_a_rank_though_their_floats_differ() -> None:
    frame = pd.DataFrame({"district": "north", "kiosk": ["a", "b", "b", "c"], "price": [0.3, 0.1, 0.2, 9.0]})
    total = Measure(function="sum", column=Col(name="price"))
    grouped = Aggregate(by=Columns(names=("kiosk",)), measures=(total,))
    plan = Plan(source="takings", source_schema=SCHEMA, steps=(grouped, RANK))

    result = run_pandas(plan, frame)

    assert result["sum_price"].nunique() == 3
    assert result["rank"].tolist() == [2, 2, 1]
    assert disagreement(result, plan, reference(frame)) is None
