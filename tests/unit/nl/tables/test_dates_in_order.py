"""Which of several dates of a row comes first, told by the rows."""

from __future__ import annotations

import datetime as dt

import pandas as pd

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.tables.dates_in_order import first_date, follows, usual_time

DAYS = pd.date_range("2024-01-01", periods=12, freq="9D")


def _context(**columns: object) -> Context:
    return context_of(profile("hires", pd.DataFrame(columns)), "en")


def test_a_date_that_all_others_follow_comes_first() -> None:
    context = _context(back=DAYS + pd.Timedelta(days=3), out=DAYS)

    assert first_date(("back", "out"), context) == "out"
    assert usual_time("out", "back", context) == dt.timedelta(days=3)


def test_no_date_comes_first_where_the_rows_say_so_now_and_then() -> None:
    days = [day + pd.Timedelta(days=5 if place % 2 else -5) for place, day in enumerate(DAYS)]
    context = _context(one=DAYS, other=days)

    assert not follows("other", "one", context)
    assert first_date(("one", "other"), context) is None


def test_a_date_that_some_rows_lack_is_not_the_first() -> None:
    context = _context(out=[None, *DAYS[1:]], back=DAYS + pd.Timedelta(days=3))

    assert first_date(("out", "back"), context) is None


def test_when_somebody_joined_is_no_date_of_their_rows() -> None:
    joined = [DAYS[0] - pd.Timedelta(days=20 + place % 3) for place in range(len(DAYS))]
    context = _context(member=[f"m{place % 3}" for place in range(len(DAYS))], joined=joined, out=DAYS)

    assert first_date(("joined", "out"), context) is None


def test_a_birth_is_no_date_of_a_row() -> None:
    births = [day - pd.Timedelta(days=9_000 + 7 * place) for place, day in enumerate(DAYS)]
    context = _context(dob=births, out=DAYS)

    assert first_date(("dob", "out"), context) is None
