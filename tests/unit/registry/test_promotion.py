"""A sound candidate that was approved as it is becomes a tool, whole; anything else promotes nothing."""

from __future__ import annotations

import json

import pytest

from jupyter_mcpgen.errors import AlreadyDecided, DecisionError, NameTaken, StaleApproval, UnknownTool, UnsoundApproval
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.feedback import Decision, OutputVerdict
from jupyter_mcpgen.model.tool import Annotations, PromotedTool
from jupyter_mcpgen.registry.store import Registry
from tests.builders import approval, approved, draft, feedback, rejected
from tests.unit.registry.promoting import actions, promote


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


def test_the_log_names_the_contract_that_was_approved(registry: Registry) -> None:
    made = draft()
    promote(registry, made)

    lines = [json.loads(line) for line in (registry.root / "audit/log.jsonl").read_text().splitlines()]

    assert {line["spec_hash"] for line in lines} == {made.candidate.spec_hash}


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

    with pytest.raises(AlreadyDecided, match="already rejected"):
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
