"""What a generated tool checks of two tables before it makes one of them."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.toolkit.pairs import allow_missing, validate_columns_of_both, validate_keys, validate_sums_of_both

LOANS = pd.DataFrame({"member": [1, 2, 2], "days": [3, 4, 5]})
DAYS = pd.Series(pd.date_range("2031-05-01", periods=3))
MEMBERS = pd.DataFrame({"id": [1, 2], "days": [7, 8], "town": ["Lund", "Ystad"]})


def test_whole_numbers_and_truths_stay_what_they_are_where_a_row_has_no_match() -> None:
    table = allow_missing(pd.DataFrame({"n": [2**60 + 1, 3], "ok": [True, False], "x": [0.5, 1.0], "t": ["a", "b"]}))

    joined = pd.DataFrame({"n": [2**60 + 1, 4]}).merge(table, how="left", on="n")

    assert {name: str(kind) for name, kind in table.dtypes.items()} == {
        "n": "Int64",
        "ok": "boolean",
        "x": "float64",
        "t": "str",
    }
    assert joined["n"].tolist() == [2**60 + 1, 4]
    assert joined["ok"].tolist() == [True, pd.NA]


def test_keys_that_can_be_equal_and_are_there_once_pass() -> None:
    validate_keys(LOANS, MEMBERS, {"member": "id"}, once_in_second=True)


@pytest.mark.parametrize(
    ("tables", "options", "words"),
    [
        ((LOANS, MEMBERS.assign(id=["1", "2"])), {}, "`member` holds numbers and `id` of the second table text"),
        (
            (LOANS, MEMBERS.assign(id=[2, 2])),
            {"once_in_second": True},
            r"`id` names several rows of the second table \(2\), so rows of the first table would count several times",
        ),
        (
            (LOANS, MEMBERS),
            {"once_in_first": True},
            r"`member` names several rows of the first table \(2\)",
        ),
        (
            (LOANS.assign(member=DAYS), MEMBERS.assign(id=DAYS[:2].dt.tz_localize("UTC"))),
            {},
            "`member` holds dates and `id` of the second table dates with a time zone",
        ),
        (
            (LOANS.assign(member=[2**53 + 1, 2, 3]), MEMBERS.assign(id=[2.0**53, None])),
            {},
            r"`member` of the first table has whole numbers beyond 2\^53, and `id` of the other one has numbers",
        ),
    ],
)
def test_keys_that_cannot_work_are_named_with_the_reason(
    tables: tuple[pd.DataFrame, pd.DataFrame], options: dict[str, bool], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        validate_keys(*tables, {"member": "id"}, **options)


def test_whole_numbers_that_real_ones_hold_exactly_are_compared_with_them() -> None:
    validate_keys(LOANS.assign(member=[2**53, 2, 3]), MEMBERS.assign(id=[2.0**53, None]), {"member": "id"})


def test_rows_of_the_second_table_without_a_key_are_not_repeated_keys() -> None:
    members = pd.DataFrame({"id": [1.0, None, None]})

    validate_keys(LOANS, members, {"member": "id"}, once_in_second=True)


def test_a_key_without_any_value_can_have_any_type() -> None:
    validate_keys(LOANS.assign(member=float("nan")), MEMBERS.assign(id=["a", "b"]), {"member": "id"})


def test_a_column_of_neither_table_is_named_with_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"no column `twon` \(did you mean `town`\?\).*`days_members`"):
        validate_columns_of_both(LOANS, MEMBERS, ["member", "twon"], suffix="_members")


def test_columns_of_both_tables_pass_with_the_suffix_that_tells_them_apart() -> None:
    validate_columns_of_both(LOANS, MEMBERS, ["days", "days_members", "town"], suffix="_members")


@pytest.mark.parametrize(
    ("first", "second", "column"),
    [([2**62, 2**62], [1], "n"), ([2**62], [2**62], "n"), ([1], [2**62, 2**62], "n_other")],
)
def test_a_sum_beyond_64_bits_is_refused_in_either_table(first: list[int], second: list[int], column: str) -> None:
    tables = pd.DataFrame({"n": first}), pd.DataFrame({"n": second})

    with pytest.raises(ValueError, match="cannot be added up exactly"):
        validate_sums_of_both(*tables, [column], suffix="_other")
