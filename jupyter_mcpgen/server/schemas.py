"""The JSON Schema validator, imported in a tenth of a second instead of more than one.

Where JupyterLab has installed `rfc3987-syntax`, `jsonschema` builds a grammar of international addresses from it while
it is imported. No schema of a tool asks for that format, and the server and the MCP clients of a terminal wait for it
at every start. So it is held back for as long as the import takes, and can be imported by anybody else afterwards.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_GRAMMAR = "rfc3987_syntax"


@contextmanager
def _held_back(module: str) -> Iterator[None]:
    """Let the import of a module fail, unless somebody imported it before."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]  # Python's own way to say that there is no such module
    try:
        yield
    finally:
        del sys.modules[module]


with _held_back(_GRAMMAR):
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError, best_match

__all__ = ["Draft202012Validator", "ValidationError", "best_match"]
