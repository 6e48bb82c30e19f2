"""The data of a request, loaded once: the frame, its profile, and the fingerprint from before anything ran."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.data.fingerprint import fingerprint_file
from jupyter_mcpgen.data.references import read_frame
from jupyter_mcpgen.errors import DataTooLarge, EmptyData, UnknownData, UnreadableData
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.pipeline.services import Services

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Material:
    """One table at work. `before` is the SHA-256 of the file that the sandbox will read."""

    ref: DataRef
    frame: pd.DataFrame
    profile: Profile
    before: str

    @cached_property
    def engine(self) -> Engine:
        """The reference engine over the table."""
        return Engine(self.frame)

    def is_unchanged(self) -> bool:
        """Tell whether the file still has the content that was profiled."""
        return fingerprint_file(self.ref.path) == self.before


def load(ref: DataRef, services: Services) -> Material:
    """Load the data of a request; raises a `DataError` that says what to do."""
    if not Path(ref.path).exists():
        raise UnknownData(ref.name)
    try:
        before = fingerprint_file(ref.path)
    except OSError as error:
        raise UnreadableData(ref.path, error.strerror or str(error)) from error
    frame = read_frame(ref)
    if frame.shape[1] == 0:
        raise EmptyData(ref.name)
    rows, columns = frame.shape
    limits = services.limits
    if rows > limits.rows or columns > limits.columns:
        raise DataTooLarge(ref.name, rows, columns, limits.rows, limits.columns)
    known = services.profiles.of(table_name(ref), before, frame)
    return Material(ref=ref, frame=frame, profile=known, before=before)


def table_name(ref: DataRef) -> str:
    """Return what to call the table: the variable's name, or the file's without its ending."""
    return Path(ref.name).stem if ref.name.endswith(tuple(_ENDINGS)) else ref.name


_ENDINGS = (".csv", ".tsv", ".parquet", ".feather", ".arrow", ".json", ".jsonl", ".txt")
