"""The plans that the benchmark of planted faults draws at random are frozen: the same for everyone."""

from __future__ import annotations

import pytest

from benchmarks.drawn_plans import SEEDS, frozen
from jupyter_mcpgen.plan.faults import faults_of


@pytest.mark.parametrize("seed", SEEDS)
def test_more_than_forty_plans_of_different_steps_are_frozen_for_each_seed(seed: int) -> None:
    plans = [plan for _, plan in frozen(seed)]

    kinds = {(type(plan.second).__name__, *(step.kind for step in plan.steps)) for plan in plans}

    assert len(kinds) == len(plans) > 40
    assert all(faults_of(plan) for plan in plans)


def test_the_two_seeds_share_no_plan() -> None:
    first, second = ({plan.model_dump_json() for _, plan in frozen(seed)} for seed in SEEDS)

    assert not first & second
