"""Stands between the official suites, which know neither tokens nor our addresses, and a server of the product.

It adds the token, writes the suites' addresses of resources as addresses that a registry has, and back, acts as the
person who approves a tool where a scenario asks for a change of the lists, calls a tool of ours that asks the person
where a scenario has one that does, and keeps what the server answered.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
import httpx2
import uvicorn
from anyio import to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from jupyter_mcpgen.server.launch import ServerStatus

_HOP_BY_HOP = {"content-length", "transfer-encoding", "connection", "keep-alive"}
Asked = tuple[str, str]
"""A method, and what it was asked about: the name of a tool or prompt, or an address; empty for a whole list."""


@dataclass(frozen=True)
class StandIn:
    """A tool of ours that does what a tool of the suites does, and the arguments with which it does so."""

    name: str
    arguments: Mapping[str, Any]

    def called(self, body: str) -> str:
        """Return a call of the suites' tool as a call of ours."""
        message = json.loads(body)
        message["params"] |= {"name": self.name, "arguments": self.arguments}
        return json.dumps(message)


@dataclass
class Relay:
    """What is passed on: `words` are the suites' and ours; `acts` are a person's, by the tool that is called.

    A tool that `stands_in` for one of the suites' is called with arguments of ours.
    """

    server: ServerStatus
    words: Mapping[str, str]
    acts: Mapping[str, Callable[[], None]]
    stands_in: Mapping[str, StandIn]
    url: str = ""
    answers: dict[Asked, str] = field(default_factory=dict)
    """All that was answered, one text after the other."""

    async def passed_on(self, request: Request) -> Response:
        """Pass a request on, and the answer back as it comes."""
        body = self._ours((await request.body()).decode())
        asked = _asked(body)
        stand_in = self.stands_in.get(asked[1]) if asked[0] == "tools/call" else None
        if stand_in is not None:
            body = stand_in.called(body)
        act = self.acts.get(asked[1])
        if asked[0] == "tools/call" and act is not None:
            await to_thread.run_sync(act)
        headers = {name: value for name, value in request.headers.items() if name not in _HOP_BY_HOP}
        headers = {name: self._ours(value) for name, value in headers.items()}
        if stand_in is not None and "mcp-name" in headers:
            headers["mcp-name"] = stand_in.name
        token = self.server.token.get_secret_value()
        client: httpx2.AsyncClient = request.app.state.client
        sent = client.build_request(
            request.method, self.server.url, content=body, headers={**headers, "authorization": f"Bearer {token}"}
        )
        answer = await client.send(sent, stream=True)
        kept = {name: value for name, value in answer.headers.items() if name not in _HOP_BY_HOP}

        async def parts() -> AsyncIterator[bytes]:
            try:
                # A line is the smallest part that holds a whole address.
                async for line in answer.aiter_lines():
                    self.answers[asked] = self.answers.get(asked, "") + line
                    yield f"{self._theirs(line)}\n".encode()
            except (anyio.ClosedResourceError, httpx2.ReadError):
                return  # the server ended the stream
            finally:
                await answer.aclose()

        return StreamingResponse(parts(), answer.status_code, kept)

    def _ours(self, text: str) -> str:
        for theirs, ours in self.words.items():
            text = text.replace(theirs, ours)
        return text

    def _theirs(self, text: str) -> str:
        for theirs, ours in self.words.items():
            text = text.replace(ours, theirs)
        return text


def _asked(body: str) -> Asked:
    try:
        message = json.loads(body)
    except ValueError:
        return "", ""
    if not isinstance(message, dict):
        return "", ""
    params: Any = message.get("params")
    known = params if isinstance(params, dict) else {}
    about = known.get("name") or known.get("uri") or (known.get("ref") or {}).get("name") or ""
    return str(message.get("method")), str(about)


@contextmanager
def relayed(
    server: ServerStatus,
    words: Mapping[str, str],
    acts: Mapping[str, Callable[[], None]],
    stands_in: Mapping[str, StandIn],
) -> Iterator[Relay]:
    """Run a relay before a server, on a free port of this machine."""
    relay = Relay(server, words, acts, stands_in)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with httpx2.AsyncClient(timeout=None) as client:
            app.state.client = client
            yield

    application = Starlette(
        routes=[Route("/mcp", relay.passed_on, methods=["GET", "POST", "DELETE"])], lifespan=lifespan
    )
    with socket.create_server(("127.0.0.1", 0)) as listener:
        relay.url = f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        config = uvicorn.Config(application, log_level="error", ws="none", timeout_graceful_shutdown=1)
        running = uvicorn.Server(config)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            yield relay
        finally:
            running.should_exit = True
            thread.join()
