"""How the suite itself runs side by side: a test that ends or stops its process fails, and nobody waits for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENDING = """
import os
def test_before(): pass
def test_ending(): os._exit(1)
def test_after(): pass
"""
LONELY = """
import os
def test_ending(): os._exit(1)
"""
STOPPED = """
import os, signal
def test_stopped(): os.kill(os.getpid(), signal.SIGSTOP)
def test_after(): pass
"""
PEACEFUL = """
import pytest
@pytest.mark.parametrize("number", range(20))
def test_peace(number): pass
"""


TWIN = """
import os, pathlib, time
import pytest
here = pathlib.Path(__file__).parent
def test_ending():
    (here / f"begun-{os.getpid()}").touch()
    while len(tuple(here.glob("begun-*"))) < 2:
        time.sleep(0.01)
    os._exit(1)
@pytest.mark.parametrize("number", range(30))
def test_peace(number): pass
"""
"""The files with most tests are begun first, so that each process has one of two such."""


SCHEDULED = "from tests.conftest import pytest_configure, pytest_xdist_make_scheduler\n"
SLOW_TO_COLLECT = """
import os, time
def pytest_collection_modifyitems():
    if os.environ.get("PYTEST_XDIST_WORKER") == "gw3":
        time.sleep(1)
"""
"""The second of two new processes collects when the first has begun already."""


def _run(folder: Path, tests: dict[str, str], more: str = "") -> str:
    """Run tests side by side as the suite does, and return what they print."""
    (folder / "conftest.py").write_text(SCHEDULED + more)
    for name, text in tests.items():
        (folder / f"test_{name}.py").write_text(text)
    command = (sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "-p", "no:cacheprovider")
    options = ("-c", "/dev/null", "--rootdir", str(folder), "-o", f"pythonpath={ROOT}", str(folder))
    told = {**os.environ, "MCPGEN_TESTS_LONGEST": "10"}
    ran = subprocess.run(
        (*command, *options), cwd=ROOT, env=told, capture_output=True, text=True, timeout=200, check=False
    )
    return ran.stdout + ran.stderr


def test_a_test_that_ends_or_stops_its_process_fails_and_the_others_go_on(tmp_path: Path) -> None:
    said = _run(tmp_path, {"ending": ENDING, "lonely": LONELY, "stopped": STOPPED, "peaceful": PEACEFUL})
    assert "\n3 failed, 23 passed" in said, said


def test_the_others_go_on_where_two_processes_end_at_once(tmp_path: Path) -> None:
    said = _run(tmp_path, {"a_twin": TWIN, "b_twin": TWIN, "peaceful": PEACEFUL, "quiet": PEACEFUL}, SLOW_TO_COLLECT)
    assert "\n2 failed, 100 passed" in said, said
