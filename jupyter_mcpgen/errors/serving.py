"""Settings that cannot be read, a tool that gave no result, and an MCP server that could not start or stop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jupyter_mcpgen.errors.root import McpgenError


class SettingsError(McpgenError):
    """A setting has a value that cannot be used."""


class ToolFailed(McpgenError):
    """A tool ran in the sandbox and gave no result; the message says why."""


class ColumnsRenamed(ToolFailed):
    """A table has columns of a tool under other names; `arguments` are those of the call that names them."""

    def __init__(self, why: str, arguments: Mapping[str, Any]) -> None:
        named = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        super().__init__(f"{why} If these are the same columns under other names, call it with `{named}`.")
        self.why = why
        self.arguments = dict(arguments)


class NotVerifiable(McpgenError):
    """An answer that cannot be compared with what was approved; the message says why."""


class ServerError(McpgenError):
    """The MCP server could not start or stop."""


class PortTaken(ServerError):
    """Another program already listens on the port; `version` is that of a server of ours, if it is one."""

    def __init__(self, host: str, port: int, version: str | None = None) -> None:
        other = (
            "another program"
            if version is None
            else f"another MCP server of jupyter-mcpgen (version {version}), which has a state folder of its own"
        )
        super().__init__(
            f"Port {port} on `{host}` is in use by {other}. "
            "Choose another with `%mcpgen serve --port N`, or `--port 0` for a free one."
        )
        self.port = port


class NoAnswer(McpgenError):
    """Data was taken from an answer that holds none; says what to do instead."""
