"""A tool agrees with a reference where type, shape, names, index and values do, and order where it has a meaning."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from jupyter_mcpgen.metrics.functional_correctness import (
    Comparison,
    calculate_correctness_score,
    compare_with_reference,
    measure_correctness,
    validate_against_reference,
)
from jupyter_mcpgen.metrics.outputs import difference_of, outputs_match
from jupyter_mcpgen.model.validation import TestResult

SALES = pd.DataFrame({"shop": ["b", "a", "a"], "sold": [1, 2, 2]})


def fail(**given: object) -> object:
    raise KeyError("shop")


def test_sizes_and_counts_of_one_column_are_not_the_same() -> None:
    data = pd.DataFrame({"col": ["A", "A", "B"]})

    correctness = validate_against_reference(
        lambda data: data.groupby("col").count(), lambda data: data.groupby("col").size(), [{"data": data}]
    )

    assert correctness is not None
    assert correctness < 1.0


def test_the_share_of_inputs_that_agree_is_told() -> None:
    inputs = [{"number": 1}, {"number": 2}, {"number": 3}, {"number": 4}]

    assert validate_against_reference(lambda number: number % 3, lambda number: number % 4, inputs) == 0.5


def test_without_an_input_there_is_no_share() -> None:
    assert validate_against_reference(len, len, []) is None


@pytest.mark.parametrize(
    ("generated", "reference", "message"),
    [
        (fail, lambda shop: 1, "it failed: KeyError: 'shop'"),
        (lambda shop: 1, fail, "it did not refuse the input: KeyError: 'shop'"),
        (fail, fail, None),
        (lambda shop: 2, lambda shop: 1, "2 against 1"),
    ],
)
def test_an_error_of_the_tool_is_a_mismatch_with_its_message(
    generated: Callable[..., object], reference: Callable[..., object], message: str | None
) -> None:
    assert compare_with_reference(generated, reference, [{"shop": "a"}]) == (Comparison(message),)


@pytest.mark.parametrize(
    ("generated", "reference", "difference"),
    [
        (SALES, SALES.astype({"sold": "float64"}), None),
        (SALES, SALES.set_index(pd.Index([7, 8, 9])), None),
        (SALES, SALES.rename(columns={"sold": "count"}), "columns ['shop', 'sold'] against ['shop', 'count']"),
        (SALES, SALES.head(2), "3 rows against 2"),
        (SALES, SALES.astype({"sold": "str"}), "row 1 of `sold`: 1 against '1'"),
        (SALES, SALES.iloc[::-1], "row 1 of `shop`: 'b' against 'a'"),
        (SALES, SALES["sold"], "DataFrame against Series"),
        (SALES["sold"], SALES["shop"], "a series named 'sold' against 'shop'"),
        (SALES.assign(sold=[1.0, None, 2.0]), SALES.assign(sold=[1.0, None, 2.0]), None),
        (SALES.assign(sold=[0.3, 1, 1]), SALES.assign(sold=[0.1 + 0.2, 1, 1]), None),
        ({"a": [1, 0.3]}, {"a": [1, 0.1 + 0.2]}, None),
        ({"a": 1}, {"a": True}, "{'a': 1} against {'a': True}"),
        ("12", 12, "str against number"),
        (float("nan"), float("nan"), None),
        ([1, 2], [2, 1], "[1, 2] against [2, 1]"),
        (2**60, 2**60 + 1, f"{2**60} against {2**60 + 1}"),
    ],
)
def test_results_are_the_same_in_type_shape_names_and_values(
    generated: object, reference: object, difference: str | None
) -> None:
    assert difference_of(generated, reference) == difference
    assert outputs_match(generated, reference) == (difference is None)


def test_an_index_with_a_meaning_counts() -> None:
    sold = SALES.groupby("shop")["sold"].sum()

    assert outputs_match(sold, sold.copy())
    assert not outputs_match(sold, sold.rename_axis("place"))
    assert not outputs_match(sold.to_frame(), sold.to_frame().set_index(pd.Index(["a", "c"], name="shop")))
    assert not outputs_match(sold.to_frame(), sold.to_frame().reset_index(drop=True))


def test_rows_that_tie_in_the_order_may_stand_in_any_order_and_others_may_not() -> None:
    counts = pd.DataFrame({"shop": ["a", "b", "c", "d"], "sold": [3, 2, 2, 1]})
    swapped = counts.iloc[[0, 2, 1, 3]]

    assert outputs_match(swapped, counts, ordered_by=["sold"])
    assert not outputs_match(swapped, counts)
    assert not outputs_match(counts.iloc[::-1], counts, ordered_by=["sold"])
    assert outputs_match(counts.iloc[::-1], counts, ordered_by=[])
    other = counts.assign(shop=["a", "b", "b", "d"])
    assert difference_of(other, counts, ordered_by=["sold"]) == "other rows among rows 2 to 3"


@pytest.mark.parametrize(
    ("similarity", "rate", "score"),
    [(1.0, 0.5, 0.7), (0.5, 1.0, 0.8), (None, 0.5, 0.5), (0.5, None, 0.5), (None, None, None)],
)
def test_the_score_is_60_percent_of_the_cases_and_40_of_the_reference(
    similarity: float | None, rate: float | None, score: float | None
) -> None:
    assert calculate_correctness_score(similarity, rate) == (None if score is None else pytest.approx(score))


def test_without_a_reference_nothing_is_called_correct() -> None:
    results = (
        TestResult(test_id="typical", category="normal", passed=True),
        TestResult(test_id="missing_column", category="edge", passed=False, error="not refused"),
    )

    alone, compared = measure_correctness(results), measure_correctness(results, results[:1])

    assert (alone.reference_solution_similarity, alone.correctness_score) == (None, None)
    assert (alone.test_cases_passed, alone.test_cases_total, alone.test_case_pass_rate) == (1, 2, 0.5)
    assert (compared.reference_solution_similarity, compared.correctness_score) == (1.0, pytest.approx(0.7))
