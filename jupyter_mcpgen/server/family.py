"""The built-in tools as MCP tools: schemas and words of the offer, progress, cancellation, and an honest outcome."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from fastmcp.exceptions import ToolError
from fastmcp.server.dependencies import get_context
from fastmcp.tools import Tool, ToolResult
from mcp_types import TextContent, ToolAnnotations
from mcp_types import Tool as ListedTool
from pydantic import PrivateAttr

from jupyter_mcpgen.errors import McpgenError, ToolFailed
from jupyter_mcpgen.model.tool import Annotations
from jupyter_mcpgen.server.calling import (
    PROGRESS_SECONDS,
    Telling,
    client_of,
    owner,
    require_admin,
    run_to_the_end,
)
from jupyter_mcpgen.server.eliciting import settled
from jupyter_mcpgen.server.slots import Slots
from jupyter_mcpgen.server.utf8 import sendable
from jupyter_mcpgen.tools.offer import Caller, Offer, Reply, guide_of

MAX_TEXT = 200_000


class BuiltIn(Tool):
    """A tool of ours, which says no more in the list of tools than a client needs to call it.

    The schema of its answer is in its guide.
    """

    def guide(self) -> str:
        """Return all there is to read about the tool."""
        return guide_of(self.name, self.description or "", None)

    def to_mcp_tool(self, **overrides: Any) -> ListedTool:
        """Return what is listed, without notes that hold nothing."""
        return super().to_mcp_tool(**{"_meta": self.meta, **overrides})


def hints_of(annotations: Annotations) -> ToolAnnotations:
    """Return the protocol's hints; those that say nothing are left out: of a tool that reads, and a false one."""
    reads = annotations.readOnlyHint
    return ToolAnnotations(
        read_only_hint=reads,
        destructive_hint=None if reads else annotations.destructiveHint,
        idempotent_hint=None if reads else annotations.idempotentHint or None,
        open_world_hint=annotations.openWorldHint,
    )


class FamilyTool(BuiltIn):
    """One offer as clients see it."""

    _offer: Offer[Any] = PrivateAttr()
    _slots: Slots = PrivateAttr()
    _progress_seconds: float = PrivateAttr(default=PROGRESS_SECONDS)
    _reload: Callable[[], Awaitable[None]] = PrivateAttr()

    @classmethod
    def of(
        cls,
        offer: Offer[Any],
        slots: Slots,
        reload: Callable[[], Awaitable[None]],
        progress_seconds: float = PROGRESS_SECONDS,
    ) -> FamilyTool:
        """Build the served form of an offer; `slots` are shared with everything else that runs code.

        `reload` reads again which approved tools there are.
        """
        tool = cls(
            name=offer.name,
            description=offer.description,
            parameters=offer.input_schema,
            annotations=hints_of(offer.annotations),
        )
        tool._offer, tool._slots, tool._progress_seconds = offer, slots, progress_seconds
        tool._reload = reload
        return tool

    def guide(self) -> str:
        """Return all there is to read about the tool."""
        return self._offer.guide

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """Check the arguments, do it in a thread, and say whether it was done."""
        offer, caller = self._offer, owner()
        context = get_context()
        if offer.administers:
            require_admin(offer.name)
        try:
            asked = offer.parsed(arguments)
        except ToolFailed as error:
            if offer.refused is None:
                raise ToolError(_cut(sendable(str(error)))) from error
            return _result(offer.refused(str(error)))
        try:
            seconds = None if offer.seconds is None else offer.seconds(asked)
            telling = Telling(context, offer.name, seconds, self._progress_seconds)
            # The answer is made in the thread as well: one of many files takes long, and others want to be heard.
            reply, result = await run_to_the_end(
                lambda cancellation: _made(
                    offer.perform(asked, Caller(caller, cancellation, client_of(context), telling.note))
                ),
                self._slots.place(caller),
                telling.tell,
            )
            if offer.asking is not None:
                result = await settled(reply, offer.asking, context, _result)
            if offer.changes_tools:
                await self._reload()  # whoever reads that a tool is live, or gone, finds it so
            return result
        except McpgenError as error:
            raise ToolError(_cut(sendable(str(error)))) from error


def _made(reply: Reply) -> tuple[Reply, ToolResult]:
    return reply, _result(reply)


def _result(reply: Reply) -> ToolResult:
    return ToolResult(
        content=[TextContent(type="text", text=_cut(sendable(reply.text)))],
        structured_content=sendable(reply.structured),
        is_error=reply.failed,
    )


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}… (cut at {MAX_TEXT} characters)"
