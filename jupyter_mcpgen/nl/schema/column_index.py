"""The words of a table's headers by the words of a question that match them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

from jupyter_mcpgen.nl.lexicon.lexicon import Lexicon
from jupyter_mcpgen.nl.schema import costs
from jupyter_mcpgen.nl.schema.headers import HeaderWord, split_words
from jupyter_mcpgen.nl.schema.typos import one_edit_away
from jupyter_mcpgen.nl.text.tokens import tokenize

Places = list[tuple[int, int]]
_BEHIND = re.compile(r"\s*[(\[].*")
_SHORTEST_SIDE = 3
_LIGHT = 0.1
_FEWEST_INITIALS = 3


@dataclass(frozen=True, slots=True)
class IndexedColumn:
    """A column's words, and what it costs when some of them are not said."""

    name: str
    words: tuple[HeaderWord, ...]
    head: int
    """The place of the noun that the other words describe."""
    weight: float
    sides: tuple[frozenset[int], ...] = ()
    """The words on each side of a slash, of which those of one side say the name: `site/stadium`."""

    @classmethod
    def of(cls, name: str, words: tuple[HeaderWord, ...]) -> IndexedColumn:
        """Return a column with its head: the last heavy word, before a preposition."""
        inner = next((place for place, word in enumerate(words) if word.function and place), len(words))
        heavy = [place for place, word in enumerate(words) if word.heavy]
        head = next((place for place in reversed(heavy) if place < inner), heavy[0] if heavy else 0)
        return cls(name, words, head, sum(word.weight for word in words), _sides(name, words))

    def lacking(self, said: Iterable[int]) -> float:
        """Return the cost of a mention that says only some of the words."""
        matched = frozenset(said)
        if any(side <= matched for side in self.sides):
            rest = matched.union(*self.sides)
            return costs.together(costs.ONE_SIDE, self._lacking(rest))
        return self._lacking(matched)

    def _lacking(self, matched: frozenset[int]) -> float:
        if len(matched) == len(self.words):
            return costs.EXACT
        left = [word for place, word in enumerate(self.words) if place not in matched]
        share = sum(word.weight for word in left) / self.weight
        if any(word.heavy for word in left):
            if self.head in matched:
                return costs.LACKS_HEAVY + (costs.LACKS_MANY - costs.LACKS_HEAVY) * share**2
            return costs.LACKS_HEAD + (costs.LACKS_ALL - costs.LACKS_HEAD) * share**2
        return costs.LACKS_LIGHT * share


def _sides(name: str, words: Sequence[HeaderWord]) -> tuple[frozenset[int], ...]:
    """Return the places of the words on each side of a slash; nothing for units, such as "km/h"."""
    parts = [split_words(part) for part in _BEHIND.sub("", name).split("/")]
    if (
        len(parts) == 1
        or not all(parts)
        or tuple(chain(*parts)) != tuple(word.text for word in words[: sum(map(len, parts))])
    ):
        return ()
    if any(len(part) == 1 and len(part[0]) < _SHORTEST_SIDE for part in parts):
        return ()
    ends = list(accumulate(map(len, parts)))
    return tuple(frozenset(range(end - len(part), end)) for part, end in zip(parts, ends, strict=True))


class ColumnIndex:
    """The header words of a table by text, lemma, abbreviation, concept and family, built once."""

    def __init__(self, headers: Sequence[tuple[str, tuple[HeaderWord, ...]]], lexicon: Lexicon) -> None:
        self.columns = tuple(IndexedColumn.of(name, words) for name, words in headers)
        self._lexicon = lexicon
        self._texts: dict[str, Places] = defaultdict(list)
        self._lemmas: dict[str, Places] = defaultdict(list)
        self._full: dict[str, Places] = defaultdict(list)
        self._concepts: dict[str, Places] = defaultdict(list)
        self._families: dict[str, Places] = defaultdict(list)
        self._joined: dict[str, list[int]] = defaultdict(list)
        self._initials: dict[str, list[int]] = defaultdict(list)
        self._names: dict[str, list[int]] = defaultdict(list)
        self._written: dict[str, list[tuple[tuple[str, ...], int]]] = defaultdict(list)
        self._matches: dict[str, Mapping[int, Mapping[int, float]]] = {}
        for number, (name, words) in enumerate(headers):
            self._names[name.strip().casefold()].append(number)
            written = tuple(token.lower for token in tokenize(name))
            if len(written) > 1:
                self._written[written[0]].append((written, number))
            self._add_wholes(number, words)
            for place, word in enumerate(words):
                self._add_word((number, place), word)

    def named(self, text: str) -> Sequence[int]:
        """Return the columns with exactly this name, capitals aside."""
        return self._names.get(text.strip().casefold(), ())

    def written(self, first: str) -> Sequence[tuple[tuple[str, ...], int]]:
        """Return the names of several words or signs that begin with a word, each with its column."""
        return self._written.get(first, ())

    def joined(self, text: str) -> Sequence[int]:
        """Return the columns whose words, written as one, are a text: "zipcode" for `zip_code`."""
        return self._joined.get(text, ())

    def with_initials(self, letters: str, *, capitals: bool) -> Sequence[int]:
        """Return the columns whose words begin with these letters; only two must be capitals."""
        return self._initials.get(letters, ()) if capitals or len(letters) >= _FEWEST_INITIALS else ()

    def matches(self, piece: str) -> Mapping[int, Mapping[int, float]]:
        """Return the header words that a word of a question may be: per column the place of each, with its cost."""
        found = self._matches.get(piece)
        if found is None:
            found = self._matches[piece] = self._found(piece)
        return found

    def _add_wholes(self, number: int, words: Sequence[HeaderWord]) -> None:
        texts = [word.text for word in words if word.text]
        self._joined["".join(texts)].append(number)
        spoken = [word.text for word in words if word.text and not word.function]
        for initials in {"".join(text[0] for text in texts), "".join(text[0] for text in spoken)}:
            if len(initials) > 1:
                self._initials[initials].append(number)

    def _add_word(self, place: tuple[int, int], word: HeaderWord) -> None:
        self._texts[word.text].append(place)
        if word.function:
            return
        for lemma in word.lemmas:
            self._lemmas[lemma].append(place)
        for full in word.full:
            self._full[full].append(place)
        for concept in word.concepts:
            self._concepts[concept].append(place)
        for lemma in {*word.lemmas, *word.full}:
            for relative in self._lexicon.derived(lemma):
                self._families[relative].append(place)

    def _found(self, piece: str) -> Mapping[int, Mapping[int, float]]:
        found: dict[int, dict[int, float]] = defaultdict(dict)

        def add(places: Places, cost: float) -> None:
            for number, place in places:
                found[number].setdefault(place, cost)

        add(self._texts.get(piece, []), costs.EXACT)
        if self._lexicon.is_function(piece):
            return found
        lemmas = self._lexicon.lemmas(piece)
        for lemma in lemmas:
            add(self._lemmas.get(lemma, []), costs.INFLECTED)
        for lemma in lemmas:
            places = self._full.get(lemma, [])
            add([one for one in places if self._is_light(*one)], costs.INFLECTED)
            add(places, costs.ABBREVIATED)
        for full in self._lexicon.abbreviations(piece):
            add(self._lemmas.get(full, []), costs.ABBREVIATED)
        for lemma in lemmas:
            for concept in self._lexicon.concepts(lemma):
                add(self._concepts.get(concept, []), costs.CONCEPT)
            add(self._families.get(lemma, []), costs.DERIVED)
            for relative in self._lexicon.derived(lemma):
                add(self._lemmas.get(relative, []), costs.DERIVED)
        return found

    def _is_light(self, number: int, place: int) -> bool:
        """Tell whether a word tells little, so that its full form is as good: "number" for `No.`."""
        return self.columns[number].words[place].weight <= _LIGHT and len(self.columns[number].words) > 1

    def typos(self, piece: str) -> Mapping[int, Mapping[int, float]]:
        """Return the header words that an unknown word is one letter away from."""
        if self.matches(piece) or self._lexicon.knows(piece):
            return {}
        found: dict[int, dict[int, float]] = defaultdict(dict)
        for form in self._lexicon.lemmas(piece):
            for meant in one_edit_away(form, self._texts):
                for number, place in self._texts[meant]:
                    found[number][place] = costs.TYPO
        return found
