"""The `openai` package, and all that is known of it: one request at a time, streamed, to one address.

It follows no redirect, retries nothing, takes no key, no address and no header from the environment, and uses no proxy
for this machine. Both majors are supported: only names that they share are used.
"""

from __future__ import annotations

import asyncio
import errno
import json
import socket
import ssl
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from contextvars import ContextVar
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.errors import McpgenError
from jupyter_mcpgen.llm.address import is_loopback, origin_of
from jupyter_mcpgen.llm.arriving import Arrived, Events, TooMuch
from jupyter_mcpgen.llm.faults import Fault, read_fault
from jupyter_mcpgen.llm.keys import Key

if TYPE_CHECKING:
    import openai

AGENT = "jupyter-mcpgen"
_NO_KEY = "none"
"""The package insists on one; it is taken from each request again."""
_MOST_BODY = 4_000_000
_MOST_PER_EMBEDDING = 200_000
_MOST_REFUSAL = 20_000
_NOT_A_SUCCESS = 300
_OFFLINE = frozenset({errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN})
_TELLS_TOO_MUCH = ("x-stainless-", "openai-")
"""What the package adds to each request, of this machine and of the environment."""
_ITS_OWN_MARK = "x-stainless-raw-response"
"""It tells nothing, and the package looks for it when the response has come."""

Written = Callable[[bytes], None]
_SENDING: ContextVar[Written] = ContextVar("sending")
"""Who writes down the request of this task: the hook of the client is told no more than the request."""


@dataclass(frozen=True)
class Patience:
    """How long a request may take, in seconds: all of it, between two pieces, and to connect."""

    total: float = 600.0
    between: float = 120.0
    connect: float = 5.0


USUAL = Patience()


class Refused(Exception):
    """The server refused a request."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.said)
        self.fault = fault


class Trouble(StrEnum):
    """Why nothing, or not everything, came from a server."""

    DOWN = "nothing listens there"
    OFFLINE = "offline"
    UNTRUSTED = "its certificate is not trusted"
    LOST = "the connection was lost"
    SILENT = "nothing"
    SLOW = "no complete reply"
    NO_MODEL_SERVER = "no model server"


class Unanswered(Exception):
    """A request got no usable answer for a reason below HTTP, or because it was no model server's."""

    def __init__(self, trouble: Trouble, detail: str = "", seconds: float = 0.0) -> None:
        super().__init__(detail or trouble)
        self.trouble = trouble
        self.detail = detail
        self.seconds = seconds
        """How long somebody waited in vain."""


class Client:
    """Sends requests to one address, with the key for it. To be used within one loop."""

    def __init__(self, address: str, key: Key | None, patience: Patience = Patience()) -> None:
        self.address = address
        self.origin = origin_of(address)
        self.key = key
        self.patience = patience
        self._client: openai.AsyncOpenAI | None = None

    async def post(
        self, path: str, body: Mapping[str, Any], arrived: Arrived, written: Written, news: Callable[[], None]
    ) -> None:
        """Send one request for a completion and add to `arrived` as the reply comes; `news` is called for each piece.

        `written` gets the bytes before they leave. Raises `Refused`, `Unanswered`, `TooMuch`, or what `written`
        raises; and without the package's own exceptions before it, whose variables hold the key.
        """
        failure = await self._posted(path, body, arrived, written, news)
        if failure is not None:
            raise failure.with_traceback(None)

    async def _posted(
        self, path: str, body: Mapping[str, Any], arrived: Arrived, written: Written, news: Callable[[], None]
    ) -> Exception | None:
        openai = _package()
        _SENDING.set(written)
        client = self._opened().with_options(base_url=f"{self.address}{path}")
        end = asyncio.get_running_loop().time() + self.patience.total
        try:
            async with asyncio.timeout_at(end) as limit:
                request = client.chat.completions.with_streaming_response.create(**body)
                async with request as response:
                    await self._receive(response, arrived, limit, end, news)
            if arrived.fault is not None:
                return Refused(self._without_key(arrived.fault))
        except TimeoutError:
            has_paused = limit.when() != end
            seconds = self.patience.between if has_paused else self.patience.total
            return Unanswered(Trouble.SLOW if arrived.characters else Trouble.SILENT, "", seconds)
        except openai.APIConnectionError as error:
            return _reason(error)
        except (McpgenError, Refused, Unanswered, TooMuch) as error:
            return error
        except OSError:
            return Unanswered(Trouble.LOST)
        return None

    async def model_list(self, path: str, written: Written, seconds: float) -> Any:
        """Return what the server tells of its models, as JSON, or `None` where it tells nothing."""
        openai = _package()
        _SENDING.set(written)
        client = self._opened().with_options(base_url=f"{self.address}{path}")
        try:
            async with asyncio.timeout(seconds), client.models.with_streaming_response.list() as response:
                return json.loads(await _whole(response))
        except (openai.OpenAIError, OSError, ValueError, RecursionError, TooMuch, Unanswered, Refused) as error:
            ours = _reason(error)
        if isinstance(ours, McpgenError):
            raise ours.with_traceback(None)
        return None

    async def embeddings(self, path: str, model: str, texts: Sequence[str], written: Written, seconds: float) -> Any:
        """Return what the server sends as embeddings of texts, as JSON; raises as `post` does."""
        found = await self._embedded(path, model, texts, written, seconds)
        if isinstance(found, Exception):
            raise found.with_traceback(None)
        return found

    async def _embedded(self, path: str, model: str, texts: Sequence[str], written: Written, seconds: float) -> Any:
        openai = _package()
        _SENDING.set(written)
        client = self._opened().with_options(base_url=f"{self.address}{path}")
        create = client.embeddings.with_streaming_response.create
        try:
            async with (
                asyncio.timeout(seconds),
                create(model=model, input=list(texts), encoding_format="float") as response,
            ):
                _refuse_page(response)
                return json.loads(await _whole(response, _MOST_BODY + _MOST_PER_EMBEDDING * len(texts)))
        except TimeoutError:
            return Unanswered(Trouble.SILENT, "", seconds)
        except openai.APIConnectionError as error:
            return _reason(error)
        except (ValueError, RecursionError):
            return Unanswered(Trouble.LOST, "it sent half a reply")
        except (McpgenError, Refused, Unanswered, TooMuch) as error:
            return error
        except OSError:
            return Unanswered(Trouble.LOST)

    async def open(self) -> None:
        """Import what a request needs and get ready; nothing is sent."""
        _ = self._opened().chat.completions.with_streaming_response  # the package imports its parts when they are used

    async def close(self) -> None:
        """Close all connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _receive(
        self, response: Any, arrived: Arrived, limit: asyncio.Timeout, end: float, news: Callable[[], None]
    ) -> None:
        kind = _refuse_page(response)
        if kind == "application/json":
            self._whole_reply(await _whole(response), arrived)
            return
        loop, events = asyncio.get_running_loop(), Events()
        try:
            async with aclosing(_pieces(response)) as pieces:
                async for piece in pieces:
                    limit.reschedule(min(loop.time() + self.patience.between, end))
                    for data in events.feed(piece):
                        arrived.take(data)
                    news()
                    if arrived.is_over or arrived.fault is not None:
                        return
        except Unanswered:
            if not events.have_come:
                raise
        for data in events.end():
            arrived.take(data)

    def _whole_reply(self, text: str, arrived: Arrived) -> None:
        try:
            arrived.take_record(json.loads(text))
        except (ValueError, RecursionError):
            raise Unanswered(Trouble.LOST, "it sent half a reply" if text.strip() else "it sent nothing") from None
        arrived.is_over = True

    def _opened(self) -> openai.AsyncOpenAI:
        if self._client is None:
            openai = _package()
            http = openai.DefaultAsyncHttpxClient(
                follow_redirects=False,
                trust_env=not is_loopback(self.address),
                event_hooks={"request": [self._before_it_leaves], "response": [self._read_refusal]},
            )
            self._client = openai.AsyncOpenAI(
                base_url=self.address,
                api_key=self.key.for_origin(self.origin) if self.key is not None else _NO_KEY,
                timeout=openai.Timeout(None, connect=self.patience.connect),
                max_retries=0,
                http_client=http,
            )
        return self._client

    async def _before_it_leaves(self, request: Any) -> None:
        """Take from a request what the package adds to it, and have it written down."""
        for name in list(request.headers):
            if name.lower().startswith(_TELLS_TOO_MUCH) and name.lower() != _ITS_OWN_MARK:
                del request.headers[name]
        request.headers["User-Agent"] = AGENT
        request.headers["Accept-Encoding"] = "identity"  # what is small must not become large when it is unpacked
        if self.key is None:
            request.headers.pop("Authorization", None)
        _SENDING.get()(request.content)

    async def _read_refusal(self, response: Any) -> None:
        """Raise `Refused` for a status that is none of success; the package would read its body without bounds."""
        if response.status_code >= _NOT_A_SUCCESS:
            body = await _beginning(response.aiter_bytes(), _MOST_REFUSAL)
            raise Refused(self._without_key(read_fault(response.status_code, body, dict(response.headers))))

    def _without_key(self, fault: Fault) -> Fault:
        """Return a refusal without the key, which some servers repeat."""
        return fault if self.key is None else replace(fault, said=self.key.hide(fault.said))


def _package() -> Any:
    import openai  # deferred: it takes a second, and most processes never ask a model

    return openai


async def _pieces(response: Any) -> AsyncGenerator[bytes, None]:
    async with aclosing(response.iter_bytes()) as pieces:
        while True:
            try:
                yield await anext(pieces)
            except StopAsyncIteration:
                return
            except Exception:  # of the package's HTTP library, which differs between its majors
                break
        raise Unanswered(Trouble.LOST)


def _refuse_page(response: Any) -> str:
    """Return the kind of content of a response; raises `Unanswered` for a web page."""
    kind: str = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "text/html":
        raise Unanswered(Trouble.NO_MODEL_SERVER, "sends a web page")
    return kind


async def _whole(response: Any, most: int = _MOST_BODY) -> str:
    text = await _beginning(_pieces(response), most)
    if len(text) > most:
        raise TooMuch("sent far more than a reply has")
    return text


async def _beginning(pieces: Any, most: int) -> str:
    """Return what comes, up to a bit more than so many bytes."""
    parts: list[bytes] = []
    size = 0
    async with aclosing(pieces):
        async for piece in pieces:
            parts.append(piece)
            size += len(piece)
            if size > most:
                break
    return b"".join(parts).decode("utf-8", "replace")


def _reason(error: BaseException) -> Exception:
    """Return why no connection came about, or why it ended; ours is passed on as it is."""
    causes = list(_causes(error))
    for one in causes:
        if isinstance(one, (McpgenError, Refused)):
            return one
    kinds = {type(one).__name__ for one in causes}
    if any(isinstance(one, ssl.SSLCertVerificationError) for one in causes):
        return Unanswered(Trouble.UNTRUSTED)
    if any(isinstance(one, socket.gaierror) for one in causes):
        return Unanswered(Trouble.OFFLINE)
    if any(isinstance(one, OSError) and one.errno in _OFFLINE for one in causes):
        return Unanswered(Trouble.OFFLINE)
    return Unanswered(Trouble.DOWN if kinds & {"ConnectError", "ConnectTimeout"} else Trouble.LOST)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and all that it was raised from."""
    waiting, seen = [error], set[int]()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        waiting += [cause for cause in (one.__cause__, one.__context__) if cause is not None]
        waiting += one.exceptions if isinstance(one, BaseExceptionGroup) else ()
