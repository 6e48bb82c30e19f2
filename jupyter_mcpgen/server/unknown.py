"""Tells a client that called a tool which is not there which ones are near, and what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fastmcp.exceptions import NotFoundError, ToolError
from fastmcp.server.middleware import Middleware, MiddlewareContext

from jupyter_mcpgen.errors import did_you_mean

_LONGEST_NAME = 100


class UnknownToolAdvice(Middleware):
    """Answers a call of an unknown tool; `known` gives the names that are served at that moment."""

    def __init__(self, known: Callable[[], Iterable[str]]) -> None:
        self._known = known

    async def on_call_tool(self, context: MiddlewareContext[Any], call_next: Any) -> Any:
        """Pass a call on, and say in an error that the client's model reads where the name leads."""
        try:
            return await call_next(context)
        except NotFoundError as error:
            raise ToolError(unknown(str(context.message.name), tuple(self._known()))) from error


def unknown(name: str, known: Iterable[str]) -> str:
    """Return what to say about a name that no served tool has."""
    shown = name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
    return (
        f"Unknown tool: `{shown}`.{did_you_mean(shown, known)} Call `list_available_tools` to see the approved tools, "
        "or list the server's tools again: the set changes when a person approves or takes back one."
    )
