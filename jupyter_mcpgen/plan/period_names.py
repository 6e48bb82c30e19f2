"""Periods as the names of columns: `2021`, `Jan`, `2023-01`, `Q1 2023`, alone or with the same words around each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from jupyter_mcpgen.plan.schema import ColumnType, Node

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_PARTS = {
    "%Y": r"(?:1[5-9]|2[01])\d\d",
    "%y": r"\d\d",
    "%m": r"(?:0[1-9]|1[0-2])",
    "%d": r"(?:0[1-9]|[12]\d|3[01])",
    "%b": f"(?i:{'|'.join(name[:3] for name in _MONTHS)})",
    "%B": f"(?i:{'|'.join(_MONTHS)})",
    "%q": "[1-4]",
}
"""The texts that each part of a form stands for; `%q` is the number of a quarter, the others are as in `strptime`."""
_ANY_QUARTER = r"\d+"
_SEPARATE = re.compile(r"[\s_\-:/.,()\[\]]+")


class PeriodForm(StrEnum):
    """How the names of columns write periods; of those that fit a name, the first is meant."""

    DAY = "%Y-%m-%d"
    MONTH = "%Y-%m"
    MONTH_SLASH = "%Y/%m"
    MONTH_UNDERSCORE = "%Y_%m"
    MONTH_POINT = "%Y.%m"
    MONTH_FIRST = "%m/%Y"
    MONTH_FIRST_DASH = "%m-%Y"
    MONTH_IN_FULL = "%B %Y"
    MONTH_IN_FULL_DASH = "%B-%Y"
    MONTH_SHORT = "%b %Y"
    MONTH_SHORT_DASH = "%b-%Y"
    MONTH_SHORT_UNDERSCORE = "%b_%Y"
    MONTH_SHORTEST = "%b-%y"
    MONTH_SHORTEST_SPACE = "%b %y"
    QUARTER = "%YQ%q"
    QUARTER_DASH = "%Y-Q%q"
    QUARTER_SPACE = "%Y Q%q"
    QUARTER_UNDERSCORE = "%Y_Q%q"
    QUARTER_FIRST = "Q%q %Y"
    QUARTER_FIRST_DASH = "Q%q-%Y"
    QUARTER_FIRST_UNDERSCORE = "Q%q_%Y"
    QUARTER_FIRST_SLASH = "Q%q/%Y"
    YEAR = "%Y"
    MONTH_NAME = "%B"
    MONTH_NAME_SHORT = "%b"
    QUARTER_OF_YEAR = "Q%q"

    @property
    def unit(self) -> str:
        """What a period is, as its column is called."""
        if self is PeriodForm.YEAR:
            return "year"
        if "%q" in self.value:
            return "quarter"
        return "day" if "%d" in self.value else "month"

    @property
    def type(self) -> ColumnType:
        """The type of the periods: a year is a whole number, what has a year and more is the date on which it begins.

        The name of a month and the number of a quarter without a year stay texts.
        """
        if self is PeriodForm.YEAR:
            return ColumnType.INTEGER
        has_year = "%Y" in self.value or "%y" in self.value
        return ColumnType.DATE if has_year else ColumnType.TEXT

    @property
    def in_order(self) -> tuple[str, ...]:
        """All texts that are written so, from the first to the last, where there is no year in them."""
        match self:
            case PeriodForm.MONTH_NAME:
                return _MONTHS
            case PeriodForm.MONTH_NAME_SHORT:
                return tuple(name[:3] for name in _MONTHS)
            case PeriodForm.QUARTER_OF_YEAR:
                return ("Q1", "Q2", "Q3", "Q4")
            case _:
                return ()

    @property
    def pattern(self) -> str:
        """A regular expression of the texts that are written so."""
        return "".join(_PARTS.get(part, re.escape(part)) for part in re.findall(r"%.|[^%]", self.value))


class PeriodNames(Node):
    """The names of columns that write periods in one form, each between the same texts."""

    form: PeriodForm
    before: str = ""
    after: str = ""

    @property
    def pattern(self) -> str:
        """A regular expression of these names, whose one group is the period."""
        return f"^{re.escape(self.before)}({self.form.pattern}){re.escape(self.after)}$"

    @property
    def is_bare(self) -> bool:
        """True where a name is nothing but its period."""
        return not self.before and not self.after

    @property
    def words(self) -> str:
        """What stands around the periods, without marks: `units` of `2021 units`."""
        sides = (_SEPARATE.sub(" ", side).strip() for side in (self.before, self.after))
        return " ".join(filter(None, sides))

    def among(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return those of some names that are written so, in their order."""
        return tuple(name for name in names if re.search(self.pattern, name))

    def period(self, name: str) -> int | str | datetime:
        """Return the period that a name writes."""
        found = re.search(self.pattern, name)
        if found is None:
            raise ValueError(f"`{name}` is not written like `{self.before}{self.form}{self.after}`")
        text = found[1]
        match self.form.type:
            case ColumnType.INTEGER:
                return int(text)
            case ColumnType.DATE if "%q" in self.form.value:
                quarter, year = sorted(map(int, re.findall(r"\d+", text)))
                return datetime(year, 3 * quarter - 2, 1)
            case ColumnType.DATE:
                return datetime.strptime(text, self.form.value)
            case _:
                return text


def period_names(names: Sequence[str], fewest: int) -> tuple[PeriodNames, ...]:
    """Return in which ways at least so many of some names write different periods; each name belongs to one way."""
    left = list(dict.fromkeys(names))
    found: dict[str, PeriodNames] = {}
    for form in PeriodForm:
        groups: dict[tuple[str, str], list[str]] = {}
        for name in left:
            around = _around(form, name)
            if around is not None:
                groups.setdefault(around, []).append(name)
        for (before, after), own in groups.items():
            way = PeriodNames(form=form, before=before, after=after)
            if len(own) >= fewest and _are_different(way, own) and not _are_questions(way, names):
                found |= dict.fromkeys(own, way)
        left = [name for name in left if name not in found]
    return tuple(dict.fromkeys(found[name] for name in names if name in found))


def _around(form: PeriodForm, name: str) -> tuple[str, str] | None:
    """Return the texts around the one period of a name, which have no digits; only a year has letters at its side."""
    letters = "" if form is PeriodForm.YEAR else "A-Za-z"
    found = re.fullmatch(rf"(\D*?)(?<![{letters}\d])({form.pattern})(?![{letters}\d])(\D*)", name)
    return None if found is None else (found[1], found[3])


def _are_different(way: PeriodNames, names: Sequence[str]) -> bool:
    """Tell whether each of some names writes a period of its own, and one that there is: no 30th of February."""
    try:
        return len({way.period(name) for name in names}) == len(names)
    except ValueError:
        return False


def _are_questions(way: PeriodNames, names: Sequence[str]) -> bool:
    """Tell whether `Q1` to `Q4` are the first of more, such as the questions of a survey."""
    if way.form is not PeriodForm.QUARTER_OF_YEAR:
        return False
    numbered = rf"^{re.escape(way.before)}Q{_ANY_QUARTER}{re.escape(way.after)}$"
    return sum(re.search(numbered, name) is not None for name in names) > len(way.among(names))
