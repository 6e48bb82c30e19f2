"""Bearer tokens: random, per client, with scopes, expiring, and kept as digests only."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from jupyter_mcpgen.errors import ServerError
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.server.private import locked, private_folder, write_private

CALL = "tools:call"
"""Lists and calls tools, and runs code in sessions of its own."""
ADMIN = "tools:admin"
"""Offers tools, changes them and takes them back."""
FILE_NAME = "tokens.json"
SECONDS_PER_DAY = 86_400
_USED = "used"
"""The folder with an empty file for each token; its time is that of the latest use."""
_ID_LENGTH = 8


class Grant(Record):
    """What the bearer of one token may do, and until when (seconds since the epoch)."""

    digest: str
    client_id: str
    scopes: tuple[str, ...]
    expires_at: int
    made_at: int = 0
    """0 for a token of an earlier version, which did not say when."""
    folder: str | None = None
    """The folder where a client that joined over stdio was started; its bearer may read the files in it."""

    @property
    def id(self) -> str:
        """The beginning of the digest, to tell tokens of one name apart."""
        return self.digest[:_ID_LENGTH]


class Grants(Record):
    """All grants, as they lie on disk."""

    grants: tuple[Grant, ...] = ()


def issue(
    folder: Path,
    client_id: str,
    *,
    now: float,
    scopes: tuple[str, ...] = (CALL,),
    lifetime_days: float = 30,
    started_in: str | None = None,
) -> str:
    """Make a token and remember its digest; the token itself is in the return value and nowhere else."""
    token = f"mcpgen_{secrets.token_urlsafe(32)}"
    grant = Grant(
        digest=_digest(token),
        client_id=client_id,
        scopes=scopes,
        expires_at=int(now + lifetime_days * SECONDS_PER_DAY),
        made_at=int(now),
        folder=started_in,
    )
    path = private_folder(folder) / FILE_NAME
    with locked(path.with_suffix(".lock")):
        _keep(folder, (*living(folder, now), grant))
    return token


def living(folder: Path, now: float) -> tuple[Grant, ...]:
    """Return the grants that have not expired, the oldest first."""
    return tuple(one for one in read_grants(folder / FILE_NAME) if one.expires_at > now)


def revoke(folder: Path, named: str, now: float) -> tuple[Grant, ...]:
    """Make the tokens of a name, or the one with an id, worthless at once; raises `ServerError` where there is none."""
    gone = revoke_those(folder, lambda one: named in (one.client_id, one.id), now)
    if not gone:
        listed = ", ".join(f"`{one.client_id}`" for one in living(folder, now)) or "none"
        raise ServerError(f"There is no token `{named}`. `token list` shows those that there are: {listed}.")
    return gone


def revoke_those(folder: Path, wanted: Callable[[Grant], bool], now: float) -> tuple[Grant, ...]:
    """Make some tokens worthless at once, also for a running server, and return what they were."""
    path = private_folder(folder) / FILE_NAME
    with locked(path.with_suffix(".lock")):
        known = living(folder, now)
        gone = tuple(filter(wanted, known))
        if gone:
            _keep(folder, tuple(one for one in known if one not in gone))
    return gone


def revoke_all(folder: Path) -> None:
    """Make every token worthless, at once also for a running server."""
    path = private_folder(folder) / FILE_NAME
    with locked(path.with_suffix(".lock")):
        _keep(folder, ())


def note_use(folder: Path, grant: Grant) -> None:
    """Remember that a token was used now."""
    private_folder(folder / _USED).joinpath(grant.id).touch(mode=0o600)


def last_use(folder: Path, grant: Grant) -> float | None:
    """Return when a token was last used, in seconds since the epoch, or None for one that never was."""
    try:
        return (folder / _USED / grant.id).stat().st_mtime
    except FileNotFoundError:
        return None


def read_grants(path: Path) -> tuple[Grant, ...]:
    """Return the grants of a file; a missing file grants nothing."""
    try:
        return Grants.model_validate_json(path.read_text(encoding="utf-8")).grants
    except FileNotFoundError:
        return ()
    except (OSError, ValidationError, json.JSONDecodeError) as error:
        raise ServerError(
            f"`{path}` cannot be read, so no token is accepted. Delete it and start the server again."
        ) from error


def match(grants: tuple[Grant, ...], token: str, now: float) -> Grant | None:
    """Return the living grant of a token; takes the same time whether and where it matches."""
    digest = _digest(token)
    found = [grant for grant in grants if hmac.compare_digest(grant.digest, digest)]
    return next((grant for grant in found if grant.expires_at > now), None)


def _keep(folder: Path, grants: tuple[Grant, ...]) -> None:
    write_private(folder / FILE_NAME, Grants(grants=grants).model_dump_json(indent=2))
    known = {one.id for one in grants}
    with suppress(FileNotFoundError):  # no token was used yet
        for used in (folder / _USED).iterdir():
            if used.name not in known:
                used.unlink(missing_ok=True)


def _digest(token: str) -> str:
    # A plain hash is enough: the token has 256 random bits, there is nothing to guess.
    return hashlib.sha256(token.encode()).hexdigest()
