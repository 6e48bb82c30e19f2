"""Lets in who bears a token that was issued here."""

from __future__ import annotations

import logging
import time
from pathlib import Path

from fastmcp.server.auth.auth import AccessToken, TokenVerifier

from jupyter_mcpgen.errors import ServerError
from jupyter_mcpgen.server.tokens import CALL, FILE_NAME, Grant, match, note_use, read_grants

STARTED_IN = "started_in"
"""The claim with the folder of a client that joined over stdio."""
logger = logging.getLogger(__name__)


class IssuedTokens(TokenVerifier):
    """Checks bearer tokens against the digests on disk, and notices issued and revoked tokens at once."""

    def __init__(self, folder: Path) -> None:
        super().__init__(required_scopes=[CALL])
        self._folder = folder
        self._path = folder / FILE_NAME
        self._grants: tuple[Grant, ...] = ()
        self._seen: tuple[int, int] | None = None

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return what the bearer may do, or None for a token that is unknown or expired."""
        grant = match(self._current(), token, time.time())
        if grant is None:
            return None
        try:
            note_use(self._folder, grant)
        except (OSError, ServerError) as error:
            logger.warning("The use of a token was not noted: %s", error)
        return AccessToken(
            token=token,
            client_id=grant.client_id,
            scopes=list(grant.scopes),
            expires_at=grant.expires_at,
            subject=grant.client_id,
            claims={} if grant.folder is None else {STARTED_IN: grant.folder},
        )

    def _current(self) -> tuple[Grant, ...]:
        try:
            found = self._path.stat()
            if (found.st_mtime_ns, found.st_ino) != self._seen:
                self._grants = read_grants(self._path)
                self._seen = (found.st_mtime_ns, found.st_ino)
        except (OSError, ServerError) as error:
            logger.error("No token is accepted: %s", error)
            self._grants, self._seen = (), None
        return self._grants
