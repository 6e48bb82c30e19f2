"""Errors for AI clients whose tools cannot be registered, changed or called, with the names of seed 002."""

from __future__ import annotations

from collections.abc import Iterable

from jupyter_mcpgen.errors.root import McpgenError, did_you_mean
from jupyter_mcpgen.wording import in_calls, in_seconds

_LONGEST_NAME = 64


class OfferError(McpgenError):
    """A tool that a client offers cannot be taken; the name of the class is part of the answer."""


class SchemaValidationError(OfferError):
    """The description of a tool is malformed, or does not match its code."""


class NameConflictError(OfferError):
    """The name of an offered tool is reserved, or another tool has it."""


class ConsentDeniedError(OfferError):
    """A person declined the tool."""

    def __init__(self, name: str, words: str | None) -> None:
        reason = f" They said: {words}" if words else ""
        super().__init__(f"The person declined `{name}`; nothing was registered.{reason}")


class ConsentTimeoutError(OfferError):
    """Nobody decided within the time that the client waits."""

    def __init__(self, name: str, request_id: str, seconds: float) -> None:
        super().__init__(
            f"Nobody decided about `{name}` within {in_seconds(seconds)}. The request still waits in the person's "
            f"inbox. Call `dynamic_inspect_tool` with `{request_id}` to see the decision."
        )
        self.request_id = request_id


class ToolNotFoundError(OfferError):
    """No tool, and no request that waits, has the name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        shown = name[:_LONGEST_NAME]
        super().__init__(
            f"There is no tool named `{shown}` that a client made.{did_you_mean(shown, known)} "
            "`dynamic_list_tools` lists them."
        )


class SystemToolError(OfferError):
    """The tool is built in, or a person made it of a question; clients cannot change it."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"`{name}` was not made by a client, so a client cannot change it. Offer a tool under another name."
        )


class RateLimitError(OfferError):
    """A tool was called more often in a minute than it may be."""

    def __init__(self, name: str, most: int) -> None:
        super().__init__(f"`{name}` has a limit of {in_calls(most)} per minute. Wait a minute, then call it again.")
