"""Numbers and texts are taken for moments and durations where their column is called so, and nowhere else."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.model.profile import Role
from jupyter_mcpgen.plan.moments import Clock, ClockWriting, CountedUnit, CountedWriting, DigitsWriting, ZonedWriting
from jupyter_mcpgen.plan.writings import Writing


def written(name: str, values: list[object]) -> list[Writing]:
    column = profile("t", pd.DataFrame({name: values})).column(name)
    return [way.writing for way in column.written]


@pytest.mark.parametrize(
    ("name", "values", "writing"),
    [
        ("created_at", [1_704_243_600, 1_704_333_600], CountedWriting(unit=CountedUnit.SECONDS)),
        ("ts", [1_704_243_600.5, None], CountedWriting(unit=CountedUnit.SECONDS)),
        ("eventTime", [1_704_243_600_000, 1_704_333_600_123], CountedWriting(unit=CountedUnit.MILLISECONDS)),
        ("created_at", [1_704_243_600_123_456, 1_704_333_600_123_456], CountedWriting(unit=CountedUnit.MICROSECONDS)),
        ("event_time_unix_ms", [1_704_243_600_000, 1_704_333_600_123], CountedWriting(unit=CountedUnit.MILLISECONDS)),
        ("time_of_call", [1_704_243_600, 1_704_333_600], CountedWriting(unit=CountedUnit.SECONDS)),
        ("order_date", [45_292, 45_300.5, 45_310], CountedWriting(unit=CountedUnit.SPREADSHEET_DAYS)),
        ("order_date", [1_142_018, 10_142_018, 12_302_017], DigitsWriting(format="%m%d%Y")),
        ("order_date", [20240131, 20240201, 0, 20240203, 20240204], DigitsWriting()),
    ],
)
def test_numbers_are_moments_in_a_column_that_is_called_so(name: str, values: list[object], writing: Writing) -> None:
    assert written(name, values) == [writing]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("amount", [1_704_243_600, 1_704_333_600]),
        ("opened", [45_292, 45_300]),
        ("date", [45_292, 72_000]),
        ("amount", [10_142_018, 12_302_017]),
        ("ts_id", [1_704_243_600, 1_704_333_600]),
        ("updated_by", [1_704_243_600, 1_704_333_600]),
        ("day_rate", [1_704_243_600, 1_704_333_600]),
        ("units_on_hand", [1_704_243_600, 1_704_333_600]),
        ("epochs", [1_704_243_600, 1_704_333_600]),
        ("time", [12, 1_704_333_600]),
        ("date", [20240131, 20240230]),
        ("date", [20240131, 5]),
    ],
)
def test_other_numbers_stay_numbers(name: str, values: list[object]) -> None:
    assert written(name, values) == []


def test_digits_that_may_be_dates_in_two_orders_are_read_in_both() -> None:
    assert written("date", [1_022_018, 3_042_018]) == [DigitsWriting(format=one) for one in ("%d%m%Y", "%m%d%Y")]


def test_a_number_that_counts_moments_is_nothing_to_compute_with() -> None:
    frame = pd.DataFrame({"ts": [1_704_243_600, 1_704_333_600]})

    assert profile("t", frame).column("ts").role is Role.IDENTIFIER


@pytest.mark.parametrize(
    ("words", "clocks"),
    [
        (["2024-01-31T18:30:00+02:00", "2024-02-01T18:30:00+02:00"], [Clock.WRITTEN]),
        (["2024-01-31T18:30:00Z", "2024-02-01 18:30"], [Clock.WRITTEN]),
        (["2024-01-31 18:30 CET", "2024-07-01 18:30 CEST"], [Clock.WRITTEN]),
        (["2024-01-31T18:30:00+02:00", "2024-02-01T18:30:00+01:00"], [Clock.WRITTEN, Clock.UTC]),
        (["2024-01-31 18:30 CET", "2024-07-01 18:30 EST"], []),
    ],
)
def test_moments_with_zones_are_read_in_the_ways_that_nobody_can_tell_apart(
    words: list[object], clocks: list[Clock]
) -> None:
    assert written("at", words) == [ZonedWriting(clock=clock) for clock in clocks]


@pytest.mark.parametrize(
    ("name", "words", "parts"),
    [
        ("duration", ["1:30:05", "0:45:00"], ["h:mm:ss"]),
        ("duration", ["1:30", "0:45"], ["h:mm", "m:ss"]),
        ("duration_min", ["1:30", "0:45"], ["m:ss"]),
        ("departure", ["8:30", "9:45"], []),
    ],
)
def test_clocks_are_durations_in_a_column_that_is_called_so(name: str, words: list[object], parts: list[str]) -> None:
    assert written(name, words) == [ClockWriting.model_validate({"parts": one}) for one in parts]
