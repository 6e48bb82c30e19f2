"""Who a job runs as."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.identity import choose, readable_by_anyone, running_tasks


def test_a_private_folder_on_the_way_closes_a_path(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "file").write_text("", encoding="utf-8")
        (folder / "file").chmod(0o644)

        closed = readable_by_anyone(folder / "file")
        folder.chmod(0o755)

        assert (closed, readable_by_anyone(folder / "file"), readable_by_anyone(folder / "gone")) == (
            False,
            True,
            False,
        )


def test_the_callers_id_is_kept_with_a_reason(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(0o700)

    identity = choose([closed])

    assert identity.user is None
    assert f"user {os.geteuid()}" in identity.explanation


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts what Linux counts")
def test_threads_count_as_tasks_of_their_user() -> None:
    script = (
        "import sys, threading\n"
        "for _ in range(20): threading.Thread(target=sys.stdin.read).start()\n"
        "print('up', flush=True)"
    )
    before = running_tasks(os.getuid())
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()

        during = running_tasks(os.getuid())

        process.communicate(timeout=60)
    assert during - before >= 10
