"""Whether two readers understood the same: the same rows on the person's data and on the generated tables."""

from __future__ import annotations

from enum import Enum, auto

from jupyter_mcpgen.authors.author import NearForms, TwoReadings
from jupyter_mcpgen.errors import PlanError, SandboxError
from jupyter_mcpgen.model.intent import Intent, ReadBy
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.second import NoSecond, PlannedSecond
from jupyter_mcpgen.model.written import Understood
from jupyter_mcpgen.pipeline.agreement import same_rows
from jupyter_mcpgen.pipeline.election import is_ordered, rows_everywhere
from jupyter_mcpgen.pipeline.generated import tables_for
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.options import option_of
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.written_reference import Rows


def settle(two: TwoReadings, request: Request, material: Material, services: Services) -> Intent | OpenQuestion:
    """Return the first reading, as that of two readers, if both give the same; else ask which one is meant.

    A first reading that itself rests on one of the model has no second reader.
    """
    first, second = two.first, told_apart(two)
    if is_same(two, material.arranged(first), services):
        return first if first.read_by is ReadBy.MODEL else first.replace(read_by=ReadBy.BOTH)
    text = f"The planner and the model read this differently: (1) {first.reading}, or (2) {second.reading}?"
    results = (option_of(first, material, services), option_of(second, material, services))
    return OpenQuestion(request=request, text=text, intents=(first, second), results=results)


def settle_forms(near: NearForms, request: Request, material: Material, services: Services) -> Intent | OpenQuestion:
    """Return the first of readings over different rows of a table where all give the same; else ask which is meant."""
    first, *others = near.readings
    if all(is_same(TwoReadings(first, other), material.arranged(first), services) for other in others):
        return first
    lines = "; ".join(f"({number}) {each.reading}" for number, each in enumerate(near.readings, 1))
    text = f"This can be read in {len(near.readings)} ways: {lines}. Which one do you mean?"
    return OpenQuestion(request=request, text=text, intents=near.readings)


def told_apart(two: TwoReadings) -> Understood:
    """Return the second reading, by words of its own where both are said alike."""
    if two.second.reading != two.first.reading:
        return two.second
    return two.second.replace(reading=f"{two.second.reading} (as the model read it)")


class Sameness(Enum):
    """What the rows say of two readings."""

    SAME = auto()
    DIFFERENT = auto()
    UNKNOWN = auto()
    """Not every reading could be computed everywhere, and where both could, they gave the same."""


def is_same(two: TwoReadings, material: Material, services: Services) -> bool:
    """Tell whether both give the same rows wherever they are computed; agreement on nothing is none."""
    return sameness(two, material, services) is Sameness.SAME


def sameness(two: TwoReadings, material: Material, services: Services) -> Sameness:
    """Compare the rows of both wherever they are computed; two that cannot be computed are not called different."""
    second = two.second.own or two.second if isinstance(two.second, Intent) else two.second.second
    if isinstance(second, NoSecond | PlannedSecond):
        return Sameness.UNKNOWN
    try:
        given = list(tables_for(two.first.plan, material, every_column=True).values())
        mine = rows_everywhere(two.first, given, material, services)
        if mine[0].table is None or mine[0].table.empty:
            return Sameness.UNKNOWN
        theirs = rows_everywhere(second, given, material, services)
    except (PlanError, SandboxError):
        return Sameness.UNKNOWN
    found = {_same(one, other, is_ordered=is_ordered(second)) for one, other in zip(mine, theirs, strict=False)}
    if Sameness.DIFFERENT in found:
        return Sameness.DIFFERENT
    return Sameness.UNKNOWN if Sameness.UNKNOWN in found else Sameness.SAME


def _same(one: Rows, other: Rows, *, is_ordered: bool) -> Sameness:
    if one.table is None or other.table is None:
        return Sameness.UNKNOWN
    is_one = same_rows(one.table, other.table, is_ordered=is_ordered) is None
    return Sameness.SAME if is_one else Sameness.DIFFERENT
