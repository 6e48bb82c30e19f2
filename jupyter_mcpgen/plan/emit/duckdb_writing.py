"""Writes how the texts of a column are read as numbers, dates or truth, as DuckDB SQL."""

from __future__ import annotations

from typing import assert_never

from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.emit.duckdb_moments import parse_moment
from jupyter_mcpgen.plan.moments import Clock, ClockWriting, CountedWriting, DigitsWriting, ZonedWriting
from jupyter_mcpgen.plan.writings import SCALES, NumberWriting, TruthWriting, Writing

_SPACE = r"[\t-\r\x1c-\x20\x85\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}]"
"""What Python calls a space in a text; DuckDB's own class has the ASCII ones only."""
_BLANK = f"{_SPACE}*"


def parse_text(column: str, writing: Writing) -> str:
    """Write what a column of texts says; a text that is not written so is NULL."""
    match writing:
        case NumberWriting():
            return _number(column, writing)
        case DateWriting():
            for german, english in writing.months.items():
                column = f"replace({column}, {_quoted(german)}, {_quoted(english)})"
            found = f"regexp_extract({column}, {_quoted(writing.pattern(_SPACE, chr(92) + 'z'))}, 1)"
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
    point = rf"\{writing.decimal}"
    fraction = f"({point}[0-9]+)"
    plain = f"[0-9]+{fraction}?|{fraction}"
    if writing.thousands:
        gap = _SPACE if writing.thousands == " " else rf"\{writing.thousands}"
        plain = f"[0-9]{{1,3}}({gap}[0-9]{{3}})+{fraction}?|{plain}"
    text = column
    for abbreviation in (prefix for prefix in writing.prefixes if prefix.endswith(".")):
        text = f"replace({text}, {_quoted(abbreviation)}, '')"
    if "−" in writing.negatives:
        text = f"replace({text}, '−', '-')"
    if "()" in writing.negatives:
        bracketed = rf"^{_BLANK}\((.*)\){_BLANK}\z"
        text = f"regexp_replace({text}, {_quoted(bracketed)}, {_quoted('-' + chr(92) + '1')})"
    prefixes = tuple(prefix for prefix in writing.prefixes if not prefix.endswith("."))
    before, scale, after = (_choice(affixes) for affixes in (prefixes, writing.scales, writing.suffixes))
    signed = f"[-+]?{f'{before}?{_BLANK}' if before else ''}({plain})"
    factor, unit = (f"{affix}?{_BLANK}" if affix else "" for affix in (scale, after))
    whole = rf"^{_BLANK}({signed}){_BLANK}{factor}{unit}\z"
    kept = f"regexp_replace(regexp_extract({text}, {_quoted(whole)}, 1), '[^-0-9{writing.decimal}]', '', 'g')"
    pointed = kept if writing.decimal == "." else f"replace({kept}, ',', '.')"
    number = f"TRY_CAST({pointed} AS DOUBLE)"
    if not writing.scales:
        return number
    last = rf"[0-9]{_BLANK}{scale}{_BLANK}{unit}\z"
    cases = " ".join(f"WHEN {_quoted(word)} THEN {SCALES[word]:.0e}" for word in writing.scales)
    return f"({number} * CASE regexp_extract({text}, {_quoted(last)}, 1) {cases} ELSE 1e0 END)"


def _choice(affixes: tuple[str, ...]) -> str:
    escaped = ("".join(c if c.isalnum() or ord(c) > 127 else f"\\{c}" for c in affix) for affix in affixes)
    return f"({'|'.join(escaped)})" if affixes else ""


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
