"""The values of a table's columns of texts by the words of a question that may mention them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from jupyter_mcpgen.nl.lexicon.lexicon import Lexicon
from jupyter_mcpgen.nl.schema import costs
from jupyter_mcpgen.nl.schema.typos import one_edit_away

LONGEST = 6
"""Of values with more words, which are sentences, no word alone is a name for them."""
_LONGEST_NAME = 3
"""Values of so many words or fewer may be called by their first word alone."""
_FEWEST_LETTERS = 3
_LAST = chr(0x10FFFF)
_PIECE = re.compile(r"[^\W_]+")
_OWNS = re.compile(r"(?<=\w)['’]s\b", re.IGNORECASE)
_ENDS_A_HEAD = re.compile(r"(?<=\w)\s*(?:[:(,/]|\s[-–—])")

Pieces = tuple[str, ...]
Value = str | bool


@dataclass(frozen=True, slots=True)
class Valued:
    """A column of texts and the values that are known of it: how each is written, and what it is read as."""

    name: str
    values: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Form:
    """A word of values that a word of a question may be."""

    word: str
    cost: float
    plain: bool
    """True for the word itself and its lemmas, which also name parts of values."""


@dataclass(frozen=True, slots=True)
class Way:
    """A value, how it is written, and what saying it costs."""

    column: str
    text: str
    value: Value
    cost: float
    whole: bool = False
    """True where all of its words are said."""
    capitals: bool = False
    """True where it must be said in capitals, as a code is."""


@lru_cache(maxsize=8_192)
def pieces_of(text: str) -> Pieces:
    """Return the words and numbers of a text in lower case, without marks; a possessive ending is none of them."""
    return tuple(_PIECE.findall(_OWNS.sub("", text).casefold()))


class ColumnValues:
    """The values of one column in the order of their words, so that those which begin alike are neighbours."""

    def __init__(self, column: Valued, lexicon: Lexicon) -> None:
        self.name = column.name
        self._lexicon = lexicon
        split = ((tuple(_PIECE.findall(text.casefold())), text, value) for text, value in column.values)
        self._entries = sorted((entry for entry in split if entry[0]), key=lambda entry: entry[:2])
        self._pieces = [pieces for pieces, _, _ in self._entries]
        self._words = Counter(word for pieces in dict.fromkeys(self._pieces) for word in set(pieces))
        self._lasts = {p[-1]: place for place, p in enumerate(self._pieces) if self._called_by_last(p)}
        self.firsts = frozenset(pieces[0] for pieces in self._pieces)

    @property
    def words(self) -> Iterable[str]:
        """All words of the values."""
        return self._words

    @property
    def everything(self) -> tuple[int, int]:
        """The range of all values."""
        return 0, len(self._pieces)

    def entries(self) -> Iterator[tuple[Pieces, str, Value]]:
        """Yield the words, the text and the value of each entry."""
        yield from self._entries

    def narrowed(self, within: tuple[int, int], said: Pieces) -> tuple[int, int]:
        """Return the range of the values that begin with some words."""
        first, last = within
        first = bisect_left(self._pieces, said, first, last)
        return first, bisect_left(self._pieces, (*said[:-1], said[-1] + _LAST), first, last)

    def wholes(self, within: tuple[int, int], length: int, cost: float) -> Iterator[Way]:
        """Yield the values of a range that have no more words than are said."""
        for place in range(*within):
            if len(self._pieces[place]) > length:
                return
            _, text, value = self._entries[place]
            yield Way(self.name, text, value, cost, whole=True)

    def headed(self, within: tuple[int, int], length: int) -> Way | None:
        """Return the only value of a range, if the words that are said are enough of it to name it."""
        first, last = within
        if first >= last or self._pieces[first] != self._pieces[last - 1] or len(self._pieces[first]) <= length:
            return None
        pieces, text, value = self._entries[first]
        mark = _ENDS_A_HEAD.search(text)
        marked = mark is not None and len(pieces_of(text[: mark.start()])) == length
        short = len(pieces) <= _LONGEST_NAME and self._words[pieces[0]] == 1
        if length == 1 and not (marked or short):
            return None
        return self._part(pieces[:length], text, value)

    def ending_with(self, word: str) -> Way | None:
        """Return the only value whose last word is this, if no other value has the word."""
        place = self._lasts.get(word)
        if place is None:
            return None
        _, text, value = self._entries[place]
        return self._part((word,), text, value)

    def _called_by_last(self, pieces: Pieces) -> bool:
        return 1 < len(pieces) <= LONGEST and self._words[pieces[-1]] == 1

    def _part(self, said: Pieces, text: str, value: Value) -> Way | None:
        last = said[-1]
        if self._lexicon.is_function(last) or last.isdecimal() or len(last) < _FEWEST_LETTERS:
            return None
        common = len(said) == 1 and self._lexicon.knows(last)
        return Way(self.name, text, value, costs.VALUE_COMMON_PART if common else costs.VALUE_SHORT)


class ValueIndex:
    """The values of all columns, and the other words for them; built once per table."""

    def __init__(self, columns: Iterable[Valued], lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self.columns = tuple(ColumnValues(column, lexicon) for column in columns)
        self._words = frozenset(word for column in self.columns for word in column.words)
        self._by_lemma: dict[str, list[str]] = defaultdict(list)
        for word in self._words:
            for lemma in lexicon.lemmas(word):
                self._by_lemma[lemma].append(word)
        self._said: dict[str, tuple[Form, ...]] = {}
        self._initials: dict[str, list[Way]] = defaultdict(list)
        self._joined: dict[str, list[Way]] = defaultdict(list)
        self._others: dict[str, list[tuple[Pieces, Way]]] = defaultdict(list)
        for column in self.columns:
            for pieces, text, value in column.entries():
                self._add(column.name, pieces, text, value)

    def with_initials(self, letters: str) -> Sequence[Way]:
        """Return the values of several words that begin with these letters."""
        return self._initials.get(letters, ())

    def written_as_one(self, text: str) -> Sequence[Way]:
        """Return the values of a few words that are a text without spaces and marks: "email" for "e-mail"."""
        return self._joined.get(text, ())

    def called_otherwise(self, first: str) -> Sequence[tuple[Pieces, Way]]:
        """Return the other words, beginning with this, for values: what they are short for, codes, demonyms."""
        return self._others.get(first, ())

    def has_word(self, piece: str) -> bool:
        """Tell whether a word stands in a value, in some form."""
        return any(form.cost < costs.TYPO for form in self.forms(piece))

    def forms(self, piece: str) -> tuple[Form, ...]:
        """Return the words of values that a word may be: itself, its other forms and family, or what it mistypes."""
        found = self._said.get(piece)
        if found is None:
            found = self._said[piece] = tuple(self._forms(piece).values())
        return found

    def _forms(self, piece: str) -> Mapping[str, Form]:
        lemmas = self._lexicon.lemmas(piece)
        families = (relative for lemma in lemmas for relative in sorted(self._lexicon.derived(lemma)))
        plain = [word for word in lemmas if word in self._words]
        others = [word for lemma in (*lemmas, *families) for word in sorted(self._by_lemma.get(lemma, ()))]
        found = {
            word: Form(word, costs.EXACT if word == piece else costs.VALUE_INFLECTED, plain=word in plain)
            for word in (*plain, *others)
        }
        if not found and not self._lexicon.knows(piece):
            meant = (word for lemma in lemmas for word in one_edit_away(lemma, self._words))
            return {word: Form(word, costs.TYPO, plain=False) for word in meant}
        return found

    def _add(self, column: str, pieces: Pieces, text: str, value: Value) -> None:
        lexicon, said = self._lexicon, " ".join(pieces)
        short = Way(column, text, value, costs.VALUE_SHORT)
        for code in lexicon.codes(said):
            self._others[code].append(((code,), replace(short, capitals=True)))
        inflected = Way(column, text, value, costs.VALUE_INFLECTED)
        relatives = [words for words in map(pieces_of, lexicon.derived(said)) if len(words) > 1 or len(pieces) > 1]
        for words in filter(None, relatives):
            self._others[words[0]].append((words, inflected))
        if len(pieces) == 1:
            for full in (*lexicon.abbreviations(said), *lexicon.places(said)):
                for words in filter(None, map(pieces_of, (full, *lexicon.derived(full)))):
                    self._others[words[0]].append((words, short))
            return
        if len(pieces) <= LONGEST:
            spoken = [piece for piece in pieces if not lexicon.is_function(piece)]
            for letters in {"".join(piece[0] for piece in some) for some in (pieces, spoken)}:
                self._initials[letters].append(short)
        if len(pieces) <= _LONGEST_NAME and not "".join(pieces).isdecimal():  # 11 is no 1-1
            self._joined["".join(pieces)].append(inflected)
