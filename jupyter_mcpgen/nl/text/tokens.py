"""Splits a question into tokens that keep their place in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

MAX_TOKENS = 120
"""A question longer than this is cut, so that reading takes bounded time; the cut is reported as not understood."""

_TOKEN = re.compile(
    r"""
    (?P<quoted>"[^"]{0,200}"|“[^”]{0,200}”|`[^`]{0,200}`|(?<!\w)'[^']{1,200}'(?!\w)|(?<!\w)‘[^‘’]{1,200}’(?!\w))
  | (?P<date>\d{4}[-/]\d{2}[-/]\d{2}(?!\w)|\d{4}-\d{2}(?![\w-]))
  | (?P<clock>(?<![\w:.])\d{1,2}:\d{2}(?![\w:]))
  | (?P<number>(?<!\w)-?\d{1,3}(?:,\d{3})+(?:\.\d{1,12})?k?(?!\w)
      |(?<!\w)-?\d{1,15}(?:\.\d{1,12})?[kK]?(?!\w|\.\d+[^\W\d_])(?:-(?=[^\W\d]))?)
  | (?P<word>\d+\.\d+[^\W\d_]+|\w+(?:['’\-]\w+)*)
  | (?P<symbol>>=|<=|!=|<>|==|[()<>=≥≤≠,;&%/+*×÷−^|~–-])
    """,
    re.VERBOSE,
)


_GROUPED = re.compile(r"(?<![\d.,])(\d{1,3}(?:\.\d{3})+)(?![\d.]|,\d{3})")
_COMMA = re.compile(r"(?<![\d,])(\d+),(\d+)(?![\d,])")
_DAY_FIRST = re.compile(r"(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.(\d{4})(?!\d)")
_YEAR_FIRST = re.compile(r"(?<![\d.])(\d{4})\.(0?[1-9]|1[0-2])\.(0?[1-9]|[12]\d|3[01])(?![\d]|\.\d)")


class TokenKind(StrEnum):
    """What a token looks like."""

    WORD = "word"
    NUMBER = "number"
    DATE = "date"
    CLOCK = "clock"
    """A time of the day, such as `17:30`."""
    QUOTED = "quoted"
    SYMBOL = "symbol"


@dataclass(frozen=True)
class Token:
    """One token: its text as written (without quotes) and its lower-case form."""

    text: str
    kind: TokenKind

    @cached_property
    def lower(self) -> str:
        """The text in lower case with a plain apostrophe."""
        return self.text.casefold().replace("’", "'")

    @property
    def number(self) -> int | float:
        """The value of a number token; `50k` is fifty thousand."""
        text = self.text.casefold().replace(",", "").removesuffix("-")
        plain = text.removesuffix("k")
        value = float(plain) if "." in plain else int(plain)
        return value * 1_000 if plain != text else value


def _with_decimal_points(question: str) -> str:
    """Return a text of a language with decimal commas, its numbers written as a program does."""
    grouped = _GROUPED.sub(lambda found: found[1].replace(".", ""), question)
    return _COMMA.sub(r"\1.\2", grouped)


@lru_cache(maxsize=256)  # every reader asks for the tokens of the same few texts
def tokenize(question: str, *, decimal_comma: bool = False) -> tuple[Token, ...]:
    """Return the tokens of a question, at most `MAX_TOKENS`; sentence marks go, `31.12.2024` is a date."""
    tokens: list[Token] = []
    dated = _DAY_FIRST.sub(lambda found: f"{found[3]}-{found[2]:0>2}-{found[1]:0>2}", question)
    dated = _YEAR_FIRST.sub(lambda found: f"{found[1]}-{found[2]:0>2}-{found[3]:0>2}", dated)
    written = _with_decimal_points(dated) if decimal_comma else dated
    for found in _TOKEN.finditer(written):
        kind = TokenKind(found.lastgroup or "word")
        text = found.group()
        tokens.append(Token(text[1:-1] if kind is TokenKind.QUOTED else text, kind))
        if len(tokens) == MAX_TOKENS:
            break
    return tuple(tokens)
