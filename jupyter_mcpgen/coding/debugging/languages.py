"""Which language code is in that failed, by what its runtime said and by how it is written."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

_SAID: Mapping[str, re.Pattern[str]] = {
    "python": re.compile(r'^Traceback \(most recent call last\):|^[ \t]*File "[^"]*", line \d+', re.MULTILINE),
    "java": re.compile(
        r'^Exception in thread "|^\S+\.java:\d+: error:|^[ \t]+at [\w.$]+\(\w+\.java:\d+\)', re.MULTILINE
    ),
    "go": re.compile(r"^panic: |^goroutine \d+ \[|^\S+\.go:\d+:\d+: ", re.MULTILINE),
    "rust": re.compile(r"^thread '.*' panicked at|^error(?:\[E\d{4}\])?: .*\n *--> ", re.MULTILINE),
    "javascript": re.compile(r"^[ \t]+at .*(?:node:internal|\.[cm]?js:\d+:\d+)|^Node\.js v\d", re.MULTILINE),
    "cpp": re.compile(r"^terminate called |^\S+\.(?:cpp|cc|cxx):\d+:\d+: ", re.MULTILINE),
    "c": re.compile(r"^\S+\.c:\d+:\d+: ", re.MULTILINE),
    "bash": re.compile(r"^\S*(?:bash|sh): line \d+: |^\S+\.sh: line \d+: ", re.MULTILINE),
}
_WRITTEN: Mapping[str, re.Pattern[str]] = {
    "bash": re.compile(r"^[ \t]*(?:then|fi|done|esac)[ \t\r]*$", re.MULTILINE),
    "go": re.compile(r"^package \w+\s*$", re.MULTILINE),
    "rust": re.compile(r"\bfn \w+ ?[<(]|\blet mut \w+|\bprintln!\("),
    "java": re.compile(r"\bpublic (?:static |final |abstract )*(?:class|void|interface)\b|\bSystem\.out\.print"),
    "cpp": re.compile(r"#include <(?:iostream|vector|string|map|memory|algorithm)>|\bstd::|\busing namespace\b"),
    "c": re.compile(r"#include [<\"]\w+\.h[>\"]|\bint main\s*\("),
    "javascript": re.compile(r"\b(?:const|let|var) \w+\s*=|\bfunction\s*\w*\(|=>|\bconsole\.log\("),
    "python": re.compile(r"^[ \t]*(?:def |class |import |from \w+ import |print\b|for .+:|if .+:)", re.MULTILINE),
}

_SHEBANG = re.compile(r"#!.*\b(sh|bash|node|python3?)\b")
_INTERPRETERS = {"sh": "bash", "bash": "bash", "node": "javascript", "python": "python", "python3": "python"}


def language_of(source: str, stderr: str) -> str | None:
    """Return the language of a program, or `None` where nothing tells it."""
    said = next((name for name, pattern in _SAID.items() if pattern.search(stderr)), None)
    if said is not None:
        return said
    shebang = _SHEBANG.match(source)
    if shebang is not None:
        return _INTERPRETERS[shebang[1]]
    if _is_python(source):
        return "python"
    return next((name for name, pattern in _WRITTEN.items() if pattern.search(source)), None)


def _is_python(source: str) -> bool:
    try:
        return bool(ast.parse(source).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
