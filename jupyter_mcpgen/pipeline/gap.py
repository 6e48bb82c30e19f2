"""Hop 2: whether a tool for this family of questions exists already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from jupyter_mcpgen.errors import PlanError, RegistryError
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.plan.shape import Shape, generalise, shape_key


@dataclass(frozen=True)
class Reuse:
    """An active tool that computes just what was asked, and the arguments that say so."""

    tool: PromotedTool
    shape: Shape
    arguments: Mapping[str, Any]
    assumptions: tuple[str, ...] = ()


def find_tool(intent: Intent, services: Services) -> Reuse | None:
    """Return an active tool of the same shape; operations and conditions must match fully (ruling R27)."""
    wanted = generalise(intent.plan)
    for tool in services.registry.active():
        shape = _shape_of(tool, services)
        if shape is not None and shape_key(shape) == shape_key(wanted):
            arguments = {
                p.name: list(p.default) if isinstance(p.default, tuple) else p.default for p in wanted.parameters
            }
            return Reuse(tool=tool, shape=shape, arguments=arguments, assumptions=intent.assumptions)
    return None


def names_in_use(services: Services) -> frozenset[str]:
    """Return the names of active tools and of candidates that wait."""
    active = {tool.name for tool in services.registry.active()}
    return frozenset(active | {candidate.spec.tool_name for candidate in services.registry.staged()})


def _shape_of(tool: PromotedTool, services: Services) -> Shape | None:
    try:
        text = services.registry.load_package(tool).files.get("plan.json")
        return Shape.model_validate_json(text) if text else None
    except (RegistryError, PlanError, ValidationError):
        return None  # a tool without a readable plan was not made from one, so it cannot be matched
