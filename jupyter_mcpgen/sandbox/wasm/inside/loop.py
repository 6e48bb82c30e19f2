"""Runs cells of JavaScript in one guest: each has fuel and input of its own, and the workspace is all it sees.

A request and a reply are JSON with their length before them, on descriptors 3 and 4, as in the other loops. The guest
can reach neither; what ends it is told with `ended`, and nothing is run in it any more.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import wasmtime

from .reactor import OUT_OF_FUEL, Reactor, new_engine, new_linker, new_store

REQUESTS, REPLIES = 3, 4
LENGTH_BYTES = 4
COMPILED, STATE, INPUT, INPUT_FOLDER = "quickjs.cwasm", "inside/state.js", "stdin", "/dev"
_OWN_FUEL = 2_000_000_000
_STDOUT, _STDERR = 1, 2
_GIVE_INPUT = f"std.given?.close(); std.given = std.in = std.open('{INPUT_FOLDER}/{INPUT}', 'r');"
_REJECTED = "Possibly unhandled promise rejection: "
TRAPS = (wasmtime.Trap, wasmtime.WasmtimeError, MemoryError)


class Told(NamedTuple):
    """How a cell ended, and what is left of its fuel; `ended` says that the guest is over."""

    exit_code: int
    message: str | None
    left: int
    ran_out: bool = False
    ended: bool = False


def main(folder: str, memory_bytes: int) -> None:
    """Answer requests until there are no more; `folder` has the compiled interpreter and our own scripts."""
    for descriptor in (REQUESTS, REPLIES):
        os.set_inheritable(descriptor, False)
    guest = Guest(Path(folder), memory_bytes)
    with open(REQUESTS, "rb") as requests, open(REPLIES, "wb", buffering=0) as replies:
        while (request := received(requests)) is not None:
            replies.write(framed({**guest.answer(request), "mark": request["mark"]}))


class Guest:
    """One interpreter, its workspace and its streams."""

    def __init__(self, folder: Path, memory_bytes: int) -> None:
        engine = new_engine()
        compiled = wasmtime.Module.deserialize(engine, (folder / COMPILED).read_bytes())
        self._state = (folder / STATE).read_text(encoding="utf-8")
        self._input = folder / "input"
        self._input.mkdir(exist_ok=True)
        self._threw = b""
        self._notes: list[str] | None = None
        self._cells = 0
        self._store = new_store(engine, self._wasi(), memory_bytes=memory_bytes, fuel=_OWN_FUEL)
        self._reactor = Reactor(self._store, new_linker(engine).instantiate(self._store, compiled), memory_bytes)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Run one cell and return the reply."""
        self._cells += 1
        (self._input / INPUT).write_text(request["stdin"], encoding="utf-8", errors="replace", newline="")
        file, budget = json.dumps(request.get("state_file")), request["fuel"]["budget"]
        keeps, notes = file != "null", list[str]()
        try:
            notes += self._ours(_GIVE_INPUT)
            notes += self._ours(f"recall({file})") if keeps and self._cells == 1 else []
            told = self._run(request["code"], budget)
            notes += self._ours(f"keep({file})") if keeps and not told.ended else []
        except TRAPS as error:  # the code before changed what our own scripts stand on
            told = Told(1, f"The interpreter was ended: {self._reactor.cause(error)}.", budget, ended=True)
        fuel = {"consumed": budget - told.left, "ran_out": told.ran_out}
        return {
            "exit_code": told.exit_code, "message": told.message, "ended": told.ended, "notes": notes, "fuel": fuel
        }  # fmt: skip

    def _run(self, code: str, budget: int) -> Told:
        self._store.set_fuel(budget)
        self._threw = b""
        try:
            if self._reactor.run(code):
                return Told(0, None, self._store.get_fuel())
            self._threw = b""
            self._reactor.print_error()
        except wasmtime.ExitTrap as leave:
            rejected = [line.partition(_REJECTED)[2] for line in self._complaints if _REJECTED in line]
            message = rejected[-1] if rejected else f"std.exit({leave.code})"
            return Told(int(leave.code) & 0xFF, message, self._store.get_fuel(), ended=True)
        except TRAPS as error:
            cause = self._reactor.cause(error)
            if cause == OUT_OF_FUEL:
                return Told(1, f"The program used up its fuel: {budget:,} instructions.", 0, ran_out=True, ended=True)
            return Told(1, f"The program was ended by its runtime: {cause}.", self._store.get_fuel(), ended=True)
        return Told(1, next(iter(self._complaints), "The program threw."), self._store.get_fuel())

    @property
    def _complaints(self) -> list[str]:
        return [line.strip() for line in self._threw.decode("utf-8", "replace").splitlines() if line.strip()]

    def _ours(self, script: str) -> list[str]:
        """Run a script of our own in the guest, on fuel of its own; return the notes that it prints."""
        self._notes = notes = list[str]()
        try:
            self._store.set_fuel(_OWN_FUEL)
            if not self._reactor.run(f"(() => {{ {self._state}\n{script} }})()"):
                self._reactor.print_error()  # the code changed what this stands on; its error is not the next one's
        finally:
            self._notes = None
        return notes

    def _wasi(self) -> Any:
        wasi = wasmtime.WasiConfig()
        wasi.stdout_custom = self._said
        wasi.stderr_custom = self._complained
        workspace = os.getcwd()
        for place in ("/", "/app"):  # so that relative paths mean it as well
            wasi.preopen_dir(workspace, place, True)
        wasi.preopen_dir(str(self._input), INPUT_FOLDER, False)
        return wasi

    def _said(self, chunk: bytes) -> None:
        if self._notes is not None:
            self._notes.append(chunk.decode("utf-8", "replace").strip())
            return
        written(_STDOUT, chunk)

    def _complained(self, chunk: bytes) -> None:
        if self._notes is None:
            self._threw = (self._threw + chunk)[-65536:]
            written(_STDERR, chunk)


def received(requests: BinaryIO) -> dict[str, Any] | None:
    """Return the next request, or `None` at the end."""
    length = requests.read(LENGTH_BYTES)
    request: dict[str, Any] | None = json.loads(requests.read(int.from_bytes(length, "big"))) if length else None
    return request


def framed(reply: dict[str, Any]) -> bytes:
    """Return a reply with its length before it."""
    encoded = json.dumps(reply).encode()
    return len(encoded).to_bytes(LENGTH_BYTES, "big") + encoded


def written(descriptor: int, chunk: bytes) -> None:
    """Write all of a chunk to a stream of this process."""
    rest = memoryview(chunk)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
