"""Go's standard library, compiled once and kept for the programs that are compiled one by one.

Since 1.20 Go comes with its library as source only, and compiling what a small program imports takes longer than the
program is allowed to take. The person's own compiler compiles its own sources here, as it would in a terminal; programs
may read what it made and change nothing of it.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

from filelock import FileLock, Timeout
from platformdirs import user_cache_path

from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.identity import readable_by_anyone
from jupyter_mcpgen.sandbox.programs.languages import Language, Toolchain, find_toolchain

_PACKAGES = (
    "bufio", "bytes", "cmp", "container/heap", "context", "encoding/csv", "encoding/json", "errors", "flag", "fmt",
    "io", "log", "maps", "math", "math/big", "math/rand", "net", "os", "os/exec", "path/filepath", "reflect",
    "regexp", "runtime", "slices", "sort", "strconv", "strings", "sync", "sync/atomic", "text/tabwriter", "time",
    "unicode",
)  # fmt: skip
"""What small programs import. All of it would take five times as long; the rest is compiled with the program."""
_MOST_SECONDS, _PAUSE_SECONDS = 300, 0.1
_HOUR, _DAY = 3600, 86_400
_FAILED_SECONDS, _USED_SECONDS, _UNUSED_SECONDS = _HOUR, _DAY, 30 * _DAY
"""How long nobody tries again, how exactly it is known when one was used, and when it goes for want of use."""
_FOR_EVERYBODY = 0o755
_NO_PLACE = OSError, NotImplementedError
"""Why a library cannot be kept; the second is what `FileLock` up to version 3 says of a disk without `flock`."""
_COMPLAINTS, _LAST_WORDS = "stderr.txt", 2_000
_LOG = logging.getLogger(__name__)
_CACHE, _LOCK, _FAILED, _BEGUN, _MARK = "GOCACHE", "lock", ".failed", ".begun", ".mark"


def ready_toolchain(language: Language, cancellation: Cancellation) -> Toolchain:
    """Return the tools of a language, ready for a program; raises `ToolchainMissing` when one is not installed.

    Of Go this compiles the standard library when it is asked for the first time: a quarter to half a minute,
    five minutes at most, and no longer than until it is cancelled.
    """
    toolchain = find_toolchain(language)
    return with_library(toolchain, kept_folder(), cancellation) if language.name == "go" else toolchain


def kept_folder() -> Path:
    """Return where compiled libraries are kept: root's programs run as others, to whom its own folder is closed."""
    return (Path("/var/cache/jupyter-mcpgen") if _is_root() else user_cache_path("jupyter-mcpgen")) / "go"


def with_library(toolchain: Toolchain, kept: Path, cancellation: Cancellation) -> Toolchain:
    """Return Go's tools with a compiled library to read, below `kept`; without one where it came with the tools.

    Where it cannot be made, or only root could read it, they are returned as they are: each program then compiles what
    it imports, in its own time. After a failure nobody tries again for an hour.
    """
    compiler = Path(toolchain.tools["go"]).resolve()
    root = compiler.parents[1]
    if any((root / "pkg").glob("*_*/fmt.a")):
        return toolchain
    library = kept / _key(compiler, root)
    if not _made(library, compiler, toolchain.language.environment, cancellation):
        return toolchain
    if _is_root() and not readable_by_anyone(library):
        return toolchain
    _mark_used(library)
    return replace(
        toolchain, read=(*toolchain.read, library), environment={**toolchain.environment, _CACHE: str(library)}
    )


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _key(compiler: Path, root: Path) -> str:
    """Return a name that changes with the compiler and with what is compiled."""
    state = compiler.stat()
    version = (root / "VERSION").read_text(encoding="utf-8") if (root / "VERSION").is_file() else ""
    told = "\n".join((str(compiler), str(state.st_mtime_ns), str(state.st_size), version, *_PACKAGES))
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def _made(library: Path, compiler: Path, environment: Mapping[str, str], cancellation: Cancellation) -> bool:
    """Compile the library into a folder of that name, once for all who ask at the same time."""
    failed = library.with_suffix(_FAILED)
    try:
        if library.is_dir():
            return True
        _make_folder(library.parent)
        while not (cancellation.is_cancelled or _is_younger(failed, _FAILED_SECONDS)):
            with suppress(Timeout), FileLock(library.parent / _LOCK, timeout=_PAUSE_SECONDS):
                if library.is_dir():
                    return True
                mark = library.with_suffix(_MARK)
                mark.touch()  # beforehand: where there can be no mark, nobody compiles for minutes at every call
                try:
                    if _compiled(library, compiler, environment, cancellation):
                        _remove_unused(library)
                        return True
                    if not cancellation.is_cancelled:
                        mark.rename(failed)
                finally:
                    with suppress(OSError):  # a mark that stays says nothing
                        mark.unlink(missing_ok=True)
    except _NO_PLACE as error:
        _tell(f"it cannot be kept in `{library.parent}`: {error}")
        return False
    return False


def _make_folder(folder: Path) -> None:
    """Make a folder and those around it; under root everybody may enter them, whatever its mask says."""
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        if _is_root():
            folder.chmod(_FOR_EVERYBODY)


def _compiled(library: Path, compiler: Path, environment: Mapping[str, str], cancellation: Cancellation) -> bool:
    """Compile the library; return whether it is there. Nobody else does so meanwhile."""
    begun = library.with_suffix(_BEGUN)
    shutil.rmtree(begun, ignore_errors=True)
    try:
        begun.mkdir()
        if not _compile(compiler, begun, environment, cancellation):
            return False
        begun.rename(library)
    except OSError as error:  # the disk is full, or the compiler is none
        _tell(f"`{compiler}` could not compile it into `{begun}`: {error}")
        return False
    finally:
        shutil.rmtree(begun, ignore_errors=True)
    return True


def _compile(compiler: Path, folder: Path, environment: Mapping[str, str], cancellation: Cancellation) -> bool:
    scratch = folder / "scratch"
    scratch.mkdir()
    own = {name: value.format(scratch=scratch) for name, value in environment.items()}
    with (
        (scratch / _COMPLAINTS).open("wb+") as complaints,
        subprocess.Popen(  # noqa: S603  # the person's own compiler, on its own sources
            [str(compiler), "build", *_PACKAGES],
            env={"HOME": str(scratch), "PATH": os.defpath, **own, _CACHE: str(folder)},
            cwd=scratch,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
            start_new_session=True,
        ) as compiling,
    ):
        try:
            _wait(compiling, cancellation)
        finally:
            if compiling.poll() is None:
                os.killpg(compiling.pid, signal.SIGKILL)
    if compiling.returncode != 0:
        if not cancellation.is_cancelled:
            said = (scratch / _COMPLAINTS).read_text("utf-8", "replace")[-_LAST_WORDS:].strip()
            _tell(f"`{compiler} build` ended with {compiling.returncode}: {said or 'it said nothing'}")
        return False
    shutil.rmtree(scratch)
    for path in (folder, *folder.rglob("*")):
        path.chmod(_FOR_EVERYBODY if path.is_dir() else 0o644)
    return True


def _wait(compiling: subprocess.Popen[bytes], cancellation: Cancellation) -> None:
    """Wait for the compiler, for as long as it may take and nobody cancels."""
    until = time.monotonic() + _MOST_SECONDS
    while time.monotonic() < until and not cancellation.is_cancelled:
        with suppress(subprocess.TimeoutExpired):
            compiling.wait(_PAUSE_SECONDS)
            return


@cache  # each reason is told once in a process, and not with every program
def _tell(why: str) -> None:
    _LOG.warning("Go's standard library is compiled with each program, which takes longer: %s", why)


def _mark_used(library: Path) -> None:
    if not _is_younger(library, _USED_SECONDS):
        with suppress(OSError):  # a library that others may not change is nobody's to remove either
            os.utime(library)


def _remove_unused(library: Path) -> None:
    """Remove what other compilers left and nobody used for a month; what cannot be removed or looked at stays."""
    with suppress(OSError):  # the folder may be entered and not listed: the library in it is there all the same
        for other in tuple(library.parent.iterdir()):
            with suppress(OSError):  # one that stays keeps nobody from removing the others
                _remove_if_unused(other, library)


def _remove_if_unused(other: Path, library: Path) -> None:
    if other.name in (_LOCK, library.name, library.with_suffix(_MARK).name) or _is_younger(other, _UNUSED_SECONDS):
        return
    if other.is_dir():
        shutil.rmtree(other, ignore_errors=True)
    else:
        other.unlink(missing_ok=True)


def _is_younger(path: Path, seconds: float) -> bool:
    """Return whether something is there and was touched within these seconds."""
    try:
        return time.time() - path.stat().st_mtime < seconds
    except FileNotFoundError:
        return False
