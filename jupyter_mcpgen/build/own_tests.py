"""Runs the tests of a tool on the package that was made of it, in the sandbox: approved code is not ours to trust."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import PurePosixPath
from typing import Protocol

from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.execution.record import Execution, Status

_NO_PYTEST, _NO_TESTS = 77, 5
"""The exit codes of our own, and of pytest where it collects nothing."""
_MOST_SECONDS = 300.0
_SHOWN = 2_000
_TEST = re.compile(r"test_.*\.py|.*_test\.py")
"""What pytest takes for a file of tests."""
_PROGRAM = """\
import base64, json, os, pathlib, sys
files = json.loads({files!r})
for name, content in files.items():
    path = pathlib.Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(base64.b64decode(content))
os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
sys.path.insert(0, os.getcwd())
try:
    import pytest
except ImportError:
    sys.exit({no_pytest})
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir=.", {tests!r}]))
"""


class Verdict(Enum):
    """How tests ended; `NOT_RUN` where nothing here can run them."""

    PASSED = auto()
    FAILED = auto()
    NOT_RUN = auto()


@dataclass(frozen=True)
class Tested:
    """How tests ended, in words, and what they printed."""

    verdict: Verdict
    sentence: str
    output: str = ""


class Executes(Protocol):
    """What runs a program in the sandbox."""

    def execute(
        self,
        language: str,
        code: str | None,
        *,
        timeout: float | None = None,
        cancellation: Cancellation | None = None,
    ) -> Execution:
        """Run code to its end, and return its record."""
        ...


def folders_of_tests(files: Iterable[str]) -> Iterator[str]:
    """Yield the folders in which pytest finds tests, without those in another one of them."""
    places = (file.rpartition("/") for file in files)
    folders = {folder for folder, _, name in places if folder and _TEST.fullmatch(name)}
    for folder in sorted(folders):
        if not any(str(above) in folders for above in PurePosixPath(folder).parents):
            yield folder


@dataclass(frozen=True)
class PackageTests:
    """Runs the tests of packages; the executor is begun when it is first needed."""

    executor: Callable[[], Executes]

    def run(self, files: Mapping[str, bytes], tests: str, seconds: float, cancellation: Cancellation) -> Tested:
        """Run the tests in a folder of a package's files."""
        contents = json.dumps({name: base64.b64encode(content).decode() for name, content in files.items()})
        program = _PROGRAM.format(files=contents, tests=tests, no_pytest=_NO_PYTEST)
        run = self.executor().execute("python", program, timeout=min(seconds, _MOST_SECONDS), cancellation=cancellation)
        output = f"{run.stdout}\n{run.stderr}".strip()[-_SHOWN:]
        if run.status is Status.SUCCESS:
            return Tested(Verdict.PASSED, "Its tests pass in the sandbox.", output)
        if run.exit_code == _NO_PYTEST:
            return Tested(Verdict.NOT_RUN, "Its tests were not run: `pytest` is not installed here.", output)
        if run.exit_code == _NO_TESTS:
            return Tested(Verdict.NOT_RUN, f"`{tests}` has no test to run.", output)
        if run.status is Status.SETUP_ERROR:
            return Tested(Verdict.NOT_RUN, f"Its tests were not run: {_ended(run)}.", output)
        return Tested(Verdict.FAILED, f"Its tests fail: {_ended(run)}.", output)


def _ended(run: Execution) -> str:
    """Return why a run ended as it did, without the full stop that not every reason has."""
    return (run.error_message or run.reason.value).rstrip(".")
