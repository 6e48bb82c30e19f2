"""Takes a table of any library as pandas, and of one that is computed no more than a run may hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pyarrow as pa

from jupyter_mcpgen.data.dask_frames import dask_as_pandas
from jupyter_mcpgen.data.lazy_frames import Coming, Most, is_dask, is_lazy
from jupyter_mcpgen.errors import DataError


def as_pandas(name: str, frame: Any, most: Most, go_on: Callable[[], None]) -> pd.DataFrame:
    """Return the rows of a variable; raises `DataError` for what is no table, is too large or cannot be computed."""
    if isinstance(frame, pd.DataFrame):
        return frame
    if isinstance(frame, pd.Series):
        return frame.to_frame(name if frame.name is None else frame.name)
    if is_dask(frame):
        return dask_as_pandas(name, frame, most, go_on)
    if is_lazy(frame):
        frame = frame.head(most.rows + 1).collect()  # its plan is run once, here
    if not hasattr(frame, "__arrow_c_stream__"):
        raise DataError(
            f"`{name}` is a `{type(frame).__name__}`, not a table. "
            "Name a pandas, polars, Dask or Arrow table, or build one with `pandas.DataFrame(...)`."
        )
    try:
        converted: pd.DataFrame = _streamed(name, frame, most).to_pandas(date_as_object=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError) as error:
        raise DataError(f"`{name}` cannot be read through Arrow: {error}. Convert it with `.to_pandas()`.") from error
    return converted


def _streamed(name: str, frame: Any, most: Most) -> pa.Table:
    """Return what a stream gives, batch by batch: a query may be behind it."""
    reader, coming, batches = pa.RecordBatchReader.from_stream(frame), Coming(name, most), []
    for batch in reader:
        coming.add(batch.num_rows, batch.nbytes)
        batches.append(batch)
    return pa.Table.from_batches(batches, reader.schema)
