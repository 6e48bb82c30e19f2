"""Completes what a person types into a client: arguments of prompts, and places in the addresses of resources."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from fastmcp.server.completions import CompletionHandler
from mcp_types import CompletionArgument, CompletionContext, PromptReference, ResourceTemplateReference

from jupyter_mcpgen.model.spec import ToolSpec

Spec = Callable[[str], ToolSpec | None]
Names = Callable[[str], Iterable[str]]
"""Returns the names that fit an address with a place for one; none for an address of somebody else's."""


def completing(spec_of: Spec, names_in: Sequence[Names]) -> CompletionHandler:
    """Return what answers clients, from the contracts of tools and the names that each part of the server knows."""

    def complete(
        wanted: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        _: CompletionContext | None,
    ) -> list[str]:
        match wanted:
            case PromptReference():
                spec = spec_of(wanted.name)
                schemas: Mapping[str, Any] = {} if spec is None else spec.input_schema.get("properties", {})
                values = values_of(schemas.get(argument.name, {}))
            case ResourceTemplateReference():
                is_there = f"{{{argument.name}}}" in wanted.uri
                values = [name for names in names_in for name in names(wanted.uri)] if is_there else []
        begun = argument.value.casefold()
        return sorted(value for value in dict.fromkeys(values) if value.casefold().startswith(begun))

    return complete


def values_of(schema: Any) -> Sequence[str]:
    """Return the values that a schema names, as a person types them: the possible ones, or else the usual one."""
    match schema:
        case {"enum": list(values)}:
            return [_typed(value) for value in values]
        case {"type": "boolean"}:
            return ["true", "false"]
        case {"default": default} if default is not None:
            return [_typed(default)]
        case _:
            return []


def _typed(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
