"""Rows in the formats of files that other programs read."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, BinaryIO

from jupyter_mcpgen.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

MOST_EXCEL_ROWS = 1_048_575


class Form(StrEnum):
    """How rows are written; in a file, its ending says it."""

    JSON = "json"
    CSV = "csv"
    TSV = "tsv"
    PARQUET = "parquet"
    EXCEL = "xlsx"


def write_rows(frame: pd.DataFrame, form: Form, stream: BinaryIO) -> None:
    """Write all rows of a frame without its index; raises `DataError` for more rows than the format holds."""
    match form:
        case Form.JSON:
            from jupyter_mcpgen.toolkit.values import json_rows  # deferred: loads pandas

            lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in json_rows(frame, len(frame)))
            stream.write(f"[\n{lines}\n]\n".encode())
        case Form.CSV:
            frame.to_csv(stream, index=False, lineterminator="\n")
        case Form.TSV:
            frame.to_csv(stream, index=False, sep="\t", lineterminator="\n")
        case Form.PARQUET:
            frame.to_parquet(stream, index=False)
        case Form.EXCEL:
            if len(frame) > MOST_EXCEL_ROWS:
                raise DataError(f"A sheet holds {MOST_EXCEL_ROWS:,} rows, and there are {len(frame):,}. Write `.csv`.")
            frame.to_excel(stream, index=False)
