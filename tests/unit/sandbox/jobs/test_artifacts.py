"""What a job left is taken by its own name only, and only so much of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.job import Artifact
from jupyter_mcpgen.sandbox.jobs.artifacts import Collected, collect, received
from jupyter_mcpgen.sandbox.policy import Limits


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


def collected(folder: Path, limits: Limits | None = None) -> Collected:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        return collect(descriptor, limits or Limits())
    finally:
        os.close(descriptor)


def test_files_are_taken_with_their_paths(scratch: Path) -> None:
    (scratch / "b.txt").write_text("two", encoding="utf-8")
    (scratch / "a").mkdir()
    (scratch / "a" / "c.txt").write_text("one", encoding="utf-8")

    assert collected(scratch) == Collected((Artifact("b.txt", b"two"), Artifact("a/c.txt", b"one")))


def test_links_pipes_and_folders_behind_links_are_left_out(scratch: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret", encoding="utf-8")
    (scratch / "file").symlink_to(outside / "secret")
    (scratch / "folder").symlink_to(outside)
    os.mkfifo(scratch / "pipe")

    found = collected(scratch)

    assert found.artifacts == ()
    assert [reason.partition(":")[0] for reason in found.left_out] == ["`file`", "`folder`", "`pipe`"]
    assert found.left_out[2] == "`pipe`: it is no plain file"


@pytest.mark.parametrize(
    ("limits", "kept"),
    [(Limits(artifact_bytes=5), ["a"]), (Limits(artifacts=1), ["a"]), (Limits(artifact_bytes=0), [])],
)
def test_only_so_many_and_so_much_is_taken_and_the_rest_named(scratch: Path, limits: Limits, kept: list[str]) -> None:
    for name in ("a", "b"):
        (scratch / name).write_bytes(b"1234")

    found = collected(scratch, limits)

    assert [artifact.path for artifact in found.artifacts] == kept
    assert len(found.left_out) == 2 - len(kept)


def test_a_scratch_folder_that_is_too_deep_or_too_full_is_no_trap(scratch: Path) -> None:
    deep = scratch
    for _ in range(12):
        deep = deep / "d"
        deep.mkdir()
    (deep / "file").touch()

    found = collected(scratch)

    assert found.artifacts == ()
    assert "nested too deeply" in found.left_out[0]


def test_collecting_leaves_no_descriptor_open(scratch: Path) -> None:
    (scratch / "a").mkdir()
    (scratch / "a" / "b").touch()
    before = sorted(os.listdir("/proc/self/fd"))

    collected(scratch)

    assert sorted(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize(
    ("names", "kept"),
    [
        (["a", "a/b"], ["a"]),
        (["a/b", "a"], ["a/b"]),
        (["a", "a"], ["a"]),
        (["a", "ab", "a b/c"], ["a", "ab", "a b/c"]),
        (["x" * 255, "x" * 256, "ü" * 128], ["x" * 255]),
        (["/a", "../a", "a/../../b", "", "a//b", "."], []),
    ],
)
def test_of_what_a_container_tells_only_names_that_can_be_files_together_are_taken(
    names: list[str], kept: list[str]
) -> None:
    found = received([(name, b"") for name in names], (), Limits())

    assert [artifact.path for artifact in found.artifacts] == kept
    assert len(found.left_out) == len(names) - len(kept)
