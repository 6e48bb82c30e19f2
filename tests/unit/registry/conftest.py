"""A fresh registry whose clock stands at one moment per call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jupyter_mcpgen.registry.store import Registry


def ticking() -> Callable[[], str]:
    """Return a clock that gives another second at every reading."""
    seconds = iter(range(3600))
    return lambda: "2026-01-22T11:{:02}:{:02}.000Z".format(*divmod(next(seconds), 60))


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    """Return an empty registry in a folder that does not exist yet."""
    return Registry(tmp_path / "registry", clock=ticking())
