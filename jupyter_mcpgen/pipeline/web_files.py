"""Fetches a file that a person names by its address on the web, where they allowed it, and keeps it by its content.

It runs in the person's own process. Size, time and redirects are bounded, and each address that a server redirects to
is resolved, checked and then connected to by its number, so that no server leads into a private network.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
import socket
import ssl
import tempfile
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from jupyter_mcpgen.data.named_files import file_in_address
from jupyter_mcpgen.data.unpacking.answers import OneTable, UnpackedTable
from jupyter_mcpgen.data.unpacking.kept import KeptTables
from jupyter_mcpgen.errors import AddressesNotAllowed, QuestionStopped, UnreadableData
from jupyter_mcpgen.sandbox.cancellation import Cancellation

_PIECE_BYTES = 1 << 16
_IDLE_SECONDS = 30.0
_MOST_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_OK = 200
_WANTS_LOGIN = frozenset({401, 403, 407})
_SECRETS = frozenset({"auth", "credential", "key", "pass", "passwd", "password", "pwd", "secret", "sig", "signature"})
_TOKEN = "token"  # noqa: S105  the word
_WEB_PAGES = (".html", ".htm")
_PORTS = {"http": 80, "https": 443}
_HEADERS = {"User-Agent": "jupyter-mcpgen", "Accept": "*/*", "Accept-Encoding": "identity", "Connection": "close"}
_FETCHED = "\0fetched"
"""Told apart from the name of a table in the file, which has no such sign."""


@dataclass(frozen=True)
class Fetched:
    """A copy of a file of the web, and the sentence that says from where and when it is."""

    path: Path
    note: str


@dataclass(frozen=True)
class WebFiles:
    """Fetches files into the user's cache; safe to use from several threads."""

    kept: KeptTables
    is_allowed: bool = False
    most_bytes: int = 1 << 30
    seconds: float = 120
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    def fetch(self, address: str, stop: Cancellation) -> Fetched:
        """Fetch a file, and return the copy that is kept of it, one for each content.

        Raises `AddressesNotAllowed`, or `UnreadableData` that says why there is no copy.
        """
        shown = re.sub(r"//[^/@\s]*@", "//", address)
        if not self.is_allowed:
            raise AddressesNotAllowed(shown)
        _refuse_secrets(shown, _parts(shown, address))
        self.kept.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".part-", dir=self.kept.folder) as scratch:
            part = Path(scratch) / "file"
            with _until(self.seconds, stop) as watch:
                try:
                    digest = self._receive(address, part, watch)
                except (OSError, HTTPException, zlib.error) as error:
                    if stop.is_cancelled:
                        raise QuestionStopped from error
                    raise UnreadableData(address, self._why(error, watch)) from error
            path = self._keep(part, digest, file_in_address(address))
            note = f"Fetched from {address} on {self.now():%Y-%m-%d at %H:%M} UTC, {path.stat().st_size:,} bytes."
        return Fetched(path, note)

    def _why(self, error: Exception, watch: _Watch) -> str:
        if watch.is_over:
            return f"it took longer than {self.seconds:g} seconds. Download the file, and name that."
        said = getattr(error, "strerror", None) or str(error) or type(error).__name__
        return f"it could not be fetched: {said}. Check the address and your connection."

    def _keep(self, part: Path, digest: str, name: str) -> Path:
        def move(target: Path) -> None:
            part.replace(target)

        place = self.kept.place_of(digest, name, _FETCHED)
        made = OneTable(table=UnpackedTable(file=name, suffix=Path(name).suffix), digest=digest)
        found = self.kept.find(place) or self.kept.keep_made(place, made, name, move)
        return place / found.table.file

    def _receive(self, typed: str, part: Path, watch: _Watch) -> str:
        """Write what is at an address to a path, and return its digest."""
        at = typed
        for _ in range(_MOST_REDIRECTS + 1):
            with _asked(typed, at, watch) as response:
                to = response.headers.get("Location")
                if response.status not in _REDIRECTS or to is None:
                    _refuse_other_answers(typed, response)
                    return self._written(typed, response, part, watch)
                at = _joined(typed, at, to)
        raise UnreadableData(typed, f"its server redirects more than {_MOST_REDIRECTS} times. Check the address.")

    def _written(self, typed: str, response: HTTPResponse, part: Path, watch: _Watch) -> str:
        promised = response.length
        if promised is not None and promised > self.most_bytes:
            raise self._too_large(typed)
        unzip = zlib.decompressobj(wbits=31) if response.headers.get("Content-Encoding") == "gzip" else None
        whole, received, size = hashlib.sha256(), 0, 0
        with part.open("xb") as file:
            while piece := response.read1(_PIECE_BYTES):
                received += len(piece)
                plain = piece if unzip is None else unzip.decompress(piece)
                size += len(plain)
                if max(received, size) > self.most_bytes:
                    raise self._too_large(typed)
                whole.update(plain)
                file.write(plain)
        if watch.is_over or (promised is not None and received != promised) or (unzip is not None and not unzip.eof):
            raise ConnectionError("the connection ended before the file did")
        return whole.hexdigest()

    def _too_large(self, typed: str) -> UnreadableData:
        return UnreadableData(
            typed,
            f"it has more than {self.most_bytes:,} bytes, the most that is fetched. Download the file, and name that.",
        )


class _Watch:
    """Ends whatever waits for a server, from another thread, and stays over."""

    def __init__(self) -> None:
        self.is_over = False
        self._socket: socket.socket | None = None

    def hold(self, held: socket.socket) -> None:
        """Watch over this connection from now on."""
        self._socket = held
        if self.is_over:
            self.end()

    def end(self) -> None:
        """End the connection; whoever reads from it gets no more."""
        self.is_over = True
        if self._socket is not None:
            with suppress(OSError):  # it is closed already
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)  # of TLS too, without a word to its server


@contextmanager
def _until(seconds: float, stop: Cancellation) -> Iterator[_Watch]:
    """Give a watch that is over after some time, or when somebody wants it to stop."""
    watch = _Watch()
    timer = threading.Timer(seconds, watch.end)
    timer.daemon = True
    timer.start()
    try:
        with stop.calling(watch.end):
            yield watch
    finally:
        timer.cancel()


@contextmanager
def _asked(typed: str, at: str, watch: _Watch) -> Iterator[HTTPResponse]:
    """Ask for what is at an address, which the one that was typed may have led to."""
    parts, first = _parts(typed, at), urlsplit(typed)
    if parts.scheme != first.scheme:
        raise UnreadableData(
            typed, f"its server redirects to `{_origin(parts)}`, which is not `{first.scheme}` any more. Name that."
        )
    host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
    numbers = _numbers(host, port)
    if host != first.hostname and not all(map(_is_public, numbers)):
        raise UnreadableData(
            typed, f"its server redirects to `{_origin(parts)}`, which is in a private network. Name that."
        )
    opened = _opened(numbers, watch)
    made = HTTPSConnection(host, port) if parts.scheme == "https" else HTTPConnection(host, port)
    with closing(made):
        made.sock = _secured(opened, host, watch) if parts.scheme == "https" else opened
        path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~")
        query = f"?{quote(parts.query, safe='/%:@!$&()*+,;=~?')}" if parts.query else ""
        made.request("GET", f"{path}{query}", headers=_HEADERS)
        with made.getresponse() as response:
            yield response


_Number = tuple[int, tuple[str, int] | tuple[str, int, int, int]]
"""The family of an address, and what a socket of it connects to."""


def _numbers(host: str, port: int) -> list[_Number]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [(family, (str(to[0]), *to[1:])) for family, _, _, _, to in found]


def _is_public(number: _Number) -> bool:
    address = ipaddress.ip_address(number[1][0].partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address.sixtofour or address
    return address.is_global and not address.is_multicast


def _opened(numbers: list[_Number], watch: _Watch) -> socket.socket:
    """Connect to the first address that answers."""
    trouble = OSError("its server has no address")
    for family, to in numbers:
        tried = socket.socket(family, socket.SOCK_STREAM)
        tried.settimeout(_IDLE_SECONDS)
        watch.hold(tried)
        try:
            tried.connect(to)
        except OSError as error:
            tried.close()
            trouble = error
        else:
            return tried
    raise trouble


def _secured(opened: socket.socket, host: str, watch: _Watch) -> socket.socket:
    context = ssl.create_default_context()
    try:
        secured = context.wrap_socket(opened, server_hostname=host, do_handshake_on_connect=False)
    except BaseException:
        opened.close()
        raise
    try:
        watch.hold(secured)
        secured.do_handshake()
    except BaseException:
        secured.close()
        raise
    return secured


def _refuse_other_answers(typed: str, response: HTTPResponse) -> None:
    """Raise why what a server answered is not the file that was asked for."""
    if response.status != _OK:
        login = " It wants a login: download the file, and name that." if response.status in _WANTS_LOGIN else ""
        reason = re.sub(r"[^ -~]", "", response.reason)[:80]
        raise UnreadableData(typed, f"its server answered {response.status} {reason}.{login}")
    encoding = response.headers.get("Content-Encoding", "identity")
    if encoding not in ("identity", "gzip"):
        raise UnreadableData(typed, "its server sends it in an encoding that was not asked for. Download the file.")
    name = file_in_address(typed)
    if response.headers.get_content_type() == "text/html" and not name.lower().endswith(_WEB_PAGES):
        raise UnreadableData(
            typed,
            "its server sent a web page and not the file, perhaps to log in or to show it. Name the address that the "
            "page's own link to the file has, or download the file.",
        )


def _joined(typed: str, at: str, to: str) -> str:
    try:
        return urljoin(at, to)
    except ValueError as error:
        raise UnreadableData(typed, "its server redirects to what is not an address of the web.") from error


def _parts(typed: str, address: str) -> SplitResult:
    """Return an address as its parts; raises `UnreadableData` for one that is not of the web, or has credentials."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise UnreadableData(typed, "it is not an address of the web.") from error
    if parts.scheme not in _PORTS or not host:
        raise UnreadableData(typed, f"it leads to `{_origin(parts)}`, and only http and https are fetched.")
    if parts.username is not None or parts.password is not None:
        raise UnreadableData(typed, "a name or a password in an address would be kept with the question. Leave it out.")
    return parts


def _refuse_secrets(typed: str, parts: SplitResult) -> None:
    """Raise for an address whose query gives rights to whoever has it."""
    keys = [set(re.split(r"[\W_]+", pair.partition("=")[0].lower())) for pair in parts.query.split("&")]
    if any(words & _SECRETS or any(word.endswith(_TOKEN) for word in words) for words in keys):
        raise UnreadableData(
            typed.partition("?")[0],
            "an address with a key or a token would be kept with the question. Download the file, and name that.",
        )


def _origin(parts: SplitResult) -> str:
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"[:200]
