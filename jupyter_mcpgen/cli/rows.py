"""All rows of an answer as data: alone on standard output, or in a file."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_mcpgen.data.rows_file import Form, write_rows
from jupyter_mcpgen.verbs.words import UsageError

if TYPE_CHECKING:
    import pandas as pd

WRITES_EXCEL = ("openpyxl", "xlsxwriter")
"""Packages that pandas writes Excel files with; none of them comes with this product."""


@dataclass(frozen=True)
class Rows:
    """Where the rows of an answer go: to a file, or to standard output where there is none."""

    form: Form
    file: Path | None = None

    def write(self, frame: pd.DataFrame) -> str:
        """Write all rows and say so; a file is replaced as a whole or stays as it was."""
        if self.file is None:
            write_rows(frame, self.form, sys.stdout.buffer)
            sys.stdout.buffer.flush()
            return f"{_counted(frame)} written."
        handle, temporary = tempfile.mkstemp(dir=self.file.parent, prefix=f".{self.file.name}-")
        try:
            with os.fdopen(handle, "wb") as stream:
                write_rows(frame, self.form, stream)
            Path(temporary).chmod(0o666 & ~_umask())
            Path(temporary).replace(self.file)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        return f"{_counted(frame)} written to `{self.file}`."


def take_rows(words: Sequence[str], excel: bool | None = None) -> tuple[Rows | None, list[str]]:
    """Take `--json`, `--csv` or `--output FILE` out of a question or a call; raises `UsageError` for a wrong one."""
    wanted: list[Rows] = []
    rest: list[str] = []
    waiting = iter(words)
    for word in waiting:
        name, _, value = word.partition("=")
        if word in ("--json", "--csv"):
            wanted.append(Rows(Form(word.removeprefix("--"))))
        elif name == "--output":
            wanted.append(_file(value or next(waiting, ""), _can_write_excel() if excel is None else excel))
        else:
            rest.append(word)
    if len(wanted) > 1:
        raise UsageError("Give only one of `--json`, `--csv` and `--output FILE`.")
    return (wanted[0], rest) if wanted else (None, rest)


def _file(name: str, excel: bool) -> Rows:
    if not name:
        raise UsageError("`--output` needs the name of a file after it, such as `--output rows.csv`.")
    path = Path(name).expanduser()
    form = next((each for each in Form if path.suffix.lower() == f".{each}"), None)
    if form is None or (form is Form.EXCEL and not excel):
        more = ", and `.xlsx`" if excel else f"; `.xlsx` needs the package `{WRITES_EXCEL[0]}`"
        raise UsageError(f"`{name}` cannot be written. A file ends in `.csv`, `.json` or `.parquet`{more}.")
    if path.is_dir():
        raise UsageError(f"`{name}` is a folder. Name a file in it.")
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder `{path.parent}` to write `{path.name}` to.")
    return Rows(form, path)


def _can_write_excel() -> bool:
    return any(find_spec(package) is not None for package in WRITES_EXCEL)


def _counted(frame: pd.DataFrame) -> str:
    return "1 row" if len(frame) == 1 else f"{len(frame):,} rows"


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
