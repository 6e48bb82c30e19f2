"""The verbs of a change: what each decision moves, lists and logs, collected into one transaction."""

from __future__ import annotations

from pathlib import Path

from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.feedback import Decision, Reason, UserFeedback
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.tool import Approval, PromotedTool
from jupyter_mcpgen.model.validation import Severity, ValidationReport
from jupyter_mcpgen.registry.audit import Action, AuditLog, Happening
from jupyter_mcpgen.registry.contents import Contents, as_json
from jupyter_mcpgen.registry.journal import Transaction
from jupyter_mcpgen.registry.layout import METADATA, Layout
from jupyter_mcpgen.registry.listing import (
    Active,
    ActiveEntry,
    Staging,
    active_entry,
    is_broken,
    listing_bytes,
    staged_entry,
)
from jupyter_mcpgen.registry.shelves import Shelves
from jupyter_mcpgen.registry.signatures import Keys


class Rejection(Record):
    """`metadata.json` in the folder of a rejected candidate."""

    tool_id: str
    tool_name: str
    version: str
    rejected_at: str
    rejected_by: str
    spec_hash: str
    code_hash: str
    fingerprint: str
    created_at: str
    created_by: str


class Change:
    """One decision being carried out at one time; `now` is the time that all its records carry."""

    def __init__(self, layout: Layout, transaction: Transaction, now: str, keys: Keys | None = None) -> None:
        self._layout = layout
        self._folder = layout.folder
        self._transaction = transaction
        self._keys = keys
        self._shelves = Shelves(layout, keys)
        self._now = now

    def add_candidate(self, contents: Contents) -> None:
        """Put a candidate on the staging shelf, in place of an older one with its id."""
        tool_id = contents.stored.tool_id
        older = self._shelves.staging.candidates.get(tool_id)
        if older is not None:
            self._transaction.remove(self._layout.candidate(tool_id, older.version))
        if older is None or older.version != contents.stored.version:
            self._clear(contents.path)
        self._transaction.put_folder(contents.path, contents.files)
        entry = staged_entry(contents, self._layout, waits_since=self._now)
        self._put(self._layout.staging_metadata, self._shelves.staging.put(tool_id, entry))

    def discard(self, contents: Contents) -> None:
        """Take a draft away; that it was there is in no log either."""
        self._leave_staging(contents)

    def answer(self, contents: Contents, feedback: UserFeedback) -> Contents:
        """Store an answer with a candidate that goes on waiting."""
        answered = contents.decided(contents.stored.status, feedback)
        self._put_what_differs(contents, answered)
        words = feedback.output if feedback.notes is None else f"{feedback.output}: {feedback.notes}"
        self.log(Action.FEEDBACK, feedback.decided_by, contents, words)
        return answered

    def read_again(self, contents: Contents, sentence: str, by: str) -> Contents:
        """Say on the card of a candidate what a second reader read."""
        read = contents.read_by(sentence)
        self._put_what_differs(contents, read)
        self.log(Action.READ_AGAIN, by, contents, sentence)
        return read

    def examine(self, contents: Contents, report: ValidationReport) -> Contents:
        """Store a report that says more of a candidate, and show it on its card."""
        examined = contents.examined(report)
        self._put_what_differs(contents, examined)
        return examined

    def _put_what_differs(self, before: Contents, after: Contents) -> None:
        for name, content in after.files.items():
            if content != before.files.get(name):
                self._transaction.put_file(before.path / name, content)

    def refuse(self, contents: Contents) -> Contents:
        """Archive a candidate that its gates rejected, with their report."""
        reasons = (item.sentence for item in contents.card.evidence if not item.is_good)
        errors = (item.message for item in contents.card.findings if item.severity is Severity.ERROR)
        return self._to_rejected(contents, "gates", " ".join((*reasons, *errors)))

    def approve(self, contents: Contents, feedback: UserFeedback) -> Contents:
        """Store that a person approved a candidate; it becomes a tool by `activate`."""
        approved = contents.decided(ToolStatus.APPROVED, feedback)
        self._put_what_differs(contents, approved)
        self.log(Action.APPROVED, feedback.decided_by, contents, feedback.notes)
        return approved

    def activate(self, contents: Contents, approval: Approval, feedback: UserFeedback) -> PromotedTool:
        """Publish an approved candidate as the active version of its name; the old version is archived."""
        target = self._layout.tool(contents.spec.tool_name)
        decided = contents.decided(ToolStatus.PROMOTED, feedback).approved(approval, self._now, self._keys)
        promoted = Contents(target, decided.files)
        replaced = self._shelves.active.tools.get(target.name)
        if replaced is None:
            self._clear(target)
        else:
            self._archive(target, replaced.version)
        self._transaction.put_folder(target, promoted.files)
        self._list_tool(promoted)
        self._leave_staging(contents)
        self.log(Action.PROMOTED, approval.approved_by, contents, feedback.notes)
        return promoted.tool()

    def file_duplicate(self, contents: Contents, feedback: UserFeedback) -> None:
        """Archive an approved candidate whose content is active already."""
        self._put_beside(contents, feedback)
        self.log(Action.DUPLICATE, feedback.decided_by, contents, feedback.notes)

    def bring_back(self, contents: Contents, archived: Contents, feedback: UserFeedback) -> PromotedTool:
        """Make an archived version active again, because a candidate with its content was approved."""
        self._put_beside(contents, feedback)
        self.restore(archived, feedback.decided_by)
        return Contents(self._layout.tool(archived.spec.tool_name), archived.files).tool()

    def _put_beside(self, contents: Contents, feedback: UserFeedback) -> None:
        promoted = contents.decided(ToolStatus.PROMOTED, feedback)
        self._transaction.put_folder(
            self._folder.free_name(self._layout.duplicates / contents.path.name), promoted.files
        )
        self._leave_staging(contents)

    def reject(self, contents: Contents, feedback: UserFeedback) -> Contents:
        """Archive a candidate with the reasons against it."""
        rejected = contents.decided(ToolStatus.REJECTED, feedback.replace(decision=Decision.REJECTED))
        return self._to_rejected(rejected, feedback.decided_by, feedback.notes, feedback.reasons)

    def _to_rejected(
        self, contents: Contents, by: str, notes: str | None, reasons: tuple[Reason, ...] = ()
    ) -> Contents:
        stamp = self._now.replace(":", "").replace("-", "")
        folder = self._folder.free_name(self._layout.rejected / f"{contents.stored.tool_id}_{stamp}")
        about = Rejection(
            **contents.stored.model_dump(include=set(Rejection.model_fields)),
            tool_name=contents.spec.tool_name,
            rejected_at=self._now,
            rejected_by=by,
        )
        self._transaction.put_folder(folder, {**contents.files, METADATA: as_json(about)})
        self._leave_staging(contents)
        self.log(Action.REJECTED, by, contents, notes, reasons)
        return Contents(folder, contents.files)

    def expire(self, contents: Contents) -> None:
        """Put a candidate that nobody decided about aside, as it is."""
        folder = self._folder.free_name(self._layout.expired / contents.path.name)
        self._transaction.put_folder(folder, contents.files)
        self._leave_staging(contents)
        self.log(Action.EXPIRED, "expiry", contents)

    def reopen(self, expired: Contents, by: str) -> Contents:
        """Let an expired candidate wait for a decision again."""
        stored = expired.stored
        waiting = Contents(self._layout.candidate(stored.tool_id, stored.version), expired.files)
        self._transaction.remove(expired.path)
        self.add_candidate(waiting)
        self.log(Action.REOPENED, by, expired)
        return waiting

    def deactivate(self, active: Contents, earlier: Contents | None, by: str) -> Contents:
        """Bring a tool back to the staging shelf, undecided, and the version that it replaced back into its place."""
        feedback = active.feedback or UserFeedback(timestamp=self._now)
        waiting = active.decided(ToolStatus.STAGED, feedback.replace(decision=Decision.PENDING))
        staged = Contents(self._layout.candidate(active.stored.tool_id, active.stored.version), waiting.files)
        self._transaction.remove(active.path)
        self.add_candidate(staged)
        if earlier is None:
            self._put(self._layout.active_metadata, self._shelves.active.put(active.path.name, None))
        else:
            self._transaction.move(earlier.path, active.path)
            self._list_tool(Contents(active.path, earlier.files))
        self.log(Action.UNDONE, by, active)
        return staged

    def restore(self, archived: Contents, by: str) -> None:
        """Make an archived version the active one of its name; the one that was active goes to the archive."""
        name = archived.spec.tool_name
        target, replaced = self._layout.tool(name), self._shelves.active.tools.get(name)
        if replaced is None:
            self._clear(target)
        else:
            self._archive(target, replaced.version)
        self._transaction.move(archived.path, target)
        self._list_tool(Contents(target, archived.files))
        notes = None if replaced is None else f"in place of version {replaced.version}"
        self.log(Action.ROLLED_BACK, by, archived, notes)

    def unpublish(self, name: str, entry: ActiveEntry, by: str) -> None:
        """Put the active version of a tool into the archive, as it is."""
        self._archive(self._layout.tool(name), entry.version)
        self._put(self._layout.active_metadata, self._shelves.active.put(name, None))
        shared = {"tool_id", "version", "fingerprint", "spec_hash"}
        self._log(
            Happening(
                at=self._now, action=Action.UNPUBLISHED, by=by, tool_name=name, **entry.model_dump(include=shared)
            )
        )

    def relist(self, tools: tuple[PromotedTool, ...], candidates: tuple[Contents, ...], by: str) -> None:
        """Write both lists anew; a list that cannot be read is kept aside."""
        actives, waiting = self._layout.active_metadata, self._layout.staging_metadata
        for path in (p for p, kind in ((actives, Active), (waiting, Staging)) if is_broken(self._folder, p, kind)):
            self._transaction.move(path, self._aside(path))
        self._put(actives, Active(tools={tool.name: active_entry(tool, self._layout) for tool in tools}))
        entries = {contents.stored.tool_id: staged_entry(contents, self._layout) for contents in candidates}
        self._put(waiting, Staging(candidates=entries))
        self.log(Action.REBUILT, by)

    def log(
        self,
        action: Action,
        by: str,
        about: Contents | None = None,
        notes: str | None = None,
        reasons: tuple[Reason, ...] = (),
        name: str = "",
    ) -> None:
        """Add the audit line of this change; `name` is that of a tool without files here."""
        fields = about.stored.model_dump(include={"tool_id", "version", "fingerprint", "spec_hash"}) if about else {}
        name = about.spec.tool_name if about else name
        told = Happening(at=self._now, action=action, by=by, notes=notes, tool_name=name, reasons=reasons, **fields)
        self._log(told)

    def _log(self, happening: Happening) -> None:
        entry = AuditLog(self._layout).next(happening)
        self._transaction.append(self._layout.audit, entry.line)
        self._transaction.put_file(self._layout.audit_head, as_json(entry.head))

    def _list_tool(self, contents: Contents) -> None:
        entry = active_entry(contents.tool(), self._layout)
        self._put(self._layout.active_metadata, self._shelves.active.put(contents.path.name, entry))

    def _leave_staging(self, contents: Contents) -> None:
        self._transaction.remove(contents.path)
        self._put(self._layout.staging_metadata, self._shelves.staging.put(contents.stored.tool_id, None))

    def _archive(self, tool: Path, version: str) -> None:
        self._transaction.move(tool, self._folder.free_name(self._layout.superseded / f"{tool.name}_{version}"))

    def _clear(self, place: Path) -> None:
        if self._folder.exists(place):
            self._transaction.move(place, self._folder.free_name(self._layout.unlisted / place.name))

    def _put(self, path: Path, listing: Active | Staging) -> None:
        self._transaction.put_file(path, listing_bytes(listing))

    def _aside(self, path: Path) -> Path:
        number = 1
        while self._folder.exists(aside := path.with_name(f"{path.name}.corrupt-{number}")):
            number += 1
        return aside
