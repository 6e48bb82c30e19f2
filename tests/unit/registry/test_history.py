"""What became of each candidate is kept: its reason, its place in the archive, and a line in the log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import AlreadyDecided
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.registry.store import Registry
from tests.builders import approval, approved, draft, feedback, rejected
from tests.unit.registry.promoting import promote


def test_a_rejected_candidate_is_archived_with_its_reason(registry: Registry) -> None:
    made = draft()
    registry.stage(*made.parts)

    gone = registry.reject(made.tool_id, rejected("wrong column: should be `region`"))

    (folder,) = (registry.root / "archive/rejected").iterdir()
    assert folder.name == "7c0f2a1e-0001_20260122T110001.000Z"
    assert json.loads((folder / "user_feedback.json").read_text())["notes"] == "wrong column: should be `region`"
    assert json.loads((folder / "metadata.json").read_text())["rejected_by"] == "ada"
    assert (folder / "tool.py").read_text() == made.package.code
    assert gone == registry.candidate(made.tool_id)
    assert (gone.status, registry.staged(), registry.active()) == (ToolStatus.REJECTED, (), ())
    assert registry.card(made.tool_id).feedback.notes == "wrong column: should be `region`"
    assert not (registry.root / "staging/candidates/7c0f2a1e-0001_1.0.0").exists()


def test_a_candidate_that_failed_its_gates_is_archived_at_once_in_the_place_of_its_draft(registry: Registry) -> None:
    made, failed = draft(status=ToolStatus.DRAFT, sound=False), draft(status=ToolStatus.REJECTED, sound=False)
    registry.stage(*made.parts)

    registry.stage(*failed.parts)

    assert (registry.staged(), registry.candidate(failed.tool_id).status) == ((), ToolStatus.REJECTED)
    assert len(list((registry.root / "archive/rejected").iterdir())) == 1
    assert [(entry.action, entry.by) for entry in registry.audit.entries()] == [("REJECTED", "gates")]
    assert registry.doctor().ok


def test_a_candidate_is_decided_once(registry: Registry) -> None:
    made, kept = draft(), draft("other", "kept")
    registry.stage(*made.parts)
    registry.reject(made.tool_id, rejected())
    promote(registry, kept)

    with pytest.raises(AlreadyDecided, match="already rejected"):
        registry.promote(made.tool_id, approval(made), approved())
    with pytest.raises(AlreadyDecided, match="already rejected"):
        registry.reject(made.tool_id, rejected())
    with pytest.raises(AlreadyDecided, match="already promoted"):
        registry.reject("kept", rejected())
    with pytest.raises(AlreadyDecided, match="already promoted"):
        registry.record_feedback("kept", feedback())


def test_every_decision_leaves_one_line_in_the_log(registry: Registry) -> None:
    made, other = draft(), draft("other", "other")
    registry.stage(*made.parts)
    registry.stage(*other.parts)
    registry.record_feedback(made.tool_id, feedback(notes="good"))
    registry.promote(made.tool_id, approval(made), approved())
    registry.undo("sum_by_group", "grace")
    registry.reject("other", rejected("wrong"))

    lines = [(e.number, e.action, e.tool_name, e.by, e.notes) for e in registry.audit.entries()]

    assert lines == [
        (1, "FEEDBACK", "sum_by_group", "ada", "OUTPUT_ACCEPTED: good"),
        (2, "PROMOTED", "sum_by_group", "ada", None),
        (3, "UNDONE", "sum_by_group", "grace", None),
        (4, "REJECTED", "other", "ada", "wrong"),
    ]
    assert registry.audit.verify() == ()


def test_all_candidates_are_listed_with_what_became_of_them(registry: Registry) -> None:
    made = [draft(f"tool_{n}", f"id-{n}", created_at=f"2026-01-0{n + 1}T00:00:00.000Z") for n in range(3)]
    for one in made:
        registry.stage(*one.parts)
    registry.promote("id-0", approval(made[0]), approved())
    registry.reject("id-1", rejected())

    assert [(c.tool_id, c.status) for c in registry.candidates()] == [
        ("id-2", "STAGED"),
        ("id-1", "REJECTED"),
        ("id-0", "PROMOTED"),
    ]


def test_a_registry_that_was_copied_elsewhere_works(registry: Registry, tmp_path: Path) -> None:
    promote(registry, draft())
    registry.root.rename(tmp_path / "moved")

    moved = Registry(tmp_path / "moved")

    (tool,) = moved.active()
    assert tool.path == tmp_path / "moved/active/tools/sum_by_group"
    assert moved.doctor().ok
