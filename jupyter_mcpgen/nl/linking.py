"""Finds what each span of words may mean: phrases of the lexicon, columns, values of the data, numbers, dates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from rapidfuzz import fuzz, process

from jupyter_mcpgen.model.profile import Profile, Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.lexicon import MAX_PHRASE_WORDS, Lexicon
from jupyter_mcpgen.nl.meanings import Meaning
from jupyter_mcpgen.nl.tokens import Token, TokenKind
from jupyter_mcpgen.nl.words import singular, split_name, stems
from jupyter_mcpgen.plan.schema import ColumnType

MAX_MENTION = 6
"""The longest mention of a column or value, in words."""
WHOLE_NAME_EXTRA = frozenset({"total", "all", "overall", "num", "number", "count"})
"""Words of a column name that a question may leave out: `injuries_total` is what "injuries" means first."""

EXACT, STEM, TYPO = 1.0, 0.75, 0.7
LEAST_CERTAIN = 0.6
"""A mention less certain than this is offered in a refusal, never used."""


@dataclass(frozen=True)
class Item:
    """A meaning of the tokens from `start` to `end` (exclusive), and how much believing it costs (0 is sure)."""

    start: int
    end: int
    meaning: Meaning
    cost: float


@dataclass(frozen=True)
class Context:
    """What reading a question needs to know: the table and the language."""

    profile: Profile
    lexicon: Lexicon

    @cached_property
    def dates(self) -> tuple[str, ...]:
        """Return the date columns, in order."""
        return tuple(f.name for f in self.profile.schema_.fields if f.type is ColumnType.DATE)

    @cached_property
    def column_words(self) -> Mapping[str, tuple[str, ...]]:
        """The words of each column's name, without plural endings and abbreviations."""
        return {name: tuple(self.plain(w) for w in split_name(name)) for name in self.profile.schema_.names}

    def plain(self, word: str) -> str:
        """Return a lower-case word written out and without its plural ending."""
        return singular(self.lexicon.abbreviations.get(word, word))

    @cached_property
    def values(self) -> Mapping[str, tuple[m.Value, ...]]:
        """Values of text columns by their lower-case words."""
        index: dict[str, list[m.Value]] = {}
        for field, column in zip(self.profile.schema_.fields, self.profile.columns, strict=True):
            if field.type is ColumnType.TEXT:
                for value in column.values:
                    words = " ".join(_words(str(value)))
                    if words:
                        index.setdefault(words, []).append(m.Value(field.name, str(value)))
        return {words: tuple(found) for words, found in index.items()}

    @cached_property
    def row_nouns(self) -> frozenset[str]:
        """The words of the table's own name: in `crashes`, "crash" is a row."""
        own = {singular(word) for word in split_name(self.profile.name)} - {"df", "data"}
        return frozenset(own | ({"day"} if self.has_a_row_per_day else set()))

    @cached_property
    def has_a_row_per_day(self) -> bool:
        """True when the first date column never repeats, so that "day" is a row."""
        return bool(self.dates) and self.profile.column(self.dates[0]).distinct == self.profile.rows > 0

    def type_of(self, name: str) -> ColumnType:
        """Return the type of a column."""
        return self.profile.schema_.type_of(name)

    def is_number(self, name: str) -> bool:
        """Tell whether a column holds numbers."""
        return self.type_of(name).is_number

    def is_measure(self, name: str) -> bool:
        """Tell whether a number column is more than a label."""
        return self.is_number(name) and self.profile.column(name).role is Role.MEASURE

    def adds_up(self, name: str) -> bool | None:
        """Return true for amounts, false for rates and levels, None when the name does not tell."""
        words = set(self.column_words[name])
        if words & self.lexicon.intensive:
            return False
        return True if words & self.lexicon.additive else None


def _words(text: str) -> list[str]:
    return text.casefold().replace("/", " ").replace("-", " ").replace("_", " ").split()


def link(tokens: tuple[Token, ...], context: Context) -> tuple[Item, ...]:
    """Return every leaf: overlapping and competing items are the chart parser's business."""
    found: dict[tuple[int, int, Meaning], float] = {}
    for item in _leaves(tokens, context):
        key = (item.start, item.end, item.meaning)
        found[key] = min(item.cost, found.get(key, 9.0))
    return tuple(Item(start, end, meaning, cost) for (start, end, meaning), cost in found.items())


def _leaves(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    yield from _phrases(tokens, context.lexicon)
    yield from _constants(tokens)
    yield from _columns(tokens, context)
    yield from _values(tokens, context)
    yield from _row_nouns(tokens, context)


def _phrases(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Item]:
    for start, end in _windows(len(tokens), MAX_PHRASE_WORDS):
        phrase = " ".join(token.lower for token in tokens[start:end])
        for meaning in lexicon.meanings(phrase):
            yield Item(start, end, meaning, 0.0)


def _constants(tokens: tuple[Token, ...]) -> Iterator[Item]:
    for position, token in enumerate(tokens):
        if token.kind is TokenKind.NUMBER:
            text = token.text.replace(",", "")
            yield Item(position, position + 1, m.Number(float(text) if "." in text else int(text)), 0.0)
        elif token.kind is TokenKind.DATE:
            yield Item(position, position + 1, m.Moment(token.text), 0.0)
        elif token.kind is TokenKind.QUOTED:
            yield Item(position, position + 1, m.Quote(token.text), 0.0)
        elif token.lower in _NUMBER_WORDS:
            yield Item(position, position + 1, m.Number(_NUMBER_WORDS[token.lower]), 0.0)


_NUMBER_WORDS = {
    word: number
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
} | {"fifteen": 15, "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100}


def _columns(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    for start, end in _windows(len(tokens), MAX_MENTION):
        if any(token.kind in (TokenKind.NUMBER, TokenKind.SYMBOL) for token in tokens[start:end]):
            continue
        if any(_is_bare_filler(tokens[edge], context) for edge in {start, end - 1}):
            continue
        words = [word for token in tokens[start:end] for word in split_name(token.text)]
        for name, certainty in column_matches(words, context):
            if certainty >= LEAST_CERTAIN:
                yield Item(start, end, m.Column(name), 1.0 - certainty)


def _is_bare_filler(token: Token, context: Context) -> bool:
    """Tell whether a filler word names no column: a mention neither begins nor ends with one."""
    return token.lower in context.lexicon.filler and not any(
        token.lower in words for words in context.column_words.values()
    )


def column_matches(words: list[str], context: Context) -> Iterator[tuple[str, float]]:
    """Yield columns that a span of words may name, with a certainty from 0 to 1."""
    yield from _matches(words, context)
    if len(words) > 1 and context.plain(words[-1]) in context.lexicon.generic:
        for name, certainty in _matches(words[:-1], context):
            if certainty >= EXACT - 0.05:  # "weather condition" names a column `weather`, if that is its whole name
                yield name, certainty - 0.06


def _matches(words: list[str], context: Context) -> Iterator[tuple[str, float]]:
    wanted = [context.plain(word) for word in words]
    if not wanted or len(set(wanted)) < len(wanted):
        return
    stem = stems(context.lexicon.language)
    found: list[tuple[str, float, float]] = []
    for name, own in context.column_words.items():
        spoken = [word for word in wanted if word in own or word not in ("of", "the", "in")]
        level = _containment(spoken, own, stem.of)
        if level and spoken:
            optional = WHOLE_NAME_EXTRA | context.row_nouns
            rest = [word for word in own if word not in spoken and word not in optional]
            coverage = 1.0 if not rest or len(own) == len(spoken) else len(spoken) / (len(spoken) + len(rest))
            bare = 0.02 if coverage == 1.0 and len(own) > len(spoken) else 0.0
            found.append((name, level * (0.6 + 0.4 * coverage) - bare, coverage))
    partial = sum(1 for _, _, coverage in found if coverage < 1.0)
    for name, certainty, coverage in found:
        yield name, certainty - (0.08 if coverage < 1.0 and partial > 1 else 0.0)


def _containment(wanted: list[str], own: tuple[str, ...], stem: Callable[[str], str]) -> float:
    """How surely every wanted word stands in a column's own words: 0 when one does not."""
    level = EXACT
    own_stems = None
    for word in wanted:
        if word in own:
            continue
        if own_stems is None:
            own_stems = {stem(each) for each in own}
        if stem(word) in own_stems:
            level = min(level, STEM)
        elif len(word) > 4 and process.extractOne(word, own, scorer=fuzz.ratio, score_cutoff=86):
            level = min(level, TYPO)
        else:
            return 0.0
    return level


def _values(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    for start, end in _windows(len(tokens), MAX_MENTION):
        span = tokens[start:end]
        text = " ".join(word for token in span for word in _words(token.text))
        quoted = len(span) == 1 and span[0].kind is TokenKind.QUOTED
        common = len(span) == 1 and not quoted and _is_common(span[0], context.lexicon)
        for value in (*context.values.get(text, ()), *_without_plural(text, context)):
            yield Item(start, end, value, 0.45 if common else 0.02 if quoted else 0.05)
        for value in _adjective(text, context):
            yield Item(start, end, value, 0.2)


def _without_plural(text: str, context: Context) -> tuple[m.Value, ...]:
    head, _, last = text.rpartition(" ")
    bare = f"{head} {singular(last)}".strip()
    return context.values.get(bare, ()) if bare != text else ()


def _adjective(text: str, context: Context) -> tuple[m.Value, ...]:
    """Stands for "rainy" for `rain`, "foggy" for `fog`."""
    if " " in text or len(text) < 4 or not text.endswith("y"):
        return ()
    stem = text[:-1]
    doubled = stem[:-1] if stem[-1] == stem[-2] else stem
    return (*context.values.get(stem, ()), *(context.values.get(doubled, ()) if doubled != stem else ()))


def _is_common(token: Token, lexicon: Lexicon) -> bool:
    return token.lower in lexicon.filler or bool(lexicon.meanings(token.lower))


def _row_nouns(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    for position, token in enumerate(tokens):
        if token.kind is not TokenKind.WORD:
            continue
        words = [singular(word) for word in split_name(token.text)]
        known = token.lower in context.lexicon.table_nouns or token.lower == context.profile.name.casefold()
        if words and (known or set(words) <= context.row_nouns):
            yield Item(position, position + 1, m.RowNoun(token.text), 0.0)
        elif not _is_common(token, context.lexicon) and not token.lower[:1].isdigit():
            yield Item(position, position + 1, m.RowNoun(token.text, assumed=True), 0.35)


def _windows(length: int, widest: int) -> Iterator[tuple[int, int]]:
    for start, width in product(range(length), range(1, widest + 1)):
        if start + width <= length:
            yield start, start + width
