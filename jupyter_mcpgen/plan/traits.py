"""What a shape computes, in parts that can be compared with another one's without reading either plan."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from jupyter_mcpgen.plan.schema import Schema
from jupyter_mcpgen.plan.shape import Shape, constraints_key, operation_key, shape_key

TABLE = "table"
"""The form of a result that is not drawn."""


class Traits(NamedTuple):
    """Texts, each equal to another shape's where that part is the same.

    `inputs` is JSON: for each parameter that names columns its name and its default columns, each with its kind.
    """

    shape: str
    operation: str
    inputs: str
    output: str
    constraints: str


def traits_of(shape: Shape) -> Traits:
    """Return the traits of a shape."""
    kinds = kinds_of(shape.plan.source_schema)
    inputs = {
        parameter.name: {name: kinds[name] for name in _names(parameter.default) if name in kinds}
        for parameter in shape.parameters
        if parameter.is_column
    }
    chart = shape.plan.chart
    return Traits(
        shape=_digest(shape_key(shape)),
        operation=_digest(operation_key(shape)),
        inputs=json.dumps(inputs, sort_keys=True),
        output=TABLE if chart is None else chart.kind.value,
        constraints=_digest(constraints_key(shape)),
    )


def kinds_of(schema: Schema) -> dict[str, str]:
    """Return of which kind each column is; whole numbers and fractions are of one."""
    return {field.name: "number" if field.type.is_number else field.type.value for field in schema.fields}


def are_available(needed: str, asked: Traits, kinds: Mapping[str, str]) -> bool:
    """Tell whether each column that a shape takes is named by the question in the same role, or is in its table."""
    roles = columns_by_role(asked.inputs)
    return all(
        role in roles or all(kinds.get(name) == kind for name, kind in columns.items())
        for role, columns in columns_by_role(needed).items()
    )


@lru_cache(maxsize=4096)
def columns_by_role(inputs: str) -> Mapping[str, Mapping[str, str]]:
    """Return what `inputs` says; raises `ValueError` for a text that no traits have."""
    read = json.loads(inputs)
    if not isinstance(read, dict) or not all(isinstance(columns, dict) for columns in read.values()):
        raise ValueError("the inputs of a tool are columns by role")
    return read


def _names(default: bool | int | float | str | tuple[bool | int | float | str, ...]) -> tuple[str, ...]:
    return tuple(map(str, default)) if isinstance(default, tuple) else (str(default),)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
