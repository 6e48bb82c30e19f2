"""What a row of a table may be called, and how surely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from jupyter_mcpgen.model.profile import ColumnProfile, Profile
from jupyter_mcpgen.nl.lexicon.lexicon import Lexicon
from jupyter_mcpgen.nl.lexicon.reading import RowKind
from jupyter_mcpgen.nl.schema.additivity import Additivity
from jupyter_mcpgen.nl.schema.headers import HeaderWord, read_header
from jupyter_mcpgen.nl.schema.vocabulary import Vocabulary, Words
from jupyter_mcpgen.nl.text.morphology import Form
from jupyter_mcpgen.plan.schema import ColumnType

NAMED, SYNONYM, OF_KIND, DESCRIBES_SEVERAL, DESCRIBES_ONE = 0.0, 0.05, 0.1, 0.15, 0.2
"""What a noun costs: the table's or a key's own, a synonym, one of the kind of table, one that describes others."""
_SHORTEST_PART = 3
_DAYS_APART = (("year", 350), ("quarter", 85), ("month", 27), ("week", 6.5))
_NO_NOUNS = frozenset({Form.PAST, Form.COMPARATIVE, Form.SUPERLATIVE, Form.ADVERB})


@dataclass(frozen=True, slots=True)
class RowNoun:
    """A name for a row, as lemmas with the noun last, why a row may be called so, and what it costs."""

    words: tuple[str, ...]
    reason: str
    cost: float = NAMED


@dataclass(frozen=True, slots=True)
class Named:
    """What of a column counts for what a row is."""

    name: str
    type: ColumnType
    words: tuple[HeaderWord, ...]
    additivity: Additivity


def find_row_nouns(
    profile: Profile,
    columns: Sequence[Named],
    keys: frozenset[str],
    things: Container[str],
    lexicon: Lexicon,
    vocabulary: Vocabulary,
) -> tuple[RowNoun, ...]:
    """Return what a row may be called, each name once, the surest first.

    `keys` are the columns that tell rows apart, `things` the nouns of what several rows are about.
    """
    named_so = (
        *_of_keys(columns, keys, vocabulary),
        *_of_table(profile.name, lexicon, vocabulary),
        *_of_names(columns, keys, vocabulary),
    )
    own = [noun for noun in named_so if noun.words and noun.words[-1] not in things]
    taken = {word.base for column in columns for word in column.words if word.heavy}
    guessed = (
        *_synonyms(own, lexicon, vocabulary),
        *_of_kind(columns, lexicon),
        *_of_dates(profile, columns, keys, lexicon),
    )
    free = (noun for noun in guessed if taken.isdisjoint(noun.words) and noun.words[-1] not in things)
    found: dict[tuple[str, ...], RowNoun] = {}
    for noun in (*own, *free, *_describing(columns, things, lexicon)):
        found.setdefault(noun.words, noun)
    return tuple(sorted(found.values(), key=lambda noun: noun.cost))


def identified(column: Named, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the words of what a column has identifiers of; nothing for other columns."""
    told = vocabulary.words.identifiers
    if column.additivity is not Additivity.IDENTIFIER or not any(word.known & told for word in column.words):
        return ()
    inner = [place for place, word in enumerate(column.words) if word.function]
    return _lemmas(column.words[inner[-1] + 1 if inner else 0 :], told)


def named(column: Named, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the words of what a column has names of."""
    return _lemmas(column.words, vocabulary.words.naming)


def _of_keys(columns: Sequence[Named], keys: frozenset[str], vocabulary: Vocabulary) -> Iterator[RowNoun]:
    for column in columns:
        if column.name in keys and (called := identified(column, vocabulary)):
            yield RowNoun(called, _different(column))


def _of_table(name: str, lexicon: Lexicon, vocabulary: Vocabulary) -> Iterator[RowNoun]:
    called = _lemmas(read_header(name, None, lexicon, vocabulary), vocabulary.words.tables)
    reason = f"the table is called `{name}`"
    yield RowNoun(called, reason)
    if called and (last := _last_part(called[-1], lexicon)):
        yield RowNoun((last,), reason, SYNONYM)


def _of_names(columns: Sequence[Named], keys: frozenset[str], vocabulary: Vocabulary) -> Iterator[RowNoun]:
    texts = [column for column in columns if column.type is ColumnType.TEXT and column.additivity is Additivity.NONE]
    for column in texts:
        naming = column is texts[0] or any(word.known & vocabulary.words.naming for word in column.words)
        if column.name in keys and naming:
            yield RowNoun(named(column, vocabulary), _different(column))


def _last_part(word: str, lexicon: Lexicon) -> str | None:
    """Return the noun at the end of an unknown word of two: "boat" for "houseboat"."""
    if lexicon.knows(word):
        return None
    parts = (word[place:] for place in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1))
    known = (lemma for part in parts for lemma in lexicon.lemmas(part) if lexicon.concepts(lemma))
    return next(known, None)


def _synonyms(own: Iterable[RowNoun], lexicon: Lexicon, vocabulary: Vocabulary) -> Iterator[RowNoun]:
    """Yield what shares a concept with a name, but for those of money: a sale is no "income"."""
    for noun in own:
        for word in _others(noun.words[-1], lexicon, vocabulary):
            yield RowNoun((word,), f"{noun.reason}, and a {noun.words[-1]} is a {word}", SYNONYM)


def _others(noun: str, lexicon: Lexicon, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the synonyms of a noun that tell something; of one that a set is called by, those of that set alone."""
    concepts = lexicon.concepts(noun) - vocabulary.money.money
    for word in lexicon.synonyms({noun} & concepts or concepts):
        if word != noun and word not in vocabulary.words.light:
            yield word


def _of_kind(columns: Sequence[Named], lexicon: Lexicon) -> Iterator[RowNoun]:
    meant = [(column.name, frozenset().union(*map(_meant, column.words))) for column in columns]
    for kind in lexicon.row_kinds:
        told = tuple(_telling(kind, meant))
        if len(told) >= kind.least:
            reason = f"there are {', '.join(f'`{name}`' for name in told)}"
            yield from (RowNoun((noun,), reason, OF_KIND) for noun in kind.nouns)


def _telling(kind: RowKind, columns: Sequence[tuple[str, frozenset[str]]]) -> Iterator[str]:
    """Yield the columns that tell a kind of table, one for each of its words."""
    left = set(kind.columns)
    for name, meant in columns:
        if found := meant & left:
            left.remove(min(found))
            yield name


def _meant(word: HeaderWord) -> frozenset[str]:
    """Return what a word says, and its concepts unless one is called as the word, which then means just that."""
    return word.known if word.concepts & word.known else word.known | word.concepts


def _of_dates(profile: Profile, columns: Sequence[Named], keys: frozenset[str], lexicon: Lexicon) -> Iterator[RowNoun]:
    """Yield what a row is called that is told apart by its date and by no identifier."""
    if any(column.name in keys and column.additivity is Additivity.IDENTIFIER for column in columns):
        return
    for column in columns:
        if column.name in keys and column.type is ColumnType.DATE:
            known = profile.column(column.name)
            period = _period(known.written[0].values if known.written else known)
            yield from (RowNoun((noun,), _different(column), OF_KIND) for noun in lexicon.period_rows(period))


def _period(dates: ColumnProfile) -> str:
    """Return how far dates are apart, a day where they are not evenly so."""
    first, last = _day(dates.minimum), _day(dates.maximum)
    if first is None or last is None or dates.distinct < 2:
        return "day"
    apart = (last - first).days / (dates.distinct - 1)
    return next((period for period, least in _DAYS_APART if apart >= least), "day")


def _day(value: object) -> date | None:
    match value:
        case datetime():
            return value.date()
        case date():
            return value
        case str():
            return date.fromisoformat(value[:10])
        case _:
            return None


def _describing(columns: Sequence[Named], things: Container[str], lexicon: Lexicon) -> Iterator[RowNoun]:
    """Yield the nouns that describe others in headers: the `ride` of `ride_date`."""
    described: Counter[str] = Counter()
    for column in columns:
        spoken = [word for word in column.words if not word.function and lexicon.unit(word.text) is None]
        described.update({word.base for word in spoken[:-1] if word.heavy and _is_noun(word, lexicon)})
    for base, times in described.items():
        cost = DESCRIBES_SEVERAL if times > 1 and base not in things else DESCRIBES_ONE
        yield RowNoun((base,), f"`{base}` describes others in {times} headers", cost)


def _is_noun(word: HeaderWord, lexicon: Lexicon) -> bool:
    """Tell whether a word may be a noun: no form of a verb or adjective, and no adjective that orders."""
    analyses = lexicon.morphology.analyses(word.text)
    return word.text.isalpha() and not lexicon.dimension(word.text) and all(a.form not in _NO_NOUNS for a in analyses)


def _different(column: Named) -> str:
    return f"`{column.name}` is different in each row"


def _lemmas(words: Sequence[HeaderWord], left_out: Words) -> tuple[str, ...]:
    """Return the lemmas of words that name a thing, without numbers."""
    spoken = (word for word in words if not word.function and not word.text.isdecimal())
    return tuple(word.base for word in spoken if left_out.isdisjoint((word.text, word.base, *word.full)))
