"""`--stdio` beside a running server: passes everything on to that server instead of being a second one.

So all clients of a person share one sandbox pool, one set of sessions and one count of calls. The running server is the
one of the same registry and state folder; its address is in the private state folder, and this process makes itself a
token there, which it revokes when its client has gone.

No request is lost silently. When the server ends, the one that follows it is joined; where none follows within
seconds, this process serves by itself. What was not answered yet is asked again, but for calls of tools that were sent:
nobody knows whether those were carried out, so they are answered by an error that says so.
"""

from __future__ import annotations

import argparse
import base64
import http.client
import json
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Lock, RLock, Thread
from typing import Any
from urllib.parse import urlsplit

from jupyter_mcpgen.errors import ServerError
from jupyter_mcpgen.server import launch
from jupyter_mcpgen.server.greeting import MODERN, Wire
from jupyter_mcpgen.server.private import is_locked
from jupyter_mcpgen.server.tokens import ADMIN, CALL, Grant, issue, revoke_those

RETURN_SECONDS = 10.0
"""How long another server is waited for when the one that was joined has ended."""
LAST_SECONDS = 5.0
"""How long the last answers are waited for when the client has gone."""
_LOOK_SECONDS = 0.1
_CONNECT_SECONDS = 5.0
_CHUNK = 65_536
_NAME = "stdio:"
"""What the names of the tokens begin with; the process id follows."""
_VERSION = "io.modelcontextprotocol/protocolVersion"
_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_LISTS = ("tools", "resources", "prompts")
_ENDED = (
    "The MCP server ended before it answered this call, which may or may not have been carried out. "
    "Look at what it does before you repeat it."
)
_REVOKED = "The token of this client was revoked or has expired. Start the client again for a new one."
_ERROR_CODE = -32000
logger = logging.getLogger(__name__)


class _NotSentError(Exception):
    """A message did not reach a server."""


class _LostError(Exception):
    """A message was sent, and the server ended without an answer."""


@dataclass(eq=False)
class _Sent:
    """A request of the client that is not answered yet, with the connection it waits on."""

    message: Mapping[str, Any]
    line: bytes
    connection: http.client.HTTPConnection | None = None
    cancelled: bool = False
    begun: bool = False
    """Whether a server may have read it."""
    times: int = 0

    @property
    def method(self) -> str:
        return str(self.message["method"])

    @property
    def id(self) -> int | str:
        found: int | str = self.message["id"]
        return found

    @property
    def may_be_repeated(self) -> bool:
        """Whether it does no harm to ask a second server: everything but a call of a tool only reads."""
        return self.method != "tools/call" or not self.begun


@dataclass(frozen=True)
class _Link:
    """A server that was joined, as the how many-th, and what it calls the session with it."""

    running: launch.ServerStatus
    number: int = 0
    session: str | None = None
    version: str | None = None


def joined(arguments: Sequence[str], wire: Wire) -> bool:
    """Serve the client of this process by the server that runs, until the client has gone.

    Returns False where this process has to serve the client itself: no such server runs, or it ended and none followed.
    """
    options = _parser().parse_known_args(arguments)[0]
    if options.alone or not (options.state / launch.STATUS_FILE).exists():
        return False
    registry = options.registry or _configured_registry()
    find = _Finder(options.state, registry.expanduser().resolve())
    try:
        running = find()
        if running is None:
            return False
        revoke_those(options.state, _is_left_over, time.time())
        token = issue(
            options.state,
            f"{_NAME}{os.getpid()}",
            now=time.time(),
            scopes=(CALL, ADMIN),
            started_in=str(Path.cwd()),
        )
    except ServerError as error:
        logger.warning("The running server was not joined: %s", error)
        return False
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        return _Passing(find, running, token, wire).until_over()
    finally:
        revoke_those(options.state, lambda one: one.client_id == f"{_NAME}{os.getpid()}", time.time())


@dataclass(frozen=True)
class _Finder:
    """Finds the server of a registry and a state folder that runs now."""

    state: Path
    registry: Path

    def __call__(self) -> launch.ServerStatus | None:
        running = launch.status(self.state)
        return running if running is not None and running.registry == self.registry else None

    def is_starting(self) -> bool:
        """Tell whether a server is just being started or stopped."""
        return is_locked(self.state / launch.LOCK_FILE)


class _Passing:
    """Messages from the client to the server, and back."""

    def __init__(self, find: _Finder, running: launch.ServerStatus, token: str, wire: Wire) -> None:
        self._find = find
        self._link = _Link(running)
        self._token = token
        self._wire = wire
        self._writing, self._keeping, self._attaching = Lock(), Lock(), RLock()
        self._pending: dict[int | str, _Sent] = {}
        self._initialize: _Sent | None = None
        self._initialized: bytes | None = None
        self._gone, self._over, self._done = Event(), Event(), Event()
        self._lines = _Lines(self._take, self._client_gone)

    def until_over(self) -> bool:
        """Pass on everything until the client has gone, or until no server is there any more: then return False."""
        self._done.wait()
        if self._over.is_set():
            self._lines.hand_to_server(self._handed_over)
            return False
        until = time.monotonic() + LAST_SECONDS
        while time.monotonic() < until and any(one.method != "subscriptions/listen" for one in self._unanswered()):
            time.sleep(_LOOK_SECONDS)
        link = self._now()
        if link.session is not None:
            with suppress(_NotSentError, _LostError):  # the server has ended, and its sessions with it
                self._exchange(link, "DELETE", b"", self._headers(link, {}))[0].close()
        return True

    def _client_gone(self) -> None:
        self._gone.set()
        self._done.set()

    def _now(self) -> _Link:
        """Return the server that is joined, once it is."""
        with self._attaching:
            return self._link

    def _take(self, line: bytes) -> None:
        """Take a line of the client; those that need an answer wait for it in a thread of their own."""
        message = _parsed(line)
        if message is None:
            if line.strip():
                self._say({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "This is no JSON."}})
            return
        if "method" in message and message.get("id") is not None:
            self._take_request(_Sent(message, line))
            return
        if message.get("method") == "notifications/initialized":
            self._initialized = line
        if message.get("method") == "notifications/cancelled" and self._cancelled(message):
            return
        link = self._now()
        try:
            self._exchange(link, "POST", line, self._headers(link, message))[0].close()
        except (_NotSentError, _LostError):
            self._attached(link)  # which begins as the client began, so that the next server knows what it has to

    def _take_request(self, sent: _Sent) -> None:
        with self._keeping:
            self._pending[sent.id] = sent
        if sent.method != "initialize":
            Thread(target=self._carry, args=(sent,), name="mcpgen-passing", daemon=True).start()
            return
        self._initialize, self._initialized = sent, None
        link = self._now()
        if not self._begin(link.running):
            self._attached(link)

    def _cancelled(self, message: Mapping[str, Any]) -> bool:
        """End a request of the newer protocol, whose cancellation is the end of its connection."""
        with self._keeping:
            sent = self._pending.get(message.get("params", {}).get("requestId"))
        is_modern = sent is not None and _version_in(sent.message) is not None
        if sent is None or (sent.begun and not is_modern):
            return False
        sent.cancelled = True
        self._answered(sent)
        if sent.connection is not None and sent.connection.sock is not None:
            with suppress(OSError):  # it has ended by itself
                sent.connection.sock.shutdown(socket.SHUT_RDWR)
        return True

    def _carry(self, sent: _Sent) -> None:
        """Have a request answered, by this server or one that follows it."""
        while not sent.cancelled:
            link = self._now()
            try:
                self._ask(link, sent)
                return
            except _NotSentError:
                sent.begun = False
            except _LostError:
                if not sent.may_be_repeated and not sent.cancelled:
                    self._fail(sent, _ENDED)
                    return
            if not self._attached(link):
                return  # it is among what is handed over

    def _ask(self, link: _Link, sent: _Sent) -> None:
        """Send a request and pass on all that comes until it is answered."""
        sent.times += 1
        connection, response = self._exchange(link, "POST", sent.line, self._headers(link, sent.message), sent)
        try:
            if response.status == http.client.NOT_FOUND and link.session is not None:
                raise _NotSentError  # the session has expired: the server did not look at the message
            if response.status >= http.client.BAD_REQUEST:
                self._refused(sent, response)
                return
            for message in _messages(response):
                is_answer = message.get("id") == sent.id and "method" not in message
                if not (self._answered(sent) if is_answer else sent in self._unanswered()):
                    return
                self._pass(sent, message)
                if is_answer:
                    return
            raise _LostError
        except (OSError, http.client.HTTPException) as error:
            raise _LostError from error
        finally:
            connection.close()

    def _pass(self, sent: _Sent, message: Mapping[str, Any]) -> None:
        if sent.times > 1 and message.get("method") == "notifications/subscriptions/acknowledged":
            for told in _changes_in(message):  # what changed between two servers was told to nobody
                self._say(told)
            return
        self._say(message)

    def _refused(self, sent: _Sent, response: http.client.HTTPResponse) -> None:
        """Pass on why the server took no request, in its own words or in ours."""
        said = _parsed(response.read())
        if said is not None and isinstance(said.get("error"), dict):
            if self._answered(sent):
                self._say({"jsonrpc": "2.0", "id": sent.id, "error": said["error"]})
        elif response.status in (http.client.UNAUTHORIZED, http.client.FORBIDDEN):
            self._fail(sent, _REVOKED)
        else:
            self._fail(sent, f"The running MCP server answered with HTTP {response.status}. `status` says how it is.")

    def _attached(self, before: _Link) -> bool:
        """Join the server that runs now, if nobody else has done so; tell whether there is one."""
        with self._attaching:
            if self._link is not before:
                return True
            until = time.monotonic() + RETURN_SECONDS
            while not self._over.is_set() and not self._gone.is_set() and time.monotonic() < until:
                if self._begins_again():
                    return True
                if self._find.is_starting():
                    until = time.monotonic() + RETURN_SECONDS
                time.sleep(_LOOK_SECONDS)
            self._over.set()
            self._done.set()
            return False

    def _begins_again(self) -> bool:
        try:
            running = self._find()
        except ServerError:  # its file is being written
            return False
        return running is not None and self._begin(running)

    def _begin(self, running: launch.ServerStatus) -> bool:
        """Begin with a server, as the client began; tell whether it is there."""
        with self._attaching:
            link, first = _Link(running, self._link.number + 1), self._initialize
            try:
                if first is None:
                    _connected(running).close()
                    self._link = link
                    return True
                link = self._initialize_with(first, link)
                if self._initialized is not None:
                    self._exchange(link, "POST", self._initialized, self._headers(link, {}))[0].close()
            except (_NotSentError, _LostError):
                return False
            self._link = link
        Thread(target=self._hear, args=(link,), name="mcpgen-hearing", daemon=True).start()
        if self._initialized is not None:
            for name in _LISTS:
                self._say({"jsonrpc": "2.0", "method": f"notifications/{name}/list_changed"})
        return True

    def _initialize_with(self, first: _Sent, link: _Link) -> _Link:
        connection, response = self._exchange(link, "POST", first.line, self._headers(link, first.message))
        try:
            if response.status >= http.client.BAD_REQUEST:
                self._refused(first, response)
                return link
            for message in _messages(response):
                if message.get("id") == first.id:
                    result = message.get("result")
                    version = result.get("protocolVersion") if isinstance(result, dict) else None
                    if self._answered(first):
                        self._say(message)
                    return replace(link, session=response.headers.get("mcp-session-id"), version=version)
            raise _LostError
        except (OSError, http.client.HTTPException) as error:
            raise _LostError from error
        finally:
            connection.close()

    def _hear(self, link: _Link) -> None:
        """Pass on what the server says by itself, until it ends; then join the one that follows."""
        headers = {**self._headers(link, {}), "Accept": "text/event-stream"}
        begun = time.monotonic()
        try:
            connection, response = self._exchange(link, "GET", b"", headers)
        except (_NotSentError, _LostError):
            self._attached(link)
            return
        try:
            if response.status != http.client.OK:
                return  # this server says nothing by itself
            for message in _messages(response):
                self._say(message)
        except (OSError, http.client.HTTPException):
            logger.debug("The server's stream ended.", exc_info=True)
        finally:
            connection.close()
        if time.monotonic() - begun > 1 and not self._gone.is_set():
            self._attached(link)

    def _exchange(
        self, link: _Link, method: str, body: bytes, headers: Mapping[str, str], sent: _Sent | None = None
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        """Send one HTTP request; a connection each, so that one that fails was never used before."""
        connection = _connected(link.running)
        if not self._still_runs(link):  # its port may be a stranger's now, who must not get the token
            connection.close()
            raise _NotSentError
        if sent is not None:
            sent.connection, sent.begun = connection, True
        try:
            connection.request(method, urlsplit(link.running.url).path, body.strip(), dict(headers))
            return connection, connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise _LostError from error

    def _still_runs(self, link: _Link) -> bool:
        try:
            return self._find() == link.running
        except ServerError:
            return False

    def _headers(self, link: _Link, message: Mapping[str, Any]) -> dict[str, str]:
        headers = {
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            "Authorization": f"Bearer {self._token}",
        }
        modern = _version_in(message)
        if modern is not None:
            headers |= {"Mcp-Protocol-Version": modern, "Mcp-Method": str(message.get("method"))}
            named = message["params"].get(_NAMED_BY.get(str(message.get("method")), ""))
            return headers | ({"Mcp-Name": _in_header(named)} if isinstance(named, str) else {})
        if link.version is not None:
            headers["Mcp-Protocol-Version"] = link.version
        if link.session is not None:
            headers["Mcp-Session-Id"] = link.session
        return headers

    def _unanswered(self) -> list[_Sent]:
        with self._keeping:
            return list(self._pending.values())

    def _answered(self, sent: _Sent) -> bool:
        """Take a request out of those that wait; tell whether it was still among them."""
        with self._keeping:
            waited = self._pending.get(sent.id) is sent
            if waited:
                del self._pending[sent.id]
            return waited

    def _fail(self, sent: _Sent, why: str) -> None:
        if self._answered(sent):
            self._say({"jsonrpc": "2.0", "id": sent.id, "error": {"code": _ERROR_CODE, "message": why}})

    def _say(self, message: Mapping[str, Any]) -> None:
        line = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        with self._writing, suppress(BrokenPipeError):  # the client has gone
            while line:
                line = line[os.write(1, line) :]

    def _handed_over(self) -> list[bytes]:
        """Return what a server of this process has to hear first: how the client began, and what is not answered."""
        begun = self._initialize
        if begun is not None and begun not in self._unanswered():
            self._wire.answered.append(begun.id)  # the client has had the answer
        first = [] if begun is None else [begun.line, *filter(None, [self._initialized])]
        left = [one for one in self._unanswered() if one is not begun and one.may_be_repeated]
        return [*first, *(one.line for one in left if self._answered(one))]


class _Lines:
    """The lines of the client; in the end they may go to a server in this process."""

    def __init__(self, take: Callable[[bytes], None], end: Callable[[], None]) -> None:
        self._take, self._end = take, end
        self._source = os.dup(0)
        self._ended = False
        self._taking = Lock()
        Thread(target=self._read, name="mcpgen-lines", daemon=True).start()

    def hand_to_server(self, first: Callable[[], Sequence[bytes]]) -> None:
        """Make standard input a pipe that gives some lines first, then all that come."""
        server_in, feed = os.pipe()
        os.dup2(server_in, 0)
        os.close(server_in)

        def give(line: bytes) -> None:
            with suppress(BrokenPipeError):  # the server has ended
                while line:
                    line = line[os.write(feed, line) :]

        def begin() -> None:
            with self._taking:  # nothing is taken between what was left and what comes
                for line in first():
                    give(line)
                self._take, self._end = give, lambda: os.close(feed)
                if self._ended:
                    self._end()

        Thread(target=begin, name="mcpgen-feeding", daemon=True).start()

    def _read(self) -> None:
        held = b""
        while chunk := os.read(self._source, _CHUNK):
            *lines, held = (held + chunk).split(b"\n")
            for line in lines:
                with self._taking:
                    self._take(line + b"\n")
        with self._taking:
            if held:
                self._take(held + b"\n")
            self._ended = True
            self._end()


def _connected(running: launch.ServerStatus) -> http.client.HTTPConnection:
    connection = http.client.HTTPConnection(running.host, running.port, timeout=_CONNECT_SECONDS)
    try:
        connection.connect()
    except OSError as error:
        raise _NotSentError from error
    connection.sock.settimeout(None)  # a call takes as long as it takes
    return connection


def _messages(response: http.client.HTTPResponse) -> Iterator[Mapping[str, Any]]:
    """Yield the messages of an answer: the one of a JSON body, or the events of a stream."""
    if not response.headers.get("content-type", "").startswith("text/event-stream"):
        message = _parsed(response.read())
        if message is not None:
            yield message
        return
    data: list[bytes] = []
    while line := response.readline():
        line = line.rstrip(b"\r\n")
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line and data:
            message = _parsed(b"\n".join(data))
            data.clear()
            if message is not None:
                yield message


def _parsed(text: bytes) -> Mapping[str, Any] | None:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def _version_in(message: Mapping[str, Any]) -> str | None:
    """Return the version that a message of the newer protocol carries with it."""
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    version = meta.get(_VERSION) if isinstance(meta, dict) else None
    return version if version in MODERN else None


def _changes_in(acknowledged: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the announcements that a client listens to."""
    params = acknowledged.get("params", {})
    wanted = params.get("notifications", {})
    for name in _LISTS:
        if wanted.get(f"{name}ListChanged"):
            meta = {"_meta": params.get("_meta", {})}
            yield {"jsonrpc": "2.0", "method": f"notifications/{name}/list_changed", "params": meta}


def _in_header(value: str) -> str:
    """Return a name as HTTP can carry it."""
    is_plain = value.isascii() and value.isprintable() and value == value.strip() and not value.startswith("=?base64?")
    return value if is_plain else f"=?base64?{base64.b64encode(value.encode()).decode()}?="


def _is_left_over(grant: Grant) -> bool:
    """Tell whether a token is of a process that joined and was killed."""
    pid = grant.client_id.removeprefix(_NAME)
    if not grant.client_id.startswith(_NAME) or not pid.isdecimal():
        return False
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, OverflowError):
        return True
    except PermissionError:
        return True  # of another user, who has a state folder of their own
    return False


def _configured_registry() -> Path:
    from jupyter_mcpgen.settings import load_settings  # deferred: clients that were told the registry need none

    return load_settings().values.registry_path


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--registry", type=Path)
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--alone", action="store_true")
    return parser
