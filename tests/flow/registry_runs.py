"""Runs that end a process in the middle of a change; started by the tests as a program of its own.

`kill-points FOLDER` forks one child per point at which a promotion could be killed, each on a registry of its own.
`promote ROOT ID…` promotes each staged candidate and prints the names.
`read-only FOLDER with|without` reads without write access.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

from jupyter_mcpgen.errors import RegistryReadOnly
from jupyter_mcpgen.registry.store import Registry
from tests.builders import Draft, approval, approved, draft

_BEFORE = {
    "undo": ["promote"],
    "reopen": ["expire"],
    "rollback": ["promote"],
    "unpublish": ["promote"],
    "bring back": ["promote", "unpublish"],
}
"""What is done before the change whose kills are looked at."""
FIRST = draft(tool_id="first")
SECOND = draft(tool_id="second", version="1.1.0", body="return column")


def clock() -> str:
    """Return one moment for all runs, whose registries are compared byte by byte."""
    return "2026-01-22T11:00:00.000Z"


def prepare(root: Path) -> None:
    """Make a registry with version 1.0.0 active and version 1.1.0 waiting."""
    registry = Registry(root, clock)
    for made in (FIRST, SECOND):
        registry.stage(*made.parts)
    registry.promote("first", approval(FIRST), approved())


def change(registry: Registry, operation: str) -> None:
    """Carry out the change whose kills are looked at."""
    match operation:
        case "promote":
            registry.promote("second", approval(SECOND), approved())
        case "undo":
            registry.undo("sum_by_group", "ada")
        case "rollback":
            registry.rollback("sum_by_group", "1.0.0", "ada")
        case "unpublish":
            registry.unpublish("sum_by_group", "ada")
        case "bring back":
            registry.rollback("sum_by_group", None, "ada")
        case "expire":
            registry.expire(days=-1)  # whatever waits now has waited longer
        case "reopen":
            registry.reopen("second", "ada")


def kill_points(folder: Path, operation: str) -> None:
    """Leave one registry per kill point in the folder, and a list of the points."""
    pristine = folder / "pristine"
    prepare(pristine)
    for earlier in _BEFORE.get(operation, ()):
        change(Registry(pristine, clock), earlier)
    points: list[str] = []
    shutil.copytree(pristine, folder / "whole")
    change(Registry(folder / "whole", clock, points.append), operation)
    for number in range(len(points)):
        root = folder / f"killed-{number}"
        shutil.copytree(pristine, root)
        _in_child(root, operation, number)
    (folder / "points.json").write_text(json.dumps(points))


def _in_child(root: Path, operation: str, number: int) -> None:
    child = os.fork()
    if child == 0:
        passed = iter(range(number + 1))
        change(Registry(root, clock, lambda _: next(passed) == number and os._exit(9)), operation)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.waitstatus_to_exitcode(status) != 9:
        raise SystemExit(f"the child was not killed at point {number}")


def staged_crowd(number: int) -> Draft:
    """Return one of many candidates."""
    return draft(f"tool_{number}", f"id-{number}")


def promote(root: Path, numbers: list[int]) -> None:
    """Promote candidates one after the other."""
    registry = Registry(root)
    for number in numbers:
        made = staged_crowd(number)
        print(registry.promote(made.tool_id, approval(made), approved()).name)


def read_only(folder: Path, lock: str) -> None:
    """Read a registry of someone else's, and try to write it."""
    root = folder / "registry"
    prepare(root)
    registry = Registry(root)
    mine = registry.active()  # also loads what is loaded late, while every file can still be read
    if lock == "without":
        (root / ".lock").unlink()
    for path in (*root.rglob("*"), root):
        path.chmod(0o555 if path.is_dir() else 0o444)
    if os.geteuid() == 0:
        os.setuid(65534)
    same = registry.active() == mine
    doctor = registry.doctor().read_only
    try:
        registry.stage(*draft("another", "another").parts)
        refusal = None
    except RegistryReadOnly as error:
        refusal = str(error)
    print(json.dumps({"same": same, "doctor": doctor, "refusal": refusal}))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["kill-points", folder, operation]:
            kill_points(Path(folder), operation)
        case ["promote", root, *numbers]:
            promote(Path(root), [int(number) for number in numbers])
        case ["read-only", folder, lock]:
            read_only(Path(folder), lock)
