"""Unpacked tables in the user's cache folder, each in a folder of its own, which a later process finds again.

A lost or broken one is unpacked again. Together they are bounded: those that were used longest ago go.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as parquet
from pydantic import ValidationError

from jupyter_mcpgen.data.unpacking.answers import OneTable
from jupyter_mcpgen.errors import UnreadableData

if TYPE_CHECKING:
    import pandas as pd

INSIDE = Path(__file__).with_name("inside")
MOST_BYTES = 10 << 30
_ANSWER = "answer.json"
_READ_ONLY = 0o400
_LIBRARIES = ("python-calamine", "pyarrow", "duckdb")


@dataclass(frozen=True)
class KeptTables:
    """The unpacked tables of a folder; `most_bytes` bounds all of them together."""

    folder: Path
    most_bytes: int = MOST_BYTES

    def place_of(self, digest: str, name: str, sheet: str | None) -> Path:
        """Return the folder of a table: told by content, name and choice, and by what reads it."""
        told = "\0".join((digest, name, sheet or "", "chosen" if sheet is not None else "", _readers()))
        return self.folder.resolve() / hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()[:32]

    def find(self, place: Path) -> OneTable | None:
        """Return the table that lies in a folder."""
        try:
            found = OneTable.model_validate_json((place / _ANSWER).read_bytes())
            is_there = (place / found.table.file).is_file()
            os.utime(place)
        except (OSError, ValidationError):
            return None
        return found if is_there else None

    def keep(self, place: Path, found: OneTable, unpacked: Path, name: str) -> OneTable:
        """Copy an unpacked table to its folder, and return where it is in it.

        What the sandbox left there is a file or it is refused: no link is followed.
        """
        return self.keep_made(place, found, name, lambda target: _copy(unpacked, target))

    def keep_made(self, place: Path, found: OneTable, name: str, make: Callable[[Path], None]) -> OneTable:
        """Keep the file that `make` writes to a path, and return where it is; nothing is kept where that raises."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=".part-", dir=self.folder.resolve()))
        try:
            make(beside / name)
            (beside / name).chmod(_READ_ONLY)
            kept = found.replace(table=found.table.replace(file=name))
            (beside / _ANSWER).write_text(kept.model_dump_json(), encoding="utf-8")
            if (faster := self.find(place)) is not None:  # another process kept it meanwhile, and may be reading it
                return faster
            shutil.rmtree(place, ignore_errors=True)
            try:
                beside.replace(place)
            except OSError:
                if not place.is_dir():  # else another process was faster after all, with the same content
                    raise
        finally:
            shutil.rmtree(beside, ignore_errors=True)
        self._make_room(place)
        return kept

    def _make_room(self, kept: Path) -> None:
        sizes = {folder: _size(folder) for folder in self.folder.resolve().iterdir() if folder.is_dir()}
        total = sum(sizes.values())
        for folder in sorted(sizes, key=_last_used):
            if total <= self.most_bytes:
                return
            if folder != kept:
                shutil.rmtree(folder, ignore_errors=True)
                total -= sizes[folder]


def write_frame(frame: pd.DataFrame, target: Path, about: Mapping[bytes, bytes] | None = None) -> None:
    """Write a table as Parquet, with what is to be known `about` it."""
    table = pa.Table.from_pandas(frame, preserve_index=False)
    parquet.write_table(table.replace_schema_metadata({**(table.schema.metadata or {}), **(about or {})}), target)


def _copy(source: Path, target: Path) -> None:
    with open(os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise UnreadableData(target.name, "what was unpacked is no file. Nothing of it was taken.")
        with target.open("xb") as copy:
            shutil.copyfileobj(file, copy, 1 << 20)


def _size(folder: Path) -> int:
    with suppress(OSError):  # another process is making room too
        return sum(path.stat().st_size for path in folder.iterdir())
    return 0


def _last_used(folder: Path) -> float:
    with suppress(OSError):
        return folder.stat().st_mtime
    return 0.0


@cache
def _readers() -> str:
    """Return what changes when the same file may be unpacked to something else."""
    whole = hashlib.sha256(" ".join(f"{name} {version(name)}" for name in _LIBRARIES).encode())
    for path in sorted(INSIDE.glob("*.py")):
        whole.update(path.read_bytes())
    return whole.hexdigest()
