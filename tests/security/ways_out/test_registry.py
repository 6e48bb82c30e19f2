"""Who can put things into a registry or its journal cannot make us read or write outside it.

The decoys are harmless: a copy of the registry in a folder beside it, which must stay exactly as it was.
"""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product

import pytest

from jupyter_mcpgen.errors import LeadsOut
from jupyter_mcpgen.registry.store import Registry
from tests.security.ways_out.ground import ACTS, SECRET, Ground, list_all, promote, told
from tests.security.ways_out.tricks import (
    ATTACKS,
    MEANWHILE,
    MOMENTS,
    WITH_FILES,
    Plant,
    journal_appends_to_link,
    link_file,
    link_hard,
    pipe,
    swap_folder,
)

CELLS = [
    pytest.param(moment, plant, name, id=f"{trick}, {place}, {moment}: {plant.__name__} {name}")
    for (trick, place), plants in ATTACKS.items()
    for plant, names in plants
    for name, moment in product(names, MOMENTS)
]


@pytest.mark.one_in(4)
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

    assert MEANWHILE == []
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
