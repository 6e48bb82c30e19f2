"""What is said about the rows behind a statistic: how many it used, and why the others are left out."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.model.validation import Verdict
from jupyter_mcpgen.pipeline.accounting import account
from jupyter_mcpgen.plan.ops import Step
from tests.engines import reference, run_pandas
from tests.plans import plan_of, where
from tests.statistic_plans import statistic

COLUMNS = {"kind": "text", "price": "real", "cost": "real"}
FRAME = pd.DataFrame(
    {
        "kind": ["tea", "tea", "coffee", None, "coffee", "juice", "tea", "coffee"],
        "price": [1.0, 2.0, float("inf"), 4.0, None, 6.0, 3.0, 9.0],
        "cost": [2.0, 3.0, 1.0, 4.0, 5.0, None, 2.5, 2.0],
    }
)


def said(*steps: Step, result: pd.DataFrame | None = None) -> dict[str, tuple[Verdict, str]]:
    """Return the evidence about a plan over the table above, by check."""
    plan = plan_of(COLUMNS, *steps)
    engine = Engine(FRAME)
    found = account(plan, run_pandas(plan, FRAME) if result is None else result, engine)
    engine.close()
    told: dict[str, tuple[Verdict, str]] = {}
    for item in found:  # there is one for each reason that rows were left out
        _, before = told.get(item.check, (item.verdict, ""))
        told[item.check] = (item.verdict, f"{before} {item.sentence}".strip())
    return told


@pytest.mark.parametrize(
    ("step", "sentence", "left_out"),
    [
        (
            statistic("anova", value="price", group="kind"),
            "5 of 8 rows used.",
            (
                "without `kind`",
                "without `price`",
                "with an infinite `price`",
            ),
        ),
        (
            statistic("kruskal_wallis", value="price", group="kind"),
            "5 of 8 rows used.",
            (
                "without `kind`",
                "without `price`",
                "with an infinite `price`",
            ),
        ),
        (
            statistic("mean_interval", column="cost", level=0.95, by=["kind"]),
            "6 of 8 rows used.",
            (
                "without `kind`",
                "without `cost`",
            ),
        ),
        (
            statistic("two_groups", value="price", group="kind", first="tea", second="coffee"),
            "4 of 8 rows used.",
            (
                "without `kind`",
                "without `price`",
                "with an infinite `price`",
                "in other groups",
            ),
        ),
        (
            statistic("linear_regression", y="price", x="cost"),
            "5 of 8 rows used.",
            (
                "without `price`",
                "without `cost`",
                "with an infinite `price`",
            ),
        ),
        (
            statistic("correlations", columns=["price", "cost"]),
            "8 of 8 rows looked at; each pair of columns uses the rows that have both values: 5.",
            (),
        ),
        (
            statistic("two_columns", first="price", second="cost"),
            "6 values of `price` and 7 values of `cost` used, from 8 rows.",
            (),
        ),
        (statistic("outliers", column="price", reach=1.5), "1 of 8 rows used; 7 are no outliers.", ()),
        (statistic("duplicates", columns=["kind"]), "6 of 8 rows used; 2 are not repeated.", ()),
    ],
)
def test_rows_that_are_left_out_are_counted_with_their_reason(
    step: Step, sentence: str, left_out: tuple[str, ...]
) -> None:
    found = said(step)

    assert found["rows"] == (Verdict.PASSED, sentence)
    assert found.get("left_out", (Verdict.PASSED, "")) == (
        Verdict.PASSED,
        " ".join(f"1 row {reason} was left out." for reason in left_out),
    )


def test_a_result_that_counts_other_rows_fails() -> None:
    step = statistic("anova", value="price", group="kind")
    wrong = run_pandas(plan_of(COLUMNS, step), FRAME).assign(n=7)

    verdict, sentence = said(step, result=wrong)["rows"]

    assert verdict is Verdict.FAILED
    assert sentence.endswith("; the result counts 7.")


def test_a_histogram_adds_up_to_the_values_of_its_column() -> None:
    step = statistic("histogram", column="price", bins=3)

    assert said(step)["total_histogram"] == (Verdict.PASSED, "6 values in the bins = 6 values of `price`.")


def test_missing_and_present_are_all_rows_of_the_condition() -> None:
    found = said(where("kind", "!=", "juice"), statistic("missing_values", columns=["price", "cost"]))

    assert found["total_missing"][1] == ("1 missing values in 2 columns; missing and present are 6 in each of them.")
    assert found["rows"][1] == "6 of 8 rows used; 2 do not meet the condition."


def test_a_test_has_no_control_total_and_says_so() -> None:
    verdict, sentence = said(statistic("normality", column="price"))["total_statistic"]

    assert verdict is Verdict.NOT_APPLICABLE
    assert sentence == "No total exists for a test."


def test_a_column_called_n_is_no_count_of_rows() -> None:
    frame = FRAME[["price"]].assign(n=range(8))
    plan = plan_of({"price": "real", "n": "integer"}, statistic("correlation_matrix", columns=["price", "n"]))

    *_, rows = account(plan, run_pandas(plan, frame), reference(frame))

    assert rows.sentence == "8 of 8 rows looked at; each pair of columns uses the rows that have both values."
