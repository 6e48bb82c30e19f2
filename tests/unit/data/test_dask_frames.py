"""The rows of a Dask frame come in order, are computed once, and no further than a run may hold."""

from __future__ import annotations

from collections.abc import Callable

import dask
import dask.dataframe as dd
import pandas as pd
import pytest

from jupyter_mcpgen.data.dask_frames import dask_as_pandas
from jupyter_mcpgen.data.lazy_frames import USUAL, Most
from jupyter_mcpgen.errors import LazyTooLarge, NotComputed, QuestionStopped

ROWS = pd.DataFrame(
    {
        "ward": pd.Categorical(list("abac") * 6),
        "beds": [float(n) if n % 5 else None for n in range(24)],
        "day": pd.date_range("2026-01-01", periods=24),
        "note": [f"n{n}" if n % 3 else None for n in range(24)],
    }
)
PARTITIONS = 8
PLAIN = {"note": "str"}
"""Dask has texts in a type of its own."""


def lazily(look: Callable[[pd.DataFrame], pd.DataFrame]) -> dd.DataFrame:
    """Return the rows as a Dask frame of which each partition is looked at when it is computed."""
    frame = dd.from_pandas(ROWS, npartitions=PARTITIONS)
    return frame.map_partitions(look, meta=frame._meta)


def taken(frame: object, most: Most = USUAL, go_on: Callable[[], None] = lambda: None) -> pd.DataFrame:
    """Return the rows of a frame called `wards`, computed one partition after the other."""
    with dask.config.set(scheduler="synchronous"):
        return dask_as_pandas("wards", frame, most, go_on)


@pytest.mark.parametrize("scheduler", ["synchronous", "threads"])
def test_rows_come_in_the_order_of_their_partitions_and_are_computed_once(scheduler: str) -> None:
    lengths: list[int] = []

    def look(part: pd.DataFrame) -> pd.DataFrame:
        lengths.append(len(part))
        return part

    frame = lazily(look)
    with dask.config.set(scheduler=scheduler):
        rows = dask_as_pandas("wards", frame, USUAL, lambda: None)

    pd.testing.assert_frame_equal(rows.astype(PLAIN), ROWS)
    assert lengths == [3] * PARTITIONS


@pytest.mark.soak
def test_categories_that_only_some_partitions_have_are_kept() -> None:
    halves = [ROWS.iloc[:12].assign(ward=pd.Categorical(["a"] * 12)), ROWS.iloc[12:]]

    rows = taken(dd.concat([dd.from_pandas(half, npartitions=1) for half in halves]))

    assert list(rows["ward"]) == ["a"] * 12 + list("abac") * 3


def test_an_index_that_only_counts_rows_is_left_out_and_any_other_is_kept() -> None:
    in_each = dd.from_pandas(ROWS, npartitions=4).map_partitions(lambda part: part.reset_index(drop=True))
    named = dd.from_pandas(ROWS.set_index("day"), npartitions=4)
    chosen = dd.from_pandas(ROWS, npartitions=4).query("beds > 20")

    assert taken(in_each).index.equals(pd.RangeIndex(24))
    pd.testing.assert_frame_equal(taken(named).astype(PLAIN), ROWS.set_index("day"), check_freq=False)
    assert list(taken(chosen).index) == [21, 22, 23]


def test_a_column_is_a_table_of_one_column() -> None:
    frame = dd.from_pandas(ROWS, npartitions=2)

    assert list(taken(frame["beds"]).columns) == ["beds"]
    assert list(taken(frame["beds"].rename(None)).columns) == ["wards"]


def test_a_frame_without_rows_keeps_its_columns_and_types() -> None:
    rows = taken(dd.from_pandas(ROWS.head(0), npartitions=1))

    pd.testing.assert_frame_equal(rows.astype(PLAIN), ROWS.head(0), check_index_type=False)


@pytest.mark.parametrize("most", [Most(rows=10, bytes=USUAL.bytes), Most(rows=USUAL.rows, bytes=800)])
def test_a_frame_that_becomes_too_large_is_given_up_before_all_of_it_is_computed(most: Most) -> None:
    computed: list[int] = []

    def look(part: pd.DataFrame) -> pd.DataFrame:
        computed.append(len(part))
        return part

    with pytest.raises(
        LazyTooLarge, match=r"`wards` is too large .* after \d+ rows of [\d,]+ bytes .* Filter or group"
    ):
        taken(lazily(look), most)

    assert sum(computed) > 3
    assert len(computed) < PARTITIONS


def test_rows_that_are_there_already_are_counted_too() -> None:
    with dask.config.set(scheduler="synchronous"):
        there = dd.from_pandas(ROWS, npartitions=PARTITIONS).persist()

    with pytest.raises(LazyTooLarge, match="the limits are 10 rows"):
        taken(there, Most(rows=10, bytes=USUAL.bytes))


def test_a_question_that_was_stopped_computes_no_further() -> None:
    computed: list[int] = []

    def look(part: pd.DataFrame) -> pd.DataFrame:
        computed.append(len(part))
        return part

    def go_on() -> None:
        if len(computed) == 2:
            raise QuestionStopped

    with pytest.raises(QuestionStopped):
        taken(lazily(look), go_on=go_on)

    assert len(computed) == 2


def test_a_computation_that_fails_is_one_plain_sentence() -> None:
    def look(part: pd.DataFrame) -> pd.DataFrame:
        raise ZeroDivisionError("no beds\n  in this ward.")

    with pytest.raises(NotComputed) as caught:
        taken(lazily(look))

    assert str(caught.value) == (
        "`wards` could not be computed by Dask: ZeroDivisionError: no beds in this ward. "
        "See where it fails with `wards.compute()`, and ask again."
    )


def test_partitions_of_another_type_than_dask_was_told_keep_their_values() -> None:
    frame = dd.from_pandas(pd.DataFrame({"n": [1, 2, 3, 4]}), npartitions=2)
    told_wrong = frame.map_partitions(lambda part: part.assign(n=part["n"] + 0.5), meta=frame._meta)

    rows = taken(told_wrong)

    assert list(rows["n"]) == [1.5, 2.5, 3.5, 4.5]
