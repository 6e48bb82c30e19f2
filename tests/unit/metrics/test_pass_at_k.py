"""pass@k is exact, and is not told for more candidates than there are."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.metrics.pass_at_k import calculate_pass_at_k
from tests.laws import law
from tests.references import EXACT, REFERENCES

KNOWN = REFERENCES["pass_at_k"]


@pytest.mark.parametrize("case", KNOWN["cases"], ids=lambda case: f"{case['n']}-{case['c']}-{case['k']}")
def test_pass_at_k_is_that_of_the_references(case: dict[str, float]) -> None:
    n, c, k = int(case["n"]), int(case["c"]), int(case["k"])

    assert calculate_pass_at_k(n, c, [k]) == {k: pytest.approx(case["value"], abs=EXACT)}


@pytest.mark.parametrize(("c", "value"), enumerate(KNOWN["n10_k5_by_c"]))
def test_five_of_ten_candidates_by_how_many_are_right(c: int, value: float) -> None:
    assert calculate_pass_at_k(10, c, [5]) == {5: pytest.approx(value, abs=5e-5)}


def test_the_example_of_the_specification_holds() -> None:
    assert calculate_pass_at_k(n=10, c=8, k_values=[1, 5]) == {1: 0.8, 5: 1.0}


@pytest.mark.parametrize("c", [0, 1, 3])
def test_more_candidates_than_there_are_have_no_figure(c: int) -> None:
    assert calculate_pass_at_k(3, c) == {1: pytest.approx(c / 3), 5: None, 10: None}


@pytest.mark.parametrize(("n", "c", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0), (-1, 0, 1)])
def test_numbers_that_cannot_be_are_refused(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match=r"cannot be right|at least 1"):
        calculate_pass_at_k(n, c, [k])


def test_a_thousand_candidates_are_no_matter() -> None:
    assert calculate_pass_at_k(5_000, 1, [2_500]) == {2_500: 0.5}


@law(50)
@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_it_is_the_share_of_all_choices_of_k_that_hold_a_right_one(drawn: tuple[int, int, int]) -> None:
    n, c, k = drawn

    choices = [any(candidate < c for candidate in chosen) for chosen in combinations(range(n), k)]

    assert calculate_pass_at_k(n, c, [k]) == {k: pytest.approx(sum(choices) / len(choices))}
