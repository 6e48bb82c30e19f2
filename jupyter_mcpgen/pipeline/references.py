"""Which reference a draft is held against: the one place that asks what kind of draft it is."""

from __future__ import annotations

from typing import assert_never

from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.second import NoSecond, PlannedSecond, Second
from jupyter_mcpgen.pipeline.draft import Draft, PlannedDraft, WrittenDraft
from jupyter_mcpgen.pipeline.plan_reference import PlanReference
from jupyter_mcpgen.pipeline.reference import Reference
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.written_reference import NoReference, SqlReference
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.shape import Shape


def reference_of(draft: Draft, services: Services) -> Reference:
    """Return what computes the answer of a draft a second time."""
    match draft:
        case PlannedDraft(intent=intent, contract=contract):
            return plan_reference(contract.shape.plan, contract.shape, intent, services)
        case WrittenDraft(intent=intent, contract=written):
            match intent.second:
                case Second(sql=sql, is_ordered=is_ordered):
                    return SqlReference(sql, is_ordered, services, intent.chart, written.spec.parameters)
                case PlannedSecond(shape=shape):
                    kept = {parameter.name for parameter in written.spec.parameters}
                    parameters = tuple(parameter for parameter in shape.parameters if parameter.name in kept)
                    return PlanReference(shape.plan, Shape(plan=shape.plan, parameters=parameters), is_of_edit=True)
                case NoSecond(reason=reason):
                    return NoReference(reason, intent.chart, written.spec.parameters)
                case _:
                    assert_never(intent.second)
        case _:
            assert_never(draft)


def plan_reference(plan: Plan, shape: Shape, intent: Intent, services: Services) -> PlanReference:
    """Return a plan as a reference, beside the query that it was read from, if a model or a person wrote one."""
    if intent.own is None:
        return PlanReference(plan, shape)
    query = SqlReference(intent.own.sql, intent.own.is_ordered, services)
    return PlanReference(plan, shape, query, intent.own.ordered_by)
