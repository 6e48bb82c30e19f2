"""Hop 2: whether a tool for this family of questions exists already."""

from __future__ import annotations

from pydantic import ValidationError

from jupyter_mcpgen.errors import PlanError, RegistryError
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.pipeline.code import read_intent
from jupyter_mcpgen.pipeline.draft import Computed, Reuse
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.trial import DATA_DIGEST
from jupyter_mcpgen.plan.shape import Shape, generalise, shape_key


def find_tool(intent: Understood, services: Services) -> Reuse | None:
    """Return an active tool of the same shape; operations and conditions must match fully (ruling R27).

    Written code has no shape, so what it computes is never taken for what another tool does.
    """
    if isinstance(intent, WrittenIntent):
        return None
    wanted = generalise(intent.plan)
    for tool in services.registry.active():
        shape = _shape_of(tool, services)
        if shape is not None and shape_key(shape) == shape_key(wanted):
            arguments = {
                p.name: list(p.default) if isinstance(p.default, tuple) else p.default for p in wanted.parameters
            }
            return Reuse(intent=intent, tool=tool, shape=shape, arguments=arguments)
    return None


def find_waiting(computed: Computed, services: Services) -> Card | None:
    """Return the card of the same question over the same data that waits for a decision under the same name."""
    name = computed.draft.contract.spec.tool_name
    for candidate in services.registry.staged():
        known = candidate.run_artifacts
        if candidate.status is not ToolStatus.STAGED:
            continue
        if known is None or known.metadata.get(DATA_DIGEST) != computed.material.digest:
            continue
        card = services.registry.card(candidate.tool_id)
        same_question = (card.tool_name, card.question) == (name, computed.request.question)
        if same_question and _intent_of(candidate.tool_id, services) == computed.intent:
            return card
    return None


def _intent_of(tool_id: str, services: Services) -> Understood | None:
    try:
        return read_intent(services.registry.package(tool_id))
    except (KeyError, RegistryError, PlanError, ValidationError):
        return None  # a candidate without a readable intent was not made from a question


def names_in_use(services: Services) -> frozenset[str]:
    """Return the names of active tools; a card that waits reserves none."""
    return frozenset(tool.name for tool in services.registry.active())


def _shape_of(tool: PromotedTool, services: Services) -> Shape | None:
    try:
        text = services.registry.load_package(tool).files.get("plan.json")
        return Shape.model_validate_json(text) if text else None
    except (RegistryError, PlanError, ValidationError):
        return None  # a tool without a readable plan was not made from one, so it cannot be matched
