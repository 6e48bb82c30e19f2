"""Consent without a kernel: the Jupyter server's own part, over its web socket and in a real browser."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from jupyter_server.utils import url_path_join
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from tests.lab.conftest import Server, serve
from tests.lab.test_consent import Assistant, notice, press, review, says, tick

SOON = 60
TOKEN = "let-me-in"
HEADERS = {"Authorization": f"token {TOKEN}"}
SOCKETS = ("consents", "panel")
HEAVY = {"pandas", "fastmcp", "numpy", "duckdb", "pyarrow", "jupyter_mcpgen.runtime"}
MAPPED = ("pandas", "numpy", "duckdb", "pyarrow")


@pytest.fixture(scope="module")
def lab_without_kernels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a JupyterLab whose server has our part."""
    yield from serve(tmp_path_factory.mktemp("part"), "jupyterlab", server_part=True)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a JupyterLab with our part that lets in who has the token."""
    yield from serve(tmp_path_factory.mktemp("guarded"), "jupyterlab", server_part=True, token=TOKEN)


@pytest.fixture(scope="module")
def assistant(lab_without_kernels: Server) -> Iterator[Assistant]:
    assistant = Assistant(lab_without_kernels)
    yield assistant
    assistant.close()


async def status_of(url: str, **headers: str) -> int:
    """Return the status of an answer to GET."""
    try:
        answer = await AsyncHTTPClient().fetch(HTTPRequest(url, headers=headers))
    except HTTPClientError as error:
        return error.code
    return answer.code


@asynccontextmanager
async def socket_of(
    server: Server, place: str = "consents", **headers: str
) -> AsyncIterator[WebSocketClientConnection]:
    url = url_path_join(server.url.replace("http", "ws", 1), "mcpgen", place)
    connection = await websocket_connect(HTTPRequest(url, headers=headers))
    try:
        yield connection
    finally:
        connection.close()
        while await connection.read_message() is not None:
            pass


async def hears(connection: WebSocketClientConnection, kind: str, request_id: str | None = None) -> dict[str, Any]:
    """Return the next message of a kind, or the next one about a request."""
    async with asyncio.timeout(SOON):
        while True:
            message = json.loads(await connection.read_message() or "{}")
            if message.get("kind") == kind and request_id in (None, message.get("request_id")):
                return message  # type: ignore[no-any-return]


@pytest.mark.parametrize("place", ["about", "standing", "consents", "panel"])
def test_who_has_no_token_is_let_in_nowhere(guarded: Server, place: str) -> None:
    async def walk() -> None:
        url = f"{guarded.url}mcpgen/{place}"

        assert await status_of(url) == 403
        assert await status_of(url, Authorization="token wrong") == 403
        assert await status_of(url, **HEADERS) == (400 if place in SOCKETS else 200)  # 400: a socket is no page

    asyncio.run(walk())


def test_a_page_of_another_site_opens_no_socket(lab_without_kernels: Server) -> None:
    async def walk() -> None:
        with pytest.raises(HTTPClientError) as refused:
            async with socket_of(lab_without_kernels, Origin="http://elsewhere.example"):
                pass
        assert refused.value.code == 403

        async with socket_of(lab_without_kernels, Origin=lab_without_kernels.url.rstrip("/")) as own:
            assert own.protocol is not None

    asyncio.run(walk())


@pytest.mark.soak
def test_a_socket_survives_what_is_no_message(lab_without_kernels: Server, assistant: Assistant) -> None:
    async def walk() -> None:
        offered = await asyncio.to_thread(assistant.offers, "once", times=1)
        async with socket_of(lab_without_kernels) as connection:
            for words in ('{"kind": "consent_approve_all"}', "[1, 2]", json.dumps({"kind": "consent_sync", "more": 1})):
                await connection.write_message(words)
            await connection.write_message(json.dumps({"kind": "consent_sync"}))

            waiting = await hears(connection, "consents_waiting")

        assert [each["request_id"] for each in waiting["requests"]] == [offered["request_id"]]
        await asyncio.to_thread(assistant.call, "dynamic_revoke_tool", name="once")

    asyncio.run(walk())


def test_a_decision_without_the_token_of_what_was_shown_decides_nothing(
    lab_without_kernels: Server, assistant: Assistant
) -> None:
    async def walk() -> None:
        offered = await asyncio.to_thread(assistant.offers, "guessed", times=1)
        async with socket_of(lab_without_kernels) as connection:
            answer = {"kind": "consent_response", "request_id": offered["request_id"], "decision": "allow"}
            await connection.write_message(json.dumps({**answer, "token": "guess", "confirmed": ["unchecked"]}))

            refused = await hears(connection, "consent_refused")

        assert "was used already, or comes from another process" in refused["message"]
        assert (await asyncio.to_thread(assistant.hears_of, "guessed"))["status"] == "pending"
        await asyncio.to_thread(assistant.call, "dynamic_revoke_tool", name="guessed")

    asyncio.run(walk())


@pytest.mark.soak
def test_what_the_server_imports_stays_light_even_when_it_decides(
    lab_without_kernels: Server, assistant: Assistant
) -> None:
    """The process of the server is looked at from outside: what it mapped, and what an import of its part brings."""
    offered = assistant.offers("weighed", times=1)

    async def walk() -> None:
        async with socket_of(lab_without_kernels) as connection:
            await connection.write_message(json.dumps({"kind": "consent_opened", "request_id": offered["request_id"]}))
            request = (await hears(connection, "consent_shown"))["request"]
            answer = {"kind": "consent_response", "request_id": request["request_id"], "token": request["token"]}
            await connection.write_message(json.dumps({**answer, "decision": "decline"}))
            over = await hears(connection, "consent_over", offered["request_id"])
            assert over["outcome"] == "declined"

    asyncio.run(walk())
    assert asyncio.run(status_of(f"{lab_without_kernels.url}mcpgen/standing")) == 200

    mapped = Path(f"/proc/{lab_without_kernels.pid}/maps").read_text()
    assert [name for name in MAPPED if f"/{name}/" in mapped] == []
    code = "import sys; from jupyter_mcpgen.lab import server_extension; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert HEAVY.isdisjoint(loaded)


@pytest.mark.soak
def test_a_page_whose_clerk_was_killed_is_told_so_and_is_served_by_the_next(
    lab_without_kernels: Server, assistant: Assistant
) -> None:
    offered = assistant.offers("survivor", times=1)
    opened = json.dumps({"kind": "consent_opened", "request_id": offered["request_id"]})

    async def walk() -> None:
        async with socket_of(lab_without_kernels) as connection:
            await connection.write_message(opened)
            await hears(connection, "consent_shown")
            (clerk,) = (
                child
                for child in psutil.Process(lab_without_kernels.pid).children()
                if "jupyter_mcpgen.panel" in child.cmdline()
            )
            clerk.suspend()
            await connection.write_message(opened)
            clerk.kill()
            refused = await hears(connection, "consent_refused")
            assert "Open the request again" in refused["message"]

            await connection.write_message(opened)
            shown = await hears(connection, "consent_shown")
            assert shown["request"]["tool_name"] == "survivor"

    asyncio.run(walk())
    assistant.call("dynamic_revoke_tool", name="survivor")


@pytest.mark.soak
@pytest.mark.browser
def test_an_offer_is_read_and_allowed_where_no_kernel_runs(
    lab_without_kernels: Server, assistant: Assistant, page: Any
) -> None:
    page.goto(f"{lab_without_kernels.url}lab?reset")
    page.wait_for_function("() => window.jupyterapp?.restored && true")
    offered = assistant.offers("twelvefold", times=12)

    dialog = review(page, "twelvefold")
    tick(dialog)
    press(dialog, "Allow")

    says(page, "twelvefold v1.0.0 is live")
    notice(page, "twelvefold").wait_for(state="detached")
    assert page.evaluate("async () => (await (await fetch('/api/kernels')).json()).length") == 0
    assert assistant.hears_of(offered["request_id"])["status"] == "success"
    assistant.waits_for("twelvefold")
    assert "ab" * 12 in json.dumps(assistant.call("twelvefold", text="ab"))
    approval = lab_without_kernels.root.parent / "registry" / "active" / "tools" / "twelvefold" / "approval.json"
    assert json.loads(approval.read_text())["face"] == "panel"


@pytest.mark.soak
@pytest.mark.browser
def test_a_page_finds_the_server_again_after_its_connection_was_lost(
    lab_without_kernels: Server, assistant: Assistant, page: Any
) -> None:
    page.goto(f"{lab_without_kernels.url}lab?reset")
    page.wait_for_function("() => window.jupyterapp?.restored && true")
    page.context.set_offline(True)
    page.context.set_offline(False)

    assistant.offers("elevenfold", times=11)

    notice(page, "elevenfold").wait_for()
    assistant.call("dynamic_revoke_tool", name="elevenfold")
    notice(page, "elevenfold").wait_for(state="detached")
