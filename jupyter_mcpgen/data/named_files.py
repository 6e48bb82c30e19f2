"""The files of tables that a question names."""

from __future__ import annotations

import re
from pathlib import Path

_PATH = re.compile(
    r"""(?P<quote>["'`])(?P<quoted>[^"'`]+\.\w{2,8})(?P=quote)|(?P<bare>\S+\.(?:csv|tsv|parquet|feather|arrow|jsonl?|txt))\b""",
    re.IGNORECASE,
)


def paths_in(question: str) -> list[str]:
    """Return the paths of table files that a question names, in its order."""
    return [found["quoted"] or found["bare"] for found in _PATH.finditer(question)]


def without_paths(question: str) -> str:
    """Return the question with each path by what its table is called; the second of one name is `name_2`.

    A name of several words becomes one: a year or a value in a file's name is no condition.
    """
    called: dict[str, str] = {}
    for path in paths_in(question):
        stem = "_".join(Path(path).stem.split())
        called.setdefault(path, f"{stem}_2" if stem in called.values() else stem)
    return _PATH.sub(lambda found: called[found["quoted"] or found["bare"]], question)
