"""JavaScript on QuickJS under our own runner: fuel, deadline, memory and output are bounded, files are granted.

A session keeps its globals from one piece of code to the next. A trap, such as the end of its fuel, ends it: what the
guest's memory then holds is nobody's to trust.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from jupyter_mcpgen.errors import SessionError
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.wasm.artifacts import QUICKJS
from jupyter_mcpgen.sandbox.wasm.compiled import cache_folder, module
from jupyter_mcpgen.sandbox.wasm.guest import CANCELLED, DEADLINE, CappedOutput, FolderGrant, GuestLimits, GuestRun
from jupyter_mcpgen.sandbox.wasm.inside.reactor import OUT_OF_FUEL, WASI, Reactor, new_engine, new_linker, new_store

_SUBSCRIPTION, _EVENT = 48, 32
_CLOCK = 0
_ABSOLUTE = 1
_SUCCESS, _INVALID = 0, 28
_MOST_SUBSCRIPTIONS = 64
_SLICE_SECONDS = 0.05
_FUEL_TO_START = 2_000_000_000
"""For the interpreter itself, which no budget of a run is about."""


class _Stopped(Exception):
    """A guest that waits was told to stop."""


class QuickJsSession:
    """One JavaScript interpreter with its globals; not for several threads at once."""

    def __init__(
        self,
        limits: GuestLimits | None = None,
        grants: Iterable[FolderGrant] = (),
        stdin: str = "",
        cache: Path | None = None,
    ) -> None:
        self._limits = limits or GuestLimits()
        self._ended: str | None = None
        self._outputs = (CappedOutput(0), CappedOutput(0))
        self._stop: str | None = None
        self._deadline = time.monotonic() + self._limits.wall_seconds
        self._cleanup = ExitStack()
        # An engine of its own: the tick that ends this guest must not end another.
        self._engine = new_engine()
        self._cleanup.callback(self._engine.close)
        try:
            self._begin(grants, stdin, cache)
        except BaseException:
            self._cleanup.close()  # what was begun holds itself alive, with the compiled code that it maps
            raise

    def _begin(self, grants: Iterable[FolderGrant], stdin: str, cache: Path | None) -> None:
        import wasmtime  # deferred: optional, 32 MB

        compiled = module(self._engine, QUICKJS, cache or cache_folder())
        memory_bytes = self._limits.memory_bytes
        self._store = new_store(self._engine, self._wasi(grants, stdin), memory_bytes=memory_bytes, fuel=_FUEL_TO_START)
        self._cleanup.callback(self._store.close)
        linker = new_linker(self._engine)
        wait = wasmtime.FuncType([wasmtime.ValType.i32()] * 4, [wasmtime.ValType.i32()])
        linker.define_func(WASI, "poll_oneoff", wait, self._wait)
        self._reactor = Reactor(self._store, linker.instantiate(self._store, compiled), memory_bytes)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def ended(self) -> str | None:
        """Return what ended the session, or `None` while it can run code."""
        return self._ended

    def close(self) -> None:
        """Forget the interpreter."""
        self._ended = self._ended or "it was closed"
        self._cleanup.close()

    def run(self, code: str, limits: GuestLimits | None = None, cancellation: Cancellation | None = None) -> GuestRun:
        """Run one piece of code, and what it put off, to its end; raises `SessionError` once the session is over."""
        if self._ended is not None:
            raise SessionError(f"This JavaScript session is over: {self._ended}. Open a new one; its globals are lost.")
        limits = limits or self._limits
        self._outputs = (CappedOutput(limits.output_bytes), CappedOutput(limits.output_bytes))
        self._store.set_fuel(limits.fuel)
        begin = time.monotonic()
        exit_code, trap = self._bounded(code, limits, cancellation or Cancellation())
        seconds = time.monotonic() - begin
        if trap is not None:
            self._ended = f"it ended with `{trap}`"
        left = self._store.get_fuel()
        names = ("stdout", "stderr")
        return GuestRun(
            exit_code=exit_code,
            stdout=self._outputs[0].kept,
            stderr=self._outputs[1].kept,
            trap=trap,
            fuel_used=limits.fuel if trap == OUT_OF_FUEL else limits.fuel - left,
            truncated=tuple(name for name, output in zip(names, self._outputs, strict=True) if output.overflow),
            wall_seconds=seconds,
            memory_bytes=self._reactor.held_bytes,
        )

    def _bounded(self, code: str, limits: GuestLimits, cancellation: Cancellation) -> tuple[int | None, str | None]:
        import wasmtime

        self._stop = None
        self._deadline = time.monotonic() + limits.wall_seconds
        self._reactor.be_interrupted_at_the_next_tick()
        timer = threading.Timer(limits.wall_seconds, self._interrupt, (DEADLINE,))
        timer.daemon = True
        timer.start()
        try:
            with cancellation.calling(lambda: self._interrupt(CANCELLED)):
                if self._reactor.run(code):
                    return 0, None
                self._reactor.print_error()
                return 1, None
        except wasmtime.ExitTrap as leave:
            self._ended = "it left by `std.exit`"
            return int(leave.code), None
        except _Stopped:
            return None, self._stop or DEADLINE
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            return None, self._stop or self._reactor.cause(error)
        finally:
            timer.cancel()
            timer.join()
            self._reactor.be_interrupted_no_more()

    def _interrupt(self, why: str) -> None:
        self._stop = self._stop or why
        self._engine.increment_epoch()

    def _wait(self, subscriptions: int, events: int, count: int, stored: int) -> int:
        """Wait as the guest asks to, but never beyond its deadline: nothing else could interrupt it meanwhile."""
        if not 0 < count <= _MOST_SUBSCRIPTIONS:
            return _INVALID
        memory = self._reactor.memory
        rows = bytes(memory.read(self._store, subscriptions, subscriptions + count * _SUBSCRIPTION))
        asked = [rows[at : at + _SUBSCRIPTION] for at in range(0, len(rows), _SUBSCRIPTION)]
        self._sleep(min(map(_seconds, asked)))
        ready = min(asked, key=_seconds)
        event = ready[:8] + bytes(2) + ready[8:9] + bytes(_EVENT - 11)
        memory.write(self._store, event, events)
        memory.write(self._store, (1).to_bytes(4, "little"), stored)
        return _SUCCESS

    def _sleep(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            if now >= self._deadline or self._stop is not None:
                raise _Stopped
            time.sleep(max(0.0, min(_SLICE_SECONDS, end - now, self._deadline - now)))

    def _wasi(self, grants: Iterable[FolderGrant], stdin: str) -> Any:
        import wasmtime

        wasi = wasmtime.WasiConfig()
        # Looked up at each write, because every run has outputs of its own.
        wasi.stdout_custom = lambda chunk: self._outputs[0].write(chunk)
        wasi.stderr_custom = lambda chunk: self._outputs[1].write(chunk)
        if stdin:
            wasi.stdin_file = self._kept(stdin)
        for grant in grants:
            wasi.preopen_dir(str(grant.folder.resolve(strict=True)), grant.guest, grant.writable)
        return wasi

    def _kept(self, stdin: str) -> str:
        folder = self._cleanup.enter_context(tempfile.TemporaryDirectory(prefix="mcpgen-stdin-"))
        place = os.path.join(folder, "stdin")
        with open(place, "w", encoding="utf-8", errors="replace", newline="") as stream:
            stream.write(stdin)
        return place


def run_javascript(
    code: str,
    *,
    limits: GuestLimits | None = None,
    grants: Iterable[FolderGrant] = (),
    stdin: str = "",
    cancellation: Cancellation | None = None,
    cache: Path | None = None,
) -> GuestRun:
    """Run JavaScript in an interpreter of its own."""
    import wasmtime  # deferred: optional, 32 MB

    begin = time.monotonic()
    try:
        session = QuickJsSession(limits, grants, stdin, cache)
    except (wasmtime.Trap, wasmtime.WasmtimeError, MemoryError) as error:
        cause = str(error).strip().rpartition("\n")[2].rpartition("wasm trap:")[2].strip()
        return GuestRun(None, b"", b"", cause, fuel_used=0, truncated=(), wall_seconds=time.monotonic() - begin)
    with session:
        return session.run(code, limits, cancellation)


def _seconds(subscription: bytes) -> float:
    """Return how long a subscription waits: nothing for a file, and nothing for a moment of the guest's own clock."""
    flags = int.from_bytes(subscription[40:42], "little")
    if subscription[8] != _CLOCK or flags & _ABSOLUTE:
        return 0.0
    return int.from_bytes(subscription[24:32], "little") / 1e9
