"""The log of decisions: whole chains are whole, and nothing can be altered without a trace."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.registry.audit import START, Action, AuditLog, Happening
from jupyter_mcpgen.registry.contents import as_json
from jupyter_mcpgen.registry.folder import Folder
from jupyter_mcpgen.registry.layout import Layout


def happening(number: int, notes: str | None = None) -> Happening:
    return Happening(
        at=f"2026-01-22T10:00:{number:02}.000Z",
        action=Action.PROMOTED,
        by="ada",
        tool_id=f"id-{number}",
        tool_name=f"tool_{number}",
        version="1.0.0",
        fingerprint="f" * 64,
        notes=notes,
    )


def write(root: Path, count: int, notes: str | None = None) -> Layout:
    layout = Layout(root)
    layout.audit.parent.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        entry = AuditLog(layout).next(happening(number, notes))
        layout.folder.append_line(layout.audit, entry.line)
        layout.audit_head.write_bytes(as_json(entry.head))
    return layout


def test_a_log_that_does_not_exist_is_whole_and_empty(tmp_path: Path) -> None:
    log = AuditLog(Layout(tmp_path))

    assert (log.verify(), log.entries()) == ((), ())
    assert list(tmp_path.iterdir()) == []


def test_each_line_names_the_hash_of_the_line_before(tmp_path: Path) -> None:
    log = AuditLog(write(tmp_path, 3, notes="ünïcode\nand a new line"))

    first, second, third = log.entries()

    assert (first.previous, second.previous, third.previous) == (START, first.hash, second.hash)
    assert [entry.number for entry in log.entries()] == [1, 2, 3]
    assert log.verify() == ()


def test_a_changed_word_is_noticed_and_its_line_named(tmp_path: Path) -> None:
    layout = write(tmp_path, 3)
    layout.audit.write_text(layout.audit.read_text().replace("tool_1", "tool_9"))

    assert AuditLog(layout).verify() == ("Line 2 of the log was changed: its hash does not match its content.",)


def test_a_line_rewritten_with_a_fitting_hash_breaks_the_next_one(tmp_path: Path) -> None:
    layout = write(tmp_path, 3)
    lines = layout.audit.read_text().splitlines()
    forged = AuditLog(layout).entries()[1].replace(by="eve")
    lines[1] = forged.replace(hash=forged.true_hash).line
    layout.audit.write_text("\n".join(lines) + "\n")

    assert AuditLog(layout).verify() == (
        "Line 3 of the log does not follow the line before it: lines were removed, added or moved.",
    )


def test_a_cut_tail_is_noticed_and_later_entries_do_not_hide_it(tmp_path: Path) -> None:
    layout = write(tmp_path, 3)
    lines = layout.audit.read_text().splitlines(keepends=True)
    layout.audit.write_text("".join(lines[:2]))

    before = AuditLog(layout).verify()
    write(tmp_path, 1)

    assert before == ("The log does not end with line 3, the last one that was written.",)
    assert AuditLog(layout).verify() == (
        "Line 3 of the log does not follow the line before it: lines were removed, added or moved.",
    )


def test_a_log_that_was_removed_is_noticed(tmp_path: Path) -> None:
    layout = write(tmp_path, 2)
    layout.audit.unlink()

    assert AuditLog(layout).verify() == ("The log does not end with line 2, the last one that was written.",)


def test_a_broken_head_is_reported_and_stops_nothing(tmp_path: Path) -> None:
    layout = write(tmp_path, 2)
    layout.audit_head.write_text("{")

    assert "cannot be read" in AuditLog(layout).verify()[0]
    write(tmp_path, 1)
    assert AuditLog(layout).verify() == ()


def test_a_line_is_appended_once_however_often_it_is_tried(tmp_path: Path) -> None:
    path = tmp_path / "log"

    for line in ("one", "two", "two"):
        Folder(tmp_path).append_line(path, line)

    assert path.read_text() == "one\ntwo\n"


@pytest.mark.parametrize("torn", ["t", "tw", "two"])
def test_a_line_that_a_kill_cut_short_is_completed(tmp_path: Path, torn: str) -> None:
    path = tmp_path / "log"
    path.write_text(f"one\n{torn}")

    Folder(tmp_path).append_line(path, "two")

    assert path.read_text() == "one\ntwo\n"


def test_a_foreign_unfinished_line_is_kept_for_the_check_to_find(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("one\nforeign")

    Folder(tmp_path).append_line(path, "two")

    assert path.read_text() == "one\nforeign\ntwo\n"


@st.composite
def altered(draw: st.DrawFn) -> tuple[int, bytes]:
    """Draw a log of some lines, altered in one of the ways that a text file can be altered."""
    count = draw(st.integers(1, 4))
    with tempfile.TemporaryDirectory() as folder:
        original = write(Path(folder), count).audit.read_bytes()
    lines = original.splitlines(keepends=True)
    match draw(st.sampled_from(["byte", "insert", "remove", "drop", "swap", "repeat"])):
        case "byte":
            at, value = draw(st.integers(0, len(original) - 1)), draw(st.binary(min_size=1, max_size=1))
            changed = original[:at] + value + original[at + 1 :]
        case "insert":
            at, value = draw(st.integers(0, len(original))), draw(st.binary(min_size=1, max_size=5))
            changed = original[:at] + value + original[at:]
        case "remove":
            start = draw(st.integers(0, len(original) - 1))
            changed = original[:start] + original[draw(st.integers(start + 1, len(original))) :]
        case "drop":
            at = draw(st.integers(0, count - 1))
            changed = b"".join(lines[:at] + lines[at + 1 :])
        case "swap":
            changed = b"".join(draw(st.permutations(lines)))
        case _:
            at = draw(st.integers(0, count - 1))
            changed = b"".join([*lines[: at + 1], lines[at], *lines[at + 1 :]])
    return count, changed


@given(altered())
def test_no_alteration_of_the_log_goes_unnoticed(case: tuple[int, bytes]) -> None:
    count, changed = case
    with tempfile.TemporaryDirectory() as folder:
        layout = write(Path(folder), count)
        same = layout.audit.read_bytes() == changed
        layout.audit.write_bytes(changed)

        assert (AuditLog(layout).verify() == ()) is same


def test_the_lines_are_plain_json(tmp_path: Path) -> None:
    layout = write(tmp_path, 1)

    assert json.loads(layout.audit.read_text())["action"] == "PROMOTED"
