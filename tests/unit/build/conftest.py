"""A registry with one approved tool, and builds of its tools whose tests are not really run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jupyter_mcpgen.build.builds import Builds
from jupyter_mcpgen.build.own_tests import Executes, PackageTests
from jupyter_mcpgen.registry.store import Registry
from tests.fakes.executors import Ended
from tests.small_tools import SmallTool

MakeBuilds = Callable[..., Builds]
HELLO = SmallTool(
    "hello", "return f'hello {name}'", {"type": "object", "properties": {"name": {"type": "string"}}, "required": []}
)


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    registry = Registry(tmp_path / "registry")
    HELLO.promote(registry)
    return registry


@pytest.fixture
def builds(registry: Registry, tmp_path: Path) -> MakeBuilds:
    """Return what makes the builds of another process with the same state."""

    def made(executor: Executes | None = None) -> Builds:
        tests = PackageTests(lambda: executor or Ended())
        return Builds(registry, tmp_path / "state", tests, lambda: "2026-01-22T10:00:00+00:00")

    return made
