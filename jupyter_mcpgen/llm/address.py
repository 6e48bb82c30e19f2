"""Where a model is: addresses as people paste them, and whether what is sent there leaves the machine."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit, urlunsplit

from jupyter_mcpgen.errors import SettingsError
from jupyter_mcpgen.plan.visible import visible

OPENAI = "https://api.openai.com/v1"
_LONGEST_WORDS = 200
_PATHS_OF_REQUESTS = ("/chat/completions", "/completions", "/models")
_ELSEWHERE = ("-cloud", ":cloud")


def clean_address(text: str) -> str:
    """Return a base address without the path of a request; raises `SettingsError` if it is not the address of a server.

    A user name or a password in it is refused: addresses are shown and logged.
    """
    parts = urlsplit(text.strip() if "://" in text else f"http://{text.strip()}")
    try:
        port = parts.port
    except ValueError:
        port = None if parts.netloc.endswith(":") else -1
    if parts.scheme not in ("http", "https") or not parts.hostname or port == -1:
        raise SettingsError(
            f"`{in_a_sentence(text)}` is not the address of a model server. An address looks like `http://localhost:8000/v1`."
        )
    if parts.username is not None or parts.password is not None:
        raise SettingsError(
            "`llm.base_url` must not hold a user name or a password. Put the key into an environment variable and name "
            "it as `llm.api_key_env`."
        )
    path = parts.path.rstrip("/")
    for ending in _PATHS_OF_REQUESTS:
        path = path.removesuffix(ending)
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))


def origin_of(address: str) -> str:
    """Return scheme, host and port: what a key is for, and what is shown and logged."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2].lower()}"


def is_loopback(address: str) -> bool:
    """Return whether an address is this machine itself."""
    host = urlsplit(address).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def stays_here(address: str, model: str) -> bool:
    """Return whether a prompt stays on this machine; some models of a server on it run at its maker's."""
    return is_loopback(address) and not model.endswith(_ELSEWHERE)


def in_a_sentence(text: str) -> str:
    """Return what a server or a person wrote, to be quoted: on one line, within bounds, without what is not seen."""
    plain = visible(" ".join(text[: 2 * _LONGEST_WORDS].split())).replace("`", "'")
    return plain if len(plain) <= _LONGEST_WORDS else f"{plain[: _LONGEST_WORDS - 1]}…"
