"""What lives as long as a server process."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import UnknownSession
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions
from jupyter_mcpgen.server.compose import expiring
from tests.levels import needs

SOON = 20.0
pytestmark = needs(ProgramSandbox().missing())


class Watched(Sessions):
    """Tells when something expired."""

    def __init__(self, folder: Path) -> None:
        executor = Executor(sandbox=ProgramSandbox(scratch_root=folder), pages=Pages(folder / "pages"))
        super().__init__(executor, idle_seconds=60, clock=lambda: self.now)
        self.now = 0.0
        self.expired = threading.Event()

    def expire(self) -> tuple[str, ...]:
        """Expire, and tell."""
        gone = super().expire()
        if gone:
            self.expired.set()
        return gone


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    scratch = tmp_path / "scratch"
    scratch.mkdir(mode=0o755)
    return scratch


def test_an_idle_session_and_its_files_go_although_nobody_calls(folder: Path) -> None:
    sessions = Watched(folder)
    with expiring(sessions, every=0.01):
        sessions.create("me", "bash", "idle")
        sessions.now = 61.0

        assert sessions.expired.wait(SOON)
        with pytest.raises(UnknownSession):
            sessions.info("me", "idle")
    assert list(folder.iterdir()) == []


def test_the_end_of_the_server_is_the_end_of_all_sessions(folder: Path) -> None:
    sessions = Watched(folder)

    with expiring(sessions):
        sessions.create("me", "bash")
        assert len(list(folder.iterdir())) == 1

    assert list(folder.iterdir()) == []
