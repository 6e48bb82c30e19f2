"""What fuel analysis and error guidance add to an execution, beside the shortest execution they can follow.

The bound (ruling R44): the median is below one per cent of the run or 2 ms, whichever is larger; 10 ms is a failure.
`python -m benchmarks.guidance` prints one JSON object. Milliseconds: of processor time for the analyzes, so that other
work on the machine does not count, and of the clock for the run.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from benchmarks.measure import Row, Times
from benchmarks.place import Place
from jupyter_mcpgen.sandbox.fuel.analysis import analyze_fuel
from jupyter_mcpgen.sandbox.guidance.guide import guide
from jupyter_mcpgen.sandbox.guidance.rules.ending import Bounds, Ending
from jupyter_mcpgen.sandbox.job import Outcome

REPEATS = 200
FAILURE_MS = 10.0
CODE = """\
import openpyxl
import pandas as pd

df = pd.read_csv("orders.csv")
totals = df.groupby("country")["total_prise"].sum()
print(totals.sort_values(ascending=False).head(10))
"""
TRACEBACK = """\
Traceback (most recent call last):
  File "main.py", line 5, in <module>
    totals = df.groupby("country")["total_prise"].sum()
  File "/site-packages/pandas/core/base.py", line 244, in __getitem__
    raise KeyError(f"Column not found: {key}")
KeyError: 'Column not found: total_prise'
"""


def endings() -> Mapping[str, Ending]:
    """Return failures of each kind of cost: an exception, the same after much output, a trap, long code."""
    noise = "warning: a line of output\n" * 40_000
    failed = Ending(Outcome.FAILED, 1, stderr=TRACEBACK, code=CODE)
    return {
        "exception": failed,
        "exception after 1 MB": Ending(Outcome.FAILED, 1, stderr=noise + TRACEBACK, code=CODE),
        "1 MB without an exception": Ending(Outcome.FAILED, 1, stderr=noise, code=CODE),
        "traceback 100 times": Ending(Outcome.FAILED, 1, stderr=TRACEBACK * 100, code=CODE),
        "out of fuel": Ending(
            Outcome.FAILED,
            trap="out of fuel",
            code=CODE,
            bounds=Bounds(5_000_000_000, 5_000_000_000),
        ),
        "100 KB of code": Ending(Outcome.FAILED, 1, stderr=TRACEBACK, code=CODE * 500),
    }


def rows(place: Place) -> Iterator[Row]:
    """Give each analysis beside the shortest run that it could follow."""
    shortest = Times(tuple(_times(lambda: place.python("-I", "-c", "pass"), 10, time.perf_counter)))
    for name, ending in endings().items():
        analyzed = Times(tuple(_times(partial(_analyse, ending), REPEATS)))
        yield Row(f"fuel and guidance: {name}", analyzed, "the shortest run, `python -I -c pass`", shortest)


def measure(repeats: int = REPEATS) -> dict[str, object]:
    """Return the times of both analyzes together, for each ending, and of the shortest real run."""
    times = {name: _times(partial(_analyse, ending), repeats) for name, ending in endings().items()}
    run = statistics.median(_times(_shortest_run, 10, time.perf_counter))
    bound = max(run / 100, 2.0)
    return {
        "shortest_run_ms": round(run, 3),
        "bound_ms": round(bound, 3),
        "kept": all(statistics.median(taken) < bound and _nine_in_ten(taken) < FAILURE_MS for taken in times.values()),
        "endings": {
            name: {"median_ms": round(statistics.median(taken), 4), "nine_in_ten_ms": round(_nine_in_ten(taken), 4)}
            for name, taken in times.items()
        },
    }


def _analyse(ending: Ending) -> None:
    guide(ending)
    analyze_fuel(4_700_000_000, 5_000_000_000, code=ending.code, language=ending.language)


def _nine_in_ten(taken: list[float]) -> float:
    return statistics.quantiles(taken, n=10)[-1]


def _shortest_run() -> None:
    subprocess.run([sys.executable, "-I", "-c", "pass"], check=True)


def _times(work: Callable[[], object], repeats: int, clock: Callable[[], float] = time.process_time) -> list[float]:
    taken = []
    for _ in range(repeats):
        begin = clock()
        work()
        taken.append((clock() - begin) * 1000)
    return taken


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=2)
    sys.stdout.write("\n")
