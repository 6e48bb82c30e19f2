"""QuickJS under wasmtime: one interpreter with its globals, evaluated piece by piece, on the fuel that it is given.

Whoever holds it bounds its time. A trap leaves memory behind that is nobody's to trust, so it is never used after one.
"""

from __future__ import annotations

from typing import Any

OUT_OF_FUEL = "out of fuel"
STACK_EXHAUSTED = "call stack exhausted: recursion without an end"

WASI = "wasi_snapshot_preview1"
_GLOBALS = """
import * as std from "qjs:std";
import * as os from "qjs:os";
Object.assign(globalThis, {std: {...std}, os, setTimeout: os.setTimeout, clearTimeout: os.clearTimeout});
"""
_RESERVED_BYTES = 1024 * 1024 * 1024
_GROWTH_BYTES = 16 * 1024 * 1024
_MODULE = 1
_EXCEPTION = 6
_SCRIPT = b"main.js\0"
_NEARLY_ALL = 0.9
_ENDLESS_TICKS = 1 << 40


def new_engine() -> Any:
    """Return an engine that counts fuel, can be interrupted, and maps no more memory than its guest has."""
    import wasmtime  # deferred: optional, 32 MB

    config = wasmtime.Config()
    config.consume_fuel = True
    config.epoch_interruption = True
    # A confined process may not map the gigabytes that are reserved otherwise, nor make memory that has no name.
    config.memory_init_cow = False
    config.memory_reservation = _RESERVED_BYTES
    config.memory_guard_size = 0
    config.memory_reservation_for_growth = _GROWTH_BYTES
    return wasmtime.Engine(config)


def new_linker(engine: Any) -> Any:
    """Return a linker with what WASI offers, which may be replaced."""
    import wasmtime

    linker = wasmtime.Linker(engine)
    linker.allow_shadowing = True
    linker.define_wasi()
    return linker


def new_store(engine: Any, wasi: Any, *, memory_bytes: int, fuel: int) -> Any:
    """Return the bounds and the surroundings of one guest."""
    import wasmtime

    store = wasmtime.Store(engine)
    store.set_limits(memory_size=memory_bytes)
    store.set_fuel(fuel)
    store.set_epoch_deadline(_ENDLESS_TICKS)
    store.set_wasi(wasi)
    return store


class Reactor:
    """One JavaScript interpreter; not for several threads at once."""

    def __init__(self, store: Any, instance: Any, memory_bytes: int) -> None:
        self._store = store
        self._exports = instance.exports(store)
        self._most_bytes = memory_bytes
        self._call("_initialize")
        self._call("qjs_init")
        self._context = self._call("qjs_get_context")
        self._evaluate(_GLOBALS, _MODULE)
        self._call("js_std_loop", self._context)

    @property
    def held_bytes(self) -> int:
        """Return how much memory the guest has."""
        return int(self.memory.data_len(self._store))

    @property
    def memory(self) -> Any:
        """Return the memory of the guest."""
        return self._exports["memory"]

    def run(self, code: str) -> bool:
        """Run code, and what it put off, to its end; return whether it threw nothing."""
        return not self._evaluate(code, 0) and self._call("js_std_loop", self._context) == 0

    def print_error(self) -> None:
        """Print what the code threw on its stderr."""
        self._call("js_std_dump_error", self._context)

    def be_interrupted_at_the_next_tick(self) -> None:
        """Let the next tick of the engine end the code, until `be_interrupted_no_more`."""
        self._store.set_epoch_deadline(1)

    def be_interrupted_no_more(self) -> None:
        """Let the engine tick."""
        self._store.set_epoch_deadline(_ENDLESS_TICKS)

    def cause(self, error: Exception) -> str:
        """Return what a trap was about."""
        import wasmtime

        code = error.trap_code if isinstance(error, wasmtime.Trap) else None
        if code is wasmtime.TrapCode.OUT_OF_FUEL:
            return OUT_OF_FUEL
        if code is wasmtime.TrapCode.STACK_OVERFLOW:
            return STACK_EXHAUSTED
        if code is wasmtime.TrapCode.MEMORY_OUT_OF_BOUNDS and self.held_bytes < _NEARLY_ALL * self._most_bytes:
            return STACK_EXHAUSTED  # the interpreter's own stack lies at the bottom of its memory
        said = [line.strip() for line in str(error).splitlines() if line.strip()]
        cause = next((line for line in reversed(said) if "wasm trap" in line), said[-1] if said else "unknown trap")
        return cause.rpartition("wasm trap:")[2].strip()

    def _evaluate(self, code: str, flags: int) -> bool:
        """Evaluate code; return whether it threw."""
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
        self.memory.write(self._store, content, place)
        return place

    def _call(self, name: str, *arguments: int) -> Any:
        return self._exports[name](self._store, *arguments)
