"""The result of a tool: text that people and clients read, with the table and the figures behind it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Self

import pandas as pd

from jupyter_mcpgen.toolkit.values import json_rows, json_value

_SHOWN_ROWS = 50
_MARKUP = re.compile(r"(\\*)([|\[])")
_LARGEST_PLAIN = 1e15
_UNFIT_ARGUMENT = "Correct the argument named above and call the tool again."
_UNFIT_TYPE = (
    "A column holds values of a type that this cannot be computed from: name another one, of numbers where numbers "
    "are needed, and call the tool again."
)


class Report(str):
    """Markdown with a JSON footer, as a genuine `str`; the table and its figures ride along for callers in Python.

    `details` is JSON-able and holds path, columns, numeric_columns, row_count, rows_in, rows_used, without_value, notes
    and chart. `without_value` says in how many of the rows used each measured column has no value.
    """

    table: pd.DataFrame | None
    details: dict[str, Any]
    failed: bool

    def __new__(
        cls,
        text: str,
        table: pd.DataFrame | None = None,
        details: Mapping[str, Any] | None = None,
        failed: bool = False,
    ) -> Self:
        """Attach a table and its figures to a text."""
        report = super().__new__(cls, text)
        report.table = table
        report.details = dict(details or {})
        report.failed = failed
        return report

    @classmethod
    def of(
        cls,
        table: pd.DataFrame | pd.Series,
        *,
        title: str,
        source: str,
        rows_in: int,
        rows_used: int | None = None,
        without_value: Mapping[str, int] | None = None,
        notes: Sequence[str] = (),
        chart: dict[str, Any] | None = None,
    ) -> Self:
        """Report a result table, and how many of the source's rows it accounts for.

        `rows_used` is None where no one number says it. A row that is used and has no value in a measured column adds
        nothing to its figures; `without_value` counts such rows by column.
        """
        table = _as_columns(table)
        gaps = {str(name): int(count) for name, count in (without_value or {}).items() if count}
        details: dict[str, Any] = {
            "path": source,
            "columns": [str(name) for name in table.columns],
            "numeric_columns": [str(name) for name in table.select_dtypes("number").columns],
            "row_count": len(table),
            "rows_in": int(rows_in),
            "rows_used": None if rows_used is None else int(rows_used),
            "without_value": gaps,
            "notes": [str(note) for note in notes],
            "chart": json_value(chart),
        }
        footer = {name: value for name, value in details.items() if name != "chart"}
        footer["rows"] = json_rows(table, _SHOWN_ROWS)
        blocks = [f"## {_inline(title)}", _markdown_table(table), _accounting(rows_in, rows_used, gaps)]
        if notes:
            blocks.append("\n".join(f"- {_inline(note)}" for note in details["notes"]))
        return cls("\n\n".join(blocks) + _footer(footer), table, details)

    @classmethod
    def failure(cls, error: Exception, source: str) -> Self:
        """Report that there is no result: what went wrong, and what to do."""
        message = str(error) if not isinstance(error, KeyError) else f"There is no {error}."
        message = message or "No further details."
        details = {"path": source, "error": {"type": type(error).__name__, "message": message}}
        text = (
            f"## No result\n\n**{type(error).__name__}**: {_inline(message)}\n\n"
            f"Nothing was computed from `{_inline(source)}` and nothing was changed. "
            f"{_UNFIT_TYPE if isinstance(error, TypeError) else _UNFIT_ARGUMENT}"
        )
        return cls(text + _footer(details), None, details, failed=True)


def _as_columns(table: pd.DataFrame | pd.Series) -> pd.DataFrame:
    """Return a frame whose group labels are columns, not an index."""
    frame = table.to_frame() if isinstance(table, pd.Series) else table
    return frame.reset_index(drop=isinstance(frame.index, pd.RangeIndex) and frame.index.name is None)


def _footer(content: Mapping[str, Any]) -> str:
    # With every angle bracket escaped no cell can end the comment or start another one.
    text = json.dumps(json_value(content), allow_nan=False).replace("<", "\\u003c").replace(">", "\\u003e")
    return f"\n\n<!--output_json:{text}-->"


def _accounting(rows_in: int, rows_used: int | None, without_value: Mapping[str, int]) -> str:
    if rows_used is None:
        return f"{_rows(rows_in)} read."
    left_out = rows_in - rows_used
    some = f"{rows_used:,} of {_rows(rows_in)} used, {left_out:,} left out"
    used = some if left_out else f"All {_rows(rows_in)} used"
    gaps = [f"{count:,} without a value in `{_inline(name)}`" for name, count in without_value.items()]
    return f"{used}; of those used, {', '.join(gaps)}." if gaps else f"{used}."


def _rows(number: int) -> str:
    return f"{number:,} row{'' if number == 1 else 's'}"


def _markdown_table(table: pd.DataFrame) -> str:
    if table.shape[1] == 0:
        return "No columns."
    columns = [_shown_column(table.iloc[:_SHOWN_ROWS, i]) for i in range(table.shape[1])]
    aligned = ["---:" if pd.api.types.is_numeric_dtype(dtype) else "---" for dtype in table.dtypes]
    lines = [[_inline(str(name)) for name in table.columns], aligned, *zip(*columns, strict=True)]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    hidden = len(table) - _SHOWN_ROWS
    if hidden > 0:
        return f"{text}\n\n… and {hidden:,} more rows"
    return text if len(table) else f"{text}\n\nNo rows."


def _shown_column(column: pd.Series) -> list[str]:
    dates_only = (
        pd.api.types.is_datetime64_any_dtype(column.dtype) and (column.dropna() == column.dropna().dt.normalize()).all()
    )
    return [_shown(value)[: 10 if dates_only else None] for value in column.astype(object)]


def _shown(value: Any) -> str:
    plain = json_value(value)
    if plain is None:
        return "—"
    if isinstance(plain, bool):
        return "true" if plain else "false"
    if isinstance(plain, int):
        return str(plain)
    if isinstance(plain, float):
        return _shown_float(plain)
    if isinstance(value, pd.Timestamp):
        return value.isoformat(sep=" ")
    return _inline(str(plain))


def _shown_float(value: float) -> str:
    if value.is_integer() and abs(value) < _LARGEST_PLAIN:
        return str(int(value))
    return f"{value:.2f}" if 1e3 <= abs(value) < _LARGEST_PLAIN else f"{value:.6g}"


def _inline(text: str) -> str:
    """Make a text safe inside a table cell: no markup, no link or image, no line break, no column border."""
    # A backslash before the sign would escape ours, so it is doubled.
    return _MARKUP.sub(r"\1\1\\\2", " ".join(text.split()).replace("<", "&lt;"))
