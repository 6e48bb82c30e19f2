"""Takes the port before anything else is started."""

from __future__ import annotations

import errno
import http.client
import ipaddress
import json
import socket

from jupyter_mcpgen.errors import PortTaken, ServerError
from jupyter_mcpgen.server.connect import NAME

BACKLOG = 128
PATH = "/mcp"
HEALTH = "/health"
"""Where a server says without a token that it is alive, and its version."""
_NEIGHBOUR_SECONDS = 2.0
_MOST_BYTES = 1_000
_LONGEST_VERSION = 50


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; raises `PortTaken`, or `ServerError` for a host or port that is not ours to use."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except socket.gaierror as error:
        raise ServerError(f"`{host}` is not an address of this machine. Use `127.0.0.1`.") from error
    listener = socket.socket(family, kind, protocol)
    try:
        # A port that a server left a moment ago is free; one that is listened on stays refused.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(host, port, version_at(host, port)) from error
        raise ServerError(
            f"Port {port} on `{host}` cannot be used ({error.strerror}). Use `127.0.0.1` and a port above 1023."
        ) from error
    return listener


def version_at(host: str, port: int) -> str | None:
    """Return the version of the server of ours that listens somewhere, or None for a stranger."""
    connection = http.client.HTTPConnection(host, port, timeout=_NEIGHBOUR_SECONDS)
    try:
        connection.request("GET", HEALTH)
        said = json.loads(connection.getresponse().read(_MOST_BYTES))
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        connection.close()
    match said:
        case {"status": "alive", "version": str(version)} if version.startswith(f"{NAME} "):
            return version.removeprefix(f"{NAME} ")[:_LONGEST_VERSION]
    return None


def refuse_remote(host: str, allowed: bool) -> None:
    """Refuse an address that other machines reach, unless a person allowed it: tokens and data go in clear text."""
    if allowed or is_loopback(host):
        return
    raise ServerError(
        f"`{host}` can be reached from other machines, and the server speaks plain HTTP: the token and all data would "
        "go over the network in clear text. Use `127.0.0.1` and an SSH tunnel or a proxy with TLS; or set "
        "`server.allow_remote` (`MCPGEN_SERVER__ALLOW_REMOTE=true`) if that network is yours alone."
    )


def is_loopback(host: str) -> bool:
    """Tell whether an address is reached from this machine only; a name counts by all its addresses."""
    try:
        found = {str(address[0]) for *_, address in socket.getaddrinfo(host, None)}
    except OSError:
        return False  # `listen` says what is wrong with it
    return bool(found) and all(ipaddress.ip_address(address.partition("%")[0]).is_loopback for address in found)


def url_of(host: str, port: int) -> str:
    """Return the address that clients are given."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}{PATH}"
