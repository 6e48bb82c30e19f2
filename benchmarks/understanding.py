"""What understanding a question takes on a table of 10,000 rows, beside one group-by of the same table in pandas.

The bound: 20 ms for the median question, 100 ms for 95 of 100. Milliseconds of processor time, so that other work on
the machine does not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd

from benchmarks.measure import Row, Times
from benchmarks.place import Place
from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.understand import understand

MANY = 10_000
QUESTIONS = (
    "total revenue by region",
    "average units by product in 2023",
    "which region has the highest revenue",
    "top 3 products by revenue where units is above 5",
    "share of revenue by channel",
    "running total of revenue by month",
    "I would like to know, if that is possible, the total revenue by region and product for those rows whose units "
    "are at least 3, sorted by revenue in descending order, please, so that the people who have not seen the data "
    "before can see at once which regions and which products matter most for us and which of them we may leave out "
    "of the report that we are about to write for next month",
)


def table(rows: int = MANY) -> pd.DataFrame:
    """Make a table of sales with few and many values, amounts and days."""
    random = np.random.default_rng(7)
    return pd.DataFrame(
        {
            "date": np.datetime64("2022-01-01", "us") + random.integers(0, 730, rows) * np.timedelta64(1, "D"),
            "region": random.choice(["North", "South", "East", "West"], rows),
            "product": random.choice([f"Product {number}" for number in range(40)], rows),
            "channel": random.choice(["online", "store"], rows),
            "units": random.integers(1, 50, rows),
            "revenue": random.random(rows) * 1_000,
        }
    )


def rows(place: Place) -> Iterator[Row]:
    """Give the median and the slowest twentieth of the questions beside the group-by."""
    frame = table()
    known = profile("sales", frame)
    understand(QUESTIONS[0], known)  # the indexes of the table are made once
    works = [partial(understand, question, known) for question in QUESTIONS for _ in range(5)]
    taken = sorted(_spent(work) for work in works)
    reference = Times(tuple(_spent(lambda: frame.groupby("region")["revenue"].sum()) for _ in range(20)))
    for name, place_ in (("median", len(taken) // 2), ("95 of 100", int(len(taken) * 0.95))):
        yield Row(f"a question understood, {name}", Times((taken[place_],)), "pandas group-by, 10,000 rows", reference)


def _spent(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return (time.process_time() - begin) * 1000
