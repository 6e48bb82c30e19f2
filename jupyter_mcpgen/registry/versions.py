"""Which version comes next: a broken contract is major, a compatible one is minor, the same contract is a patch."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any, assert_never

from jupyter_mcpgen.model.package import spec_hash
from jupyter_mcpgen.model.spec import ToolSpec

FIRST = "1.0.0"
_IN_WORDS_ONLY = ("description", "default", "title")
_LEAST = ("minItems", "minimum")
"""Bounds that a new contract may lower and not raise."""


class Bump(StrEnum):
    """Which number of a version goes up."""

    MAJOR = "major"
    MINOR = "minor"
    PATCH = "patch"


def version_key(version: str) -> tuple[int, ...]:
    """Return what versions are ordered by."""
    return tuple(int(part) for part in version.split("."))


def bump_of(old: ToolSpec | None, new: ToolSpec) -> Bump:
    """Return what a change of the contract means to callers; an old contract that is not known may be broken."""
    if old is None or _breaks(old, new):
        return Bump.MAJOR
    return Bump.PATCH if spec_hash(old) == spec_hash(new) else Bump.MINOR


def next_version(version: str, old: ToolSpec | None, new: ToolSpec, known: Collection[str] = ()) -> str:
    """Return the version that the contract `new` needs after `version` with the contract `old`.

    `known` are the other versions of the tool, among them those that a rollback left behind: none is given twice.
    """
    major, minor, patch = version_key(version)
    used = [version_key(each) for each in (version, *known)]
    match bump_of(old, new):
        case Bump.MAJOR:
            return f"{max(key[0] for key in used) + 1}.0.0"
        case Bump.MINOR:
            return f"{major}.{max([minor, *(key[1] for key in used if key[0] == major)]) + 1}.0"
        case Bump.PATCH:
            same = [key[2] for key in used if key[:2] == (major, minor)]
            return f"{major}.{minor}.{max([patch, *same]) + 1}"
        case bump:
            assert_never(bump)


def change_in_words(old: ToolSpec | None, new: ToolSpec) -> str:
    """Say what the next version means to callers."""
    match bump_of(old, new):
        case Bump.MAJOR:
            return "callers of the old version may break"
        case Bump.MINOR:
            return "calls of the old version still work"
        case Bump.PATCH:
            return "the contract is the same"
        case bump:
            assert_never(bump)


def _breaks(old: ToolSpec, new: ToolSpec) -> bool:
    before, after = ({p.name: p for p in spec.parameters} for spec in (old, new))
    kept = all(
        name in after and after[name].type == parameter.type and after[name].required <= parameter.required
        for name, parameter in before.items()
    )
    demands = any(parameter.required for name, parameter in after.items() if name not in before)
    inputs = _properties(old.input_schema, new.input_schema)
    outputs = _properties(old.output_schema, new.output_schema)
    accepts = all(_takes_what(schema, inputs[1].get(name, schema)) for name, schema in inputs[0].items())
    answers = all(outputs[1].get(name) == schema for name, schema in outputs[0].items())
    return not (kept and accepts and answers) or demands or old.return_type != new.return_type


def _properties(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    return old.get("properties", {}), new.get("properties", {})


def _takes_what(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Tell whether every value that one schema takes is taken by the other, as far as their keys say so."""
    loose = (*_IN_WORDS_ONLY, *_LEAST)
    before, after = ({key: value for key, value in schema.items() if key not in loose} for schema in (old, new))
    lowered = all(key in old and new[key] <= old[key] for key in _LEAST if key in new)
    return before == after and lowered
