"""Calls that an offered tool is tried with: those it gives as examples, and some made from the types it takes."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jupyter_mcpgen.model.offered import OfferedParameter, OfferedTool

_VALUES: Mapping[str, tuple[Any, ...]] = {
    "string": ("text", "", "Größe ✓", "x" * 1_000),
    "number": (3, 0, -1.5, 1e9),
    "integer": (3, 0, -2, 1_000_000),
    "boolean": (True, False),
    "array": ([1, 2, 3], [], [1.5, -2.0], ["a", "b"]),
    "object": ({"a": 1}, {}),
    "any": (3, "text", [1, 2, 3], None),
}
_MOST_EDGES = 10
_LONG = 20_000
"""How many elements the longest list has that a tool is tried with."""


@dataclass(frozen=True)
class ArgumentCase:
    """One call: its category, `example`, `normal`, `edge` or `stress`, and the arguments."""

    category: str
    arguments: Mapping[str, Any]

    def told(self, name: str) -> str:
        """Return the call as a person would write it, cut where it is long."""
        written = ", ".join(f"{key}={_short(value)}" for key, value in self.arguments.items())
        return f"{name}({written})"


def cases_of(offered: OfferedTool) -> tuple[ArgumentCase, ...]:
    """Return the calls to try, the examples first; of an example that is no plain call there is none."""
    examples = [a for text in offered.examples if (a := _arguments_in(text, offered)) is not None]
    usual = {p.name: _values(p)[0] for p in offered.parameters if p.required}
    edges = list(_edges(offered.parameters, usual))[:_MOST_EDGES]
    return (
        *(ArgumentCase("example", each) for each in examples),
        ArgumentCase("normal", usual),
        *(ArgumentCase("edge", each) for each in edges),
        *(ArgumentCase("stress", each) for each in _long(offered.parameters, usual)),
    )


def _edges(parameters: Sequence[OfferedParameter], usual: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    most = max((len(_values(each)) for each in parameters), default=0)
    for place in range(most):
        for each in parameters:
            values = _values(each)
            if place < len(values) and not (place == 0 and each.name in usual):
                yield {**usual, each.name: values[place]}


def _long(parameters: Sequence[OfferedParameter], usual: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    lists = [each.name for each in parameters if each.type == "array" and each.enum is None]
    if lists:
        yield {**usual, **{name: list(range(_LONG)) for name in lists}}


def _values(parameter: OfferedParameter) -> tuple[Any, ...]:
    return parameter.enum or _VALUES[parameter.type]


def _arguments_in(example: str, offered: OfferedTool) -> dict[str, Any] | None:
    """Return the arguments of a call with plain values, or None for a text that is none."""
    try:
        call = ast.parse(example.strip(), mode="eval").body
        if not isinstance(call, ast.Call) or ast.unparse(call.func) != offered.name:
            return None
        names = [each.name for each in offered.parameters]
        given = dict(zip(names, map(ast.literal_eval, call.args), strict=False))
        given |= {k.arg: ast.literal_eval(k.value) for k in call.keywords if k.arg is not None}
        json.dumps(given, allow_nan=False)
        return given
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _short(value: Any) -> str:
    written = repr(value)
    return written if len(written) <= 60 else f"{written[:57]}…"
