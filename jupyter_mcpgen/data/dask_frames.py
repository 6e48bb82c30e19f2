"""Takes the rows of a Dask frame: its partitions are computed once, where Dask computes, and counted as they come.

With a client of `distributed` they are computed on its cluster and fetched as they are ready, else in this process. A
frame that becomes too large is given up at the partition that makes it so; the others are cancelled.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.data.lazy_frames import Coming, Most
from jupyter_mcpgen.errors import McpgenError, NotComputed

if TYPE_CHECKING:
    import pandas as pd

_LOOK = 0.02
"""How many seconds pass between two looks at a cluster that has nothing ready."""


def dask_as_pandas(name: str, frame: Any, most: Most, go_on: Callable[[], None]) -> pd.DataFrame:
    """Return the rows of a frame, or of a column, in the order of its partitions.

    `go_on` raises when nobody wants them any more; it is called between the steps of the computation. Raises
    `LazyTooLarge`, and `NotComputed` when the computation fails.
    """
    from dask.dataframe import methods  # deferred: it is there where such a variable is

    if frame.ndim == 1:
        frame = frame.to_frame(name if frame.name is None else frame.name)
    try:
        partitions = frame.to_delayed()
        client = _client_of(frame)
        coming = Coming(name, most)
        if client is None:
            parts = _computed_here(partitions, coming, go_on)
        else:
            parts = _computed_by(client, partitions, coming, go_on)
        rows: pd.DataFrame = methods.concat(parts) if len(parts) > 1 else parts[0]
    except McpgenError:
        raise
    except Exception as error:  # what the frame is made of may fail in any way, and so may a cluster
        raise NotComputed(name, error) from error
    return rows.reset_index(drop=True) if _is_of_places(rows, [len(part) for part in parts]) else rows


def _client_of(frame: Any) -> Any:
    """Return the client of the cluster that would compute a frame, if one would."""
    from dask.base import get_scheduler

    chosen = getattr(get_scheduler(collections=[frame]), "__self__", None)
    return chosen if type(chosen).__module__.startswith("distributed.") else None


def _computed_here(partitions: Sequence[Any], coming: Coming, go_on: Callable[[], None]) -> Sequence[pd.DataFrame]:
    import dask
    from dask.callbacks import Callback

    keys = [partition.key for partition in partitions]
    uncounted = set(keys)

    def look(key: Any, part: Any, *_: object) -> None:
        go_on()
        if key in uncounted:
            uncounted.remove(key)
            coming.add(*_size(part))

    with Callback(posttask=look):
        parts: Sequence[pd.DataFrame] = dask.compute(*partitions)
    for key, part in zip(keys, parts, strict=True):
        if key in uncounted:  # it was there already
            coming.add(*_size(part))
    return parts


def _computed_by(
    client: Any, partitions: Sequence[Any], coming: Coming, go_on: Callable[[], None]
) -> Sequence[pd.DataFrame]:
    """Fetch the partitions that a cluster computes as they are ready; what is not fetched is cancelled."""
    from distributed import as_completed

    futures = client.compute(partitions)
    parts: dict[Any, pd.DataFrame] = {}
    try:
        ready = as_completed(futures)
        while not ready.is_empty():
            go_on()
            if not ready.has_ready():
                time.sleep(_LOOK)
            for future in ready.next_batch(block=False):
                parts[future.key] = part = future.result()
                coming.add(*_size(part))
    finally:
        if client.status == "running":
            client.cancel(futures)
    return [parts[future.key] for future in futures]


def _size(part: pd.DataFrame) -> tuple[int, int]:
    return len(part), int(part.memory_usage(deep=True).sum())


def _is_of_places(rows: pd.DataFrame, lengths: Sequence[int]) -> bool:
    """Tell whether an index only counts the rows, each partition's from 0 on or all of them."""
    import numpy as np

    index = rows.index
    if index.nlevels > 1 or index.name is not None or index.dtype.kind not in "iu":
        return False
    in_each = np.concatenate([np.arange(length) for length in lengths])
    return np.array_equal(index, in_each) or np.array_equal(index, np.arange(len(rows)))
