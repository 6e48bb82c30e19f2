"""A product of its own for a test; all of one process share a sandbox, so that its libraries are imported once."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from jupyter_mcpgen.runtime import Runtime, build
from jupyter_mcpgen.sandbox.service import Sandbox
from jupyter_mcpgen.settings import Settings, load_settings


def new_runtime(folder: Path, registry: Path | None = None, **overrides: object) -> Runtime:
    """Return a product with an empty registry in the folder, or with one that is there; `overrides` are settings."""
    places = {"registry.path": registry or folder / "registry"}
    settings = load_settings(project=folder, environment={}, overrides={**places, **overrides}).values
    return build(settings, _sandbox() if settings.sandbox == Settings().sandbox else None)


@lru_cache(maxsize=1)
def _sandbox() -> Sandbox:
    return build(Settings()).sandbox
