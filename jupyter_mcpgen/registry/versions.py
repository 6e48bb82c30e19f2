"""Which version comes next: a broken contract is major, an added part is minor, anything else is a patch."""

from __future__ import annotations

from jupyter_mcpgen.model.spec import ToolSpec

FIRST = "1.0.0"


def version_key(version: str) -> tuple[int, ...]:
    """Return what versions are ordered by."""
    return tuple(int(part) for part in version.split("."))


def next_version(version: str, old: ToolSpec, new: ToolSpec) -> str:
    """Return the version that a tool with the contract `new` needs after `version` with the contract `old`."""
    major, minor, patch = version_key(version)
    if _breaks(old, new):
        return f"{major + 1}.0.0"
    return f"{major}.{minor + 1}.0" if _adds(old, new) else f"{major}.{minor}.{patch + 1}"


def change_in_words(old: ToolSpec, new: ToolSpec) -> str:
    """Say why the next version is what it is."""
    if _breaks(old, new):
        return "callers of the old version would break"
    return "parts were added" if _adds(old, new) else "the contract is the same"


def _breaks(old: ToolSpec, new: ToolSpec) -> bool:
    before, after = ({p.name: p for p in spec.parameters} for spec in (old, new))
    kept = all(
        name in after and after[name].type == parameter.type and after[name].required <= parameter.required
        for name, parameter in before.items()
    )
    demands = any(parameter.required for name, parameter in after.items() if name not in before)
    outputs = old.output_schema.get("properties", {}), new.output_schema.get("properties", {})
    answers = all(outputs[1].get(name) == schema for name, schema in outputs[0].items())
    return not kept or demands or not answers or old.return_type != new.return_type


def _adds(old: ToolSpec, new: ToolSpec) -> bool:
    parameters = {p.name for p in new.parameters} - {p.name for p in old.parameters}
    outputs = new.output_schema.get("properties", {}).keys() - old.output_schema.get("properties", {}).keys()
    return bool(parameters or outputs)
