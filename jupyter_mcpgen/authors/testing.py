"""Writes `tests.py`, the tests that travel with a tool: small tables and what must come of them, for pytest alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.analysis.layout import formatted
from jupyter_mcpgen.authors.templating import environment
from jupyter_mcpgen.model.spec import DATA_PARAMETERS, ToolSpec

if TYPE_CHECKING:
    import pandas as pd

EXACT, BY_HAND = 1e-9, 1e-4
"""How far a number may be from what another engine computed, and from what was worked out by hand, as a share."""


@dataclass(frozen=True)
class Result:
    """The rows that a call must give, and how many rows of the tables they account for, where that is known."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...] | None
    """None where only the columns are known."""
    is_ordered: bool = False
    rows_in: int | None = None
    rows_used: int | None = None
    totals: Mapping[str, float] = field(default_factory=dict)
    """What the figures of a column add up to."""
    tolerance: float = EXACT


@dataclass(frozen=True)
class Call:
    """One test: a call of the tool on small tables, and its result; None where only that it runs is known."""

    name: str
    tables: tuple[pd.DataFrame, ...]
    arguments: Mapping[str, object] = field(default_factory=dict)
    result: Result | None = None


@dataclass(frozen=True)
class OwnTests:
    """What the tests of a tool check; `origin` says where the expected rows come from."""

    spec: ToolSpec
    origin: str
    calls: tuple[Call, ...]
    refused: tuple[Call, ...] = ()
    """Calls that must end in a report of what is wrong."""
    missing: str | None = None
    """A column without which the tool must refuse a table."""
    is_report: bool = True
    """False for a tool that gives a value in the place of a report with a table."""
    is_repeatable: bool = True
    leaves_files: bool = False


def write_tests(tests: OwnTests) -> str:
    """Return the text of `tests.py`; every text in it is a literal, so no name or value can become code."""
    first = tests.calls[0]
    text = (
        environment()
        .get_template("tests.py.jinja")
        .render(
            name=tests.spec.tool_name,
            tests=tests,
            first=first,
            paths=[p.name for p in tests.spec.parameters if p.name in DATA_PARAMETERS],
            types=[_types(table) for table in first.tables],
            defaults={p.name: _default(p.default) for p in tests.spec.parameters if not p.required},
            is_ordered=any(call.result is not None and call.result.is_ordered for call in tests.calls),
            compares=any(call.result is not None and call.result.rows is not None for call in tests.calls),
            has_gaps=any(_has_gaps(call, first) for call in tests.calls),
            totals={} if first.result is None else first.result.totals,
            tolerances=sorted({call.result.tolerance for call in tests.calls if call.result is not None}),
            rows=_rows,
            given=lambda call: _given(call, first),
            literal=_literal,
            exact=EXACT,
        )
    )
    return formatted(text)


def rows_of(frame: pd.DataFrame) -> tuple[tuple[Any, ...], ...]:
    """Return the rows of a table as plain values, missing ones as None and dates as ISO 8601 writes them."""
    return tuple(tuple(map(_plain, row)) for row in frame.itertuples(index=False, name=None))


def _plain(value: Any) -> Any:
    import pandas as pd  # deferred: 300 ms

    if pd.isna(value):
        return None
    if isinstance(value, pd.Timestamp):
        return value.isoformat()
    return value.item() if hasattr(value, "item") else value


def _default(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _has_gaps(call: Call, first: Call) -> bool:
    """Tell whether a value is missing where the type takes none, as in examples that leave out columns."""
    return any(
        str(known[name].dtype) in ("int64", "bool") and table[name].isna().any()
        for table, known in zip(call.tables, first.tables, strict=True)
        for name in table.columns
    )


def _types(table: pd.DataFrame) -> dict[str, str]:
    return {str(name): str(dtype) for name, dtype in table.dtypes.items()}


def _rows(table: pd.DataFrame) -> str:
    return _literal(list(rows_of(table)))


def _given(call: Call, first: Call) -> str:
    """Write the arguments of a call; the rows that are there under a name are not written again."""
    names = ("ROWS", "OTHER_ROWS")
    tables = zip(names, call.tables, first.tables, strict=False)
    told = [name if table.equals(known) else _rows(table) for name, table, known in tables]
    return ", ".join(["tmp_path", *told, *(f"{name}={_literal(value)}" for name, value in call.arguments.items())])


def _literal(value: object) -> str:
    """Write a value as Python does; numbers that have no literal are made from their name."""
    match value:
        case float() if not math.isfinite(value):
            return f'float("{value}")'
        case Mapping():
            return "{" + ", ".join(f"{_literal(key)}: {_literal(each)}" for key, each in value.items()) + "}"
        case tuple():
            return f"({', '.join(map(_literal, value))}{',' if len(value) == 1 else ''})"
        case str() | bytes():
            return repr(value)
        case Sequence():
            return "[" + ", ".join(map(_literal, value)) + "]"
        case _:
            return repr(value)
