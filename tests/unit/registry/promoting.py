"""A candidate that is staged and promoted at once, and what the log says of it."""

from __future__ import annotations

from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.registry.store import Registry
from tests.builders import Draft, approval, approved


def promote(registry: Registry, made: Draft) -> PromotedTool:
    registry.stage(*made.parts)
    return registry.promote(made.tool_id, approval(made), approved())


def actions(registry: Registry) -> list[str]:
    return [entry.action for entry in registry.audit.entries()]
