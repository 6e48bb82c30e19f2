"""The server works with the oldest and with the newest FastMCP that an installation may have.

The suite runs with the oldest one, which `constraints.txt` pins; the newest one is installed apart, before its place on
Python's path.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = ("tests/unit/server/test_compat.py", "tests/unit/server/test_provider.py", "tests/flow/test_mcp_clients.py")


def allowed() -> str:
    """Return what the product asks of FastMCP."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    return next(each for each in wanted if each.startswith("fastmcp>"))


def test_the_pinned_fastmcp_is_the_oldest_that_is_allowed() -> None:
    oldest = re.search(r">=([\d.]+)", allowed())
    assert oldest is not None

    assert f"\nfastmcp=={oldest[1]}\n" in (ROOT / "constraints.txt").read_text(encoding="utf-8")


@pytest.mark.install
@pytest.mark.timeout(1_800)
def test_the_private_names_and_both_eras_work_with_the_newest_that_is_allowed(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(tmp_path), allowed()]
    installed = subprocess.run(words, capture_output=True, text=True, timeout=900, check=False)
    assert installed.returncode == 0, f"`{allowed()}` could not be installed:\n{installed.stderr[-2_000:]}"

    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, timeout=900,
        check=False,
    )  # fmt: skip

    assert ran.returncode == 0, ran.stdout[-4_000:]
