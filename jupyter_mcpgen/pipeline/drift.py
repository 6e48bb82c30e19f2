"""Whether the columns that a tool does not find in a table are there under other names."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.pipeline.code import shape_in
from jupyter_mcpgen.plan.schema import Schema
from jupyter_mcpgen.plan.shape import Shape
from jupyter_mcpgen.plan.slots import Parameter
from jupyter_mcpgen.plan.traits import kinds_of

_ALIKE = 0.6
"""The same likeness from which on the error of a tool asks "did you mean": difflib's own."""


def renamed(package: Package, arguments: Mapping[str, Any], tables: Sequence[Schema]) -> dict[str, Any]:
    """Return the arguments that name a table's own columns instead of those that the tool does not find in it.

    A column replaces a missing one if it has the same kind and the most similar name, and the call does not use it yet.
    The result is empty if nothing is missing, if a missing column has no replacement, if the tool would not run with
    the replacements, and for a tool without a plan, whose columns are not known.
    """
    shape = shape_in(package)
    if shape is None:
        return {}
    second = shape.plan.second
    known = [shape.plan.source_schema] if second is None else [second.first_schema, second.other_schema]
    if len(known) != len(tables):
        return {}
    parameters = [parameter for parameter in shape.parameters if parameter.is_column]
    named = [(parameter, arguments.get(parameter.name, parameter.default)) for parameter in parameters]
    wanted = dict.fromkeys((_table_of(parameter, known), name) for parameter, value in named for name in _names(value))
    there = {(place, name): name for place, name in wanted if name in tables[place].names}
    found = {}
    for place, name in wanted:
        if (place, name) not in there:
            kind = kinds_of(known[place]).get(name)
            kinds = kinds_of(tables[place]).items()
            free = [each for each, its in kinds if its == kind and (place, each) not in there]
            found[place, name] = _nearest(name, free)
    called = {**there, **{key: now for key, now in found.items() if now is not None}}
    places = {(place, now) for (place, _), now in called.items()}
    if len(called) < len(wanted) or len(places) < len(called):
        return {}  # one has no column, or a column would stand for two
    mapped = {
        parameter.name: _mapped(value, {name: called[_table_of(parameter, known), name] for name in _names(value)})
        for parameter, value in named
        if any(called[_table_of(parameter, known), name] != name for name in _names(value))
    }
    return mapped if _fits(shape, {**arguments, **mapped}, tables) else {}


def _fits(shape: Shape, arguments: Mapping[str, Any], tables: Sequence[Schema]) -> bool:
    try:
        shape.bind(arguments, *tables)
    except PlanError:
        return False  # it needs more than its parameters name
    return True


def _table_of(parameter: Parameter, known: Sequence[Schema]) -> int:
    first = next(iter(_names(parameter.default)), "")
    return next((place for place, schema in enumerate(known) if first in schema.names), 0)


def _names(value: Any) -> Iterator[str]:
    yield from map(str, value) if isinstance(value, tuple | list) else (str(value),)


def _mapped(value: Any, called: Mapping[str, str]) -> Any:
    return [called[str(name)] for name in value] if isinstance(value, tuple | list) else called[str(value)]


def _nearest(name: str, columns: Sequence[str]) -> str | None:
    """Return the column whose name is most like another one; None where none is, or several are equally."""
    letters = _letters(name)
    ratios = {each: difflib.SequenceMatcher(None, letters, _letters(each)).ratio() for each in columns}
    best = max(ratios.values(), default=0.0)
    nearest = [each for each, ratio in ratios.items() if ratio == best]
    return nearest[0] if best >= _ALIKE and len(nearest) == 1 else None


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold())
