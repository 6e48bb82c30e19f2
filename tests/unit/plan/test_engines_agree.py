"""The law that evidence rests on: the emitted pandas code and the DuckDB reference give the same table."""

from __future__ import annotations

import ast
from random import Random

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.plan.emit.duckdb import emit_duckdb
from jupyter_mcpgen.plan.emit.pandas import emit_pandas
from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.ops import Derive, SortKey
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Field, Schema
from jupyter_mcpgen.plan.shape import generalise, shape_key
from tests.engines import arguments_of, run_duckdb, run_pandas
from tests.laws import law
from tests.plans import derive, plan_of, resample, text, window
from tests.strategies.plans import tables_with_plans


@law(75)
@given(tables_with_plans())
def test_pandas_and_duckdb_give_the_same_table(case: tuple[pd.DataFrame, Plan]) -> None:
    frame, plan = case
    before = frame.copy(deep=True)

    difference = first_difference(run_pandas(plan, frame), run_duckdb(plan, frame))

    assert difference is None, f"{plan.model_dump_json(exclude={'source_schema'})}\n{emit_pandas(plan)}"
    pd.testing.assert_frame_equal(frame, before)


@law(30)
@given(tables_with_plans())
def test_a_generalised_plan_with_its_defaults_gives_the_same_table(case: tuple[pd.DataFrame, Plan]) -> None:
    frame, plan = case
    shape = generalise(plan)
    defaults = arguments_of(shape)

    assert first_difference(run_pandas(shape.plan, frame, defaults), run_pandas(plan, frame)) is None
    assert emit_duckdb(shape.bind(defaults)) == emit_duckdb(shape.bind({})) == emit_duckdb(plan)


@law(30)
@given(tables_with_plans(), st.randoms(use_true_random=False))
def test_a_shape_bound_to_other_columns_does_the_same_work_on_them(
    case: tuple[pd.DataFrame, Plan], random: Random
) -> None:
    frame, plan = case
    shape = generalise(plan)
    others = [f"other {name}" for name in frame.columns]
    random.shuffle(others)
    new = dict(zip(frame.columns, others, strict=True))
    fixed = {*frame.columns} - {name for p in shape.parameters if p.is_column for name in _names(p.default)}
    new |= {name: name for name in fixed}
    moved = frame.rename(columns=new)
    schema = Schema(fields=tuple(Field(name=new[f.name], type=f.type) for f in plan.source_schema.fields))
    arguments = {
        p.name: _renamed(p.default, new) if p.is_column else arguments_of(shape)[p.name] for p in shape.parameters
    }
    if any(name in new and new[name] != name for name in _fixed_names(shape.plan)):
        return  # a column that stays fixed in one place and is a parameter in another cannot be moved alone

    bound = shape.bind(arguments, schema)

    assert first_difference(run_pandas(shape.plan, moved, arguments), run_duckdb(bound, moved)) is None
    assert shape_key(generalise(bound)) == shape_key(shape)


def _names(default: object) -> tuple[str, ...]:
    return default if isinstance(default, tuple) else (str(default),)


def _renamed(default: object, new: dict[str, str]) -> str | list[str]:
    return [new[name] for name in default] if isinstance(default, tuple) else new[str(default)]


def _fixed_names(plan: Plan) -> set[str]:
    """Return the source columns that a generalised plan still names itself, before it makes columns of its own."""
    found: set[str] = set()

    def walk(node: object) -> None:
        if getattr(node, "parameter", None) is None:
            match node:
                case Col():
                    found.add(node.name)
                case SortKey():
                    found.add(node.column)
                case Columns():
                    found.update(node.names)
                case Derive():
                    found.add(node.name)
        for field in getattr(type(node), "model_fields", ()):
            value = getattr(node, field)
            for child in value if isinstance(value, tuple) else (value,):
                if hasattr(type(child), "model_fields"):
                    walk(child)

    for step in plan.steps:
        walk(step)
    if plan.chart is not None:
        found.update(name for name in (plan.chart.x, plan.chart.y, plan.chart.color) if name is not None)
    return found


@law(25)
@given(tables_with_plans())
def test_a_plan_survives_the_json_round_trip(case: tuple[pd.DataFrame, Plan]) -> None:
    _, plan = case

    assert Plan.model_validate_json(plan.model_dump_json()) == plan


@law(25)
@given(tables_with_plans())
def test_the_emitted_code_holds_no_name_or_literal_outside_a_string(case: tuple[pd.DataFrame, Plan]) -> None:
    _, plan = case

    tree = ast.parse(f"def analyze(df):\n    {emit_pandas(plan).replace(chr(10), chr(10) + '    ')}")

    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert names <= {
        *(
            "df",
            "pd",
            "table",
            "kept",
            "derived",
            "totals",
            "numbers",
            "quartiles",
            "words",
            "float",
            "int",
            "len",
            "value",
        ),
        *("marked", "grouped", "calendar", "every", "wide", "ordered", "values", "low", "figure", "abs"),
        *("summaries", "groups", "column", "key"),
    }
    assert not any(isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr) for node in ast.walk(tree))


def test_only_outer_spaces_are_trimmed_from_a_text() -> None:
    frame = pd.DataFrame({"kind": pd.Series([" coffee ", "juice\t", "\u3000u0009", "x y", "\x1f\u2028"], dtype="str")})
    plan = plan_of({"kind": "text"}, derive("kind", text("trim", "kind")))

    assert run_duckdb(plan, frame)["kind"].tolist() == ["coffee", "juice", "u0009", "x y", ""]
    assert run_pandas(plan, frame)["kind"].tolist() == ["coffee", "juice", "u0009", "x y", ""]


def test_a_tool_that_looks_back_over_the_periods_of_groups_keeps_what_it_is_called_with() -> None:
    days = pd.to_datetime(["2024-01-05", "2024-02-05", "2024-04-05", "2024-01-09"]).astype("datetime64[us]")
    frame = pd.DataFrame({"day": days, "shop": pd.Series(["a", "a", "a", "b"], dtype="str"), "n": [1, 2, 4, 8]})
    steps = (resample("start_of_month", "day", "sum n", by=("shop",)), window("change", "sum_n", "shop", order="month"))
    shape = generalise(plan_of({"day": "date", "shop": "text", "n": "integer"}, *steps))

    result = run_pandas(shape.plan, frame, arguments_of(shape))

    pd.testing.assert_frame_equal(result, run_duckdb(shape.plan, frame), check_dtype=False)
