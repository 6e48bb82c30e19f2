"""Artifacts are written where they were meant to go, through no link, and over nothing that is not ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.build.output import Output, digest, is_unchanged
from jupyter_mcpgen.errors import BuildError, FileInTheWay

NEW, OLD, MINE = b"new", b"old", b"mine"


def nothing_made(path: Path) -> frozenset[str]:
    return frozenset()


def test_folders_are_made_and_files_are_readable(tmp_path: Path) -> None:
    (artifact,) = Output(tmp_path / "a" / "b").write({"x.txt": NEW}, nothing_made)

    assert (tmp_path / "a" / "b" / "x.txt").read_bytes() == NEW
    assert (artifact.path, artifact.sha256, artifact.size) == (str(tmp_path / "a" / "b" / "x.txt"), digest(NEW), 3)
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["x.txt"]
    assert is_unchanged(artifact)


def test_a_file_is_replaced_only_as_a_build_left_it(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(OLD)
    Output(tmp_path).write({"x.txt": NEW}, lambda path: {digest(OLD)} if path == tmp_path / "x.txt" else set())
    assert (tmp_path / "x.txt").read_bytes() == NEW

    (tmp_path / "x.txt").write_bytes(MINE)
    with pytest.raises(FileInTheWay, match=r"x\.txt"):
        Output(tmp_path).write({"x.txt": NEW}, lambda path: {digest(OLD), digest(NEW)})
    assert (tmp_path / "x.txt").read_bytes() == MINE


def test_where_one_file_is_in_the_way_none_is_written(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_bytes(MINE)

    with pytest.raises(FileInTheWay):
        Output(tmp_path).write({"a.txt": NEW, "b.txt": NEW}, nothing_made)

    assert [path.name for path in tmp_path.iterdir()] == ["b.txt"]


@pytest.mark.parametrize("leads_to", ["elsewhere/x.txt", "nowhere"])
def test_a_link_in_the_place_of_a_file_is_in_the_way(tmp_path: Path, leads_to: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "x.txt").write_bytes(NEW)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "x.txt").symlink_to(tmp_path / leads_to)

    with pytest.raises(FileInTheWay):
        Output(tmp_path / "out").write({"x.txt": NEW}, nothing_made)

    assert not (tmp_path / "nowhere").exists()


def test_a_link_that_was_planted_in_the_path_since_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    output = Output(tmp_path / "out" / "deep")
    (tmp_path / "out").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(BuildError, match="cannot be written"):
        output.write({"x.txt": NEW}, nothing_made)

    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_file_in_the_place_of_the_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(MINE)

    with pytest.raises(BuildError, match="cannot be written: Not a directory"):
        Output(tmp_path / "out").write({"x.txt": NEW}, nothing_made)


def test_a_file_that_was_changed_or_replaced_by_a_link_is_not_unchanged(tmp_path: Path) -> None:
    (artifact,) = Output(tmp_path).write({"x.txt": NEW}, nothing_made)
    path = tmp_path / "x.txt"

    path.rename(tmp_path / "y.txt")
    path.symlink_to(tmp_path / "y.txt")
    assert not is_unchanged(artifact)
    path.unlink()
    assert not is_unchanged(artifact)
    path.write_bytes(MINE)
    assert not is_unchanged(artifact)
