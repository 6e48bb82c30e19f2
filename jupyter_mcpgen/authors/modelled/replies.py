"""What a model replied, as records: a query, a question back with options, or a refusal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jupyter_mcpgen.plan.ops import ChartKind
from jupyter_mcpgen.plan.visible import visible

_LONGEST = 1_000
MOST_OPTIONS = 5
_NEEDED = {"sql": "`sql`", "question": "`message` and `options`", "refusal": "`message`", "code": "`reading`"}


@dataclass(frozen=True)
class Query:
    """A query, what it computes in one sentence, what the question left open, and the chart that shows the result."""

    sql: str
    reading: str
    assumptions: tuple[str, ...] = ()
    chart: ChartKind | None = None


@dataclass(frozen=True)
class Back:
    """A question back; each option has its own query."""

    message: str
    options: tuple[Query, ...]


@dataclass(frozen=True)
class Refusal:
    """Why the tables do not answer the question, and what they lack."""

    message: str
    missing: tuple[str, ...]


@dataclass(frozen=True)
class NoSelect:
    """That no SELECT can compute the answer: what is to be computed in code, and what the question left open."""

    reading: str
    assumptions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unusable:
    """A reply that keeps to its form and still says nothing that can be used.

    `shows_values` says that the flaw quotes values of the data, which only some policies let a model see.
    """

    flaw: str
    shows_values: bool = False
    is_of_names: bool = False
    """True where it names a column or a table that is not there."""


def read_reply(value: Mapping[str, Any]) -> Query | Back | Refusal | NoSelect | Unusable:
    """Read a reply that keeps to `SQL_REPLY`; texts of a model are bounded and hide nothing."""
    assumptions = tuple(map(told, value["assumptions"]))
    match value["kind"]:
        case "sql" if value["sql"]:
            chart = value["chart"] if value["chart"] in list(ChartKind) else None
            return Query(value["sql"], told(value["reading"]), assumptions, chart and ChartKind(chart))
        case "question" if value["message"] and value["options"]:
            options = value["options"][:MOST_OPTIONS]
            return Back(
                told(value["message"]), tuple(Query(o["sql"], told(o["reading"]), assumptions) for o in options)
            )
        case "refusal" if value["message"]:
            return Refusal(told(value["message"]), tuple(map(told, value["missing"])))
        case "code" if value["reading"]:
            return NoSelect(told(value["reading"]), assumptions)
        case kind:
            needed = _NEEDED.get(kind, "`kind`")
            return Unusable(f"a reply of the kind `{visible(str(kind))}` needs {needed}")


def told(text: str) -> str:
    """Return a text of a model on one line, bounded, with nothing in it that does not show."""
    return visible(" ".join(text.split()))[:_LONGEST]
