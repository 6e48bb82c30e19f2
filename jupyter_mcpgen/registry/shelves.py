"""Reading what is where: active tools, waiting candidates, the archive. The guard keeps changes out meanwhile."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path

from jupyter_mcpgen.errors import (
    AmbiguousCandidate,
    CorruptRegistry,
    RegistryError,
    TamperedTool,
    UnknownCandidate,
    UnknownTool,
)
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.registry.contents import Contents, digest, read_stored
from jupyter_mcpgen.registry.folder import Mark
from jupyter_mcpgen.registry.layout import Layout
from jupyter_mcpgen.registry.listing import Active, ActiveEntry, Staging, active_entry, read_listing
from jupyter_mcpgen.registry.signatures import Keys
from jupyter_mcpgen.registry.versions import version_key

_VERSIONED = re.compile(r"(?P<name>.+)_(?P<version>\d+\.\d+\.\d+)(_\d+)?")
"""The folder of an archived version; the number at its end tells several of one version apart."""


class Shelves:
    """The folders and lists of one registry, as they are now."""

    def __init__(self, layout: Layout, keys: Keys | None = None) -> None:
        self._layout = layout
        self._keys = keys
        self._folder = layout.folder
        self._last_active: tuple[Mark | None, Active] = None, Active()

    @property
    def active(self) -> Active:
        """The list of active tools."""
        mark = self._folder.mark(self._layout.active_metadata)
        if mark is None or mark != self._last_active[0]:  # every call of a tool asks; parsing grows with the list
            self._last_active = mark, read_listing(self._folder, self._layout.active_metadata, Active)
        return self._last_active[1]

    def active_mark(self) -> Mark | None:
        """Return what tells this state of the list of active tools from another without reading it."""
        return self._folder.mark(self._layout.active_metadata)

    def active_digest(self) -> str:
        """Return a digest of the list of active tools as it is on the disk; empty where there is none to read."""
        try:
            return digest(self._folder.read(self._layout.active_metadata))
        except OSError:
            return ""  # `active` says what is wrong, or that there is none

    @property
    def staging(self) -> Staging:
        """The list of waiting candidates."""
        return read_listing(self._folder, self._layout.staging_metadata, Staging)

    def tool(self, name: str) -> Contents:
        """Return the files of an active tool, compared with its approval and with the list."""
        known = self.active.tools
        if name not in known:
            raise UnknownTool(name, known)
        return self._checked(name, known[name])

    def sound_tools(self) -> Iterator[PromotedTool]:
        """Yield the active tools that are as approved, by name."""
        for name, entry in sorted(self.active.tools.items()):
            try:
                yield self._checked(name, entry).tool()
            except TamperedTool:
                continue  # `problems` reports it; one bad folder must not hide the others

    def archived(self, name: str) -> tuple[Contents, ...]:
        """Return the versions of a tool in the archive that are as approved, newest first, each version once."""
        found: dict[str, Contents] = {}
        for contents in self._readable(self._archived_folders(name)):
            with suppress(TamperedTool):  # of another name with the same beginning, or changed since
                found.setdefault(contents.approved_tool(name, self._keys).version, contents)
        return tuple(found[version] for version in sorted(found, key=version_key, reverse=True))

    def earlier(self, name: str, version: str) -> tuple[Contents, ...]:
        """Return the archived versions of a tool below a version that are as approved, newest first."""
        lower = version_key(version)
        return tuple(each for each in self.archived(name) if version_key(each.stored.version) < lower)

    def archived_version(self, name: str, version: str) -> Contents | None:
        """Return one archived version; raises `TamperedTool` where it is there and not as approved."""
        for contents in self.archived(name):
            if contents.stored.version == version:
                return contents
        if version in self.archived_names().get(name, ()):
            raise TamperedTool(name, f"version {version} was changed in the archive")
        return None

    def archived_names(self) -> dict[str, list[str]]:
        """Return the versions in the archive by the name of their tool, as their folders say; nothing is read."""
        found: dict[str, list[str]] = {}
        for path in self._folder.entries(self._layout.superseded):
            named = _VERSIONED.fullmatch(path.name)
            if named is not None:
                found.setdefault(named["name"], []).append(named["version"])
        return found

    def _archived_folders(self, name: str) -> Iterator[Path]:
        folders = self._folder.entries(self._layout.superseded)
        return (path for path in folders if path.name.startswith(f"{name}_"))

    def find(self, wanted: str) -> Contents:
        """Return a candidate by id, by the beginning of its id, or by the name of its tool while it waits."""
        staged, waiting = self.staging.candidates, self._waiting()
        paths = waiting if wanted in waiting else {**self._decided(), **waiting}
        if wanted in paths:
            return Contents.read(self._folder, paths[wanted])
        named = [tool_id for tool_id, entry in staged.items() if entry.tool_name == wanted]
        matches = named or [tool_id for tool_id in paths if wanted and tool_id.startswith(wanted)]
        if not matches:
            raise UnknownCandidate(wanted, paths)
        if len(matches) > 1:
            raise AmbiguousCandidate(wanted, sorted(matches))
        return Contents.read(self._folder, paths[matches[0]])

    def decided(self, tool_id: str) -> Contents | None:
        """Return a candidate of that very id that is no longer waiting."""
        path = None if tool_id in self._waiting() else self._decided().get(tool_id)
        return None if path is None else Contents.read(self._folder, path)

    def everything(self) -> Iterator[Contents]:
        """Yield every candidate that can be read: waiting, active and archived."""
        return self._readable({**self._decided(), **self._waiting()}.values())

    def waiting(self) -> Iterator[Contents]:
        """Yield the listed candidates that can be read."""
        return self._readable(self._waiting().values())

    def problems(self) -> Iterator[str]:
        """Yield what does not load, in words."""
        for name, entry in sorted(self.active.tools.items()):
            try:
                self._checked(name, entry)
            except TamperedTool as error:
                yield str(error)
        for tool_id, staged in sorted(self.staging.candidates.items()):
            try:
                Contents.read(self._folder, self._layout.candidate(tool_id, staged.version)).candidate("")
            except RegistryError as error:
                yield str(error)
        yield from self._unlisted()

    def approved_folders(self) -> Iterator[PromotedTool]:
        """Yield a tool for each tool folder that is as its own approval says, listed or not."""
        for contents in self._readable(self._folder.entries(self._layout.tools)):
            try:
                yield contents.approved_tool(contents.path.name, self._keys)
            except TamperedTool:
                continue  # left where it is, and reported by `problems` as not listed

    def candidate_folders(self) -> Iterator[Contents]:
        """Yield each complete folder of a candidate that waits, listed or not."""
        for contents in self._readable(self._folder.entries(self._layout.candidates)):
            stored = contents.stored
            if stored.status.waits and contents.path == self._layout.candidate(stored.tool_id, stored.version):
                yield contents

    def _checked(self, name: str, entry: ActiveEntry) -> Contents:
        try:
            contents = Contents.read(self._folder, self._layout.tool(name))
        except CorruptRegistry as error:
            raise TamperedTool(name, f"its folder cannot be read ({error.reason})") from error
        if active_entry(contents.approved_tool(name, self._keys), self._layout) != entry:
            raise TamperedTool(name, "the list of active tools says something else about it")
        return contents

    def _unlisted(self) -> Iterator[str]:
        listed = {self._layout.tool(name) for name in self.active.tools}
        for folder in self._folder.entries(self._layout.tools):
            if folder not in listed:
                yield self._told_of_unlisted(folder)
        waiting = set(self._waiting().values())
        for folder in self._folder.entries(self._layout.candidates):
            if folder not in waiting:
                yield f"`{self._layout.relative(folder)}` is not used by the registry. Delete it if you do not need it."

    def _told_of_unlisted(self, folder: Path) -> str:
        try:
            tool = Contents.read(self._folder, folder).approved_tool(folder.name, self._keys)
        except (CorruptRegistry, TamperedTool) as error:
            why = error.reason if isinstance(error, CorruptRegistry) else error.change
            return f"`{self._layout.relative(folder)}` came from elsewhere and is not used: {why}."
        return (
            f"`{tool.name}` v{tool.version} came from elsewhere. `%mcpgen rebuild` takes it up, and `rebuild "
            f"{tool.name}` does so where you had another version, or took it out of use."
        )

    def _waiting(self) -> dict[str, Path]:
        return {i: self._layout.candidate(i, entry.version) for i, entry in self.staging.candidates.items()}

    def _decided(self) -> dict[str, Path]:
        # From the folders, not from the list of tools: an answer can be kept even while that list is broken.
        found: dict[str, Path] = {}
        homes = (
            *(self._layout.rejected, self._layout.expired, self._layout.superseded),
            *(self._layout.duplicates, self._layout.tools),
        )
        for folder in chain.from_iterable(map(self._folder.entries, homes)):
            with suppress(CorruptRegistry):  # a damaged folder hides only itself
                found[read_stored(self._folder, folder).tool_id] = folder
        return found

    def _readable(self, folders: Iterable[Path]) -> Iterator[Contents]:
        for folder in folders:
            try:
                contents = Contents.read(self._folder, folder)
                contents.candidate("")
            except CorruptRegistry:
                continue  # one damaged folder must not hide the others; `problems` reports those that are listed
            yield contents
