"""Tools that AI clients make: offered, changed, taken back and looked at; live only after a person consented."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from jupyter_mcpgen.authors.corrected_json import Correction
from jupyter_mcpgen.authors.offered import completed, contract_of_offered, offered_in, package_of_offered
from jupyter_mcpgen.consents import Consents
from jupyter_mcpgen.errors import (
    ConsentDeniedError,
    NameConflictError,
    NameTaken,
    OfferError,
    RegistryError,
    SchemaValidationError,
    SystemToolError,
    TamperedTool,
    ToolNotFoundError,
)
from jupyter_mcpgen.model.candidate import CLIENT, ToolCandidate, ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.diff import Diff
from jupyter_mcpgen.model.event import RegistryChanged
from jupyter_mcpgen.model.feedback import Decision, UserFeedback
from jupyter_mcpgen.model.offered import OfferedTool, Offering, ToolLimits
from jupyter_mcpgen.model.package import code_hash, spec_hash
from jupyter_mcpgen.model.tool import Predecessor, PromotedTool
from jupyter_mcpgen.model.usage import ToolUse
from jupyter_mcpgen.pipeline.diff import diff_versions
from jupyter_mcpgen.pipeline.offering import offer
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.plan.visible import visible
from jupyter_mcpgen.registry.audit import Action, Entry
from jupyter_mcpgen.registry.reserved import check_name
from jupyter_mcpgen.registry.versions import version_key
from jupyter_mcpgen.sandbox.capabilities import WRITES

Mode = Literal["safe", "unsafe"]
_LONGEST_NOTE = 500
_LONGEST_OFFER = 50_000
"""How many characters all that a client says of a tool may take as JSON."""


@dataclass(frozen=True)
class Bounds:
    """What clients may offer: how many tools, how large together in bytes, and what one call may use at most."""

    tools: int = 100
    bytes: int = 10 * 1024 * 1024
    usual: ToolLimits = field(default_factory=ToolLimits)
    most: ToolLimits = field(
        default_factory=lambda: ToolLimits(timeout_seconds=30, memory_mb=1024, rate_limit_per_minute=600)
    )


@dataclass(frozen=True)
class Made:
    """One tool of a client: the offer, and its state."""

    offered: OfferedTool
    tool: PromotedTool | None
    """The active version, where there is one."""
    waiting: ToolCandidate | None
    """The request that waits, where there is one."""
    use: ToolUse


@dataclass(frozen=True)
class ClientTools:
    """The tools that clients made in one registry; `use_of` returns how a tool was used so far."""

    services: Services
    consents: Consents
    mode: Mode
    bounds: Bounds
    use_of: Callable[[str], ToolUse]

    def register(self, offering: Offering, client: str) -> Card:
        """Take a tool that a client offers; its card waits for a person, or is approved by their standing consent.

        The same offer once more gives the same card. Raises an `OfferError`.
        """
        return self._logged(offering, client, Action.REGISTER)

    def update(self, offering: Offering, client: str) -> Card:
        """Take the next version of a client's tool; what is left out stays as it is. Raises an `OfferError`."""
        return self._logged(offering, client, Action.UPDATE)

    def revoke(self, name: str, reason: str | None, client: str) -> Made:
        """Take back a client's tool, which a person can bring back, or the request for one; returns what was taken."""
        made = self.made(name)
        reason = None if reason is None else visible(reason)[:_LONGEST_NOTE]
        registry, by = self.services.registry, f"{CLIENT}{client}"
        if made.waiting is not None:
            registry.reject(made.waiting.tool_id, self._withdrawal(client, reason))
        if made.tool is not None:
            registry.unpublish(made.tool.name, by)
            self.services.announce(RegistryChanged(tool_name=made.tool.name, change="removed"))
        registry.record_client(Action.REVOKE, made.offered.name, by, reason)
        return made

    def all(self) -> tuple[Made, ...]:
        """Return the active tools that clients made, by name."""
        return tuple(self._made())

    def waiting(self) -> tuple[ToolCandidate, ...]:
        """Return the offered tools that wait for a person, newest first."""
        return tuple(candidate for candidate, _ in self.consents.waiting())

    def made(self, name: str) -> Made:
        """Return one tool that a client made, active or waiting; raises `ToolNotFoundError` or `SystemToolError`."""
        requests = self.consents.waiting()
        of_id = next(((each, offered) for each, offered in requests if each.tool_id == name), None)
        if of_id is not None:
            return Made(of_id[1], None, of_id[0], ToolUse())
        waiting = next(((each, offered) for each, offered in requests if offered.name == name), None)
        for each in self._made():
            if each.tool is not None and name in (each.offered.name, each.tool.tool_id):
                return each if waiting is None else Made(each.offered, each.tool, waiting[0], each.use)
        if waiting is not None:
            return Made(waiting[1], None, waiting[0], ToolUse())
        if name in self.services.registry.names() and self._offered_before(name) is None:
            raise SystemToolError(name)
        known = [*(each.offered.name for each in self._made()), *(offered.name for _, offered in requests)]
        raise ToolNotFoundError(name, known)

    def outcome(self, card_id: str) -> Card:
        """Return how the card of an offer stands; raises `ConsentDeniedError` for one that a person declined.

        Raises `ToolNotFoundError` for a card that is of no offer: what a person says of their own is not for clients.
        """
        if self.offered_on(card_id) is None:
            raise ToolNotFoundError(card_id, ())
        card = self.services.registry.card(card_id)
        if card.status is ToolStatus.REJECTED:
            raise ConsentDeniedError(card.tool_name, card.feedback.notes)
        return card

    def offered_on(self, card_id: str) -> OfferedTool | None:
        """Return what a client said of the tool on a card."""
        return offered_in(self.services.registry.package(card_id))

    def approvals(self, name: str) -> tuple[Entry, ...]:
        """Return the lines of the log that say when a version of a tool was approved, the oldest first."""
        entries = self.services.registry.audit.entries()
        return tuple(each for each in entries if (each.action, each.tool_name) == (Action.APPROVED, name))

    def latest_diff(self, name: str) -> Diff | None:
        """Return what changed since the version before, or None for the first version."""
        try:
            return diff_versions(name, None, None, self.services)
        except RegistryError:
            return None

    def size(self) -> int:
        """Return how many bytes the active tools of clients take together."""
        registry = self.services.registry
        packages = (registry.load_package(made.tool) for made in self._made() if made.tool is not None)
        return sum(len(text.encode()) for package in packages for text in package.files.values())

    def refused(self, name: str, error: OfferError, client: str) -> None:
        """Log an offer that was refused."""
        told = f"{type(error).__name__}: {error}"[:_LONGEST_NOTE]
        self.services.registry.record_client(Action.ERROR, name[:64], f"{CLIENT}{client}", told)

    def corrected(self, name: str, correction: Correction, client: str) -> None:
        """Log the correction of malformed JSON."""
        self.services.registry.record_client(
            Action.CORRECTED, name, f"{CLIENT}{client}", correction.told[:_LONGEST_NOTE]
        )

    def _logged(self, offering: Offering, client: str, action: Action) -> Card:
        try:
            card = self._taken(offering, client, action)
        except OfferError as error:
            self.refused(offering.name, error, client)
            raise
        return card

    def _taken(self, offering: Offering, client: str, action: Action) -> Card:
        name, registry = offering.name, self.services.registry
        _require_free(name)
        before = registry.predecessor(name)
        if action is Action.UPDATE:
            offering = offering.after(self._active(name, before))
        _refuse_long(offering)
        offered = completed(offering, client, self.mode, self.bounds.usual, self.services.clock())
        same = self._same_as(offered, before)
        if same is not None:
            if action is Action.UPDATE and not same.status.waits:
                self._refuse_idle(offered, offering.version, before)
            return same
        if action is Action.REGISTER and before is not None and before.is_active:
            raise NameConflictError(
                f"There is a tool named `{name}` already, as version {before.version}. Change it with "
                "`dynamic_update_tool`, or choose another name."
            )
        self._refuse_beyond(offered, is_new=action is Action.REGISTER)
        if before is not None:
            offered = offered.replace(version=self._next(offered, before, offering.version))
        card = offer(offered, before, self.services)
        registry.record_client(action, name, f"{CLIENT}{client}", f"version {offered.version}")
        candidate = registry.candidate(card.card_id)
        is_allowed = self.consents.is_always_allowed(candidate, offered)
        return self.consents.approve_standing(candidate) if is_allowed else card

    def _active(self, name: str, before: Predecessor | None) -> OfferedTool:
        """Return what was said of the active version of a client's tool."""
        if before is None or not before.is_active:
            raise ToolNotFoundError(name, [made.offered.name for made in self._made()])
        if before.tool is None:
            raise TamperedTool(name, "its files are not as approved")
        offered = offered_in(self.services.registry.load_package(before.tool))
        if offered is None:
            raise SystemToolError(name)
        return offered

    def _next(self, offered: OfferedTool, before: Predecessor, asked: str | None) -> str:
        """Return the version of what follows another one: the one that was asked for, if it is higher."""
        if asked is None:
            return self.services.registry.next_version(contract_of_offered(offered).spec)
        if version_key(asked) <= version_key(before.version):
            raise SchemaValidationError(
                f"`version` is {asked}, and `{offered.name}` is at {before.version} already. Give a higher one."
            )
        return asked

    def _same_as(self, offered: OfferedTool, before: Predecessor | None) -> Card | None:
        """Return the card of the same offer, where it waits already, or is what is active."""
        contract, package = contract_of_offered(offered), package_of_offered(offered)
        mine = (spec_hash(contract.spec), code_hash(package), set(contract.capabilities))
        registry = self.services.registry
        for candidate, other in self.consents.waiting():
            its = (candidate.spec_hash, candidate.code_hash, set(candidate.capabilities))
            if (mine, offered.client) == (its, other.client):
                return registry.card(candidate.tool_id)
        tool = before.tool if before is not None and before.is_active else None
        if tool is not None and mine == (tool.spec_hash, tool.code_hash, set(tool.capabilities)):
            return registry.card(tool.tool_id)
        return None

    def _refuse_idle(self, offered: OfferedTool, asked: str | None, before: Predecessor | None) -> None:
        """Refuse an update that would be answered with success and change nothing."""
        old = self._active(offered.name, before)
        if (offered.tags, offered.examples, asked or old.version) != (old.tags, old.examples, old.version):
            raise SchemaValidationError(
                f"Only the version, the tags or the examples of `{offered.name}` would change. Send them together with "
                "a change of the code, the description or the limits."
            )

    def _refuse_beyond(self, offered: OfferedTool, *, is_new: bool) -> None:
        """Refuse what the mode of the server and the bounds do not allow."""
        wanted = sorted(WRITES.intersection(offered.capabilities))
        if self.mode == "safe" and wanted:
            raise SchemaValidationError(
                f"`{offered.name}` asks for `{wanted[0]}`, and this server is in safe mode, which only reads. "
                "The person can change that with `%mcp_option unsafe` and `%mcp_restart`."
            )
        for name in ToolLimits.model_fields:
            limit, most = getattr(offered.resource_limits, name), getattr(self.bounds.most, name)
            if limit > most:
                raise SchemaValidationError(
                    f"`resource_limits.{name}` is {limit:g}, and at most {most:g} is allowed here."
                )
        _refuse_long(offered)
        waiting = len(self.waiting())
        number = waiting + (len(self.all()) if is_new else 0)
        if number >= self.bounds.tools:
            raise SchemaValidationError(
                f"Clients made {number} tools and requests already, and {self.bounds.tools} are allowed. "
                "Revoke one of them."
            )
        if self.size() + len(offered.source_code.encode()) > self.bounds.bytes:
            raise SchemaValidationError("The tools of clients have reached their size limit. Revoke one of them.")

    def _made(self) -> Iterator[Made]:
        for tool in self.services.registry.made_by(CLIENT):
            offered = offered_in(self.services.registry.load_package(tool))
            if offered is not None:
                yield Made(offered, tool, None, self.use_of(tool.name))

    def _offered_before(self, name: str) -> OfferedTool | None:
        tools = self.services.registry.versions(name)
        return next((o for t in tools if (o := offered_in(self.services.registry.approved_package(t)))), None)

    def _withdrawal(self, client: str, reason: str | None) -> UserFeedback:
        return UserFeedback(
            decision=Decision.REJECTED,
            notes=f"Withdrawn by the client. {reason or ''}".strip(),
            timestamp=self.services.clock(),
            decided_by=f"{CLIENT}{client}",
        )


def _refuse_long(said: Offering | OfferedTool) -> None:
    if len(said.model_dump_json()) > _LONGEST_OFFER:
        raise SchemaValidationError(
            f"The offer of `{said.name}` is longer than {_LONGEST_OFFER:,} characters. Shorten it."
        )


def _require_free(name: str) -> None:
    try:
        check_name(name)
    except NameTaken as error:
        raise NameConflictError(str(error)) from error
