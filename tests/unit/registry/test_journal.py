"""Changes as a whole: prepared, written down, carried out, and repeated without harm."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import CorruptRegistry
from jupyter_mcpgen.registry.journal import Transaction, no_checkpoint, recover
from jupyter_mcpgen.registry.layout import Layout


class Killed(BaseException):
    """Stands for the end of the process."""


def killing(name: str):
    def checkpoint(point: str) -> None:
        if point == name:
            raise Killed

    return checkpoint


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """Return a folder with one tool and one file."""
    (tmp_path / "active/tools/old").mkdir(parents=True)
    (tmp_path / "active/tools/old/tool.py").write_text("old")
    (tmp_path / "active/metadata.json").write_text("old")
    return Layout(tmp_path)


def replace_tool(layout: Layout, checkpoint=no_checkpoint) -> None:
    change = Transaction(layout, "replace", checkpoint)
    change.move(layout.tool("old"), layout.superseded / "old_1")
    change.put_folder(layout.tool("old"), {"tool.py": b"new"})
    change.put_file(layout.active_metadata, b"new")
    change.append(layout.audit, "replaced")
    change.commit()


def state(layout: Layout) -> dict[str, str]:
    files = (path for path in layout.root.rglob("*") if path.is_file())
    return {path.relative_to(layout.root).as_posix(): path.read_text() for path in files}


OLD = {"active/tools/old/tool.py": "old", "active/metadata.json": "old"}
NEW = {
    "active/tools/old/tool.py": "new",
    "active/metadata.json": "new",
    "archive/superseded/old_1/tool.py": "old",
    "audit/log.jsonl": "replaced\n",
}


def test_a_change_happens_as_a_whole_and_leaves_nothing_behind(layout: Layout) -> None:
    replace_tool(layout)

    assert state(layout) == NEW
    assert not layout.workshop.exists()


def test_content_is_on_the_disk_before_it_counts_and_each_step_before_it_is_forgotten(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened: list[str] = []

    def fsync(descriptor: int) -> None:
        happened.append(Path(os.readlink(f"/proc/self/fd/{descriptor}")).relative_to(layout.root).as_posix())

    monkeypatch.setattr("jupyter_mcpgen.registry.folder.os.fsync", fsync)

    replace_tool(layout, lambda point: happened.append(f"({point})"))

    before, after = happened.index("(prepared)"), happened.index("(append audit/log.jsonl)")
    assert {".txn/new-1/tool.py", ".txn/new-1", ".txn/new-2", ".txn"} <= set(happened[:before])
    assert "." in happened[before : happened.index("(journal written)")]
    assert "audit/log.jsonl" in happened[:after]
    changed = {"active", "active/tools", "archive/superseded", "audit"}
    assert changed == set(happened[after + 1 : happened.index("(journal removed)")])


def test_a_journal_whose_removal_was_lost_with_the_power_is_found_done(layout: Layout) -> None:
    kept: list[bytes] = []
    replace_tool(layout, lambda point: kept.append(layout.journal.read_bytes()) if "append" in point else None)
    layout.journal.write_bytes(kept[0])

    recover(layout)

    assert state(layout) == NEW
    assert not layout.journal.exists()


def test_nothing_happens_before_commit(layout: Layout) -> None:
    change = Transaction(layout, "replace", no_checkpoint)
    change.put_file(layout.active_metadata, b"new")

    recover(layout)

    assert state(layout) == OLD


def test_an_empty_change_writes_nothing(layout: Layout) -> None:
    Transaction(layout, "nothing", no_checkpoint).commit()

    assert state(layout) == OLD
    assert not layout.workshop.exists()


POINTS = [
    "preparing active/metadata.json",
    "prepared",
    "journal written",
    "move archive/superseded/old_1",
    "move active/tools/old",
    "move active/metadata.json",
    "append audit/log.jsonl",
    "journal removed",
    "done",
]


@pytest.mark.parametrize("point", POINTS)
def test_a_change_that_was_cut_short_is_forgotten_or_finished(layout: Layout, point: str) -> None:
    with pytest.raises(Killed):
        replace_tool(layout, killing(point))

    recover(layout)

    assert state(layout) == (OLD if POINTS.index(point) < 2 else NEW)
    assert not layout.workshop.exists()


@pytest.mark.parametrize("first", POINTS[2:7])
@pytest.mark.parametrize("second", POINTS[3:8])
def test_a_recovery_that_was_cut_short_is_finished_by_the_next(layout: Layout, first: str, second: str) -> None:
    with pytest.raises(Killed):
        replace_tool(layout, killing(first))
    with pytest.raises(Killed):
        recover(layout, killing(second))

    recover(layout)

    assert state(layout) == NEW


@pytest.mark.parametrize("torn", [0, 1, 5, 8])
def test_an_audit_line_that_was_half_written_is_completed(layout: Layout, torn: int) -> None:
    with pytest.raises(Killed):
        replace_tool(layout, killing("move active/metadata.json"))
    layout.audit.parent.mkdir(exist_ok=True)
    layout.audit.write_text("replaced"[:torn])

    recover(layout)

    assert state(layout) == NEW


def test_a_removal_is_not_repeated_on_what_took_its_place(layout: Layout) -> None:
    change = Transaction(layout, "swap", killing("move active/tools/old"))
    change.remove(layout.tool("old"))
    change.put_folder(layout.tool("old"), {"tool.py": b"new"})
    with pytest.raises(Killed):
        change.commit()

    recover(layout)

    assert (layout.tool("old") / "tool.py").read_text() == "new"


@pytest.mark.parametrize(
    "step",
    [
        {"do": "move", "source": "active/metadata.json", "target": "../stolen"},
        {"do": "move", "source": "/etc/passwd", "target": "active/metadata.json"},
        {"do": "append", "target": "active/../../log", "line": "x"},
        {"do": "delete", "target": "active"},
    ],
)
def test_a_journal_that_leaves_the_registry_is_not_carried_out(layout: Layout, step: dict[str, str]) -> None:
    journal = {"operation": "evil", "steps": [{"do": "append", "target": "audit/log.jsonl", "line": "x"}, step]}
    layout.journal.write_text(json.dumps(journal))
    before = state(layout)

    with pytest.raises(CorruptRegistry, match=r"\.journal\.json"):
        recover(layout)

    assert state(layout) == before


def test_a_journal_that_cannot_be_read_is_left_untouched(layout: Layout) -> None:
    layout.journal.write_text("{")

    with pytest.raises(CorruptRegistry):
        recover(layout)

    assert layout.journal.read_text() == "{"
