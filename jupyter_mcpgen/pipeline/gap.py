"""Hop 2: whether a tool for this family of questions exists already, or one that is near to it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from jupyter_mcpgen.authors.reading_files import read_by
from jupyter_mcpgen.errors import PlanError, RegistryError
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.file_reading import FileReading
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.package import code_hash, spec_hash
from jupyter_mcpgen.model.tool import Predecessor, PromotedTool
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.pipeline.code import read_intent, shape_in
from jupyter_mcpgen.pipeline.draft import Computed, Near, Reuse
from jupyter_mcpgen.pipeline.overlap import Asked, compare
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.trial import DATA_DIGEST
from jupyter_mcpgen.plan.shape import Shape, generalise, shape_key
from jupyter_mcpgen.plan.traits import kinds_of, traits_of
from jupyter_mcpgen.registry.index import IndexedTool, in_words


def find_tool(
    intent: Understood,
    name: str | None,
    services: Services,
    question: str = "",
    readings: Mapping[str, FileReading] = MappingProxyType({}),
) -> Reuse | Near | None:
    """Return an active tool that answers a question, or else one that is near to it.

    A tool answers where it has the same shape, so that operation and conditions match fully (ruling R27), and its
    overlap is high enough. Where a person named a tool, only that one with just the content that it would get:
    nothing is approved twice; `readings` say how it would read its files. Written code has no shape, so what it
    computes is never taken for what another tool does.
    """
    if isinstance(intent, WrittenIntent):
        return None
    if name is not None:
        return _named(intent, name, readings, services)
    wanted = generalise(intent.plan)
    asked = Asked(traits_of(wanted), kinds_of(intent.plan.source_schema), in_words(f"{question} {intent.reading}"))
    try:
        return _found(intent, wanted, asked, services)
    except _WrongIndex:
        services.registry.forget_index()
    try:
        return _found(intent, wanted, asked, services)
    except _WrongIndex:
        return None  # somebody changes it all the time; a new tool is never wrong


class _WrongIndex(Exception):
    """The index says of a tool what its files do not."""


def _found(intent: Intent, wanted: Shape, asked: Asked, services: Services) -> Reuse | Near | None:
    """Return the best tool of those in the index, of which only this one is loaded."""
    for found in compare(asked, services.registry.families(), services.scales.gap, services.similarity):
        loaded = _loaded(found.tool, services)
        if loaded is None:
            continue
        tool, shape = loaded
        if traits_of(shape) != found.tool.traits:
            raise _WrongIndex
        if found.answers:  # then both have the same traits, of which the shape is one
            arguments = _arguments(wanted)
            return Reuse(intent=intent, tool=tool, shape=shape, arguments=arguments, overlap=found.overlap)
        return Near(tool, found.overlap)
    return None


def _loaded(found: IndexedTool, services: Services) -> tuple[PromotedTool, Shape] | None:
    """Return a tool, compared with its approval, and its shape; None where its files are not as approved."""
    try:
        tool, package = services.registry.loaded(found.name)
    except RegistryError:
        return None
    shape = shape_in(package)
    if shape is None or tool.fingerprint != found.fingerprint:
        raise _WrongIndex
    return tool, shape


def _named(intent: Intent, name: str, readings: Mapping[str, FileReading], services: Services) -> Reuse | None:
    """Return the tool that a person named, where it is what the question would give under its name."""
    named = services.registry.predecessor(name)
    if named is None or not named.is_active or named.tool is None:
        return None
    if not _has_content_of(named.tool, intent, readings, services):
        return None
    shape, wanted = _shape_of(named.tool, services), generalise(intent.plan)
    if shape is None or shape_key(shape) != shape_key(wanted):
        return None
    return Reuse(intent=intent, tool=named.tool, shape=shape, arguments=_arguments(wanted))


def _arguments(wanted: Shape) -> dict[str, Any]:
    return {p.name: list(p.default) if isinstance(p.default, tuple) else p.default for p in wanted.parameters}


def _has_content_of(
    tool: PromotedTool, intent: Intent, readings: Mapping[str, FileReading], services: Services
) -> bool:
    """Tell whether a tool is what an intent would give under its name."""
    specified = services.author.specify(intent, frozenset(), tool.name)
    contract = read_by(specified, readings)
    mine = spec_hash(contract.spec), code_hash(services.author.write(contract)), contract.capabilities
    return mine == (tool.spec_hash, tool.code_hash, tool.capabilities)


def find_waiting(computed: Computed, services: Services) -> Card | None:
    """Return the card of the same question over the same data that waits for a decision under the same name.

    It has the same code as well: another card of the folder may be anybody's, or of another version of the product.
    """
    name, code = computed.draft.contract.spec.tool_name, code_hash(computed.draft.package)
    for candidate in services.registry.staged():
        known = candidate.run_artifacts
        if candidate.status is not ToolStatus.STAGED or candidate.code_hash != code:
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
        return shape_in(services.registry.load_package(tool))
    except RegistryError:
        return None  # it is no longer as approved
