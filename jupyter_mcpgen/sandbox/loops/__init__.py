"""The programs that keep the state of a session: each takes cells, one after the other, into one namespace.

They run inside the sandbox and are copied there as text. A request is JSON with its length before it (4 bytes) on
descriptor 3; the reply on descriptor 4 has the same form and the `mark` of its request, so that none that was written
before the request is taken for its own. Code that runs in the interpreter then, as a thread that an earlier cell left
there, can find the mark and speak for the cell: nobody believes a reply more than the program it is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files

from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES, Language

LOOPS = {"javascript": "loop.js", "python": "loop.py"}
"""The file for each language that has one."""


@dataclass(frozen=True)
class Loop:
    """One of them: the language of its cells, the one that it is written in, its text, and the files it has beside it.

    `workspace` is what its cells call their folder, where that is not the folder's own path; such cells see no data
    besides it.
    """

    cells: Language
    written_in: Language
    text: str
    beside: Mapping[str, bytes] = field(default_factory=dict)
    workspace: str | None = None

    @property
    def sees_data(self) -> bool:
        """Return whether its cells may read what every program may read."""
        return self.workspace is None


def has_loop(language: str) -> bool:
    """Return whether a language keeps state from cell to cell."""
    return language in LOOPS


def loop_for(language: str) -> Loop:
    """Return the program that keeps the state of a language that has one."""
    text = files(__name__).joinpath(LOOPS[language]).read_text(encoding="utf-8")
    return Loop(LANGUAGES[language], LANGUAGES[language], text)
