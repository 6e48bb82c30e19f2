"""The data of a request, opened once: its rows, its profile, and the fingerprint from before anything ran."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_mcpgen.data.bounds import require_bounded
from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.data.fingerprint import fingerprint_file
from jupyter_mcpgen.data.named_files import TABLE_FILES, is_web_address, table_stem, without_table
from jupyter_mcpgen.data.parquet_tables import Rows, columns_of, count_of, names_of
from jupyter_mcpgen.data.references import orders_of, read_or_open
from jupyter_mcpgen.data.remembered import Frames
from jupyter_mcpgen.errors import DataTooLarge, EmptyData, UnknownData, UnreadableData
from jupyter_mcpgen.model.file_reading import FileReading
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.request import DataKind, DataRef, Request
from jupyter_mcpgen.model.spec import DATA_PARAMETER, OTHER_DATA_PARAMETER
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.sandbox.policy import Limits

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Material:
    """One table at work. `before` is the SHA-256 of the file that the sandbox will read."""

    ref: DataRef
    rows: Rows
    profile: Profile
    before: str
    other: Material | None = None
    """The second table, if the question names one."""

    @cached_property
    def engine(self) -> Engine:
        """The reference engine over the table, and over the second one."""
        return Engine(self.rows, self.other.rows if self.other is not None else None)

    def columns(self, names: Sequence[str]) -> pd.DataFrame:
        """Return some columns of the table."""
        return columns_of(self.rows, names)

    @property
    def paths(self) -> dict[str, str]:
        """The arguments of a tool that name the data."""
        own = {DATA_PARAMETER: self.ref.path}
        return own if self.other is None else {**own, OTHER_DATA_PARAMETER: self.other.ref.path}

    @property
    def refs(self) -> tuple[DataRef, ...]:
        """What was referred to, in the order of `paths`."""
        return (self.ref,) if self.other is None else (self.ref, *self.other.refs)

    @property
    def readings(self) -> dict[str, FileReading]:
        """How a person said that the files are read, by the arguments of a tool that name them."""
        own = {DATA_PARAMETER: _reading_of(self.ref)}
        return own if self.other is None else {**own, OTHER_DATA_PARAMETER: _reading_of(self.other.ref)}

    @property
    def digest(self) -> str:
        """What the content of all data is told by."""
        return self.before if self.other is None else f"{self.before}+{self.other.before}"

    @property
    def name(self) -> str:
        """What a person calls the data."""
        return self.ref.name if self.other is None else f"{self.ref.name}, {self.other.ref.name}"

    def arranged(self, intent: Understood) -> Material:
        """Return the tables that an intent is about, in its order: this one alone, both, or both the other way round.

        Written code takes them in the order in which they were asked about.
        """
        if intent.other_input is None or self.other is None:
            return replace(self, other=None)
        if isinstance(intent, WrittenIntent) or intent.plan.source == self.profile.name:
            return self
        return replace(self.other, other=replace(self, other=None))

    def is_unchanged(self) -> bool:
        """Tell whether the files still have the content that was profiled."""
        try:
            same = fingerprint_file(self.ref.path) == self.before
        except OSError:  # it is gone
            return False
        return same and (self.other is None or self.other.is_unchanged())


def _reading_of(ref: DataRef) -> FileReading:
    return FileReading() if ref.packed is None else FileReading(options=ref.packed.read, sheet=ref.packed.sheet)


def load_all(request: Request, services: Services) -> Material:
    """Load the table of a request, and the second one if it names one; raises a `DataError` that says what to do."""
    material = load(request.data, services)
    if request.other is None:
        return material
    other = load(request.other, services)
    if other.profile.name == material.profile.name:
        other = replace(other, profile=other.profile.replace(name=f"{other.profile.name}_2"))
    return replace(material, other=other)


def load(ref: DataRef, services: Services) -> Material:
    """Load one table; raises a `DataError` that says what to do."""
    rows, before = open_rows(ref, services.limits, services.frames)
    said = FileReading().options if ref.packed is None else ref.packed.read
    known = services.profiles.of(table_name(ref), before, rows, orders_of(ref), said)
    return Material(ref=ref, rows=rows, profile=known, before=before)


def read_rows(ref: DataRef, limits: Limits) -> pd.DataFrame:
    """Load the rows of one table; raises a `DataError` that says what to do."""
    rows, _ = open_rows(ref, limits)
    return columns_of(rows, names_of(rows))


def open_rows(ref: DataRef, limits: Limits, frames: Frames | None = None) -> tuple[Rows, str]:
    """Return the rows of one table with the SHA-256 of its file; raises a `DataError` that says what to do.

    A large table stays in its file. With `frames` one that an answer holds is taken as it is, and must not be changed.
    """
    if not Path(ref.path).exists():
        if ref.packed is not None and (is_web_address(ref.origin) or Path(ref.origin).exists()):
            raise UnreadableData(ref.origin, "the table that was unpacked from it is gone. Ask the question again.")
        raise UnknownData(ref.name)
    frames = frames or Frames()
    if frames.holds(ref.path):
        before = _digest_of(ref)
        held = frames.find(ref.path, before)
        if held is not None:
            return held, before
    if ref.kind is DataKind.FILE:  # before anything of it is read: a small file may hold more than this process can
        most = (limits.rows, limits.columns, limits.wall_seconds)
        require_bounded(Path(ref.path), *most, most_bytes=limits.table_bytes)
    before = _digest_of(ref)
    found = frames.of(ref.path, before, lambda: read_or_open(ref))
    rows, columns = count_of(found), len(names_of(found))
    if columns == 0:
        raise EmptyData(ref.name)
    if rows > limits.rows or columns > limits.columns:
        raise DataTooLarge(ref.name, rows, columns, limits.rows, limits.columns)
    return found, before


def _digest_of(ref: DataRef) -> str:
    try:
        return fingerprint_file(ref.path)
    except OSError as error:
        raise UnreadableData(ref.origin, error.strerror or str(error)) from error


def table_name(ref: DataRef) -> str:
    """Return what to call the table: the variable's name, or the file's without its ending."""
    return table_stem(ref.name) if without_table(ref.name).casefold().endswith(TABLE_FILES) else ref.name
