"""In a container an account often has a number and no name; what it decides is written down all the same."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from jupyter_mcpgen.registry.store import Registry
from tests.builders import draft

ROOT = Path(__file__).resolve().parents[2]
NAMELESS = 54_321
NAMES = ("LOGNAME", "USER", "LNAME", "USERNAME")

DECIDE = """
import os, pwd, sys
from pathlib import Path
from jupyter_mcpgen.model.feedback import Face
from jupyter_mcpgen.verbs.deciding import approve, undo
from tests.products import new_runtime
folder, account = Path(sys.argv[1]), int(sys.argv[2])
runtime = new_runtime(folder)
runtime.services  # made while the libraries can be read, which may lie in the home of root
for path in (folder, *folder.rglob("*"), runtime.workspace):
    os.chown(path, account, account)
os.setresuid(account, account, account)
try:
    pwd.getpwuid(os.getuid())
except KeyError:
    print(approve(["sum_by_group"], runtime, Face.TERMINAL).text)
    print(undo(["sum_by_group"], runtime).text, flush=True)
    os._exit(0)  # what root began, this account cannot end
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Give a folder that every account reaches, which the one of pytest is not."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.soak
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become an account that has no name")
def test_approve_and_undo_work_for_an_account_without_a_name(open_folder: Path) -> None:
    registry = Registry(open_folder / "registry")
    registry.stage(*draft().parts)

    done = subprocess.run(
        [sys.executable, "-c", DECIDE, str(open_folder), str(NAMELESS)],
        env={
            **{name: value for name, value in os.environ.items() if name not in NAMES},
            "PYTHONPATH": str(ROOT),
            "JUPYTER_DATA_DIR": str(open_folder / "data"),
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "is live" in done.stdout
    assert "is no longer active" in done.stdout
    os.chown(open_folder / "registry", os.geteuid(), -1)
    entries = Registry(open_folder / "registry").audit.entries()
    assert [(entry.action, entry.by) for entry in entries] == [
        ("FEEDBACK", f"user {NAMELESS}"),
        ("APPROVED", f"user {NAMELESS}"),
        ("PROMOTED", f"user {NAMELESS}"),
        ("UNDONE", f"user {NAMELESS}"),
    ]
