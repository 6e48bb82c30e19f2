"""The parts that the hops share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jupyter_mcpgen.authors.embedded import EmbeddedAuthor
from jupyter_mcpgen.model.event import Event
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.sandbox.policy import Level, Limits
from jupyter_mcpgen.sandbox.service import Sandbox

NOW = "2026-01-22T10:00:00+00:00"


@pytest.fixture
def events() -> list[Event]:
    """Return what was announced."""
    return []


@pytest.fixture
def services(tmp_path: Path, events: list[Event]) -> Services:
    """Return real parts with a fixed clock and counted ids; nothing runs before it is asked to."""
    return Services(
        registry=Registry(tmp_path / "registry"),
        sandbox=Sandbox(Level.LANDLOCK),
        author=EmbeddedAuthor(),
        workspace=tmp_path / "workspace",
        limits=Limits(rows=1_000_000, columns=1_000),
        clock=lambda: NOW,
        seconds=lambda: 0.0,
        new_id=_counted(),
        announce=events.append,
    )


def _counted() -> Callable[[], str]:
    numbers = iter(range(1, 1_000))
    return lambda: f"{next(numbers):08d}"
