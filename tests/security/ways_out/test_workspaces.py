"""Who can put things beside our temporary folders, or names the files of a tool, leads nobody out of them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from jupyter_mcpgen.data.workspace import OWNER, Owner, make_workspace
from jupyter_mcpgen.model.package import Package
from tests.security.ways_out.tricks import MEANWHILE


def left_behind(home: Path, **changes: int) -> Owner:
    """Return the owner of a folder whose process is gone, as it would be written on this machine."""
    made = make_workspace(home)
    owner = Owner.model_validate_json((made / OWNER).read_bytes())
    shutil.rmtree(made)
    return owner.replace(pid=2**22 + 1, **changes)


@pytest.mark.parametrize("trick", ["symlink", "hard link", "rename race", "special file"])
def test_sweeping_old_workspaces_touches_nothing_else_and_waits_for_nobody(tmp_path: Path, trick: str) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    home.mkdir()
    outside.mkdir()
    gone = left_behind(home).model_dump_json()
    (outside / "kept").write_text("kept", encoding="utf-8")
    (outside / OWNER).write_text(gone, encoding="utf-8")
    planted = home / "mcpgen-planted"
    if trick == "symlink":
        planted.symlink_to(outside)
    else:
        planted.mkdir()
    match trick:
        case "hard link":
            (planted / OWNER).hardlink_to(outside / OWNER)
        case "special file":
            os.mkfifo(planted / OWNER)
        case "rename race":
            (planted / OWNER).write_text(gone, encoding="utf-8")
            MEANWHILE.append((OWNER, lambda: (planted.rename(home / "moved"), planted.symlink_to(outside))[1]))

    make_workspace(home)

    assert sorted(path.name for path in outside.iterdir()) == [OWNER, "kept"]
    assert (outside / OWNER).read_text(encoding="utf-8") == gone
    assert planted.exists() == (trick != "hard link")


@pytest.mark.parametrize("name", ["../tool.py", "/tool.py", "a/../../tool.py", ".hidden", "a\\b"])
def test_no_file_of_a_tool_has_a_name_that_leads_out_of_its_folder(name: str) -> None:
    with pytest.raises(ValueError, match="is not a plain file name"):
        Package(files={name: "x = 1\n"})
