"""One candidate's or tool's folder: read at once, parsed on demand, compared with what was written and approved."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from pydantic import Field, ValidationError

from jupyter_mcpgen.errors import CorruptRegistry, RegistryError, TamperedTool
from jupyter_mcpgen.model.candidate import ToolCandidate, ToolStatus
from jupyter_mcpgen.model.card import Card, CardDecision
from jupyter_mcpgen.model.feedback import UserFeedback
from jupyter_mcpgen.model.package import FINGERPRINT_VERSION, Package, fingerprint
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.run import RunArtifacts
from jupyter_mcpgen.model.spec import ToolSpec
from jupyter_mcpgen.model.tool import Approval, PromotedTool, annotations_for
from jupyter_mcpgen.model.validation import ValidationReport
from jupyter_mcpgen.registry.folder import Folder, json_text
from jupyter_mcpgen.registry.layout import (
    APPROVAL,
    ARTIFACTS,
    CANDIDATE,
    CARD,
    FEEDBACK,
    RECORDS,
    REPORT,
    SPEC,
    VERSION,
)
from jupyter_mcpgen.registry.signatures import Keys, Signature

R = TypeVar("R", bound=Record)


class StoredCandidate(Record):
    """`candidate.json`: what no other file of the folder says, and the digests of the files that were shown."""

    tool_id: str
    version: str
    code_hash: str
    spec_hash: str
    fingerprint: str
    fingerprint_version: int = Field(default=1, ge=1, le=FINGERPRINT_VERSION)
    """Older folders do not say it: theirs is the first."""
    status: ToolStatus
    created_at: str
    created_by: str
    dependencies: tuple[str, ...]
    capabilities: tuple[str, ...]
    files: Mapping[str, str]


class StoredApproval(Approval):
    """`approval.json`: the approval with the time of promotion and the digests of all files beside it."""

    promoted_at: str
    files: Mapping[str, str]
    fingerprint_version: int = Field(default=1, ge=1, le=FINGERPRINT_VERSION)
    """Older approvals do not say it: theirs is the first."""
    signature: Signature | None = Field(default=None, exclude_if=lambda value: value is None)
    """Over all the rest; older approvals have none."""

    @property
    def signed_content(self) -> bytes:
        """What the signature is over."""
        return as_json(self.replace(signature=None))


def digest(content: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(content).hexdigest()


def as_json(record: Record) -> bytes:
    """Return a record as the text of its file; the order of fields and of dictionary keys is kept."""
    return (record.model_dump_json(indent=2) + "\n").encode()


@dataclass(frozen=True)
class Contents:
    """All files of one folder, by name."""

    path: Path
    files: Mapping[str, bytes]

    @classmethod
    def read(cls, folder: Folder, path: Path) -> Contents:
        """Read a folder of regular files; anything else, too much, or a linked folder raises `CorruptRegistry`."""
        try:
            return cls(path, folder.read_all(path))
        except OSError as error:
            raise CorruptRegistry(path, error.strerror or str(error)) from error

    @cached_property
    def stored(self) -> StoredCandidate:
        """What `candidate.json` says."""
        return self._record(CANDIDATE, StoredCandidate)

    @cached_property
    def approval(self) -> StoredApproval:
        """The approval of a promoted version."""
        return self._record(APPROVAL, StoredApproval)

    @cached_property
    def spec(self) -> ToolSpec:
        """The contract."""
        return self._record(SPEC, ToolSpec)

    @property
    def feedback(self) -> UserFeedback | None:
        """A person's answers so far."""
        return self._optional(FEEDBACK, UserFeedback)

    @property
    def package(self) -> Package:
        """The files that the author wrote, with those that every package has; nothing that was added later."""
        return Package(files={name: self._text(name) for name in sorted(self.stored.files.keys() - RECORDS)})

    @property
    def fingerprint(self) -> str:
        """The fingerprint of what lies in the folder now."""
        stored = self.stored
        hints = annotations_for(stored.capabilities).model_dump()
        rights, covered = stored.capabilities, stored.fingerprint_version
        return fingerprint(self.spec, stored.version, self.package, hints, stored.dependencies, rights, covered)

    @property
    def card(self) -> Card:
        """The card with the latest status and answers."""
        card, feedback = self._record(CARD, Card), self.feedback
        answers = (
            CardDecision.model_validate(feedback.model_dump(exclude={"decided_by", "reasons", "face"}))
            if feedback
            else None
        )
        return card.replace(status=self.stored.status, feedback=answers or card.feedback)

    def candidate(self, package_path: str) -> ToolCandidate:
        """Return the candidate, put together from its files."""
        return ToolCandidate(
            **self.stored.model_dump(exclude={"files"}),
            spec=self.spec,
            package_path=package_path,
            validation_report=self._optional(REPORT, ValidationReport),
            run_artifacts=self._optional(ARTIFACTS, RunArtifacts),
            user_feedback=self.feedback,
        )

    def tool(self) -> PromotedTool:
        """Return the promoted tool that the folder holds, unchecked."""
        stored, approval, spec = self.stored, self.approval, self.spec
        return PromotedTool(
            **stored.model_dump(exclude={"files", "status", "created_at", "fingerprint_version"}),
            name=spec.tool_name,
            path=self.path,
            spec=spec,
            annotations=annotations_for(stored.capabilities),
            promoted_at=approval.promoted_at,
        )

    def staged_change(self) -> str | None:
        """Say how the files differ from what was staged and shown, or `None` when they do not."""
        shown = {n: c for n, c in self.files.items() if n not in (CANDIDATE, FEEDBACK)}
        return _difference(shown, self.stored.files)

    def approved_tool(self, name: str, keys: Keys | None = None) -> PromotedTool:
        """Return the tool when every byte is as approved, else raise `TamperedTool`; `keys` look at the signature."""
        try:
            approval = self.approval
            change = _difference({n: c for n, c in self.files.items() if n != APPROVAL}, approval.files)
            if change:
                raise TamperedTool(name, change)
            tool, now = self.tool(), self.fingerprint
        except CorruptRegistry as error:
            raise TamperedTool(name, f"`{error.path.name}` cannot be read") from error
        approved = (approval.tool_name, approval.version, approval.fingerprint)
        is_of_this = approved == (tool.name, tool.version, tool.fingerprint)
        refusal = None if keys is None else keys.refusal(approval.signed_content, approval.signature)
        if refusal is not None:
            raise TamperedTool(name, refusal)
        is_of_its_list = approval.fingerprint_version == self.stored.fingerprint_version
        if not (is_of_this and is_of_its_list) or (name, now) != (tool.name, approval.fingerprint):
            raise TamperedTool(name, "its approval is for other content")
        return tool

    def decided(self, status: ToolStatus, feedback: UserFeedback) -> Contents:
        """Return the contents with another status and answers, on the card too, and without an approval."""
        stored = self.stored.replace(status=status)
        changed = self._with({CANDIDATE: as_json(stored), FEEDBACK: as_json(feedback)})
        return changed._showing(changed.card, without=APPROVAL)

    def read_by(self, sentence: str) -> Contents:
        """Return the contents whose card says something else of who read the question."""
        return self._showing(self.card.replace(read_by=sentence))

    def examined(self, report: ValidationReport) -> Contents:
        """Return the contents with another report, and a card that says what it found."""
        content, stored = as_json(report), self.stored
        told = stored.replace(files={**stored.files, REPORT: digest(content)})
        changed = self._with({CANDIDATE: as_json(told), REPORT: content})
        return changed._showing(changed.card.replace(evidence=report.evidence, findings=report.findings))

    def approved(self, approval: Approval, promoted_at: str, keys: Keys | None = None) -> Contents:
        """Return the contents with an approval bound to every file, and signed where there are keys."""
        stored = StoredApproval(
            **approval.model_dump(),
            promoted_at=promoted_at,
            files={name: digest(content) for name, content in self.files.items()},
        )
        if keys is not None:
            stored = stored.replace(signature=keys.sign(stored.signed_content))
        return self._with({APPROVAL: as_json(stored)})

    def _showing(self, card: Card, without: str = "") -> Contents:
        """Return the contents with another card, and its digest among those of what was shown."""
        content, stored = as_json(card), self.stored
        shown = stored.replace(files={**stored.files, CARD: digest(content)})
        return self._with({CANDIDATE: as_json(shown), CARD: content}, without)

    def _with(self, changes: Mapping[str, bytes], without: str = "") -> Contents:
        kept = {name: content for name, content in self.files.items() if name != without}
        return Contents(self.path, {**kept, **changes})

    def _record(self, name: str, kind: type[R]) -> R:
        if name not in self.files:
            raise CorruptRegistry(self.path / name, "the file is missing")
        try:
            return kind.model_validate_json(self.files[name])
        except ValidationError as error:
            raise CorruptRegistry(self.path / name, _first_words(error)) from error

    def _optional(self, name: str, kind: type[R]) -> R | None:
        return self._record(name, kind) if name in self.files else None

    def _text(self, name: str) -> str:
        if name not in self.files:
            raise CorruptRegistry(self.path / name, "the file is missing")
        try:
            return self.files[name].decode()
        except UnicodeDecodeError as error:
            raise CorruptRegistry(self.path / name, "it is not UTF-8 text") from error


def read_stored(folder: Folder, path: Path) -> StoredCandidate:
    """Return what the `candidate.json` in a folder says, without reading the rest."""
    try:
        return Contents(path, {CANDIDATE: folder.read(path / CANDIDATE)}).stored
    except OSError as error:
        raise CorruptRegistry(path, error.strerror or str(error)) from error


def has_same_content(one: Contents, other: Contents) -> bool:
    """Tell whether two folders hold the same contract, code and capabilities, whatever their versions."""
    mine, its = ((each.spec_hash, each.code_hash, each.capabilities) for each in (one.stored, other.stored))
    return mine == its


def candidate_files(candidate: ToolCandidate, package: Package, card: Card) -> dict[str, bytes]:
    """Return the files of a staged candidate's folder."""
    records = {REPORT: candidate.validation_report, ARTIFACTS: candidate.run_artifacts, CARD: card}
    shown = _complete(candidate, package) | {name: as_json(record) for name, record in records.items() if record}
    stored = StoredCandidate(
        **candidate.model_dump(include=set(StoredCandidate.model_fields) - {"files"}),
        files={name: digest(content) for name, content in shown.items()},
    )
    answers = {FEEDBACK: as_json(candidate.user_feedback)} if candidate.user_feedback else {}
    return {**shown, **answers, CANDIDATE: as_json(stored)}


def _complete(candidate: ToolCandidate, package: Package) -> dict[str, bytes]:
    taken = sorted(package.files.keys() & RECORDS)
    if taken:
        raise RegistryError(f"A package cannot hold `{taken[0]}`: the registry writes it. Leave it out.")
    defaults = {
        "__init__.py": "",
        "requirements.txt": "".join(f"{dependency}\n" for dependency in candidate.dependencies),
    }
    contract = {
        SPEC: json_text(candidate.spec.document, sort_keys=False),
        VERSION: candidate.version + "\n",
    }
    return {name: text.encode() for name, text in {**defaults, **package.files, **contract}.items()}


def _difference(files: Mapping[str, bytes], digests: Mapping[str, str]) -> str | None:
    for name in sorted(files.keys() | digests.keys()):
        if name not in files:
            return f"`{name}` is missing"
        if name not in digests:
            return f"`{name}` was added"
        if digest(files[name]) != digests[name]:
            return f"`{name}` was changed"
    return None


def _first_words(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(map(str, first["loc"]))
    return f"{where}: {first['msg']}" if where else first["msg"]
