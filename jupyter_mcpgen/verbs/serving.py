"""`serve`, `stop`, `status`: the MCP server of this machine."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from jupyter_mcpgen.errors import ServerError
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.server import launch
from jupyter_mcpgen.server.connect import Http, Stdio, as_text
from jupyter_mcpgen.server.data_folders import jupyter_root, remember
from jupyter_mcpgen.server.health import Health, asked
from jupyter_mcpgen.server.listening import is_loopback, refuse_remote
from jupyter_mcpgen.server.tokens import last_use, living
from jupyter_mcpgen.settings import Settings, jupyter_folder, state_folder
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import UsageError, split_options

_CLEAR_TEXT = (
    "**Warning: other machines can reach this server, and tokens and data go over the network in clear text.**\n\n"
)


def serve(words: Sequence[str], settings: Settings, registry: Registry) -> Said:
    """Start the server: `serve [--port N]`. It goes on until `stop`, also when the kernel restarts."""
    typed = split_options(words, ("port",))
    text = typed.options.get("port", str(settings.server.port))
    if not text.isdecimal() or int(text) > 65_535:
        raise UsageError(f"`{text}` is not a port. Use a number from 0 (any free port) to 65535.")
    refuse_remote(settings.server.host, settings.server.allow_remote)
    folder = state_folder() / "server"
    root = jupyter_root(os.environ.get("JPY_PARENT_PID"), jupyter_folder("runtime"))
    if root is not None:
        remember(folder, whole=root)
    running = launch.start(registry.root, folder=folder, host=settings.server.host, port=int(text))
    return Said(text=_describe(running, settings, registry))


def restart(settings: Settings, registry: Registry) -> Said:
    """Stop the server and start it again at its address, with the settings as they are now."""
    folder = state_folder() / "server"
    stopped = launch.stop(folder)
    if stopped is None:
        return Said(text="No server was running. `serve` starts one.")
    running = launch.start(registry.root, folder=folder, host=settings.server.host, port=stopped.port)
    return Said(text=_describe(running, settings, registry))


def stop() -> Said:
    """Stop the server."""
    stopped = launch.stop(state_folder() / "server")
    return Said(text="No server was running." if stopped is None else f"The server at {stopped.url} has stopped.")


def status(settings: Settings, registry: Registry) -> Said:
    """Say whether the server runs and answers, for which registry, who used it, and how to connect."""
    running = launch.status(state_folder() / "server")
    if running is None:
        return Said(text="No server is running. `serve` starts one.")
    health = asked(running, state_folder() / "server")
    return Said(text=f"{_described_health(health)}\n\n{_describe(running, settings, registry)}", ok=health.is_well)


def server_line() -> tuple[str, bool]:
    """Say in a line how the server is, and whether that is well; none is well too."""
    try:
        running = launch.status(state_folder() / "server")
    except ServerError as error:
        return str(error), False
    if running is None:
        return "None is running. `serve` starts one.", True
    health = asked(running, state_folder() / "server")
    told = f"Process {running.pid} at {running.url}, for the registry `{running.registry}`."
    return f"{told} {_described_health(health)}", health.is_well


def _described_health(health: Health) -> str:
    if health.wrong is not None:
        return f"**The server runs, but does not answer: {health.wrong}.** `restart` starts it again."
    return f"The server answers (protocol {' and '.join(health.versions)}). {tokens_line()}"


def tokens_line() -> str:
    """Say which tokens of clients were used, and when last."""
    used = [
        f"`{one.client_id}` ({datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC)"
        for one in living(state_folder() / "server", time.time())
        if (at := last_use(state_folder() / "server", one)) is not None
    ]
    return f"Tokens that were used: {', '.join(used)}." if used else "No token was used yet."


def stdio_command(registry: Registry) -> tuple[str, ...]:
    """Return the command that serves over standard input and output, for a client that starts its own servers."""
    return Stdio(registry=registry.root, state=state_folder() / "server").command


def what_clients_see(registry: Registry) -> str:
    """Say whether the clients of a running MCP server hear of this registry's tools now, or what would start one.

    Clients that start a server themselves, over standard input and output, hear of them anyway.
    """
    try:
        running = launch.status(state_folder() / "server")
    except ServerError:  # the decision stands; `status` says what is wrong
        return "it cannot be told whether a server is running, `status` says why"
    if running is None:
        return "no server is running, `serve` starts one"
    if running.registry != registry.root:
        return f"the server that runs has the tools of `{running.registry}`; `stop`, then `serve`, starts one for these"
    return "clients of the running server are told"


def _describe(running: launch.ServerStatus, settings: Settings, registry: Registry) -> str:
    warning = "" if is_loopback(running.host) else _CLEAR_TEXT
    return (
        f"{warning}The MCP server runs at {running.url} (process {running.pid}, since {running.started_at}) over the "
        f"registry `{running.registry}` with {len(registry.active())} tools{_built_in(settings)}. {_mode(settings)}"
        f"The bearer token for clients is in `{state_folder() / 'server' / 'server.json'}`; `token create TOKEN` makes "
        "one for each client. `connect CLIENT --install` writes a client's configuration for you.\n\n"
        f"{as_text(Http(running.url))}\n\n{as_text(Stdio(registry.root, state_folder() / 'server'))}"
    )


def _mode(settings: Settings) -> str:
    if settings.server.mode == "safe":
        return ""
    return "**It is in unsafe mode: tools of AI clients may ask for capabilities that write.** "


def _built_in(settings: Settings) -> str:
    families = " and ".join(f"`{family}`" for family in settings.server.families)
    return f", and the built-in ones of {families}" if families else ""
