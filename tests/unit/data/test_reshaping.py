"""Which tables say something in the names of their columns or in lists, and what is known of the rows made of that."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.data.reshaping import wide_columns
from jupyter_mcpgen.model.profile import Reshaped, Role
from jupyter_mcpgen.plan.reshaping import Members
from tests.plans import schema_of


def only(table: pd.DataFrame) -> Reshaped:
    (form,) = profile("table", table).reshaped
    return form


def test_columns_of_years_are_one_column_of_years_and_one_of_values() -> None:
    form = only(pd.DataFrame({"region": ["a", "b"], "2019": [1.5, 2], "2020": [2, None], "2021": [3, 4]}))

    assert form.profile.schema_ == schema_of({"region": "text", "year": "integer", "value": "real"})
    assert form.profile.rows == 6
    assert form.profile.column("year").values == (2019, 2020, 2021)
    assert form.profile.column("year").role is Role.CATEGORY
    assert (form.profile.column("value").nulls, form.profile.column("value").maximum) == (1, 4.0)
    assert form.reason == "`2019` to `2021` are called by years, so a row has a value for each year."


def test_months_keep_the_order_of_the_calendar() -> None:
    form = only(pd.DataFrame({"Apr": [1, 2], "Feb": [1, 2], "Mar": [3, 4]}))

    assert form.profile.column("month").order[:4] == ("Jan", "Feb", "Mar", "Apr")


@pytest.mark.parametrize(
    ("types", "made"),
    [
        ({"2021 units": "integer", "2022 units": "integer", "2023 units": "real"}, [("year", "units")]),
        ({"year": "text", "value": "text", "2021": "real", "2022": "real", "2023": "real"}, [("year_", "value_")]),
        ({"FY2021": "real", "FY2022": "real", "FY2023": "real"}, [("year", "value")]),
        ({"2021": "real", "2022": "text", "2023": "real"}, []),
        ({"2021": "real", "2022": "real"}, []),
    ],
)
def test_columns_are_called_by_what_their_names_say(types: dict[str, str], made: list[tuple[str, str]]) -> None:
    assert [step.made for step in wide_columns(schema_of(types))] == made


def test_cells_with_several_members_are_lists() -> None:
    form = only(pd.DataFrame({"age": [1, 2, 3, 4, 5], "tools": ["R; SQL", "R", "SQL;Python;R", None, "Python; R"]}))

    assert isinstance(form.step, Members)
    assert form.step.separator == ";"
    assert form.profile.column("tools").values == ("R", "Python", "SQL")
    assert form.profile.rows == 8


def test_lists_of_a_frame_are_lists() -> None:
    form = only(pd.DataFrame({"tools": [["R", "SQL"], ["R"], [], ["SQL"]]}))

    assert isinstance(form.step, Members)
    assert form.step.separator is None
    assert form.profile.column("tools").values == ("R", "SQL")


@pytest.mark.parametrize(
    "cells",
    [
        ["Paris, France", "Lyon, France", "Rome, Italy", "Bonn, Germany"],
        ["Red, Large", "Red, Small", "Blue, Large", "Blue, Small"],
        ["yes", "no", "yes", "no"],
        ["1,234", "2,500", "900", "12,000"],
        ["I like it, mostly.", "Good, but slow", "Too slow; I left, twice", "fine"],
    ],
)
def test_texts_with_commas_are_no_lists(cells: list[str]) -> None:
    assert profile("table", pd.DataFrame({"answer": cells})).reshaped == ()


@pytest.mark.soak
def test_of_very_many_cells_a_sample_tells_what_they_are_and_the_columns_their_ends() -> None:
    years = pd.DataFrame({str(year): range(year, year + 150_000) for year in (2019, 2020, 2021)})

    value = only(years).profile.column("value")

    assert (value.minimum, value.maximum, value.complete) == (2019, 152_020, False)
