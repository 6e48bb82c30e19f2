"""Refers to the table in any file that a person names: as it is, unpacked, or put together of several.

Everything after it reads one table file, and the reference says of what it was made.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_mcpgen.data.bounds import require_bounded
from jupyter_mcpgen.data.fingerprint import fingerprint_frame
from jupyter_mcpgen.data.kept_texts import LARGE_BYTES, TEXT_FILES, SaidOfFiles, kept_text, reader, reading_of_text
from jupyter_mcpgen.data.named_files import (
    is_database_address,
    is_folder_of_tables,
    is_pattern,
    is_web_address,
    table_stem,
)
from jupyter_mcpgen.data.previews import PREVIEWED_COLUMNS, PREVIEWED_ROWS, in_one_cell, preview_text
from jupyter_mcpgen.data.references import file_ref, how_read, reason_of
from jupyter_mcpgen.data.sql_tables import Bounds, copy_of
from jupyter_mcpgen.data.unpacking.answers import OneTable, UnpackedTable
from jupyter_mcpgen.data.unpacking.folders import Part, members_of, one_table, part_of
from jupyter_mcpgen.data.unpacking.inside.kinds import HEAD_BYTES, Kind, kind_of_head
from jupyter_mcpgen.data.unpacking.kept import KeptTables, write_frame
from jupyter_mcpgen.errors import DataError, EmptyData, SeveralTables, UnreadableData
from jupyter_mcpgen.model.file_preview import FilePreview
from jupyter_mcpgen.model.file_reading import FileReading
from jupyter_mcpgen.model.request import DataKind, DataRef, Packed, ReadOptions
from jupyter_mcpgen.pipeline.material import read_rows
from jupyter_mcpgen.pipeline.unpacking import Unpacker, digest_of
from jupyter_mcpgen.pipeline.web_files import WebFiles
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.policy import Limits

if TYPE_CHECKING:
    import pandas as pd


AS_FOUND = FileReading()
"""How files are read of which nothing is said."""


@dataclass(frozen=True)
class Files:
    """Opens files; safe to use from several threads."""

    unpacker: Unpacker
    said: SaidOfFiles
    limits: Limits = field(default_factory=Limits)
    """Bounds the files that are put together to one table."""
    web: WebFiles | None = None
    """Fetches files of the web."""

    @property
    def kept(self) -> KeptTables:
        """Where the tables are kept that were made of files."""
        return self.unpacker.kept

    def until(self, stop: Cancellation | None) -> Files:
        """Return what opens files until somebody wants it to stop."""
        return self if stop is None else replace(self, unpacker=replace(self.unpacker, stop=stop))

    def read_so(self, path: str, options: ReadOptions) -> None:
        """Read a text file as a person says from now on, and any file with the same content."""
        found = self._found(path)
        if not found.is_file() or not is_text(found):
            raise UnreadableData(path, "only of a text file can be said how it is written. Leave these options out.")
        options.require_usable()
        self.said.keep(digest_of(found), options)

    def _found(self, path: str) -> Path:
        """Return where a file is on this machine; one of the web is fetched."""
        if self.web is not None and is_web_address(path):
            return self.web.fetch(path, self.unpacker.stop).path
        return Path(path).expanduser()

    def preview(self, ref: DataRef, options: ReadOptions, sheet: str | None) -> FilePreview:
        """Return the beginning of a file that was referred to, read as a person says, or why it cannot be."""
        found = Path(ref.origin)
        if is_text(found):
            return preview_text(found, options)
        sheets = self._tables_in(found)
        preview = FilePreview(name=found.name, sheet=sheet, sheets=sheets)
        try:
            table = self.reference(str(found), sheet)
            first = self._rows(table).head(PREVIEWED_ROWS)
        except DataError as error:
            return preview.replace(refused=str(error))
        return preview.replace(
            note=how_read(table) or "",
            columns=tuple(map(str, first.columns))[:PREVIEWED_COLUMNS],
            rows=tuple(tuple(map(in_one_cell, row[:PREVIEWED_COLUMNS])) for row in first.itertuples(index=False)),
        )

    @contextmanager
    def read_otherwise(self, ref: DataRef, options: ReadOptions, sheet: str | None) -> Iterator[DataRef]:
        """Refer to the table of a file that is read in another way, from now on.

        Where that raises a `DataError`, or what is done with the table does, what was said before stands.
        """
        found = Path(ref.origin)
        if not is_text(found):
            yield self.reference(str(found), sheet)
            return
        options.require_usable()
        digest = digest_of(found)
        before = self.said.find(digest)
        self.said.keep(digest, options)
        try:
            yield self.reference(str(found))
        except DataError:
            self.said.keep(digest, before)
            raise

    def _tables_in(self, path: Path) -> tuple[str, ...]:
        try:
            self.unpacker.table_in(path, None)
        except SeveralTables as several:
            return several.choices
        return ()

    def reference(
        self, path: str, sheet: str | None = None, reading: FileReading = AS_FOUND, *, kept: bool = False
    ) -> DataRef:
        """Refer to the table of a file, packed or not, after reading no more than its header.

        `sheet` names a sheet, a member or a table of a file that has several. `reading` says how a tool reads its
        files; `kept` makes a table of a text that is to be read so, for what reads tables alone. Raises
        `SeveralTables` where a table has to be named, or a `DataError` that says why there is none.
        """
        unpacked = self.unpacked(path, sheet, reading, kept=kept)
        if unpacked is None:
            return file_ref(path, reading_of_text(reading.options))
        try:
            file_ref(unpacked.path)
        except UnreadableData as error:
            raise UnreadableData(path, error.reason) from error
        except EmptyData as error:
            raise EmptyData(path) from error
        return unpacked

    def unpacked(
        self, path: str, sheet: str | None = None, reading: FileReading = AS_FOUND, *, kept: bool = False
    ) -> DataRef | None:
        """Refer to the table of a packed file or a folder; None for a file that is read as it is, or is not there."""
        if is_database_address(path):
            return self._of_database(path)
        if self.web is not None and is_web_address(path):
            return self._of_web(path, sheet, reading, self.web)
        found = Path(path).expanduser()
        is_folder = sheet is None and is_folder_of_tables(path)
        if not is_folder and (not found.is_file() or found.stat().st_size == 0):
            return None
        found = found.resolve()
        try:
            if is_folder:
                return self._folder(found)
            if sheet is None and (_kind(found) is Kind.PLAIN or self._is_said(found)):
                return self._plain(path, found, reading, kept=kept)
            if sheet is not None and (sheets := self._named_by(found, sheet)):
                return self._sheets(found, sheet, sheets)
            place, table = self.unpacker.table_in(found, sheet)
        except SeveralTables:
            if sheet is not None or reading.sheet is None:
                raise
            return self.unpacked(path, reading.sheet)
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

    def _of_web(self, address: str, sheet: str | None, reading: FileReading, web: WebFiles) -> DataRef:
        """Refer to the table of a file of the web, fetched now.

        It is a table that was made of a file, which its readers take as it is, so what is said of the file counts here.
        """
        fetched = web.fetch(address, self.unpacker.stop)
        try:
            read = self.reference(str(fetched.path), sheet, reading, kept=True)
        except UnreadableData as error:
            raise UnreadableData(address, error.reason) from error
        except SeveralTables as error:
            raise error.of(address) from error
        except EmptyData as error:
            raise EmptyData(address) from error
        packed = read.packed or Packed(path=address)
        return read.replace(packed=packed.replace(path=address, notes=(fetched.note, *packed.notes)))

    def _of_database(self, named: str) -> DataRef:
        """Refer to a copy of a table of a database server; the same rows are kept once."""
        limits = self.limits
        copied = copy_of(named, Bounds(limits.rows, limits.table_bytes, limits.wall_seconds))
        digest = fingerprint_frame(copied.frame)
        place = self.kept.place_of(digest, copied.address, copied.table)
        told = UnpackedTable(file="table", suffix=".parquet", notes=copied.notes, sheet=copied.table)
        name = f"{table_stem(f'{copied.address}#{copied.table}')}.parquet"
        found = self.kept.find(place) or self.kept.keep_made(
            place, OneTable(table=told, digest=digest), name, partial(write_frame, copied.frame)
        )
        packed = Packed(path=copied.address, sheet=copied.table, notes=copied.notes)
        called = copied.table.rpartition(".")[2]
        return DataRef(kind=DataKind.FILE, name=called, path=str(place / found.table.file), packed=packed)

    def _is_said(self, path: Path) -> bool:
        """Tell whether a person said how a text is written."""
        return not self.said.is_empty and is_text(path) and not self.said.find(digest_of(path)).says_nothing

    def _plain(self, path: str, found: Path, reading: FileReading, *, kept: bool) -> DataRef | None:
        """Refer to what was read of a text file where that is kept; None for a file that is read as it is."""
        is_kept = found.stat().st_size >= LARGE_BYTES or (kept and not reading.options.says_nothing)
        if not is_text(found) or (self.said.is_empty and not is_kept):
            return None
        digest = digest_of(found)
        said = self.said.find(digest)
        if said.says_nothing and not is_kept:
            return None
        options = reading.options if reading.is_asked else said.over(reading.options)
        try:
            place, table = kept_text(self.kept, found, digest, options, self._require_bounded)
        except ValueError as error:
            raise UnreadableData(path, reason_of(found, error)) from error
        packed = Packed(path=str(found), notes=table.notes, read=options)
        return DataRef(kind=DataKind.FILE, name=found.name, path=str(place / table.file), packed=packed)

    def _require_bounded(self, path: Path) -> None:
        limits = self.limits
        require_bounded(path, limits.rows, limits.columns, limits.wall_seconds, most_bytes=limits.table_bytes)

    def _folder(self, named: Path) -> DataRef:
        """Refer to the files of a folder, or of a pattern in one, as one table."""
        members = members_of(named)
        told = [f"{path}\0{digest}\0{self.said.find(digest)!r}" for path in members for digest in (digest_of(path),)]
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
            self.unpacker.table_in(path, None)
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

        place, notes = self._together(path, digest_of(path), pattern, parts, "sheet")
        packed = Packed(path=str(path), sheet=pattern, notes=notes)
        return DataRef(kind=DataKind.FILE, name=f"{path.name}#{pattern}", path=place, packed=packed)

    def _rows(self, ref: DataRef) -> pd.DataFrame:
        return read_rows(ref, self.limits)

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
            found = self.kept.keep_made(place, OneTable(table=told, digest=digest), name, partial(write_frame, table))
        return str(place / found.table.file), found.table.notes


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


def is_text(path: Path) -> bool:
    """Tell whether a file is a text of which a person can say how it is written."""
    return path.suffix.lower() in TEXT_FILES and _kind(path) in (Kind.PLAIN, Kind.ALIGNED)


def may_be_read_otherwise(ref: DataRef) -> bool:
    """Tell whether a person can say how a file is read, or which of its tables is meant."""
    path = Path(ref.origin)
    if not path.is_file():
        return False
    sheet = None if ref.packed is None else ref.packed.sheet
    return is_text(path) if sheet is None else not is_pattern(sheet)
