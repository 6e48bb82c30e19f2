"""JSON objects one after the other on one descriptor, each with its length before it.

Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, BinaryIO

_LENGTH_BYTES = 8


def framed(document: Mapping[str, Any]) -> bytes:
    """Return one object with its length before it."""
    encoded = json.dumps(document).encode()
    return len(encoded).to_bytes(_LENGTH_BYTES, "big") + encoded


def read_document(stream: BinaryIO) -> dict[str, Any]:
    """Return the next object that `framed` wrote."""
    length = int.from_bytes(stream.read(_LENGTH_BYTES), "big")
    document: dict[str, Any] = json.loads(stream.read(length))
    return document
