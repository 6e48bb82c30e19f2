"""The dynamic family: clients offer tools, change them, take them back, look at them; a person decides (seed 002)."""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from pydantic import ValidationError

from jupyter_mcpgen.authors.corrected_json import Correction, Corrector
from jupyter_mcpgen.client_tools import ClientTools, Made
from jupyter_mcpgen.consent_text import paragraphs_of
from jupyter_mcpgen.consents import STANDING
from jupyter_mcpgen.errors import (
    ConsentDeniedError,
    ConsentTimeoutError,
    McpgenError,
    OfferError,
    SchemaValidationError,
)
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.consent import ConsentDecision
from jupyter_mcpgen.model.feedback import Face
from jupyter_mcpgen.model.offered import OfferedTool, Offering, ToolLimits
from jupyter_mcpgen.tools.dynamic_records import (
    ApprovedVersion,
    InspectTool,
    ListTools,
    Nothing,
    RegisterTool,
    RevokeTool,
    Stats,
    Taken,
    ToolLine,
    ToolList,
    ToolPage,
    UpdateDiff,
    UpdateTool,
)
from jupyter_mcpgen.tools.offer import MAKES, READS, REPLACES, Caller, Offer, Question, Reply

POLL_SECONDS = 0.1
_ALLOW = "allow"
_MOST_LEVELS = 32
_JSON_FIELDS = ("parameters", "capabilities", "returns", "examples", "tags", "resource_limits")


def offers(
    tools: Callable[[], ClientTools], most_wait: float, corrector: Corrector | None = None, *, asks_client: bool = False
) -> tuple[Offer[Any], ...]:
    """Return the family over the tools of one registry; a client may wait so many seconds for a person.

    `tools` returns the same ones every time. `corrector` is there where malformed JSON is to be corrected. With
    `asks_client` the person may also decide in the client that offers a tool.
    """
    family = _Dynamic(tools, most_wait, corrector)
    changes = partial(Offer, changes_tools=True, administers=True)
    waits = partial(changes, waits=True, asking=_Consent(tools) if asks_client else None)
    return (
        waits("dynamic_register_tool", RegisterTool, Taken, MAKES, family.register),
        waits("dynamic_update_tool", UpdateTool, Taken, MAKES, family.update),
        changes("dynamic_revoke_tool", RevokeTool, Taken, REPLACES, family.revoke),
        Offer("dynamic_list_tools", ListTools, ToolList, READS, family.list_tools),
        Offer("dynamic_inspect_tool", InspectTool, ToolPage, READS, family.inspect, changes_tools=True),
        Offer("dynamic_registry_stats", Nothing, Stats, READS, family.stats),
    )


class _Dynamic:
    """The tools of the family, a few lines each."""

    def __init__(self, tools: Callable[[], ClientTools], most_wait: float, corrector: Corrector | None) -> None:
        self._open = tools
        self._most_wait = most_wait
        self._corrector = corrector

    @property
    def _tools(self) -> ClientTools:
        """The tools of clients, put together when one is first asked for: that begins the sandbox."""
        return self._open()

    def register(self, asked: RegisterTool, caller: Caller) -> Reply:
        """Take a tool; it is live when a person says so."""
        return self._offered(asked, caller, self._tools.register, "registered")

    def update(self, asked: UpdateTool, caller: Caller) -> Reply:
        """Take the next version of a tool."""
        return self._offered(asked, caller, self._tools.update, "updated")

    def revoke(self, asked: RevokeTool, caller: Caller) -> Reply:
        """Take back a tool, or the request for one."""
        try:
            if not isinstance(asked.reason, str | None):
                raise SchemaValidationError("`reason` is no text. Send it as text, or leave it out.")
            taken = self._tools.revoke(str(asked.name), asked.reason, caller.client)
        except McpgenError as error:
            return _refused(str(asked.name), error)
        name, version = taken.offered.name, taken.offered.version
        if taken.tool is None:
            message = f"The request for '{name}' is withdrawn."
        else:
            message = f"Tool '{name}' revoked successfully. The person can bring it back."
        return _taken(Taken(status="success", success=True, tool_name=name, message=message, version=version))

    def list_tools(self, asked: ListTools, _: Caller) -> Reply:
        """List the tools that clients made."""
        capability = asked.capability or asked.filter_capability
        found = tuple(
            _line(made)
            for made in self._tools.all()
            if asked.author in (None, made.offered.author)
            and (asked.tag is None or asked.tag in made.offered.tags)
            and (capability is None or capability in made.offered.capabilities)
        )
        waiting = tuple(candidate.tool_id for candidate in self._tools.waiting())
        record = ToolList(count=len(found), total=len(found), tools=found, pending=waiting)
        lines = [f"- **{tool.name}** (v{tool.version}): {tool.description}" for tool in found]
        lines += [f"Waits for the person: `{request_id}`" for request_id in waiting]
        return Reply("\n".join(lines) or "No client made a tool yet.", record)

    def inspect(self, asked: InspectTool, _: Caller) -> Reply:
        """Return everything about one tool, or how its request stands."""
        try:
            made = self._tools.made(asked.name)
        except McpgenError as error:
            return self._declined(asked.name) or _page_of_error(error)
        record = self._page(made, show_diff=asked.show_diff)
        return Reply(record.model_dump_json(indent=2, exclude_defaults=True), record)

    def stats(self, _: Nothing, __: Caller) -> Reply:
        """Return how many tools there are."""
        tools, bounds = self._tools.all(), self._tools.bounds
        record = Stats(
            total_tools=len(tools),
            pending=len(self._tools.waiting()),
            by_author=dict(Counter(made.offered.author for made in tools)),
            by_capability=dict(Counter(each for made in tools for each in made.offered.capabilities)),
            total_invocations=sum(made.use.calls for made in tools),
            size_bytes=self._tools.size(),
            most_tools=bounds.tools,
            most_bytes=bounds.bytes,
            mode=self._tools.mode,
        )
        return Reply(record.model_dump_json(indent=2), record)

    def _offered(self, asked: RegisterTool, caller: Caller, take: Callable[[Offering, str], Card], done: str) -> Reply:
        try:
            before = self._before(str(asked.name))
            try:
                offering, correction = _offering(asked, self._corrector)
            except OfferError as error:
                self._tools.refused(str(asked.name), error, caller.client)
                raise
            taken = take(offering, caller.client)
            if correction is not None:
                self._tools.corrected(offering.name, correction, caller.client)
            card = self._decided(taken, asked.wait_seconds, caller)
        except McpgenError as error:
            return _refused(str(asked.name), error)
        return _taken(_with_correction(self._answer(card, before, done), correction))

    def _before(self, name: str) -> OfferedTool | None:
        return next((made.offered for made in self._tools.all() if made.offered.name == name), None)

    def _decided(self, card: Card, wait_seconds: float, caller: Caller) -> Card:
        """Return the card once a person decided, or as it is when the client waits no longer."""
        seconds = min(max(wait_seconds, 0), self._most_wait)
        until = time.monotonic() + seconds
        while card.status.waits and time.monotonic() < until and not caller.cancellation.is_cancelled:
            time.sleep(POLL_SECONDS)
            card = self._tools.outcome(card.card_id)
        if card.status.waits and seconds:
            raise ConsentTimeoutError(card.tool_name, card.card_id, seconds)
        return card

    def _answer(self, card: Card, before: OfferedTool | None, done: str) -> Taken:
        name, version = card.tool_name, card.version
        diff = self._diff(card, before)
        if card.status.waits:
            message = (
                f"`{name}` waits for the person's decision, in JupyterLab or with `jupyter mcpgen inbox`. It cannot be "
                f"called yet. Call `dynamic_inspect_tool` with `{card.card_id}` to see the decision."
            )
            return Taken(
                status="pending", success=False, tool_name=name, message=message, version=version,
                request_id=card.card_id, diff=diff,
            )  # fmt: skip
        message = f"Tool '{name}' {done} successfully"
        return Taken(
            status="success", success=True, tool_name=name, message=message, version=version,
            request_id=card.card_id, diff=diff,
        )  # fmt: skip

    def _diff(self, card: Card, before: OfferedTool | None) -> UpdateDiff | None:
        if before is None:
            return None
        made = self._tools.offered_on(card.card_id)
        return None if made is None or made.version == before.version else _changed(before, made)

    def _declined(self, name: str) -> Reply | None:
        """Return how a request that was decided ended, if the name is that of one."""
        try:
            self._tools.outcome(name)
        except ConsentDeniedError as error:
            return _page_of_error(error)
        except McpgenError:
            return None
        return None

    def _page(self, made: Made, *, show_diff: bool) -> ToolPage:
        offered, waiting = made.offered, made.waiting
        is_live = made.tool is not None
        told = "" if waiting is None else f"`{waiting.tool_id}` waits for the person's decision."
        return ToolPage(
            status="success" if is_live else "pending",
            success=is_live,
            message=told,
            request_id=waiting.tool_id if waiting is not None else None,
            name=offered.name,
            version=offered.version,
            description=offered.description,
            author=offered.author,
            created_at=offered.created_at,
            updated_at=offered.updated_at,
            capabilities=offered.capabilities,
            parameters=tuple(each.model_dump(mode="json") for each in offered.parameters),
            returns=offered.returns.model_dump(mode="json"),
            resource_limits=offered.resource_limits,
            source_code=offered.source_code,
            examples=offered.examples,
            tags=offered.tags,
            invocation_count=made.use.calls,
            last_invoked_at=made.use.last_used or None,
            approval_history=tuple(
                ApprovedVersion(version=each.version, approved_at=each.at, decision=_decision(each.notes))
                for each in self._tools.approvals(offered.name)
            ),
            diff=self._tools.latest_diff(offered.name) if show_diff else None,
        )


@dataclass(frozen=True)
class _Consent:
    """Asks the person at the client about an offer that waits."""

    tools: Callable[[], ClientTools]

    def question(self, reply: Reply) -> Question | None:
        """Return what is asked about an offer that waits, with a token that decides once."""
        record = reply.record
        if not isinstance(record, Taken) or record.status != "pending" or record.request_id is None:
            return None
        request = self.tools().consents.request(record.request_id)
        ticks = {_ALLOW: f"Let AI clients call `{request.tool_name}`?"}
        ticks |= {each.confirms.value: f"{each.sentence} {each.yes}" for each in request.confirmations}
        return Question("\n\n".join(paragraphs_of(request)), ticks, f"{request.request_id} {request.token}")

    def answered(self, reply: Reply, state: str, ticked: Collection[str] | None) -> Reply:
        """Carry out the decision; what the token was not made for stays as it is."""
        record = reply.record
        request_id, _, token = state.partition(" ")
        if not isinstance(record, Taken) or record.request_id != request_id:
            return reply
        decision = ConsentDecision.ALLOW if ticked is not None and _ALLOW in ticked else ConsentDecision.DECLINE
        confirmed = [each for each in Confirms if each in (ticked or ())]
        try:
            card = self.tools().consents.decide(request_id, token, decision, confirmed, face=Face.CLIENT)
            self.tools().outcome(card.card_id)
        except ConsentDeniedError as error:
            return _refused(record.tool_name, error)
        except McpgenError as error:
            return _taken(record.replace(message=f"{record.message} {error}"))
        message = f"The person allowed '{record.tool_name}'."
        return _taken(record.replace(status="success", success=True, message=message))


def _offering(asked: RegisterTool, corrector: Corrector | None) -> tuple[Offering, Correction | None]:
    """Return what a client says as a record, and the one correction that was made of it.

    Raises `SchemaValidationError` that names the field.
    """
    said = {name: value for name, value in asked if value is not None and name != "wait_seconds"}
    correction: Correction | None = None
    for name in _JSON_FIELDS:
        if isinstance(said.get(name), str):
            found = _parsed(name, said[name], corrector if correction is None else None)
            correction = found if isinstance(found, Correction) else correction
            said[name] = found.value if isinstance(found, Correction) else found
    if isinstance(said.get("source_code"), str):
        said["source_code"] = said["source_code"].replace("\r\n", "\n")
    for name, value in said.items():
        _require_json(name, value)
    try:
        return Offering.model_validate(said), correction
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise SchemaValidationError(f"`{place}` does not fit: {first['msg']}.") from error


def _require_json(name: str, value: Any) -> None:
    """Refuse what Python reads as JSON and others do not: numbers that are none, and values nested very deeply."""
    level = [value]
    for _ in range(_MOST_LEVELS):
        inside = (each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list))
        level = [part for parts in inside for part in parts]
        if any(isinstance(each, float) and not math.isfinite(each) for each in level):
            raise SchemaValidationError(f"`{name}` holds a number that JSON does not have, such as NaN. Leave it out.")
    if level:
        raise SchemaValidationError(f"`{name}` is nested more than {_MOST_LEVELS} levels deep. Send something flatter.")


def _parsed(name: str, text: str, corrector: Corrector | None) -> Any:
    """Return the value of a text, or its correction where it is no JSON and corrections are wanted."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise SchemaValidationError(
            f"`{name}` is nested more than {_MOST_LEVELS} levels deep. Send something flatter."
        ) from error
    except ValueError as error:
        correction = None if corrector is None else corrector.correct(name, text, str(error))
        if correction is None:
            raise SchemaValidationError(f"Invalid JSON in `{name}`: {error}. Send it as JSON.") from error
        return correction


def _with_correction(taken: Taken, correction: Correction | None) -> Taken:
    if correction is None:
        return taken
    status = "success_corrected" if taken.status == "success" else taken.status
    return taken.replace(
        status=status,
        message=f"{taken.message} `{correction.field}` was no JSON and was corrected.",
        corrected_field=correction.field,
        original=correction.original,
        corrected=correction.value,
    )


def _changed(before: OfferedTool, after: OfferedTool) -> UpdateDiff:
    return UpdateDiff(
        source_code_changed=before.source_code != after.source_code,
        capabilities_added=tuple(each for each in after.capabilities if each not in before.capabilities),
        capabilities_removed=tuple(each for each in before.capabilities if each not in after.capabilities),
        resource_limits_changed={
            name: {"old": old, "new": new}
            for name in ToolLimits.model_fields
            if (old := getattr(before.resource_limits, name)) != (new := getattr(after.resource_limits, name))
        },
    )


def _decision(notes: str | None) -> Literal["allow", "always_allow"]:
    return "always_allow" if notes is not None and notes.startswith(STANDING) else "allow"


def _line(made: Made) -> ToolLine:
    offered = made.offered
    return ToolLine(
        name=offered.name,
        version=offered.version,
        description=offered.description,
        author=offered.author,
        capabilities=offered.capabilities,
        tags=offered.tags,
        created_at=offered.created_at,
        invocation_count=made.use.calls,
    )


def _taken(record: Taken) -> Reply:
    return Reply(record.message, record, failed=record.status == "error")


def _refused(name: str, error: McpgenError) -> Reply:
    return _taken(
        Taken(
            status="error",
            success=False,
            tool_name=name[:64],
            message=str(error),
            error=type(error).__name__,
            request_id=error.request_id if isinstance(error, ConsentTimeoutError) else None,
        )
    )


def _page_of_error(error: McpgenError) -> Reply:
    record = ToolPage(status="error", success=False, message=str(error), error=type(error).__name__)
    return Reply(record.message, record, failed=True)
