"""Candidates that wait for a decision."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import (
    AlreadyDecided,
    AmbiguousCandidate,
    CorruptRegistry,
    DecisionError,
    RegistryError,
    UnknownCandidate,
)
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.feedback import Decision, OutputVerdict
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.registry.store import Registry
from tests.builders import CREATED_AT, DECIDED_AT, approval, approved, draft, feedback, package, rejected


def test_a_registry_that_does_not_exist_reads_as_empty_and_reading_creates_nothing(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "none")

    seen = registry.staged(), registry.active(), registry.candidates(), registry.problems(), registry.doctor().ok

    assert seen == ((), (), (), (), True)
    assert list(tmp_path.iterdir()) == []


def test_reading_an_existing_empty_folder_creates_nothing(tmp_path: Path) -> None:
    assert Registry(tmp_path).active() == ()
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_id_creates_no_registry(registry: Registry) -> None:
    with pytest.raises(UnknownCandidate):
        registry.promote("nothing", approval(draft()), approved())

    assert not registry.root.exists()


def test_a_staged_candidate_is_read_back_as_it_was(registry: Registry) -> None:
    made = draft()

    staged = registry.stage(*made.parts)

    assert staged == made.candidate.replace(package_path="staging/candidates/7c0f2a1e-0001_1.0.0")
    assert registry.candidate(made.tool_id) == staged
    assert registry.staged() == (staged,)
    assert registry.card(made.tool_id) == made.card
    assert made.package.files.items() <= registry.package(made.tool_id).files.items()


def test_the_folder_of_a_candidate_holds_the_files_that_the_layout_names(registry: Registry) -> None:
    made = draft(files={"golden.json": "{}\n"})

    folder = registry.root / registry.stage(*made.parts).package_path

    assert sorted(path.name for path in folder.iterdir()) == [
        "VERSION",
        "__init__.py",
        "candidate.json",
        "card.json",
        "golden.json",
        "helpers.py",
        "plan.json",
        "requirements.txt",
        "run_artifacts.json",
        "spec.json",
        "tests.py",
        "tool.py",
        "validation_report.json",
    ]


def test_the_list_of_candidates_says_what_waits(registry: Registry) -> None:
    made = draft()
    registry.stage(*made.parts)

    listing = json.loads((registry.root / "staging/metadata.json").read_text())

    assert listing == {
        "candidates": {
            made.tool_id: {
                "tool_name": "sum_by_group",
                "version": "1.0.0",
                "path": "staging/candidates/7c0f2a1e-0001_1.0.0",
                "spec_hash": made.candidate.spec_hash,
                "code_hash": made.candidate.code_hash,
                "fingerprint": made.candidate.fingerprint,
                "status": "STAGED",
                "created_at": CREATED_AT,
                "created_by": "embedded",
                "waits_since": listing["candidates"][made.tool_id]["waits_since"],
            }
        }
    }


def test_files_are_private_and_lists_are_plain_sorted_json(registry: Registry) -> None:
    registry.stage(*draft().parts)
    everything = [registry.root, *registry.root.rglob("*")]
    text = (registry.root / "staging/metadata.json").read_text()

    assert {oct(path.stat().st_mode & 0o777) for path in everything if path.is_dir()} == {"0o700"}
    assert {oct(path.stat().st_mode & 0o777) for path in everything if path.is_file()} == {"0o600"}
    assert text == json.dumps(json.loads(text), indent=2, sort_keys=True) + "\n"


def test_no_file_holds_the_place_where_the_registry_lies(registry: Registry) -> None:
    made = draft()
    registry.stage(*made.parts)
    registry.promote(made.tool_id, approval(made), approved())

    texts = [path.read_text() for path in registry.root.rglob("*") if path.is_file()]

    assert not any(str(registry.root) in text for text in texts)


def test_the_order_of_columns_in_a_sample_row_survives(registry: Registry) -> None:
    made = draft()

    artifacts = registry.stage(*made.parts) and registry.candidate(made.tool_id).run_artifacts

    assert artifacts is not None
    assert artifacts.sample_rows is not None
    assert list(artifacts.sample_rows[0]) == ["weather", "fatal"]


def test_candidates_come_newest_first(registry: Registry) -> None:
    for number, moment in enumerate(("2026-01-01", "2026-03-01", "2026-02-01")):
        registry.stage(*draft(f"tool_{number}", f"id-{number}", created_at=f"{moment}T00:00:00.000Z").parts)

    assert [candidate.tool_id for candidate in registry.staged()] == ["id-1", "id-2", "id-0"]


def test_another_registry_object_on_the_folder_sees_the_candidate(registry: Registry) -> None:
    made = draft()
    registry.stage(*made.parts)

    assert Registry(registry.root).staged() == registry.staged()


def test_staging_an_undecided_id_again_replaces_it(registry: Registry) -> None:
    registry.stage(*draft(body="return file_path").parts)
    made = draft(version="1.0.1")

    staged = registry.stage(*made.parts)

    assert registry.staged() == (staged,)
    assert [path.name for path in (registry.root / "staging/candidates").iterdir()] == ["7c0f2a1e-0001_1.0.1"]


def test_staging_the_same_candidate_twice_keeps_one(registry: Registry) -> None:
    made = draft()
    registry.stage(*made.parts)

    registry.stage(*made.parts)

    assert len(registry.staged()) == 1
    assert registry.problems() == ()


def test_an_id_that_was_decided_cannot_be_staged_again(registry: Registry) -> None:
    made = draft()
    registry.stage(*made.parts)
    registry.reject(made.tool_id, rejected())

    with pytest.raises(AlreadyDecided, match="already rejected"):
        registry.stage(*made.parts)


def test_the_beginning_of_an_id_or_the_name_of_the_tool_is_enough(registry: Registry) -> None:
    made = draft(tool_id="7c0f-1")
    registry.stage(*made.parts)

    assert registry.candidate("7c").tool_id == "7c0f-1"
    assert registry.candidate("sum_by_group").tool_id == "7c0f-1"


def test_a_beginning_that_two_ids_share_is_refused_with_both_named(registry: Registry) -> None:
    for tool_id in ("7c0f-1", "7c0f-2"):
        registry.stage(*draft(f"tool_{tool_id[-1]}", tool_id).parts)

    with pytest.raises(AmbiguousCandidate, match=r"`7c0f` matches several ids: `7c0f-1`, `7c0f-2`"):
        registry.candidate("7c0f")


@pytest.mark.parametrize("wanted", ["", "9", "../7c0f", "*"])
def test_an_id_that_fits_nothing_is_unknown(registry: Registry, wanted: str) -> None:
    registry.stage(*draft(tool_id="7c0f-1").parts)

    with pytest.raises(UnknownCandidate):
        registry.candidate(wanted)


def test_an_id_that_is_nearly_right_gets_an_offer(registry: Registry) -> None:
    registry.stage(*draft(tool_id="7c0f-1").parts)

    with pytest.raises(UnknownCandidate, match=r"Did you mean `7c0f-1`\?"):
        registry.card("7c0f-2")


@pytest.mark.parametrize("tool_id", ["", "../evil", "a/b", "a b", ".hidden", "x" * 101, "ünder"])
def test_an_id_that_is_no_part_of_a_path_is_refused(registry: Registry, tool_id: str) -> None:
    with pytest.raises(RegistryError, match="cannot be the id"):
        registry.stage(*draft(tool_id=tool_id).parts)

    assert not registry.root.exists()


@pytest.mark.parametrize("what", ["code_hash", "spec_hash", "fingerprint"])
def test_a_candidate_whose_hashes_do_not_fit_is_not_staged(registry: Registry, what: str) -> None:
    made = draft()

    with pytest.raises(RegistryError, match=f"its `{what}` does not fit"):
        registry.stage(made.candidate.replace(**{what: "0" * 64}), made.package, made.card)

    assert not registry.root.exists()


def test_a_card_of_another_candidate_is_not_staged(registry: Registry) -> None:
    made = draft()

    with pytest.raises(RegistryError, match="its `card` does not fit"):
        registry.stage(made.candidate, made.package, made.card.replace(card_id="other"))


@pytest.mark.parametrize("status", [ToolStatus.APPROVED, ToolStatus.PROMOTED])
def test_only_drafts_and_what_the_gates_looked_at_are_staged(registry: Registry, status: ToolStatus) -> None:
    with pytest.raises(RegistryError, match=f"cannot be staged as {status}"):
        registry.stage(*draft(status=status).parts)


def test_a_package_cannot_bring_the_files_that_the_registry_writes(registry: Registry) -> None:
    made = draft()
    hostile = Package(files={**made.package.files, "approval.json": "{}"})

    with pytest.raises(RegistryError, match=r"`approval\.json`"):
        registry.stage(made.candidate, hostile, made.card)


def test_the_registry_writes_the_contract_whatever_the_package_says(registry: Registry) -> None:
    made = draft(files={"spec.json": "{}", "VERSION": "9.9.9"})

    registry.stage(*made.parts)

    assert registry.candidate(made.tool_id).spec == made.candidate.spec
    assert registry.package(made.tool_id).files["VERSION"] == "1.0.0\n"


def test_a_candidate_that_failed_its_gates_is_shown_and_does_not_wait(registry: Registry) -> None:
    made = draft(status=ToolStatus.REJECTED, sound=False)

    registry.stage(*made.parts)

    assert registry.staged() == ()
    assert registry.candidate(made.tool_id).status is ToolStatus.REJECTED
    assert registry.card(made.tool_id).sound is False


def test_an_answer_about_the_output_is_kept_and_the_candidate_goes_on_waiting(registry: Registry) -> None:
    made, answer = draft(), feedback(output=OutputVerdict.ACCEPTED, notes="fine")
    registry.stage(*made.parts)

    answered = registry.record_feedback(made.tool_id[:4], answer)

    card = registry.card(made.tool_id)
    assert answered == registry.candidate(made.tool_id)
    assert (answered.status, answered.user_feedback) == (ToolStatus.STAGED, answer)
    assert (card.feedback.output, card.feedback.notes) == (OutputVerdict.ACCEPTED, "fine")
    assert (card.status, card.feedback.timestamp) == (ToolStatus.STAGED, DECIDED_AT)
    assert registry.staged() == (answered,)
    assert registry.problems() == ()


def test_an_answer_about_the_output_does_not_decide(registry: Registry) -> None:
    made = draft()
    registry.stage(*made.parts)

    with pytest.raises(DecisionError):
        registry.record_feedback(made.tool_id, feedback(Decision.APPROVED))

    assert registry.candidate(made.tool_id).user_feedback is None


def test_a_folder_in_the_way_that_nobody_listed_is_kept_aside(registry: Registry) -> None:
    made = draft()
    stray = registry.root / "staging/candidates/7c0f2a1e-0001_1.0.0"
    stray.mkdir(parents=True)
    (stray / "notes.txt").write_text("mine")

    registry.stage(*made.parts)

    assert (registry.root / "archive/unlisted" / stray.name / "notes.txt").read_text() == "mine"
    assert len(registry.staged()) == 1


def test_unicode_in_code_and_notes_survives(registry: Registry) -> None:
    made = draft(body='return "Größe — 尺寸 🌧"')
    registry.stage(*made.parts)

    registry.record_feedback(made.tool_id, feedback(notes="sehr schön 👍"))

    assert registry.package(made.tool_id).code == package(body='return "Größe — 尺寸 🌧"').code
    assert registry.card(made.tool_id).feedback.notes == "sehr schön 👍"
    assert registry.doctor().ok


@pytest.mark.parametrize("name", ["tool.py", "card.json", "candidate.json", "spec.json"])
def test_a_candidate_whose_files_are_gone_is_named(registry: Registry, name: str) -> None:
    made = draft()
    (registry.root / registry.stage(*made.parts).package_path / name).unlink()

    def use_everything() -> None:
        registry.package(made.tool_id)
        registry.card(made.tool_id)
        registry.candidate(made.tool_id)

    with pytest.raises(CorruptRegistry, match=f"{name}` cannot be read"):
        use_everything()
