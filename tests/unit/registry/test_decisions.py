"""Promotion, rejection and undo."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import (
    AlreadyDecided,
    DecisionError,
    NameTaken,
    StaleApproval,
    UnknownTool,
    UnsoundApproval,
)
from jupyter_mcpgen.model.candidate import ToolCandidate, ToolStatus
from jupyter_mcpgen.model.feedback import Decision, OutputVerdict
from jupyter_mcpgen.model.spec import ToolParameter
from jupyter_mcpgen.model.tool import Annotations, PromotedTool
from jupyter_mcpgen.registry.store import Registry
from tests.builders import Draft, approval, approved, draft, feedback, rejected, spec


def promote(registry: Registry, made: Draft) -> PromotedTool:
    registry.stage(*made.parts)
    return registry.promote(made.tool_id, approval(made), approved())


def actions(registry: Registry) -> list[str]:
    return [entry.action for entry in registry.audit.entries()]


def test_a_promoted_tool_is_active_with_everything_that_was_approved(registry: Registry) -> None:
    made = draft()

    tool = promote(registry, made)

    assert tool == PromotedTool(
        name="sum_by_group",
        version="1.0.0",
        tool_id=made.tool_id,
        path=registry.root / "active/tools/sum_by_group",
        spec=made.candidate.spec,
        spec_hash=made.candidate.spec_hash,
        code_hash=made.candidate.code_hash,
        fingerprint=made.candidate.fingerprint,
        annotations=Annotations(readOnlyHint=True, destructiveHint=False, idempotentHint=True, openWorldHint=False),
        capabilities=("cap:files.read",),
        dependencies=("pandas>=3",),
        promoted_at=tool.promoted_at,
        created_by="embedded",
    )
    assert registry.active() == (tool,)
    assert registry.tool("sum_by_group") == tool
    assert registry.load_package(tool) == registry.package(made.tool_id)
    assert registry.staged() == ()
    assert registry.problems() == ()


def test_the_list_of_active_tools_has_the_shape_of_the_seed(registry: Registry) -> None:
    made = draft()
    tool = promote(registry, made)

    listing = json.loads((registry.root / "active/metadata.json").read_text())

    assert listing == {
        "tools": {
            "sum_by_group": {
                "version": "1.0.0",
                "path": "active/tools/sum_by_group",
                "spec_hash": made.candidate.spec_hash,
                "code_hash": made.candidate.code_hash,
                "fingerprint": made.candidate.fingerprint,
                "promoted_at": tool.promoted_at,
                "created_by": "embedded",
                "tool_id": made.tool_id,
                "capabilities": ["cap:files.read"],
                "dependencies": ["pandas>=3"],
                "annotations": {
                    "readOnlyHint": True,
                    "destructiveHint": False,
                    "idempotentHint": True,
                    "openWorldHint": False,
                },
            }
        }
    }


def test_the_folder_of_a_tool_holds_the_files_that_the_layout_names(registry: Registry) -> None:
    folder = promote(registry, draft(files={"golden.json": "{}\n"})).path

    names = {path.name for path in folder.iterdir()}

    assert names >= {
        "tool.py",
        "spec.json",
        "helpers.py",
        "tests.py",
        "requirements.txt",
        "__init__.py",
        "VERSION",
        "card.json",
        "approval.json",
        "plan.json",
        "golden.json",
    }
    assert (folder / "VERSION").read_text() == "1.0.0\n"
    assert json.loads((folder / "approval.json").read_text())["approved_by"] == "ada"


def test_the_card_of_a_promoted_tool_says_so(registry: Registry) -> None:
    made = draft()
    promote(registry, made)

    card = registry.card(made.tool_id)

    assert (card.status, card.feedback.decision) == (ToolStatus.PROMOTED, Decision.APPROVED)
    assert registry.candidate(made.tool_id).status is ToolStatus.PROMOTED
    assert json.loads((registry.root / "active/tools/sum_by_group/card.json").read_text())["status"] == "PROMOTED"


def test_tools_are_listed_by_name(registry: Registry) -> None:
    for number, name in enumerate(("zeta", "alpha", "mid")):
        promote(registry, draft(name, f"id-{number}"))

    assert [tool.name for tool in registry.active()] == ["alpha", "mid", "zeta"]


def test_an_unknown_tool_gets_an_offer(registry: Registry) -> None:
    promote(registry, draft())

    with pytest.raises(UnknownTool, match=r"Did you mean `sum_by_group`\?"):
        registry.tool("sum_by_grup")


def test_full_width_letters_do_not_make_another_name(registry: Registry) -> None:
    tool = promote(registry, draft())

    assert registry.tool("ｓum_by_group") == tool


@pytest.mark.parametrize(
    "change", [{"fingerprint": "0" * 64}, {"version": "1.0.1"}, {"tool_name": "other"}], ids=lambda c: next(iter(c))
)
def test_an_approval_of_other_content_promotes_nothing(registry: Registry, change: dict[str, str]) -> None:
    made = draft()
    registry.stage(*made.parts)

    with pytest.raises(StaleApproval):
        registry.promote(made.tool_id, approval(made, **change), approved())

    assert (registry.active(), len(registry.staged()), actions(registry)) == ((), 1, [])


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("tool.py", "return", "return 2 *"),
        ("helpers.py", "Vendored", "Other"),
        ("spec.json", "Add up", "Multiply"),
        ("tests.py", "...", "pass"),
        ("candidate.json", "cap:files.read", "cap:files.write"),
        ("card.json", "sum of", "mean of"),
        ("run_artifacts.json", "36", "37"),
    ],
)
def test_files_that_changed_after_they_were_shown_are_not_promoted(
    registry: Registry, name: str, old: str, new: str
) -> None:
    made = draft()
    path = registry.root / registry.stage(*made.parts).package_path / name
    path.write_text(path.read_text().replace(old, new, 1))

    with pytest.raises(StaleApproval, match="Ask the question again"):
        registry.promote(made.tool_id, approval(made), approved())

    assert (registry.active(), actions(registry)) == ((), [])


def test_a_file_that_was_added_after_the_card_was_shown_is_not_promoted(registry: Registry) -> None:
    made = draft()
    folder = registry.root / registry.stage(*made.parts).package_path
    (folder / "pandas.py").write_text("import os\n")

    with pytest.raises(StaleApproval):
        registry.promote(made.tool_id, approval(made), approved())

    assert "pandas.py" not in registry.package(made.tool_id).files


def test_a_card_that_was_made_sound_by_hand_is_not_promoted(registry: Registry) -> None:
    made = draft(sound=False)
    card = registry.root / registry.stage(*made.parts).package_path / "card.json"
    card.write_text(card.read_text().replace('"sound": false', '"sound": true'))

    with pytest.raises(StaleApproval):
        registry.promote(made.tool_id, approval(made), approved())


def test_an_unsound_card_cannot_be_approved_and_the_reason_is_named(registry: Registry) -> None:
    made = draft(sound=False)
    registry.stage(*made.parts)

    with pytest.raises(UnsoundApproval, match="389 = column total"):
        registry.promote(made.tool_id, approval(made), approved())

    assert (registry.active(), len(registry.staged())) == ((), 1)


def test_a_candidate_that_failed_its_gates_cannot_be_approved(registry: Registry) -> None:
    made = draft(status=ToolStatus.REJECTED)
    registry.stage(*made.parts)

    with pytest.raises(UnsoundApproval):
        registry.promote(made.tool_id, approval(made), approved())


@pytest.mark.parametrize("answers", [feedback(), rejected(), feedback(Decision.APPROVED, OutputVerdict.REJECTED)])
def test_only_a_clear_approval_promotes(registry: Registry, answers) -> None:
    made = draft()
    registry.stage(*made.parts)

    with pytest.raises(DecisionError):
        registry.promote(made.tool_id, approval(made), answers)

    assert registry.active() == ()


@pytest.mark.parametrize("name", ["search_tools", "dynamic_register_tool", "list", "lambda", "con"])
def test_a_reserved_name_is_not_promoted(registry: Registry, name: str) -> None:
    made = draft(name)
    registry.stage(*made.parts)

    with pytest.raises(NameTaken, match=f"`{name}` cannot be the name of a tool"):
        registry.promote(made.tool_id, approval(made), approved())

    assert registry.active() == ()


def test_a_second_click_on_approve_gives_the_same_tool(registry: Registry) -> None:
    made = draft()
    tool = promote(registry, made)

    again = registry.promote(made.tool_id, approval(made), approved())

    assert again == tool
    assert actions(registry) == ["PROMOTED"]


def test_content_that_is_active_already_is_not_promoted_twice(registry: Registry) -> None:
    tool, copy = promote(registry, draft()), draft(tool_id="copy", version="1.0.1")

    again = promote(registry, copy)

    assert again == tool
    assert registry.active() == (tool,)
    assert registry.staged() == ()
    assert registry.card("copy").status is ToolStatus.PROMOTED
    assert actions(registry) == ["PROMOTED", "DUPLICATE"]


def test_other_content_under_a_taken_name_needs_a_higher_version(registry: Registry) -> None:
    tool, other = promote(registry, draft()), draft(tool_id="other", body="return column")
    registry.stage(*other.parts)

    with pytest.raises(NameTaken, match=r"version 1\.0\.0 with other content.* Keep it as version 1\.0\.1"):
        registry.promote("other", approval(other), approved())

    assert registry.active() == (tool,)
    assert [candidate.tool_id for candidate in registry.staged()] == ["other"]


def test_a_lower_version_is_refused_even_with_another_contract(registry: Registry) -> None:
    promote(registry, draft(version="2.0.0"))
    parameters = (*spec().parameters, ToolParameter(name="top", type="int", description="How many", required=False))
    other = draft(tool_id="other", version="1.5.0", contract=spec(parameters=parameters))
    registry.stage(*other.parts)

    with pytest.raises(NameTaken, match=r"Keep it as version 2\.1\.0 \(parts were added\)"):
        registry.promote("other", approval(other), approved())


def test_a_capability_more_is_other_content(registry: Registry) -> None:
    promote(registry, draft())

    with pytest.raises(NameTaken):
        promote(registry, draft(tool_id="more", capabilities=("cap:files.read", "cap:files.write")))


def test_a_higher_version_replaces_and_the_old_one_is_kept_whole(registry: Registry) -> None:
    first = promote(registry, draft())
    old = {path.name: path.read_bytes() for path in first.path.iterdir()}

    second = promote(registry, draft(tool_id="second", version="1.1.0", body="return column"))

    archived = registry.root / "archive/superseded/sum_by_group_1.0.0"
    assert registry.active() == (second,)
    assert {path.name: path.read_bytes() for path in archived.iterdir()} == old
    assert registry.versions("sum_by_group") == (second, first.replace(path=archived))
    assert registry.card(first.tool_id).status is ToolStatus.PROMOTED


def test_the_next_version_follows_the_change_of_the_contract(registry: Registry) -> None:
    before = registry.next_version(spec())
    promote(registry, draft(version="1.2.3"))
    extra = ToolParameter(name="top", type="int", description="How many", required=False)

    after = [
        registry.next_version(spec()),
        registry.next_version(spec(parameters=(*spec().parameters, extra))),
        registry.next_version(spec(parameters=(*spec().parameters, extra.replace(required=True)))),
        registry.next_version(spec(parameters=spec().parameters[:1])),
    ]

    assert before == "1.0.0"
    assert after == ["1.2.4", "1.3.0", "2.0.0", "2.0.0"]


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


def test_a_candidate_that_failed_its_gates_can_be_archived_with_a_reason(registry: Registry) -> None:
    made = draft(status=ToolStatus.REJECTED, sound=False)
    registry.stage(*made.parts)

    registry.reject(made.tool_id, rejected("not what I asked"))

    assert registry.card(made.tool_id).feedback.notes == "not what I asked"
    assert len(list((registry.root / "archive/rejected").iterdir())) == 1


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


def test_undo_takes_the_tool_away_and_the_candidate_waits_again(registry: Registry) -> None:
    made = draft()
    promote(registry, made)

    back = registry.undo("sum_by_group", "ada")

    assert isinstance(back, ToolCandidate)
    assert registry.active() == ()
    assert registry.staged() == (back,)
    assert back.status is ToolStatus.STAGED
    assert back.user_feedback == feedback(Decision.PENDING, OutputVerdict.ACCEPTED)
    assert not (registry.root / back.package_path / "approval.json").exists()
    assert registry.problems() == ()
    assert registry.promote(made.tool_id, approval(made), approved()).name == "sum_by_group"


def test_undo_brings_the_replaced_version_back(registry: Registry) -> None:
    first = promote(registry, draft())
    promote(registry, draft(tool_id="second", version="1.1.0", body="return column"))

    restored = registry.undo("sum_by_group", "ada")

    assert restored == first
    assert registry.active() == (first,)
    assert [candidate.tool_id for candidate in registry.staged()] == ["second"]
    assert isinstance(registry.undo("sum_by_group", "ada"), ToolCandidate)
    assert registry.active() == ()
    assert len(registry.staged()) == 2


def test_undo_after_promoting_again_gives_the_right_version_each_time(registry: Registry) -> None:
    tools = [
        promote(registry, draft(tool_id=f"id-{n}", version=f"1.{n}.0", body=f"return column * {n}")) for n in (1, 2, 10)
    ]

    assert registry.undo("sum_by_group", "ada") == tools[1]
    assert registry.undo("sum_by_group", "ada") == tools[0]


def test_undo_of_an_unknown_tool_says_so(registry: Registry) -> None:
    with pytest.raises(UnknownTool):
        registry.undo("nothing", "ada")


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
