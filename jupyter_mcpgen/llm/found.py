"""Looks for model servers on this machine: on their usual ports, with GET alone, without a key, and quickly."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from jupyter_mcpgen.llm.names import names_in

LOOPBACK = ("127.0.0.1", "::1")
PORTS = (11434, 1234, 8000, 8080, 9931, 3000, 4000)
SECONDS = 0.4
ALTOGETHER = 3.0
_MOST_BYTES = 2_000_000
_OK = 200
_NEEDS_KEY = (401, 403)


class Kind(StrEnum):
    """Which program serves the models."""

    OLLAMA = "Ollama"
    LLAMA_CPP = "llama.cpp"
    VLLM = "vLLM"
    LM_STUDIO = "LM Studio"
    TGI = "TGI"
    LITELLM = "LiteLLM"
    OTHER = "an OpenAI-compatible server"


@dataclass(frozen=True)
class Found:
    """A model server on this machine. `models` is empty where it has none, or shows them only with a key."""

    address: str
    kind: Kind
    models: tuple[str, ...] = ()
    needs_key: bool = False


_OWNERS = {"library": Kind.OLLAMA, "llamacpp": Kind.LLAMA_CPP, "vllm": Kind.VLLM, "organization_owner": Kind.LM_STUDIO}
_SIGNS = (
    ("/api/version", "version", Kind.OLLAMA),
    ("/api/v0/models", "state", Kind.LM_STUDIO),
    ("/info", "model_id", Kind.TGI),
    ("/props", "default_generation_settings", Kind.LLAMA_CPP),
    ("/health/readiness", "litellm_version", Kind.LITELLM),
    ("/version", "version", Kind.VLLM),
)
"""Addresses that one program answers with JSON that has a key of its own, in it or in its first model."""


def look(
    ports: Sequence[int] = PORTS,
    hosts: Sequence[str] = LOOPBACK,
    seconds: float = SECONDS,
    altogether: float = ALTOGETHER,
) -> tuple[Found, ...]:
    """Return the model servers that answer on this machine, in the order of the ports; a port is shown once.

    `seconds` is for one answer. Whoever needs more than `altogether`, as by sending byte after byte, is left behind.
    """
    places = [(port, host) for port in ports for host in hosts]
    answers: dict[tuple[int, str], Found] = {}

    def ask(port: int, host: str) -> None:
        if (server := _server_at(host, port, seconds)) is not None:
            answers[port, host] = server

    threads = [threading.Thread(target=ask, args=place, daemon=True) for place in places]
    for thread in threads:
        thread.start()
    end = time.monotonic() + altogether
    for thread in threads:
        thread.join(max(end - time.monotonic(), 0))
    found: dict[int, Found] = {}
    for place in places:
        if (server := answers.get(place)) is not None:
            found.setdefault(place[0], server)
    return tuple(found.values())


def _server_at(host: str, port: int, seconds: float) -> Found | None:
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/v1"
    status, listed = _get(host, port, "/v1/models", seconds)
    if status in _NEEDS_KEY:
        return Found(address, _kind_by_signs(host, port, seconds) or Kind.OTHER, needs_key=True)
    if status != _OK or not _is_a_list(listed):
        return None
    kind = _kind_by_owner(listed) or _kind_by_signs(host, port, seconds) or Kind.OTHER
    return Found(address, kind, names_in(listed))


def _is_a_list(listed: Any) -> bool:
    """Return whether something is a list of models; many programs answer on these ports."""
    return isinstance(listed, dict) and (
        listed.get("object") == "list" or isinstance(listed.get("data"), list) or isinstance(listed.get("models"), list)
    )


def _kind_by_owner(listed: dict[str, Any]) -> Kind | None:
    models = listed.get("data")
    owners = [one.get("owned_by") for one in models if isinstance(one, dict)] if isinstance(models, list) else []
    return _OWNERS.get(owners[0]) if owners and isinstance(owners[0], str) else None


def _kind_by_signs(host: str, port: int, seconds: float) -> Kind | None:
    for path, key, kind in _SIGNS:
        status, told = _get(host, port, path, seconds)
        if status == _OK and isinstance(told, dict) and (key in told or key in _first_of(told.get("data"))):
            return kind
    return None


def _first_of(models: Any) -> dict[str, Any]:
    return models[0] if isinstance(models, list) and models and isinstance(models[0], dict) else {}


def _get(host: str, port: int, path: str, seconds: float) -> tuple[int | None, Any]:
    """Return status and JSON. The standard library's client follows nothing, sends no key and knows no proxy."""
    connection = http.client.HTTPConnection(host, port, timeout=seconds)
    try:
        connection.request("GET", path, headers={"Accept": "application/json", "User-Agent": "jupyter-mcpgen"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read(_MOST_BYTES))
    except (OSError, http.client.HTTPException):
        return None, None
    except (ValueError, RecursionError):
        return answer.status, None
    finally:
        connection.close()
