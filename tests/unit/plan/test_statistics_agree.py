"""The law for statistics: scipy's figures and those of the reference, by other routes, are the same."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest
from hypothesis import given

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.plan.emit.duckdb import emit_duckdb
from jupyter_mcpgen.plan.emit.pandas import emit_pandas
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Schema
from jupyter_mcpgen.plan.shape import generalise
from jupyter_mcpgen.plan.statistics import Anova, Statistic
from tests.engines import arguments_of, run_pandas
from tests.laws import law
from tests.statistic_plans import EVERY_KIND, SCHEMA, samples_with_statistics, usual_sample


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """One reference engine for all tables: starting one takes longer than a query."""
    one = Engine(pd.DataFrame({"none": []}))
    yield one
    one.close()


@pytest.mark.filterwarnings("ignore:Precision loss:RuntimeWarning")
@law(50)
@given(case=samples_with_statistics())
def test_scipy_and_the_reference_give_the_same_figures(engine: Engine, case: tuple[pd.DataFrame, Plan]) -> None:
    frame, plan = case
    before = frame.copy(deep=True)
    engine.load(frame)

    difference = first_difference(run_pandas(plan, frame), engine.table(plan))

    assert difference is None, f"{plan.steps}\n{emit_pandas(plan)}\n{emit_duckdb(plan)}"
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.filterwarnings("ignore:Precision loss:RuntimeWarning")
@law(20)
@given(case=samples_with_statistics())
def test_a_generalised_statistic_with_its_defaults_gives_the_same_figures(case: tuple[pd.DataFrame, Plan]) -> None:
    frame, plan = case
    shape = generalise(plan)
    defaults = arguments_of(shape)

    assert first_difference(run_pandas(shape.plan, frame, defaults), run_pandas(plan, frame)) is None
    assert emit_duckdb(shape.bind(defaults)) == emit_duckdb(plan)


@pytest.mark.filterwarnings("ignore:Precision loss:RuntimeWarning")
@law(20)
@given(case=samples_with_statistics())
def test_a_figure_that_is_not_defined_is_explained(case: tuple[pd.DataFrame, Plan]) -> None:
    frame, plan = case

    result = run_pandas(plan, frame)

    if "finding" in result and "p_value" in result:
        silent = result["p_value"].isna() & ~result["finding"].str.startswith("not defined")
        assert not silent.any(), result


@pytest.mark.one_in(4)
@pytest.mark.parametrize("step", EVERY_KIND, ids=lambda step: f"{step.kind} {getattr(step, 'test', '')}".strip())
def test_every_statistic_is_defined_and_agrees_on_usual_samples(engine: Engine, step: Statistic) -> None:
    plan = Plan(source="t", source_schema=SCHEMA, steps=(step,))

    for seed in range(8):
        frame = usual_sample(seed)
        engine.load(frame)
        result = run_pandas(plan, frame)
        assert first_difference(result, engine.table(plan)) is None, seed
        assert "finding" not in result or not result["finding"].str.startswith("not defined").any()


def test_groups_of_equal_means_have_a_p_value_of_1(engine: Engine) -> None:
    # scipy's statistic of these is a little below 0, and its p-value is missing
    sample = [value * 0.7 for value in (9811.1, *[0.1] * 49)]
    frame = pd.DataFrame({"size": sample * 4, "kind": [kind for kind in "abcd" for _ in sample]})
    schema = Schema(fields=tuple(field for field in SCHEMA.fields if field.name in frame.columns))
    step = Anova(value=Col(name="size"), group=Col(name="kind"), post_hoc=True)
    plan = Plan(source="t", source_schema=schema, steps=(step,))
    engine.load(frame)

    result = run_pandas(plan, frame)

    assert result["p_value"].tolist() == pytest.approx([1.0] * 7)
    assert first_difference(result, engine.table(plan)) is None
