"""Which columns of its source a plan reads."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.plan.expressions import All, AnyOf, Col, Columns, Compare, IsIn, Lit, Predicate, TextMatch
from jupyter_mcpgen.plan.ops import Aggregate, Describe, Filter, SortKey
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Node


def used_columns(plan: Plan) -> frozenset[str]:
    """Return the source columns that the steps and the chart name."""
    named: set[str] = set()
    for step in plan.steps:
        named.update(names_in(step))
        if isinstance(step, Aggregate | Describe):
            break  # what comes after sees the result's columns, which may have the names of others
    else:
        named.update(drawn_columns(plan))
    return frozenset(named.intersection(plan.source_schema.names))


def drawn_columns(plan: Plan) -> tuple[str, ...]:
    """Return the columns of the result that the chart shows."""
    chart = plan.chart
    return () if chart is None else tuple(name for name in (chart.x, chart.y, chart.color) if name is not None)


def names_in(node: Node) -> Iterator[str]:
    """Yield every column that a node names."""
    match node:
        case Col():
            yield node.name
        case Columns():
            yield from node.names
        case SortKey():
            yield node.column
        case _:
            for field in type(node).model_fields:
                value = getattr(node, field)
                for child in value if isinstance(value, tuple) else (value,):
                    if isinstance(child, Node):
                        yield from names_in(child)


def wanted_values(plan: Plan) -> dict[str, list[bool | int | float | str]]:
    """Return the constants that the conditions compare each column with."""
    wanted: dict[str, list[bool | int | float | str]] = {}
    for step in plan.steps:
        if isinstance(step, Aggregate | Describe):
            break
        if isinstance(step, Filter):
            for name, value in _compared(step.predicate):
                wanted.setdefault(name, []).append(value)
    return wanted


def _compared(predicate: Predicate) -> Iterator[tuple[str, bool | int | float | str]]:
    match predicate:
        case Compare(left=Col(name=name), right=Lit(value=value)):
            yield name, value
        case IsIn():
            yield from ((predicate.operand.name, literal.value) for literal in predicate.values)
        case TextMatch():
            yield predicate.operand.name, predicate.text.value
        case All() | AnyOf():
            for term in predicate.terms:
                yield from _compared(term)
        case _:
            return
