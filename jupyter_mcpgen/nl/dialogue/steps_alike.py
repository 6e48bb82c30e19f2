"""Whether two plans do the same: their steps, whatever they call what they make and however they join conditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from jupyter_mcpgen.plan.expressions import (
    Lit,
    terms_of,
)
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    Derive,
    Filter,
    Resample,
    Select,
    Sort,
    Step,
)
from jupyter_mcpgen.plan.ops import Limit as First
from jupyter_mcpgen.plan.ops import Window as Windowed
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Node

_N = TypeVar("_N", bound=Node)


def plain_steps(plan: Plan, exactly: bool) -> tuple[Step, ...]:
    """Return steps with their conditions one by one, and what they make called by its place.

    Not `exactly`, without the order of all groups and without what is shown of them.
    """
    found: list[Step] = []
    called: dict[str, str] = {}
    for step in plan.steps:
        plain = _renamed(step, called)
        for name in _made_by(step):
            if name not in plan.source_schema.names:
                called[name] = f"{len(called)}#"
        found += _plain(plain, step, called)
    if exactly:
        return tuple(found)
    shown = (
        found[:-1]
        if found and isinstance(found[-1], Select) and any(isinstance(step, Aggregate) for step in found)
        else found
    )
    limited = any(isinstance(step, First) for step in found)
    return tuple(step for step in shown if limited or not isinstance(step, Sort))


def _plain(plain: Step, step: Step, called: dict[str, str]) -> Iterator[Step]:
    match plain:
        case Filter(predicate=predicate):
            yield from (Filter(predicate=term) for term in terms_of(predicate))
        case Derive(name=name) | Windowed(name=name):
            yield plain.model_copy(update={"name": called.get(name, name)})
        case Aggregate() | Resample():
            own = {"name": called[step.name]} if isinstance(step, Resample) and step.name in called else {}
            names = [one.name for one in step.measures] if isinstance(step, Aggregate | Resample) else []
            labels = zip(plain.measures, names, strict=True)
            measures = tuple(one.model_copy(update={"label": called.get(name, name)}) for one, name in labels)
            yield plain.model_copy(update={"measures": measures, **own})
        case _:
            yield plain


def _made_by(step: Step) -> tuple[str, ...]:
    """Return the columns that a step makes."""
    match step:
        case Derive(name=name) | Windowed(name=name):
            return (name,)
        case Resample(name=name, measures=measures):
            return (name, *(one.name for one in measures))
        case Aggregate(measures=measures):
            return tuple(one.name for one in measures)
        case _:
            return ()


def _renamed(node: _N, called: dict[str, str]) -> _N:
    """Return a node in which columns are called otherwise; values stay as they are."""
    if isinstance(node, Lit):
        return node
    return node.model_copy(update={name: _value(getattr(node, name), called) for name in type(node).model_fields})


def _value(value: object, called: dict[str, str]) -> object:
    match value:
        case Node():
            return _renamed(value, called)
        case str() if type(value) is str:
            return called.get(value, value)
        case tuple():
            return tuple(_value(one, called) for one in value)
        case _:
            return value
