"""Which columns of its source a plan reads."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.ops import SortKey
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Node


def used_columns(plan: Plan) -> frozenset[str]:
    """Return the source columns that the steps name."""
    named = {name for step in plan.steps for name in _names(step)}
    return frozenset(named.intersection(plan.source_schema.names))


def _names(node: Node) -> Iterator[str]:
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
                        yield from _names(child)
