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


def test_a_test_that_ends_or_stops_its_process_fails_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("from tests.conftest import pytest_configure, pytest_xdist_make_scheduler\n")
    for name, text in {"ending": ENDING, "lonely": LONELY, "stopped": STOPPED, "peaceful": PEACEFUL}.items():
        (tmp_path / f"test_{name}.py").write_text(text)
    command = (sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "-p", "no:cacheprovider")
    options = ("-c", "/dev/null", "--rootdir", str(tmp_path), "-o", f"pythonpath={ROOT}", str(tmp_path))
    told = {**os.environ, "MCPGEN_TESTS_LONGEST": "10"}
    ran = subprocess.run(
        (*command, *options), cwd=ROOT, env=told, capture_output=True, text=True, timeout=200, check=False
    )
    assert ran.stdout.splitlines()[-1].startswith("3 failed, 23 passed"), ran.stdout + ran.stderr
