"""Puts a question to the person at a client, in both eras of the protocol (MCP elicitation).

What comes back is the client's word. It counts only where the person switched that on, and only with the state that was
sealed into the question; silence, an error and a client that cannot ask are no answer.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping
from typing import Any

from anyio import to_thread
from fastmcp.server.context import Context
from fastmcp.tools import InputRequiredToolResult, ToolResult
from mcp import MCPError
from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult

from jupyter_mcpgen.server.greeting import MODERN
from jupyter_mcpgen.server.utf8 import sendable
from jupyter_mcpgen.tools.offer import Asking, Question, Reply

logger = logging.getLogger(__name__)

_KEY = "consent"


async def settled(reply: Reply, asking: Asking, context: Context, result: Callable[[Reply], ToolResult]) -> ToolResult:
    """Return an answer after the person at the client was asked what it leaves open, or the question to them."""
    if not _can_ask(context):
        return result(reply)
    if _is_modern(context):
        given = (context.input_responses or {}).get(_KEY)
        if isinstance(given, ElicitResult) and context.request_state is not None:
            return result(await _after(given, reply, context.request_state, asking))
        question = await to_thread.run_sync(asking.question, reply)
        return result(reply) if question is None else InputRequiredToolResult(_put(question))
    question = await to_thread.run_sync(asking.question, reply)
    if question is None:
        return result(reply)
    try:
        answer = await context.session.elicit(
            message=sendable(question.text), requested_schema=_form(question), related_request_id=context.request_id
        )
    except MCPError as error:
        logger.info("The client did not put the question to the person: %s", error)
        return result(reply)
    return result(await _after(answer, reply, question.state, asking))


def _can_ask(context: Context) -> bool:
    told = context.session.client_params
    return told is not None and told.capabilities.elicitation is not None


def _is_modern(context: Context) -> bool:
    request = context.request_context
    return request is not None and request.protocol_version in MODERN


async def _after(given: ElicitResult, reply: Reply, state: str, asking: Asking) -> Reply:
    if given.action == "cancel":
        return reply
    ticked = None if given.action == "decline" else _ticked(given.content or {})
    return await to_thread.run_sync(asking.answered, reply, state, ticked)


def _ticked(content: Mapping[str, Any]) -> Collection[str]:
    return [name for name, value in content.items() if value is True]


def _put(question: Question) -> InputRequiredResult:
    form = ElicitRequestFormParams(message=sendable(question.text), requested_schema=_form(question))
    asked = ElicitRequest(method="elicitation/create", params=form)
    return InputRequiredResult(result_type="input_required", input_requests={_KEY: asked}, request_state=question.state)


def _form(question: Question) -> dict[str, Any]:
    ticks = {
        name: {"type": "boolean", "title": sendable(words), "default": False} for name, words in question.ticks.items()
    }
    return {"type": "object", "properties": ticks, "required": list(ticks)}
