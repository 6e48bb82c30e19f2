"""The law of two computations, for plans over two tables: joined by keys, or one below the other."""

from __future__ import annotations

import ast

import pandas as pd
import pytest
from hypothesis import given

from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.plan.emit.pandas import emit_pandas
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.shape import generalise, shape_key
from tests.engines import arguments_of, run_duckdb, run_pandas
from tests.laws import law
from tests.strategies.two_tables import two_tables_with_plans

Case = tuple[pd.DataFrame, pd.DataFrame, Plan]


@pytest.mark.soak
@law(80)
@given(two_tables_with_plans())
def test_pandas_and_duckdb_give_the_same_table_of_two(case: Case) -> None:
    frame, other, plan = case
    before = frame.copy(deep=True), other.copy(deep=True)

    difference = first_difference(run_pandas(plan, frame, other=other), run_duckdb(plan, frame, other))

    assert difference is None, f"{plan.second}\n{emit_pandas(plan)}"
    pd.testing.assert_frame_equal(frame, before[0])
    pd.testing.assert_frame_equal(other, before[1])


@law(30)
@given(two_tables_with_plans())
def test_a_generalised_plan_over_two_tables_gives_the_same_with_its_defaults(case: Case) -> None:
    frame, other, plan = case
    shape = generalise(plan)
    defaults = arguments_of(shape)

    result = run_pandas(shape.plan, frame, defaults, other)

    assert first_difference(result, run_pandas(plan, frame, other=other)) is None
    assert shape_key(generalise(shape.bind(defaults))) == shape_key(shape)


@law(20)
@given(two_tables_with_plans())
def test_a_plan_over_two_tables_survives_the_json_round_trip(case: Case) -> None:
    *_, plan = case

    assert Plan.model_validate_json(plan.model_dump_json()) == plan


@law(20)
@given(two_tables_with_plans())
def test_code_for_two_tables_holds_no_name_or_literal_outside_a_string(case: Case) -> None:
    *_, plan = case

    tree = ast.parse(
        f"def analyze(df, other):\n    {emit_pandas(plan.with_steps(())).replace(chr(10), chr(10) + '    ')}"
    )

    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert names <= {
        "df",
        "other",
        "pd",
        "matches",
        "joined",
        "stacked",
        "known",
        "matched",
        "unmatched",
        "both",
        "summary",
        "groups",
        "table",
        "marked",
        "values",
    }
