"""Compiles the phrases of a language's data file; the head of `languages/en_everyday_phrases.toml` explains them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

MOST_WORDS = 12
"""No slot for several words takes more."""
MOST_OPEN = 3
"""No phrase has more slots for any text than this, so that a match takes bounded time."""
_TOKEN = re.compile(r"\s+|(?P<list>\{[^{}<>]*\})|(?P<slot><[^<>{}]*>)|(?P<word>\w[\w'’]*)|(?P<sign>[^\s\w])")
_SLOT = re.compile(r"(?P<name>[a-z_]+)(?P<kind>|\+|\.\.|~[a-z_]+|:[a-z]+|:\d|\.\.[a-z_]+)")
_WORD = r"\w[\w'’-]*"
_END = r"(?!\w)\s*+"
_DIGITS: Final[Mapping[str, str]] = {
    "number": r"\d{1,3}(?!\w)",
    "decimal": r"\d+(?:\.\d+)?(?!\d)",
    "amount": r"\d(?:[\d.,]*\d)?\w*",
    "year": r"(?:1[5-9]|20)\d\d(?!\d|s)",
}
"""Slots for figures by their kind; a `number` may also be written in words."""


@dataclass(frozen=True)
class Lists:
    """What phrases may name: words, choices (words by what they mean), endings of words, and pieces of phrases."""

    words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    choices: Mapping[str, Mapping[str, frozenset[str]]] = field(default_factory=dict)
    endings: Mapping[str, frozenset[str]] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    """Pieces of phrases that several phrases share."""

    def all_of(self, key: str) -> frozenset[str]:
        """Return the words of a list, or of all choices of one."""
        if key in self.choices:
            return frozenset(word for words in self.choices[key].values() for word in words)
        return self.words[_known(key, self.words)]

    def endings_of(self, key: str) -> frozenset[str]:
        """Return the endings of a kind of words."""
        return self.endings[_known(key, self.endings)]

    def meanings(self, key: str) -> Mapping[str, str]:
        """Return the choices of a list by the words that name them; nothing for a plain list."""
        return {word: choice for choice, words in self.choices.get(key, {}).items() for word in words}


@dataclass(frozen=True, eq=False)
class Phrase:
    """A compiled phrase: its pattern, and what the words under each of its names mean."""

    pattern: re.Pattern[str]
    meanings: Mapping[str, Mapping[str, str]]


def compile_phrase(text: str, lists: Lists, *, whole: bool) -> Phrase:
    """Return the pattern of a phrase: of a whole question, or of a part of one.

    Raises `ValueError` where the phrase is not written in the notation, or names a list that there is not.
    """
    compiler = _Compiler(text, lists)
    pattern = compiler.compiled(text)
    pattern = rf"^\s*+(?:{pattern})[?.!]*+\s*+$" if whole else rf"(?<!\w)(?:{pattern})"
    if compiler.open > (MOST_OPEN if whole else 0):
        raise ValueError(f"The phrase `{text}` has too many slots for any text.")
    try:
        return Phrase(re.compile(pattern, re.IGNORECASE), compiler.meanings)
    except re.error as error:
        raise ValueError(f"The phrase `{text}` cannot be compiled: {error}.") from error


def any_of(words: Iterable[str]) -> str:
    """Return a pattern for one of some phrases, the longest first."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(r"\s+".join(re.escape(part) for part in word.split()) for word in ordered)


class _Compiler:
    """Reads one phrase from left to right."""

    def __init__(self, text: str, lists: Lists) -> None:
        self.text = text
        self.lists = lists
        self.tokens: Iterator[re.Match[str]] = iter(())
        self.meanings: dict[str, Mapping[str, str]] = {}
        self.open = 0

    def compiled(self, text: str) -> str:
        """Return the pattern of a phrase, or of a piece of one."""
        before, self.tokens = self.tokens, _TOKEN.finditer(text)
        pattern = self._alternatives(until="")
        self.tokens = before
        return pattern

    def _alternatives(self, until: str) -> str:
        found = [""]
        for token in self.tokens:
            sign = token["sign"]
            if until and sign == until:
                return "|".join(found)
            if sign == "|":
                found.append("")
            elif token[0].strip():
                found[-1] += self._atom(token)
        if until:
            raise ValueError(f"The phrase `{self.text}` lacks a `{until}`.")
        return "|".join(found)

    def _atom(self, token: re.Match[str]) -> str:
        if token["list"]:
            return self._list(token["list"][1:-1])
        if token["slot"]:
            return self._slot(token["slot"][1:-1])
        if token["word"]:
            return f"{re.escape(token['word'])}{_END}"
        match token["sign"]:
            case "(":
                return f"(?:{self._alternatives(until=')')})"
            case "[":
                return f"(?:{self._alternatives(until=']')})?"
            case "&" | "!" as sign:
                self._opening_bracket()
                return f"(?{'=' if sign == '&' else '!'}{self._alternatives(until=')')})"
            case "^":
                return r"^\s*+"
            case "$":
                return r"[?.!]*+\s*+$"
            case sign:
                return rf"{re.escape(sign)}\s*+"

    def _opening_bracket(self) -> None:
        token = next(self.tokens, None)
        if token is None or token[0] != "(":
            raise ValueError(f"In the phrase `{self.text}`, `&` or `!` stands before no bracket.")

    def _list(self, body: str) -> str:
        name, _, key = body.rpartition("=")
        if not name and key in self.lists.parts:
            return f"(?:{self.compiled(self.lists.parts[key])})"
        words = f"(?:{any_of(self.lists.all_of(key))})"
        if not name:
            return f"{words}{_END}"
        self.meanings[name] = self.lists.meanings(key)
        return self._kept(name, words) + _END

    def _slot(self, body: str) -> str:
        read = _SLOT.fullmatch(body)
        if read is None:
            raise ValueError(f"The phrase `{self.text}` has a slot `{body}` of no known kind.")
        name, kind = read["name"], read["kind"]
        self.open += kind.startswith("..")
        if kind == ":number":
            self.meanings[name] = self.lists.meanings("number")
        if kind.startswith("..") and kind != "..":
            opening = any_of(self.lists.all_of(kind[2:]))
            clause = self._kept(name, rf"(?:{opening})(?!\w)(?:.*?\S)?")
            return rf"(?:{clause}\s*+)?"
        return self._kept(name, self._content(kind)) + (r"\s*+" if kind == ":year" else _END)

    def _kept(self, name: str, pattern: str) -> str:
        """Return a pattern that keeps what it finds under a name; under `_`, nothing is kept."""
        if name == "_":
            return f"(?:{pattern})"
        self.meanings.setdefault(name, {})
        return f"(?P<{name}>{pattern})"

    def _content(self, kind: str) -> str:
        match kind[:1]:
            case "":
                return _WORD
            case "+":
                return _several(MOST_WORDS, "?")
            case ".":
                return r"\S(?:.*?\S)?"
            case "~":
                return rf"\w+(?:{any_of(self.lists.endings_of(kind[1:]))})"
        if kind[1:].isdigit():
            return _several(int(kind[1:]), "")
        if kind == ":number":
            return f"{_DIGITS['number']}|{any_of(self.lists.all_of('number'))}"
        return _DIGITS[_known(kind[1:], _DIGITS)]


def _several(most: int, lazy: str) -> str:
    return rf"{_WORD}(?:\s+{_WORD}){{0,{most - 1}}}{lazy}"


def _known(key: str, table: Iterable[str]) -> str:
    if key not in table:
        raise ValueError(f"No list or kind of slot is called `{key}`.")
    return key
