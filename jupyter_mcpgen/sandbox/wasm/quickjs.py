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
from jupyter_mcpgen.sandbox.wasm.guest import (
    CANCELLED,
    DEADLINE,
    OUT_OF_FUEL,
    STACK_EXHAUSTED,
    CappedOutput,
    FolderGrant,
    GuestLimits,
    GuestRun,
)

_GLOBALS = """
import * as std from "qjs:std";
import * as os from "qjs:os";
Object.assign(globalThis, {std, os, setTimeout: os.setTimeout, clearTimeout: os.clearTimeout});
"""
_MODULE = 1
_EXCEPTION = 6
_SCRIPT = b"main.js\0"
_WASI = "wasi_snapshot_preview1"
_SUBSCRIPTION, _EVENT = 48, 32
_CLOCK = 0
_ABSOLUTE = 1
_SUCCESS, _INVALID = 0, 28
_MOST_SUBSCRIPTIONS = 64
_SLICE_SECONDS = 0.05
_NEARLY_ALL = 0.9
_ENDLESS_TICKS = 1 << 40


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
        import wasmtime  # deferred: optional, 32 MB

        self._limits = limits or GuestLimits()
        self._ended: str | None = None
        self._outputs = (CappedOutput(0), CappedOutput(0))
        self._stop: str | None = None
        self._deadline = time.monotonic() + self._limits.wall_seconds
        self._cleanup = ExitStack()
        # An engine of its own: the tick that ends this guest must not end another.
        config = wasmtime.Config()
        config.consume_fuel = True
        config.epoch_interruption = True
        self._engine = wasmtime.Engine(config)
        compiled = module(self._engine, QUICKJS, cache or cache_folder())
        self._store = wasmtime.Store(self._engine)
        self._store.set_limits(memory_size=self._limits.memory_bytes)
        self._store.set_fuel(self._limits.fuel)
        self._store.set_epoch_deadline(_ENDLESS_TICKS)
        self._store.set_wasi(self._wasi(grants, stdin))
        linker = wasmtime.Linker(self._engine)
        linker.allow_shadowing = True
        linker.define_wasi()
        wait = wasmtime.FuncType([wasmtime.ValType.i32()] * 4, [wasmtime.ValType.i32()])
        linker.define_func(_WASI, "poll_oneoff", wait, self._wait)
        self._exports: Any = linker.instantiate(self._store, compiled).exports(self._store)
        self._call("_initialize")
        self._call("qjs_init")
        self._context = self._call("qjs_get_context")
        self._evaluate(_GLOBALS, _MODULE)
        self._call("js_std_loop", self._context)

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
        self._store.close()
        self._engine.close()

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
            memory_bytes=self._exports["memory"].data_len(self._store),
        )

    def _bounded(self, code: str, limits: GuestLimits, cancellation: Cancellation) -> tuple[int | None, str | None]:
        import wasmtime

        self._stop = None
        self._deadline = time.monotonic() + limits.wall_seconds
        self._store.set_epoch_deadline(1)
        timer = threading.Timer(limits.wall_seconds, self._interrupt, (DEADLINE,))
        timer.daemon = True
        timer.start()
        try:
            with cancellation.calling(lambda: self._interrupt(CANCELLED)):
                return self._executed(code), None
        except wasmtime.ExitTrap as leave:
            self._ended = "it left by `std.exit`"
            return int(leave.code), None
        except _Stopped:
            return None, self._stop or DEADLINE
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            return None, self._stop or self._cause(error)
        finally:
            timer.cancel()
            timer.join()
            self._store.set_epoch_deadline(_ENDLESS_TICKS)

    def _executed(self, code: str) -> int:
        failed = self._evaluate(code, 0)
        if failed:
            self._call("js_std_dump_error", self._context)
            return 1
        if self._call("js_std_loop", self._context) != 0:
            self._call("js_std_dump_error", self._context)
            return 1
        return 0

    def _cause(self, error: Exception) -> str:
        import wasmtime

        code = error.trap_code if isinstance(error, wasmtime.Trap) else None
        if code is wasmtime.TrapCode.OUT_OF_FUEL:
            return OUT_OF_FUEL
        held = self._exports["memory"].data_len(self._store)
        if code is wasmtime.TrapCode.MEMORY_OUT_OF_BOUNDS and held < _NEARLY_ALL * self._limits.memory_bytes:
            return STACK_EXHAUSTED  # the interpreter's own stack lies at the bottom of its memory
        said = [line.strip() for line in str(error).splitlines() if line.strip()]
        cause = next((line for line in reversed(said) if "wasm trap" in line), said[-1] if said else "unknown trap")
        return cause.rpartition("wasm trap:")[2].strip()

    def _interrupt(self, why: str) -> None:
        self._stop = self._stop or why
        self._engine.increment_epoch()

    def _evaluate(self, code: str, flags: int) -> bool:
        source = code.encode("utf-8", "replace") + b"\0"
        text, name = self._placed(source), self._placed(_SCRIPT)
        value = self._call("JS_Eval", self._context, text, len(source) - 1, name, flags)
        self._call("free", text)
        self._call("free", name)
        failed = bool((value >> 32) & 0xFFFFFFFF == _EXCEPTION)
        if not failed:
            self._call("JS_FreeValue", self._context, value)
        return failed

    def _placed(self, content: bytes) -> int:
        place: int = self._call("malloc", len(content))
        if place == 0:
            raise MemoryError("the guest has no room for the code")
        self._exports["memory"].write(self._store, content, place)
        return place

    def _call(self, name: str, *arguments: int) -> Any:
        return self._exports[name](self._store, *arguments)

    def _wait(self, subscriptions: int, events: int, count: int, stored: int) -> int:
        """Wait as the guest asks to, but never beyond its deadline: nothing else could interrupt it meanwhile."""
        if not 0 < count <= _MOST_SUBSCRIPTIONS:
            return _INVALID
        memory = self._exports["memory"]
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
    with QuickJsSession(limits, grants, stdin, cache) as session:
        return session.run(code, limits, cancellation)


def _seconds(subscription: bytes) -> float:
    """Return how long a subscription waits: nothing for a file, and nothing for a moment of the guest's own clock."""
    flags = int.from_bytes(subscription[40:42], "little")
    if subscription[8] != _CLOCK or flags & _ABSOLUTE:
        return 0.0
    return int.from_bytes(subscription[24:32], "little") / 1e9
