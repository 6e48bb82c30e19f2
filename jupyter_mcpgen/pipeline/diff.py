"""What the next version of a tool changes: contract, capabilities, code, and the result on the same data."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from jupyter_mcpgen.errors import DataError, DecisionError, RegistryError, SandboxError, UnknownVersion
from jupyter_mcpgen.model.candidate import ToolCandidate
from jupyter_mcpgen.model.diff import Diff
from jupyter_mcpgen.model.file_reading import read_already
from jupyter_mcpgen.model.package import CODE_FILES, Package
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.spec import ToolParameter, ToolSpec
from jupyter_mcpgen.model.tool import Predecessor, PromotedTool
from jupyter_mcpgen.pipeline.again import data_of_card, intent_of_card
from jupyter_mcpgen.pipeline.draft import Computed
from jupyter_mcpgen.pipeline.material import Material, load_all
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.workbench import PlacedTool, call_all, result_in, unpacked, what_went_wrong
from jupyter_mcpgen.plan.visible import name_in_words
from jupyter_mcpgen.registry.versions import change_in_words, version_key
from jupyter_mcpgen.sandbox.capabilities import granted, sentences
from jupyter_mcpgen.toolkit.values import json_value

if TYPE_CHECKING:
    import pandas as pd

_DIGITS = 9
"""To how many digits real numbers are compared: two ways to add them differ in the last ones."""
_PROMISES = ("description", "when_to_use", "what_it_does", "returns", "prerequisites")


@dataclass(frozen=True)
class Side:
    """One of the two versions that are compared."""

    version: str
    fingerprint: str
    spec: ToolSpec
    package: Package
    capabilities: tuple[str, ...]


def side_of(tool: PromotedTool, services: Services) -> Side:
    """Return an approved version as one side; raises `TamperedTool` where its files are not as approved."""
    package = services.registry.approved_package(tool)
    return Side(tool.version, tool.fingerprint, tool.spec, package, tool.capabilities)


def side_of_candidate(candidate: ToolCandidate, package: Package) -> Side:
    """Return a candidate as one side."""
    return Side(candidate.version, candidate.fingerprint, candidate.spec, package, candidate.capabilities)


def diff_to(computed: Computed, candidate: ToolCandidate, services: Services) -> Diff | None:
    """Return what a next version changes from the version before it, or None for the first of its name."""
    before = computed.follows
    if before is None:
        return None
    after = side_of_candidate(candidate, computed.draft.package)
    try:
        old = None if before.tool is None else side_of(before.tool, services)
    except RegistryError:
        old = None
    if old is None:
        return _without_files(before, after)
    result = _result_against(old, after.spec, computed.trial.result, computed.material, services)
    return diff_of(old, after, result)


def diff_versions(name: str, before: str | None, after: str | None, services: Services) -> Diff:
    """Return the difference between two versions of a tool, also of one that waits for a decision.

    Without versions they are those that a person decides about, or decided about last: what waits and what is active,
    else what is active and the version before it. One version is compared with the active one.
    Raises `UnknownTool`, `UnknownVersion` or `TamperedTool`.
    """
    tools = {tool.version: tool for tool in services.registry.versions(name)}
    waiting: dict[str, ToolCandidate] = {}
    for candidate in services.registry.next_versions(name):
        waiting.setdefault(candidate.version, candidate)
    last = services.registry.predecessor(name)
    active = last.version if last is not None else next(iter(tools))
    if before is None:
        earlier = [version for version in tools if version_key(version) < version_key(active)]
        chosen = (active, next(iter(waiting))) if waiting else (next(iter(earlier), None), active)
    else:
        chosen = (before, after or active)
    known = [*waiting, *tools]
    for version in chosen:
        if version is None:
            raise UnknownVersion(name, "There is no other version to compare with.", known)
        if version not in known:
            raise UnknownVersion(name, f"There is no version {version}.", known)
    sides = [_side_named(version, tools, waiting, services) for version in chosen if version is not None]
    ids = [tools[v].tool_id if v in tools else waiting[v].tool_id for v in reversed(chosen) if v is not None]
    for tool_id in ids:
        try:
            material = _material_of(tool_id, services)
        except (DataError, DecisionError, RegistryError, KeyError, ValidationError):
            continue  # the data is no longer there, or the version was not made from a question
        return _diff_on(sides[0], sides[1], material, services)
    return diff_of(sides[0], sides[1], "The results were not compared: the data is no longer there.")


def _side_named(
    version: str, tools: Mapping[str, PromotedTool], waiting: Mapping[str, ToolCandidate], services: Services
) -> Side:
    if version in tools:
        return side_of(tools[version], services)
    candidate = waiting[version]
    return side_of_candidate(candidate, services.registry.package(candidate.tool_id))


def _material_of(tool_id: str, services: Services) -> Material:
    """Load the data that the card of a version was made from."""
    card = services.registry.card(tool_id)
    intent = intent_of_card(card, services)
    data, other = data_of_card(card, intent)
    asked_at = services.clock()
    request = Request(request_id=services.new_id(), question=card.question, data=data, other=other, asked_at=asked_at)
    return load_all(request, services).arranged(intent)


def _diff_on(before: Side, after: Side, material: Material, services: Services) -> Diff:
    """Return the difference between two versions, with their results on a table."""
    new = _run(after, {}, material, services)
    if isinstance(new, str):
        return diff_of(before, after, f"v{after.version} gives no result on `{material.name}`: {new}.")
    return diff_of(before, after, _result_against(before, after.spec, new, material, services))


def diff_of(before: Side, after: Side, result: str) -> Diff:
    """Return the difference between two versions; `result` says how their results on the same data differ."""
    code = "".join(_code_lines(before.package, after.package))
    contract = tuple(_contract_lines(before.spec, after.spec))
    capabilities = tuple(_capability_lines(before.capabilities, after.capabilities))
    old, new = f"v{before.version}", f"v{after.version}"
    if not (code or contract or capabilities):
        summary = f"{new} of `{after.spec.tool_name}` has the same content as {old}."
    else:
        summary = f"{new} of `{after.spec.tool_name}` takes the place of {old}: " + change_in_words(
            before.spec, after.spec
        ).replace("the old version", old)
        summary += "." if code else ". The code is the same."
    return Diff(
        tool_name=after.spec.tool_name,
        before=before.version,
        before_fingerprint=before.fingerprint,
        after=after.version,
        summary=summary,
        contract=contract,
        capabilities=capabilities,
        result=result,
        code=code,
    )


def _without_files(before: Predecessor, after: Side) -> Diff:
    return Diff(
        tool_name=after.spec.tool_name,
        before=before.version,
        before_fingerprint=before.fingerprint,
        after=after.version,
        summary=f"v{after.version} of `{after.spec.tool_name}` takes the place of v{before.version}. The files of "
        f"v{before.version} are not as approved, so nothing can be compared with them.",
    )


def _code_lines(before: Package, after: Package) -> Iterator[str]:
    for name in CODE_FILES:
        old, new = (package.files.get(name, "").splitlines(keepends=True) for package in (before, after))
        yield from difflib.unified_diff(old, new, f"before/{name}", f"after/{name}")


def _contract_lines(old: ToolSpec, new: ToolSpec) -> Iterator[str]:
    before, after = ({p.name: p for p in spec.parameters} for spec in (old, new))
    for name, parameter in after.items():
        if name not in before:
            yield f"New parameter `{name}` ({_said_default(parameter)})."
        else:
            yield from _parameter_lines(before[name], parameter)
    yield from (f"Parameter `{name}` is gone." for name in before if name not in after)
    if old.return_type != new.return_type:
        yield f"Returns `{new.return_type}`, before `{old.return_type}`."
    if old.output_schema != new.output_schema:
        yield "The structured result has other fields."
    changed = [name.replace("_", " ") for name in _PROMISES if getattr(old, name) != getattr(new, name)]
    if old.description != new.description:
        yield f"Described as “{new.description}”, before “{old.description}”"
    elif changed:
        yield f"Other words in its documentation: {', '.join(changed)}."


def _parameter_lines(old: ToolParameter, new: ToolParameter) -> Iterator[str]:
    if old.type != new.type:
        yield f"Parameter `{new.name}` is of type `{new.type}`, before `{old.type}`."
    if (old.required, _plain(old.default)) != (new.required, _plain(new.default)):
        yield f"Parameter `{new.name}`: {_said_default(new)}, before {_said_default(old)}."


def _said_default(parameter: ToolParameter) -> str:
    return "required" if parameter.required else f"default `{_plain(parameter.default)!r}`"


def _plain(default: Any) -> Any:
    return list(default) if isinstance(default, tuple) else default


def _capability_lines(old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[str]:
    gained, lost = (tuple(c for c in one if c not in other) for one, other in ((new, old), (old, new)))
    if gained:
        before = sentences(granted(old))
        more = [sentence for sentence in sentences(granted(new)) if sentence not in before]
        yield f"May do more: {', '.join(f'`{each}`' for each in gained)}. {' '.join(more)}".rstrip()
    if lost:
        yield f"No longer needs {', '.join(f'`{each}`' for each in lost)}."


def _result_against(
    before: Side, spec: ToolSpec, after: pd.DataFrame | None, material: Material, services: Services
) -> str:
    """Say how the result on the same data differs, called in the same way as far as both take the parameters."""
    if after is None:
        return f"The results were not compared: the new version gives none on `{material.name}`."
    known = {p.name: p.type for p in before.spec.parameters}
    shared = {p.name: _plain(p.default) for p in spec.parameters if not p.required and known.get(p.name) == p.type}
    old = _run(before, shared, material, services)
    if isinstance(old, str):
        return f"v{before.version} gives no result on `{material.name}`: {old}."
    return _compared(old, after, before.version, material.name)


def _run(side: Side, arguments: Mapping[str, Any], material: Material, services: Services) -> pd.DataFrame | str:
    """Return the result of a version on a table, or why there is none."""
    known = {p.name for p in side.spec.parameters}
    paths = {name: path for name, path in material.paths.items() if name in known}
    call = {**paths, **arguments, **read_already(side.spec)}
    with unpacked(side.package, services.workspace) as folder:
        tool = PlacedTool(folder, side.spec.tool_name, side.capabilities)
        try:
            run = call_all(services.sandbox, tool, (call,), services.limits)
            answer = run.answers[0] if run.answers else None
            wrong = what_went_wrong(run, answer)
            return (
                (wrong or "no reason given").rstrip(".")
                if answer is None or wrong
                else result_in(answer, services.limits)
            )
        except SandboxError as error:
            return str(error).rstrip(".")


def _compared(old: pd.DataFrame, new: pd.DataFrame, version: str, data: str) -> str:
    rows = f"{len(new):,} row{'' if len(new) == 1 else 's'}"
    gained = [f"`{name_in_words(str(name))}`" for name in new.columns if name not in old.columns]
    lost = [f"`{name_in_words(str(name))}`" for name in old.columns if name not in new.columns]
    if gained or lost:
        parts = [f"with {', '.join(gained)}" if gained else "", f"without {', '.join(lost)}" if lost else ""]
        change = " and ".join(filter(None, parts))
        return f"On `{data}` the result is another table, {change}: {rows}, before {len(old):,}."
    before, after = _rows(old), _rows(new[list(old.columns)])
    others = (Counter(after) - Counter(before)).total()
    missing = (Counter(before) - Counter(after)).total()
    if others or missing:
        return (
            f"On `{data}` the result differs from v{version}: {others:,} of {rows} are new or changed, "
            f"{missing:,} of {len(old):,} before are gone or changed."
        )
    if before != after or list(old.columns) != list(new.columns):
        return f"On `{data}` the result is that of v{version} in another order ({rows})."
    return f"On `{data}` the result is the same as that of v{version} ({rows})."


def _rows(frame: pd.DataFrame) -> list[tuple[Any, ...]]:
    return [tuple(_comparable(value) for value in row) for row in frame.itertuples(index=False, name=None)]


def _comparable(value: Any) -> Any:
    plain = json_value(value)
    if isinstance(plain, float):
        return f"{plain:.{_DIGITS}g}"
    if isinstance(plain, int) and not isinstance(plain, bool) and abs(plain) < 10**_DIGITS:
        return str(plain)  # as a real number of the same value is written
    return plain if isinstance(plain, bool | int | str | None) else repr(plain)
