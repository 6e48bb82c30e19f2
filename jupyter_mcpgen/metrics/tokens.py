"""Source text as the tokens of Python, without comments, docstrings and layout.

The tokens are those of the standard library's `tokenize`, except that an f-string is one token in every version of
Python. One expression finds them all, because `tokenize` takes longer than all else that is compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from textwrap import dedent

_DIGITS = r"[0-9](?:_?[0-9])*"
_NUMBER = (
    r"0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+"
    rf"|(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][-+]?{_DIGITS})?[jJ]?"
)
_STRING = (
    r"(?i:[bfu]|[bft]?r|r?[bft])?"
    r"(?:'''[^'\\]*+(?:(?:\\[\s\S]|'(?!''))[^'\\]*+)*+'''"
    r'|"""[^"\\]*+(?:(?:\\[\s\S]|"(?!""))[^"\\]*+)*+"""'
    r"|'[^\n'\\]*+(?:\\[\s\S][^\n'\\]*+)*+'"
    r'|"[^\n"\\]*+(?:\\[\s\S][^\n"\\]*+)*+")'
)
_OPERATOR = r"\*\*=?|//=?|>>=?|<<=?|\.\.\.|->|:=|[-+*/%&|^=<>!@]=|[-+*/%&|^=<>@~()\[\]{},:;.]"
_TOKEN = re.compile(rf"(?:[ \f\t]|\\\r?\n)*+(\r?\n|#[^\r\n]*|{_STRING}|{_NUMBER}|\w+|{_OPERATOR}|[\s\S]|\Z)")
_SINGLE = frozenset("#-+*/%&|^=<>@~()[]{},:;._\n")
_OPENS, _CLOSES = frozenset("([{"), frozenset(")]}")


@dataclass(frozen=True)
class Tokens:
    """The texts of the tokens, and whether they are Python's; what is no Python is split at white space."""

    texts: tuple[str, ...]
    is_python: bool


def tokenize_code(code: str) -> list[str]:
    """Return the tokens of Python source."""
    return list(tokens_of(code).texts)


def tokens_of(code: str) -> Tokens:
    """Return the tokens of a text, or its words where it is no Python."""
    found = _TOKEN.findall(dedent(code))
    kept: list[str] = []
    statement: list[str] = []
    depth = 0
    for text in found:
        if text in ("\n", "\r\n", "") and not depth:
            kept += _said(statement)
            statement = []
        elif text.strip() and text[0] != "#":
            statement.append(text)
            depth += (text in _OPENS) - (text in _CLOSES)
    if depth or any(len(text) == 1 and text not in _SINGLE and not text.isalnum() for text in set(found)):
        return Tokens(tuple(code.split()), is_python=False)
    return Tokens(tuple(kept), is_python=True)


def _said(statement: list[str]) -> list[str]:
    """Return the tokens of a statement; one of text alone, such as a docstring, has none."""
    return [] if all(text[-1] in "'\"" for text in statement) else statement
