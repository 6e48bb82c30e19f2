"""Runs a plan on each of the two engines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.plan.emit.pandas import emit_pandas
from jupyter_mcpgen.plan.emit.pandas_statistics import emit_imports
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.shape import Shape


def run_pandas(plan: Plan, frame: pd.DataFrame, arguments: Mapping[str, Any] | None = None) -> pd.DataFrame:
    """Run the emitted body as a function of the frame and of its parameters."""
    parameters = ", ".join(["df", *(arguments or {})])
    body = "\n".join(f"    {line}" for line in emit_pandas(plan).split("\n"))
    namespace: dict[str, Any] = {"pd": pd}
    exec("\n".join(emit_imports(plan)), namespace)  # noqa: S102  the code under test
    exec(f"def analyze({parameters}):\n{body}\n", namespace)  # noqa: S102  the code under test
    result: pd.DataFrame = namespace["analyze"](frame, **(arguments or {}))
    return result


def run_duckdb(plan: Plan, frame: pd.DataFrame) -> pd.DataFrame:
    """Run the reference."""
    engine = Engine(frame)
    try:
        return engine.table(plan)
    finally:
        engine.close()


def arguments_of(shape: Shape) -> dict[str, Any]:
    """Return the defaults of a shape as a caller would give them."""
    return {p.name: list(p.default) if isinstance(p.default, tuple) else p.default for p in shape.parameters}
