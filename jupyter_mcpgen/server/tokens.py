"""Bearer tokens: random, per client, expiring, and kept as digests only."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from pathlib import Path

from pydantic import ValidationError

from jupyter_mcpgen.errors import ServerError
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.server.private import locked, private_folder, write_private

CALL = "tools:call"
FILE_NAME = "tokens.json"
SECONDS_PER_DAY = 86_400


class Grant(Record):
    """What the bearer of one token may do, and until when (seconds since the epoch)."""

    digest: str
    client_id: str
    scopes: tuple[str, ...]
    expires_at: int


class Grants(Record):
    """All grants, as they lie on disk."""

    grants: tuple[Grant, ...] = ()


def issue(
    folder: Path, client_id: str, *, now: float, scopes: tuple[str, ...] = (CALL,), lifetime_days: float = 30
) -> str:
    """Make a token and remember its digest; the token itself is in the return value and nowhere else."""
    token = f"mcpgen_{secrets.token_urlsafe(32)}"
    grant = Grant(
        digest=_digest(token),
        client_id=client_id,
        scopes=scopes,
        expires_at=int(now + lifetime_days * SECONDS_PER_DAY),
    )
    path = private_folder(folder) / FILE_NAME
    with locked(path.with_suffix(".lock")):
        living = tuple(one for one in read_grants(path) if one.expires_at > now)
        write_private(path, Grants(grants=(*living, grant)).model_dump_json(indent=2))
    return token


def revoke_all(folder: Path) -> None:
    """Make every token worthless, at once also for a running server."""
    path = private_folder(folder) / FILE_NAME
    with locked(path.with_suffix(".lock")):
        write_private(path, Grants().model_dump_json(indent=2))


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


def _digest(token: str) -> str:
    # A plain hash is enough: the token has 256 random bits, there is nothing to guess.
    return hashlib.sha256(token.encode()).hexdigest()
