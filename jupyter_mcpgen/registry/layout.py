"""Where everything is in the registry's folder: paths only, nothing is read or written here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from jupyter_mcpgen.errors import RegistryError
from jupyter_mcpgen.registry.folder import Folder

CANDIDATE = "candidate.json"
SPEC = "spec.json"
VERSION = "VERSION"
REPORT = "validation_report.json"
ARTIFACTS = "run_artifacts.json"
CARD = "card.json"
FEEDBACK = "user_feedback.json"
APPROVAL = "approval.json"
METADATA = "metadata.json"

RECORDS = frozenset({CANDIDATE, REPORT, ARTIFACTS, CARD, FEEDBACK, APPROVAL, METADATA})
"""Files beside the package that the registry writes; a package may not bring its own."""

SAFE_ID = "[A-Za-z0-9][A-Za-z0-9_-]{0,99}"


LOG = "log"
"""What the log of a registry is called that has one person's decisions only."""


@dataclass(frozen=True)
class Layout:
    """The paths of one registry.

    In a folder that several people share, each person writes a log of their own under the name of an `author`, and what
    is derived stays out of version control, so that the work of two people merges without a conflict.
    """

    root: Path
    author: str | None = None

    @property
    def folder(self) -> Folder:
        """The folder through which all of this is read and written."""
        return Folder(self.root)

    @property
    def lock(self) -> Path:
        """The file that writers lock."""
        return self.root / ".lock"

    @property
    def journal(self) -> Path:
        """The list of steps of the change under way; exists only while one is."""
        return self.root / ".journal.json"

    @property
    def workshop(self) -> Path:
        """Where new content is prepared before it is moved into place."""
        return self.root / ".txn"

    @property
    def metrics(self) -> Path:
        """What was generated, decided and called; no decision depends on it."""
        return self.root / "metrics.json"

    @property
    def metrics_lock(self) -> Path:
        """The file that writers of the metrics lock."""
        return self.root / ".metrics.lock"

    @property
    def unshared(self) -> tuple[str, ...]:
        """The names of what belongs to one machine, and stays out of version control."""
        own = (self.lock, self.journal, self.workshop, self.metrics, self.metrics_lock)
        derived = () if self.author is None else (self.active_metadata, self.staging_metadata.parent)
        return tuple(self.relative(path) for path in (*own, *derived))

    @property
    def active_metadata(self) -> Path:
        """The list of active tools."""
        return self.root / "active" / METADATA

    @property
    def tools(self) -> Path:
        """One folder per active tool."""
        return self.root / "active" / "tools"

    @property
    def staging_metadata(self) -> Path:
        """The list of staged candidates."""
        return self.root / "staging" / METADATA

    @property
    def candidates(self) -> Path:
        """One folder per staged candidate."""
        return self.root / "staging" / "candidates"

    @property
    def rejected(self) -> Path:
        """One folder per rejected candidate."""
        return self.root / "archive" / "rejected"

    @property
    def expired(self) -> Path:
        """One folder per candidate that waited too long for a decision; it can be reopened."""
        return self.root / "archive" / "expired"

    @property
    def superseded(self) -> Path:
        """One folder per approved version that is not active: replaced, rolled back from, or unpublished."""
        return self.root / "archive" / "superseded"

    @property
    def duplicates(self) -> Path:
        """One folder per approved candidate whose content was active already."""
        return self.root / "archive" / "duplicates"

    @property
    def unlisted(self) -> Path:
        """Folders that nobody listed and that were in the way."""
        return self.root / "archive" / "unlisted"

    @property
    def audits(self) -> Path:
        """The folder of all logs of decisions."""
        return self.root / "audit"

    @property
    def audit(self) -> Path:
        """The append-only log of decisions that is written here."""
        return self.audits / f"{self.author or LOG}.jsonl"

    @property
    def audit_head(self) -> Path:
        """Number and hash of the last line of that log, so that a cut tail is noticed."""
        return self.head_of(self.audit)

    def head_of(self, log: Path) -> Path:
        """Return where number and hash of the last line of a log are kept."""
        return log.with_name("head.json" if log.stem == LOG else f"{log.stem}.head.json")

    @property
    def pulse(self) -> tuple[Path, ...]:
        """The files of which every change replaces at least one."""
        return self.active_metadata, self.staging_metadata, self.audit_head

    @property
    def folders(self) -> tuple[Path, ...]:
        """Every folder that has a fixed place; none of them may be a symbolic link."""
        archives = (self.rejected, self.expired, self.superseded, self.duplicates, self.unlisted)
        parents = (self.tools.parent, self.candidates.parent, self.rejected.parent)
        return (*parents, self.tools, self.candidates, *archives, self.audits, self.workshop)

    def tool(self, name: str) -> Path:
        """Return the folder of an active tool."""
        return self.tools / name

    def candidate(self, tool_id: str, version: str) -> Path:
        """Return the folder of a staged candidate."""
        return self.candidates / f"{tool_id}_{version}"

    def relative(self, path: Path) -> str:
        """Return a path as it is written into files: from the root, with slashes."""
        return path.relative_to(self.root).as_posix()

    def absolute(self, relative: str) -> Path:
        """Return the path that a step of a change names; raises `ValueError` where the registry keeps nothing.

        Other folders in the root do not belong to the registry: a step into `.git` could give git a program to run.
        """
        path = PurePosixPath(relative)
        homes = {folder.relative_to(self.root).parts[0] for folder in self.folders}
        if path.is_absolute() or len(path.parts) < 2 or path.parts[0] not in homes or ".." in path.parts:
            raise ValueError(f"`{relative}` is outside the folders of the registry")
        if "\\" in relative or "\0" in relative:
            raise ValueError(f"`{relative}` is not a valid path: it contains a backslash or a null character")
        return self.root / path


def check_id(tool_id: str) -> None:
    """Refuse an id that could not be part of a folder's name."""
    if not re.fullmatch(SAFE_ID, tool_id):
        raise RegistryError(
            f"`{tool_id}` cannot be the id of a tool. Use up to 100 letters, digits, `-` and `_`, such as a UUID."
        )
