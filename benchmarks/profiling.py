"""What is known of a table before a question is read, on ten million rows: beside one pass over the same table.

The bound: one second and 200 MB beyond the table itself.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator

import duckdb
import numpy as np
import pandas as pd
import psutil

from benchmarks.measure import Row, elapsed, in_turns
from benchmarks.place import Place
from jupyter_mcpgen.data.profile import profile

MANY = 10_000_000
REPEATS = 3
BOUND_MS = 1_000.0
BOUND_BYTES = 200_000_000


def table(rows: int = MANY) -> pd.DataFrame:
    """Make a table of eight columns: numbers, words, countries, prices in writing, moments, and seconds that count."""
    random = np.random.default_rng(7)
    words = np.array(["North", "South", "East", "West"])
    countries = np.array(["Kenya", "Norway", "Peru", "Japan", "Malta"])
    prices = np.array([f"${whole:,}.50" for whole in range(2_000)])
    return pd.DataFrame(
        {
            "order": np.arange(rows),
            "amount": random.random(rows) * 1_000,
            "units": random.integers(0, 50, rows),
            "region": pd.Series(words[random.integers(0, len(words), rows)], dtype="str"),
            "price": pd.Series(prices[random.integers(0, len(prices), rows)], dtype="str"),
            "ts": 1_700_000_000 + random.integers(0, 10**8, rows),
            "origin": pd.Series(countries[random.integers(0, len(countries), rows)], dtype="str"),
            "at": np.datetime64("2020-01-01", "us") + random.integers(0, 10**8, rows) * np.timedelta64(1, "s"),
        }
    )


def rows(place: Place) -> Iterator[Row]:
    """Give the profile of the table beside counting the values of each of its columns."""
    frame = table()
    used = extra_bytes(frame) / 1_000_000  # before anything is kept from an earlier time
    ours, reference = in_turns(
        (lambda: elapsed(lambda: profile("orders", frame)), lambda: elapsed(lambda: _counts(frame))), REPEATS
    )
    yield Row(
        f"profile of 10,000,000 rows of 8 columns, {used:.0f} MB more",
        ours,
        "`count` of each column in DuckDB",
        reference,
    )


def extra_bytes(frame: pd.DataFrame) -> int:
    """Return how much more memory the process has at most while it profiles a table."""
    process, over, most = psutil.Process(), threading.Event(), [0]
    before = process.memory_info().rss

    def watch() -> None:
        while not over.wait(0.002):
            most[0] = max(most[0], process.memory_info().rss)

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        profile("orders", frame)
    finally:
        over.set()
        watching.join()
    return max(0, most[0] - before)


def _counts(frame: pd.DataFrame) -> None:
    connection = duckdb.connect(config={"threads": "2"})
    try:
        connection.register("orders", frame)
        counts = ", ".join(f'count("{name}")' for name in frame.columns)
        connection.execute(f"SELECT {counts} FROM orders").fetchone()  # noqa: S608  our own names
    finally:
        connection.close()
