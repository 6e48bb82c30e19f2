"""The faults of a second table: another kind of join, a wrong or a dropped key, and wrong figures of its rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.plan.columns import columns_of_figures
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.fault_operators import Operator, Scope
from jupyter_mcpgen.plan.faults_of_values import changes_in
from jupyter_mcpgen.plan.ops import Measure
from jupyter_mcpgen.plan.schema import Schema
from jupyter_mcpgen.plan.sources import Join, JoinKind, KeyPair, Second, Summary, Union

_KINDS = {kind.adds_columns: [k for k in JoinKind if k.adds_columns == kind.adds_columns] for kind in JoinKind}


def second_changes(second: Second, read: frozenset[str]) -> Iterator[tuple[Operator, str, Second]]:
    """Yield a second table that comes in with one fault; `read` are the columns of the first that a plan reads."""
    for operator, site, update in _updates(second, read):
        fields: dict[str, Any] = {name: getattr(second, name) for name in type(second).model_fields}
        try:
            yield operator, site, type(second)(**fields | update)
        except PlanError:
            continue  # it does not fit the columns, so it is no fault that code could have


def _updates(second: Second, read: frozenset[str]) -> Iterator[tuple[Operator, str, dict[str, Any]]]:
    if isinstance(second, Union):
        return
    if isinstance(second, Join):
        for how in _KINDS[second.how.adds_columns]:
            if how is not second.how:
                yield Operator.JOIN_KIND, "join", {"how": how}
    for site, keys in _key_changes(second, read):
        yield Operator.JOIN_KEY, site, {"keys": keys}
    if isinstance(second, Summary):
        yield from _figure_changes(second)


def _key_changes(second: Join | Summary, read: frozenset[str]) -> Iterator[tuple[str, tuple[KeyPair, ...]]]:
    for place, pair in enumerate(second.keys):
        before, after = second.keys[:place], second.keys[place + 1 :]
        if before or after:
            yield f"key {place + 1}", (*before, *after)
        for other in _others(second.first_schema, pair.first.name, read):
            yield f"key {place + 1}, first", (*before, KeyPair(first=Col(name=other), second=pair.second), *after)
        for other in _others(second.other_schema, pair.second.name, read):
            yield f"key {place + 1}, second", (*before, KeyPair(first=pair.first, second=Col(name=other)), *after)


def _others(schema: Schema, name: str, read: frozenset[str]) -> Iterator[str]:
    return Scope(schema, read).others(name)


def _figure_changes(second: Summary) -> Iterator[tuple[Operator, str, dict[str, Any]]]:
    read = frozenset(column.name for column in columns_of_figures(second))
    scope = Scope(second.other_schema, read | {pair.second.name for pair in second.keys})
    for place, measure in enumerate(second.measures):
        before, after = second.measures[:place], second.measures[place + 1 :]
        for change in changes_in(measure, scope):
            measures = (*before, cast("Measure", change.node), *after)
            yield change.operator, f"figure {place + 1}", {"measures": measures}
