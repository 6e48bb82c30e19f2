"""Runs a plan on each of the engines."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import pandas as pd

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.plan.emit.pandas import emit_pandas
from jupyter_mcpgen.plan.emit.pandas_statistics import emit_imports
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.shape import Shape


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


def arguments_of(shape: Shape) -> dict[str, Any]:
    """Return the defaults of a shape as a caller would give them."""
    return {p.name: list(p.default) if isinstance(p.default, tuple) else p.default for p in shape.parameters}
