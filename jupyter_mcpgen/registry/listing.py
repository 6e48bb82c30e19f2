"""The two `metadata.json` files: which tools are active, and which candidates wait."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import StringConstraints, ValidationError

from jupyter_mcpgen.errors import CorruptRegistry
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.tool import Annotations, PromotedTool
from jupyter_mcpgen.registry.contents import Contents
from jupyter_mcpgen.registry.folder import Folder, json_text
from jupyter_mcpgen.registry.layout import SAFE_ID, Layout

# Names, ids and versions become parts of paths, so none of them may hold a separator.
Name = Annotated[str, StringConstraints(pattern=r"^[a-z_][a-z0-9_]*$", max_length=64)]
Id = Annotated[str, StringConstraints(pattern=rf"^{SAFE_ID}$")]
Version = Annotated[str, StringConstraints(pattern=r"^\d+\.\d+\.\d+$")]


class ActiveEntry(Record):
    """One active tool, with the seed's fields and those that a list of tools shows."""

    version: Version
    path: str
    spec_hash: str
    code_hash: str
    fingerprint: str
    promoted_at: str
    created_by: str
    tool_id: str
    capabilities: tuple[str, ...]
    dependencies: tuple[str, ...]
    annotations: Annotations


class StagedEntry(Record):
    """One candidate that waits for a decision, or that failed its gates and is only shown."""

    tool_name: str
    version: Version
    path: str
    spec_hash: str
    code_hash: str
    fingerprint: str
    status: ToolStatus
    created_at: str
    created_by: str
    waits_since: str | None = None
    """When it was put here last: staged, or reopened; older lists do not say."""


class Active(Record):
    """`active/metadata.json`."""

    tools: Mapping[Name, ActiveEntry] = {}

    def put(self, name: str, entry: ActiveEntry | None) -> Active:
        """Return the list with one tool replaced, or taken out."""
        others = {key: value for key, value in self.tools.items() if key != name}
        return Active(tools=others if entry is None else {**others, name: entry})


class Staging(Record):
    """`staging/metadata.json`."""

    candidates: Mapping[Id, StagedEntry] = {}

    def put(self, tool_id: str, entry: StagedEntry | None) -> Staging:
        """Return the list with one candidate replaced, or taken out."""
        others = {key: value for key, value in self.candidates.items() if key != tool_id}
        return Staging(candidates=others if entry is None else {**others, tool_id: entry})


L = TypeVar("L", Active, Staging)


def read_listing(folder: Folder, path: Path, kind: type[L]) -> L:
    """Read one of the two files; a missing one is an empty list, a broken one raises `CorruptRegistry`."""
    try:
        return kind.model_validate_json(folder.read(path))
    except (FileNotFoundError, NotADirectoryError):
        return kind()
    except ValidationError as error:
        raise CorruptRegistry(path, error.errors(include_url=False, include_input=False)[0]["msg"]) from error
    except OSError as error:
        raise CorruptRegistry(path, error.strerror or str(error)) from error


def listing_bytes(listing: Active | Staging) -> bytes:
    """Return the text of the file."""
    return json_text(listing.model_dump(mode="json")).encode()


def active_entry(tool: PromotedTool, layout: Layout) -> ActiveEntry:
    """Return what the list of active tools says about one."""
    shared = set(ActiveEntry.model_fields) - {"path"}
    return ActiveEntry(**tool.model_dump(include=shared), path=layout.relative(layout.tool(tool.name)))


def staged_entry(contents: Contents, layout: Layout, waits_since: str | None = None) -> StagedEntry:
    """Return what the list of candidates says about one."""
    stored = contents.stored
    shared = set(StagedEntry.model_fields) - {"tool_name", "path", "waits_since"}
    return StagedEntry(
        **stored.model_dump(include=shared),
        tool_name=contents.spec.tool_name,
        waits_since=waits_since,
        path=layout.relative(layout.candidate(stored.tool_id, stored.version)),
    )


def is_broken(folder: Folder, path: Path, kind: type[Active] | type[Staging]) -> bool:
    """Say whether a list is there and cannot be read."""
    try:
        read_listing(folder, path, Active) if kind is Active else read_listing(folder, path, Staging)
    except CorruptRegistry:
        return True
    return False
