"""What attacks in every language share: a way to run a program, and decoys to attack."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.execution.record import Execution
from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.selfcheck.decoys import Decoys, planted
from tests.security.languages.hostile_programs import executor


@pytest.fixture
def execute(tmp_path: Path, layers: frozenset[Layer]) -> Callable[..., Execution]:
    return executor(tmp_path, layers, kind=ProgramSandbox).execute


@pytest.fixture
def decoys() -> Iterator[Decoys]:
    with planted() as targets:
        yield targets
