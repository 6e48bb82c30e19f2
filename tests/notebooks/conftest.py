"""What every kernel of these tests is given."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the kernels of this file find that the sandbox was proved by the first of them."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture
def environment(tmp_path: Path, state: Path) -> dict[str, str]:
    """Return the environment of a kernel whose registry is nobody else's, and whose state no other file's."""
    own = {"MCPGEN_REGISTRY__PATH": str(tmp_path / "registry"), "JUPYTER_DATA_DIR": str(state)}
    return {**os.environ, **own}
