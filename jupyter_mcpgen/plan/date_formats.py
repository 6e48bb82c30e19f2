"""How the texts of a column write dates: in one format for all of them, as `strptime` names its parts."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import field_validator

from jupyter_mcpgen.errors import WrongType
from jupyter_mcpgen.plan.moments import OFFSET, ZONE, Clock
from jupyter_mcpgen.plan.month_names import GERMAN_MONTHS
from jupyter_mcpgen.plan.schema import Node
from jupyter_mcpgen.plan.syntax import Syntax

_PART = re.compile(r"%[a-zA-Z]|[^%]+|%")
_DIRECTIVES = {
    **dict.fromkeys(("%d", "%m", "%H", "%I"), "[0-9]{1,2}"),
    **dict.fromkeys(("%B", "%b", "%A", "%a"), "[A-Za-z]{3,9}"),
    **dict.fromkeys(("%M", "%S"), "[0-5][0-9]"),
    "%Y": "[0-9]{4}",
    "%y": "[0-9]{2}",
    "%f": "[0-9]{1,6}",
    "%p": "[AaPp][Mm]",
}
"""What each part may be, in a pattern that both engines read."""
_BESIDE_DIGITS = "[0-9]{2}"
"""A day or a month with digits right beside it has two of its own."""
_ZONE = "%z"
_NO_LITERAL = re.compile(r"[0-9]|[^\x20-\U0010ffff]|[\x7f-\x9f]")


class DateWriting(Node):
    """How dates are written in a text; the names of their months are English, or German with `german`.

    A format without a day names a month, read as its first day. One without a year is a time of any day, read as one of
    1 January 1900. `%z` at the end is a zone or its distance from UTC: `clock` says by which clock such a date is read.
    """

    kind: Literal["date"] = "date"
    format: str
    german: bool = False
    clock: Clock = Clock.WRITTEN

    @field_validator("format")
    @classmethod
    def _readable(cls, format_: str) -> str:
        parts = _PART.findall(format_.removesuffix(_ZONE))
        named = {part for part in parts if part in _DIRECTIVES}
        kinds = ["mBb", "Yy", "HI", "Aa", *"dMSfp"]
        once = all(sum(part[1:] in [*kind] for part in parts if part in named) < 2 for kind in kinds)
        known = all(part in named or not ("%" in part or _NO_LITERAL.search(part)) for part in parts)
        has = {kind for kind in kinds if any(f"%{letter}" in named for letter in kind)}
        dated = {"mBb", "Yy"} <= has
        timed = not has & {"HI", *"MSfp"} or {"HI", "M"} <= has
        if not (once and known and timed and (dated or (has <= {"HI", *"MSfp"} and "M" in has))):
            raise WrongType(f"`{format_}` is no format of dates. One is `%d/%m/%Y`, another `%b %d, %Y %H:%M`.")
        return format_

    @property
    def shown(self) -> str:
        """The format without the zone behind it."""
        return self.format.removesuffix(_ZONE).rstrip() if self.has_zone else self.format

    @property
    def read(self) -> str:
        """The format of what is read of a text: with its distance from UTC where that counts."""
        return self.format if self.clock is Clock.UTC else self.shown

    @property
    def has_zone(self) -> bool:
        """True for texts that name a zone behind a time."""
        return self.format.endswith(_ZONE)

    @property
    def is_of_months(self) -> bool:
        """True for texts that name a month of a year and no day: they are read as its first."""
        return "%d" not in self.format and not self.is_clock

    @property
    def is_of_short_months(self) -> bool:
        """True for texts such as "Jan-24", whose number may be a day as well."""
        return self.is_of_months and "%y" in self.format

    @property
    def is_clock(self) -> bool:
        """True for times of any day: they are read as those of 1 January 1900, of which only the time says anything."""
        return "%Y" not in self.format and "%y" not in self.format

    @property
    def has_time(self) -> bool:
        """True for texts that name a time of the day beside the day."""
        return "%M" in self.format

    @property
    def is_of_digits(self) -> bool:
        """True for texts of digits alone, which may be something else, such as a season."""
        return "%b" not in self.format and "%B" not in self.format

    @property
    def months(self) -> dict[str, str]:
        """The German names of months that occur in the format, with the English ones."""
        if not self.german:
            return {}
        return next((names for part, names in GERMAN_MONTHS.items() if part in self.format), {})

    def pattern(self, syntax: Syntax) -> str:
        """Return a pattern whose only group is the date."""
        space, end = syntax.space, syntax.end
        parts = _PART.findall(self.shown)
        shapes = [
            _BESIDE_DIGITS if part in ("%d", "%m") and _touches(parts, place) else _DIRECTIVES.get(part) or _plain(part)
            for place, part in enumerate(parts)
        ]
        date = "".join(shapes)
        if not self.has_zone:
            return f"^{space}*({date}){space}*{end}"
        gap = " " if self.format.endswith(f" {_ZONE}") else ""
        if self.clock is Clock.UTC:
            return f"^{space}*({date}{gap}{_uncaptured(OFFSET.replace('Z|', ''))}){space}*{end}"
        return f"^{space}*({date})(?: ?(?:{_uncaptured(OFFSET)}|{_uncaptured(ZONE)})){space}*{end}"


def _touches(parts: list[str], place: int) -> bool:
    """Tell whether another part of digits stands right beside one."""
    beside = [parts[at] for at in (place - 1, place + 1) if 0 <= at < len(parts)]
    return any(part in ("%d", "%m", "%Y", "%y") for part in beside)


def _plain(text: str) -> str:
    return re.escape(text).replace("\\ ", " ")


def _uncaptured(pattern: str) -> str:
    return pattern.replace("(", "(?:")
