"""What a table is: facts of its columns and rows, inferred once from its profile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from jupyter_mcpgen.model.profile import ColumnProfile, Kind, Profile, Written
from jupyter_mcpgen.nl.lexicon.lexicon import Lexicon
from jupyter_mcpgen.nl.schema.additivity import Additivity, find_running_totals, judge_additivity
from jupyter_mcpgen.nl.schema.cell_index import CellIndex, has_figure
from jupyter_mcpgen.nl.schema.column_index import ColumnIndex
from jupyter_mcpgen.nl.schema.dates import Dated, DateRole, Interval, find_date_role, find_intervals, holds_years
from jupyter_mcpgen.nl.schema.headers import HeaderWord, read_header, weigh_words
from jupyter_mcpgen.nl.schema.persons_and_places import find_persons, find_places
from jupyter_mcpgen.nl.schema.preferences import Preference, find_preferences
from jupyter_mcpgen.nl.schema.relations import Header, Sides, Variants, find_sides, find_variants
from jupyter_mcpgen.nl.schema.row_nouns import Named
from jupyter_mcpgen.nl.schema.rows import RowFacts, find_row_facts
from jupyter_mcpgen.nl.schema.truth_index import TruthIndex
from jupyter_mcpgen.nl.schema.truths import Truth, find_truth
from jupyter_mcpgen.nl.schema.value_index import Valued, ValueIndex
from jupyter_mcpgen.nl.schema.vocabulary import MoneyWords, Vocabulary, load_vocabulary
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.writings import TruthWriting


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """What is known of a column; `type` is that of what its texts write."""

    name: str
    type: ColumnType
    words: tuple[HeaderWord, ...]
    additivity: Additivity
    reason: str
    """Why its values add up or do not."""
    money: bool
    unit: str | None
    date_role: DateRole | None
    truth: Truth | None
    order: tuple[str, ...]
    """The values of a scale, lowest first."""
    written: tuple[Written, ...]
    """The ways to read its texts; a person has to say which where there are two."""


@dataclass(frozen=True)
class TableSchema:
    """A table's columns, what a row is, and which columns belong together."""

    name: str
    columns: tuple[ColumnFacts, ...]
    row: RowFacts
    intervals: tuple[Interval, ...]
    sides: tuple[Sides, ...]
    variants: tuple[Variants, ...]
    persons: tuple[str, ...]
    """The columns that name persons, those with names first."""
    places: tuple[str, ...]
    """The columns that say where, those with known places first."""
    profile: Profile = field(compare=False, repr=False)
    lexicon: Lexicon = field(compare=False, repr=False)
    vocabulary: Vocabulary = field(compare=False, repr=False)

    def column(self, name: str) -> ColumnFacts:
        """Return one column's facts; raises `KeyError` for a name that the table does not have."""
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, ColumnFacts]:
        return {column.name: column for column in self.columns}

    @cached_property
    def preferences(self) -> tuple[Preference, ...]:
        """Which of two columns is meant that the same words mention."""
        return find_preferences(self.row, self.variants)

    @cached_property
    def column_index(self) -> ColumnIndex:
        """The headers by the words that mention them."""
        return ColumnIndex(tuple((column.name, column.words) for column in self.columns), self.lexicon)

    @cached_property
    def truth_index(self) -> TruthIndex:
        """The columns of yes and no by the words that say one or the other."""
        return TruthIndex(((one.name, one.words, one.truth) for one in self.columns if one.truth), self.lexicon)

    @cached_property
    def value_index(self) -> ValueIndex:
        """The values of columns of texts by the words that mention them."""
        return ValueIndex(tuple(self._valued()), self.lexicon)

    @cached_property
    def cell_index(self) -> CellIndex:
        """The cells with figures as they are written."""
        texts = (name for name in self.profile.schema_.names if self.profile.schema_.type_of(name) is ColumnType.TEXT)
        known = ((name, self.profile.column(name)) for name in texts)
        return CellIndex((name, (*column.values, *column.more)) for name, column in known)

    def _valued(self) -> Iterator[Valued]:
        for column in self.columns:
            known = self.profile.column(column.name)
            texts = [text for text in (*known.values, *known.more) if isinstance(text, str)]
            if column.type is ColumnType.TEXT:
                yield Valued(column.name, tuple((text, text) for text in texts))
            elif column.written and isinstance(writing := column.written[0].writing, TruthWriting):
                told = ((text, text.strip().casefold()) for text in texts)
                plain = self.vocabulary.truth.plain
                yield Valued(
                    column.name, tuple((text, word in writing.true) for text, word in told if word not in plain)
                )
            elif column.written and column.type is ColumnType.DATE:
                yield Valued(column.name, tuple((text, text) for text in texts))
            elif column.written and column.type.is_number:
                yield Valued(column.name, tuple((text, text) for text in texts if not has_figure(text)))


@lru_cache(maxsize=32)
def schema_of(profile: Profile, lexicon: Lexicon, language: str = "en") -> TableSchema:
    """Return what a table is, by its profile and the words of a language."""
    vocabulary = load_vocabulary(language)
    headers = weigh_words(
        tuple(read_header(column.name, _read(column).unit, lexicon, vocabulary) for column in profile.columns)
    )
    running = find_running_totals(headers, vocabulary)
    columns = tuple(
        _column_facts(column, words, place in running, profile, lexicon, vocabulary)
        for place, (column, words) in enumerate(zip(profile.columns, headers, strict=True))
    )
    named = tuple(Named(column.name, column.type, column.words, column.additivity) for column in columns)
    related = tuple(Header(column.name, column.type, column.unit, column.words) for column in columns)
    sides = find_sides(related, vocabulary)
    return TableSchema(
        name=profile.name,
        columns=columns,
        row=find_row_facts(profile, named, lexicon, vocabulary),
        intervals=find_intervals(
            _dated(columns, profile), ((pair.first, pair.second) for pair in sides), vocabulary.dates
        ),
        sides=sides,
        variants=find_variants(related, vocabulary),
        persons=find_persons(named, lexicon, vocabulary),
        places=find_places(named, profile, lexicon, vocabulary),
        profile=profile,
        lexicon=lexicon,
        vocabulary=vocabulary,
    )


def _read(column: ColumnProfile) -> ColumnProfile:
    """Return the profile of what a column's texts write, or of the column itself."""
    return column.written[0].values if column.written else column


def _column_facts(
    column: ColumnProfile,
    words: tuple[HeaderWord, ...],
    beside_new: bool,
    profile: Profile,
    lexicon: Lexicon,
    vocabulary: Vocabulary,
) -> ColumnFacts:
    read = _read(column)
    type_ = column.written[0].type if column.written else profile.schema_.type_of(column.name)
    kinds = {column.kind, read.kind}
    truth = find_truth(read, type_, words, profile.rows, lexicon, vocabulary)
    money = type_.is_number and _is_money(read, kinds, words, vocabulary.money)
    additivity, reason = judge_additivity(
        read,
        type_,
        words,
        lexicon,
        vocabulary,
        money=money,
        beside_new=beside_new,
    )
    if truth is not None:
        additivity, reason = Additivity.NONE, "its values say yes or no"
    years = holds_years(read, type_, words, vocabulary.dates)
    if years and additivity is not Additivity.IDENTIFIER:
        additivity, reason = Additivity.CODE, "its numbers are years"
    dated = years or type_ is ColumnType.DATE or Kind.PERIOD in kinds
    return ColumnFacts(
        name=column.name,
        type=type_,
        words=words,
        additivity=additivity,
        reason=reason,
        money=money and additivity is not Additivity.RATIO,
        unit=read.unit or column.unit,
        date_role=find_date_role(words, vocabulary.dates) if dated else None,
        truth=truth,
        order=column.order,
        written=column.written,
    )


def _is_money(column: ColumnProfile, kinds: set[Kind | None], words: tuple[HeaderWord, ...], told: MoneyWords) -> bool:
    """Tell whether numbers are money by their signs, their unit or their name, where the unit is no other one."""
    if Kind.MONEY in kinds or (column.unit and column.unit.casefold() in told.currencies):
        return True
    return column.unit is None and any(word.known & (told.money | told.currencies) for word in words)


def _dated(columns: tuple[ColumnFacts, ...], profile: Profile) -> tuple[Dated, ...]:
    found = ((column, column.date_role, _read(profile.column(column.name))) for column in columns)
    return tuple(
        Dated(column.name, column.words, role, read.minimum, read.maximum) for column, role, read in found if role
    )
