"""An empty product with five rows to ask about, and one whose registry holds a card that waits."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.product import ACCIDENTS, Waiting, staged
from tests.products import new_runtime, ungated


@pytest.fixture
def runtime(request: pytest.FixtureRequest, tmp_path: Path) -> Runtime:
    """Return a product of its own with an empty registry; with the mark `ungated` one that runs no gates."""
    return new_runtime(tmp_path) if request.node.get_closest_marker("ungated") is None else ungated(tmp_path)


@pytest.fixture
def accidents(runtime: Runtime, tmp_path: Path) -> DataRef:
    """Return seed 000's five rows, as a file."""
    path = tmp_path / "accidents.csv"
    path.write_text(ACCIDENTS)
    return runtime.reference(str(path))


@pytest.fixture(scope="session")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Waiting:
    """Return the answer to one question about seed 000's five rows, asked once."""
    folder = tmp_path_factory.mktemp("asked")
    (folder / "accidents.csv").write_text(ACCIDENTS)
    runtime = new_runtime(folder)
    data = runtime.reference(str(folder / "accidents.csv"))
    return Waiting(runtime, staged(runtime.ask("average severity by weather", data)), data)


@pytest.fixture
def waiting(asked: Waiting, runtime: Runtime) -> Waiting:
    """Return a copy of that registry, to decide in."""
    shutil.copytree(asked.runtime.registry.root, runtime.registry.root, dirs_exist_ok=True)
    return replace(asked, runtime=runtime)
