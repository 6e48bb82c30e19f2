"""Tokens: made, listed and revoked in a terminal or a notebook; what each lets a real client do at a running server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from jupyter_mcpgen.cli import main
from jupyter_mcpgen.server import launch, tokens
from jupyter_mcpgen.settings import state_folder
from tests.notebooks.kernels import kernel

SOON = 60.0
OFFERED = {"name": "thrice", "source_code": "def thrice(x):\n    return 3 * x"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return where everything of these tests is kept."""
    folder = tmp_path_factory.mktemp("tokens")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_DATA_DIR", str(folder / "jupyter"))
        patch.setenv("JUPYTER_CONFIG_DIR", str(folder / "config"))
        patch.setenv("MCPGEN_REGISTRY__PATH", str(folder / "registry"))
        yield folder


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[launch.ServerStatus]:
    yield launch.start(home / "registry", folder=state_folder() / "server")
    launch.stop(state_folder() / "server")


@pytest.fixture
def typed(home: Path, capfd: pytest.CaptureFixture[str]) -> Iterator[object]:
    """Return what types a command, and gives the code of its end, its standard output, and what it says beside that."""

    def command(*words: str) -> tuple[int, str, str]:
        code = main(list(words))
        told = capfd.readouterr()
        return code, told.out, " ".join(told.err.split())

    return command


@contextlib.asynccontextmanager
async def bearing(token: str, server: launch.ServerStatus) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=SOON) as http,
        Client(streamable_http_client(server.url, http_client=http), cache=None) as client,
    ):
        yield client


def status_of(token: str, server: launch.ServerStatus) -> int:
    info = {"name": "test", "version": "0"}
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info}
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    headers = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {token}"}
    return httpx2.post(server.url, json=request, headers=headers, timeout=SOON).status_code


def test_a_token_is_alone_on_standard_output_and_only_its_digest_is_kept(home: Path, typed) -> None:
    code, out, told = typed("token", "create", "editor", "--days", "5")

    token = out.strip()
    kept = [path.read_bytes() for path in (home / "jupyter").rglob("*") if path.is_file()]
    assert (code, re.fullmatch(r"mcpgen_[\w-]{43}\n", out) is not None) == (0, True)
    assert "The token editor calls tools, for 5 days." in told
    assert not any(token.encode() in content for content in kept)
    assert token not in typed("token")[1]


def test_a_token_is_listed_with_its_scopes_and_its_use_and_refused_at_once_when_it_is_revoked(
    server: launch.ServerStatus, typed
) -> None:
    token = typed("token", "create", "browser")[1].strip()
    before = typed("token", "list")[1]
    opened = status_of(token, server)
    after = typed("token", "list")[1]

    revoked = typed("token", "revoke", "browser")

    rows = [next(line for line in told.splitlines() if "browser" in line) for told in (before, after)]
    assert ["never" in row for row in rows] == [True, False]
    assert all(" call " in row and "admin" not in row for row in rows)
    assert " call, admin " in next(line for line in after.splitlines() if "serve:" in line)
    assert (opened, status_of(token, server)) == (200, 401)
    assert (revoked[0], "Revoked: browser" in revoked[1]) == (0, True)
    assert "browser" not in typed("token")[1]


def test_two_tokens_of_one_name_are_refused_and_an_id_names_one(home: Path, typed) -> None:
    typed("token", "create", "twice")
    again = typed("token", "create", "twice")
    (grant,) = [one for one in tokens.living(state_folder() / "server", time.time()) if one.client_id == "twice"]

    revoked = typed("token", "revoke", grant.id)

    assert again[0] == 2
    assert "There is a token twice already" in again[2]
    assert revoked[0] == 0
    assert typed("token", "create", "twice")[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["create"], "Name the client"),
        (["create", "two words"], "Name the client"),
        (["create", "x", "--scope", "root"], "There is no scope root. Use call, or admin"),
        (["create", "x", "--days", "0"], "0 is no number of days. Use one from 1 to 365."),
        (["revoke"], "Name one token"),
        (["show"], "token takes list, create TOKEN or revoke TOKEN, not show"),
    ],
    ids=" ".join,
)
def test_a_mistake_is_answered_in_words(typed, words: list[str], said: str) -> None:
    code, out, told = typed("token", *words)

    assert (code, out) == (2, "")
    assert said in told


def test_revoking_a_token_that_is_not_there_names_those_that_are(home: Path, typed) -> None:
    typed("token", "create", "present")

    code, _, told = typed("token", "revoke", "absent")

    assert code == 1
    assert "There is no token absent" in told
    assert "present" in told


def test_a_client_offers_changes_and_takes_back_tools_only_with_the_scope(server: launch.ServerStatus, typed) -> None:
    caller = typed("token", "create", "caller")[1].strip()
    admin = typed("token", "create", "maker", "--scope", "admin")[1].strip()

    async def story() -> None:
        async with bearing(caller, server) as client:
            listed = [tool.name for tool in (await client.list_tools()).tools]
            assert "dynamic_register_tool" in listed  # what is listed is the same for everybody
            assert not (await client.call_tool("dynamic_list_tools", {})).is_error
            for name, sent in (
                ("dynamic_register_tool", OFFERED),
                ("dynamic_update_tool", {"name": "thrice"}),
                ("dynamic_revoke_tool", {"name": "thrice"}),
                ("call_tool", {"name": "dynamic_register_tool", "arguments": OFFERED}),
            ):
                refused = await client.call_tool(name, sent)
                assert refused.is_error
                assert (
                    "needs the scope `tools:admin`, which the token `caller` does not have" in refused.content[0].text
                )
                assert "`jupyter mcpgen token create NAME --scope admin`" in refused.content[0].text
        for token in (admin, server.token.get_secret_value()):
            async with bearing(token, server) as client:
                pending = await client.call_tool("dynamic_register_tool", OFFERED)
                assert pending.structured_content["status"] == "pending"

    asyncio.run(story())


def test_tokens_of_an_earlier_version_still_open(server: launch.ServerStatus, typed) -> None:
    token = typed("token", "create", "old")[1].strip()
    path = state_folder() / "server" / tokens.FILE_NAME
    kept = json.loads(path.read_text())
    for grant in kept["grants"]:
        del grant["made_at"]
    path.write_text(json.dumps(kept))

    assert status_of(token, server) == 200
    row = next(line for line in typed("token")[1].splitlines() if " old " in line)
    assert "unknown" in row


@pytest.mark.soak
def test_a_notebook_hides_the_token_and_gives_it_as_a_value(home: Path) -> None:
    with kernel(dict(os.environ), home) as run:
        run("%load_ext jupyter_mcpgen")
        shown = run("made = %mcpgen token create notebook", "made", "%mcpgen token")
        token = run("print(made.get_secret_value())").strip()

    assert tokens.match(tokens.living(state_folder() / "server", time.time()), token, time.time()) is not None
    assert token not in shown
    assert "A notebook keeps what it shows, so the token is hidden." in shown
    assert "| `notebook` |" in shown
