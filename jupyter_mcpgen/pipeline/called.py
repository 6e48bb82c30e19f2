"""An active tool with arguments that a person chose, over a table of theirs: an answer with evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.card import StageTime
from jupyter_mcpgen.model.event import Stage, ToolCalled
from jupyter_mcpgen.model.intent import Intent, ReadBy, intent_of
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.model.validation import is_sound
from jupyter_mcpgen.pipeline.code import shape_in
from jupyter_mcpgen.pipeline.draft import Reuse, Reused
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.reuse import use_again
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.plan.shape import Shape


def shape_of_tool(tool: PromotedTool, services: Services) -> Shape | None:
    """Return the plan that a tool is, with its parameters; None for a tool whose code was written."""
    return shape_in(services.registry.load_package(tool))


def fits(shape: Shape, arguments: Mapping[str, Any], material: Material) -> bool:
    """Tell whether a tool takes these arguments over a table, or two."""
    try:
        _intent(shape, arguments, material)
    except PlanError:
        return False
    return True


def use_with(
    tool: PromotedTool,
    shape: Shape,
    arguments: Mapping[str, Any],
    request: Request,
    material: Material,
    services: Services,
) -> Reused:
    """Call a tool and hold its result against the reference, as when it answers a question.

    Raises `PlanError` for arguments that do not fit the table.
    """
    intent = _intent(shape, arguments, material)
    start = services.seconds()
    reuse = Reuse(intent=intent, tool=tool, shape=shape, arguments=arguments)
    trial = use_again(reuse, material, services)
    spent, failed = trial.artifacts.execution_time_ms, not is_sound(trial.evidence)
    services.announce(ToolCalled(tool_name=tool.name, milliseconds=spent, failed=failed))
    took = round((services.seconds() - start) * 1000, 1)
    return Reused(request, material, reuse, trial, (StageTime(stage=Stage.TRIAL, milliseconds=took),))


def _intent(shape: Shape, arguments: Mapping[str, Any], material: Material) -> Intent:
    other = material.other.profile.schema_ if material.other is not None else None
    plan = shape.bind(arguments, material.profile.schema_, other)
    second = material.other.ref.path if material.other is not None and plan.second is not None else None
    return intent_of(plan, material.ref.path, (), (), second).replace(read_by=ReadBy.PERSON)
