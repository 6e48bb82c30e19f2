"""Small tables, plans and the rows that must come out, on both engines."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest

from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.shape import generalise
from tests.engines import arguments_of, run_duckdb, run_pandas
from tests.plans import plan_of, steps_of, table_of, typed

CASES = Path(__file__).parents[2] / "cases" / "rows"


@dataclass(frozen=True)
class Case:
    """A table, a plan over it and the rows expected."""

    promise: str
    frame: pd.DataFrame
    plan: Plan
    expected: pd.DataFrame


def _case(entry: dict[str, object]) -> Case:
    frame, schema = table_of(entry["table"])
    plan = plan_of(schema, *steps_of(entry["steps"]))
    return Case(entry["promise"], frame, plan, _drawn(entry["result"], plan))


def _drawn(text: str, plan: Plan) -> pd.DataFrame:
    header, *lines = text.strip().splitlines()
    names = [name.strip() for name in header.split("|")]
    assert names == list(plan.result_schema.names)
    rows = [[cell.strip() for cell in line.split("|")] for line in lines]
    return pd.DataFrame(
        {name: typed([row[i] for row in rows], plan.result_schema.type_of(name)) for i, name in enumerate(names)}
    )


def cases() -> list[Case]:
    trees = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(CASES.glob("*.toml"))]
    return [_case(entry) for tree in trees for entry in tree["case"]]


def _generalised(plan: Plan, frame: pd.DataFrame) -> pd.DataFrame:
    shape = generalise(plan)
    return run_pandas(shape.plan, frame, arguments_of(shape))


@pytest.mark.parametrize("engine", [run_pandas, run_duckdb, _generalised], ids=["pandas", "duckdb", "parameters"])
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.promise)
def test_a_plan_gives_the_rows_that_an_expert_expects(
    case: Case, engine: Callable[[Plan, pd.DataFrame], pd.DataFrame]
) -> None:
    result = engine(case.plan, case.frame)

    assert first_difference(result, case.expected) is None, f"\n{result}"
