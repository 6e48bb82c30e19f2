"""How the suite itself runs side by side: a test that ends its process fails, and nobody waits for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENDING = "import os\n\n\ndef test_before(): pass\n\n\ndef test_ending(): os._exit(1)\n\n\ndef test_after(): pass\n"
LONELY = "import os\n\n\ndef test_ending(): os._exit(1)\n"
PEACEFUL = "import pytest\n\n\n@pytest.mark.parametrize('number', range(20))\ndef test_peace(number): pass\n"


def test_a_test_that_ends_its_process_fails_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("from tests.conftest import pytest_xdist_make_scheduler\n")
    for name, text in {"ending": ENDING, "lonely": LONELY, "peaceful": PEACEFUL}.items():
        (tmp_path / f"test_{name}.py").write_text(text)
    command = (sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "-p", "no:cacheprovider")
    options = ("-c", "/dev/null", "--rootdir", str(tmp_path), "-o", f"pythonpath={ROOT}", str(tmp_path))
    ran = subprocess.run((*command, *options), cwd=ROOT, capture_output=True, text=True, timeout=200, check=False)
    assert ran.stdout.splitlines()[-1].startswith("2 failed, 22 passed"), ran.stdout + ran.stderr
