"""The analysis of a project of 1,000 files: for the first time, again, and after one file changed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.measure import Row, elapsed, in_turns
from benchmarks.place import Place
from jupyter_mcpgen.coding.analysis import Analyst
from jupyter_mcpgen.coding.kept import Kept
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.programs.server import ProgramServer

FILES, FOLDERS, REPEATS = 1_000, 20, 2
BY_HAND = "ruff, mypy, bandit, radon and vulture by hand, one after the other"
CODE = '''\
"""Part {number} of a nursery."""

from __future__ import annotations

import json
import os


def count_{number}(beds: list[dict[str, int]], least: int = {number}) -> dict[str, int]:
    """Return how many plants each bed has."""
    found: dict[str, int] = {{}}
    for bed in beds:
        for name, plants in bed.items():
            if plants > least and name:
                found[name] = found.get(name, 0) + plants
    return found


class Bed{number}:
    """A bed with a name."""

    def __init__(self, name: str, width: float) -> None:
        self.name = name
        self.width = width

    def area(self, length: float) -> float:
        """Return the area of the bed."""
        return self.width * length if length > 0 else 0.0

    def written(self) -> str:
        return json.dumps({{"name": self.name, "width": self.width}})
'''


def rows(place: Place) -> list[Row]:
    """Measure the analysis beside the same linters, run by hand without a cache."""
    project = _project(place.new_folder("analyzed"))
    changed = project / "part_0" / "file_0.py"

    def first() -> float:
        return elapsed(lambda: _analyst(place.new_folder("kept")).whole(project))

    warm = _analyst(place.new_folder("kept"))
    warm.whole(project)

    def again() -> float:
        return elapsed(lambda: warm.whole(project))

    def after_a_change() -> float:
        changed.write_text(f"{changed.read_text()}\n# changed\n")
        return elapsed(lambda: warm.whole(project))

    fresh, same, later, by_hand = in_turns(
        [first, again, after_a_change, lambda: elapsed(lambda: _by_hand(project))], REPEATS
    )
    return [
        Row(f"analysis of {FILES:,} files, for the first time", fresh, BY_HAND, by_hand),
        Row(f"analysis of {FILES:,} files, again", same, BY_HAND, by_hand),
        Row(f"analysis of {FILES:,} files, one of them changed", later, BY_HAND, by_hand),
    ]


def _project(root: Path) -> Path:
    for number in range(FILES):
        path = root / f"part_{number % FOLDERS}" / f"file_{number}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(CODE.format(number=number))
    return root


def _analyst(folder: Path) -> Analyst:
    return Analyst(ProgramSandbox(start_supervisor=ProgramServer()), Kept(folder / "analysis.sqlite"))


def _by_hand(project: Path) -> None:
    for command in (
        ("ruff", "check", "--isolated", "--no-cache", "--output-format=json", "."),
        ("mypy", "--config-file=", "--cache-dir=/dev/null", "--ignore-missing-imports", "--check-untyped-defs", "."),
        ("bandit", "--quiet", "--recursive", "--format", "json", "."),
        ("radon", "cc", "--json", "."),
        ("radon", "mi", "--json", "."),
        ("vulture", "."),
    ):
        program = Path(sys.executable).with_name(command[0])
        subprocess.run([program, *command[1:]], cwd=project, capture_output=True, check=False)
