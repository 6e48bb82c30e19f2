"""What the sandbox adds to a process, how many callers it serves, and what it keeps in memory."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import psutil

from benchmarks.measure import Row, Timer, Times, elapsed, in_turns
from benchmarks.place import Place
from jupyter_mcpgen.sandbox.job import Call, Job
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Policy
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES, find_toolchain
from jupyter_mcpgen.sandbox.programs.program import Ending, Program
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.programs.server import ProgramServer

REPEATS = 15
PAUSE = 0.2
"""Seconds before each repetition, in which the next worker gets ready: it is how a person calls, and not a burst."""
BURST = 24
MEGABYTE = 1024 * 1024
NOTHING = """
def tool():
    return "nothing"
"""
PANDAS = """
import pandas
def tool():
    return "nothing"
"""
READ = """
def tool(file_path):
    import pandas as pd

    return str(len(pd.read_csv(file_path)))
"""
GROUP_BY = """
def tool(file_path):
    import pandas as pd

    df = pd.read_csv(file_path)
    return df.groupby("weather_condition", as_index=False)["num_units"].sum().to_string()
"""
FRESH = "a fresh confined interpreter that imports pandas"
PLAIN = "the same in a fresh `python -c`, which imports pandas"
BUBBLEWRAP = ("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--unshare-all", "--die-with-parent")


def rows(place: Place) -> Iterator[Row]:
    """Measure one call, many at once, the start, and the memory."""
    with ExitStack() as stack:
        pool = stack.enter_context(closing(ProcessBackend()))
        fresh = stack.enter_context(closing(ProcessBackend(layers=pool.layers, spares=0)))
        pool.warm()
        yield from _one_call(place, pool, fresh)
        yield from _many_callers(place, pool)
        yield _program()
        yield _start(place, pool)
        yield from _memory(place, pool)


def _one_call(place: Place, pool: ProcessBackend, fresh: ProcessBackend) -> Iterator[Row]:
    table, granted = {"file_path": str(place.table)}, Policy(read=(place.table,))
    level = f"level {pool.level.value}"
    nothing = _call(pool, _package(place, NOTHING), {}, Policy())
    confined_pandas = _call(fresh, _package(place, PANDAS), {}, Policy())

    def interpreter() -> float:
        return elapsed(lambda: place.python("-c", "pass"))

    timers = [nothing, confined_pandas, interpreter, *_bubblewrap(place)]
    names = [FRESH, "`python -c pass`", "bwrap with the same Python, which imports pandas"]
    ours, *references = _measured(timers)
    for name, reference in zip(names, references, strict=False):
        yield Row(f"sandboxed tool that does nothing, {level}", ours, name, reference)
    for what, code, program in (
        ("CSV of 10,000 rows read", READ, f"import pandas as pd; print(len(pd.read_csv({str(place.table)!r})))"),
        ("CSV and group-by", GROUP_BY, place.group_by),
    ):
        confined = _call(pool, _package(place, code), table, granted)
        ours, plain = _measured([confined, _plain(place, program)])
        yield Row(f"sandboxed {what}, {level}", ours, PLAIN, plain)


def _many_callers(place: Place, pool: ProcessBackend) -> Iterator[Row]:
    """Give the time of one job when so many threads call at once, without a pause: the inverse of the throughput."""
    call = _call(pool, _package(place, NOTHING), {}, Policy(), pause=0.0)

    def burst(callers: int) -> float:
        with ThreadPoolExecutor(callers) as threads:
            return elapsed(lambda: list(threads.map(lambda _: call(), range(BURST)))) / BURST

    one, two, eight = in_turns([lambda: burst(1), lambda: burst(2), lambda: burst(8)], 5)
    for callers, times in ((2, two), (8, eight)):
        yield Row(f"one of {BURST} jobs without a pause, {callers} callers", times, "the same, 1 caller", one)


def _program() -> Row:
    """Give the time of a program that does nothing, with a forked supervisor and with one that is started for it."""
    toolchain = find_toolchain(LANGUAGES["bash"])

    def timer(sandbox: ProgramSandbox) -> Timer:
        user = sandbox.identity((*toolchain.read, *toolchain.run)).user

        def once() -> float:
            with sandbox.scratch(user) as scratch:
                program = Program(
                    arguments=(toolchain.tools["bash"], "-c", ":"),
                    folder=scratch,
                    environment={},
                    read=toolchain.read,
                    run=toolchain.run,
                    links=toolchain.links,
                )
                return elapsed(lambda: _end_well(sandbox.run(program, scratch, user)))

        return once

    with closing(ProgramServer()) as server:
        ours, fresh = _measured([timer(ProgramSandbox(start_supervisor=server)), timer(ProgramSandbox())])
    what = f"confined program that does nothing, level {ProgramSandbox().level.value}"
    return Row(what, ours, "the same, with a supervisor that is started for it", fresh)


def _end_well(ending: Ending) -> None:
    assert ending.status == 0, ending


def _start(place: Place, pool: ProcessBackend) -> Row:
    package = _package(place, NOTHING)

    def start() -> float:
        with closing(ProcessBackend(layers=pool.layers)) as new:
            new.warm()
            return _call(new, package, {}, Policy(), pause=0.0)()

    ours, plain = in_turns([start, _plain(place, "import pandas, pyarrow, duckdb")], 5)
    return Row("zygote started and its first job done", ours, "`python -c` that imports the same libraries", plain)


def _memory(place: Place, pool: ProcessBackend) -> Iterator[Row]:
    """Give megabytes where the other rows give milliseconds: what each process holds for itself alone."""
    _call(pool, _package(place, NOTHING), {}, Policy())()
    time.sleep(PAUSE * 5)
    assert pool.zygote is not None
    zygote = psutil.Process(pool.zygote)
    waiting = zygote.children(recursive=True)
    own, each = zygote.memory_info().rss / MEGABYTE, [_private(process) for process in waiting]
    yield Row("MB, not ms: zygote", Times((own,)), "MB: each process that waits", Times(tuple(each)))
    job = Job(_package(place, GROUP_BY), "tool", (Call({"file_path": str(place.table)}),))
    peak = pool.run(job, Policy(read=(place.table,))).usage.peak_memory_bytes / MEGABYTE
    yield Row("MB, not ms: job with CSV and group-by", Times((peak,)), "MB: zygote", Times((own,)))


def _private(process: psutil.Process) -> float:
    """Return what ends with a process; the rest it shares with its zygote."""
    return float(process.memory_full_info().uss) / MEGABYTE


def _bubblewrap(place: Place) -> list[Timer]:
    if shutil.which("bwrap") is None:
        return []
    return [lambda: elapsed(lambda: place.run(*BUBBLEWRAP, place.interpreter, "-c", "import pandas"))]


def _measured(timers: list[Timer]) -> list[Times]:
    for timer in timers:
        timer()
    return in_turns(timers, REPEATS)


def _plain(place: Place, program: str) -> Timer:
    return lambda: elapsed(lambda: place.python("-c", program))


def _package(place: Place, code: str) -> Path:
    folder = place.new_folder("package")
    (folder / "tool.py").write_text(code, encoding="utf-8")
    return folder


def _call(
    backend: ProcessBackend, package: Path, arguments: dict[str, str], policy: Policy, pause: float = PAUSE
) -> Timer:
    job = Job(package=package, function="tool", calls=(Call(arguments=arguments),))

    def once() -> float:
        time.sleep(pause)
        return elapsed(lambda: _succeed(backend, job, policy))

    return once


def _succeed(backend: ProcessBackend, job: Job, policy: Policy) -> None:
    run = backend.run(job, policy)
    assert run.answers, run.reason
    assert run.answers[0].ok, run.answers[0].error_message
