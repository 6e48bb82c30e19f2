"""Writes what a person's own table needs so that plain pandas finds in it what a tool finds in its snapshot."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.data.lazy_frames import is_dask
from jupyter_mcpgen.toolkit.columns import plain_types

if TYPE_CHECKING:
    import pandas as pd

_AS_JSON = "lambda cell: json.dumps(cell, ensure_ascii=False, default=list)"
"""How a list is written as the text that is seen of it."""


def preparation(name: str, given: Any, seen: pd.DataFrame, used: Collection[str]) -> tuple[str, ...]:
    """Return the statements that make the table `df` of the variable `name`; none where it can be used as it is.

    `seen` is the table as it was read for the question, and only its `used` columns are prepared.
    """
    import pandas as pd  # deferred: 300 ms

    expression, frame, computed = name, given, ""
    if is_dask(given):
        from dask.dataframe.utils import make_meta  # deferred: it is there where such a variable is

        frame = given = make_meta(given)  # a frame of the same types without rows
        computed = ".compute()"
    if isinstance(given, pd.Series):
        frame = given.to_frame(name if given.name is None else given.name)
        expression = f"{name}.to_frame({frame.columns[0]!r})"
    elif not isinstance(given, pd.DataFrame):
        lazy = ".collect()" if not hasattr(given, "__arrow_c_stream__") else ""
        expression, frame = f"{name}{lazy}.to_pandas()", None
    expression += computed
    if frame is not None and (computed or not isinstance(frame.index, pd.RangeIndex)):
        kept = len(seen.columns) > frame.shape[1]
        expression += ".reset_index()" if kept else ".reset_index(drop=True)"
        frame = frame.reset_index(drop=not kept)
    names = list(map(str, seen.columns))
    if frame is None:
        return (f"df = {expression}",)
    columns = [] if list(frame.columns) == names else [f"df.columns = {names!r}"]
    if columns:
        frame = frame.set_axis(names, axis="columns")
    types = [f"df[{column!r}] = {value}" for column, value in _typed(frame, seen, used)]
    if expression == name and not columns and not types:
        return ()
    imports = ["import json"] if any(_AS_JSON in line for line in types) else []
    start = f"df = {expression}" if expression != name or not (columns or types) else f"df = {name}.copy()"
    return (*imports, start, *columns, *types)


def _typed(frame: pd.DataFrame, seen: pd.DataFrame, used: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each used column whose values are of another type, and how to write it in the type that was seen."""
    import pandas as pd
    from pandas.api.types import is_datetime64_any_dtype, is_object_dtype, is_timedelta64_dtype

    plain = plain_types(frame[[name for name in frame.columns if name in used]])
    for name in plain.columns:
        own, wanted = frame[name].dtype, seen[name].dtype
        column = f"df[{name!r}]"
        if is_datetime64_any_dtype(wanted):
            if not is_datetime64_any_dtype(own):
                yield name, f"pd.to_datetime({column})"
            elif getattr(own, "tz", None) is not None:
                yield name, f"{column}.dt.tz_localize(None)"
        elif is_timedelta64_dtype(own):
            yield name, f"{column}.dt.total_seconds()"
        elif is_object_dtype(own) and _holds_lists(frame[name]):
            yield name, f'{column}.map({_AS_JSON}, na_action="ignore")'
        elif isinstance(own, pd.CategoricalDtype | pd.ArrowDtype) or is_object_dtype(own):
            yield name, f'{column}.astype("{wanted}")'


def _holds_lists(column: pd.Series) -> bool:
    """Tell whether every value of a column is a list, which is seen as its text in JSON."""
    import numpy as np  # deferred as pandas is

    values = column.dropna()
    return bool(len(values)) and all(isinstance(value, list | tuple | dict | np.ndarray) for value in values)
