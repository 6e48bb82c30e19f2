"""Source text as tokens, without comments, docstrings and layout."""

from __future__ import annotations

import io
import tokenize
from dataclasses import dataclass
from textwrap import dedent

_LAYOUT = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER})
_ENDS_STATEMENT = frozenset({tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT})


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
    try:
        return Tokens(tuple(_python_tokens(dedent(code))), is_python=True)
    except (tokenize.TokenError, SyntaxError):
        return Tokens(tuple(code.split()), is_python=False)


def _python_tokens(code: str) -> list[str]:
    kept: list[str] = []
    statement: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.ERRORTOKEN:
            raise tokenize.TokenError(token.string)
        if token.type in _ENDS_STATEMENT:
            kept += _texts(statement)
            statement = []
        elif token.type not in _LAYOUT:
            statement.append(token)
    return kept + _texts(statement)


def _texts(statement: list[tokenize.TokenInfo]) -> list[str]:
    """Return the texts of a statement's tokens; a statement of text alone, such as a docstring, has none."""
    if all(token.type == tokenize.STRING for token in statement):
        return []
    return [token.string for token in statement if token.string.strip()]
