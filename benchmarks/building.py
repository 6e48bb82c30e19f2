"""What an approved tool takes to become a package, beside the same package built by hand from its source archive."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from benchmarks.measure import Row, elapsed, in_turns
from benchmarks.place import Place
from jupyter_mcpgen.build.builds import Builds
from jupyter_mcpgen.build.own_tests import PackageTests
from jupyter_mcpgen.build.records import State
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.programs.server import ProgramServer
from tests.small_tools import SmallTool

REPEATS = 5
BY_HAND = "the same wheel and source archive, built with hatchling by hand"
TOOL = SmallTool("hello", "return 'hello'")


def rows(place: Place) -> list[Row]:
    """Measure builds with and without the tests of the tool."""
    folder = place.new_folder("building")
    registry = Registry(folder / "registry")
    TOOL.promote(registry)
    executor = Executor(sandbox=ProgramSandbox(start_supervisor=ProgramServer()))
    builds = Builds(registry, folder / "state", PackageTests(lambda: executor), lambda: "2026-01-01T00:00:00+00:00")

    def built(target: str, *, skip_tests: bool = False) -> float:
        out = folder / "out"
        shutil.rmtree(out, ignore_errors=True)

        def build() -> None:
            started = builds.trigger(target, lambda: out, options={"skip_tests": skip_tests}, clean=True)
            ended = builds.wait(started.build_id)
            if ended.status is not State.SUCCESS:
                raise RuntimeError(f"{target}: {started.error_message} {ended.error_details}")

        return elapsed(build)

    built("tool:hello", skip_tests=True)
    with tarfile.open(next((folder / "out").glob("*.tar.gz"))) as archive:
        archive.extractall(folder / "source", filter="data")
    (source,) = (folder / "source").iterdir()
    timers = [
        lambda: built("tool:hello", skip_tests=True),
        lambda: built("tool:hello"),
        lambda: built("docs:all"),
        lambda: elapsed(lambda: _by_hand(source)),
    ]
    plain, tested, catalogue, by_hand = in_turns(timers, REPEATS)
    return [
        Row("build of a tool's package, without its tests", plain, BY_HAND, by_hand),
        Row("build of a tool's package, its tests in the sandbox", tested, BY_HAND, by_hand),
        Row("build of a catalogue of one tool", catalogue, BY_HAND, by_hand),
    ]


def _by_hand(source: Path) -> None:
    subprocess.run([sys.executable, "-m", "hatchling", "build"], cwd=source, capture_output=True, check=True)
