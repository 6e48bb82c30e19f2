"""Active tools whose files are not the ones that a person approved."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import CorruptRegistry, StaleApproval, TamperedTool
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.registry.contents import digest
from jupyter_mcpgen.registry.store import Registry
from tests.builders import approval, approved, draft


@pytest.fixture
def tool(registry: Registry) -> PromotedTool:
    """Return an active tool, with another one beside it."""
    for made in (draft(), draft("other", "other")):
        registry.stage(*made.parts)
        registry.promote(made.tool_id, approval(made), approved())
    return registry.tool("sum_by_group")


def assert_refused(registry: Registry, tool: PromotedTool, match: str = "is not what was approved") -> None:
    for use in (registry.verify, registry.load_package, lambda t: registry.tool(t.name)):
        with pytest.raises(TamperedTool, match=match):
            use(tool)
    assert [each.name for each in registry.active()] == ["other"]
    assert any("sum_by_group" in problem for problem in registry.problems())


def every_file() -> list[str]:
    return [
        "VERSION",
        "__init__.py",
        "approval.json",
        "candidate.json",
        "card.json",
        "helpers.py",
        "plan.json",
        "requirements.txt",
        "run_artifacts.json",
        "spec.json",
        "tests.py",
        "tool.py",
        "user_feedback.json",
        "validation_report.json",
    ]


def test_an_untouched_tool_is_as_approved(registry: Registry, tool: PromotedTool) -> None:
    registry.verify(tool)

    assert {path.name for path in tool.path.iterdir()} == set(every_file())
    assert registry.problems() == ()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", [name for name in every_file() if name != "approval.json"])
def test_a_changed_byte_in_any_file_makes_the_tool_unloadable(
    registry: Registry, tool: PromotedTool, name: str
) -> None:
    path = tool.path / name
    path.write_bytes(path.read_bytes() + b" ")

    assert_refused(registry, tool, f"`{name}` was changed")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", every_file())
def test_a_missing_file_makes_the_tool_unloadable(registry: Registry, tool: PromotedTool, name: str) -> None:
    (tool.path / name).unlink()

    assert_refused(registry, tool)


@pytest.mark.parametrize("name", ["pandas.py", "tool.pyc", "sitecustomize.py", ".hidden"])
def test_an_added_file_makes_the_tool_unloadable(registry: Registry, tool: PromotedTool, name: str) -> None:
    (tool.path / name).write_text("import os\n")

    assert_refused(registry, tool, f"`{name}` was added")


def test_compiled_code_beside_the_tool_makes_it_unloadable(registry: Registry, tool: PromotedTool) -> None:
    (tool.path / "__pycache__").mkdir()

    assert_refused(registry, tool)


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_links_are_refused(registry: Registry, tool: PromotedTool, tmp_path: Path, kind: str) -> None:
    place = tool.path / "tool.py" if kind == "file" else tool.path
    place.rename(tmp_path / "elsewhere")
    place.symlink_to(tmp_path / "elsewhere")

    assert_refused(registry, tool)


def test_a_pipe_in_place_of_a_file_is_refused_and_not_waited_for(registry: Registry, tool: PromotedTool) -> None:
    (tool.path / "tool.py").unlink()
    os.mkfifo(tool.path / "tool.py")

    assert_refused(registry, tool)


@pytest.mark.parametrize("name", ["spec.json", "tool.py", "added.bin"])
def test_a_file_that_claims_gigabytes_is_refused_and_not_read(
    registry: Registry, tool: PromotedTool, name: str
) -> None:
    """It takes no space on the disk, and would take all memory of whoever looks at the tool."""
    with (tool.path / name).open("ab") as file:
        file.truncate(64 * 2**30)

    assert_refused(registry, tool, match=f"`{name}` holds more than 6")


def test_a_tool_folder_that_is_gone_hides_only_itself(registry: Registry, tool: PromotedTool, tmp_path: Path) -> None:
    tool.path.rename(tmp_path / "gone")

    assert_refused(registry, tool, "its folder cannot be read")


@pytest.mark.parametrize("garbage", [b"", b"{", b"[]", b"\xff\xfe", b'{"tool_name": "x"}'])
def test_an_approval_that_cannot_be_read_approves_nothing(
    registry: Registry, tool: PromotedTool, garbage: bytes
) -> None:
    (tool.path / "approval.json").write_bytes(garbage)

    assert_refused(registry, tool)


def test_changed_code_with_a_fitting_digest_is_still_refused(registry: Registry, tool: PromotedTool) -> None:
    code, path = tool.path / "tool.py", tool.path / "approval.json"
    code.write_text(code.read_text() + "import os\n")
    record = json.loads(path.read_text())
    record["files"]["tool.py"] = digest(code.read_bytes())
    path.write_text(json.dumps(record))

    assert_refused(registry, tool, "its approval is for other content")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("fingerprint", "0" * 64),
        ("version", "1.0.1"),
        ("capabilities", ["cap:files.write"]),
        ("path", "active/tools/other"),
        ("tool_id", "someone-else"),
        (
            "annotations",
            {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": True},
        ),
    ],
)
def test_a_list_that_says_something_else_than_the_files_is_refused(
    registry: Registry, tool: PromotedTool, field: str, value: object
) -> None:
    path = registry.root / "active/metadata.json"
    listing = json.loads(path.read_text())
    listing["tools"]["sum_by_group"][field] = value
    path.write_text(json.dumps(listing))

    assert_refused(registry, tool, "the list of active tools says something else")


def test_the_files_of_one_tool_cannot_be_listed_under_another_name(registry: Registry, tool: PromotedTool) -> None:
    path = registry.root / "active/metadata.json"
    listing = json.loads(path.read_text())
    listing["tools"]["friendly"] = {**listing["tools"].pop("sum_by_group"), "path": "active/tools/friendly"}
    path.write_text(json.dumps(listing))
    tool.path.rename(tool.path.with_name("friendly"))

    with pytest.raises(TamperedTool):
        registry.tool("friendly")


def test_a_folder_that_nobody_listed_is_not_a_tool(registry: Registry, tool: PromotedTool) -> None:
    (tool.path.parent / "planted").mkdir()
    (tool.path.parent / "planted" / "tool.py").write_text("import os\n")

    assert [each.name for each in registry.active()] == ["other", "sum_by_group"]
    assert registry.problems() == (
        "`active/tools/planted` came from elsewhere and is not used: `approval.json` cannot be read.",
    )


def test_a_tool_that_was_replaced_is_not_loaded_under_its_old_version(registry: Registry, tool: PromotedTool) -> None:
    made = draft(tool_id="second", version="1.1.0", body="return column")
    registry.stage(*made.parts)
    registry.promote("second", approval(made), approved())

    with pytest.raises(TamperedTool, match="another version took its place"):
        registry.verify(tool)
    with pytest.raises(TamperedTool, match="another version took its place"):
        registry.load_package(tool)


def test_the_approved_content_can_take_its_place_again(registry: Registry, tool: PromotedTool) -> None:
    (tool.path / "tool.py").write_text("import os\n")
    made = draft(tool_id="again")
    registry.stage(*made.parts)

    repaired = registry.promote("again", approval(made), approved())

    assert repaired.fingerprint == tool.fingerprint
    assert [each.name for each in registry.active()] == ["other", "sum_by_group"]
    assert registry.problems() == ()
    assert registry.versions("sum_by_group") == (repaired,)


def test_undo_never_brings_back_a_version_that_was_changed_in_the_archive(registry: Registry) -> None:
    for number in range(3):
        made = draft(tool_id=f"id-{number}", version=f"1.{number}.0", body=f"return {number}")
        registry.stage(*made.parts)
        registry.promote(made.tool_id, approval(made), approved())
    (registry.root / "archive/superseded/sum_by_group_1.1.0/tool.py").write_text("import os\n")

    restored = registry.undo("sum_by_group", "ada")

    assert restored.version == "1.0.0"
    assert registry.active() == (restored,)


@pytest.mark.parametrize("folder", ["active", "active/tools", "staging", "staging/candidates", "archive", "audit"])
def test_a_registry_whose_folders_are_links_is_refused(
    registry: Registry, tool: PromotedTool, tmp_path: Path, folder: str
) -> None:
    place = registry.root / folder
    place.rename(tmp_path / "elsewhere") if place.exists() else (tmp_path / "elsewhere").mkdir()
    place.symlink_to(tmp_path / "elsewhere")
    made = draft("third", "third")

    with pytest.raises(CorruptRegistry, match="symbolic link"):
        registry.active()
    with pytest.raises(CorruptRegistry, match="symbolic link"):
        registry.stage(*made.parts)


def test_a_staged_folder_that_is_a_link_is_not_promoted(registry: Registry, tmp_path: Path) -> None:
    made = draft()
    folder = registry.root / registry.stage(*made.parts).package_path
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")

    with pytest.raises((CorruptRegistry, StaleApproval)):
        registry.promote(made.tool_id, approval(made), approved())

    assert registry.active() == ()
