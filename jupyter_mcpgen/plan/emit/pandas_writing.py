"""Writes how the texts of a column are read as numbers, dates or truth, as pandas code."""

from __future__ import annotations

import re
from typing import assert_never

from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.emit.pandas_moments import parse_moment
from jupyter_mcpgen.plan.moments import Clock, ClockWriting, CountedWriting, DigitsWriting, ZonedWriting
from jupyter_mcpgen.plan.writings import SCALES, NumberWriting, TruthWriting, Writing

SPACE_AND_END = r"\s", r"\Z"
"""How Python's patterns write a space and the end of a text."""


def parse_text(column: str, writing: Writing) -> str:
    """Write what a column of texts says; a text that is not written so is missing."""
    match writing:
        case NumberWriting():
            return _parse_number(column, writing)
        case DateWriting():
            english = f"{column}.str.replace({writing.months!r}, regex=False)" if writing.months else column
            found = f"{english}.str.extract({_raw(writing.pattern(*SPACE_AND_END))}, expand=False)"
            in_utc, local = (", utc=True", ".dt.tz_localize(None)") if writing.clock is Clock.UTC else ("", "")
            return f'pd.to_datetime({found}, format={_format(writing)}, errors="coerce"{in_utc}){local}'
        case TruthWriting():
            words = dict.fromkeys(writing.true, True) | dict.fromkeys(writing.false, False)
            return f'{column}.str.lower().map({words!r}).astype("boolean")'
        case CountedWriting() | DigitsWriting() | ZonedWriting() | ClockWriting():
            return parse_moment(column, writing)
        case _:
            assert_never(writing)


def _parse_number(column: str, writing: NumberWriting) -> str:
    text = column + "".join(f'.str.replace({abbreviation!r}, "", regex=False)' for abbreviation in dotted(writing))
    if "−" in writing.negatives:
        text += '.str.replace("−", "-", regex=False)'
    if "()" in writing.negatives:
        text += f'.str.replace({_raw(IN_BRACKETS)}, r"-\\1", regex=True)'
    kept = "[^-0-9.]" if writing.decimal == "." else "[^-0-9,]"
    found = f"{text}.str.extract({_raw(number_pattern(writing))}, expand=False)"
    point = "" if writing.decimal == "." else '.str.replace(",", ".")'
    number = f'{found}.str.replace("{kept}", "", regex=True){point}.astype("float64")'
    if not writing.scales:
        return number
    factors = {word: SCALES[word] for word in writing.scales}
    scale = f"{text}.str.extract({_raw(scale_pattern(writing))}, expand=False).map({factors!r})"
    return f'({number} * {scale}.astype("float64").fillna(1))'


IN_BRACKETS = r"^\s*\((.*)\)\s*\Z"
"""A number in brackets, as accountants write one below zero."""


def dotted(writing: NumberWriting) -> tuple[str, ...]:
    """Return the prefixes that end with a point; they are taken away before the number is read."""
    return tuple(prefix for prefix in writing.prefixes if prefix.endswith("."))


def scale_pattern(writing: NumberWriting) -> str:
    """Return a pattern whose group is the word that multiplies a number."""
    suffix = rf"\s*{_any_of(writing.suffixes)}" if writing.suffixes else ""
    return rf"[0-9]\s*({'|'.join(writing.scales)}){suffix}\s*\Z"


def number_pattern(writing: NumberWriting) -> str:
    """Return a pattern whose group is the number with its sign, and with its prefix if there is one."""
    point = re.escape(writing.decimal)
    whole = "[0-9]+"
    if writing.thousands:
        separator = r"\s" if writing.thousands == " " else re.escape(writing.thousands)
        whole = f"(?:[0-9]{{1,3}}(?:{separator}[0-9]{{3}})+|[0-9]+)"
    number = f"(?:{whole}(?:{point}[0-9]+)?|{point}[0-9]+)"
    prefixes = tuple(prefix for prefix in writing.prefixes if prefix not in dotted(writing))
    prefix = rf"{_any_of(prefixes)}\s*" if prefixes else ""
    scale = rf"\s*(?:{'|'.join(writing.scales)})?" if writing.scales else ""
    suffix = rf"\s*{_any_of(writing.suffixes)}" if writing.suffixes else ""
    return rf"^\s*([-+]?{prefix}{number}){scale}{suffix}\s*\Z"


def _any_of(affixes: tuple[str, ...]) -> str:
    escaped = [re.escape(affix) for affix in affixes]
    return f"{escaped[0]}?" if len(affixes) == 1 == len(affixes[0]) else f"(?:{'|'.join(escaped)})?"


def _format(writing: DateWriting) -> str:
    return f'"{writing.read}"' if '"' not in writing.read and "\\" not in writing.read else repr(writing.read)


def _raw(pattern: str) -> str:
    """Write a pattern as people do; one with a quote in it is written so that the quote cannot end it."""
    return f'r"{pattern}"' if '"' not in pattern else repr(pattern)
