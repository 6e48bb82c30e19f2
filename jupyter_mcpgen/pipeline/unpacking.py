"""Unpacks a file that is no plain table, in the sandbox and once, into one that everything after it reads.

Workbooks, archives and databases come from anywhere, and the libraries that read them may be made to crash or to take
all memory: they run in a process of their own, which sees this file alone and has bounds.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from pydantic import ValidationError

from jupyter_mcpgen.data.bounds import require_bounded
from jupyter_mcpgen.data.kept_texts import LARGE_BYTES, TEXT_FILES, SaidOfFiles, kept_text, reader
from jupyter_mcpgen.data.named_files import is_folder_of_tables, is_pattern, table_stem
from jupyter_mcpgen.data.one_look import one_look
from jupyter_mcpgen.data.references import file_ref, reason_of
from jupyter_mcpgen.data.unpacking.answers import ANSWER, NoTable, OneTable, Several, UnpackedTable, Unpacking
from jupyter_mcpgen.data.unpacking.folders import Part, members_of, one_table, part_of
from jupyter_mcpgen.data.unpacking.inside.kinds import HEAD_BYTES, Kind, kind_of_head
from jupyter_mcpgen.data.unpacking.kept import INSIDE, KeptTables
from jupyter_mcpgen.errors import EmptyData, QuestionStopped, SandboxUnavailable, SeveralTables, UnreadableData
from jupyter_mcpgen.model.request import DataKind, DataRef, Packed, ReadOptions
from jupyter_mcpgen.pipeline.material import read_rows
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.inside.program_report import Stop
from jupyter_mcpgen.sandbox.policy import Limits
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES, Toolchain, find_toolchain
from jupyter_mcpgen.sandbox.programs.program import MEGABYTE, Bounds, Ending, Program
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox

if TYPE_CHECKING:
    import pandas as pd

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
    said: SaidOfFiles
    limits: Limits = field(default_factory=Limits)
    """Bounds the files that are put together to one table."""
    stop: Cancellation = field(default_factory=Cancellation)
    """The wish to stop what the table is for; unpacking ends with it."""

    def until(self, stop: Cancellation | None) -> Unpacker:
        """Return what unpacks until somebody wants it to stop."""
        return self if stop is None else replace(self, stop=stop)

    def read_so(self, path: str, options: ReadOptions) -> None:
        """Read a text file as a person says from now on, and any file with the same content."""
        found = Path(path).expanduser()
        if not found.is_file() or not _is_text(found):
            raise UnreadableData(path, "only of a text file can be said how it is written. Leave these options out.")
        self.said.keep(_digest(found), options)

    def reference(self, path: str, sheet: str | None = None) -> DataRef:
        """Refer to the table of a file, packed or not, after reading no more than its header.

        `sheet` names a sheet, a member or a table of a file that has several. Raises `SeveralTables` where one has to
        be named, or a `DataError` that says why there is none.
        """
        unpacked = self.unpacked(path, sheet)
        if unpacked is None:
            return file_ref(path)
        try:
            file_ref(unpacked.path)
        except UnreadableData as error:
            raise UnreadableData(path, error.reason) from error
        except EmptyData as error:
            raise EmptyData(path) from error
        return unpacked

    def unpacked(self, path: str, sheet: str | None = None) -> DataRef | None:
        """Refer to the table of a packed file or a folder; None for a file that is read as it is, or is not there."""
        found = Path(path).expanduser()
        is_folder = sheet is None and is_folder_of_tables(path)
        if not is_folder and (not found.is_file() or found.stat().st_size == 0):
            return None
        found = found.resolve()
        try:
            if is_folder:
                return self._folder(found)
            if sheet is None and (_kind(found) is Kind.PLAIN or self._is_said(found)):
                return self._plain(path, found)
            if sheet is not None and (sheets := self._named_by(found, sheet)):
                return self._sheets(found, sheet, sheets)
            place, table = self._table_in(found, sheet)
        except UnreadableData as error:
            raise UnreadableData(path, error.reason) from error
        except OSError as error:
            raise UnreadableData(path, f"{error}. Check that you may read it, and that your disk has room.") from error
        packed = Packed(
            path=str(found),
            sheet=None if sheet is None else table.sheet,
            notes=(*table.notes, *_unwritten(found)),
        )
        name = found.name if packed.sheet is None else f"{found.name}#{packed.sheet}"
        return DataRef(kind=DataKind.FILE, name=name, path=str(place / table.file), packed=packed)

    def _is_said(self, path: Path) -> bool:
        """Tell whether a person said how a text is written."""
        return not self.said.is_empty and _is_text(path) and not self.said.find(_digest(path)).says_nothing

    def _plain(self, path: str, found: Path) -> DataRef | None:
        """Refer to what was read of a text file where that is kept; None for a file that is read as it is."""
        is_large = found.stat().st_size >= LARGE_BYTES
        if not _is_text(found) or (self.said.is_empty and not is_large):
            return None
        digest = _digest(found)
        options = self.said.find(digest)
        if options.says_nothing and not is_large:
            return None
        limits = self.limits
        require_bounded(found, limits.rows, limits.columns, limits.wall_seconds, most_bytes=limits.table_bytes)
        try:
            place, table = kept_text(self.kept, found, digest, options)
        except ValueError as error:
            raise UnreadableData(path, reason_of(found, error)) from error
        packed = Packed(path=str(found), notes=table.notes)
        return DataRef(kind=DataKind.FILE, name=found.name, path=str(place / table.file), packed=packed)

    def _folder(self, named: Path) -> DataRef:
        """Refer to the files of a folder, or of a pattern in one, as one table."""
        members = members_of(named)
        told = [f"{path}\0{digest}\0{self.said.find(digest)!r}" for path in members for digest in (_digest(path),)]
        digest = hashlib.sha256("\0".join(told).encode("utf-8", "surrogateescape")).hexdigest()

        def parts() -> Iterator[Part]:
            for path in members:
                yield part_of(named, path, self._rows(self.reference(str(path))))

        path, notes = self._together(named, digest, None, parts, "file")
        called = f"{named.parent.name}/{named.name}" if is_pattern(named.name) else named.name
        return DataRef(kind=DataKind.FILE, name=called, path=path, packed=Packed(path=str(named), notes=notes))

    def _named_by(self, path: Path, pattern: str) -> tuple[str, ...]:
        """Return the tables of a file that a pattern names; none where it is the name of one of them."""
        if not is_pattern(pattern):
            return ()
        try:
            self._table_in(path, None)
        except SeveralTables as several:
            return tuple(
                name for name in several.choices if pattern not in several.choices and fnmatchcase(name, pattern)
            )
        return ()

    def _sheets(self, path: Path, pattern: str, sheets: tuple[str, ...]) -> DataRef:
        """Refer to several tables of a file as one table."""

        def parts() -> Iterator[Part]:
            for sheet in sheets:
                yield Part(sheet, self._rows(self.reference(str(path), sheet)))

        place, notes = self._together(path, _digest(path), pattern, parts, "sheet")
        packed = Packed(path=str(path), sheet=pattern, notes=notes)
        return DataRef(kind=DataKind.FILE, name=f"{path.name}#{pattern}", path=place, packed=packed)

    def _rows(self, ref: DataRef) -> pd.DataFrame:
        return read_rows(ref, self.limits)[0]

    def _together(
        self, named: Path, digest: str, sheet: str | None, parts: Callable[[], Iterator[Part]], what: str
    ) -> tuple[str, tuple[str, ...]]:
        """Return where several tables lie as one, put together now or before, and what was done."""
        place = self.kept.place_of(digest, str(named), f"{what}s {sheet} {reader()}")
        found = self.kept.find(place)
        if found is None:
            table, notes = one_table(named, list(parts()), what)
            told = UnpackedTable(file="table", suffix=".parquet", notes=notes)
            name = f"{table_stem(str(named))}.parquet"
            found = self.kept.keep_frame(place, OneTable(table=told, digest=digest), table, name)
        return str(place / found.table.file), found.table.notes

    def _table_in(self, path: Path, sheet: str | None) -> tuple[Path, UnpackedTable]:
        """Return a table with the folder it lies in, unpacked now or before."""
        digest = _digest(path)
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


def _unwritten(path: Path) -> tuple[str, ...]:
    """Say that a database has changes beside it, which are not in its file yet."""
    logs = [path.with_name(f"{path.name}{ending}") for ending in ("-wal", ".wal")]
    found = next((log.name for log in logs if log.is_file() and log.stat().st_size > 0), None)
    if found is None:
        return ()
    return (f"Changes that a program has not written into `{path.name}` yet, but into `{found}`, are left out.",)


def _kind(path: Path) -> Kind:
    with path.open("rb") as file:
        return kind_of_head(file.read(HEAD_BYTES), path.name)


def _is_text(path: Path) -> bool:
    return path.suffix.lower() in TEXT_FILES and _kind(path) in (Kind.PLAIN, Kind.ALIGNED)


def _digest(path: Path) -> str:
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
