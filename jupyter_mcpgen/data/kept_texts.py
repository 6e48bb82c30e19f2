"""Text files that are kept as Parquet once read: large ones, and those of which a person said how they are written."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import ValidationError

from jupyter_mcpgen.data import large_texts
from jupyter_mcpgen.data.large_texts import write_in_pieces
from jupyter_mcpgen.data.references import about_repeated
from jupyter_mcpgen.data.unpacking.answers import OneTable, UnpackedTable
from jupyter_mcpgen.data.unpacking.kept import KeptTables, write_frame
from jupyter_mcpgen.model.request import ReadOptions
from jupyter_mcpgen.toolkit.layouts import Reading
from jupyter_mcpgen.toolkit.tables import load_csv_data_with_types, names_given_twice, read_as
from jupyter_mcpgen.toolkit.vendor import helpers_source

LARGE_BYTES = 1 << 26
"""A text file of this size is read in a second or more, and the Parquet file that is made of it in a tenth of that."""
TEXT_FILES = frozenset({".csv", ".tsv", ".txt", ".dat", ".tab", ".psv", ".asc", ".prn", ""})


@dataclass(frozen=True)
class SaidOfFiles:
    """What a person said of how files are written, by their content, in a folder that a later process finds again."""

    folder: Path

    def find(self, digest: str) -> ReadOptions:
        """Return what was said of a file with this content."""
        try:
            return ReadOptions.model_validate_json(self._place(digest).read_bytes())
        except (OSError, ValidationError):  # nothing was said, or by another version
            return ReadOptions()

    def keep(self, digest: str, options: ReadOptions) -> None:
        """Remember what is said of a file in place of what was said before."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._place(digest).write_text(options.model_dump_json(), encoding="utf-8")

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing was said of any file."""
        return not self.folder.is_dir()

    def _place(self, digest: str) -> Path:
        return self.folder / f"{digest}.json"


def kept_text(
    kept: KeptTables, path: Path, digest: str, options: ReadOptions, check: Callable[[Path], None]
) -> tuple[Path, UnpackedTable]:
    """Return the table of a text file with the folder it lies in, read now or before.

    `check` raises for a file that is not to be read; it is called once. Raises `ValueError` for a file that cannot be
    read, as `load_csv_data_with_types` does.
    """
    place = kept.place_of(digest, path.name, f"text {options.model_dump_json()} {reader()}")
    found = kept.find(place)
    if found is None:
        check(path)
        reading = reading_of_text(options)
        told = UnpackedTable(file="table", suffix=".parquet", notes=tuple(read_as(str(path), reading)))
        about = about_repeated(names_given_twice(str(path), reading))
        name = f"{path.stem or path.name}.parquet"

        def make(target: Path) -> None:
            # a mark that is said is held against every number of a column, so the file is read whole
            if reading.decimal is not None or not write_in_pieces(str(path), reading, target, about):
                write_frame(load_csv_data_with_types(str(path), reading=reading), target, about)

        found = kept.keep_made(place, OneTable(table=told, digest=digest), name, make)
    return place, found.table


def reading_of_text(options: ReadOptions) -> Reading:
    """Return what a person said of a text file as the reader of text files takes it."""
    told = {name: value for name, value in dict(options).items() if name in Reading._fields}
    return Reading(**{**told, "decimal": options.mark})


@cache
def reader() -> str:
    """Return what changes when the same text may be read in another way."""
    return hashlib.sha256(helpers_source().encode() + Path(large_texts.__file__).read_bytes()).hexdigest()
