"""What is inferred of columns from their names, types and values."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.nl.schema.additivity import Additivity
from jupyter_mcpgen.nl.schema.dates import DateRole
from jupyter_mcpgen.nl.schema.relations import Variant
from jupyter_mcpgen.plan.schema import ColumnType
from tests.unit.nl.schema.tables import schema

NUMBERS: list[object] = [3, 1, 4, 1, 5, 9, 2, 6]
REALS: list[object] = [3.5, 1.25, 4.5, 1.75, 5.5, 9.25, 2.5, 6.75]
DAYS: list[object] = list(pd.date_range("2024-03-01", periods=8))


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("takings_total", REALS, Additivity.ADDITIVE),
        ("number_of_crates", NUMBERS, Additivity.ADDITIVE),
        ("crates", NUMBERS, Additivity.ADDITIVE),
        ("qty", NUMBERS, Additivity.ADDITIVE),
        ("fare_usd", REALS, Additivity.ADDITIVE),
        ("crates shipped", REALS, Additivity.ADDITIVE),
        ("flour_kg", REALS, Additivity.ADDITIVE),
        ("staff_hours", REALS, Additivity.ADDITIVE),
        ("lead time (hours)", REALS, Additivity.UNTOLD),
        ("labour_min", REALS, Additivity.LEVEL),
        ("target flour (kg)", REALS, Additivity.ADDITIVE),
        ("weight_kg", REALS, Additivity.ADDITIVE),
        ("unit_cost", REALS, Additivity.LEVEL),
        ("member_age", NUMBERS, Additivity.LEVEL),
        ("fleet size", NUMBERS, Additivity.SEMI_ADDITIVE),
        ("running total", NUMBERS, Additivity.RUNNING),
        ("running distance (km)", REALS, Additivity.ADDITIVE),
        ("stock", NUMBERS, Additivity.SEMI_ADDITIVE),
        ("number of members", NUMBERS, Additivity.SEMI_ADDITIVE),
        ("new_members", NUMBERS, Additivity.ADDITIVE),
        ("crates per cart", REALS, Additivity.RATIO),
        ("vacancy_rate", REALS, Additivity.RATIO),
        ("sold %", REALS, Additivity.RATIO),
        ("average fare", REALS, Additivity.RATIO),
        ("flow (l/h)", REALS, Additivity.RATIO),
        ("water temperature", REALS, Additivity.LEVEL),
        ("unit_price", REALS, Additivity.LEVEL),
        ("murk", REALS, Additivity.UNTOLD),
        ("crates_ytd", NUMBERS, Additivity.RUNNING),
        ("cart_id", NUMBERS, Additivity.IDENTIFIER),
        ("zip_code", ["10115", "20095", "80331", "50667"] * 2, Additivity.CODE),
        ("year", [2019, 2020, 2021, 2022] * 2, Additivity.CODE),
        ("harbour", list("abcdefgh"), Additivity.NONE),
        ("landed", DAYS, Additivity.NONE),
        ("is_paid", [0, 1] * 4, Additivity.NONE),
    ],
)
def test_the_name_and_the_unit_of_a_column_say_whether_it_adds_up(
    name: str, values: list[object], expected: Additivity
) -> None:
    column = schema("carts", **{name: values}).columns[0]

    assert column.additivity is expected
    assert column.reason


def test_numbers_called_as_a_measure_are_none_that_number_the_rows() -> None:
    columns = schema("days", total_calls=list(range(1, 31)), call_no=list(range(1, 31))).columns

    assert [column.additivity for column in columns] == [Additivity.ADDITIVE, Additivity.IDENTIFIER]


def test_a_total_beside_what_is_new_runs_up() -> None:
    columns = schema("days", total_calls=[3, 7, 7, 12], new_calls=[3, 4, 0, 5]).columns

    assert [column.additivity for column in columns] == [Additivity.RUNNING, Additivity.ADDITIVE]


def test_texts_count_as_what_they_write() -> None:
    column = schema("carts", fare=["$1.50", "$2.75", "$3.00", "$4.10"] * 2).columns[0]

    assert (column.type, column.money, column.unit) == (ColumnType.REAL, True, "$")
    assert column.additivity is Additivity.ADDITIVE


def test_money_is_told_by_name_or_unit_but_a_share_of_it_is_none() -> None:
    table = schema("carts", fare=REALS, load__usd=REALS, fare_share=REALS, fare__kg=REALS, landed=DAYS)
    renamed = schema("carts", **{"fare (kg)": REALS})

    assert [column.money for column in table.columns[:3]] == [True, True, False]
    assert not renamed.columns[0].money


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("start_date", DateRole.START),
        ("closed", DateRole.END),
        ("created_at", DateRole.CREATED),
        ("due date", DateRole.DUE),
        ("planned start", DateRole.DUE),
        ("date_of_birth", DateRole.BIRTH),
        ("landing", DateRole.OTHER),
    ],
)
def test_the_name_of_a_date_says_what_happened(name: str, role: DateRole) -> None:
    assert schema("carts", **{name: DAYS}).columns[0].date_role is role


def test_a_start_and_an_end_called_alike_are_an_interval() -> None:
    later: list[object] = list(pd.date_range("2024-04-01", periods=8))

    table = schema("carts", lease_start=DAYS, repair_start=DAYS, lease_end=later, landed=DAYS)

    assert [(one.start, one.end) for one in table.intervals] == [("lease_start", "lease_end")]


def test_dates_with_opposite_names_are_an_interval() -> None:
    later: list[object] = list(pd.date_range("2024-04-01", periods=8))

    table = schema("stays", check_in=DAYS, check_out=later)

    assert [(one.start, one.end) for one in table.intervals] == [("check_in", "check_out")]


def test_a_start_after_the_end_is_no_interval() -> None:
    later: list[object] = list(pd.date_range("2025-04-01", periods=8))

    assert not schema("carts", opened=later, closed=DAYS).intervals
    assert schema("carts", opened=DAYS, closed=later).intervals


@pytest.mark.parametrize(
    ("name", "values", "yes", "no", "words", "denied"),
    [
        ("is_paid", [True, False] * 4, True, False, ("paid",), False),
        ("paid_flag", [0, 1] * 4, 1, 0, ("paid",), False),
        ("not_paid", ["yes", "no"] * 4, True, False, ("paid",), True),
        ("ticket", ["season", "non-season"] * 4, None, None, ("ticket",), False),
    ],
)
def test_yes_holds_for_the_words_of_the_header(
    name: str, values: list[object], yes: object, no: object, words: tuple[str, ...], denied: bool
) -> None:
    truth = schema("carts", **{name: values}).columns[0].truth

    assert truth is not None
    assert (truth.words, truth.denied) == (words, denied)
    if yes is not None:
        assert (truth.yes, truth.no) == (yes, no)


def test_whole_numbers_in_the_range_of_years_are_years_where_the_name_says_an_event() -> None:
    numbers: list[object] = [1901, 1950, 1988, 2004]

    table = schema("boats", founded=numbers, orders=numbers, year=numbers)

    assert [column.date_role for column in table.columns] == [DateRole.START, None, DateRole.OTHER]
    assert [column.additivity for column in table.columns] == [Additivity.CODE, Additivity.ADDITIVE, Additivity.CODE]


def test_two_counts_are_no_truth() -> None:
    table = schema("carts", number_of_wheels=[0, 1] * 4, dents=[0, 1] * 4)

    assert [column.truth for column in table.columns] == [None, None]


def test_opposite_words_make_two_sides() -> None:
    table = schema("trips", from_pier=list("abcd"), to_pier=list("bcda"), home_load=NUMBERS[:4], away_load=NUMBERS[:4])

    assert [(one.first, one.second) for one in table.sides] == [("from_pier", "to_pier"), ("home_load", "away_load")]


def test_the_plain_column_of_a_measure_is_known_from_its_variants() -> None:
    table = schema("trips", target_load=NUMBERS, load=NUMBERS, average_load=REALS, crew=NUMBERS)
    actual = schema("trips", actual_load=NUMBERS, planned_load=NUMBERS)

    unnamed = schema("trips", actual=NUMBERS, budget=NUMBERS)

    assert unnamed.variants[0].plain == "actual"
    (load,) = table.variants
    assert (load.plain, load.others) == ("load", (Variant("target_load", "target"), Variant("average_load", "average")))
    assert actual.variants[0].plain == "actual_load"


def test_a_scale_keeps_its_order() -> None:
    assert schema("carts", risk=["high", "low", "medium", "low"] * 2).columns[0].order == ("low", "medium", "high")


def test_the_schema_of_a_table_is_inferred_once() -> None:
    table = schema("carts", load=NUMBERS)

    assert table.column("load") is table.columns[0]
    assert table.column_index is table.column_index
