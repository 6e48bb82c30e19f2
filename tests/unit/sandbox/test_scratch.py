"""The scratch folder: measured without being fooled, removed whatever is in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.scratch import scratch_folder, used_bytes, wipe


def test_a_scratch_folder_is_private_and_gone_afterwards(tmp_path: Path) -> None:
    with scratch_folder(tmp_path, None) as folder:
        mode = folder.stat().st_mode & 0o777
        (folder / "file").touch()

    assert (mode, list(tmp_path.iterdir())) == (0o700, [])


def test_it_is_gone_after_a_failure_too(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), scratch_folder(tmp_path, None):
        raise RuntimeError

    assert list(tmp_path.iterdir()) == []


def test_wiping_removes_a_link_and_not_what_it_points_to(tmp_path: Path) -> None:
    kept, folder = tmp_path / "kept", tmp_path / "scratch"
    kept.mkdir()
    (kept / "file").touch()
    folder.mkdir()
    (folder / "link").symlink_to(kept)

    wipe(folder)

    assert [path.name for path in tmp_path.rglob("*")] == ["kept", "file"]


def test_used_space_counts_nested_files_and_not_holes(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").write_bytes(os.urandom(100_000))
    with open(tmp_path / "hole", "wb") as stream:
        stream.truncate(10**9)

    assert 100_000 <= used_bytes(tmp_path, 10**8) < 500_000


def test_more_entries_than_there_may_be_count_as_too_much_though_they_are_empty(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / str(number)).touch()

    assert [used_bytes(tmp_path, 10**6, most) for most in (5, 4)] == [0, 10**6 + 1]


@pytest.mark.parametrize(("depth", "is_too_much"), [(200, False), (201, True), (1100, True)])
def test_what_is_nested_too_deeply_counts_as_too_much_and_is_wiped_all_the_same(
    tmp_path: Path, depth: int, is_too_much: bool
) -> None:
    """More than functions call themselves, and together longer than a path may be, is the last of them."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    place = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("dddd", dir_fd=place)
        inner = os.open("dddd", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(place)

    assert (used_bytes(folder, 10**9) > 10**9) is is_too_much

    wipe(folder)
    assert not folder.exists()
