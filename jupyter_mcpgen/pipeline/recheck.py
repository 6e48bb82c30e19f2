"""Verifies every active tool on the data it was approved on, as after an update of pandas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from jupyter_mcpgen.errors import McpgenError
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.pipeline.again import data_of_card, intent_of_card
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.verify import changed_libraries, verify


class Recheck(StrEnum):
    """How one tool stands."""

    SAME = "same answer"
    DIFFERS = "DIFFERS"
    NOT_CHECKED = "not checked"


@dataclass(frozen=True)
class Rechecked:
    """One tool: how it stands, and why in a sentence."""

    name: str
    version: str
    outcome: Recheck
    sentence: str


def recheck(names: Sequence[str], services: Services) -> Iterator[Rechecked]:
    """Yield how the named tools stand, without names all active ones; raises `UnknownTool`, or `TamperedTool`."""
    registry = services.registry
    for tool in [registry.tool(name) for name in names] or registry.active():
        yield _rechecked(tool, services)


def under_other_libraries(services: Services) -> tuple[str, ...]:
    """Return the active tools whose answers were approved with other versions of their libraries, by name."""
    registry = services.registry
    return tuple(
        tool.name
        for tool in registry.active()
        if changed_libraries(registry.load_package(tool), tool.dependencies) is not None
    )


def _rechecked(tool: PromotedTool, services: Services) -> Rechecked:
    registry = services.registry
    try:
        card = registry.card(tool.tool_id)
        data, other = data_of_card(card, intent_of_card(card, services))
        verified = verify(registry.candidate(tool.tool_id), (data,) if other is None else (data, other), services)
    except McpgenError as error:
        return Rechecked(tool.name, tool.version, Recheck.NOT_CHECKED, str(error))
    if verified.is_about_data:
        return Rechecked(tool.name, tool.version, Recheck.NOT_CHECKED, verified.sentence)
    outcome = Recheck.SAME if verified.same else Recheck.DIFFERS
    return Rechecked(tool.name, tool.version, outcome, verified.sentence)
