"""A process that dies in the middle of a change leaves the old registry or the new one; processes share it safely."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from jupyter_mcpgen.registry.store import Registry
from tests.flow.registry_runs import staged_crowd

REPOSITORY = Path(__file__).parents[2]


def start(*arguments: str | Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.flow.registry_runs", *map(str, arguments)]
    return subprocess.Popen(
        command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )


def finish(process: subprocess.Popen[str]) -> str:
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return output


def content(root: Path) -> dict[str, bytes]:
    """Return what a registry holds, without the times at which it was done."""
    skipped = ("active/metadata.json", "approval.json", "audit/", ".txn/")
    files = (path for path in root.rglob("*") if path.is_file())
    named = {path.relative_to(root).as_posix(): path.read_bytes() for path in files}
    return {name: data for name, data in named.items() if not any(part in name for part in skipped)}


@pytest.mark.every_run("promote", "undo")
@pytest.mark.parametrize("operation", ["promote", "undo", "rollback", "unpublish", "bring back", "expire", "reopen"])
def test_a_kill_at_any_point_leaves_the_old_registry_or_the_new_one(tmp_path: Path, operation: str) -> None:
    finish(start("kill-points", tmp_path, operation))
    points = json.loads((tmp_path / "points.json").read_text())
    old, new = (Registry(tmp_path / name) for name in ("pristine", "whole"))
    cut_short = [point for n, point in enumerate(points) if (tmp_path / f"killed-{n}/.journal.json").exists()]

    for number, point in enumerate(points):
        killed = Registry(tmp_path / f"killed-{number}")
        expected = old if number <= points.index("prepared") else new
        seen = [(tool.name, tool.version, tool.fingerprint) for tool in killed.active()]

        assert seen == [(tool.name, tool.version, tool.fingerprint) for tool in expected.active()], point
        assert killed.staged() == expected.staged(), point
        assert [(e.action, e.tool_id) for e in killed.audit.entries()] == [
            (e.action, e.tool_id) for e in expected.audit.entries()
        ], point
        assert killed.doctor().ok, (point, killed.doctor())
        assert content(killed.root) == content(expected.root), point
        killed.stage(*staged_crowd(0).parts)
        assert not (killed.root / ".txn").exists(), point

    assert cut_short == points[points.index("journal written") : points.index("journal removed")]
    assert len(cut_short) >= 5
    assert content(old.root) != content(new.root)


def test_processes_that_promote_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "registry")
    for number in range(8):
        registry.stage(*staged_crowd(number).parts)

    processes = [start("promote", registry.root, *numbers) for numbers in ((0, 1, 2, 3), (4, 5, 6, 7))]
    outputs = [finish(process).split() for process in processes]

    assert sorted(outputs[0] + outputs[1]) == [f"tool_{number}" for number in range(8)]
    assert [tool.name for tool in registry.active()] == [f"tool_{number}" for number in range(8)]
    assert registry.staged() == ()
    assert len(registry.audit.entries()) == 8
    assert registry.doctor().ok


@pytest.mark.soak
def test_a_reader_never_sees_half_a_change(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "registry")
    for number in range(10):
        registry.stage(*staged_crowd(number).parts)
    seen = []

    writer = start("promote", registry.root, *range(10))
    while writer.poll() is None:
        seen.append((len(registry.active()), registry.problems()))
    finish(writer)

    assert {problems for _, problems in seen} == {()}
    assert [count for count, _ in seen] == sorted(count for count, _ in seen)
    assert len(registry.active()) == 10


def test_one_candidate_that_two_processes_promote_is_promoted_once(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "registry")
    registry.stage(*staged_crowd(0).parts)

    outputs = [finish(process) for process in [start("promote", registry.root, 0) for _ in range(2)]]

    assert outputs == ["tool_0\n", "tool_0\n"]
    assert [entry.action for entry in registry.audit.entries()] == ["PROMOTED"]
    assert registry.doctor().ok


@pytest.mark.parametrize("lock", ["with", "without"])
def test_a_registry_of_someone_else_can_be_read_and_not_written(lock: str) -> None:
    # Not below `tmp_path`, which only its owner may enter.
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    try:
        seen = json.loads(finish(start("read-only", folder, lock)))
        left = sorted(path.name for path in (folder / "registry").iterdir())
    finally:
        for path in folder.rglob("*"):
            path.chmod(0o755)
        shutil.rmtree(folder)

    root = folder / "registry"
    assert seen["same"]
    assert seen["doctor"] == f"`{root}` is not yours to write"
    assert seen["refusal"].startswith(f"The registry at `{root}` cannot be written (Permission denied).")
    assert left == [
        ".gitattributes",
        ".gitignore",
        *([".lock"] if lock == "with" else []),
        "active",
        "audit",
        "staging",
    ]
