"""Writes how the texts of a column are read as numbers, dates or truth, as pandas code."""

from __future__ import annotations

import re
from typing import assert_never

from jupyter_mcpgen.plan.expressions import DateFormat, DateWriting, NumberWriting, TruthWriting, Writing

_DAY, _YEAR, _SHORT, _NAME, _CLOCK = "[0-9]{1,2}", "[0-9]{4}", "[0-9]{2}", "[A-Za-z]{3,9}", "[0-9]{2}"
_DIRECTIVES = {
    "%d": _DAY,
    "%m": _DAY,
    "%Y": _YEAR,
    "%y": _SHORT,
    "%B": _NAME,
    "%b": _NAME,
    "%H": _CLOCK,
    "%M": _CLOCK,
    "%S": _CLOCK,
}


def parse_text(column: str, writing: Writing) -> str:
    """Write what a column of texts says; a text that is not written so is missing."""
    match writing:
        case NumberWriting():
            kept = "[^-0-9.]" if writing.decimal == "." else "[^-0-9,]"
            found = f"{column}.str.extract({_raw(number_pattern(writing))}, expand=False)"
            digits = f'{found}.str.replace("{kept}", "", regex=True)'
            point = "" if writing.decimal == "." else '.str.replace(",", ".")'
            return f'{digits}{point}.astype("float64")'
        case DateWriting():
            found = f"{column}.str.extract({_raw(date_pattern(writing.format))}, expand=False)"
            return f'pd.to_datetime({found}, format="{writing.format.value}", errors="coerce")'
        case TruthWriting():
            words = dict.fromkeys(writing.true, True) | dict.fromkeys(writing.false, False)
            return f'{column}.str.lower().map({words!r}).astype("boolean")'
        case _:
            assert_never(writing)


def number_pattern(writing: NumberWriting) -> str:
    """Return a pattern whose group is the number with its sign, and with its prefix if there is one."""
    point = re.escape(writing.decimal)
    whole = "[0-9]+"
    if writing.thousands:
        separator = r"\s" if writing.thousands == " " else re.escape(writing.thousands)
        whole = f"(?:[0-9]{{1,3}}(?:{separator}[0-9]{{3}})+|[0-9]+)"
    number = f"(?:{whole}(?:{point}[0-9]+)?|{point}[0-9]+)"
    prefix = rf"{_any_of(writing.prefixes)}\s*" if writing.prefixes else ""
    suffix = rf"\s*{_any_of(writing.suffixes)}" if writing.suffixes else ""
    return rf"^\s*([-+]?{prefix}{number}){suffix}\s*\Z"


def _any_of(affixes: tuple[str, ...]) -> str:
    escaped = [re.escape(affix) for affix in affixes]
    return f"{escaped[0]}?" if len(affixes) == 1 == len(affixes[0]) else f"(?:{'|'.join(escaped)})?"


def _raw(pattern: str) -> str:
    """Write a pattern as people do; one with a quote in it is written so that the quote cannot end it."""
    return f'r"{pattern}"' if '"' not in pattern else repr(pattern)


def date_pattern(format_: DateFormat) -> str:
    """Return a pattern whose group is the date."""
    pattern = re.escape(format_.value).replace("\\%", "%").replace("\\ ", " ")
    for directive, shape in _DIRECTIVES.items():
        pattern = pattern.replace(directive, shape)
    return rf"^\s*({pattern})\s*\Z"
