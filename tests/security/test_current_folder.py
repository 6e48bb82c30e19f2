"""No process that we start finds modules in the folder it stands in: that may be anybody's clone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jupyter_mcpgen.lab.server_extension import CLERK
from jupyter_mcpgen.server.connect import PROGRAM

PLANTED = "import pathlib\npathlib.Path(__file__).with_name('taken').touch()\nraise SystemExit(3)\n"
STARTED = {"clerk": CLERK, "server": (*PROGRAM, "--help")}


def started_beside(folder: Path, command: tuple[str, ...]) -> bool:
    """Start something in a folder with a planted module, and tell whether that ran."""
    (folder / "pydantic.py").write_text(PLANTED)
    environment = {**os.environ, "JUPYTER_DATA_DIR": str(folder / "data"), "JUPYTER_CONFIG_DIR": str(folder / "config")}
    environment.pop("PYTHONSAFEPATH", None)
    subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False
    )
    return (folder / "taken").exists()


@pytest.mark.every_run("server")
@pytest.mark.parametrize("name", STARTED)
def test_a_planted_module_does_not_run(tmp_path: Path, name: str) -> None:
    assert not started_beside(tmp_path, STARTED[name])


def test_it_would_run_where_the_current_folder_counts(tmp_path: Path) -> None:
    assert started_beside(tmp_path, (sys.executable, "-m", "jupyter_mcpgen.server", "--help"))
