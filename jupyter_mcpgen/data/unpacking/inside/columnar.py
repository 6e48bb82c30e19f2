"""Columnar files that the reader of tables does not take: ORC and the first Feather format, written as Parquet."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet

from .kinds import Kind
from .outcome import CannotUnpack


def columnar_as_parquet(path: Path, kind: Kind, into: Path) -> None:
    """Write the table of an ORC or Feather 1 file as Parquet; raises `CannotUnpack` for one that is broken."""
    try:
        if kind is Kind.ORC:
            _orc(path, into)
        else:
            from pyarrow import feather  # deferred: rare

            parquet.write_table(feather.read_table(path), into)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise CannotUnpack(f"it is an {kind.value.upper()} file that cannot be read ({error}).") from error


def _orc(path: Path, into: Path) -> None:
    from pyarrow import orc  # deferred: rare

    file = orc.ORCFile(path)
    with parquet.ParquetWriter(into, file.schema) as writer:
        for stripe in range(file.nstripes):
            writer.write_batch(file.read_stripe(stripe))
