"""Compiles the phrases of a language's data file; `languages/en_everyday_phrases.toml` explains them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final

MOST_WORDS = 12
"""No slot for several words takes more."""
MOST_OPEN = 3
"""No phrase has more slots for any text than this, so that a match takes bounded time."""
_WORDS_OF_TEXTS = (re.compile(r"\w[\w'’]*"), re.compile(r"[^\W\d][\w'’]*"), re.compile(r"\w+"))
_TOKEN = re.compile(r"\s+|(?P<list>\{[^{}<>]*\})|(?P<slot><[^<>{}]*>)|(?P<word>\w[\w'’]*)|(?P<sign>[^\s\w])")
_SLOT = re.compile(r"(?P<name>[a-z_]+)(?P<kind>|\+|\.\.|~[a-z_]+|:[a-z]+|:\d|\.\.[a-z_]+)")
_WORD = r"\w[\w'’-]*"
_END = r"(?!\w)\s*+"
_DIGITS: Final[Mapping[str, str]] = {
    "number": r"\d{1,3}(?!\w)",
    "decimal": r"\d+(?:\.\d+)?(?!\d)",
    "amount": r"(?:(?<![\w.,-])[-−])?\d(?:[\d.,]*\d)?\w*",
    "year": r"(?:1[5-9]|20)\d\d(?!\d|s|-\d)",
    "date": r"\d{4}-\d\d-\d\d(?!\w)",
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
    """A phrase: its pattern, what the words under each of its names mean, and which words it needs."""

    source: str
    meanings: Mapping[str, Mapping[str, str]]
    needed: tuple[frozenset[str], ...] = ()
    """Without a word of each of these sets a text is not searched; none where the phrase may be said in any words."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The regular expression, compiled when a text first holds the words that it needs."""
        return re.compile(self.source, re.IGNORECASE)

    def may_stand_among(self, said: frozenset[str]) -> bool:
        """Tell whether some words hold those that the phrase needs; most phrases are passed over by this alone."""
        return not any(map(said.isdisjoint, self.needed))

    def places(self, text: str) -> Iterator[re.Match[str]]:
        """Yield where a text says the phrase, from left to right."""
        if self.may_stand_among(words_in(text)):
            yield from self.pattern.finditer(text)


@lru_cache(maxsize=128)
def words_in(text: str) -> frozenset[str]:
    """Return the words of a text in lower case; of "2024Q1", also "q1", and of "men's", also "men"."""
    return frozenset(word for kind in _WORDS_OF_TEXTS for word in kind.findall(text.casefold()))


def compile_phrase(text: str, lists: Lists, *, whole: bool) -> Phrase:
    """Return a phrase of a whole question, or of a part of one; raises as `compiled` does."""
    return phrase_of(compiled(text, lists, whole=whole), lists)


def phrase_of(made: tuple[str, dict[str, str], list[list[str]]], lists: Lists) -> Phrase:
    """Return the phrase that was compiled."""
    source, kept, needed = made
    return Phrase(source, {name: lists.meanings(key) for name, key in kept.items()}, tuple(map(frozenset, needed)))


def compiled(text: str, lists: Lists, *, whole: bool) -> tuple[str, dict[str, str], list[list[str]]]:
    """Return the pattern of a phrase, its names with the lists that they are of, and the words that it needs.

    Raises `ValueError` where it is not written in the notation, or names a list that there is not.
    """
    compiler = _Compiler(text, lists)
    piece = compiler.compiled(text)
    if compiler.open > (MOST_OPEN if whole else 0):
        raise ValueError(f"The phrase `{text}` has too many slots for any text.")
    source = rf"^\s*+(?:{piece.source})[?.!]*+\s*+$" if whole else rf"(?<!\w)(?:{piece.source})"
    return source, compiler.lists_by_name, [sorted(words) for words in piece.needed]


@dataclass(frozen=True)
class _Piece:
    """The pattern of a piece of a phrase, and sets of words of each of which it needs one, the smallest first."""

    source: str
    needed: tuple[frozenset[str], ...] = ()


def _in_a_row(pieces: list[_Piece]) -> _Piece:
    """Join pieces that follow one another: they need all that each of them needs."""
    needed = dict.fromkeys(words for piece in pieces for words in piece.needed)
    return _Piece("".join(piece.source for piece in pieces), tuple(sorted(needed, key=len)))


def _either(pieces: list[_Piece]) -> _Piece:
    """Join pieces of which one is said: whichever it is, a word of its first set is there, one of its second, ..."""
    needed = tuple(frozenset[str]().union(*sets) for sets in zip(*(piece.needed for piece in pieces), strict=False))
    return _Piece("|".join(piece.source for piece in pieces), needed)


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
        self.lists_by_name: dict[str, str] = {}
        self.open = 0

    def compiled(self, text: str) -> _Piece:
        """Return the pattern of a phrase, or of a piece of one."""
        before, self.tokens = self.tokens, _TOKEN.finditer(text)
        piece = self._alternatives(until="")
        self.tokens = before
        return piece

    def _alternatives(self, until: str) -> _Piece:
        rows: list[list[_Piece]] = [[]]
        for token in self.tokens:
            sign = token["sign"]
            if until and sign == until:
                return _either([_in_a_row(row) for row in rows])
            if sign == "|":
                rows.append([])
            elif token[0].strip():
                rows[-1].append(self._atom(token))
        if until:
            raise ValueError(f"The phrase `{self.text}` lacks a `{until}`.")
        return _either([_in_a_row(row) for row in rows])

    def _atom(self, token: re.Match[str]) -> _Piece:
        if token["list"]:
            return self._list(token["list"][1:-1])
        if token["slot"]:
            return _Piece(self._slot(token["slot"][1:-1]))
        if token["word"]:
            return _Piece(f"{re.escape(token['word'])}{_END}", (frozenset({token["word"].casefold()}),))
        return self._sign(token["sign"])

    def _sign(self, sign: str) -> _Piece:
        match sign:
            case "(":
                piece = self._alternatives(until=")")
                return _Piece(f"(?:{piece.source})", piece.needed)
            case "[":
                return _Piece(f"(?:{self._alternatives(until=']').source})?")
            case "&":
                self._opening_bracket()
                piece = self._alternatives(until=")")
                return _Piece(f"(?={piece.source})", piece.needed)
            case "!":
                self._opening_bracket()
                return _Piece(f"(?!{self._alternatives(until=')').source})")
            case "^":
                return _Piece(r"^\s*+")
            case "$":
                return _Piece(r"[?.!]*+\s*+$")
            case ")" | "]":
                raise ValueError(f"The phrase `{self.text}` has a `{sign}` too many.")
            case _:
                return _Piece(rf"{re.escape(sign)}\s*+")

    def _opening_bracket(self) -> None:
        token = next(self.tokens, None)
        if token is None or token[0] != "(":
            raise ValueError(f"In the phrase `{self.text}`, `&` or `!` stands before no bracket.")

    def _list(self, body: str) -> _Piece:
        name, _, key = body.rpartition("=")
        if not name and key in self.lists.parts:
            piece = self.compiled(self.lists.parts[key])
            return _Piece(f"(?:{piece.source})", piece.needed)
        listed = self.lists.all_of(key)
        source = f"(?:{any_of(listed)})"
        if name:
            source = self._kept(name, source)
            self.lists_by_name[name] = key
        if not any(word[-1].isalnum() for word in listed):
            return _Piece(source + r"\s*+")  # a sign, which may touch what follows: "£40"
        return _Piece(source + _END, (frozenset(_longest_word(word) for word in listed),))

    def _slot(self, body: str) -> str:
        read = _SLOT.fullmatch(body)
        if read is None:
            raise ValueError(f"The phrase `{self.text}` has a slot `{body}` of no known kind.")
        name, kind = read["name"], read["kind"]
        self.open += kind.startswith("..")
        if kind.startswith("..") and kind != "..":
            opening = any_of(self.lists.all_of(kind[2:]))
            clause = self._kept(name, rf"(?:{opening})(?!\w)(?:.*?\S)?")
            return rf"(?:{clause}\s*+)?"
        source = self._kept(name, self._content(kind)) + (r"\s*+" if kind == ":year" else _END)
        if kind == ":number":
            self.lists_by_name[name] = "number"
        return source

    def _kept(self, name: str, pattern: str) -> str:
        """Return a pattern that keeps what it finds under a name; under `_`, nothing is kept."""
        if name == "_":
            return f"(?:{pattern})"
        if name in self.lists_by_name:
            raise ValueError(f"The phrase `{self.text}` names `{name}` twice.")
        self.lists_by_name[name] = ""
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


def _longest_word(words: str) -> str:
    """Return the word of some that the fewest texts are likely to hold."""
    each: list[str] = _WORDS_OF_TEXTS[0].findall(words)
    return max(each, key=len)


def _several(most: int, lazy: str) -> str:
    return rf"{_WORD}(?:\s+{_WORD}){{0,{most - 1}}}{lazy}"


def _known(key: str, table: Iterable[str]) -> str:
    if key not in table:
        raise ValueError(f"No list or kind of slot is called `{key}`.")
    return key
