"""Folders of killed processes are swept at the next start, and nobody else's ever is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from jupyter_mcpgen.data.workspace import OWNER, Owner, make_workspace, sweep

MAKE = "import os, signal, sys; from pathlib import Path; from jupyter_mcpgen.data.workspace import make_workspace; "


def left_by_a_killed_process(home: Path) -> Path:
    kill = "print(make_workspace(Path(sys.argv[1])), flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    done = subprocess.run([sys.executable, "-c", MAKE + kill, str(home)], capture_output=True, text=True, check=False)
    return Path(done.stdout.strip())


def test_the_folder_of_a_killed_process_is_swept_by_the_next_start(tmp_path: Path) -> None:
    left = left_by_a_killed_process(tmp_path)
    (left / "snapshots").mkdir()
    (left / "snapshots" / "t.parquet").write_bytes(b"x")
    assert left.is_dir()

    own = make_workspace(tmp_path)

    assert own.is_dir()
    assert not left.exists()


def test_what_is_not_surely_left_behind_stays(tmp_path: Path) -> None:
    mine = make_workspace(tmp_path)
    nobodys = tmp_path / "mcpgen-other"
    nobodys.mkdir()
    foreign = tmp_path / "mcpgen-foreign"
    foreign.mkdir()
    (foreign / OWNER).write_text(Owner(pid=2**22 + 1, born=1.0, world="another machine").model_dump_json())
    torn = tmp_path / "mcpgen-torn"
    torn.mkdir()
    (torn / OWNER).write_text("{")
    (tmp_path / "mcpgen-link").symlink_to(mine)

    assert sweep(tmp_path) == ()
    assert all(folder.exists() for folder in (mine, nobodys, foreign, torn))
