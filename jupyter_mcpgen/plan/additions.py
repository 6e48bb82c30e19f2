"""What a person can add to a plan: a condition on its rows, an order of its result, a limit."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from enum import StrEnum

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.plan.expressions import All, Col, Compare, CompareOp, Lit
from jupyter_mcpgen.plan.ops import CUTS, Filter, Limit, Sort, SortKey
from jupyter_mcpgen.plan.parts import LARGEST, SMALLEST, order_at_end
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType


class Addition(StrEnum):
    """What can be added; the value is the key that it is named by."""

    CONDITION = "new_condition"
    ORDER = "new_order"
    LIMIT = "new_limit"


_SIGNS = {"=": CompareOp.EQ, "≠": CompareOp.NE, "≥": CompareOp.GE, "≤": CompareOp.LE}
_COMPARISONS: dict[str, CompareOp] = {**{op.value: op for op in CompareOp}, **_SIGNS}
_DIRECTIONS = (LARGEST, SMALLEST)


def additions_to(plan: Plan) -> tuple[Addition, ...]:
    """Return what can be added to a plan: a result in an order may be limited, any other may be ordered."""
    if any(isinstance(step, CUTS) for step in plan.steps):
        return (Addition.CONDITION,)
    return (Addition.CONDITION, Addition.ORDER if order_at_end(plan) is None else Addition.LIMIT)


def choices_to_add(plan: Plan, addition: Addition) -> tuple[str, ...]:
    """Return the columns of a condition, or the orders that a result may have; a limit is a number."""
    match addition:
        case Addition.CONDITION:
            return plan.table_schema.names
        case Addition.ORDER:
            return tuple(f"{name}, {way}" for name in plan.result_schema.names for way in _DIRECTIONS)
        case Addition.LIMIT:
            return ()


def added(plan: Plan, addition: Addition, text: str) -> Plan:
    """Return a plan with a condition such as `pier = Ness`, an order such as `tons, largest first`, or a limit.

    Raises `PlanError` for a text that says none.
    """
    match addition:
        case Addition.CONDITION:
            return _with_condition(plan, _condition(plan, text))
        case Addition.ORDER:
            return plan.with_steps((*plan.steps, Sort(keys=(_order(plan, text),))), plan.chart)
        case Addition.LIMIT:
            if re.fullmatch(r"\s*0*[1-9][0-9]{0,9}\s*", text) is None:
                raise PlanError(f"`{text}` is not a number of rows.")
            return plan.with_steps((*plan.steps, Limit(count=int(text))), plan.chart)


def _with_condition(plan: Plan, condition: Compare) -> Plan:
    match plan.steps[len(plan.reshaping) :]:
        case (Filter(predicate=All(terms=terms)), *rest):
            first = Filter(predicate=All(terms=(*terms, condition)))
        case (Filter(predicate=predicate), *rest):
            first = Filter(predicate=All(terms=(predicate, condition)))
        case rest:
            first = Filter(predicate=condition)
    return plan.with_steps((*plan.reshaping, first, *rest), plan.chart)


def _condition(plan: Plan, text: str) -> Compare:
    for name, sign, value in _split(plan, text):
        kind = plan.table_schema.type_of(name)
        return Compare(op=_COMPARISONS[sign], left=Col(name=name), right=Lit(value=_constant(value, kind), type=kind))
    raise PlanError(f"`{text}` is not a condition. Write a column, a comparison and a value, such as `pier = Ness`.")


def _split(plan: Plan, text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the ways to read a text as a condition, the longest column first."""
    signs = "|".join(map(re.escape, sorted(_COMPARISONS, key=len, reverse=True)))
    for name in sorted(plan.table_schema.names, key=len, reverse=True):
        found = re.fullmatch(rf"\s*{re.escape(name)}\s*({signs})\s*(.+?)\s*", text, re.DOTALL)
        if found:
            yield name, found[1], found[2]


def _constant(text: str, kind: ColumnType) -> bool | int | float | str:
    """Return what is compared with, of the type of the column; `Lit` refuses what is of another."""
    if kind in (ColumnType.TEXT, ColumnType.DATE):
        return text
    try:
        value = json.loads(text.lower() if kind is ColumnType.BOOLEAN else text.replace(",", ""))
    except ValueError:
        return text
    return value if isinstance(value, bool | int | float) and math.isfinite(value) else text


def _order(plan: Plan, text: str) -> SortKey:
    name, _, way = text.rpartition(", ")
    if way not in _DIRECTIONS or name not in plan.result_schema.names:
        raise PlanError(f"`{text}` is not an order of this result. Write one such as `tons, {LARGEST}`.")
    return SortKey(column=name, descending=way == LARGEST)
