"""The law that evidence rests on: the emitted pandas code and the DuckDB reference give the same table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from hypothesis import HealthCheck, given, settings

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.plan.emit.duckdb import emit_duckdb
from jupyter_mcpgen.plan.emit.pandas import emit_pandas
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.shape import generalise
from tests.strategies import tables_with_plans


def run_pandas(plan: Plan, frame: pd.DataFrame, arguments: Mapping[str, Any] | None = None) -> pd.DataFrame:
    """Run the emitted body as a function of the frame and of its parameters."""
    parameters = ", ".join(["df", *(arguments or {})])
    body = "\n".join(f"    {line}" for line in emit_pandas(plan).splitlines())
    namespace: dict[str, Any] = {"pd": pd}
    exec(f"def analyze({parameters}):\n{body}\n", namespace)  # noqa: S102  the code under test
    return namespace["analyze"](frame, **(arguments or {}))


def run_duckdb(plan: Plan, frame: pd.DataFrame) -> pd.DataFrame:
    engine = Engine(frame)
    try:
        return engine.query(emit_duckdb(plan))
    finally:
        engine.close()


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables_with_plans())
def test_pandas_and_duckdb_give_the_same_table(case: tuple[pd.DataFrame, Plan]) -> None:
    frame, plan = case
    before = frame.copy(deep=True)

    difference = first_difference(run_pandas(plan, frame), run_duckdb(plan, frame))

    assert difference is None, f"{plan.model_dump_json(exclude={'source_schema'})}\n{emit_pandas(plan)}"
    pd.testing.assert_frame_equal(frame, before)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables_with_plans())
def test_a_generalised_plan_with_its_defaults_gives_the_same_table(case: tuple[pd.DataFrame, Plan]) -> None:
    frame, plan = case
    shape = generalise(plan)
    defaults = {p.name: list(p.default) if isinstance(p.default, tuple) else p.default for p in shape.parameters}

    assert first_difference(run_pandas(shape.plan, frame, defaults), run_pandas(plan, frame)) is None
    assert emit_duckdb(shape.bind(defaults)) == emit_duckdb(plan)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables_with_plans())
def test_a_plan_survives_the_json_round_trip(case: tuple[pd.DataFrame, Plan]) -> None:
    _, plan = case

    assert Plan.model_validate_json(plan.model_dump_json()) == plan
