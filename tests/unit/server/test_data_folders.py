"""A client reads data in the folders that a person opened, and nothing else of the account."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from jupyter_mcpgen.errors import DataNotAllowed
from jupyter_mcpgen.model.answer import ToolAnswer
from jupyter_mcpgen.server.data_folders import (
    FILE_NAME,
    DataFolders,
    jupyter_root,
    only_open_data,
    remember,
    remember_table,
    working_folder,
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with data, secrets, and the product's own folders inside the data."""
    for name in (
        "project/a.csv",
        "project/deep/b.csv",
        "project_evil/c.csv",
        "project/.env",
        "project/.ssh/key",
        "notes.txt",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a,b\n1,2\n")
    for name in ("project/registry/audit/log.jsonl", "project/state/server/tokens.json"):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text("{}")
    return tmp_path


@pytest.fixture
def folders(home: Path) -> DataFolders:
    project = home / "project"
    return DataFolders(whole=(project,), closed=(project / "registry", project / "state"), state=home / "seen")


@pytest.mark.parametrize(
    "name", ["project/a.csv", "project/deep/b.csv", "project/deep/../a.csv", "project/not there.csv"]
)
def test_what_lies_in_an_open_folder_may_be_read(folders: DataFolders, home: Path, name: str) -> None:
    assert folders.allowed(str(home / name)) == (home / name).resolve()


@pytest.mark.parametrize(
    "name",
    [
        "notes.txt",
        "project_evil/c.csv",
        "project/../notes.txt",
        "project/.env",
        "project/.ssh/key",
        "project/registry/audit/log.jsonl",
        "project/state/server/tokens.json",
        "project/deep/../../notes.txt",
        "project/zero\0byte",
    ],
)
def test_nothing_else_may_be_read_and_the_setting_is_named(folders: DataFolders, home: Path, name: str) -> None:
    with pytest.raises(DataNotAllowed, match=r"server\.data_folders"):
        folders.allowed(f"{home}/{name}")


def test_a_link_out_of_an_open_folder_leads_nowhere(folders: DataFolders, home: Path) -> None:
    (home / "project" / "link.csv").symlink_to(home / "notes.txt")
    (home / "project" / "loop").symlink_to(home / "project" / "loop")

    for name in ("link.csv", "loop"):
        with pytest.raises(DataNotAllowed):
            folders.allowed(str(home / "project" / name))


def test_asking_of_a_file_opens_its_folder_and_not_what_lies_below(folders: DataFolders, home: Path) -> None:
    used = home / "notes.txt"
    with pytest.raises(DataNotAllowed):
        folders.allowed(str(used))

    remember(home / "seen", file=used)

    assert folders.allowed(str(used)) == used.resolve()
    for name in ("project_evil/c.csv", ".netrc"):
        with pytest.raises(DataNotAllowed):
            folders.allowed(str(home / name))


def test_a_table_in_a_file_is_allowed_as_its_file_is(folders: DataFolders, home: Path) -> None:
    (home / "project" / "book.xlsx").touch()
    (home / "project" / "link.xlsx").symlink_to(home / "notes.txt")

    assert folders.named(str(home / "project" / "book.xlsx#Costs")) == f"{(home / 'project/book.xlsx').resolve()}#Costs"
    for name in ("project/link.xlsx#Costs", "notes.txt#Costs"):
        with pytest.raises(DataNotAllowed):
            folders.named(str(home / name))


def test_asking_of_a_file_opens_no_folder_beside_it_as_a_table(folders: DataFolders, home: Path) -> None:
    (home / "private").mkdir()
    (home / "private" / "a.csv").touch()
    remember_table(home / "seen", home / "notes.txt")

    for name in ("private", "private/*.csv", "private/a.csv"):
        with pytest.raises(DataNotAllowed):
            folders.named(str(home / name))
    remember_table(home / "seen", home / "private")
    assert folders.named(str(home / "private" / "*.csv")) == str((home / "private").resolve() / "*.csv")


def test_a_list_of_folders_that_cannot_be_read_opens_nothing(folders: DataFolders, home: Path) -> None:
    remember(home / "seen", whole=home)
    (home / "seen" / FILE_NAME).write_text("[")

    with pytest.raises(DataNotAllowed):
        folders.allowed(str(home / "notes.txt"))


def test_a_tool_is_given_the_file_that_was_checked(folders: DataFolders, home: Path) -> None:
    def run(name: str, arguments: Mapping[str, Any], suffix: str) -> ToolAnswer:
        return ToolAnswer(text=f"{arguments['file_path']}{suffix}")

    guarded = only_open_data(run, folders)

    opened = guarded("t", {"file_path": f"{home}/project/deep/../a.csv"}, "!")

    assert opened.text == f"{(home / 'project/a.csv').resolve()}!"
    with pytest.raises(DataNotAllowed):
        guarded("t", {"file_path": str(home / "notes.txt")}, "!")


def test_a_working_folder_that_says_nothing_opens_nothing(home: Path) -> None:
    assert working_folder(home / "project", home) == ((home / "project").resolve(),)
    assert working_folder(home, home) == ()
    assert working_folder(Path("/"), home) == ()


def test_the_folder_that_jupyter_shows_is_found_by_its_process(tmp_path: Path) -> None:
    (tmp_path / "jpserver-12.json").write_text(json.dumps({"root_dir": str(tmp_path)}))

    assert jupyter_root("12", tmp_path) == tmp_path
    assert jupyter_root("13", tmp_path) is None
    assert jupyter_root(None, tmp_path) is None
    assert jupyter_root("../12", tmp_path) is None


def test_the_folder_where_a_client_was_started_is_open_to_it_alone_and_its_relative_paths_begin_there(
    tmp_path: Path,
) -> None:
    started = tmp_path / "project"
    started.mkdir()
    (started / "sales.csv").write_text("a\n1\n")
    callers: list[Path | None] = [started, None]
    folders = DataFolders(whole=(), closed=(), started_in=lambda: callers[0])

    relative, absolute = folders.allowed("sales.csv"), folders.allowed(str(started / "sales.csv"))
    callers.pop(0)

    assert (relative, absolute) == (started / "sales.csv",) * 2
    with pytest.raises(DataNotAllowed):
        folders.allowed(str(started / "sales.csv"))


@pytest.mark.parametrize("folder", [Path.home(), Path("/")])
def test_a_client_that_was_started_in_the_home_folder_or_the_root_opens_nothing(folder: Path) -> None:
    with pytest.raises(DataNotAllowed):
        DataFolders(whole=(), closed=(), started_in=lambda: folder).allowed(str(folder / "sales.csv"))
