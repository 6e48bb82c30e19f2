"""`token`: list, make and revoke the tokens with which clients connect over HTTP."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from pydantic import SecretStr

from jupyter_mcpgen.server.tokens import ADMIN, CALL, Grant, issue, last_use, living, revoke
from jupyter_mcpgen.settings import state_folder
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import UsageError, split_options

SCOPES: Mapping[str, tuple[str, ...]] = {"call": (CALL,), "admin": (CALL, ADMIN)}
_USUAL_DAYS, _MOST_DAYS = 30, 365
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def token(words: Sequence[str]) -> Said:
    """List, make or revoke tokens: `token [list | create TOKEN [--scope call|admin] [--days N] | revoke TOKEN|ID]`."""
    what, *rest = words or ("list",)
    if what not in _ACTIONS:
        raise UsageError(
            f"`token` takes `list`, `create TOKEN` or `revoke TOKEN`, not `{what}`. Begin a question with `ask`."
        )
    return _ACTIONS[what](rest, state_folder() / "server")


def listed(folder: Path, now: float) -> str:
    """Return the living tokens as a Markdown table."""
    grants = living(folder, now)
    if not grants:
        return "There are no tokens. `serve` makes one, and so does `token create TOKEN`."
    head = "| token | id | scopes | made | expires | last used |\n|---|---|---|---|---|---|"
    return "\n".join([head, *(_row(folder, one) for one in grants)])


def _list(words: Sequence[str], folder: Path) -> Said:
    if words:
        raise UsageError(f"`token list` takes no other words, so remove `{' '.join(words)}`.")
    return Said(text=listed(folder, time.time()))


def _create(words: Sequence[str], folder: Path) -> Said:
    typed = split_options(words, ("scope", "days"))
    name = typed.text
    if not _NAME.fullmatch(name):
        raise UsageError(
            "Name the client: `token create TOKEN`, with letters, digits, `.`, `_` and `-`, at most 64 of them."
        )
    scope, days = typed.options.get("scope", "call"), typed.options.get("days", str(_USUAL_DAYS))
    if scope not in SCOPES:
        raise UsageError(f"There is no scope `{scope}`. Use `call`, or `admin` for a client that may offer tools.")
    if not (days.isascii() and days.isdecimal() and 1 <= int(days) <= _MOST_DAYS):
        raise UsageError(f"`{days}` is no number of days. Use one from 1 to {_MOST_DAYS}.")
    now = time.time()
    if name in {one.client_id for one in living(folder, now)}:
        raise UsageError(f"There is a token `{name}` already. Choose another name, or `token revoke {name}` first.")
    made = issue(folder, name, now=now, scopes=SCOPES[scope], lifetime_days=int(days))
    may = "calls tools" if scope == "call" else "calls, offers, changes and takes back tools"
    return Said(
        text=f"The token `{name}` {may}, for {days} days. It is shown this once, and only a digest of it is kept. "
        "Clients send it as `Authorization: Bearer TOKEN`.",
        secret=SecretStr(made),
    )


def _revoke(words: Sequence[str], folder: Path) -> Said:
    if len(words) != 1:
        raise UsageError("Name one token: `token revoke TOKEN`. `token list` shows them.")
    gone = revoke(folder, words[0], time.time())
    named = ", ".join(f"`{one.client_id}` ({one.id})" for one in gone)
    return Said(text=f"Revoked: {named}. A running server refuses it from now on.")


_ACTIONS: Mapping[str, Callable[[Sequence[str], Path], Said]] = {"list": _list, "create": _create, "revoke": _revoke}


def _row(folder: Path, one: Grant) -> str:
    used = last_use(folder, one)
    scopes = ", ".join(scope.removeprefix("tools:") for scope in one.scopes)
    made = _at(one.made_at, "%Y-%m-%d") if one.made_at else "unknown"
    seen = "never" if used is None else _at(used, "%Y-%m-%d %H:%M")
    return f"| `{one.client_id}` | {one.id} | {scopes} | {made} | {_at(one.expires_at, '%Y-%m-%d')} | {seen} |"


def _at(seconds: float, form: str) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime(form)
