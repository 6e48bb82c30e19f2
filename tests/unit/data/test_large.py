"""A table of a million rows is profiled by a sample and full counts, as a small one of the same values would be."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from jupyter_mcpgen.data.large import MANY_ROWS
from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.model.profile import Kind, Profile, Role


@pytest.fixture(scope="module")
def large() -> Profile:
    """Profile a million rows with a rare value, gaps, prices in writing and two names that differ by case only."""
    place = np.arange(MANY_ROWS)
    region = pd.Series(np.array(["North", "South", "East"])[place % 3], dtype="str")
    region.iloc[7] = "Atlantis"
    region.iloc[:10:3] = None
    frame = pd.DataFrame(
        {
            "row": place,
            "amount": np.where(place == 777_777, -5.0, place % 1000 / 4),
            "region": region,
            "Region": pd.Series(np.array(["a", "b"])[place % 2], dtype="str"),
            "price": pd.Series([f"${number}.50" for number in range(2_000)] * (MANY_ROWS // 2_000), dtype="str"),
            "at": np.datetime64("2024-01-01", "us") + place * np.timedelta64(1, "s"),
        }
    )
    return profile("large", frame)


@pytest.mark.soak
def test_counts_and_ranges_are_those_of_all_rows(large: Profile) -> None:
    assert large.rows == MANY_ROWS
    assert large.column("region").nulls == 4
    assert (large.column("amount").minimum, large.column("amount").maximum) == (-5.0, 249.75)
    assert large.column("at").minimum == "2024-01-01T00:00:00"


def test_a_rare_value_is_known_where_there_are_few(large: Profile) -> None:
    region = large.column("region")

    assert set(region.values) == {"North", "South", "East", "Atlantis"}
    assert (region.complete, region.distinct) == (True, 4)
    assert large.column("Region").values == ("a", "b")


def test_the_roles_are_those_of_the_whole(large: Profile) -> None:
    roles = {column.name: column.role for column in large.columns}

    assert roles == {
        "row": Role.IDENTIFIER,
        "amount": Role.MEASURE,
        "region": Role.CATEGORY,
        "Region": Role.CATEGORY,
        "price": roles["price"],
        "at": Role.TIME,
    }
    assert large.column("price").kind is Kind.MONEY
    assert large.column("price").written[0].estimated
    assert large.column("row").distinct == MANY_ROWS
