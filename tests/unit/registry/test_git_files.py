"""A registry in version control keeps what belongs to one machine out of it, and every line of a person in it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from jupyter_mcpgen.registry.store import Registry
from tests.builders import draft

OURS = [".lock", ".journal.json", ".txn", "metrics.json", ".metrics.lock"]


def written(registry: Registry, content: bytes | None) -> bytes:
    """Return what the registry makes of a `.gitignore` when something is stored in it."""
    path = registry.root / ".gitignore"
    if content is not None:
        registry.root.mkdir()
        path.write_bytes(content)
    registry.stage(*draft("sum_by_group", "one").parts)
    return path.read_bytes()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, ".lock\n.journal.json\n.txn\nmetrics.json\n.metrics.lock\n"),
        ("", ".lock\n.journal.json\n.txn\nmetrics.json\n.metrics.lock\n"),
        (".lock\n.journal.json\n.txn\n", ".lock\n.journal.json\n.txn\nmetrics.json\n.metrics.lock\n"),
        ("# mine\n*.bak\n/.lock\n.txn/", "# mine\n*.bak\n/.lock\n.txn/\n.journal.json\nmetrics.json\n.metrics.lock\n"),
        ("notes-\u00e4.md\n", "notes-\u00e4.md\n.lock\n.journal.json\n.txn\nmetrics.json\n.metrics.lock\n"),
        ("my.metrics.json\n", "my.metrics.json\n.lock\n.journal.json\n.txn\nmetrics.json\n.metrics.lock\n"),
    ],
    ids=["missing", "empty", "of an older version", "written in other ways", "not ASCII", "a longer name"],
)
def test_lines_that_are_lacking_are_added_behind_those_of_the_person(
    registry: Registry, before: str | None, after: str
) -> None:
    assert written(registry, None if before is None else before.encode()).decode() == after


@pytest.mark.parametrize(
    "content",
    [
        b".lock\n.journal.json\n.txn\n!metrics.json\n.metrics.lock\n",
        b".metrics.lock\r\nmetrics.json\r\n.txn\r\n.journal.json\r\n.lock\r\n",
        b"\xff\xfe\n.lock\n.journal.json\n.txn\nmetrics.json\n.metrics.lock",
    ],
    ids=["kept in on purpose", "Windows line ends", "not UTF-8"],
)
def test_a_file_that_says_everything_stays_as_it_is_byte_by_byte(registry: Registry, content: bytes) -> None:
    assert written(registry, content) == content


def test_bytes_that_are_no_text_stay_when_lines_are_added(registry: Registry) -> None:
    assert written(registry, b"\xff\xfe\r\n").startswith(b"\xff\xfe\r\n.lock\n")


def test_reading_changes_no_file(registry: Registry) -> None:
    registry.root.mkdir()
    (registry.root / ".gitignore").write_text("*.bak\n")

    registry.active()
    registry.doctor()

    assert (registry.root / ".gitignore").read_text() == "*.bak\n"


def test_rules_that_are_a_link_are_neither_followed_nor_replaced(registry: Registry, tmp_path: Path) -> None:
    registry.root.mkdir()
    (tmp_path / "rules").write_text("*.bak\n")
    (registry.root / ".gitignore").symlink_to(tmp_path / "rules")

    registry.stage(*draft("sum_by_group", "one").parts)

    assert (registry.root / ".gitignore").is_symlink()
    assert (tmp_path / "rules").read_text() == "*.bak\n"


def test_attributes_that_a_person_wrote_stay(registry: Registry) -> None:
    registry.root.mkdir()
    (registry.root / ".gitattributes").write_text("*.py text\n")

    registry.stage(*draft("sum_by_group", "one").parts)

    assert (registry.root / ".gitattributes").read_text() == "*.py text\n"


def test_git_itself_ignores_what_belongs_to_one_machine(registry: Registry) -> None:
    written(registry, b"*.bak\n")
    for name in OURS:
        (registry.root / name).touch()
    subprocess.run(["git", "init", "-q", str(registry.root)], check=True)

    listed = subprocess.run(
        ["git", "-C", str(registry.root), "status", "--short", "--untracked-files=all"],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip

    assert [name for name in OURS if f" {name}\n" in listed] == []
    assert " active/metadata.json\n" in listed or " staging/metadata.json\n" in listed
