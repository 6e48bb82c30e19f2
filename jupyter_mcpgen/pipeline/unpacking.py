"""Unpacks a file that is no plain table, in the sandbox and once, into one that everything after it reads.

Workbooks, archives and databases come from anywhere, and the libraries that read them may be made to crash or to take
all memory: they run in a process of their own, which sees this file alone and has bounds.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import assert_never

from pydantic import ValidationError

from jupyter_mcpgen.data.named_files import table_stem
from jupyter_mcpgen.data.one_look import one_look
from jupyter_mcpgen.data.unpacking.answers import ANSWER, NoTable, OneTable, Several, UnpackedTable, Unpacking
from jupyter_mcpgen.data.unpacking.kept import INSIDE, KeptTables
from jupyter_mcpgen.errors import QuestionStopped, SandboxUnavailable, SeveralTables, UnreadableData
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.inside.program_report import Stop
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES, Toolchain, find_toolchain
from jupyter_mcpgen.sandbox.programs.program import MEGABYTE, Bounds, Ending, Program
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox

_BEGIN = "import sys; sys.path.insert(0, sys.argv[1]); from inside.unpack import main; main()"
_SECONDS = 120.0
_LATELY_NANOSECONDS = 2_000_000_000
"""The times of a file that was written to less long ago may not tell its next change."""
_MEMORY_MB, _ADDRESS_MB, _SCRATCH_MB = 3072, 6144, 6144
_LAST_WORDS = 300
_OUT_OF_MEMORY = ("MemoryError", "memory allocation of", "bad_alloc", "Cannot allocate memory")


@dataclass(frozen=True)
class Unpacker:
    """Opens packed files; safe to use from several threads."""

    sandbox: Callable[[], ProgramSandbox]
    kept: KeptTables
    stop: Cancellation = field(default_factory=Cancellation)
    """The wish to stop what the table is for; unpacking ends with it."""

    def table_in(self, path: Path, sheet: str | None) -> tuple[Path, UnpackedTable]:
        """Return a table of a packed file with the folder it lies in, unpacked now or before; raises why not."""
        digest = digest_of(path)
        place = self.kept.place_of(digest, path.name, sheet)
        found = self.kept.find(place) or self._unpack(path, sheet, digest, place)
        return place, found.table

    def _unpack(self, path: Path, sheet: str | None, digest: str, place: Path) -> OneTable:
        """Unpack a file into a folder; raises why it cannot be."""
        sandbox = self.sandbox()
        missing = sandbox.missing()
        if missing is not None:
            raise SandboxUnavailable(
                f"`{path.name}` was not opened: no sandbox here can confine what unpacks it ({missing}). Save the "
                "table as CSV or Parquet with the program it is from, and name that file."
            )
        toolchain = find_toolchain(LANGUAGES["python"])
        user = sandbox.identity((*toolchain.read, *toolchain.run, INSIDE, path)).user
        with sandbox.scratch(user) as scratch:
            asked = scratch / "request.json"
            asked.write_text(json.dumps({"path": str(path), "name": path.name, "sheet": sheet}), encoding="utf-8")
            if user is not None:
                os.chown(asked, user, user)
            ending = sandbox.run(_program(toolchain, path, scratch, asked), scratch, user, self.stop)
            if self.stop.is_cancelled:
                raise QuestionStopped
            answer = _answer(path, ending)
            if answer.digest != digest:
                raise UnreadableData(path, "it changed while it was read. Ask again once nothing writes to it.")
            match answer:
                case OneTable(table=table):
                    name = f"{table_stem(path.name)}{table.suffix}"
                    return self.kept.keep(place, answer, scratch / table.file, name)
                case Several():
                    listed = tuple((each.name, each.size) for each in answer.choices)
                    raise SeveralTables(path.name, answer.what, listed, answer.missing)
                case NoTable(refused=why):
                    raise UnreadableData(path, why)
                case _:
                    assert_never(answer)


def digest_of(path: Path) -> str:
    """Return the digest of a file; one that has not been written to lately is read once."""
    state = path.stat()
    if time.time_ns() - max(state.st_mtime_ns, state.st_ctime_ns) < _LATELY_NANOSECONDS:
        return _found_digest(path)
    return _known_digest(path, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)


@lru_cache(maxsize=64)
def _known_digest(path: Path, *_: int) -> str:
    return _found_digest(path)


def _found_digest(path: Path) -> str:
    whole = hashlib.sha256()
    with one_look(path, _SECONDS) as look:
        for piece in look.pieces():
            whole.update(piece)
    return whole.hexdigest()


def _program(toolchain: Toolchain, path: Path, scratch: Path, asked: Path) -> Program:
    own = {"HOME": str(scratch), "TMPDIR": str(scratch), "LANG": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin"}
    few_threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}
    return Program(
        arguments=(toolchain.tools["python"], "-I", "-B", "-X", "utf8", "-c", _BEGIN, str(INSIDE.parent)),
        folder=scratch,
        environment={**toolchain.language.environment, **toolchain.environment, **own, **few_threads},
        read=(*toolchain.read, INSIDE.parent, path),
        run=toolchain.run,
        stdin=asked,
        links=toolchain.links,
        bounds=Bounds(
            wall_seconds=_SECONDS,
            cpu_seconds=int(_SECONDS),
            memory_bytes=_MEMORY_MB * MEGABYTE,
            address_bytes=_ADDRESS_MB * MEGABYTE,
            scratch_bytes=_SCRATCH_MB * MEGABYTE,
        ),
    )


def _answer(path: Path, ending: Ending) -> Unpacking:
    """Return what the sandbox says of a file; raises `UnreadableData` where its process did not come to an end."""
    if ending.stop is Stop.EXITED and ending.status == 0:
        try:
            return ANSWER.validate_json(ending.stdout)
        except ValidationError as error:
            raise UnreadableData(path, "what unpacked it gave no answer that can be read.") from error
    raise UnreadableData(path, _why_ended(ending))


def _why_ended(ending: Ending) -> str:
    said = ending.stderr.decode("utf-8", "replace").strip().splitlines()
    told = said[-1][-_LAST_WORDS:] if said else "it said nothing"
    if ending.stop is Stop.MEMORY_EXCEEDED or any(sign in line for line in said[-3:] for sign in _OUT_OF_MEMORY):
        return (
            f"opening it takes more than {_MEMORY_MB:,} MB of memory, which no table of its size needs. If you trust "
            "it, delete its empty rows and columns, or save the table as CSV."
        )
    if ending.stop in (Stop.TIMED_OUT, Stop.CPU_EXCEEDED):
        return (
            f"opening it takes longer than {_SECONDS:g} seconds. Save the table as CSV or Parquet, and name that file."
        )
    if ending.stop is Stop.SCRATCH_EXCEEDED:
        return f"it unpacks to more than {_SCRATCH_MB:,} MB. Unpack it yourself, and use a part of it."
    return f"what unpacks it failed ({told}). Save the table as CSV or Parquet, and name that file."
