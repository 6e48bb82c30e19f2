"""Go's library is compiled once for every compiler, and only where it did not come with it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.identity import readable_by_anyone
from jupyter_mcpgen.sandbox.programs.go_library import with_library
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES, Toolchain, find_toolchain

COMPILES = '#!/bin/sh\necho "$GOPROXY $GOTOOLCHAIN $1 $2" >> {told}\necho archive > "$GOCACHE/part"\n'


@pytest.fixture(autouse=True)
def _open(tmp_path: Path) -> None:
    """Let everybody through to what a test makes, as to a real cache."""
    for folder in (tmp_path, *tmp_path.parents):
        if not folder.stat().st_mode & 0o1:
            folder.chmod(0o755)


@pytest.fixture
def told(tmp_path: Path) -> Path:
    """Return where the compiler writes how it was called."""
    return tmp_path / "told"


def compiler(folder: Path, text: str) -> Toolchain:
    """Return tools of Go whose compiler is a script."""
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    program = folder / "bin" / "go"
    program.write_text(text)
    program.chmod(0o755)
    return Toolchain(LANGUAGES["go"], {"go": str(program)}, (), ())


def test_the_library_is_compiled_once_without_a_network_and_given_to_read(tmp_path: Path, told: Path) -> None:
    toolchain = compiler(tmp_path / "go", COMPILES.format(told=told))

    first, second = (with_library(toolchain, tmp_path / "kept", Cancellation()) for _ in range(2))

    (library,) = first.read
    assert first == second == replace(toolchain, read=(library,), environment={"GOCACHE": str(library)})
    assert sorted(path.name for path in library.iterdir()) == ["part"]
    assert told.read_text() == "off local build bufio\n"


def test_another_compiler_has_a_library_of_its_own(tmp_path: Path, told: Path) -> None:
    one, other = (compiler(tmp_path / name, COMPILES.format(told=told)) for name in ("one", "other"))

    assert (
        with_library(one, tmp_path / "kept", Cancellation()).read
        != with_library(other, tmp_path / "kept", Cancellation()).read
    )


def test_a_library_that_came_with_the_compiler_is_used(tmp_path: Path, told: Path) -> None:
    toolchain = compiler(tmp_path / "go", COMPILES.format(told=told))
    (tmp_path / "go" / "pkg" / "linux_amd64").mkdir(parents=True)
    (tmp_path / "go" / "pkg" / "linux_amd64" / "fmt.a").touch()

    assert with_library(toolchain, tmp_path / "kept", Cancellation()) == toolchain
    assert not told.exists()


def test_where_it_cannot_be_compiled_nothing_is_kept_and_programs_compile_what_they_import(tmp_path: Path) -> None:
    toolchain = compiler(tmp_path / "go", "#!/bin/sh\nexit 1\n")

    assert with_library(toolchain, tmp_path / "kept", Cancellation()) == toolchain
    assert sorted(path.suffix or path.name for path in (tmp_path / "kept").iterdir()) == [".failed", "lock"]


def test_what_a_compiler_complained_of_is_told_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    complains = "#!/bin/sh\necho 'package fmt: no such file' >&2\nexit 3\n"
    toolchain = compiler(tmp_path / "go", complains)
    (tmp_path / "file").touch()

    for kept in ("kept", "kept", "file/kept", "file/kept"):
        with_library(toolchain, tmp_path / kept, Cancellation())

    compiling, keeping = (record.getMessage() for record in caplog.records)
    assert compiling.endswith("build` ended with 3: package fmt: no such file")
    assert f"cannot be kept in `{tmp_path}/file/kept`" in keeping


def test_a_file_system_without_locks_keeps_no_library(
    tmp_path: Path, told: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def without_locks(*_: object, **__: object) -> None:
        raise NotImplementedError("FileSystem does not appear to support flock")

    monkeypatch.setattr("jupyter_mcpgen.sandbox.programs.go_library.FileLock", without_locks)
    toolchain = compiler(tmp_path / "go", COMPILES.format(told=told))

    assert with_library(toolchain, tmp_path / "kept", Cancellation()) == toolchain
    assert not told.exists()
    assert "does not appear to support flock" in caplog.text


def test_a_compiler_that_failed_is_tried_again_after_an_hour_and_not_by_every_program(
    tmp_path: Path, told: Path
) -> None:
    toolchain = compiler(tmp_path / "go", f"#!/bin/sh\necho tried >> {told}\nexit 1\n")

    for _ in range(3):
        with_library(toolchain, tmp_path / "kept", Cancellation())
    tried = told.read_text()
    (mark,) = (tmp_path / "kept").glob("*.failed")
    an_hour_ago = time.time() - 3700
    os.utime(mark, (an_hour_ago, an_hour_ago))
    with_library(toolchain, tmp_path / "kept", Cancellation())

    assert (tried, told.read_text()) == ("tried\n", "tried\ntried\n")


def test_where_there_is_no_place_for_it_programs_compile_what_they_import(tmp_path: Path, told: Path) -> None:
    toolchain = compiler(tmp_path / "go", COMPILES.format(told=told))
    (tmp_path / "file").touch()

    assert with_library(toolchain, tmp_path / "file" / "kept", Cancellation()) == toolchain
    assert not told.exists()


def test_who_cancels_ends_the_compiler_with_all_it_started_and_the_next_one_tries_again(
    tmp_path: Path, told: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Whoever compiles holds the pipe open, the compiler's child as well.
    waits = compiler(tmp_path / "go", f"#!/bin/sh\nexec 3> {pipe}\necho begun >&3\nsleep 600 &\nsleep 600\n")
    cancellation = Cancellation()
    asking = threading.Thread(target=with_library, args=(waits, tmp_path / "kept", cancellation))

    asking.start()
    with pipe.open() as begun:
        first = begun.readline()
        cancellation.cancel()
        rest = begun.read()
    asking.join()

    assert (first, rest) == ("begun\n", "")
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["lock"]


def test_who_waits_for_another_ones_compiler_can_be_cancelled(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    waits = compiler(tmp_path / "go", f"#!/bin/sh\necho begun > {pipe}\nsleep 600\n")
    first, second = Cancellation(), Cancellation()
    asking = [threading.Thread(target=with_library, args=(waits, tmp_path / "kept", one)) for one in (first, second)]

    asking[0].start()
    pipe.read_text()
    asking[1].start()
    second.cancel()
    asking[1].join()

    assert asking[0].is_alive()
    first.cancel()
    asking[0].join()


@pytest.fixture
def strict_mask() -> Iterator[None]:
    """Close what is made to everybody else."""
    before = os.umask(0o077)
    yield
    os.umask(before)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs programs as somebody else")
@pytest.mark.usefixtures("strict_mask")
def test_programs_of_root_may_read_it_whatever_mask_root_has(tmp_path: Path, told: Path) -> None:
    toolchain = compiler(tmp_path / "go", COMPILES.format(told=told))

    (library,) = with_library(toolchain, tmp_path / "cache" / "kept", Cancellation()).read

    assert readable_by_anyone(library)
    assert readable_by_anyone(library / "part")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs programs as somebody else")
def test_a_library_that_only_root_may_read_is_left_out(tmp_path: Path, told: Path) -> None:
    toolchain = compiler(tmp_path / "go", COMPILES.format(told=told))
    (tmp_path / "cache").mkdir()

    readable = with_library(toolchain, tmp_path / "cache" / "kept", Cancellation())
    (tmp_path / "cache").chmod(0o700)
    closed = with_library(toolchain, tmp_path / "cache" / "kept", Cancellation())

    assert readable != toolchain
    assert closed == toolchain


def test_libraries_that_nobody_used_for_a_month_are_removed(tmp_path: Path, told: Path) -> None:
    one, other, new = (compiler(tmp_path / name, COMPILES.format(told=told)) for name in ("one", "other", "new"))
    kept = tmp_path / "kept"
    (unused,), (used,) = (with_library(of, kept, Cancellation()).read for of in (one, other))
    for library in (unused, used):
        os.utime(library, (0, 0))
    with_library(other, kept, Cancellation())

    (made,) = with_library(new, kept, Cancellation()).read

    assert {path for path in kept.iterdir() if path.is_dir()} == {used, made}


def test_a_library_is_given_to_read_though_what_nobody_uses_cannot_be_removed(
    tmp_path: Path, told: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    for name in ("one", "other"):
        (kept / name).touch()
        os.utime(kept / name, (0, 0))
    monkeypatch.setattr(Path, "unlink", _refusing_to("one", Path.unlink))

    made = with_library(compiler(tmp_path / "go", COMPILES.format(told=told)), kept, Cancellation())

    assert len(made.read) == 1
    assert (kept / "one").exists()
    assert not (kept / "other").exists()


def test_nobody_compiles_where_no_failure_could_be_marked(
    tmp_path: Path, told: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "touch", _refusing_to("", Path.touch))
    toolchain = compiler(tmp_path / "go", COMPILES.format(told=told))

    assert with_library(toolchain, tmp_path / "kept", Cancellation()) == toolchain
    assert not told.exists()


def _refusing_to(name: str, really: Callable[..., None]) -> Callable[..., None]:
    """Return what a full or foreign disk makes of a call about a file of that name, or about any."""

    def refuse(path: Path, *args: object, **options: object) -> None:
        if name in ("", path.name):
            raise PermissionError(path)
        really(path, *args, **options)

    return refuse


def test_a_script_that_starts_go_is_asked_where_the_compiler_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, script = tmp_path / "root", tmp_path / "path" / "go"
    compiler(root, "#!/bin/sh\n")
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\n[ "$1 $2 $GOTOOLCHAIN" = "env GOROOT local" ] && echo {root}\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(script.parent))

    assert find_toolchain(LANGUAGES["go"]).tools == {"go": str(root / "bin" / "go")}
