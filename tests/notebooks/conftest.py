"""What every kernel of these tests is given."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.products import know_proof


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the kernels of this file keep their state; it says that the sandbox was proved on this machine."""
    return know_proof(tmp_path_factory.mktemp("data"))


@pytest.fixture
def environment(tmp_path: Path, state: Path) -> dict[str, str]:
    """Return the environment of a kernel whose registry is nobody else's, and whose state no other file's."""
    own = {"MCPGEN_REGISTRY__PATH": str(tmp_path / "registry"), "JUPYTER_DATA_DIR": str(state)}
    return {**os.environ, **own}
