"""Finds the names of columns in a question: whole or in part, in other forms, shortened, or by another word."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz.distance import OSA

from jupyter_mcpgen.nl.lookup.vocabulary import Vocabulary
from jupyter_mcpgen.nl.lookup.words import Word, fold, other_way_to_write_years, outside_brackets, runs
from jupyter_mcpgen.nl.words.forms import singular, stem

EXACT, STEM, SYNONYM, SHORT, INSIDE, SLIP = 1.0, 0.93, 0.7, 0.75, 0.6, 0.8
"""How surely a word names a word of a header: as it is, stemmed, by another word, shortened, as its end, misspelt."""
SHORTEST_SLIP = 5
SHORTER_BEFORE_ITS_NEXT = 1
"""How many letters fewer a slip may have that stands before the next word of the same header."""
SHORTEST_VERB = 4
MAX_MATCHES = 24
MAX_REMEMBERED = 4_096
MAX_GAP = 2
"""How many light words may stand between two words of one name."""
TWO_SIDES = 2
IN_BRACKETS = 0.5
"""What a word in brackets, such as a unit or a year, weighs of the same word outside."""
PARTIAL = 0.35
"""What naming any part of a header is worth at least."""

_HUMP = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z][^\W\d_A-Z])|(?<=[A-Z])(?=[A-Z][^\W\d_A-Z]{3})")
_FOOTNOTE = re.compile(r"(?<=[^\W\d_]{4})[¹²³⁴-⁹⁰]+(?!\w)")
"""The number of a footnote behind a word of a header, as in `Result¹`; behind a unit it is a power, as in `km²`."""
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")


@dataclass(frozen=True)
class Name:
    """A column's name found over some words, and how much of the name it is."""

    column: str
    start: int
    end: int
    strength: float
    words: tuple[int, ...]
    whole: bool = False


@dataclass(frozen=True)
class _Header:
    column: str
    words: tuple[str, ...]
    weights: tuple[float, ...]


class Names:
    """The headers of a table, by the words that may stand for them."""

    def __init__(self, units: Mapping[str, str], vocabulary: Vocabulary, language: str) -> None:
        """Index the names of columns, each with its unit, or with nothing where it has none."""
        self._vocabulary, self._language = vocabulary, language
        columns = tuple(units)
        split = {column: header_words(column, vocabulary, unit) for column, unit in units.items()}
        shared = Counter(word for words in split.values() for word in set(words))
        self.headers = {
            column: _Header(column, words, tuple(_weights(column, words, shared, len(columns), vocabulary)))
            for column, words in split.items()
        }
        self._plurals = {piece: singular(piece) for column in columns for piece in map(fold, runs(column))}
        self._matched: dict[str, Mapping[tuple[str, int], float]] = {}
        self._exact: dict[str, list[tuple[str, int]]] = defaultdict(list)
        self._stem: dict[str, list[tuple[str, int]]] = defaultdict(list)
        self._group: dict[int, list[tuple[str, int]]] = defaultdict(list)
        self._doer: dict[str, list[tuple[str, int]]] = defaultdict(list)
        self._short: list[tuple[str, str, int, bool]] = []
        self._joined: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
        self.sides = _sides(self.headers, vocabulary)
        self.faced = _faced_by_one_side(self.headers, vocabulary)
        for column, header in self.headers.items():
            for place, pair in enumerate(pairwise(header.words)):
                if (years := other_way_to_write_years(pair)) is not None:
                    self._exact[years[1]].append((column, place + 1))  # "in 2006-2007" of `Users 2006–07`
            for word, place, width in _joined_words(column, header.words):
                self._joined[word].append((column, place, width))
            if len(header.words) == 1 and (letter := fold(column.strip())) in vocabulary.letters:
                self._exact[letter].append((column, 0))
            if column in self.sides or column == self.faced:
                for rival in vocabulary.opponents:
                    self._joined[rival].append((column, 0, len(header.words)))
            for place, word in enumerate(header.words):
                self._exact[word].append((column, place))
                self._stem[stem(word, language)].append((column, place))
                for verb in _verbs_of(word, vocabulary):
                    self._doer[verb].append((column, place))
                known = (vocabulary.groups.get(head, frozenset()) for head in vocabulary.heads(word))
                for group in sorted(frozenset().union(*known)):
                    self._group[group].append((column, place))
                told = {fold(piece) for piece in runs(units[column])}  # a unit shortens no other word
                if 2 <= len(word) <= 6 and word.isalpha() and word not in vocabulary.groups and word not in told:
                    self._short.append((word, column, place, f"{word}." in column.casefold()))

    def matches(self, word: str) -> Mapping[tuple[str, int], float]:
        """Return the words of headers that a word may stand for, with how surely."""
        if word not in self._matched:
            if len(self._matched) >= MAX_REMEMBERED:
                self._matched.clear()
            self._matched[word] = self._matches(word)
        return self._matched[word]

    def _matches(self, word: str) -> Mapping[tuple[str, int], float]:
        plain = self._vocabulary.abbreviations.get(word, singular(word))
        if (numeral := _ORDINAL.fullmatch(word)) is not None and not self.has(plain):
            plain = numeral[1]  # "August 24th" for `Mon 24 Aug`
        found: dict[tuple[str, int], float] = {}
        for number in sorted(
            self._vocabulary.groups.get(word, frozenset()) | self._vocabulary.groups.get(plain, frozenset())
        ):
            found.update(dict.fromkeys(self._group.get(number, ()), SYNONYM))
        if word not in self._vocabulary.doing:
            found.update(dict.fromkeys(self._doer.get(stem(word, self._language), ()), SYNONYM))
        for short, column, place, dotted in self._short:
            if _shortens(short, plain, dotted=dotted):
                found[column, place] = SHORT
        for at in self._inside(plain):
            found[at] = max(found.get(at, 0.0), INSIDE)
        if len(word) > 2:
            found.update(dict.fromkeys(self._stem.get(stem(plain, self._language), ()), STEM))
        found.update(dict.fromkeys(self._exact.get(plain, ()), EXACT))
        for column, place, width in self._joined.get(word, ()):
            found.update({(column, place + more): EXACT for more in range(width)})
        return found

    def slip(self, word: str, after: str = "") -> str | None:
        """Return the one word of the headers that a word misspells, or None.

        A short word misspells one only where the word after it is the next one of the same header.
        """
        if len(word) < SHORTEST_SLIP - SHORTER_BEFORE_ITS_NEXT or not word.isalpha():
            return None
        most = 2 if len(word) >= 8 else 1
        before = {self.headers[column].words[place - 1] for column, place in self.matches(after) if place}
        near = {
            known: distance
            for known in ({*self._exact, *self._plurals} if len(word) >= SHORTEST_SLIP else before)
            if abs(len(known) - len(word)) <= most
            and known[0] == word[0]
            and (distance := OSA.distance(word, known, score_cutoff=most)) <= most
        }
        best = {self._plurals.get(known, known) for known, distance in near.items() if distance == min(near.values())}
        return best.pop() if len(best) == 1 else None

    def has(self, word: str) -> bool:
        """Tell whether a header has this very word."""
        return word in self._exact

    def _inside(self, word: str) -> Iterator[tuple[str, int]]:
        """Yield the words of headers that a word ends, such as `airdate` for "date"; "over 35" is no `turnover`."""
        if len(word) >= 4 and word not in self._vocabulary.restricting:
            for known, places in self._exact.items():
                if len(known) >= len(word) + 3 and len(known) > 6 and known.endswith(word):
                    yield from places

    def find(self, words: tuple[Word, ...], blocked: Collection[int] = ()) -> tuple[Name, ...]:
        """Return every mention of a column outside blocked words, in order."""
        places: dict[str, list[tuple[int, int, float]]] = defaultdict(list)
        for position, word in enumerate(words):
            if position not in blocked:
                for (column, place), sure in self.matches(word.text).items():
                    places[column].append((position, place, sure))
        names = [name for column, found in places.items() for name in self._mentions(column, found, words, blocked)]
        return tuple(sorted(names, key=lambda name: (name.start, -name.strength, name.end)))

    def _mentions(
        self, column: str, found: list[tuple[int, int, float]], words: tuple[Word, ...], blocked: Collection[int]
    ) -> Iterator[Name]:
        header = self.headers[column]
        ordered = sorted(found, key=lambda f: (f[0], -f[2], f[1]))
        reached = -1
        for begin, (_, place, _sure) in enumerate(ordered):
            if header.words[place] in self._vocabulary.questions.faint and len(header.words) > 1:
                continue
            cluster = self._cluster(column, ordered[begin : begin + MAX_MATCHES], words, blocked)
            end = max(at for at, _ in cluster.values())
            if end > reached:  # otherwise it lies within the one before
                reached = end
                yield from self._name(header, cluster)

    def _cluster(
        self, column: str, found: list[tuple[int, int, float]], words: tuple[Word, ...], blocked: Collection[int]
    ) -> dict[int, tuple[int, float]]:
        """Return the longest mention that begins with the first match: each word of the header once."""
        cluster: dict[int, tuple[int, float]] = {}
        last = -1
        for position, place, sure in found:
            if cluster and last == position:
                continue
            if cluster and (place in cluster or not self._near(last, position, words, blocked)):
                break
            joined = self._joined.get(words[position].text, ())
            width = next((wide for name, first, wide in joined if (name, first) == (column, place)), 1)
            cluster.update({place + more: (position, sure) for more in range(width)})
            last = position
        return cluster

    def _near(self, last: int, position: int, words: tuple[Word, ...], blocked: Collection[int]) -> bool:
        between = range(last + 1, position)
        light = self._vocabulary.light - self._vocabulary.clauses
        if last >= 0 and words[last].text in self._vocabulary.sides:
            light |= self._vocabulary.organisations  # "the away team's score" of `Away score`
        orders = self._vocabulary.questions.orders  # "location and state" are no order to state something
        if last >= 0 and self._is_number_of(words[last:position]):
            return True
        if between and words[position].text in self._vocabulary.light - orders:
            return False  # "a H/A of H and a …": the second article is no part of `H/A`
        return len(between) <= MAX_GAP and all(i not in blocked and words[i].text in light for i in between)

    def _is_number_of(self, words: tuple[Word, ...]) -> bool:
        """Tell whether words are "total number of", which goes on like "total": "… of seats" of `Total seats`."""
        own = self._vocabulary
        known = (own.left_over.total, own.left_over.number, own.questions.of)
        return len(words) == len(known) and all(word.text in kind for word, kind in zip(words, known, strict=True))

    def _name(self, header: _Header, cluster: dict[int, tuple[int, float]]) -> Iterator[Name]:
        named = {
            place: at for place, at in cluster.items() if header.words[place] not in self._vocabulary.questions.faint
        }
        if not named and not (cluster and all(word in self._vocabulary.questions.faint for word in header.words)):
            return
        last = len(header.words) - 1
        if last and header.words[last] in self._vocabulary.ranks and last not in cluster:
            return  # "height" is no `height_rank`
        total = sum(header.weights)
        covered = sum(header.weights[place] * sure for place, (_, sure) in cluster.items()) / total
        partial = PARTIAL if max(sure for _, sure in cluster.values()) > SHORT else PARTIAL / 2
        positions = tuple(sorted({at for at, _ in cluster.values()}))
        content = [place for place, word in enumerate(header.words) if word not in self._vocabulary.questions.faint]
        whole = all(place in cluster for place in content)
        yield Name(header.column, positions[0], positions[-1] + 1, partial + (1 - partial) * covered, positions, whole)


def header_words(header: str, vocabulary: Vocabulary, unit: str = "") -> tuple[str, ...]:
    """Return the plain words of a header, written out where it shortens them: `(min)` is a minute in a unit."""
    pieces = [fold(piece) for run in runs(_FOOTNOTE.sub("", header)) for piece in _humps(run)]
    pieces = [piece for i, piece in enumerate(pieces) if piece != "s" or i == 0]
    if len(pieces) == 1 and pieces[0] in vocabulary.letters:
        return (vocabulary.letters[pieces[0]],)
    units = {short: full for short, full in vocabulary.units.items() if unit.startswith(short)}
    words = tuple(units.get(piece, vocabulary.abbreviations.get(piece, singular(piece))) for piece in pieces)
    if len(pieces) > 1 and pieces[0] in vocabulary.denials and f"{pieces[0]}." not in header.casefold():
        words = words if pieces[1] in vocabulary.light else (pieces[0], *words[1:])  # `no_show` is no number
    return squared(words, vocabulary) or (fold(header),)


def squared(words: tuple[str, ...], vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return words with "sq mi" as the one word for a square mile; `km²` is one already."""
    found: list[str] = []
    for word in words:
        known = vocabulary.areas.get(word) if found and found[-1] in vocabulary.squares else None
        if known is not None:
            found.pop()
        found.append(known or word)
    return tuple(found)


def _sides(headers: Mapping[str, _Header], vocabulary: Vocabulary) -> frozenset[str]:
    """Return the two columns of who meets in each row, as `Home team` and `Away team`: each is the other's opponent."""
    found = {
        column: {*header.words} & vocabulary.meeting
        for column, header in headers.items()
        if {*header.words} & vocabulary.meeting and {*header.words} <= vocabulary.meeting | vocabulary.organisations
    }
    told = any({*header.words} & vocabulary.rivals for header in headers.values())
    two = len(found) == TWO_SIDES and len({*map(frozenset, found.values())}) == TWO_SIDES
    return frozenset(found) if two and not told else frozenset()


def _faced_by_one_side(headers: Mapping[str, _Header], vocabulary: Vocabulary) -> str | None:
    """Return the one column of teams in a table of one side's games: its own record goes on in another column."""
    words = [word for header in headers.values() for word in header.words]
    teams = [column for column, header in headers.items() if {*header.words} & vocabulary.organisations]
    alone = len(teams) == 1 and len(headers[teams[0]].words) == 1
    running = any(header.words == (word,) for word in vocabulary.standings for header in headers.values())
    games = bool(vocabulary.meetings & {*words})
    return teams[0] if alone and running and games and not vocabulary.rivals & {*words} else None


def _verbs_of(word: str, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the stems of the verb for what a person of a header does: a keeper keeps, a baker bakes."""
    ending = next((e for e in vocabulary.doers if word.endswith(e) and len(word) >= len(e) + SHORTEST_VERB), None)
    if ending is not None and word not in vocabulary.not_agents:
        verb = word.removesuffix(ending)
        yield verb
        yield f"{verb}e"


def _joined_words(header: str, words: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
    """Yield what may be written as one word though it is several, as in `orderDate`, with its place and width."""
    place = 0
    for run in runs(header):
        width = len(_humps(run))
        if width > 1 and len(words) >= place + width:
            yield fold(run), place, width
        place += width
    for place, pair in enumerate(pairwise(words)):
        yield "".join(pair), place, 2


def _humps(run: str) -> list[str]:
    """Split `orderDate`, but not `MHz`."""
    pieces = _HUMP.split(run)
    return pieces if all(len(piece) > 1 for piece in pieces) else [run]


def _weights(
    header: str, words: tuple[str, ...], shared: Counter[str], columns: int, vocabulary: Vocabulary
) -> Iterator[float]:
    """Yield how much of a header each of its words is: most of it where no other header has the word."""
    outside = header_words(outside_brackets(header), vocabulary)
    bracketed = [word for word in words if word not in outside] if set(outside) <= set(words) else []
    bracketed += _units_at_end(header, words, vocabulary)
    for word in words:
        weight = 0.1 if word in vocabulary.questions.faint else 0.5 + math.log((1 + columns) / shared[word])
        yield weight * IN_BRACKETS if word in bracketed else weight


def _units_at_end(header: str, words: tuple[str, ...], vocabulary: Vocabulary) -> list[str]:
    """Return the words of a header that end it as units, such as those of `Height ft / m`."""
    pieces, found = [fold(piece) for piece in runs(header)], list[str]()
    if len(pieces) != len(words):
        return found
    while len(found) + 1 < len(words) and pieces[-1 - len(found)] in vocabulary.short_units:
        found.append(words[-1 - len(found)])
    return found


def _shortens(short: str, word: str, *, dotted: bool) -> bool:
    """Tell whether a short form such as `mgr` or `dept` stands for a word: consonants or a beginning of it."""
    if len(word) < len(short) + 2 or short[0] != word[0]:
        return False
    if word.startswith(short):
        return dotted or 3 <= len(short) <= 4
    if any(letter in "aeiou" for letter in short):
        return False
    rest = iter(word)
    return all(letter in rest for letter in short)
