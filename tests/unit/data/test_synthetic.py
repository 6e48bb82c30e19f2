"""Generated tables have the data's shape and each the trouble that it is named for."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.data.synthetic import Case, synthesize, with_equal_values

FRAME = pd.DataFrame(
    {
        "row_id": np.arange(1, 101),
        "state": ["CA", "TX", "CA", "NY"] * 25,
        "n": np.arange(100) % 7,
        "price": np.linspace(0.25, 99.75, 100),
        "ok": [True, False] * 50,
        "maybe": pd.array([True, None] * 50, dtype="boolean"),
        "at": pd.date_range("2024-01-01", periods=100, unit="us"),
        "key": [f"K{i}" for i in range(100)],
    }
)
PROFILE = profile("t", FRAME)


def made(case: Case, rows: int = 200, seed: int = 1, **wanted) -> pd.DataFrame:
    return synthesize(PROFILE.schema_, PROFILE, rows, seed, case, wanted)


@pytest.mark.parametrize("case", Case)
def test_every_case_has_the_columns_and_types_of_the_data(case):
    frame = made(case)

    as_read = FRAME.astype({"row_id": "float64", "n": "float64"}) if case is Case.NULLS else FRAME
    pd.testing.assert_series_equal(frame.dtypes, as_read.dtypes)
    pd.testing.assert_frame_equal(frame, made(case))
    assert len(frame) == {Case.EMPTY: 0, Case.SINGLE_ROW: 1}.get(case, 200)


def test_another_seed_gives_another_table():
    assert not made(Case.TYPICAL).equals(made(Case.TYPICAL, seed=2))


def test_typical_values_are_those_of_the_data():
    frame = made(Case.TYPICAL)

    assert set(frame["state"]) == {"CA", "TX", "NY"}
    assert frame["state"].value_counts().index[0] == "CA"
    assert frame["n"].between(0, 6).all()
    assert frame["price"].between(0, 100).all()
    assert frame["at"].between(FRAME["at"].min(), FRAME["at"].max()).all()
    assert (frame["at"] == frame["at"].dt.normalize()).all()
    assert frame["row_id"].is_unique
    assert frame["key"].is_unique


def test_real_numbers_sum_exactly_in_any_order():
    prices = made(Case.TYPICAL)["price"]

    assert prices.nunique() > 100
    assert sum(prices) == sum(prices.iloc[::-1]) == sum(prices.sort_values())


def test_wanted_values_occur():
    frame = made(Case.TYPICAL, state=["WY"], n=[99], price=[0.1], at=["2030-01-01"])

    assert {"WY"} < set(frame["state"])
    assert {99} < set(frame["n"])
    assert {0.1} < set(frame["price"])
    assert (frame["at"] == "2030-01-01").any()


def test_missing_values_are_in_every_column_that_takes_them():
    some, all_ = made(Case.NULLS).isna().mean(), made(Case.ALL_NULL).isna().mean()
    takes, whole = ["state", "price", "maybe", "at", "key"], ["row_id", "n"]

    assert some[[*takes, *whole]].between(0.05, 0.95).all()
    assert (all_[takes] == 1).all()
    assert (all_[whole] == 0).all()
    assert some["ok"] == all_["ok"] == 0


def test_whole_numbers_with_gaps_stay_whole():
    numbers = made(Case.NULLS)["n"].dropna()

    assert (numbers == numbers.round()).all()
    assert numbers.between(0, 6).all()


def test_duplicates_are_whole_rows():
    assert made(Case.DUPLICATES).duplicated(keep=False).all()


def test_ties_leave_no_largest_group():
    frame = made(Case.TIES, rows=180)

    assert frame["state"].value_counts().nunique() == 1
    assert frame["n"].nunique() == 2


def test_unicode_words_are_hostile_and_negative_numbers_negative():
    assert made(Case.UNICODE)["state"].str.contains("'); DROP TABLE", regex=False).any()
    assert (made(Case.NEGATIVE)[["n", "price"]].min() < 0).all()


def test_many_groups_are_nearly_as_many_as_rows():
    assert made(Case.MANY_GROUPS)["state"].nunique() == 200


def test_a_column_of_which_nothing_is_known_is_generated_too():
    empty = profile("t", FRAME.head(0))

    for case in Case:
        assert list(synthesize(empty.schema_, empty, 5, 0, case).columns) == list(FRAME.columns)


def test_numbers_are_tied_in_one_column_and_told_by_another():
    frame = made(Case.TIES)

    assert frame.groupby("n")["price"].nunique().tolist() == [2, 2]


def test_some_numbers_lie_far_from_the_others_on_both_sides():
    frame = made(Case.NEGATIVE)

    for name in ("n", "price"):
        numbers = frame[name].astype(float)
        low, high = numbers.quantile([0.25, 0.75])
        assert (numbers < low - 3 * (high - low)).any()
        assert (numbers > high + 3 * (high - low)).any()
        assert (numbers.sub(numbers.mean()).abs() > 3 * numbers.std()).any()
        assert numbers.between(low, high).sum() < 150


def test_groups_are_of_every_size_where_the_words_are_hostile():
    sizes = made(Case.UNICODE)["state"].value_counts()

    assert sizes.nunique() > 15


def test_moments_lie_within_the_days_where_there_are_many_groups():
    dates = made(Case.MANY_GROUPS)["at"]

    assert (dates != dates.dt.normalize()).any() or PROFILE.column("at").minimum == PROFILE.column("at").maximum


def test_many_wanted_values_leave_some_rows_as_they_were_drawn():
    frame = made(Case.TYPICAL, n=list(range(1_000, 1_050)))

    assert frame["n"].between(0, 6).mean() > 0.3
    assert frame["n"].ge(1_000).mean() > 0.3


def test_two_columns_are_equal_in_some_rows_where_they_are_compared():
    frame = pd.DataFrame({"a": range(80), "b": np.arange(80) + 0.5, "day": pd.date_range("2024-01-01", periods=80)})

    equal = with_equal_values(frame, [("b", "a"), ("a", "day"), ("a", "none")], seed=3)

    assert 3 < (equal["a"] == equal["b"]).sum() < 30
    assert list(equal.dtypes) == list(frame.dtypes)
    pd.testing.assert_frame_equal(equal[["a", "day"]], frame[["a", "day"]])
