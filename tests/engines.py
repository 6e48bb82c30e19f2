"""Runs a plan on each of the engines."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.plan.emit.narwhals import emit_narwhals
from jupyter_mcpgen.plan.emit.narwhals_engines import Below
from jupyter_mcpgen.plan.emit.pandas import emit_pandas
from jupyter_mcpgen.plan.emit.pandas_statistics import emit_imports
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.shape import Shape

ROW = "number of the row"
"""A column of no plan that numbers the rows of a frame."""


def run_pandas(
    plan: Plan, frame: pd.DataFrame, arguments: Mapping[str, Any] | None = None, other: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Run the emitted body as a function of the frame, of a second one if there is one, and of its parameters."""
    return run_pandas_body(emit_pandas(plan), "\n".join(emit_imports(plan)), frame, arguments, other)


def run_pandas_body(
    body: str, imports: str, frame: pd.DataFrame, arguments: Mapping[str, Any] | None, other: pd.DataFrame | None
) -> pd.DataFrame:
    """Run a body that was emitted for pandas, in the same way."""
    frames = {"df": frame} if other is None else {"df": frame, "other": other}
    parameters = ", ".join([*frames, *(arguments or {})])
    body = "\n".join(f"    {line}" for line in body.split("\n"))
    namespace: dict[str, Any] = {"pd": pd}
    exec(imports, namespace)  # noqa: S102  the code under test
    exec(f"def analyze({parameters}):\n{body}\n", namespace)  # noqa: S102  the code under test
    result: pd.DataFrame = namespace["analyze"](*frames.values(), **(arguments or {}))
    return result


def run_duckdb(plan: Plan, frame: pd.DataFrame, other: pd.DataFrame | None = None) -> pd.DataFrame:
    """Run the reference."""
    return reference(frame, other).table(plan)


def reference(frame: pd.DataFrame, other: pd.DataFrame | None = None) -> Engine:
    """Return the reference engine over other tables than before."""
    engine = _reference()
    engine.load(frame, other)
    return engine


@lru_cache(maxsize=1)
def _reference() -> Engine:
    return Engine(pd.DataFrame({"nothing": [0]}))


def run_narwhals(
    plan: Plan, frame: pd.DataFrame, below: Below, order: str | None = None, other: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Run the emitted body as a function of frames of the engine below; raises `NotExact` before anything runs."""
    body = emit_narwhals(plan, below, order)
    frames = [frame] if other is None else [frame, other]
    return run_body(body, *(native_frame(each.assign(**{ROW: range(len(each))}), below) for each in frames))


def run_body(body: str, *frames: object) -> pd.DataFrame:
    """Run the body of a function over one or two frames of any engine."""
    import narwhals as nw  # costs time in each process, and few run it
    import narwhals.selectors as ncs

    namespace: dict[str, Any] = {"nw": nw, "ncs": ncs, "datetime": datetime}
    code = "\n".join(f"    {line}" for line in body.split("\n"))
    exec(f"def analyze(df, other=None):\n{code}\n", namespace)  # noqa: S102  the code under test
    result: pd.DataFrame = namespace["analyze"](*frames).to_pandas()
    return result


def native_frame(frame: pd.DataFrame, below: Below) -> object:
    """Return the same rows as a frame of an engine; Dask gets them shuffled, in three partitions."""
    match below:
        case Below.PANDAS:
            return frame
        case Below.POLARS:
            import polars as pl  # costs time in each process, and few run it

            return pl.from_pandas(frame).lazy()
        case Below.DUCKDB:
            return duckdb.from_arrow(pa.Table.from_pandas(frame))
        case Below.DASK:
            import dask.dataframe as dd  # costs almost a second in each process

            shuffled = frame.sample(frac=1, random_state=0).reset_index(drop=True)
            return dd.from_pandas(shuffled, npartitions=min(3, max(1, len(frame))))


def arguments_of(shape: Shape) -> dict[str, Any]:
    """Return the defaults of a shape as a caller would give them."""
    return {p.name: list(p.default) if isinstance(p.default, tuple) else p.default for p in shape.parameters}
