"""What a person says of numbers and dates settles what would be asked; what contradicts the cells is refused."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.errors import DataError
from jupyter_mcpgen.model.request import ReadOptions
from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.number_writing import NumberWriting


def writings(words: list[str | None], said: ReadOptions) -> list[DateWriting | NumberWriting]:
    """Return the ways in which a column of a table is read."""
    table = profile("t", pd.DataFrame({"value": pd.Series(words, dtype="str")}), said=said)
    return [one.writing for one in table.columns[0].written if isinstance(one.writing, DateWriting | NumberWriting)]


def marks(words: list[str | None], **said: str) -> list[tuple[str, str]]:
    found = writings(words, ReadOptions.of(said))
    return [(one.decimal, one.thousands) for one in found if isinstance(one, NumberWriting)]


def formats(words: list[str | None], dates: str | None) -> list[str]:
    return [one.format for one in writings(words, ReadOptions(dates=dates)) if isinstance(one, DateWriting)]


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ({}, [(".", ","), (",", ".")]),
        ({"decimal": ","}, [(",", ".")]),
        ({"decimal": "."}, [(".", ",")]),
        ({"thousands": "."}, [(",", ".")]),
        ({"thousands": ","}, [(".", ",")]),
    ],
)
def test_a_mark_that_is_said_settles_which_number_is_meant(said: dict[str, str], read: list[tuple[str, str]]) -> None:
    assert marks(["1.234 €", "2.500 €"], **said) == read


@pytest.mark.parametrize(
    ("words", "said", "refused"),
    [
        (["1.234 €", None, "2,5 €"], {"decimal": "."}, r"`--decimal \.` does not hold for `value`: row 3 is `2,5 €`"),
        (["$1,234.5", "$2.5"], {"decimal": ","}, r"`--decimal ,` does not hold for `value`: row 1 is `\$1,234\.5`"),
        (["1 234,5", "1,5"], {"thousands": "'"}, r"`--thousands '` does not hold for `value`: row 1 is `1 234,5`"),
    ],
)
def test_a_mark_that_the_cells_contradict_is_refused_with_the_first_row(
    words: list[str | None], said: dict[str, str], refused: str
) -> None:
    with pytest.raises(DataError, match=refused):
        marks(words, **said)


def test_an_order_of_days_that_is_said_settles_which_date_is_meant() -> None:
    words: list[str | None] = ["03/04/2024", "05/06/2024"]

    assert formats(words, None) == ["%d/%m/%Y", "%m/%d/%Y"]
    assert formats(words, "day first") == ["%d/%m/%Y"]
    assert formats(words, "month first") == ["%m/%d/%Y"]
    assert formats(words, "%m/%d/%Y") == ["%m/%d/%Y"]
    assert formats(["3 May 2024", "4 May 2024"], "month first") == ["%d %B %Y"]


@pytest.mark.parametrize(
    ("dates", "refused"),
    [
        ("day first", "`--dates day first` does not hold for `value`: row 3 is `03/25/2024`"),
        ("%d.%m.%Y", r"`--dates %d\.%m\.%Y` does not hold for `value`: row 1 is `03/04/2024`"),
    ],
)
def test_an_order_of_days_that_the_cells_contradict_is_refused_with_the_first_row(dates: str, refused: str) -> None:
    with pytest.raises(DataError, match=refused):
        formats(["03/04/2024", None, "03/25/2024"], dates)


def test_a_format_that_no_column_has_is_refused() -> None:
    with pytest.raises(DataError, match="No column of `t` has dates such as `%d/%m/%Y` writes them"):
        formats(["red", "green"], "%d/%m/%Y")


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ({"decimal": ",", "thousands": ","}, "cannot stand before decimals and between thousands"),
        ({"dates": "someday"}, "`someday` is no format of dates"),
    ],
)
def test_what_no_text_can_be_read_by_is_refused(said: dict[str, str], refused: str) -> None:
    with pytest.raises(DataError, match=refused):
        ReadOptions.of(said).require_usable()
