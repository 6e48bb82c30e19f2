"""The programs that keep the state of a session: each takes cells, one after the other, into one namespace.

They run inside the sandbox and are copied there as text. A request is JSON with its length before it (4 bytes) on
descriptor 3; the reply on descriptor 4 has the same form. Nobody believes a reply more than the program it is about.
"""

from __future__ import annotations

from importlib.resources import files

LOOPS = {"javascript": "loop.js", "python": "loop.py"}
"""The file for each language that has one."""


def loop_for(language: str) -> str | None:
    """Return the text of the program that keeps a session's state; `None` for a language that keeps none."""
    name = LOOPS.get(language)
    return None if name is None else files(__name__).joinpath(name).read_text(encoding="utf-8")
