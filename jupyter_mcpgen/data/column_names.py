"""The columns of a table file, from no more than its beginning or its footer."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet

from jupyter_mcpgen.toolkit.encodings import HEAD_BYTES, encoding_of
from jupyter_mcpgen.toolkit.layouts import layout_of

_DELIMITED = (".csv", ".tsv", ".txt")


def column_names_of(path: Path) -> tuple[str, ...]:
    """Return the names of a file's columns; none of a file that cannot be read, or only as a whole."""
    try:
        if path.suffix.casefold() in _DELIMITED:
            return tuple(layout_of(path, encoding_of(path, HEAD_BYTES)).names)
        return tuple(parquet.read_schema(path).names) if path.suffix.casefold() == ".parquet" else ()
    except (OSError, ValueError, pa.ArrowException):  # a question about the file says what is wrong with it
        return ()
