"""`connect`: how each client is told of the server, written into its own configuration file if a person wishes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from jupyter_mcpgen.errors import ServerError
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.server import launch
from jupyter_mcpgen.server.commented_json import NotChangeable
from jupyter_mcpgen.server.connect import FORMS, PLACEHOLDER, Client, Http, Stdio, client_named, entry, file_of, snippet
from jupyter_mcpgen.server.installing import (
    Change,
    carry_out,
    installation,
    installed,
    removal,
    require_private,
)
from jupyter_mcpgen.server.tokens import issue, living, revoke
from jupyter_mcpgen.settings import state_folder
from jupyter_mcpgen.verbs.said import Proposal, Said
from jupyter_mcpgen.verbs.words import UsageError, split_options

_DAYS = 365
"""How long a token lives that stands in a client's file."""


def connect(words: Sequence[str], registry: Registry) -> Said:
    """Show, write or remove a client's configuration: `connect [CLIENT] [--http] [--install|--remove] [--yes]`."""
    typed = split_options(words, (), ("http", "install", "remove", "yes"))
    if not typed.words:
        return Said(text=_clients())
    client = client_named(typed.text)
    if client is None:
        known = ", ".join(f"`{form.word}`" for form in FORMS.values())
        raise UsageError(f"There is no client `{typed.text}` here. Use one of {known}.")
    if "install" in typed.options and "remove" in typed.options:
        raise UsageError("Give only one of `--install` and `--remove`.")
    agreed = "yes" in typed.options
    if "remove" in typed.options:
        return _remove(client, agreed)
    endpoint = _running() if "http" in typed.options else Stdio(registry.root, state_folder() / "server")
    if "install" not in typed.options:
        return Said(text=_shown(client, endpoint))
    try:
        return _install(client, endpoint, agreed)
    except NotChangeable as error:
        raise ServerError(
            f"{error} So nothing was changed; put this in yourself.\n\n{_shown(client, endpoint)}"
        ) from error


def _running() -> Http:
    running = launch.status(state_folder() / "server")
    if running is None:
        raise ServerError("No server is running. `serve` starts one; without `--http` the client starts its own.")
    return Http(running.url)


def _shown(client: Client, endpoint: Stdio | Http) -> str:
    one = snippet(client, endpoint)
    bearer = (
        f" Put a token in the place of `{PLACEHOLDER}`: `token create TOKEN` makes one."
        if isinstance(endpoint, Http)
        else ""
    )
    return (
        f"For {client.value}, in `{one.file}`.{bearer} `connect {FORMS[client].word} --install` writes it there.\n\n"
        f"```json\n{one.text}\n```"
    )


def _install(client: Client, endpoint: Stdio | Http, agreed: bool) -> Said:
    wanted = entry(client, endpoint)
    change = installation(client, wanted, Path.home())
    if isinstance(endpoint, Http):
        require_private(change)
    elif change.after == change.before:
        return Said(text=f"{client.value} is connected already: `{change.path}` says so.")

    def write() -> Said:
        if not isinstance(endpoint, Http):
            said = _written(client, change)
            _revoke_token(client)  # what was there before may have held one
            return said
        token = _new_token(client)
        try:
            with_token = installation(client, entry(client, Http(endpoint.url, token)), Path.home())
            return _written(client, with_token, f" Its token is valid for {_DAYS} days; `token list` shows it.")
        except ServerError:
            _revoke_token(client)  # nobody has it
            raise

    return _proposed(change, "Write this?", write, agreed)


def _remove(client: Client, agreed: bool) -> Said:
    change = removal(client, Path.home())

    def write() -> Said:
        said = _written(client, change)
        _revoke_token(client)
        return said

    return _proposed(change, "Remove this?", write, agreed)


def _proposed(change: Change, question: str, write: Callable[[], Said], agreed: bool) -> Said:
    if agreed:
        return write()
    return Said(text=f"```diff\n{change.diff}\n```", proposal=Proposal(question, write))


def _written(client: Client, change: Change, more: str = "") -> Said:
    backup = carry_out(change)
    kept = f" What was there before is in `{backup}`." if backup is not None else ""
    return Said(
        text=f"`{change.path}` was written.{kept}{more} Start {client.value} again.",
    )


def _new_token(client: Client) -> str:
    _revoke_token(client)
    return issue(state_folder() / "server", _token_name(client), now=time.time(), lifetime_days=_DAYS)


def _revoke_token(client: Client) -> None:
    folder = state_folder() / "server"
    if any(one.client_id == _token_name(client) for one in living(folder, time.time())):
        revoke(folder, _token_name(client), time.time())


def _token_name(client: Client) -> str:
    return f"connect:{FORMS[client].word}"


def _clients() -> str:
    rows = "\n".join(f"| `{FORMS[one].word}` | `~/{file_of(one)}` | {connected(one)} |" for one in Client)
    return (
        f"| client | its file | |\n|---|---|---|\n{rows}\n\n"
        "`connect CLIENT` shows what to put there; `connect CLIENT --install` does it."
    )


def connected(client: Client) -> str:
    """Say how a client is connected; empty where it is not."""
    try:
        found = installed(client, Path.home())
    except ServerError:
        return "cannot be read"
    if found is None:
        return ""
    return "connected, and starts the server" if "command" in found else "connected over HTTP"
