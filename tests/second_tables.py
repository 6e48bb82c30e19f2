"""A short way to write how a second table comes in, for tests and for case files."""

from __future__ import annotations

from collections.abc import Callable

from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.ops import Measure, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Schema
from jupyter_mcpgen.plan.sources import Join, JoinKind, KeyPair, Relation, Second, Summary, Union
from tests.plans import totals

Way = Callable[[Schema, Schema], Second]


def join(other: str, *keys: str, how: str = "left", relation: str = "many_to_many") -> Way:
    """Join by keys, each written `id`, or `customer_id = id` where the names differ."""

    def way(first: Schema, second: Schema) -> Join:
        return Join(
            other=other,
            first_schema=first,
            other_schema=second,
            keys=tuple(map(_pair, keys)),
            how=JoinKind(how),
            relation=Relation(relation),
        )

    return way


def _pair(text: str) -> KeyPair:
    first, _, second = text.partition(" = ")
    return KeyPair(first=Col(name=first), second=Col(name=second or first))


def union(other: str) -> Way:
    """Put the rows of another table below."""
    return lambda first, second: Union(other=other, first_schema=first, other_schema=second)


def summary(other: str, *keys: str, of: tuple[str, ...], relation: str = "many_to_one") -> Way:
    """Put figures of another table beside the rows of the first, each written `sum amount`, or `count = orders`."""

    def way(first: Schema, second: Schema) -> Summary:
        return Summary(
            other=other,
            first_schema=first,
            other_schema=second,
            keys=tuple(map(_pair, keys)),
            measures=tuple(map(_labelled, of)),
            relation=Relation(relation),
        )

    return way


def _labelled(text: str) -> Measure:
    figure, _, label = text.partition(" = ")
    return totals(figure).measures[0].model_copy(update={"label": label or None})


def way_of(text: str) -> Way:
    """Return what a case file writes as a call of a builder above."""
    return eval(text, {"__builtins__": {}}, {"join": join, "union": union, "summary": summary})  # noqa: S307  our own case files


def plan_over(source: str, second: Second, *steps: Step) -> Plan:
    """Return a plan over two tables."""
    return Plan(source=source, source_schema=second.schema_, second=second, steps=steps)
