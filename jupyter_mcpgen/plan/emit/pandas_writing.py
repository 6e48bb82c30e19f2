"""Writes how the texts of a column are read as numbers, dates or truth, as pandas code."""

from __future__ import annotations

from typing import assert_never

from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.emit.pandas_moments import parse_moment
from jupyter_mcpgen.plan.moments import Clock, ClockWriting, CountedWriting, DigitsWriting, ZonedWriting
from jupyter_mcpgen.plan.number_writing import SCALES, NumberWriting, Rewrite
from jupyter_mcpgen.plan.syntax import Syntax
from jupyter_mcpgen.plan.writings import TruthWriting, Writing

PYTHON = Syntax(space=r"\s", end=r"\Z")


def parse_text(column: str, writing: Writing) -> str:
    """Write what a column of texts says; a text that is not written so is missing."""
    match writing:
        case NumberWriting():
            return _parse_number(column, writing)
        case DateWriting():
            english = f"{column}.str.replace({writing.months!r}, regex=False)" if writing.months else column
            found = f"{english}.str.extract({_raw(writing.pattern(PYTHON))}, expand=False)"
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
    text = column + "".join(map(_replace, writing.rewrites(PYTHON)))
    found = f"{text}.str.extract({_raw(writing.pattern(PYTHON))}, expand=False)"
    point = "" if writing.decimal == "." else '.str.replace(",", ".")'
    number = f'{found}.str.replace("[^{writing.kept}]", "", regex=True){point}.astype("float64")'
    if writing.fractions:
        above, below = (
            f'{text}.str.extract({_raw(part)}, expand=False).astype("float64")' for part in writing.fraction_patterns
        )
        number = f"({number} + ({above} / {below}).fillna(0))"
    if not writing.scales:
        return number
    factors = {word: SCALES[word] for word in writing.scales}
    scale = f"{text}.str.extract({_raw(writing.scale_pattern(PYTHON))}, expand=False).map({factors!r})"
    return f'({number} * {scale}.astype("float64").fillna(1))'


def _replace(rewrite: Rewrite) -> str:
    if rewrite.plain:
        return f'.str.replace({rewrite.found!r}, "{rewrite.by}", regex=False)'
    return f".str.replace({_raw(rewrite.found)}, {_raw(rewrite.by)}, regex=True)"


def _format(writing: DateWriting) -> str:
    return f'"{writing.read}"' if '"' not in writing.read and "\\" not in writing.read else repr(writing.read)


def _raw(pattern: str) -> str:
    """Write a pattern as people do; one with a quote in it is written so that the quote cannot end it."""
    return f'r"{pattern}"' if '"' not in pattern else repr(pattern)
