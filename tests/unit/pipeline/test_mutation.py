"""The generated tables of a tool are held against planted faults: what they would notice, and what they would not."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest

from jupyter_mcpgen.data.synthetic import Case
from jupyter_mcpgen.model.validation import Verdict, is_sound
from jupyter_mcpgen.pipeline.generated import Tables, tables_for
from jupyter_mcpgen.pipeline.mutation import plant_faults, try_faults
from jupyter_mcpgen.plan.faults import Operator, faults_of
from jupyter_mcpgen.plan.ops import Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.shape import generalise
from tests.plans import group, limit, plan_of, sort, totals, where
from tests.sample_tables import material_for

TYPES = {"amount": "integer", "price": "real", "kind": "text", "shop": "text", "sold": "date"}
PRICES = plan_of(TYPES, group("kind", "mean price"))


def generated(plan: Plan) -> dict[Case, Tables]:
    return tables_for(plan, material_for(plan))


def standing() -> float:
    return 0.0


def running(step: float) -> Callable[[], float]:
    ticks = count()
    return lambda: next(ticks) * step


def test_every_planted_fault_of_a_mean_by_group_would_be_noticed() -> None:
    found = plant_faults(generalise(PRICES), generated(PRICES), standing, most=30)

    mutation, statistic = found.evidence()
    assert mutation.sentence == f"{found.planted} of {found.planted} planted faults would be noticed."
    assert mutation.figure == found.planted > 10
    assert statistic.sentence == "The statistic computed is the one asked for."
    assert {mutation.verdict, statistic.verdict} == {Verdict.PASSED}


def test_faults_that_no_table_shows_are_told_with_the_first_of_them_and_block_nothing() -> None:
    empty = {Case.EMPTY: generated(PRICES)[Case.EMPTY]}

    found = plant_faults(generalise(PRICES), empty, standing, most=30)

    assert [item.sentence for item in found.evidence()] == [
        f"3 of {found.planted} planted faults would be noticed. "
        "The first that would not: another statistic in step 1 (aggregate).",
        "No generated table shows another statistic in step 1 (aggregate).",
    ]
    assert is_sound(found.evidence())


def test_a_fault_that_no_generated_table_shows_is_tried_on_the_tables_of_the_own_tests() -> None:
    tables = generated(PRICES)
    empty, own = {Case.EMPTY: tables[Case.EMPTY]}, {f"own {case.value}": given for case, given in tables.items()}

    found = plant_faults(generalise(PRICES), empty, standing, most=30, small=lambda: own)

    assert found.evidence()[0].figure == found.planted
    assert "own typical" in {trial.shown_by for trial in found.tried}


def test_the_tables_of_the_own_tests_are_not_made_where_nothing_is_hidden() -> None:
    plan = plan_of(TYPES, where("amount", ">", 3))

    found = plant_faults(generalise(plan), generated(plan), standing, small=lambda: pytest.fail("made"))

    assert all(trial.shown_by is not None for trial in found.tried)


def test_faults_that_there_was_no_time_for_are_not_counted_as_tried() -> None:
    found = plant_faults(generalise(PRICES), generated(PRICES), running(0.5), most=30)

    assert 0 < len(found.tried) < found.planted
    assert all(trial.shown_by == Case.TYPICAL for trial in found.tried)
    told = f"{len(found.tried)} of {len(found.tried)} planted faults would be noticed ({found.planted} are possible)."
    assert found.evidence()[0].sentence == told


@pytest.mark.soak
def test_a_plan_with_many_faults_is_tried_with_some_of_every_operator() -> None:
    plan = plan_of(
        TYPES,
        where("amount", ">", 3),
        group(["kind", "shop"], "sum amount", "mean price", "max price"),
        sort("sum_amount desc"),
        limit(5),
    )

    found = plant_faults(generalise(plan), generated(plan), standing, most=30)

    assert len(found.tried) == 30 < found.planted
    assert {trial.fault.operator for trial in found.tried} == {fault.operator for fault in faults_of(plan)}


def test_a_plan_without_a_fault_says_nothing() -> None:
    plan = plan_of(TYPES)

    assert plant_faults(generalise(plan), generated(plan), standing, most=30).evidence() == ()


def test_faults_of_no_statistic_say_nothing_of_the_statistic() -> None:
    plan = plan_of(TYPES, where("amount", ">", 3))

    (mutation,) = plant_faults(generalise(plan), generated(plan), standing, most=30).evidence()

    assert mutation.check == "planted_faults"


def test_a_fault_that_needs_a_column_which_the_tables_lack_is_shown_by_the_first_of_them() -> None:
    faults = [fault for fault in faults_of(PRICES) if fault.operator is Operator.GROUP_COLUMN]

    tried = try_faults(generalise(PRICES), faults, {"typical": generated(PRICES)[Case.TYPICAL]})

    assert [trial.shown_by for trial in tried] == ["typical"]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("steps", [(group("kind", "sum amount"), sort("sum_amount desc")), (totals("median price"),)])
def test_a_plan_is_never_told_from_itself(steps: tuple[Step, ...]) -> None:
    plan = plan_of(TYPES, *steps)
    same = [fault.__class__(fault.operator, fault.site, plan) for fault in faults_of(plan)[:1]]

    tried = try_faults(generalise(plan), same, {case.value: given for case, given in generated(plan).items()})

    assert [trial.shown_by for trial in tried] == [None]
