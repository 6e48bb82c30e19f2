"""The part of JSON Schema that every server takes, and the check that a reply keeps to a schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

NOT_PORTABLE = frozenset(
    {
        "oneOf",
        "allOf",
        "not",
        "if",
        "then",
        "else",
        "dependentRequired",
        "dependentSchemas",
        "patternProperties",
        "propertyNames",
        "uniqueItems",
        "contains",
        "multipleOf",
        "prefixItems",
        "pattern",
        "format",
        "default",
        "const",
        "$ref",
        "$defs",
        "$schema",
        "$id",
        "minLength",
        "maxLength",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minItems",
        "maxItems",
        "title",
        "examples",
    }
)
"""What some server refuses, or ignores without saying so; a check of ours has to take its place."""
_HOLDS_NAMES = frozenset({"properties"})
_HOLDS_SCHEMAS = frozenset({"anyOf"})
_DEEPEST = 5
_MOST_PROPERTIES = 100


def not_portable(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Say what in a schema some server would refuse or ignore; nothing for one that all take."""
    flaws = [] if schema.get("type") == "object" else ["the outermost type is not `object`"]
    properties = 0
    for path, part, depth in _parts(schema, "$", 1):
        flaws += [f"{path} has `{key}`" for key in part if key in NOT_PORTABLE]
        if "type" not in part and "anyOf" not in part and "enum" not in part:
            flaws.append(f"{path} has no `type`")
        if depth > _DEEPEST:
            flaws.append(f"{path} is deeper than {_DEEPEST} levels")
        if part.get("type") == "object":
            names = list(part.get("properties", {}))
            properties += len(names)
            if part.get("additionalProperties") is not False:
                flaws.append(f"{path} does not forbid additional properties")
            if sorted(part.get("required", [])) != sorted(names):
                flaws.append(f"{path} does not require all of its properties")
    if properties > _MOST_PROPERTIES:
        flaws.append(f"there are {properties} properties; {_MOST_PROPERTIES} are safe")
    return tuple(flaws)


def without(schema: Mapping[str, Any], keywords: frozenset[str]) -> dict[str, Any]:
    """Return a schema without some keywords, at every level; the names of properties are no keywords."""
    kept: dict[str, Any] = {}
    for key, value in schema.items():
        if key in keywords:
            continue
        if key in _HOLDS_NAMES and isinstance(value, Mapping):
            kept[key] = {name: without(part, keywords) for name, part in value.items()}
        elif key in _HOLDS_SCHEMAS and isinstance(value, list):
            kept[key] = [without(part, keywords) for part in value]
        elif key == "items" and isinstance(value, Mapping):
            kept[key] = without(value, keywords)
        else:
            kept[key] = value
    return kept


def keywords_of(schema: Mapping[str, Any]) -> frozenset[str]:
    """Return every keyword that a schema uses, at any level."""
    return frozenset(key for _, part, _ in _parts(schema, "$", 1) for key in part)


def checker(schema: Mapping[str, Any]) -> Callable[[Any], str | None]:
    """Return a function that says why a value breaks the schema, or `None` when it keeps to it."""
    import jsonschema  # deferred: most processes never ask a model

    validator = jsonschema.Draft202012Validator(schema)

    def broken(value: Any) -> str | None:
        error = jsonschema.exceptions.best_match(validator.iter_errors(value))
        if error is None:
            return None
        place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
        return f"`{place.removeprefix('.')}`: {error.message}" if place else str(error.message)

    return broken


def _parts(schema: Mapping[str, Any], path: str, depth: int) -> Iterator[tuple[str, Mapping[str, Any], int]]:
    yield path, schema, depth
    for name, part in schema.get("properties", {}).items():
        yield from _parts(part, f"{path}.{name}", depth + 1)
    if isinstance(schema.get("items"), Mapping):
        yield from _parts(schema["items"], f"{path}[]", depth + 1)
    for part in schema.get("anyOf", []):
        yield from _parts(part, path, depth)
