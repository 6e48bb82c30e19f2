"""The meter inside the job: reproducible, stopped by its budget, and honest when it could not count."""

from __future__ import annotations

import functools
import gc
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jupyter_mcpgen.sandbox.fuel import meter as meter_module
from jupyter_mcpgen.sandbox.fuel.meter import Meter, OutOfFuel, Reading, has_monitoring

SOURCE = Path(meter_module.__file__)
PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from meter import Meter, OutOfFuel, has_monitoring

def triangle(n):
    total = 0
    for i in range(n):
        total += i
    return total

def work():
    import random
    chance = random.Random(7)
    words = sorted({"".join(chance.choices("abc", k=4)) for _ in range(300)})
    return triangle(1_000), len(words), max(words, key=words.count)

def hidden():
    try:
        triangle(10**6)
    except BaseException:
        return "hidden"

def endless():
    while True:
        try:
            triangle(10)
        except BaseException:
            pass

def switched_off():
    if has_monitoring():
        for tool in range(6):
            try:
                sys.monitoring.set_events(tool, 0)
            except ValueError:
                pass
    else:
        sys.settrace(None)

def given_away():
    for tool in range(6) if has_monitoring() else ():
        sys.monitoring.free_tool_id(tool)
    sys.settrace(None)

def metered(function, budget, lines):
    meter = Meter(budget, lines=lines)
    try:
        ended = meter.call(function)
    except OutOfFuel as stop:
        ended = str(stop)
    reading = meter.reading()
    return [ended if isinstance(ended, str) else None, reading.consumed, reading.unit, reading.ran_out, reading.note]

lines = sys.argv[3] == "lines"
budget = json.loads(sys.argv[4])
print(json.dumps(metered(globals()[sys.argv[2]], budget, lines)))
"""


@functools.cache
def interpreter(kind: str) -> str | None:
    """Return an interpreter that counts events or, for `lines`, one that cannot."""
    if has_monitoring() == (kind == "events"):
        return sys.executable
    minors = range(12, 16) if kind == "events" else (11,)
    beside = Path(sys.base_prefix).parent
    found = [path for minor in minors for path in sorted(beside.glob(f"*/bin/python3.{minor}"))]
    named = [shutil.which(f"python3.{minor}") for minor in minors]
    return next((str(path) for path in [*found, *named] if path is not None and works(str(path))), None)


def works(path: str) -> bool:
    """Return whether an interpreter starts; a placeholder for a version that is not chosen does not."""
    return subprocess.run([path, "-I", "-c", "pass"], capture_output=True, check=False).returncode == 0


def run(kind: str, function: str, budget: int | None = None) -> list[Any]:
    """Run one metered function in a fresh interpreter; return how it ended and the reading."""
    python = interpreter(kind)
    if python is None:
        pytest.skip(f"no Python that counts {kind} is installed")
    done = subprocess.run(
        [python, "-I", "-B", "-c", PROGRAM, str(SOURCE.parent), function, kind, json.dumps(budget)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={"PYTHONHASHSEED": "0"},
    )
    ended: list[Any] = json.loads(done.stdout)
    return ended


@pytest.mark.parametrize("kind", ["events", "lines"])
def test_three_runs_give_one_count(kind: str) -> None:
    first, second, third = (run(kind, "work") for _ in range(3))

    assert first == second == third
    assert first[1] > 1_000
    assert first[2:] == [kind, False, None]


@pytest.mark.parametrize("kind", ["events", "lines"])
@pytest.mark.parametrize("function", ["work", "hidden"])
def test_a_budget_ends_the_code_even_if_it_hides_that(kind: str, function: str) -> None:
    ended, consumed, unit, ran_out, note = run(kind, function, budget=500)

    assert ended == f"out of fuel: all of 500 {kind} used"
    assert (consumed, unit, ran_out, note) == (500, kind, True, None)


def test_a_loop_that_swallows_everything_is_still_ended() -> None:
    assert run("events", "endless", budget=500)[0] == "out of fuel: all of 500 events used"


@pytest.mark.parametrize("kind", ["events", "lines"])
@pytest.mark.parametrize("function", ["switched_off", "given_away"])
def test_a_meter_that_was_switched_off_says_so_and_no_figure(kind: str, function: str) -> None:
    _, consumed, _, _, note = run(kind, function)

    assert (consumed, note) == (None, "the code switched the meter off")


def test_a_budget_that_is_just_enough_is_enough() -> None:
    used = run("events", "work")[1]

    assert run("events", "work", budget=used)[:2] == [None, used]
    assert run("events", "work", budget=used - 1)[3] is True


@pytest.fixture
def no_collections() -> Iterator[None]:
    """Keep what other tests left from being collected meanwhile: their finalizers are lines of Python, too."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def work() -> int:
    return sum(i for i in range(100))


def test_without_a_way_to_count_the_code_runs_and_the_figure_is_unknown() -> None:
    if has_monitoring():
        pytest.skip("this Python counts events")
    meter = Meter(budget=1)

    assert meter.call(work) == 4_950
    assert meter.reading() == Reading(None, 1, "events", note="Python before 3.12 counts only when lines are asked for")


def test_calls_through_one_meter_add_up_to_one_budget(no_collections: None) -> None:
    once = Meter(lines=True)
    once.call(work)
    used = once.reading().consumed
    assert used is not None

    twice = Meter(lines=True)
    twice.call(work)
    twice.call(work)

    assert twice.reading().consumed == 2 * used
    short = Meter(2 * used - 1, lines=True)
    short.call(work)
    with pytest.raises(OutOfFuel):
        short.call(work)


def test_the_codes_own_exception_passes_through() -> None:
    meter = Meter(lines=True)

    with pytest.raises(ValueError, match="invalid literal"):
        meter.call(int, "x")

    assert meter.reading().note is None


def test_a_tracer_that_was_there_before_is_put_back() -> None:
    def tracer(*_: object) -> None:
        return None

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        Meter(lines=True).call(work)
        after = sys.gettrace()
    finally:
        sys.settrace(before)

    assert after is tracer


def test_out_of_fuel_is_not_an_ordinary_exception() -> None:
    assert not issubclass(OutOfFuel, Exception)


def test_a_meter_that_was_not_used_has_nothing_to_say() -> None:
    assert Meter(5).reading().consumed is None


def test_the_meter_imports_the_standard_library_only() -> None:
    source = SOURCE.read_text(encoding="utf-8")

    assert "jupyter_mcpgen" not in source
