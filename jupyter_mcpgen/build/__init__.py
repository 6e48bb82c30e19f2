"""Builds what stands without this product from an approved tool: a package, a script or a notebook.

`trigger_build` begins a build, `get_build_status` tells how it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jupyter_mcpgen.build.builds import Builds
    from jupyter_mcpgen.build.records import BuildStarted, BuildStatus

__all__ = ["get_build_status", "trigger_build"]


def trigger_build(
    target: str,
    config: Mapping[str, Any] | None = None,
    output_path_suggestion: str | None = None,
    clean_build: bool = False,
    build_options: Mapping[str, Any] | None = None,
) -> BuildStarted:
    """Begin to build a target, such as `tool:NAME`, into a folder: `dist` here, or the one suggested.

    Returns at once, with the id for `get_build_status`. What cannot be built has the status `failure` and says why.
    """
    from jupyter_mcpgen.build.builds import folder_of_person  # deferred: loads the registry

    return _builds().trigger(
        target, lambda: folder_of_person(output_path_suggestion), config, build_options, clean=clean_build
    )


def get_build_status(build_id: str) -> BuildStatus:
    """Return how a build stands; an id that no build has gets the status `error`."""
    return _builds().status(build_id)


def _builds() -> Builds:
    """Return the builds of this process; by name, because what puts the product together knows this package."""
    builds: Builds = import_module("jupyter_mcpgen.runtime").current().builds
    return builds
