"""The walls of each level of the sandbox, for tests that hold at several of them, and where one may be missing.

On Linux a missing sandbox fails the tests of it: skipped, they would pass for tests of a product without one.
"""

from __future__ import annotations

import os
import sys

import pytest

from jupyter_mcpgen.sandbox.jobs.layers import ALL_LAYERS, WITHOUT_NAMESPACES, Layer

LEVELS = {"level 1": ALL_LAYERS, "level 2": WITHOUT_NAMESPACES}

WITHOUT = "MCPGEN_TESTS_WITHOUT_SANDBOX"
"""Names what this machine is known to lack: `level 1` (a container without user namespaces), or `all`."""


def needs(missing: str | None, layers: frozenset[Layer] = WITHOUT_NAMESPACES) -> pytest.MarkDecorator:
    """Mark tests that need a sandbox of these layers; `missing` is the reason why there is none."""
    return pytest.mark.sandbox(missing, layers)


def require(missing: str | None, layers: frozenset[Layer] = WITHOUT_NAMESPACES) -> None:
    """Fail a test whose sandbox is missing, or skip it where that is known."""
    if missing is None:
        return
    level = "level 1" if Layer.NAMESPACES in layers else "level 2"
    if sys.platform != "linux" or os.environ.get(WITHOUT) in (level, "all"):
        pytest.skip(missing)
    pytest.fail(
        f"The sandbox is missing ({level}): {missing}. Where that is known, {WITHOUT} set to `level 1` or to `all` "
        "leaves its tests out.",
        pytrace=False,
    )
