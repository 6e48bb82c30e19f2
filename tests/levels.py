"""The walls of each level of the sandbox, for tests that hold at several of them."""

from __future__ import annotations

from jupyter_mcpgen.sandbox.jobs.layers import ALL_LAYERS, WITHOUT_NAMESPACES

LEVELS = {"level 1": ALL_LAYERS, "level 2": WITHOUT_NAMESPACES}
