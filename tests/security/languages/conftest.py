"""What attacks in every language share: a way to run a program, and decoys to attack."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.decoys import Decoys, planted
from jupyter_mcpgen.sandbox.execution_record import Execution
from jupyter_mcpgen.sandbox.layers import Layer
from jupyter_mcpgen.sandbox.program_sandbox import ProgramSandbox
from tests.security.languages.hostile_programs import executor


@pytest.fixture
def execute(tmp_path: Path, layers: frozenset[Layer]) -> Callable[..., Execution]:
    return executor(tmp_path, layers, kind=ProgramSandbox).execute


@pytest.fixture
def decoys() -> Iterator[Decoys]:
    with planted() as targets:
        yield targets
