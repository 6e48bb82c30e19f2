"""What must be true before a candidate is staged or promoted; each rule raises the error that explains it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from jupyter_mcpgen.errors import DecisionError, NameTaken, NotConfirmed, RegistryError, StaleApproval, UnsoundApproval
from jupyter_mcpgen.model.candidate import ToolCandidate, ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.confirmation import Confirms, unconfirmed
from jupyter_mcpgen.model.feedback import Decision, OutputVerdict, UserFeedback
from jupyter_mcpgen.model.package import Package, code_hash, spec_hash
from jupyter_mcpgen.model.spec import ToolSpec
from jupyter_mcpgen.model.tool import Approval
from jupyter_mcpgen.model.validation import Severity, Verdict
from jupyter_mcpgen.registry.contents import Contents, has_same_content
from jupyter_mcpgen.registry.listing import ActiveEntry
from jupyter_mcpgen.registry.reserved import check_name
from jupyter_mcpgen.registry.versions import change_in_words, next_version, version_key


def check_staging(candidate: ToolCandidate, package: Package, card: Card, contents: Contents) -> None:
    """Refuse a candidate whose hashes, card and files do not belong together."""
    if candidate.status not in (ToolStatus.DRAFT, ToolStatus.STAGED, ToolStatus.REJECTED):
        raise RegistryError(
            f"`{candidate.tool_id}` cannot be staged as {candidate.status}. Give it the status DRAFT before its gates "
            "ran, then STAGED, or REJECTED when they failed."
        )
    claims = {
        "code_hash": candidate.code_hash == code_hash(package),
        "spec_hash": candidate.spec_hash == spec_hash(candidate.spec),
        "fingerprint": candidate.fingerprint == contents.fingerprint == card.fingerprint,
        "card": (card.card_id, card.tool_name, card.version, card.code, card.capabilities)
        == (candidate.tool_id, candidate.spec.tool_name, candidate.version, package.code, candidate.capabilities),
    }
    for what, fits in claims.items():
        if not fits:
            raise RegistryError(
                f"`{candidate.tool_id}` cannot be staged: its `{what}` does not fit its files. Make it from them anew."
            )


def check_decision(contents: Contents, approval: Approval, feedback: UserFeedback) -> None:
    """Refuse to promote without a clear approval of exactly this content."""
    name = contents.spec.tool_name
    if feedback.decision is not Decision.APPROVED:
        raise DecisionError(f"`{name}` was not approved (the decision is {feedback.decision}). Approve or reject it.")
    if feedback.output is OutputVerdict.REJECTED:
        raise DecisionError(
            f"`{name}` was not saved, because you said that its output is wrong. Accept the output first, or reject it."
        )
    stored = contents.stored
    promised = (contents.spec.tool_name, stored.version, stored.fingerprint, stored.fingerprint_version)
    if (approval.tool_name, approval.version, approval.fingerprint, approval.fingerprint_version) != promised:
        raise StaleApproval(name)


def check_approvable(contents: Contents, approval: Approval) -> None:
    """Refuse to promote files that changed since they were shown, failed evidence, or what nobody confirmed."""
    name, card = contents.spec.tool_name, contents.card
    if contents.staged_change() or {contents.fingerprint, card.fingerprint} != {approval.fingerprint}:
        raise StaleApproval(name)
    if not card.sound or contents.stored.status not in (ToolStatus.STAGED, ToolStatus.APPROVED):
        raise UnsoundApproval(name, _reasons(card))
    require_confirmed(card, approval.confirmed)
    check_name(name)


def require_confirmed(card: Card, confirmed: Collection[Confirms]) -> None:
    """Refuse an approval that leaves out a confirmation; raises `NotConfirmed` with what is asked."""
    missing = unconfirmed(card.confirmations, confirmed)
    if missing:
        options = [each.confirms for each in card.confirmations]
        raise NotConfirmed(card.tool_name, card.card_id, [each.sentence for each in missing], options)


def check_archive(contents: Contents, archived: Iterable[Contents]) -> None:
    """Refuse content, or a version, that lies in the archive: the one can be brought back, the other is given away."""
    name, stored = contents.spec.tool_name, contents.stored
    for other in archived:
        if has_same_content(contents, other):
            raise NameTaken(
                f"Version {other.stored.version} of `{name}` has this content already and is in the archive. "
                f"Make it active again with `%mcpgen rollback {name} {other.stored.version}`."
            )
        if other.stored.version == stored.version:
            raise NameTaken(
                f"Another version {stored.version} of `{name}` is in the archive. Save this answer under another name, "
                f"or ask again with `--name {name}` to make the next version of it."
            )


def check_version(contents: Contents, active: ActiveEntry, old: ToolSpec | None) -> None:
    """Refuse a name that an active tool of other content has, unless the version is higher.

    `old` is the active tool's contract when its files are as approved. When they are not, the approved content may
    take its own place again.
    """
    spec, version, diff = contents.spec, contents.stored.version, contents.card.diff
    if diff is not None and diff.before_fingerprint != active.fingerprint:
        raise NameTaken(
            f"This answer shows what changes from version {diff.before} of `{spec.tool_name}`, and version "
            f"{active.version} is active now. Ask again with `--name {spec.tool_name}` to see what changes from that."
        )
    if version_key(version) > version_key(active.version):
        return
    if old is None and active.fingerprint == contents.fingerprint:
        return
    bump = next_version(active.version, old or spec, spec)
    why = f" ({change_in_words(old, spec)})" if old else ""
    raise NameTaken(
        f"`{spec.tool_name}` is registered as version {active.version} with other content, and this one is version "
        f"{version}. Keep it as version {bump}{why}, or choose another name."
    )


def _reasons(card: Card) -> Iterator[str]:
    yield from (evidence.sentence for evidence in card.evidence if evidence.verdict is not Verdict.PASSED)
    yield from (finding.message for finding in card.findings if finding.severity is Severity.ERROR)
