"""From a question to a staged card, in a fresh process and in one that has answered before.

`python -m benchmarks.asking TABLE REGISTRY once` answers one question; with `always` one for each line of input.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product

from benchmarks.measure import Row, Timer, elapsed, in_turns
from benchmarks.place import Place

COLD_REPEATS = 4
WARM_REPEATS = 6
REFERENCE = "pandas group-by, fresh `python -c`"
FIRST_QUESTION = "total num_units by weather_condition in crashes"


def rows(place: Place) -> Iterator[Row]:
    """Measure both."""

    def plain() -> float:
        return elapsed(lambda: place.python("-c", place.group_by))

    def cold() -> float:
        registry = str(place.new_folder("registry"))
        program = ("-m", "benchmarks.asking", str(place.table), registry, "once")
        return elapsed(lambda: place.python(*program))

    ours, reference = in_turns((cold, plain), COLD_REPEATS)
    yield Row("question → staged card, fresh process", ours, REFERENCE, reference)
    with _answering(place) as warm:
        warm()
        warm()
        ours, reference = in_turns((warm, plain), WARM_REPEATS)
    yield Row("question → staged card, third question and later", ours, REFERENCE, reference)


@contextmanager
def _answering(place: Place) -> Iterator[Timer]:
    """Keep a process that answers another question at every call and says how long it took."""
    program = ("-m", "benchmarks.asking", str(place.table), str(place.new_folder("registry")), "always")
    with subprocess.Popen(
        [sys.executable, *program],
        env=place.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        send, receive = process.stdin.write, process.stdout.readline

        def once() -> float:
            send("\n")
            return float(receive())

        yield once
        process.stdin.close()


def _questions() -> Iterator[str]:
    """Yield questions that differ in what they compute, on and on."""
    measures = ("total", "average", "median")
    columns = ("num_units", "injuries_fatal", "injuries_no_indication")
    groups = ("weather_condition", "lighting_condition", "damage", "crash_type", "alignment")
    for measure, column, group in product(measures, columns, groups):
        yield f"{measure} {column} by {group} in crashes"


def _answer(table: str, registry: str, how_often: str) -> None:
    import pandas as pd  # deferred, with the product itself: this is the process that is measured

    from jupyter_mcpgen.pipeline.draft import Staged
    from jupyter_mcpgen.runtime import build
    from jupyter_mcpgen.settings import load_settings

    runtime = build(load_settings(overrides={"registry.path": registry}).values)
    frame = pd.read_csv(table)

    def ask(question: str) -> None:
        outcome = runtime.ask(question, runtime.reference("crashes", frame))
        assert isinstance(outcome, Staged)
        assert outcome.card.sound, question

    if how_often == "once":
        ask(FIRST_QUESTION)
        return
    for _, question in zip(sys.stdin, _questions(), strict=False):
        spent = elapsed(lambda question=question: ask(question))  # type: ignore[misc]
        sys.stdout.write(f"{spent}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _answer(*sys.argv[1:])
