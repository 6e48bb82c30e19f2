"""A registry that somebody else could put things into, the folder beside it, and what is done with the registry."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from jupyter_mcpgen.errors import McpgenError
from jupyter_mcpgen.model.answer import ToolAnswer
from jupyter_mcpgen.registry.layout import Layout
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.server.shelf import RegistryShelf
from tests.builders import approval, approved, draft

OLD, LATER = draft("old", "old-id"), draft("later", "later-id")
SECRET = "planted-outside"

FILES = (
    ".lock",
    ".gitignore",
    "audit/log.jsonl",
    "audit/head.json",
    "active/metadata.json",
    "staging/metadata.json",
    "active/tools/old/tool.py",
    "active/tools/old/candidate.json",
    "staging/candidates/later-id_1.0.0/candidate.json",
)
FOLDERS = (
    "active",
    "active/tools",
    "active/tools/old",
    "staging",
    "staging/candidates",
    "staging/candidates/later-id_1.0.0",
    "archive",
    "archive/unlisted",
    "audit",
    ".txn",
)


@dataclass
class Ground:
    """A registry with an active tool and a waiting one, and beside it the folder that nothing may touch."""

    root: Path
    outside: Path
    acts: list[Callable[[], None]] = field(default_factory=list)

    def state(self) -> dict[str, object]:
        """Return everything that an attack could change outside."""
        found: dict[str, object] = {}
        for path in (self.outside, *sorted(self.outside.rglob("*"))):
            about = path.lstat()
            content = path.read_bytes() if stat.S_ISREG(about.st_mode) else None
            found[str(path)] = (about.st_mode, about.st_ino, about.st_mtime_ns, content)
        return found

    def journal(self, *steps: dict[str, str]) -> None:
        """Write down a change, as if somebody had been killed in the middle of it."""
        Layout(self.root).journal.write_text(json.dumps({"operation": "planted", "steps": steps}), encoding="utf-8")


def look(root: Path) -> object:
    return Registry(root).doctor()


def list_all(root: Path) -> object:
    registry = Registry(root)
    return registry.active(), registry.staged(), registry.candidates(), registry.problems()


def serve(root: Path) -> object:
    registry = Registry(root)
    shelf = RegistryShelf(registry, lambda *_: ToolAnswer(text=""))
    return shelf.active(), shelf.refused(), registry.load_package(registry.tool("old"))


def promote(root: Path) -> object:
    return Registry(root).promote(LATER.tool_id, approval(LATER), approved())


def undo(root: Path) -> object:
    return Registry(root).undo("old", "ada")


ACTS: dict[str, Callable[[Path], object]] = {
    "open": look, "list": list_all, "serve": serve, "promote": promote, "undo": undo
}  # fmt: skip


def told(moment: str, root: Path) -> str:
    """Return all that is told, an error of ours included; any other error is a failure of the test."""
    try:
        return repr(ACTS[moment](root))
    except McpgenError as error:
        return str(error)
