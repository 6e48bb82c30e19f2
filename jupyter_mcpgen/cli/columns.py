"""How the values of one column read in a terminal: one number of decimals, one way to write dates, as on the page."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from jupyter_mcpgen.toolkit.formats import is_name
from jupyter_mcpgen.wording import in_name

MISSING = "–"
"""What stands for a missing value."""
_MOST_DECIMALS = 6
_LARGE_WHOLE = re.compile(r"-?\d{16,}")
_LARGEST_EXACT = 2.0**53
_MOMENT = re.compile(
    r"(?P<day>-?\d{4,}-\d\d-\d\d)"
    r"(?:T(?P<minute>\d\d:\d\d)(?::(?P<second>\d\d)(?:\.(?P<parts>\d+))?)?(?P<zone>Z|[+-]\d\d:?\d\d)?)?"
)
"""A date in ISO 8601, with as much of a time as it says."""


def written(name: str, kind: str, values: Sequence[Any]) -> list[str]:
    """Return the values of a column as a person writes them; `kind` is the column's type in the table."""
    write = _writer(name, kind, [value for value in values if value is not None])
    return [MISSING if value is None else write(value) for value in values]


def _writer(name: str, kind: str, values: Sequence[Any]) -> Callable[[Any], str]:
    if kind == "date":
        return _moment_writer(name, [found for value in values if (found := _MOMENT.fullmatch(str(value)))])
    if kind not in ("integer", "real"):
        return lambda value: in_name(value, kind) or str(value)
    separated = not is_name(name)
    numbers = [float(value) for value in values if isinstance(value, (int, float)) and math.isfinite(value)]
    if all(map(float.is_integer, numbers)):
        return partial(_whole, separated=separated)
    return partial(_real, decimals=_decimals(numbers), separated=separated)


def _whole(value: Any, *, separated: bool) -> str:
    if isinstance(value, str) and _LARGE_WHOLE.fullmatch(value):  # travels as text, because a number would round it
        value = int(value)
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return str(value)
    if isinstance(value, float) and abs(value) > _LARGEST_EXACT:
        return _rounded(value)
    return f"{int(value):,}" if separated else str(int(value))


def _real(value: Any, decimals: int, *, separated: bool) -> str:
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return str(value)
    if value and abs(value) < 0.5 * 10**-decimals:  # a small amount never reads as none
        return f"{value:.2g}"
    if abs(value) > _LARGEST_EXACT:
        return _rounded(value)
    return f"{value:,.{decimals}f}" if separated else f"{value:.{decimals}f}"


def _rounded(value: float) -> str:
    """Return four digits of a number so large that not all of its digits say something."""
    return re.sub(r"\.?0+e", "e", f"{value:.3e}")


def _decimals(numbers: Sequence[float]) -> int:
    """Return four digits of the largest value, at least two decimals, and no zeros that stand at every end."""
    largest = max(map(abs, numbers))
    wanted = 3 - math.floor(math.log10(largest)) if largest else 0
    most = min(max(wanted, 2), _MOST_DECIMALS)
    return max(len(f"{value:.{most}f}".rstrip("0").partition(".")[2]) for value in numbers)


def _moment_writer(name: str, moments: Sequence[re.Match[str]]) -> Callable[[Any], str]:
    """Write as much of the dates as says something: a year, a month, a day, or the time to the minute or further."""
    timed = not all(map(_is_midnight, moments))
    if not timed and moments and name.casefold().endswith("year") and all(m["day"].endswith("-01-01") for m in moments):
        return partial(_day, cut=len("-01-01"))
    if not timed and moments and name.casefold().endswith("month") and all(m["day"].endswith("-01") for m in moments):
        return partial(_day, cut=len("-01"))
    if not timed:
        return partial(_day, cut=0)
    places = max(len((m["parts"] or "").rstrip("0")) for m in moments)
    return partial(_time, seconds=places > 0 or any((m["second"] or "00") != "00" for m in moments), places=places)


def _is_midnight(moment: re.Match[str]) -> bool:
    at = (moment["minute"] or "00:00", moment["second"] or "00", (moment["parts"] or "").strip("0"), moment["zone"])
    return at == ("00:00", "00", "", None)


def _day(value: Any, cut: int) -> str:
    found = _MOMENT.fullmatch(str(value))
    return found["day"][: len(found["day"]) - cut] if found else str(value).replace("T", " ")


def _time(value: Any, *, seconds: bool, places: int) -> str:
    found = _MOMENT.fullmatch(str(value))
    if found is None:
        return str(value).replace("T", " ")
    parts = f".{(found['parts'] or '').ljust(places, '0')[:places]}" if places else ""
    second = f":{found['second'] or '00'}{parts}" if seconds else ""
    return f"{found['day']} {found['minute'] or '00:00'}{second}{found['zone'] or ''}"
