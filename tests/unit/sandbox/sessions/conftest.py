"""Sessions over a scratch folder of their own, and one Python session in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions
from tests.unit.sandbox.sessions.owner import Clock, Mine


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    folder = tmp_path / "scratch"
    folder.mkdir(mode=0o755)
    return folder


@pytest.fixture
def sessions(tmp_path: Path, scratch: Path, clock: Clock) -> Iterator[Sessions]:
    executor = Executor(sandbox=ProgramSandbox(scratch_root=scratch), pages=Pages(tmp_path / "output"))
    made = Sessions(executor, clock=clock)
    yield made
    made.close()


@pytest.fixture
def python(sessions: Sessions) -> Mine:
    return Mine(sessions)
