"""What somebody else puts into a registry or its journal, and what an unwary program would do there.

Each trick plants something and returns what such a program would do.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

from jupyter_mcpgen.registry.layout import Layout
from tests.security.ways_out.ground import FILES, FOLDERS, Ground

TRICKS = ("symlink", "parent symlink", "hard link", "rename race", "..", "absolute path", "special file")
PLACES = ("registry", "journal", "workspace", "data paths", "set-up of the sandbox")
MOMENTS = ("open", "list", "serve", "promote", "undo")

MEANWHILE: list[tuple[str, Callable[[], None]]] = []
"""What the other one does when a file of this name is opened."""


def link_file(ground: Ground, name: str) -> Callable[[], None]:
    (ground.root / name).unlink()
    (ground.root / name).symlink_to(ground.outside / name)
    return lambda: _append(ground.root / name)


def link_folder(ground: Ground, name: str) -> Callable[[], None]:
    shutil.rmtree(ground.root / name)
    (ground.root / name).symlink_to(ground.outside / name)
    return lambda: _append(ground.root / name / "new")


def link_hard(ground: Ground, name: str) -> Callable[[], None]:
    (ground.root / name).unlink()
    (ground.root / name).hardlink_to(ground.outside / name)
    return lambda: _append(ground.root / name)


def pipe(ground: Ground, name: str) -> Callable[[], None]:
    (ground.root / name).unlink()
    os.mkfifo(ground.root / name)
    return lambda: _nobody_answers(ground.root / name)


def swap_folder(ground: Ground, name: str) -> Callable[[], None]:
    """Put a link in the place of a folder at the moment when a file in it is opened."""

    def swap() -> None:
        (ground.root / name).rename(ground.root / f"{name}-moved")
        (ground.root / name).symlink_to(ground.outside / name)

    inside = next(path.name for path in (ground.root / name).rglob("*") if path.is_file())
    MEANWHILE.append((inside, swap))
    return lambda: _append(ground.root / name / inside)


def step_up(ground: Ground, name: str) -> Callable[[], None]:
    path = f"../outside/{name}"
    _relist(ground, path)
    return lambda: _append(ground.root / path)


def step_absolute(ground: Ground, name: str) -> Callable[[], None]:
    path = str(ground.outside / name)
    _relist(ground, path)
    return lambda: _append(ground.root / path)


def _relist(ground: Ground, path: str) -> None:
    """Let both lists say that their tools lie elsewhere."""
    for name, kind in (("active", "tools"), ("staging", "candidates")):
        place = ground.root / name / "metadata.json"
        listing = json.loads(place.read_text(encoding="utf-8"))
        for entry in listing[kind].values():
            entry["path"] = path
        place.write_text(json.dumps(listing), encoding="utf-8")


def _append(path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write("changed\n")


def _nobody_answers(path: Path) -> None:
    assert stat.S_ISFIFO(path.stat().st_mode), "an ordinary read would wait for ever"


# In the journal: steps that an unwary program would carry out


def journal_is_link(ground: Ground, _: str) -> Callable[[], None]:
    ground.journal({"do": "append", "target": "audit/log.jsonl", "line": "planted"})
    Layout(ground.root).journal.rename(ground.outside / ".journal.json")
    return link_to_outside(ground, ".journal.json")


def link_to_outside(ground: Ground, name: str) -> Callable[[], None]:
    (ground.root / name).symlink_to(ground.outside / name)
    return lambda: _append(ground.root / name)


def journal_appends_to_link(ground: Ground, name: str) -> Callable[[], None]:
    ground.journal({"do": "append", "target": "audit/log.jsonl", "line": "planted"})
    return link_file(ground, name)


def journal_moves_below_link(ground: Ground, name: str) -> Callable[[], None]:
    ground.journal({"do": "move", "source": "active/tools/old", "target": f"{name}/stolen"})
    return link_folder(ground, name)


def journal_appends_to_hard_link(ground: Ground, name: str) -> Callable[[], None]:
    ground.journal({"do": "append", "target": name, "line": "planted"})
    return link_hard(ground, name)


def journal_isovertaken(ground: Ground, name: str) -> Callable[[], None]:
    ground.journal({"do": "append", "target": f"{name}/log.jsonl", "line": "planted"})
    return swap_folder(ground, name)


def journal_steps_up(ground: Ground, name: str) -> Callable[[], None]:
    return _journal_leaves(ground, f"../outside/{name}")


def journal_steps_aside(ground: Ground, name: str) -> Callable[[], None]:
    return _journal_leaves(ground, f"audit/../../outside/{name}")


def journal_is_absolute(ground: Ground, name: str) -> Callable[[], None]:
    return _journal_leaves(ground, str(ground.outside / name))


def _journal_leaves(ground: Ground, path: str) -> Callable[[], None]:
    ground.journal(
        {"do": "append", "target": path, "line": "planted"},
        {"do": "move", "source": "active/tools/old/tool.py", "target": path},
        {"do": "move", "source": path, "target": "audit/taken"},
    )
    return lambda: _append(ground.root / path)


def journal_is_pipe(ground: Ground, _: str) -> Callable[[], None]:
    Layout(ground.root).journal.touch()
    return pipe(ground, ".journal.json")


def journal_appends_to_pipe(ground: Ground, name: str) -> Callable[[], None]:
    ground.journal({"do": "append", "target": name, "line": "planted"})
    return pipe(ground, name)


Plant = Callable[[Ground, str], Callable[[], None]]
WITH_FILES = tuple(name for name in FOLDERS if name not in ("archive", "archive/unlisted", ".txn"))
ATTACKS: dict[tuple[str, str], tuple[tuple[Plant, tuple[str, ...]], ...]] = {
    ("symlink", "registry"): ((link_file, FILES),),
    ("parent symlink", "registry"): ((link_folder, FOLDERS),),
    ("hard link", "registry"): ((link_hard, FILES),),
    ("rename race", "registry"): ((swap_folder, WITH_FILES),),
    ("..", "registry"): ((step_up, ("active/tools/old/tool.py",)),),
    ("absolute path", "registry"): ((step_absolute, ("active/tools/old/tool.py",)),),
    ("special file", "registry"): ((pipe, FILES),),
    ("symlink", "journal"): ((journal_is_link, (".journal.json",)), (journal_appends_to_link, ("audit/log.jsonl",))),
    ("parent symlink", "journal"): ((journal_moves_below_link, ("archive/unlisted", "archive", "staging", ".txn")),),
    ("hard link", "journal"): ((journal_appends_to_hard_link, ("audit/log.jsonl",)),),
    ("rename race", "journal"): ((journal_isovertaken, ("audit",)),),
    ("..", "journal"): ((journal_steps_up, ("audit/log.jsonl",)), (journal_steps_aside, ("audit/log.jsonl",))),
    ("absolute path", "journal"): ((journal_is_absolute, ("audit/log.jsonl",)),),
    ("special file", "journal"): (
        (journal_is_pipe, (".journal.json",)), (journal_appends_to_pipe, ("audit/log.jsonl",)),
    ),
}  # fmt: skip
