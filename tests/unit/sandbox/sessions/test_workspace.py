"""Files pass in and out of a workspace whole, and no path, link or pipe leads out of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import PathRefused, SessionError
from tests.unit.sandbox.sessions.owner import Mine, needs_programs

pytestmark = needs_programs


def test_files_pass_to_a_program_and_back_byte_by_byte(python: Mine) -> None:
    everything = bytes(range(256)) * 3 + "é🎉\r\n".encode()
    python.write("deep/er/in.bin", everything)

    python.out("import os; os.mkdir('out'); open('out/o.bin', 'wb').write(open('deep/er/in.bin', 'rb').read()[::-1])")

    assert python.read("out/o.bin") == everything[::-1]
    assert python.files() == ["deep", "deep/er", "deep/er/in.bin", "out", "out/o.bin"]
    assert python.files("deep") == ["deep/er", "deep/er/in.bin"]


def test_the_number_of_files_is_true_over_several_runs(python: Mine) -> None:
    for n in range(3):
        python.out(f"open('f{n}', 'w').close()")
        assert len(python.files()) == n + 1
    python.sessions.delete_file("me", python.id, "f1")

    assert python.files() == ["f0", "f2"]


@pytest.mark.parametrize("offset", [4, 2**62, 2**63, 2**70])
def test_behind_the_end_of_a_file_there_is_nothing_however_far(python: Mine, offset: int) -> None:
    python.write("x", b"here")

    assert python.sessions.read_part("me", python.id, "x", 2, 10).content == b"re"
    assert python.sessions.read_part("me", python.id, "x", offset, 10).content == b""


@pytest.mark.parametrize("path", ["x", "./x", "././x", "a//x", "a/./x"])
def test_a_point_stays_inside(python: Mine, path: str) -> None:
    python.write(path, b"in")

    assert python.read(path) == b"in"


@pytest.mark.parametrize(
    "path",
    ["../x", "..", "a/../../x", "a/../x", "a/../../../etc/passwd", "/etc/passwd", "/x", "..\\x", "", ".", "a\0b",
     "/".join("x" * 70)],
)  # fmt: skip
def test_a_path_that_leads_out_is_refused_and_nothing_is_made(python: Mine, scratch: Path, path: str) -> None:
    before = sorted(map(str, scratch.rglob("*")))

    for attempt in (
        lambda: python.write(path, b"x"),
        lambda: python.read(path),
        lambda: python.sessions.delete_file("me", python.id, path),
    ):
        with pytest.raises(PathRefused):
            attempt()

    assert sorted(map(str, scratch.rglob("*"))) == before


def test_links_are_refused_in_every_place(python: Mine, scratch: Path, tmp_path: Path) -> None:
    (outside := tmp_path / "outside").mkdir()
    (outside / "secret").write_text("secret", encoding="utf-8")
    (workspace,) = scratch.iterdir()
    (workspace / "folder").symlink_to(outside)
    (workspace / "file").symlink_to(outside / "secret")

    for path in ("folder/secret", "file"):
        with pytest.raises(PathRefused):
            python.read(path)
        with pytest.raises(PathRefused):
            python.write(path, b"x")
    with pytest.raises(PathRefused):
        python.sessions.delete_file("me", python.id, "folder/secret")

    assert python.files() == []
    assert (outside / "secret").read_text(encoding="utf-8") == "secret"


def test_a_pipe_where_a_file_should_be_is_refused_without_waiting(python: Mine, scratch: Path) -> None:
    (workspace,) = scratch.iterdir()
    os.mkfifo(workspace / "pipe")

    with pytest.raises(PathRefused):
        python.read("pipe")


def test_a_file_that_is_not_there_is_told(python: Mine) -> None:
    with pytest.raises(SessionError, match="There is no `gone`"):
        python.read("gone")


def test_a_workspace_holds_only_so_much(python: Mine) -> None:
    python.write("half", bytes(200 * 2**20))

    with pytest.raises(SessionError, match="may hold 268,435,456 bytes"):
        python.write("more", bytes(100 * 2**20))
    assert python.files() == ["half"]
