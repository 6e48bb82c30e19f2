"""Who can put things into our folders cannot make us read or write outside them: a grid of tricks, places and moments.

Each cell of the grid is an attack in this file, or names the test that makes it, or says why it cannot occur. The
decoys are harmless: a copy of the registry in a folder beside it, which must stay exactly as it was.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import pytest

from jupyter_mcpgen.data.workspace import OWNER, Owner, make_workspace
from jupyter_mcpgen.errors import LeadsOut, McpgenError
from jupyter_mcpgen.model.answer import ToolAnswer
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.registry.layout import Layout
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.server.shelf import RegistryShelf
from tests.builders import approval, approved, draft

TRICKS = ("symlink", "parent symlink", "hard link", "rename race", "..", "absolute path", "special file")
PLACES = ("registry", "journal", "workspace", "data paths", "set-up of the sandbox")
MOMENTS = ("open", "list", "serve", "promote", "undo")

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


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    root, outside = tmp_path / "registry", tmp_path / "outside"
    registry = Registry(root)
    registry.stage(*OLD.parts)
    registry.promote(OLD.tool_id, approval(OLD), approved())
    registry.stage(*LATER.parts)
    for folder in FOLDERS:
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / ".lock").touch()
    shutil.copytree(root, outside)
    for name in ("candidate.json", "metadata.json"):
        for path in outside.rglob(name):
            path.write_text(path.read_text(encoding="utf-8").replace('"embedded"', f'"{SECRET}"'), encoding="utf-8")
    return Ground(root, outside)


# Moments: what a person or a client does, and what they are told


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


# Tricks: each puts something into the registry, and returns what an unwary program would do there


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
    _MEANWHILE.append((inside, swap))
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


def journal_is_overtaken(ground: Ground, name: str) -> Callable[[], None]:
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
    ("rename race", "journal"): ((journal_is_overtaken, ("audit",)),),
    ("..", "journal"): ((journal_steps_up, ("audit/log.jsonl",)), (journal_steps_aside, ("audit/log.jsonl",))),
    ("absolute path", "journal"): ((journal_is_absolute, ("audit/log.jsonl",)),),
    ("special file", "journal"): (
        (journal_is_pipe, (".journal.json",)), (journal_appends_to_pipe, ("audit/log.jsonl",)),
    ),
}  # fmt: skip
CELLS = [
    pytest.param(moment, plant, name, id=f"{trick}, {place}, {moment}: {plant.__name__} {name}")
    for (trick, place), plants in ATTACKS.items()
    for plant, names in plants
    for name, moment in product(names, MOMENTS)
]

_MEANWHILE: list[tuple[str, Callable[[], None]]] = []


def _overtake(event: str, arguments: tuple[object, ...]) -> None:
    """Let the other one act when a file is about to be opened, once; a look of the test outside does not count."""
    if event == "open" and _MEANWHILE:
        path = Path(str(arguments[0]))
        if path.name == _MEANWHILE[0][0] and "outside" not in path.parts:
            _MEANWHILE.pop()[1]()


@pytest.fixture(autouse=True, scope="module")
def _watched() -> None:
    sys.addaudithook(_overtake)  # it stays as long as the process, and does nothing without an act


@pytest.fixture(autouse=True)
def _nothing_left_to_do() -> Iterator[None]:
    yield
    _MEANWHILE.clear()


@pytest.mark.parametrize(("moment", "plant", "name"), CELLS)
def test_nothing_outside_the_registry_is_read_or_changed(ground: Ground, moment: str, plant: Plant, name: str) -> None:
    plant(ground, name)
    before = ground.state()

    said = told(moment, ground.root)

    assert ground.state() == before
    if plant is not link_hard:  # the system lets only those make one who may write the file, and so knew what it says
        assert SECRET not in said


@pytest.mark.parametrize(
    ("plant", "name"),
    [
        pytest.param(plant, name, id=f"{trick}, {place}: {plant.__name__} {name}")
        for (trick, place), plants in ATTACKS.items()
        for plant, names in plants
        for name in names
    ],
)
def test_who_does_not_look_is_led_outside_by_the_same_trick(ground: Ground, plant: Plant, name: str) -> None:
    unwary = plant(ground, name)
    before = ground.state()

    unwary()

    assert ground.state() != before or plant.__name__.endswith("pipe")


@pytest.mark.parametrize("moment", MOMENTS)
def test_without_a_trick_every_moment_does_its_work(ground: Ground, moment: str) -> None:
    before = ground.state()

    ACTS[moment](ground.root)  # raises nothing

    assert ground.state() == before
    assert [tool.name for tool in Registry(ground.root).active()] == {"promote": ["later", "old"], "undo": []}.get(
        moment, ["old"]
    )


@pytest.mark.parametrize("name", WITH_FILES)
def test_the_race_of_the_grid_is_run(ground: Ground, name: str) -> None:
    swap_folder(ground, name)

    told("promote" if name == "audit" else "list", ground.root)

    assert _MEANWHILE == []
    assert (ground.root / name).is_symlink()


@pytest.mark.parametrize("name", ["audit/log.jsonl", ".lock"])
@pytest.mark.parametrize("plant", [link_file, link_hard, pipe])
def test_a_decision_that_would_be_written_through_a_trick_is_refused_in_words(
    ground: Ground, name: str, plant: Plant
) -> None:
    plant(ground, name)

    with pytest.raises(LeadsOut, match=r"cannot be trusted: it is .*Nothing was read or written there"):
        promote(ground.root)


@pytest.mark.parametrize("target", [".git/hooks/post-commit", "notes.txt", ".gitignore", ".journal.json"])
def test_a_step_reaches_only_what_the_registry_keeps(ground: Ground, target: str) -> None:
    """A registry is often a repository: a program that git runs would be put there from a tool's folder."""
    (ground.root / ".git" / "hooks").mkdir(parents=True)
    ground.journal({"do": "move", "source": "active/tools/old/tool.py", "target": target})

    said = told("list", ground.root)

    assert "it is not a list of steps inside the registry" in said
    assert list((ground.root / ".git" / "hooks").iterdir()) == []
    assert (ground.root / "active/tools/old/tool.py").is_file()


def test_a_folder_nested_beyond_all_recursion_is_thrown_away(ground: Ground) -> None:
    at = os.open(ground.root / ".txn", os.O_RDONLY)
    for _ in range(3_000):
        os.mkdir("d", dir_fd=at)
        below = os.open("d", os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    os.close(at)
    ground.journal({"do": "append", "target": "audit/log.jsonl", "line": "planted"})

    list_all(ground.root)

    assert not (ground.root / ".txn").exists()


def test_the_command_line_appends_nothing_to_a_file_of_yours_for_a_cloned_registry(ground: Ground) -> None:
    """This is how it was found: a clone with a link and a journal made a plain `list` write to a file outside."""
    journal_appends_to_link(ground, "audit/log.jsonl")
    before = ground.state()
    command = (sys.executable, "-c", "import sys; from jupyter_mcpgen.cli import main; sys.exit(main())", "list")

    done = subprocess.run(
        command,
        cwd=ground.root.parent,
        env={**os.environ, "MCPGEN_REGISTRY__PATH": str(ground.root)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        stdin=subprocess.DEVNULL,
    )

    assert done.returncode != 0
    assert "it is a symbolic link" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert ground.state() == before


# The other places


def left_behind(home: Path, **changes: int) -> Owner:
    """Return the owner of a folder whose process is gone, as it would be written on this machine."""
    made = make_workspace(home)
    owner = Owner.model_validate_json((made / OWNER).read_bytes())
    shutil.rmtree(made)
    return owner.replace(pid=2**22 + 1, **changes)


@pytest.mark.parametrize("trick", ["symlink", "hard link", "rename race", "special file"])
def test_sweeping_old_workspaces_touches_nothing_else_and_waits_for_nobody(tmp_path: Path, trick: str) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    home.mkdir()
    outside.mkdir()
    gone = left_behind(home).model_dump_json()
    (outside / "kept").write_text("kept", encoding="utf-8")
    (outside / OWNER).write_text(gone, encoding="utf-8")
    planted = home / "mcpgen-planted"
    if trick == "symlink":
        planted.symlink_to(outside)
    else:
        planted.mkdir()
    match trick:
        case "hard link":
            (planted / OWNER).hardlink_to(outside / OWNER)
        case "special file":
            os.mkfifo(planted / OWNER)
        case "rename race":
            (planted / OWNER).write_text(gone, encoding="utf-8")
            _MEANWHILE.append((OWNER, lambda: (planted.rename(home / "moved"), planted.symlink_to(outside))[1]))

    make_workspace(home)

    assert sorted(path.name for path in outside.iterdir()) == [OWNER, "kept"]
    assert (outside / OWNER).read_text(encoding="utf-8") == gone
    assert planted.exists() == (trick != "hard link")


@pytest.mark.parametrize("name", ["../tool.py", "/tool.py", "a/../../tool.py", ".hidden", "a\\b"])
def test_no_file_of_a_tool_has_a_name_that_leads_out_of_its_folder(name: str) -> None:
    with pytest.raises(ValueError, match="is not a plain file name"):
        Package(files={name: "x = 1\n"})


# Every cell

NO_PATH = "the registry alone is touched at this moment: no {place} is read, made or written"
RESOLVED = "paths are resolved before they are looked at and granted, so there is none of this kind left to open"
ELSEWHERE: dict[tuple[str, str, str], str] = {
    **{
        (trick, place, moment): NO_PATH.format(place=place)
        for trick in TRICKS
        for place in ("workspace", "data paths", "set-up of the sandbox")
        for moment in ("list", "promote", "undo")
    },
    **{(trick, "data paths", "open"): NO_PATH.format(place="data path") for trick in TRICKS},
    **{
        (trick, "set-up of the sandbox", "open"): "at the start only the person's own folder for data is read, "
        "which nobody else may write, and a proof that cannot be read there is made again"
        for trick in TRICKS
    },
    **{
        (trick, "workspace", "open"): "test_sweeping_old_workspaces_touches_nothing_else_and_waits_for_nobody"
        for trick in ("symlink", "hard link", "rename race", "special file")
    },
    ("parent symlink", "workspace", "open"): "the folder for temporary files is the machine's, and resolved first",
    ("..", "workspace", "open"): "names come from the listing of one folder, and what lies in it names no path",
    ("absolute path", "workspace", "open"): "names come from the listing of one folder, and nothing names a path",
    **{
        (trick, "workspace", "serve"): "test_links_pipes_and_folders_behind_links_are_left_out"
        for trick in ("symlink", "parent symlink", "special file")
    },
    **{
        (trick, "workspace", "serve"): "test_no_file_of_a_tool_has_a_name_that_leads_out_of_its_folder"
        for trick in ("..", "absolute path")
    },
    ("hard link", "workspace", "serve"): "a tool's files are laid into a new folder of a new name, closed to others",
    ("rename race", "workspace", "serve"): "a tool's files are laid into a new folder of a new name, closed to others",
    ("symlink", "data paths", "serve"): "test_a_link_out_of_an_open_folder_leads_nowhere",
    ("parent symlink", "data paths", "serve"): "test_a_link_that_was_put_there_since_is_not_followed",
    ("rename race", "data paths", "serve"): "test_a_table_that_became_a_link_after_it_was_looked_at_is_not_read",
    **{
        (trick, "data paths", "serve"): "test_nothing_else_may_be_read_and_the_setting_is_named"
        for trick in ("..", "absolute path")
    },
    ("special file", "data paths", "serve"): "test_nobody_waits_for_a_pipe_that_was_put_there_since",
    ("hard link", "data paths", "serve"): "a second name of a file is that file: data is only read, and the system "
    "lets only those make one who may write the file",
    ("symlink", "set-up of the sandbox", "serve"): "test_no_part_of_a_path_may_be_a_link",
    ("parent symlink", "set-up of the sandbox", "serve"): "test_no_part_of_a_path_may_be_a_link",
    ("rename race", "set-up of the sandbox", "serve"): (
        "test_a_job_does_not_begin_when_a_folder_on_the_way_became_a_link"
    ),
    ("hard link", "set-up of the sandbox", "serve"): "what is granted is granted to be read; scratch is a new folder",
    ("..", "set-up of the sandbox", "serve"): RESOLVED,
    ("absolute path", "set-up of the sandbox", "serve"): RESOLVED,
    ("special file", "set-up of the sandbox", "serve"): "test_nobody_waits_for_a_pipe_that_was_put_there_since",
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("trick", TRICKS)
def test_every_cell_is_attacked_or_says_why_it_cannot_occur(trick: str, place: str) -> None:
    tests = [path.read_text(encoding="utf-8") for path in Path(__file__).parents[1].rglob("test_*.py")]

    for moment in MOMENTS:
        here, elsewhere = (trick, place) in ATTACKS, ELSEWHERE.get((trick, place, moment))
        assert here is (elsewhere is None), (trick, place, moment)
        made_by = elsewhere if elsewhere is not None and elsewhere.startswith("test_") else None
        assert made_by is None or any(f"def {made_by}(" in text for text in tests), (trick, place, moment)
