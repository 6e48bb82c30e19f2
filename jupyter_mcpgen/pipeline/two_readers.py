"""Whether two readers understood the same: the same rows on the person's data and on the generated tables."""

from __future__ import annotations

from jupyter_mcpgen.authors.author import TwoReadings
from jupyter_mcpgen.errors import PlanError, SandboxError
from jupyter_mcpgen.model.intent import Intent, ReadBy
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.second import NoSecond
from jupyter_mcpgen.pipeline.agreement import same_rows
from jupyter_mcpgen.pipeline.election import is_ordered, rows_everywhere
from jupyter_mcpgen.pipeline.generated import tables_for
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.written_reference import Rows


def settle(two: TwoReadings, request: Request, material: Material, services: Services) -> Intent | OpenQuestion:
    """Return the first reading, as that of two readers, if both give the same; else ask which one is meant."""
    if _agree(two, material.arranged(two.first), services):
        return two.first.replace(read_by=ReadBy.BOTH)
    text = f"The planner and the model read this differently: (1) {two.first.reading}, or (2) {two.second.reading}?"
    return OpenQuestion(request=request, text=text, intents=(two.first, two.second))


def _agree(two: TwoReadings, material: Material, services: Services) -> bool:
    """Tell whether both give the same rows wherever they are computed; agreement on nothing is none."""
    second = two.second.own or two.second if isinstance(two.second, Intent) else two.second.second
    if isinstance(second, NoSecond):
        return False
    try:
        given = list(tables_for(two.first.plan, material, every_column=True).values())
        mine = rows_everywhere(two.first, given, material, services)
        if mine[0].table is None or mine[0].table.empty:
            return False
        theirs = rows_everywhere(second, given, material, services)
    except (PlanError, SandboxError):
        return False
    return all(_same(one, other, is_ordered=is_ordered(second)) for one, other in zip(mine, theirs, strict=False))


def _same(one: Rows, other: Rows, *, is_ordered: bool) -> bool:
    return (
        one.table is not None
        and other.table is not None
        and same_rows(one.table, other.table, is_ordered=is_ordered) is None
    )
