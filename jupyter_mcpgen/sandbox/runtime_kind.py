"""What confines code, as a person names it."""

from __future__ import annotations

from enum import StrEnum


class RuntimeKind(StrEnum):
    """What confines the code."""

    NATIVE = "native"
    CONTAINER = "container"
    WASM = "wasm"
