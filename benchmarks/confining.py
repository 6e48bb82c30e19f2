"""What the sandbox adds to a process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Row, Timer, elapsed, in_turns
from benchmarks.place import Place
from jupyter_mcpgen.sandbox.job import Call, Job
from jupyter_mcpgen.sandbox.policy import Level, Policy
from jupyter_mcpgen.sandbox.service import Sandbox

REPEATS = 7
NOTHING = """
def tool():
    return "nothing"
"""
GROUP_BY = """
def tool(file_path):
    import pandas as pd

    df = pd.read_csv(file_path)
    return df.groupby("weather_condition", as_index=False)["num_units"].sum().to_string()
"""


def rows(place: Place) -> Iterator[Row]:
    """Measure a tool that does nothing and one that reads and groups a table."""
    sandbox = Sandbox(Level.LANDLOCK)
    try:
        yield from _rows(place, sandbox)
    finally:
        sandbox.close()


def _rows(place: Place, sandbox: Sandbox) -> Iterator[Row]:
    nothing = _confined(sandbox, _package(place, NOTHING), {}, Policy())
    grouped = _confined(
        sandbox, _package(place, GROUP_BY), {"file_path": str(place.table)}, Policy(read=(place.table,))
    )

    def interpreter() -> float:
        return elapsed(lambda: place.python("-c", "pass"))

    def plain() -> float:
        return elapsed(lambda: place.python("-c", place.group_by))

    for timer in (nothing, grouped, interpreter, plain):
        timer()
    ours, reference = in_turns((nothing, interpreter), REPEATS)
    yield Row("sandboxed tool that does nothing", ours, "`python -c pass`", reference)
    ours, reference = in_turns((grouped, plain), REPEATS)
    yield Row("sandboxed CSV and group-by", ours, "the same in a fresh `python -c`, which imports pandas", reference)


def _package(place: Place, code: str) -> Path:
    folder = place.new_folder("package")
    (folder / "tool.py").write_text(code, encoding="utf-8")
    return folder


def _confined(sandbox: Sandbox, package: Path, arguments: dict[str, str], policy: Policy) -> Timer:
    job = Job(package=package, function="tool", calls=(Call(arguments=arguments),))

    def once() -> float:
        return elapsed(lambda: _succeed(sandbox, job, policy))

    return once


def _succeed(sandbox: Sandbox, job: Job, policy: Policy) -> None:
    run = sandbox.run(job, policy)
    assert run.answers, run.reason
    assert run.answers[0].ok, run.answers[0].error_message
