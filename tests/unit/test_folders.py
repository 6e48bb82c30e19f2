"""A client names paths in the folders that a setting opens, and nothing else of the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.errors import PathNotOpen
from jupyter_mcpgen.folders import OpenFolders


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name in ("one/src/a.py", "two/b.py", "two_more/c.py", "one/.env", "one/.git/config", "one/registry/tool.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    return tmp_path


@pytest.fixture
def folders(home: Path) -> OpenFolders:
    opened = (home / "one", home / "two")
    return OpenFolders("server.source_folders", "read as sources", opened, closed=(home / "one" / "registry",))


@pytest.mark.parametrize("name", ["one/src/a.py", "one", "one/src/../src/a.py", "two/b.py", "two/not there.py"])
def test_what_lies_in_an_open_folder_is_allowed(folders: OpenFolders, home: Path, name: str) -> None:
    assert folders.allowed(str(home / name)) == (home / name).resolve()


@pytest.mark.parametrize(
    ("given", "meant"), [("src/a.py", "one/src/a.py"), ("./b.py", "two/b.py"), ("new.html", "one/new.html")]
)
def test_a_relative_path_begins_in_the_open_folder_that_has_it(
    folders: OpenFolders, home: Path, given: str, meant: str
) -> None:
    assert folders.allowed(given) == (home / meant).resolve()


@pytest.mark.parametrize(
    "name",
    [
        "two_more/c.py",
        "one/../two_more/c.py",
        "one/.env",
        "one/.git/config",
        "one/registry/tool.py",
        "one/zero\0byte",
        "",
    ],
)
def test_nothing_else_is_and_the_setting_is_named(folders: OpenFolders, home: Path, name: str) -> None:
    with pytest.raises(PathNotOpen, match=r"server\.source_folders"):
        folders.allowed(f"{home}/{name}")


def test_a_link_out_of_an_open_folder_leads_nowhere(folders: OpenFolders, home: Path) -> None:
    (home / "one" / "link.py").symlink_to(home / "two_more" / "c.py")
    (home / "one" / "loop").symlink_to(home / "one" / "loop")

    for name in ("one/link.py", "one/loop"):
        with pytest.raises(PathNotOpen):
            folders.allowed(str(home / name))


def test_without_the_setting_nothing_is_open(home: Path) -> None:
    closed = OpenFolders("server.output_folders", "have written into")

    for given in (str(home), "reports/new.html", "."):
        with pytest.raises(PathNotOpen, match=r"^There is no folder that .* \(`MCPGEN_SERVER__OUTPUT_FOLDERS`\)"):
            closed.allowed(given)
