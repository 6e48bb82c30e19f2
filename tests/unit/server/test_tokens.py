"""Tokens are random, expire, and lie on disk as digests that only the owner may read."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import ServerError
from jupyter_mcpgen.server.auth import IssuedTokens
from jupyter_mcpgen.server.private import state_key, write_private
from jupyter_mcpgen.server.tokens import FILE_NAME, SECONDS_PER_DAY, issue, match, read_grants, revoke_all

NOW = 1_800_000_000.0


def test_a_token_is_never_written_down(tmp_path: Path):
    token = issue(tmp_path, "a client", now=NOW)

    path = tmp_path / FILE_NAME
    assert token not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_token_opens_until_it_expires(tmp_path: Path):
    token = issue(tmp_path, "a client", now=NOW, lifetime_days=1)
    grants = read_grants(tmp_path / FILE_NAME)

    assert [
        match(grants, token, NOW + SECONDS_PER_DAY - 1) is not None,
        match(grants, token, NOW + SECONDS_PER_DAY + 1) is not None,
        match(grants, token + "x", NOW) is not None,
    ] == [True, False, False]


def test_expired_grants_are_forgotten_with_the_next_token(tmp_path: Path):
    issue(tmp_path, "old", now=NOW, lifetime_days=1)
    issue(tmp_path, "new", now=NOW + 2 * SECONDS_PER_DAY)

    assert [grant.client_id for grant in read_grants(tmp_path / FILE_NAME)] == ["new"]


def test_a_running_server_notices_issued_and_revoked_tokens(tmp_path: Path):
    verifier = IssuedTokens(tmp_path)

    async def accepted(token: str) -> bool:
        return await verifier.verify_token(token) is not None

    async def story() -> list[bool]:
        before = await accepted("mcpgen_guess")
        token = issue(tmp_path, "a client", now=time.time())
        issued = await accepted(token)
        revoke_all(tmp_path)
        return [before, issued, await accepted(token)]

    assert asyncio.run(story()) == [False, True, False]


def test_an_unreadable_token_file_lets_nobody_in(tmp_path: Path):
    token = issue(tmp_path, "a client", now=time.time())
    (tmp_path / FILE_NAME).write_text("{")

    assert asyncio.run(IssuedTokens(tmp_path).verify_token(token)) is None


def test_the_state_key_stays_the_same_and_private(tmp_path: Path):
    first = state_key(tmp_path)

    assert (state_key(tmp_path), len(first)) == (first, 32)
    assert (tmp_path / "state.key").stat().st_mode & 0o777 == 0o600


def test_a_damaged_state_key_is_named(tmp_path: Path):
    write_private(tmp_path / "state.key", "short")

    with pytest.raises(ServerError, match="Delete it"):
        state_key(tmp_path)
