"""A question about a CSV file of ten million rows, first and again: beside the same query written for polars.

`python -m benchmarks.large TABLE REGISTRY` answers each line of input and prints a line when SQL has given the result,
and one with the memory that was used, in MB, when the second computation has checked it.
`python -m benchmarks.large TABLE` runs the query in polars for each line instead.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.measure import Row, Times
from benchmarks.place import Place

MANY = 10_000_000
REPEATS = 3
QUESTIONS = ("total amount by region", "average amount by region")
_TABLE = """
COPY (
    SELECT i AS order_no,
        DATE '2019-01-01' + CAST(hash(i) % 2000 AS INT) AS day,
        ['North', 'South', 'East', 'West', 'Centre'][1 + CAST(hash(i + 1) % 5 AS INT)] AS region,
        'K' || lpad(CAST(hash(i + 2) % 250000 AS VARCHAR), 6, '0') AS customer,
        1 + hash(i + 3) % 9 AS pieces,
        round((hash(i + 4) % 1000000) / 100.0, 2) AS amount,
        CASE WHEN hash(i + 5) % 50 = 0 THEN NULL ELSE hash(i + 6) % 100 END AS age
    FROM range({rows}) rows(i)
) TO '{path}' (HEADER)
"""


def rows(place: Place) -> Iterator[Row]:
    """Measure the first question about a file and the second one, each to the result and until it is checked."""
    table = place.folder / "orders.csv"
    made(table)
    ours: list[list[float]] = [[], [], [], []]
    used: list[int] = []
    polars: list[float] = []
    for _ in range(REPEATS):
        place_of_its_own = replace(place, folder=place.new_folder("first"))
        with place_of_its_own.kept("-m", "benchmarks.large", str(table), str(place.new_folder("registry"))) as said:
            said("", 1)
            for number, question in enumerate(QUESTIONS):
                (_, result), (megabytes, checked) = said(question, 2)
                ours[2 * number].append(result)
                ours[2 * number + 1].append(checked)
            used.append(int(megabytes))
        with place.kept("-m", "benchmarks.large", str(table)) as said:
            said("", 1)
            polars.append(said("query", 1)[0][1])
    reference = Times(tuple(polars))
    size = f"{table.stat().st_size / 1_000_000:.0f} MB"
    told = (
        f"first question about a CSV of 10,000,000 rows ({size}) → result",
        f"the same → checked, {statistics.median(used)} MB used",
        "second question about it → result",
        "the same → checked",
    )
    for what, times in zip(told, ours, strict=True):
        yield Row(what, Times(tuple(times)), "the query in polars", reference)


def made(table: Path, count: int = MANY) -> None:
    """Write the table."""
    import duckdb  # deferred, as below: a process that is measured imports what it needs

    duckdb.sql(_TABLE.format(rows=count, path=table))


def _answer(table: str, registry: str) -> None:
    from jupyter_mcpgen.model.event import Event, ResultFound
    from jupyter_mcpgen.runtime import build
    from jupyter_mcpgen.settings import load_settings

    def tell(event: Event) -> None:
        if isinstance(event, ResultFound):
            print("result", flush=True)

    runtime = build(load_settings(overrides={"registry.path": registry}).values)
    runtime.listeners.append(tell)
    held = []  # as a notebook holds its answers
    sys.stdin.readline()
    print("ready", flush=True)
    for line in sys.stdin:
        held.append(runtime.compute(line.strip(), runtime.reference(table)))
        print(_peak_mb(), flush=True)


def _peak_mb() -> int:
    """Return the most memory that this program had; `getrusage` counts that of the process that forked it as well."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) // 1024


def _query(table: str) -> None:
    import polars

    sys.stdin.readline()
    print("ready", flush=True)
    for _ in sys.stdin:
        query = polars.scan_csv(table).group_by("region").agg(polars.col("amount").sum())
        query.sort("amount", descending=True).collect(engine="streaming")
        print("result", flush=True)


if __name__ == "__main__":
    (_answer if len(sys.argv) > 2 else _query)(*sys.argv[1:])
