"""The registry: staged candidates, active tools, and every decision in between.

Each public method that changes something is one transaction under a lock. Reads need no lock and never see half a
change. A registry that does not exist yet reads as empty, and the first write creates it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from jupyter_mcpgen.errors import (
    AlreadyDecided,
    CardExpired,
    CorruptRegistry,
    DecisionError,
    RegistryError,
    TamperedTool,
    UnknownTool,
    UnknownVersion,
)
from jupyter_mcpgen.model.candidate import ToolCandidate, ToolStatus
from jupyter_mcpgen.model.card import Archived, Card, is_undecided
from jupyter_mcpgen.model.feedback import Decision, UserFeedback
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.spec import ToolSpec
from jupyter_mcpgen.model.tool import Approval, Predecessor, PromotedTool
from jupyter_mcpgen.model.validation import ValidationReport
from jupyter_mcpgen.plan.visible import visible
from jupyter_mcpgen.registry.audit import PLACED, TAKEN_AWAY, Action, AuditLog, Entry
from jupyter_mcpgen.registry.change import Change
from jupyter_mcpgen.registry.contents import Contents, candidate_files, digest, has_same_content
from jupyter_mcpgen.registry.full_text import Hits
from jupyter_mcpgen.registry.index import Family, IndexedTool, ToolIndex
from jupyter_mcpgen.registry.journal import Checkpoint, no_checkpoint
from jupyter_mcpgen.registry.layout import Layout, check_id
from jupyter_mcpgen.registry.locking import Guard
from jupyter_mcpgen.registry.reserved import normalised
from jupyter_mcpgen.registry.rules import check_approvable, check_archive, check_decision, check_staging, check_version
from jupyter_mcpgen.registry.shelves import Shelves
from jupyter_mcpgen.registry.signatures import Keys
from jupyter_mcpgen.registry.vectors import KeptVectors, Vector
from jupyter_mcpgen.registry.versions import FIRST, next_version, version_key


def utc_now() -> str:
    """Return the time in UTC, ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


_AUTHOR = 16
"""How many letters of a person's public key name their log."""


class Health(Record):
    """What `doctor` found: why nothing can be written (if so), damage to the audit log, and tools that do not load."""

    read_only: str | None = None
    audit: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """True when there is nothing to report."""
        return self == Health()


class Registry:
    """One registry folder, shared safely between threads and processes.

    `checkpoint` is called at every point where a kill would matter; only tests give one. `index_folder` is where the
    index of active tools is kept for the next process, outside the registry, which others may share. With `keys`
    approvals are signed, and signatures looked at. One that is `shared` is in version control, with several people's
    decisions.
    """

    def __init__(
        self,
        root: Path,
        clock: Callable[[], str] = utc_now,
        checkpoint: Checkpoint = no_checkpoint,
        index_folder: Path | None = None,
        keys: Keys | None = None,
        *,
        shared: bool = False,
    ) -> None:
        self.root = root.resolve()
        author = keys.public[:_AUTHOR] if shared and keys is not None else None
        self._layout = Layout(self.root, author)
        self.audit = AuditLog(self._layout)
        self._clock = clock
        self._guard = Guard(self._layout, checkpoint)
        self._keys = keys
        self._shelves = Shelves(self._layout, keys)
        file = f"{digest(os.fsencode(self.root))[:32]}.sqlite"
        kept_in = None if index_folder is None else index_folder / file
        self._index = ToolIndex(kept_in, self._shelves)
        self._vectors = KeptVectors(kept_in)

    # Candidates

    def stage(self, candidate: ToolCandidate, package: Package, card: Card) -> ToolCandidate:
        """Keep a candidate with its card until a person decides; an undecided one of the same id is replaced.

        What the gates rejected waits for nobody: it goes to the archive at once.
        """
        check_id(candidate.tool_id)
        home = self._layout.candidate(candidate.tool_id, candidate.version)
        contents = Contents(home, candidate_files(candidate, package, card))
        check_staging(candidate, package, card, contents)
        with self._change("stage") as change:
            decided = self._shelves.decided(candidate.tool_id)
            if decided is not None:
                raise AlreadyDecided(candidate.spec.tool_name, decided.stored.status)
            if candidate.status is ToolStatus.REJECTED:
                contents = change.refuse(contents)
            else:
                change.add_candidate(contents)
        return self._candidate(contents)

    def discard_draft(self, tool_id: str) -> None:
        """Take away a draft whose question was stopped, as if it had never been kept; nothing else is taken away."""
        if tool_id not in self._guard.read(lambda: self._shelves.staging).candidates:
            return
        with self._change("discard") as change:
            contents = self._shelves.find(tool_id)
            if contents.stored.status is ToolStatus.DRAFT and tool_id in self._shelves.staging.candidates:
                change.discard(contents)

    def staged(self) -> tuple[ToolCandidate, ...]:
        """Return the candidates that wait for a decision, newest first."""
        waiting = self._guard.read(lambda: tuple(map(self._candidate, self._shelves.waiting())))
        return _newest_first(candidate for candidate in waiting if candidate.status.waits)

    def candidates(self) -> tuple[ToolCandidate, ...]:
        """Return every candidate that can be read, decided or not, newest first."""
        return _newest_first(self._guard.read(lambda: tuple(map(self._candidate, self._shelves.everything()))))

    def candidate(self, tool_id: str) -> ToolCandidate:
        """Return a candidate, decided or not, by its id, the beginning of it, or its tool's name while it waits."""
        return self._guard.read(lambda: self._candidate(self._shelves.find(tool_id)))

    def package(self, tool_id: str) -> Package:
        """Return the files of a candidate, among them the `spec.json` and `VERSION` that the registry wrote."""
        return self._guard.read(lambda: self._shelves.find(tool_id).package)

    def card(self, tool_id: str) -> Card:
        """Return a candidate's card with its latest status and answers, wherever the candidate is now."""
        return self._guard.read(lambda: self._standing(self._shelves.find(tool_id)))

    # Decisions

    def record_feedback(self, tool_id: str, feedback: UserFeedback) -> ToolCandidate:
        """Keep the answer to the first question; the candidate goes on waiting for the second."""
        if feedback.decision is not Decision.PENDING:
            raise DecisionError(f"`{tool_id}` is not decided by an answer about its output. Approve or reject it.")
        tool_id = self.candidate(tool_id).tool_id
        with self._change("feedback") as change:
            answered = change.answer(self._undecided(tool_id), feedback)
        return self._candidate(answered)

    def record_second_reading(self, tool_id: str, sentence: str, by: str) -> Card:
        """Say on a card that waits what a second reader read; raises a `DecisionError` for one that was answered."""
        with self._change("second reading") as change:
            contents = self._undecided(tool_id)
            if not is_undecided(contents.card):
                raise AlreadyDecided(contents.spec.tool_name, contents.stored.status)
            return change.read_again(contents, sentence, by).card

    def approve(self, tool_id: str, approval: Approval, feedback: UserFeedback) -> None:
        """Store a person's approval; `promote` then makes the tool, also after a kill between the two."""
        tool_id = self.candidate(tool_id).tool_id
        with self._change("approve") as change:
            contents = self._shelves.find(tool_id)
            check_decision(contents, approval, feedback)
            if contents.stored.status is not ToolStatus.STAGED:
                return  # a second click on Approve, or the first one was cut short
            self._undecided(tool_id)
            check_approvable(contents, approval)
            if self._active_with_content_of(contents) is None and self._to_bring_back(contents) is None:
                self._check_version(contents)
            change.approve(contents, feedback)

    def record_report(self, tool_id: str, report: ValidationReport) -> Card:
        """Add what the gates found since to a candidate that waits; raises a `DecisionError` for one that does not."""
        with self._change("report") as change:
            return change.examine(self._undecided(tool_id), report).card

    def promote(self, tool_id: str, approval: Approval, feedback: UserFeedback) -> PromotedTool:
        """Make an approved candidate an active tool; content that was promoted before is not promoted twice.

        Where it is the content of an unpublished tool, that is made active again.
        """
        tool_id = self.candidate(tool_id).tool_id
        with self._change("promote") as change:
            contents = self._shelves.find(tool_id)
            check_decision(contents, approval, feedback)
            same = self._active_with_content_of(contents)
            if same is not None and contents.stored.status is ToolStatus.PROMOTED:
                return same  # a second click on Approve
            self._undecided(tool_id)
            check_approvable(contents, approval)
            if same is not None:
                change.file_duplicate(contents, feedback)
                return same
            before = self._to_bring_back(contents)
            if before is not None:
                return change.bring_back(contents, before, feedback)
            self._check_version(contents)
            return change.activate(contents, approval, feedback)

    def reject(self, tool_id: str, feedback: UserFeedback) -> ToolCandidate:
        """Move a candidate to the archive, with the reasons."""
        tool_id = self.candidate(tool_id).tool_id
        with self._change("reject") as change:
            rejected = change.reject(self._undecided(tool_id), feedback)
        return self._candidate(rejected)

    def expire(self, days: float) -> tuple[str, ...]:
        """Archive the candidates that wait for longer than so many days, and return their ids.

        Nothing is locked or written where there are none.
        """
        if not self._waiting_longer_than(days):
            return ()
        with self._change("expire") as change:
            expired = tuple(self._waiting_longer_than(days))
            for tool_id in expired:
                change.expire(self._shelves.find(tool_id))
        return expired

    def reopen(self, tool_id: str, by: str) -> ToolCandidate:
        """Let an expired candidate wait for a decision again; one that waits already is returned as it is."""
        tool_id = self.candidate(tool_id).tool_id
        with self._change("reopen") as change:
            contents = self._shelves.find(tool_id)
            if contents.path.parent != self._layout.expired:
                return self._candidate(self._undecided(tool_id))
            return self._candidate(change.reopen(contents, by))

    def _waiting_longer_than(self, days: float) -> list[str]:
        oldest = datetime.fromisoformat(self._clock()) - timedelta(days=days)
        waiting = self._guard.read(lambda: self._shelves.staging).candidates
        return [
            tool_id
            for tool_id, entry in waiting.items()
            if datetime.fromisoformat(entry.waits_since or entry.created_at) < oldest
        ]

    def undo(self, name: str, by: str) -> ToolCandidate | PromotedTool:
        """Take back the latest promotion of a name.

        The candidate waits for a decision again, with its first answer kept. The version that the promotion replaced
        becomes active again and is returned; without one, the candidate is returned.
        """
        name = self.tool(name).name
        with self._change("undo") as change:
            active = self._shelves.tool(name)
            earlier = next(iter(self._shelves.earlier(name, active.stored.version)), None)
            staged = change.deactivate(active, earlier, by)
        return self._candidate(staged) if earlier is None else self.tool(name)

    def rollback(self, name: str, version: str | None, by: str) -> PromotedTool:
        """Make an archived version of a tool active again and return it; the active one goes to the archive.

        Without a version it is the one before the active one, and of an unpublished tool the one that was active last.
        Raises `UnknownTool`, `UnknownVersion`, or `TamperedTool` when the version was changed in the archive.
        """
        name = normalised(name)
        with self._change("rollback") as change:
            change.restore(self._version_to_restore(name, version), by)
        return self.tool(name)

    def unpublish(self, name: str, by: str) -> str:
        """Put the active version of a tool into the archive and return its version; none is active then.

        `rollback` brings it back. It may be a tool whose files are not as approved.
        """
        name = normalised(name)
        with self._change("unpublish") as change:
            entry = self._shelves.active.tools.get(name)
            if entry is None:
                raise UnknownTool(name, self._shelves.active.tools)
            change.unpublish(name, entry, by)
        return entry.version

    def record_client(self, action: Action, name: str, by: str, notes: str | None = None) -> None:
        """Write down what a client did about a tool, or tried in vain."""
        with self._change("client") as change:
            change.log(action, by, notes=notes, name=name)

    def record_missing(self, question: str, capabilities: tuple[str, ...], by: str = "local") -> None:
        """Write down that a question needs something that nothing here computes."""
        with self._change("missing") as change:
            change.log(Action.MISSING_CAPABILITY, by, notes=f"{', '.join(capabilities)}: {question}")

    # Tools

    def active(self) -> tuple[PromotedTool, ...]:
        """Return the active tools that are as approved, by name; `problems` says which are not."""
        return self._guard.read(lambda: tuple(self._shelves.sound_tools()))

    def made_by(self, beginning: str) -> tuple[PromotedTool, ...]:
        """Return the active tools whose maker's name begins so, by name; the files of no other tool are read."""

        def found() -> tuple[PromotedTool, ...]:
            listed = sorted(self._shelves.active.tools.items())
            names = (name for name, entry in listed if entry.created_by.startswith(beginning))
            return tuple(tool for name in names if (tool := self._sound_tool(name)) is not None)

        return self._guard.read(found)

    def indexed(self) -> tuple[IndexedTool, ...]:
        """Return what the active tools compute, by name, mostly without reading their files.

        That may be wrong: before a tool is used or named it must be loaded, and compared with what is said here.
        """
        return self._guard.read(self._index.tools)

    def families(self) -> tuple[Family, ...]:
        """Return what is `indexed`, the tools that calculate the same together, without those that have no plan."""
        return self._guard.read(self._index.families)

    def search(self, query: str, most: int) -> Hits:
        """Return the names of the active tools whose name, description, question or parameters fit some words best."""
        return self._guard.read(lambda: self._index.find(query, most))

    def forget_index(self) -> None:
        """Drop the index, so that the next search reads the tools themselves."""
        self._index.forget()

    def vectors(self, model: str, texts: Collection[str]) -> Mapping[str, Vector]:
        """Return the embeddings by a model that are kept for texts of tools, by text."""
        return self._vectors.of(model, texts)

    def keep_vectors(self, model: str, vectors: Mapping[str, Vector]) -> None:
        """Keep embeddings by a model beside the index, and forget those of texts that no active tool has."""
        self._vectors.keep(model, vectors, {tool.words for tool in self.indexed()})

    def problems(self) -> tuple[str, ...]:
        """Say which listed tools and candidates do not load, and which folders are in no list."""
        return self._guard.read(lambda: tuple(self._shelves.problems()))

    def tool(self, name: str) -> PromotedTool:
        """Return an active tool by name; raises `UnknownTool`, or `TamperedTool` when its files were changed."""
        return self._guard.read(lambda: self._shelves.tool(normalised(name)).tool())

    def loaded(self, name: str) -> tuple[PromotedTool, Package]:
        """Return an active tool with its files, read once and compared with the approval; raises as `tool` does."""
        contents = self._guard.read(lambda: self._shelves.tool(normalised(name)))
        return contents.tool(), contents.package

    def shown(self, name: str) -> tuple[Package, Card]:
        """Return the files of an active tool and its card, compared with the approval; raises as `tool` does."""
        contents = self._guard.read(lambda: self._shelves.tool(normalised(name)))
        return contents.package, contents.card

    def approver(self, tool: PromotedTool) -> str:
        """Say who approved an active tool, and whose key signed that; raises as `tool` does."""
        approval = self._guard.read(lambda: self._shelves.tool(tool.name).approval)
        signed = "not signed" if approval.signature is None else f"signed with the key {approval.signature.key[:12]}…"
        return f"approved by {visible(approval.approved_by)}, {signed}"

    def versions(self, name: str) -> tuple[PromotedTool, ...]:
        """Return the approved versions of a tool that are as approved, newest first, active or in the archive.

        Raises `UnknownTool` for a name that no version has.
        """
        name = normalised(name)
        found = self._guard.read(lambda: self._versions(name))
        if not found:
            raise UnknownTool(name, self.names())
        return tuple(sorted(found, key=lambda tool: version_key(tool.version), reverse=True))

    def next_versions(self, name: str) -> tuple[ToolCandidate, ...]:
        """Return the candidates that wait to become the next version of a tool, newest first."""
        named = (candidate for candidate in self.staged() if candidate.spec.tool_name == normalised(name))
        return tuple(each for each in named if self.card(each.tool_id).diff is not None)

    def names(self) -> frozenset[str]:
        """Return the names that tools have, also unpublished ones and those whose files are not as approved."""
        return self._guard.read(lambda: frozenset({*self._shelves.active.tools, *self._shelves.archived_names()}))

    def predecessor(self, name: str) -> Predecessor | None:
        """Return the version that new content under a name would follow, or None for a name that no tool has."""
        return self._guard.read(lambda: self._predecessor(name))

    def approved_package(self, tool: PromotedTool) -> Package:
        """Return the files of an active or archived version, compared with its approval."""
        if tool.path == self._layout.tool(tool.name):
            return self.load_package(tool)
        contents = self._guard.read(lambda: self._shelves.archived_version(tool.name, tool.version))
        if contents is None or contents.tool() != tool:
            raise TamperedTool(tool.name, f"version {tool.version} is no longer in the archive")
        return contents.package

    def verify(self, tool: PromotedTool) -> None:
        """Compare the files, the approval and the list with each other and with `tool`; raises `TamperedTool`."""
        if self.tool(tool.name) != tool:
            raise TamperedTool(tool.name, "another version took its place")

    def load_package(self, tool: PromotedTool) -> Package:
        """Return the files of an active tool: the bytes that were compared with the approval are those returned."""
        contents = self._guard.read(lambda: self._shelves.tool(tool.name))
        if contents.tool() != tool:
            raise TamperedTool(tool.name, "another version took its place")
        return contents.package

    def next_version(self, spec: ToolSpec) -> str:
        """Return the version that new content under this name needs: the first, or the one after its predecessor."""
        before = self.predecessor(spec.tool_name)
        if before is None:
            return FIRST
        known = self._guard.read(lambda: self._shelves.archived_names()).get(spec.tool_name, ())
        return next_version(before.version, before.tool.spec if before.tool else None, spec, known)

    @property
    def signer(self) -> str | None:
        """The public key that approvals are signed with, in hex; None where they are not."""
        return None if self._keys is None else self._keys.public

    # Care

    def doctor(self) -> Health:
        """Look at everything: can it be written, is the audit chain whole, does every tool load."""
        audit = _told(lambda: self._guard.read(self.audit.verify))
        with suppress(RegistryError):  # told by `problems`
            audit += self._guard.read(lambda: self.audit.untold(self._shelves.sound_tools()))
        return Health(read_only=self._guard.obstacle(), audit=audit, problems=_told(self.problems))

    def rebuild(self, by: str = "local", named: Collection[str] = ()) -> tuple[PromotedTool, ...]:
        """List the tool and candidate folders anew, and return the tools.

        Every folder that is as its own approval says becomes active, but for a version that was taken out of use here,
        or is below one that was active here; those are taken up where they are `named`. In a shared folder nobody
        else's candidates are. A list that could not be read is kept aside as `metadata.json.corrupt-<n>`.
        """
        with self._change("rebuild") as change:
            told = self.audit.own()
            approved = self._shelves.approved_folders()
            tools = tuple(tool for tool in approved if tool.name in named or not _is_withdrawn(tool, told))
            change.relist(tools, tuple(self._candidates_to_list()), by)
        return tools

    def _candidates_to_list(self) -> Iterator[Contents]:
        """Yield the candidates that wait here; in a shared folder, where others may add any, those that were listed."""
        if self._layout.author is None:
            yield from self._shelves.candidate_folders()
            return
        with suppress(CorruptRegistry):  # without a list nothing of it is known
            listed = self._shelves.staging.candidates
            yield from (each for each in self._shelves.candidate_folders() if each.stored.tool_id in listed)

    @contextmanager
    def _change(self, operation: str) -> Iterator[Change]:
        with self._guard.change(operation) as transaction:
            yield Change(self._layout, transaction, self._clock(), self._keys)

    def _candidate(self, contents: Contents) -> ToolCandidate:
        return contents.candidate(self._layout.relative(contents.path))

    def _undecided(self, tool_id: str) -> Contents:
        contents = self._shelves.find(tool_id)
        if contents.path.parent == self._layout.expired:
            raise CardExpired(tool_id)
        if tool_id not in self._shelves.staging.candidates:
            raise AlreadyDecided(contents.spec.tool_name, contents.stored.status)
        return contents

    def _active_with_content_of(self, contents: Contents) -> PromotedTool | None:
        tool, stored = self._sound_tool(contents.spec.tool_name), contents.stored
        mine = (stored.spec_hash, stored.code_hash, stored.capabilities)
        return tool if tool is not None and (tool.spec_hash, tool.code_hash, tool.capabilities) == mine else None

    def _to_bring_back(self, contents: Contents) -> Contents | None:
        """Return the archived version with the content of a candidate, where no version of the name is active."""
        name = contents.spec.tool_name
        if name in self._shelves.active.tools:
            return None
        return next((each for each in self._shelves.archived(name) if has_same_content(contents, each)), None)

    def _standing(self, contents: Contents) -> Card:
        """Return a card that says so where its version was saved and is not the active one."""
        card, stored = contents.card, contents.stored
        if card.status is not ToolStatus.PROMOTED:
            return card
        entry = self._shelves.active.tools.get(card.tool_name)
        if entry is None:
            return card.replace(archived=Archived())
        mine, its = ((one.spec_hash, one.code_hash, one.capabilities) for one in (stored, entry))
        return card if mine == its else card.replace(archived=Archived(active=entry.version))

    def _versions(self, name: str) -> tuple[PromotedTool, ...]:
        active = self._sound_tool(name)
        archived = [contents.tool() for contents in self._shelves.archived(name)]
        others = (tool for tool in archived if active is None or tool.version != active.version)
        return (*([active] if active is not None else []), *others)

    def _predecessor(self, name: str) -> Predecessor | None:
        entry = self._shelves.active.tools.get(name)
        if entry is not None:
            sound = self._sound_tool(name)
            return Predecessor(version=entry.version, fingerprint=entry.fingerprint, is_active=True, tool=sound)
        last = self._active_last(name, self._shelves.archived(name))
        if last is not None:
            tool = last.tool()
            return Predecessor(version=tool.version, fingerprint=tool.fingerprint, is_active=False, tool=tool)
        changed = max(self._shelves.archived_names().get(name, ()), key=version_key, default=None)
        return None if changed is None else Predecessor(version=changed, fingerprint="", is_active=False)

    def _active_last(self, name: str, archived: Sequence[Contents]) -> Contents | None:
        """Return the archived version that was unpublished last, or the newest one where the log does not say."""
        told = (*self.audit.entries(), *self.audit.own())
        unpublished = (e.version for e in reversed(told) if (e.action, e.tool_name) == (Action.UNPUBLISHED, name))
        last = next(unpublished, None)
        return next((each for each in archived if each.stored.version == last), archived[0] if archived else None)

    def _version_to_restore(self, name: str, version: str | None) -> Contents:
        entry, archived = self._shelves.active.tools.get(name), self._shelves.archived(name)
        if entry is None and name not in self._shelves.archived_names():
            raise UnknownTool(name, {*self._shelves.active.tools, *self._shelves.archived_names()})
        if version is not None:
            chosen = self._shelves.archived_version(name, version)
        elif entry is None:
            chosen = self._active_last(name, archived)
        else:
            chosen = next(iter(self._shelves.earlier(name, entry.version)), None)
        if chosen is not None:
            return chosen
        known = [*([f"{entry.version} (active)"] if entry else []), *(each.stored.version for each in archived)]
        is_active = entry is not None and version == entry.version
        missing = f"There is no version {version}." if version else "There is no earlier version."
        raise UnknownVersion(name, f"Version {version} is active already." if is_active else missing, known)

    def _check_version(self, contents: Contents) -> None:
        name = contents.spec.tool_name
        check_archive(contents, self._shelves.archived(name))
        entry = self._shelves.active.tools.get(name)
        if entry is not None:
            sound = self._sound_tool(name)
            check_version(contents, entry, sound.spec if sound else None)

    def _sound_tool(self, name: str) -> PromotedTool | None:
        try:
            return self._shelves.tool(name).tool()
        except (UnknownTool, TamperedTool):
            return None


def _is_withdrawn(tool: PromotedTool, told: Sequence[Entry]) -> bool:
    """Tell whether our log says that another version is active here or none, and none that came before this one."""
    mine = [entry for entry in told if entry.tool_name == tool.name and entry.action in PLACED | TAKEN_AWAY]
    if not mine:
        return False
    last = mine[-1]
    if last.action in PLACED and (last.version, last.fingerprint) == (tool.version, tool.fingerprint):
        return False
    return version_key(tool.version) <= max(version_key(entry.version) for entry in mine)


def _told(look: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
    try:
        return look()
    except RegistryError as error:
        return (str(error),)


def open_registry(
    root: Path,
    card_days: float,
    index_folder: Path | None = None,
    keys: Keys | None = None,
    *,
    shared: bool = False,
) -> Registry:
    """Return a registry after cards that waited for more than so many days went to its archive.

    With `keys` approvals are signed, and signatures looked at.

    Raises `RegistryError` for a path that is a file.
    """
    if root.is_file():
        raise RegistryError(f"The registry must be a folder, and `{root}` is a file. Set `registry.path` to a folder.")
    registry = Registry(root, index_folder=index_folder, keys=keys, shared=shared)
    with suppress(RegistryError):  # a registry that cannot be changed says so to whoever wants to change it
        registry.expire(card_days)
    return registry


def _newest_first(candidates: Iterable[ToolCandidate]) -> tuple[ToolCandidate, ...]:
    return tuple(sorted(candidates, key=lambda candidate: (candidate.created_at, candidate.tool_id), reverse=True))
