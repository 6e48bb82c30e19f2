"""Finds the table that a question is about: a variable of the notebook, or a file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jupyter_mcpgen.errors import UnknownData

_PATH = re.compile(
    r"""(?P<quote>["'`])(?P<quoted>[^"'`]+\.\w{2,8})(?P=quote)|(?P<bare>\S+\.(?:csv|tsv|parquet|feather|arrow|jsonl?|txt))\b""",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Found:
    """A table by name, the variable that holds it (None for a file), and the question without a path in it."""

    name: str
    variable: object | None
    question: str


def tables_in(namespace: Mapping[str, object]) -> dict[str, object]:
    """Return the variables that hold tables (pandas, polars, Arrow); names with a leading underscore are private."""
    return {name: value for name, value in namespace.items() if not name.startswith("_") and is_table(value)}


def is_table(value: object) -> bool:
    """Tell whether a value is a two-dimensional table that can be handed over as Arrow."""
    if isinstance(value, type):
        return False
    if type(value).__name__ == "LazyFrame":
        return True  # asking it for its columns would run the query
    return hasattr(value, "__arrow_c_stream__") and hasattr(value, "columns")


def find_table(question: str, data: str | None, namespace: Mapping[str, object], latest: str | None = None) -> Found:
    """Return the table that is named in the option or the question, or else the latest one, or the only one there is.

    Raises `UnknownData` that lists what could have been meant.
    """
    tables = tables_in(namespace)
    if data is not None:
        return _named(data, question, tables)
    path = _path_in(question)
    if path is not None:
        return Found(path, None, question.replace(_PATH.search(question)[0], Path(path).stem))  # type: ignore[index]
    words = re.findall(r"\w+", question)
    mentioned = [word for word in words if word in tables]
    if mentioned:
        return Found(mentioned[-1], tables[mentioned[-1]], question)
    if latest is not None and (latest in tables or Path(latest).expanduser().is_file()):
        return Found(latest, tables.get(latest), question)
    if len(tables) == 1:
        name, variable = next(iter(tables.items()))
        return Found(name, variable, question)
    raise UnknownData(data or "the question's data", tables)


def _named(data: str, question: str, tables: Mapping[str, object]) -> Found:
    if data in tables:
        return Found(data, tables[data], question)
    if Path(data).expanduser().exists() or "." in data or "/" in data:
        return Found(data, None, question)
    raise UnknownData(data, tables)


def _path_in(question: str) -> str | None:
    found = _PATH.search(question)
    return None if found is None else found["quoted"] or found["bare"]
