"""Opens the configured registry and sandbox for a server process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jupyter_mcpgen.runtime import build
from jupyter_mcpgen.server.provider import Shelf
from jupyter_mcpgen.server.shelf import RegistryShelf
from jupyter_mcpgen.settings import load_settings


@contextmanager
def open_shelf(registry: Path | None) -> Iterator[Shelf]:
    """Open the registry at a path, or the configured one, with the settings of this machine.

    Raises `SandboxUnavailable` before anything is served when no tool could run.
    """
    overrides = {} if registry is None else {"registry.path": registry}
    runtime = build(load_settings(overrides=overrides).values)
    sandbox = runtime.sandbox  # warms up while the client connects
    try:
        yield RegistryShelf(runtime.registry, runtime.call_tool)
    finally:
        sandbox.close()
