"""The form of a plan as a model replies with it, restricted to the columns and values of one table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from jupyter_mcpgen.authors.modelled.sheet import Policy, shown_fields, shown_values
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.plan.expressions import ArithmeticOp, DateUnit
from jupyter_mcpgen.plan.ops import AggregateFunction, ChartKind
from jupyter_mcpgen.plan.visible import visible

DERIVED = ("d1", "d2", "d3")
"""What computed columns of the rows are called, so that the form can name them."""
ITSELF = "value"
TESTS = ("=", "!=", "<", "<=", ">", ">=", "in", "not in", "contains", "starts with", "ends with")
PRESENCE = ("is missing", "is not missing")
FUNCTIONS = ("count", "count_distinct", "sum", "mean", "median", "min", "max", "std", "rate", "percent")
COMPARED = ("rank", "percent_of_total", "running_total", "change", "percent_change")
_DRAWN = tuple(kind.value for kind in ChartKind if kind is not ChartKind.BOX)
_OPERATIONS = tuple(op.value for op in ArithmeticOp)
_UNITS = tuple(unit.value for unit in DateUnit)
_MOST_LISTED = 8
"""For at most so many columns the values are listed: servers limit how large a form may be."""
_TEXT: Mapping[str, Any] = {"type": "string"}
_TEXT_OR_NONE: Mapping[str, Any] = {"type": ["string", "null"]}

assert set(FUNCTIONS) <= {function.value for function in AggregateFunction}  # noqa: S101  a plan has them all


def plan_form(table: Profile, policy: Policy, question: str) -> dict[str, Any]:
    """Return the JSON Schema of a plan over a table; it holds of the values what the policy lets a prompt show."""
    columns = [visible(field.name) for field in shown_fields(table, question)]
    named = _one_of([*columns, *DERIVED])
    maybe = {"anyOf": [named, {"type": "null"}]}
    return _object(
        notes=_TEXT,
        kind=_one_of(["plan", "refusal"]),
        derive=_list(_object(name=_one_of(DERIVED), left=_TEXT, op=_one_of(_OPERATIONS + _UNITS), right=_TEXT_OR_NONE)),
        filters=_list(_filters(table, policy, columns)),
        group=_list(_object(column=named, by=_one_of((ITSELF, *_UNITS)))),
        figures=_list(
            _object(
                name=_TEXT,
                function=_one_of(FUNCTIONS),
                column=maybe,
                where_column=maybe,
                where_test={"anyOf": [_one_of(TESTS + PRESENCE), {"type": "null"}]},
                where_values=_list(_TEXT),
            )
        ),
        after=_list(_object(name=_TEXT, left=_TEXT, op=_one_of(_OPERATIONS + COMPARED), right=_TEXT_OR_NONE)),
        having=_list(_object(column=_TEXT, test=_one_of(TESTS[:6]), values=_list(_TEXT))),
        order=_list(_object(column=_TEXT, descending={"type": "boolean"})),
        limit={"type": ["integer", "null"]},
        limit_per=maybe,
        show=_list(named),
        chart={"anyOf": [_one_of(_DRAWN), {"type": "null"}]},
        reading=_TEXT,
        assumptions=_list(_TEXT),
        message=_TEXT_OR_NONE,
        missing=_list(_TEXT),
    )


def _filters(table: Profile, policy: Policy, columns: Iterable[str]) -> dict[str, Any]:
    """Return the form of a condition: for a column whose values may be shown, one of them is compared with."""
    listed = {name: values for name in columns if (values := shown_values(table, name, policy))}
    kept = dict(list(listed.items())[:_MOST_LISTED])
    rest = [name for name in (*columns, *DERIVED) if name not in kept]
    forms = [
        _object(column=_one_of([name]), test=_one_of(("=", "!=", "in", "not in", *PRESENCE)), values=_list(_one_of(v)))
        for name, v in kept.items()
    ]
    return {"anyOf": [*forms, _object(column=_one_of(rest), test=_one_of(TESTS + PRESENCE), values=_list(_TEXT))]}


def _one_of(words: Iterable[str]) -> dict[str, Any]:
    return {"type": "string", "enum": list(dict.fromkeys(words))}


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
