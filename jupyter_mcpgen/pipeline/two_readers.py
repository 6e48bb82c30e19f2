"""Whether two readers understood the same: the same rows on the person's data and on the generated tables."""

from __future__ import annotations

from jupyter_mcpgen.authors.author import TwoReadings
from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.intent import Intent, ReadBy
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.second import Second
from jupyter_mcpgen.pipeline.generated import tables_for
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.written_reference import SqlReference
from jupyter_mcpgen.plan.shape import generalise


def settle(two: TwoReadings, request: Request, material: Material, services: Services) -> Intent | OpenQuestion:
    """Return the first reading, as that of two readers, if both give the same; else ask which one is meant."""
    if _agree(two, material.arranged(two.first), services):
        return two.first.replace(read_by=ReadBy.BOTH)
    text = f"The planner and the model read this differently: (1) {two.first.reading}, or (2) {two.second.reading}?"
    return OpenQuestion(request=request, text=text, intents=(two.first, two.second))


def _agree(two: TwoReadings, material: Material, services: Services) -> bool:
    """Tell whether both give the same rows wherever they are computed; agreement on nothing is none."""
    query = two.second.own if isinstance(two.second, Intent) else two.second.second
    if not isinstance(query, Second):
        return False
    plan = two.first.plan
    reference = SqlReference(query.sql, query.is_ordered, services)
    try:
        own = material.engine.table(plan)
        if own.empty or reference.difference_on(own, material) is not None:
            return False
        cases, shape = list(tables_for(plan, material, every_column=True).values()), generalise(plan)
        engine = Engine(cases[0].frame, cases[0].other)
        results = []
        for tables in cases:
            tables.load(engine)
            results.append(engine.table(tables.bound(shape)))
    except PlanError:
        return False
    return all(difference is None for difference in reference.differences(cases, results, material))
