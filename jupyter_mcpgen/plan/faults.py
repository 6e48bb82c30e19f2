"""Plants faults in a plan: every plan that differs in one thing that somebody who writes code could get wrong.

A fault is typed rewriting of nodes, so it is a valid plan over the same table, and what it makes is called as before:
code with such a fault gives a table that looks right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.plan.columns import used_columns
from jupyter_mcpgen.plan.fault_operators import STATISTICS as STATISTICS
from jupyter_mcpgen.plan.fault_operators import Operator as Operator
from jupyter_mcpgen.plan.fault_operators import Scope
from jupyter_mcpgen.plan.faults_of_sources import second_changes
from jupyter_mcpgen.plan.faults_of_steps import step_changes
from jupyter_mcpgen.plan.ops import Step
from jupyter_mcpgen.plan.plan import Plan


@dataclass(frozen=True)
class Fault:
    """A plan with one planted fault: what is wrong, and where."""

    operator: Operator
    site: str
    plan: Plan

    @property
    def is_of_statistic(self) -> bool:
        """True where nothing but the statistic is another one."""
        return self.operator in STATISTICS


def faults_of(plan: Plan) -> tuple[Fault, ...]:
    """Return every planted fault at every place of a plan, each plan once; what is no valid plan is no fault."""
    found: dict[Plan, Fault] = {}
    for fault in (*_in_second(plan), *_in_steps(plan)):
        found.setdefault(plan.with_steps(fault.plan.steps) if fault.plan.second == plan.second else fault.plan, fault)
    found.pop(plan.with_steps(plan.steps), None)
    return tuple(found.values())


def _in_second(plan: Plan) -> Iterator[Fault]:
    if plan.second is None:
        return
    for operator, site, second in second_changes(plan.second, used_columns(plan)):
        try:
            yield Fault(operator, site, plan.over(second))
        except PlanError:
            continue  # a later step does not fit


def _in_steps(plan: Plan) -> Iterator[Fault]:
    used, source = used_columns(plan), frozenset(plan.source_schema.names)
    for place, step in enumerate(plan.steps):
        schema = plan.schema_at(place)
        made = frozenset(name for name in schema.names if name not in source)
        present = frozenset(name for before in plan.reshaping[:place] for name in before.present)
        for change in step_changes(step, Scope(schema, used | made, present)):
            changed = _replaced(plan, place, change.steps)
            if changed is not None:
                where = f"step {place + 1} ({step.kind})"
                yield Fault(change.operator, f"{where}, {change.site}" if change.site else where, changed)


def _replaced(plan: Plan, place: int, steps: tuple[Step, ...]) -> Plan | None:
    every = (*plan.steps[:place], *steps, *plan.steps[place + 1 :])
    return plan.tried(every, plan.chart) or plan.tried(every)
