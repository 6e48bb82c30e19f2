"""The lexicon: what the words of a language mean, whatever the table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from jupyter_mcpgen.nl.lexicon.entries import Degree, Dimension, Unit
from jupyter_mcpgen.nl.lexicon.reading import NounKind, Ordering, RowKind, WordClass, Words, read
from jupyter_mcpgen.nl.text.morphology import Analysis, Form, Morphology
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind, tokenize

_DEGREES = {Form.COMPARATIVE: Degree.COMPARATIVE, Form.SUPERLATIVE: Degree.SUPERLATIVE}
_NO_WORDS: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The words of a language. Every argument is in lower case; a phrase has one space between its words."""

    morphology: Morphology
    words: Words

    def tokens(self, question: str, names: Callable[[str], bool] = bool) -> tuple[Token, ...]:
        """Return the tokens of a question; `names` tells whether a word names something, and so is no compound."""
        tokens = tokenize(question, decimal_comma=self.words.decimal_comma)
        if not self.words.compounds:
            return tokens
        return tuple(part for token in tokens for part in self._parts(token, names))

    def _parts(self, token: Token, names: Callable[[str], bool]) -> Iterator[Token]:
        """Yield a compound as two tokens, if its second part names something and the whole does not."""
        if token.kind is TokenKind.WORD and not names(token.lower):
            for first, said in self.words.compounds.items():
                rest = token.lower.removeprefix(first)
                if rest != token.lower and rest and names(rest):
                    yield Token(said, TokenKind.WORD)
                    yield Token(rest, TokenKind.WORD)
                    return
        yield token

    def lemmas(self, word: str) -> tuple[str, ...]:
        """Return the lemmas that a word may belong to, itself first."""
        return self.morphology.lemmas(word)

    def denied(self, word: str) -> tuple[str, ...]:
        """Return the lemmas of what a word may deny: "paid" and "pay" for "unpaid"."""
        return tuple(analysis.lemma for analysis in self.morphology.denied(word))

    def knows(self, word: str) -> bool:
        """Tell whether a word stands here in some form, so that it is no slip of the keyboard."""
        words = self.words
        tables: tuple[Container[str], ...] = (
            words.concepts, words.families, words.classes, words.dimensions, words.judgements, words.units,
            words.numbers, words.multipliers, words.ordinals, words.months, words.weekdays, words.abbreviations,
        )  # fmt: skip
        return any(lemma in table for lemma in self.lemmas(word) for table in tables)

    def concepts(self, lemma: str) -> frozenset[str]:
        """Return the names of the sets of synonyms that a lemma belongs to."""
        return self.words.concepts.get(lemma, _NO_WORDS)

    def synonyms(self, concepts: Iterable[str]) -> tuple[str, ...]:
        """Return the words of some sets of synonyms in the order of the letters."""
        return tuple(sorted({word for name in concepts for word in self._sets[name]}))

    @cached_property
    def _sets(self) -> Mapping[str, frozenset[str]]:
        sets: dict[str, set[str]] = defaultdict(set)
        for word, names in self.words.concepts.items():
            for name in names:
                sets[name].add(word)
        return {name: frozenset(words) for name, words in sets.items()}

    def derived(self, lemma: str) -> frozenset[str]:
        """Return the other words of its family: "growth" for "grow", "french" for "france"."""
        return self.words.families.get(lemma, _NO_WORDS)

    def kinds(self, lemma: str) -> frozenset[NounKind]:
        """Return what a noun is about: what is said of it, or of all the words that it may stand for."""
        own = self.words.kinds.get(lemma)
        if own is not None:
            return own
        meant = [self.words.kinds.get(concept, frozenset()) for concept in self.concepts(lemma) - {lemma}]
        return frozenset.intersection(*meant) if meant and lemma not in self._sets else frozenset()

    def generic(self, lemma: str) -> frozenset[NounKind]:
        """Return of which kind a noun names any: "people" any persons."""
        return self.words.generic.get(lemma, frozenset())

    def opposites(self, lemma: str) -> frozenset[str]:
        """Return the words that hold where it does not: "fail" for "pass"."""
        return self.words.opposites.get(lemma, _NO_WORDS)

    def codes(self, place: str) -> frozenset[str]:
        """Return the official codes of a country or state: "fr" and "fra" for "france"."""
        return self.words.codes.get(place, _NO_WORDS)

    def places(self, code: str) -> frozenset[str]:
        """Return the countries and states that have an official code: "california" and "canada" for "ca"."""
        return self.words.places.get(code, _NO_WORDS)

    def is_function(self, word: str) -> bool:
        """Tell whether a word only connects others: an article, a preposition, a pronoun, an auxiliary."""
        found = self._class(word)
        return found is not None and found.closed

    def skip_cost(self, phrase: str) -> float | None:
        """Return what it costs to leave out a word or a phrase; None for one that may not be left out."""
        found = self._class(phrase)
        return None if found is None else found.cost

    def abbreviations(self, word: str) -> tuple[str, ...]:
        """Return what a word may be short for: "quantity" for "qty", "date of birth" for "dob"."""
        return self.words.abbreviations.get(word, ())

    def dimension(self, word: str) -> tuple[Dimension, ...]:
        """Return the orders that an adjective or adverb may ask for, in whatever degree."""
        return self._orders(word, self.words.dimensions)

    def judgement(self, word: str) -> tuple[Dimension, ...]:
        """Return the orders that a word which needs a yardstick may ask for: "best", "important"."""
        return self._orders(word, self.words.judgements)

    def unit(self, phrase: str) -> Unit | None:
        """Return the unit that a word, a short form or a phrase names.

        Many short forms are words as well ("in", "won"): only beside a number or in a header is one meant.
        """
        units = self.words.units
        return next((units[lemma] for lemma in self._phrase_lemmas(phrase) if lemma in units), None)

    def number(self, word: str) -> float | None:
        """Return the number that a word says: "twelve", "twenty-five", "half", "dozen"."""
        numbers = self.words.numbers
        if word in numbers:
            return numbers[word]
        tens, _, ones = word.partition("-")
        if numbers.get(tens, 0) in range(20, 100, 10) and numbers.get(ones, 0) in range(1, 10):
            return numbers[tens] + numbers[ones]
        return None

    def multiplier(self, word: str) -> float | None:
        """Return what a word or letter behind a number multiplies it by: "million", "k"."""
        return self.words.multipliers.get(word)

    def ordinal(self, word: str) -> int | None:
        """Return the place that a word says: "third", "3rd"."""
        for ending in self.words.ordinal_endings:
            digits = word.removesuffix(ending)
            if digits != word and digits.isascii() and digits.isdecimal():
                return int(digits)
        return self.words.ordinals.get(word)

    def month(self, word: str) -> int | None:
        """Return the number of a month, from 1, by its name or a short form."""
        return self.words.months.get(word)

    def weekday(self, word: str) -> int | None:
        """Return the number of a weekday, Monday being 1, by its name or a short form."""
        return next((self.words.weekdays[w] for w in self.lemmas(word) if w in self.words.weekdays), None)

    @property
    def row_kinds(self) -> tuple[RowKind, ...]:
        """What rows are called by what the table has columns for."""
        return self.words.row_kinds

    def period_rows(self, period: str) -> tuple[str, ...]:
        """Return what a row is called that stands for a period, such as "month"."""
        return self.words.period_rows[period]

    def _class(self, phrase: str) -> WordClass | None:
        return self.words.classes.get(phrase)

    def _phrase_lemmas(self, phrase: str) -> tuple[str, ...]:
        """Return a phrase with each lemma of its first word, or of its last: "square metres", "miles per hour"."""
        first, space, rest = phrase.partition(" ")
        if not space:
            return self.lemmas(phrase)
        begin, _, last = phrase.rpartition(" ")
        return (*(f"{lemma} {rest}" for lemma in self.lemmas(first)), *(f"{begin} {w}" for w in self.lemmas(last)))

    def _orders(self, word: str, orders: Mapping[str, tuple[Ordering, ...]]) -> tuple[Dimension, ...]:
        """Return the orders of a word, or else those of what it denies, the other way round."""
        own = _dimensions(self.morphology.analyses(word), orders)
        if own:
            return own
        denied = _dimensions(self.morphology.denied(word), orders)
        return tuple(replace(order, descending=not order.descending) for order in denied)


def _dimensions(analyses: Iterable[Analysis], orders: Mapping[str, tuple[Ordering, ...]]) -> tuple[Dimension, ...]:
    return tuple(
        Dimension(lemma, order.concepts, order.descending, order.by_count, _DEGREES.get(form, Degree.POSITIVE))
        for lemma, form in analyses
        for order in orders.get(lemma, ())
    )


@lru_cache(maxsize=4)
def load(language: str) -> Lexicon:
    """Return the lexicon of a language, such as "en"; raises `UnfitLexicon` where a file of it says what it may not."""
    return Lexicon(*read(language))
