"""What is computed from files of this package, kept beside them as Python keeps its compiled modules.

It lies in `__pycache__` as JSON, with the digest of the files that it was computed from: after an edit it is computed
anew. Where nothing can be written, or Python is told to write no bytecode, it is computed every time.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

LANGUAGES = Path(__file__).parent / "nl" / "languages"
"""Where the words of each language lie."""


def words_of(name: str) -> dict[str, Any]:
    """Return what a file of words of a language holds, and nothing for one that is not there."""
    path = LANGUAGES / f"{name}.toml"
    if not path.is_file():
        return {}
    found: dict[str, Any] = precomputed(name, (path,), lambda: tomllib.loads(path.read_text(encoding="utf-8")))
    return found


def precomputed(name: str, sources: Iterable[Path], compute: Callable[[], Any]) -> Any:
    """Return what `compute` makes of some files, made of lists and dictionaries; the first file lies where it is kept.

    `name` tells apart what is computed from the same files.
    """
    files = tuple(sources)
    digest = hashlib.sha256(b"\0".join(hashlib.sha256(file.read_bytes()).digest() for file in files)).hexdigest()
    kept = files[0].parent / "__pycache__" / f"{name}.{sys.implementation.cache_tag}.json"
    with suppress(OSError, ValueError):  # it is not there, or was cut short
        match json.loads(kept.read_bytes()):
            case {"digest": str(of), "value": value} if of == digest:
                return value
    value = compute()
    if not sys.dont_write_bytecode:
        _keep(kept, json.dumps({"digest": digest, "value": value}, ensure_ascii=False, separators=(",", ":")))
    return value


def _keep(place: Path, text: str) -> None:
    """Write a file as a whole, if that is possible."""
    with suppress(OSError):  # the package is not ours to write into
        place.parent.mkdir(exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}-")
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        Path(temporary).chmod(0o644)  # as readable as the files beside it
        Path(temporary).replace(place)
