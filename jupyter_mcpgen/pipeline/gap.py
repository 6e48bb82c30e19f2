"""Hop 2: whether a tool for this family of questions exists already."""

from __future__ import annotations

from pydantic import ValidationError

from jupyter_mcpgen.errors import PlanError, RegistryError
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.package import code_hash, spec_hash
from jupyter_mcpgen.model.tool import Predecessor, PromotedTool
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.pipeline.code import read_intent
from jupyter_mcpgen.pipeline.draft import Computed, Reuse
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.trial import DATA_DIGEST
from jupyter_mcpgen.plan.shape import Shape, generalise, shape_key


def find_tool(intent: Understood, name: str | None, services: Services) -> Reuse | None:
    """Return an active tool of the same shape; operations and conditions must match fully (ruling R27).

    Where a person named a tool, only that one with just the content that it would get: nothing is approved twice.
    Written code has no shape, so what it computes is never taken for what another tool does.
    """
    if isinstance(intent, WrittenIntent):
        return None
    wanted = generalise(intent.plan)
    for tool in _tools(name, services):
        if name is not None and not _has_content_of(tool, intent, services):
            continue
        shape = _shape_of(tool, services)
        if shape is not None and shape_key(shape) == shape_key(wanted):
            arguments = {
                p.name: list(p.default) if isinstance(p.default, tuple) else p.default for p in wanted.parameters
            }
            return Reuse(intent=intent, tool=tool, shape=shape, arguments=arguments)
    return None


def _tools(name: str | None, services: Services) -> tuple[PromotedTool, ...]:
    """Return the active tools that may answer: all, or the one that was named."""
    if name is None:
        return services.registry.active()
    named = services.registry.predecessor(name)
    return (named.tool,) if named is not None and named.is_active and named.tool is not None else ()


def _has_content_of(tool: PromotedTool, intent: Intent, services: Services) -> bool:
    """Tell whether a tool is what an intent would give under its name."""
    contract = services.author.specify(intent, frozenset(), tool.name)
    mine = spec_hash(contract.spec), code_hash(services.author.write(contract)), contract.capabilities
    return mine == (tool.spec_hash, tool.code_hash, tool.capabilities)


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
        if (
            same_question
            and _follows(card) == _mark(computed.follows)
            and _intent_of(candidate.tool_id, services) == computed.intent
        ):
            return card
    return None


def _follows(card: Card) -> str | None:
    return None if card.diff is None else card.diff.before_fingerprint


def _mark(before: Predecessor | None) -> str | None:
    return None if before is None else before.fingerprint


def _intent_of(tool_id: str, services: Services) -> Understood | None:
    try:
        return read_intent(services.registry.package(tool_id))
    except (KeyError, RegistryError, PlanError, ValidationError):
        return None  # a candidate without a readable intent was not made from a question


def _shape_of(tool: PromotedTool, services: Services) -> Shape | None:
    try:
        text = services.registry.load_package(tool).files.get("plan.json")
        return Shape.model_validate_json(text) if text else None
    except (RegistryError, PlanError, ValidationError):
        return None  # a tool without a readable plan was not made from one, so it cannot be matched
