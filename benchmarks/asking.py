"""From a question to its answer and to a staged card, in a fresh process and in one that has answered before.

`python -m benchmarks.asking TABLE REGISTRY once` answers one question; with `always` one for each line of input.
An answer can be shown once it was computed in both ways and its rows are accounted for, which ends the trial; it prints
a line then, and one when the card is staged.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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

    yield from _rows(lambda: _fresh(place), plain, "fresh process", COLD_REPEATS)
    with _answering(place) as ask:
        ask()
        ask()
        yield from _rows(ask, plain, "third question and later", WARM_REPEATS)


def _rows(ask: Callable[[], Moments], plain: Timer, where: str, repeats: int) -> Iterator[Row]:
    """Measure one question in each round, up to its answer and up to its card."""
    latest: list[Moments] = []

    def shown() -> float:
        latest[:] = [ask()]
        return latest[0].shown

    shown_in, staged_in, reference = in_turns((shown, lambda: latest[0].staged, plain), repeats)
    yield Row(f"question → answer, {where}", shown_in, REFERENCE, reference)
    yield Row(f"question → staged card, {where}", staged_in, REFERENCE, reference)


@dataclass(frozen=True)
class Moments:
    """After how many milliseconds an answer could be shown, and its card was staged."""

    shown: float
    staged: float


def _fresh(place: Place) -> Moments:
    """Answer one question in a process of its own; the second moment is when it has ended."""
    registry = str(place.new_folder("registry"))
    program = [sys.executable, "-m", "benchmarks.asking", str(place.table), registry, "once"]
    begin = time.perf_counter()
    with subprocess.Popen(program, env=place.environment, cwd=place.folder, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        shown = time.perf_counter() - begin
        process.stdout.read()
    assert process.returncode == 0
    return Moments(shown * 1000, (time.perf_counter() - begin) * 1000)


@contextmanager
def _answering(place: Place) -> Iterator[Callable[[], Moments]]:
    """Keep a process that answers another question at every call."""
    program = ("-m", "benchmarks.asking", str(place.table), str(place.new_folder("registry")), "always")
    with place.kept(*program) as said:
        yield lambda: Moments(*(milliseconds for _, milliseconds in said("", 2)))


def questions() -> Iterator[str]:
    """Yield questions that differ in what they compute, on and on."""
    measures = ("total", "average", "median")
    columns = ("num_units", "injuries_fatal", "injuries_no_indication")
    groups = ("weather_condition", "lighting_condition", "damage", "crash_type", "alignment")
    for measure, column, group in product(measures, columns, groups):
        yield f"{measure} {column} by {group} in crashes"


def _answer(table: str, registry: str, how_often: str) -> None:
    from jupyter_mcpgen import warming  # deferred, with the product itself: this is the process that is measured

    warming.begin()  # as the terminal and `%load_ext` do

    import pandas as pd

    from jupyter_mcpgen.model.event import Event, Stage, StageFinished
    from jupyter_mcpgen.pipeline.draft import Staged
    from jupyter_mcpgen.runtime import build
    from jupyter_mcpgen.settings import load_settings

    def tell(event: Event) -> None:
        if isinstance(event, StageFinished) and event.stage is Stage.TRIAL:
            print("answer", flush=True)

    runtime = build(load_settings(overrides={"registry.path": registry}).values)
    runtime.listeners.append(tell)
    frame = pd.read_csv(table)

    def ask(question: str) -> None:
        outcome = runtime.ask(question, runtime.reference("crashes", frame))
        assert isinstance(outcome, Staged)
        assert outcome.card.sound, question
        print("card", flush=True)

    if how_often == "once":
        ask(FIRST_QUESTION)
        return
    for _, question in zip(sys.stdin, questions(), strict=False):
        ask(question)


if __name__ == "__main__":
    _answer(*sys.argv[1:])
