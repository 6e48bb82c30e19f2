"""What kind of thing a cell of a text file is, as far as its form tells: enough to find where a table begins."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum

from jupyter_mcpgen.toolkit.missing_words import is_missing_word


class CellKind(StrEnum):
    """A kind of cell; `CODE` is a word of letters and digits in a fixed form."""

    BLANK = "blank"
    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    TRUTH = "truth"
    CODE = "code"
    TEXT = "text"


_SPACE = r"[ \u00a0\u2009\u202f]"
_SIGN = r"[-+\u2212]"
_MONEY = r"(?:[$€£¥₹]|[A-Z]{3}|[A-Z]{1,2}\$)"
_NUMBER = re.compile(
    rf"'?[(]?{_SIGN}?{_SPACE}?{_MONEY}?{_SPACE}?{_SIGN}?"
    r"(?:\d[\d.,'’ \u00a0\u2009\u202f]*|[.,]\d+)(?:[eE][+-]?\d{1,3})?"
    rf"{_SPACE}?(?:%|{_MONEY}|[a-z°]{{1,2}}|(?:\+/-|±){_SPACE}?[\d.,]+)?{_SIGN}?[)]?"
)
_NOT_A_NUMBER = re.compile(r"(?i)[+-]?inf(?:inity)?")
_DATE = re.compile(
    r"(?:\d{4}[-/]\d{1,2}(?:[-/]\d{1,2})?|\d{4}\.\d{1,2}\.\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))"
    r"(?:[T ,]+\d{1,2}:\d{2}.{0,20})?"
    r"|(?=.*\d)(?:[A-Za-z]{2,9}[,.]? )?(?:\d{1,2}[-. ]){0,2}"
    r"(?:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|okt|oct|nov|dec|dez)[a-z]{0,6}[-., ]+[\dT:., +apmAPMatUTCGZ@-]{2,30}",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"\d{1,3}(?:st|nd|rd|th)", re.IGNORECASE)
_TIME = re.compile(r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[ap]m)?", re.IGNORECASE)
_CODE = re.compile(r"=?[(]?\"?(?=[^ ]*\d)[A-Za-z0-9_./#:-]{2,40}\"?[)]?")
_TRUTHS = frozenset({"true", "false", "yes", "no", "ja", "nein", "oui", "non", "wahr", "falsch"})
_OF_ONE_KIND = 0.6
_KINDS_OF_FORM = (CellKind.NUMBER, CellKind.DATE, CellKind.TIME, CellKind.TRUTH)


def kind_of_cell(cell: str) -> CellKind:
    """Return the kind of one cell."""
    word = cell.strip()
    if is_missing_word(word):
        return CellKind.BLANK
    if word.casefold() in _TRUTHS:
        return CellKind.TRUTH
    if _TIME.fullmatch(word):
        return CellKind.TIME
    if _DATE.fullmatch(word):
        return CellKind.DATE
    if _ORDINAL.fullmatch(word):
        return CellKind.CODE
    if _NUMBER.fullmatch(word) or _NOT_A_NUMBER.fullmatch(word):
        return CellKind.NUMBER
    return CellKind.CODE if _CODE.fullmatch(word) else CellKind.TEXT


def form_of(cell: str) -> str:
    """Return a word with each letter as `A` and each run of digits as `9`."""
    return re.sub(r"\d+", "9", re.sub(r"[A-Za-z]", "A", cell.strip()))


class ColumnKind:
    """What most cells of a column are: a kind, and for codes their form."""

    def __init__(self, cells: Iterable[str]) -> None:
        words = [cell for cell in cells if kind_of_cell(cell) is not CellKind.BLANK]
        counts = Counter(map(kind_of_cell, words))
        kind, count = counts.most_common(1)[0] if counts else (CellKind.BLANK, 0)
        self.kind = kind if count >= _OF_ONE_KIND * len(words) else CellKind.TEXT
        self.share = count / len(words) if words else 0.0
        forms = Counter(map(form_of, words))
        self.form, alike = forms.most_common(1)[0] if forms else ("", 0)
        if self.kind is CellKind.CODE and alike < _OF_ONE_KIND * len(words):
            self.kind = CellKind.TEXT

    @property
    def is_typed(self) -> bool:
        """Tell whether the form of a cell shows that it belongs to the column."""
        return self.kind in (*_KINDS_OF_FORM, CellKind.CODE)

    @property
    def consistency(self) -> float:
        """Return how much the cells speak for a column, 0 to 1."""
        if self.is_typed:
            return self.share
        return 0.5 if self.kind is CellKind.BLANK else 0.35

    def is_unlike(self, cell: str) -> bool:
        """Tell whether a cell is a word where the column has none."""
        kind = kind_of_cell(cell)
        if not self.is_typed or kind is CellKind.BLANK:
            return False
        if self.kind is CellKind.CODE:
            return kind not in (CellKind.CODE, CellKind.NUMBER) or (
                kind is CellKind.CODE and form_of(cell) != self.form
            )
        return kind in (CellKind.TEXT, CellKind.CODE) or (kind is CellKind.TRUTH) != (self.kind is CellKind.TRUTH)


def kinds_of_columns(rows: Sequence[Sequence[str]], width: int) -> list[ColumnKind]:
    """Return the kind of each column of rows; a row that is too short lacks its last cells."""
    return [ColumnKind(row[place] for row in rows if place < len(row)) for place in range(width)]
