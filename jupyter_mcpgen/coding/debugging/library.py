"""Which module of the standard library a name is from, where only one can be meant."""

from __future__ import annotations

import re
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

_SEARCHED = (
    "collections", "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "io", "itertools", "json",
    "math", "pathlib", "random", "re", "statistics", "time", "abc", "copy", "string", "textwrap", "typing",
)  # fmt: skip
"""Where a name is looked for that somebody forgot to import."""
_DEFINED = re.compile(r"^(?:async )?def +(\w+)", re.MULTILINE)


def module_of(name: str) -> str | None:
    """Return the module that a name is imported from; None where there is none, or another one may be meant.

    A type of one name in two modules is mostly meant as that of the well-known one, such as `Path`, and a function of
    one name, such as `escape`, as either.
    """
    found = {library: getattr(import_module(library), name) for library in _SEARCHED if _offers(library, name)}
    meanings = {id(getattr(each, "__origin__", each)) for each in found.values()}  # `typing` has aliases of many types
    if len(meanings) != 1 or name in _functions_elsewhere():
        return None
    return next(iter(found))


def _offers(library: str, name: str) -> bool:
    there = import_module(library)
    return library != name and name in getattr(there, "__all__", dir(there))


@cache
def _functions_elsewhere() -> frozenset[str]:
    """Return the functions that other modules of the library define; none of these is imported to know it."""
    texts = (source.read_text(encoding="utf-8", errors="replace") for source in _other_sources())
    return frozenset(name for text in texts for name in _DEFINED.findall(text))


def _other_sources() -> Iterator[Path]:
    library = Path(sysconfig.get_path("stdlib"))
    for name in sorted(sys.stdlib_module_names):
        if not name.startswith("_") and name not in _SEARCHED:
            yield from filter(Path.is_file, (library / f"{name}.py", library / name / "__init__.py"))
