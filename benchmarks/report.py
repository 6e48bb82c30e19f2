"""The table as Markdown and as JSON, with the machine and the day it was measured on."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from benchmarks.measure import Row, Times

HEAD = """| what | ours, ms (min / median) | reference | reference, ms (min / median) | ratio of minima | n |
|---|---:|---|---:|---:|---:|"""


def machine() -> str:
    """Name the machine, the Python and the day."""
    return (
        f"{os.cpu_count()} cores ({platform.machine()}), {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}, {datetime.now(UTC):%Y-%m-%d}."
    )


def as_markdown(rows: Sequence[Row]) -> str:
    """Return the table and the line below it."""
    lines = [
        f"| {row.what} | {_pair(row.ours)} | {row.reference_name} | {_pair(row.reference)} "
        f"| {row.ratio:.3g} | {len(row.ours.samples)} |"
        for row in rows
    ]
    return "\n".join([HEAD, *lines, "", machine()])


def as_json(rows: Sequence[Row]) -> dict[str, Any]:
    """Return everything that was measured, every repetition included."""
    return {
        "machine": machine(),
        "rows": [
            {
                "what": row.what,
                "ours_ms": row.ours.samples,
                "reference": row.reference_name,
                "reference_ms": row.reference.samples,
                "ratio": round(row.ratio, 4),
            }
            for row in rows
        ],
    }


def _pair(times: Times) -> str:
    return f"{_number(times.least)} / {_number(times.median)}"


def _number(milliseconds: float) -> str:
    return f"{milliseconds:,.0f}" if milliseconds >= 100 else f"{milliseconds:.3g}"
