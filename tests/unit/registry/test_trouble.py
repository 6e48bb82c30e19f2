"""Broken lists, folders that cannot be written, and what the doctor says."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path

import pytest
from filelock import FileLock

from jupyter_mcpgen.errors import CorruptRegistry, RegistryBusy, RegistryNotYours, RegistryReadOnly
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.registry import locking
from jupyter_mcpgen.registry.store import Health, Registry
from tests.builders import approval, approved, draft, rejected

GARBAGE = [b"", b"{", b"null", b'{"tools": []}', b'{"tools": {"../evil": {}}}', b"\x00\xff", b"<<<<<<< HEAD\n"]


def promote(registry: Registry, name: str = "sum_by_group") -> PromotedTool:
    made = draft(name, f"id-{name}")
    registry.stage(*made.parts)
    return registry.promote(made.tool_id, approval(made), approved())


@pytest.mark.parametrize("garbage", GARBAGE)
def test_a_broken_list_of_tools_is_named_and_left_untouched(registry: Registry, garbage: bytes) -> None:
    promote(registry)
    path = registry.root / "active/metadata.json"
    path.write_bytes(garbage)
    made = draft("next_one", "next")
    registry.stage(*made.parts)

    for use in (registry.active, lambda: registry.promote("next", approval(made), approved())):
        with pytest.raises(CorruptRegistry, match=r"active/metadata\.json.*left untouched.*`%mcpgen rebuild`"):
            use()

    assert path.read_bytes() == garbage


def test_rebuild_lists_the_tools_again_and_keeps_the_broken_file(registry: Registry) -> None:
    tools = promote(registry, "alpha"), promote(registry, "beta")
    path = registry.root / "active/metadata.json"
    before = path.read_bytes()
    path.write_bytes(b"{ broken")

    rebuilt = registry.rebuild(by="ada")

    assert rebuilt == registry.active() == tools
    assert path.read_bytes() == before
    assert (path.parent / "metadata.json.corrupt-1").read_bytes() == b"{ broken"
    assert registry.doctor().ok
    assert registry.audit.entries()[-1].action == "REBUILT"


def test_every_broken_list_is_kept(registry: Registry) -> None:
    promote(registry)
    path = registry.root / "active/metadata.json"
    for number in (1, 2):
        path.write_text(f"broken {number}")
        registry.rebuild()

    kept = [(path.parent / f"metadata.json.corrupt-{number}").read_text() for number in (1, 2)]

    assert kept == ["broken 1", "broken 2"]


def test_rebuild_does_not_list_a_tool_that_was_changed(registry: Registry) -> None:
    kept, changed = promote(registry, "alpha"), promote(registry, "beta")
    (changed.path / "tool.py").write_text("import os\n")
    (registry.root / "active/metadata.json").write_text("{")

    assert registry.rebuild() == (kept,)
    assert registry.problems() == ("`active/tools/beta` came from elsewhere and is not used: `tool.py` was changed.",)


def test_rebuild_of_a_broken_list_of_candidates_brings_all_of_them_back(registry: Registry) -> None:
    for number in range(3):
        registry.stage(*draft(f"tool_{number}", f"id-{number}").parts)
    waiting = registry.staged()
    (registry.root / "staging/metadata.json").write_text("{")

    with pytest.raises(CorruptRegistry, match=r"staging/metadata\.json"):
        registry.staged()
    registry.rebuild()

    assert registry.staged() == waiting


def test_a_broken_list_of_candidates_does_not_hide_the_tools(registry: Registry) -> None:
    tool = promote(registry)
    (registry.root / "staging/metadata.json").write_text("{")

    assert registry.active() == (tool,)


def test_one_broken_candidate_hides_only_itself(registry: Registry) -> None:
    kept, broken = draft("kept", "kept"), draft("broken", "broken")
    registry.stage(*kept.parts)
    folder = registry.root / registry.stage(*broken.parts).package_path
    (folder / "spec.json").write_text("{")

    assert [candidate.tool_id for candidate in registry.staged()] == ["kept"]
    assert len(registry.problems()) == 1
    assert "broken_1.0.0/spec.json" in registry.problems()[0]


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    registry = Registry(tmp_path / "file" / "registry")

    with pytest.raises(RegistryReadOnly, match=r"registry` cannot be written .*MCPGEN_REGISTRY__PATH"):
        registry.stage(*draft().parts)

    assert (tmp_path / "file").read_text() == "mine"
    assert registry.active() == ()
    assert registry.doctor() == Health(read_only=f"`{tmp_path / 'file'}` is not a folder")


@pytest.mark.parametrize("folder", ["active", "archive/superseded", "audit", "staging/candidates"])
def test_a_place_that_cannot_be_written_changes_nothing(registry: Registry, folder: str) -> None:
    place = registry.root / folder
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("a file in the way")
    made = draft()

    def stage_and_promote() -> None:
        registry.stage(*made.parts)
        registry.promote(made.tool_id, approval(made), approved())
        second = draft(tool_id="second", version="2.0.0", body="return column")
        registry.stage(*second.parts)
        registry.promote("second", approval(second), approved())

    with pytest.raises((RegistryReadOnly, CorruptRegistry)):
        stage_and_promote()

    assert not (registry.root / ".journal.json").exists()
    assert not (registry.root / ".txn").exists()
    assert registry.doctor().problems == ()


def test_a_registry_that_stays_locked_says_who_to_close(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = promote(registry)
    monkeypatch.setattr(locking, "LOCK_SECONDS", 0.05)
    raised: list[BaseException] = []

    def ask() -> None:
        try:
            registry.undo("sum_by_group", "ada")
        except RegistryBusy as error:
            raised.append(error)

    with FileLock(registry.root / ".lock"):
        other = threading.Thread(target=ask)
        other.start()
        other.join()

    assert "locked by another process" in str(raised[0])
    assert registry.active() == (tool,)


def test_the_doctor_finds_nothing_wrong_with_a_registry_in_use(registry: Registry) -> None:
    promote(registry)
    registry.stage(*draft("waits", "waits").parts)
    registry.stage(*draft("gone", "gone").parts)
    registry.reject("gone", rejected())

    assert registry.doctor() == Health()


def test_the_doctor_names_what_is_wrong(registry: Registry) -> None:
    tool = promote(registry)
    (tool.path / "tool.py").write_text("import os\n")
    log = registry.root / "audit/log.jsonl"
    log.write_text(log.read_text().replace("ada", "eve"))

    health = registry.doctor()

    assert not health.ok
    assert health.audit == ("Line 1 of the log was changed: its hash does not match its content.",)
    assert ["`tool.py` was changed" in problem for problem in health.problems] == [True]


def rolled_back(registry: Registry, before: Path) -> None:
    """Put an older log and head in the place of the present ones: alone, they are a whole chain."""
    shutil.rmtree(registry.root / "audit")
    if before.exists():
        shutil.copytree(before, registry.root / "audit")


def test_a_log_that_was_rolled_back_with_its_head_is_noticed_by_the_tools_that_are_active(
    registry: Registry, tmp_path: Path
) -> None:
    promote(registry, "alpha")
    shutil.copytree(registry.root / "audit", tmp_path / "before")
    promote(registry, "beta")
    assert registry.doctor().ok

    rolled_back(registry, tmp_path / "before")

    assert registry.audit.verify() == ()
    (problem,) = registry.doctor().audit
    assert "`beta` v1.0.0 is active, but the log does not say who approved it" in problem
    promote(registry, "gamma")
    assert registry.doctor().audit == (problem,)


def test_a_log_that_is_gone_with_its_head_is_noticed_too(registry: Registry, tmp_path: Path) -> None:
    promote(registry, "alpha")

    rolled_back(registry, tmp_path / "nothing")

    assert len(registry.doctor().audit) == 1


def test_a_tool_that_was_taken_back_and_put_back_by_hand_is_noticed(registry: Registry, tmp_path: Path) -> None:
    promote(registry, "alpha")
    shutil.copytree(registry.root / "active", tmp_path / "active")
    registry.undo("alpha", "ada")
    shutil.rmtree(registry.root / "active")
    shutil.copytree(tmp_path / "active", registry.root / "active")

    assert [tool.name for tool in registry.active()] == ["alpha"]
    assert "`alpha` v1.0.0 is active" in registry.doctor().audit[0]


def test_a_version_that_came_back_by_undo_needs_no_other_line(registry: Registry) -> None:
    promote(registry, "alpha")
    second = draft("alpha", "second", "1.1.0", body="return column")
    registry.stage(*second.parts)
    registry.promote("second", approval(second), approved())

    registry.undo("alpha", "ada")

    assert registry.doctor().ok


def test_the_doctor_reports_a_broken_list_instead_of_failing(registry: Registry) -> None:
    promote(registry)
    (registry.root / "active/metadata.json").write_text("{")

    assert "metadata.json" in registry.doctor().problems[0]


def test_version_control_skips_the_lock_and_the_journal_and_converts_no_byte(registry: Registry) -> None:
    promote(registry)

    ours = [".lock", ".journal.json", ".txn", "metrics.json", ".metrics.lock"]
    assert (registry.root / ".gitignore").read_text().split() == ours
    assert (registry.root / ".gitattributes").read_text().startswith("* -text\n")


@pytest.mark.skipif(os.geteuid() != 0, reason="only the administrator can give a folder away")
def test_a_registry_that_another_user_owns_is_not_trusted(registry: Registry) -> None:
    promote(registry)
    os.chown(registry.root, 12_345, -1)

    for use in (registry.active, lambda: registry.tool("sum_by_group"), lambda: promote(registry, "other")):
        with pytest.raises(RegistryNotYours, match=r"belongs to another user.*MCPGEN_REGISTRY__PATH"):
            use()
