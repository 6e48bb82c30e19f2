"""Tells whether a tool still gives the answer that was approved: on the same data, later, or on another machine.

Nothing is asked of a model and nothing is sent anywhere: the code runs in the sandbox, and digests are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import ValidationError

from jupyter_mcpgen.errors import NoAnswer, NotVerifiable, TamperedTool, UnknownTool
from jupyter_mcpgen.model.candidate import ToolCandidate, ToolStatus
from jupyter_mcpgen.model.golden import DataMark, Golden
from jupyter_mcpgen.model.package import GOLDEN, Package, code_hash, fingerprint
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.model.tool import annotations_for
from jupyter_mcpgen.pipeline.computed_again import computed_again
from jupyter_mcpgen.pipeline.golden import data_mark, libraries_of, plan_digest, result_mark
from jupyter_mcpgen.pipeline.material import open_rows
from jupyter_mcpgen.pipeline.services import Services

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Verified:
    """Whether an answer is the same, and in one sentence what differs first where it is not."""

    same: bool
    sentence: str
    is_about_data: bool = False
    """Whether the data differ, so that the answer was not computed."""

    def __str__(self) -> str:
        """Return the sentence."""
        return self.sentence


def verify_named(wanted: str, tables: Sequence[DataRef], services: Services) -> Verified:
    """Do what `verify` does for an active tool by its name, or for a card by its id."""
    registry = services.registry
    try:
        tool_id = registry.tool(wanted).tool_id
    except UnknownTool:
        tool_id = wanted
    except TamperedTool as changed:
        return Verified(same=False, sentence=f"The code differs. {changed}")
    return verify(registry.candidate(tool_id), tables, services)


def verify(candidate: ToolCandidate, tables: Sequence[DataRef], services: Services) -> Verified:
    """Compute a tool's answer again on some data and compare it with the approved one; raises `NotVerifiable`."""
    name = candidate.spec.tool_name
    try:
        package = _package(candidate, services)
    except TamperedTool as changed:
        return Verified(same=False, sentence=f"The code differs. {changed}")
    golden = _golden(name, package)
    now = [data_mark(*open_rows(table, services.limits)) for table in tables]
    if (data := _data_differs(golden.data, now)) is not None:
        return Verified(same=False, sentence=f"The data differ: {data}.", is_about_data=True)
    if (code := _code_differs(candidate, package, golden)) is not None:
        return Verified(same=False, sentence=f"The code differs: {code}.")
    libraries = _libraries_differ(golden, candidate.dependencies)
    result = _computed(candidate, package, tables, services)
    answer = _answer_differs(golden, result)
    if answer is None and plan_digest(package) == golden.plan_sha256:
        rows = f"{golden.result.rows:,} {'row' if golden.result.rows == 1 else 'rows'}"
        although = f", although {libraries}" if libraries else ""
        return Verified(same=True, sentence=f"Same answer on the same data: `{name}` gives the same {rows}{although}.")
    if answer is not None and libraries:
        return Verified(same=False, sentence=f"The answer differs, {answer}, and so does a library: {libraries}.")
    if plan_digest(package) != golden.plan_sha256:
        return Verified(same=False, sentence="The plan differs: `plan.json` was changed after the answer was kept.")
    told = f"The answer differs, {answer}, although data, code, libraries and plan are the same."
    return Verified(same=False, sentence=told)


def changed_libraries(package: Package, dependencies: Iterable[str]) -> str | None:
    """Say which libraries have another version now than when an answer was approved; None where none, or unknown."""
    try:
        return _libraries_differ(_golden("", package), dependencies) or None
    except NotVerifiable:
        return None


def _package(candidate: ToolCandidate, services: Services) -> Package:
    """Return the files of a tool, compared with its approval where it is active, or of a card."""
    registry = services.registry
    if candidate.status is ToolStatus.PROMOTED:
        with suppress(UnknownTool):  # a version that another one replaced, or that was unpublished
            tool = registry.tool(candidate.spec.tool_name)
            if tool.tool_id == candidate.tool_id:
                return registry.load_package(tool)
    return registry.package(candidate.tool_id)


def _golden(name: str, package: Package) -> Golden:
    if GOLDEN not in package.files:
        raise NotVerifiable(
            f"`{name}` has no digests to compare with: it was saved by an older version, its checks failed, or it may "
            "give another result each time. Ask its question again to get an answer that can be verified."
        )
    try:
        return Golden.model_validate_json(package.files[GOLDEN])
    except ValidationError as error:
        raise NotVerifiable(f"`{GOLDEN}` of `{name}` cannot be read, so nothing can be compared with it.") from error


def _data_differs(then: Sequence[DataMark], now: Sequence[DataMark]) -> str | None:
    """Say how the tables differ; the same values in a file of another format are the same data."""
    if len(then) != len(now):
        return f"the answer is about {len(then)} {'table' if len(then) == 1 else 'tables'}, and {len(now)} were given"
    for which, (old, new) in enumerate(zip(then, now, strict=True)):
        where = " in the second table" if which else ""
        if old.file_sha256 == new.file_sha256 or old.values_sha256 == new.values_sha256:
            continue
        if old.columns != new.columns:
            unlike = sorted(set(old.columns) ^ set(new.columns))
            named = ", ".join(f"`{name}`" for name in unlike[:3]) if unlike else "their order"
            return f"other columns{where} ({named})"
        if old.rows != new.rows:
            return f"{new.rows:,} rows now{where}, {old.rows:,} then"
        return f"some values differ{where}"
    return None


def _code_differs(candidate: ToolCandidate, package: Package, golden: Golden) -> str | None:
    if code_hash(package) != golden.code_sha256:
        return "it is not the code that gave the answer"
    now = fingerprint(
        candidate.spec,
        candidate.version,
        package,
        annotations_for(candidate.capabilities).model_dump(),
        candidate.dependencies,
        candidate.capabilities,
        candidate.fingerprint_version,
    )
    return None if now == candidate.fingerprint else "a file of the tool was changed after the answer was kept"


def _libraries_differ(golden: Golden, dependencies: Iterable[str]) -> str:
    now = libraries_of(dependencies)
    names = sorted(golden.libraries.keys() | now.keys())
    unlike = [name for name in names if golden.libraries.get(name) != now.get(name)]
    pairs = ((name, now.get(name, "missing"), golden.libraries.get(name, "missing")) for name in unlike)
    return " and ".join(f"{name} is {new} now ({old} then)" for name, new, old in pairs)


def _computed(
    candidate: ToolCandidate, package: Package, tables: Sequence[DataRef], services: Services
) -> pd.DataFrame | str:
    """Return the result of a call with the defaults, or in words why there is none."""
    try:
        return computed_again(candidate, package, tables, services)
    except NoAnswer as none:
        return str(none)


def _answer_differs(golden: Golden, result: pd.DataFrame | str) -> str | None:
    """Say how a result differs from the approved one; what a digest stands for is not known, so no value is named."""
    if isinstance(result, str):
        return f"as there is none ({result.rstrip('.')})"
    now, then = result_mark(result, is_ordered=golden.result.is_ordered), golden.result
    if now.columns != then.columns:
        return "it has other columns"
    if now.rows != then.rows:
        return f"{now.rows:,} rows now against {then.rows:,}"
    return None if now.sha256 == then.sha256 else "some values or their order differ"
