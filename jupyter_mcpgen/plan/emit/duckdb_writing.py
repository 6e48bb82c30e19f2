"""Writes how the texts of a column are read as numbers, dates or truth, as DuckDB SQL."""

from __future__ import annotations

from typing import assert_never

from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.emit.duckdb_moments import parse_moment
from jupyter_mcpgen.plan.moments import Clock, ClockWriting, CountedWriting, DigitsWriting, ZonedWriting
from jupyter_mcpgen.plan.number_writing import SCALES, NumberWriting
from jupyter_mcpgen.plan.syntax import Syntax
from jupyter_mcpgen.plan.writings import TruthWriting, Writing

_SPACE = r"[\t-\r\x1c-\x20\x85\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}]"
"""What Python calls a space in a text; DuckDB's own class has the ASCII ones only."""
_BLANK = f"{_SPACE}*"
_DUCKDB = Syntax(space=_SPACE, end=r"\z")


def parse_text(column: str, writing: Writing) -> str:
    """Write what a column of texts says; a text that is not written so is NULL."""
    match writing:
        case NumberWriting():
            return _number(column, writing)
        case DateWriting():
            for german, english in writing.months.items():
                column = f"replace({column}, {_quoted(german)}, {_quoted(english)})"
            found = f"regexp_extract({column}, {_quoted(writing.pattern(_DUCKDB))}, 1)"
            moment = f"try_strptime(nullif({found}, ''), {_quoted(writing.read)})"
            return f"make_timestamp(epoch_us({moment}))" if writing.clock is Clock.UTC else moment
        case TruthWriting():
            true, false = (", ".join(map(_quoted, words)) for words in (writing.true, writing.false))
            return f"CASE WHEN lower({column}) IN ({true}) THEN TRUE WHEN lower({column}) IN ({false}) THEN FALSE END"
        case CountedWriting() | DigitsWriting() | ZonedWriting() | ClockWriting():
            return parse_moment(column, writing, _BLANK)
        case _:
            assert_never(writing)


def _number(column: str, writing: NumberWriting) -> str:
    text = column
    for rewrite in writing.rewrites(_DUCKDB):
        function = "replace" if rewrite.plain else "regexp_replace"
        text = f"{function}({text}, {_quoted(rewrite.found)}, {_quoted(rewrite.by)})"
    found = f"regexp_extract({text}, {_quoted(writing.pattern(_DUCKDB))}, 1)"
    digits = f"regexp_replace({found}, '[^{writing.kept}]', '', 'g')"
    pointed = digits if writing.decimal == "." else f"replace({digits}, ',', '.')"
    number = f"TRY_CAST({pointed} AS DOUBLE)"
    if writing.fractions:
        parts = (f"regexp_extract({text}, {_quoted(part)}, 1)" for part in writing.fraction_patterns)
        above, below = (f"TRY_CAST({part} AS DOUBLE)" for part in parts)
        number = f"({number} + coalesce({above} / {below}, 0e0))"
    if not writing.scales:
        return number
    cases = " ".join(f"WHEN {_quoted(word)} THEN {SCALES[word]:.0e}" for word in writing.scales)
    scale = f"regexp_extract({text}, {_quoted(writing.scale_pattern(_DUCKDB))}, 1)"
    return f"({number} * CASE {scale} {cases} ELSE 1e0 END)"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
