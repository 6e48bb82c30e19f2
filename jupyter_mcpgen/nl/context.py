"""What reading a question needs to know about the table and the language, indexed once per table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from jupyter_mcpgen.model.profile import ColumnProfile, Profile, Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.text.tokens import Token
from jupyter_mcpgen.nl.words.adding_up import amounts_in, told_to_add_up
from jupyter_mcpgen.nl.words.forms import last_noun, split_name, stem, words_of_name
from jupyter_mcpgen.nl.words.lexicon import Lexicon, load_lexicon
from jupyter_mcpgen.nl.words.running_totals import run_up
from jupyter_mcpgen.nl.words.shortened import shortens, written_in_names
from jupyter_mcpgen.nl.words.stored_values import values_by_words
from jupyter_mcpgen.nl.words.things_of_rows import named_several_times, things_of_rows
from jupyter_mcpgen.nl.words.told_of_some import counted_in_columns, kinds_in_name, places_of_events, told_of_some
from jupyter_mcpgen.nl.words.whole_numbers import holds_whole_numbers
from jupyter_mcpgen.plan.expressions import DateUnit
from jupyter_mcpgen.plan.schema import ColumnType

EXACT, STEM, SHORTENED = 1.0, 0.75, 0.74
"""How surely a word names a column's word: as written, by its stem, or written out where the column shortens it."""
NAMES_OF_THINGS = frozenset({"identifier", "number", "name", "code"})
"""What the column is called that tells apart the things which a row is about: `truck_no` of `truck_trips`."""
TOTAL_WORDS = frozenset({"total", "all", "overall", "global", "worldwide", "num", "number", "count"})
"""Words of a column of amounts that a question may leave out: `injuries_total` is what "injuries" means first."""
YES_AND_NO = 2
"""How many values a column has that says yes or no."""
MOST_LOOKED_UP = 4_096
"""How many words are remembered with the columns that have them in their names."""
GENERIC_NAMES = frozenset({"df", "data", "dataset", "table", "frame", "dataframe", "file", "sheet", "sample", "test"})
"""Words in a table's name that say nothing about its rows."""


@dataclass(frozen=True)
class Context:
    """The table and the language, with the indexes that linking looks words up in."""

    profile: Profile
    lexicon: Lexicon

    @cached_property
    def remembered(self) -> dict[tuple[Token, ...], tuple[Item, ...]]:
        """Leaves that were found for the last few spans of words; see `linking.link`, which fills and bounds it."""
        return {}

    @cached_property
    def named(self) -> dict[tuple[str, ...], tuple[tuple[str, float], ...]]:
        """Columns that the last spans of words may name; see `naming.column_matches`, which fills and bounds it."""
        return {}

    @cached_property
    def first_dates(self) -> dict[tuple[str, ...], str | None]:
        """Which of some dates comes first in the rows; see `dates_in_order.first_date`, which fills it."""
        return {}

    @cached_property
    def dates(self) -> tuple[str, ...]:
        """Return the date columns, in order."""
        return tuple(f.name for f in self.profile.schema_.fields if f.type is ColumnType.DATE)

    @cached_property
    def clocks(self) -> tuple[str, ...]:
        """Return the date columns that hold times of the day, in order."""
        return tuple(name for name in self.dates if any(_has_time(str(end)) for end in self._known_of(name)))

    def _known_of(self, name: str) -> tuple[object, ...]:
        known = self.column(name)
        return (known.minimum, known.maximum, *known.values)

    @cached_property
    def years(self) -> tuple[str, ...]:
        """Return the number columns that hold the year of a row, such as `year`.

        The only year of a table without dates is that as well: the `model_year` of a car.
        """
        named = {
            name: words
            for name, words in self.column_words.items()
            if self.is_whole(name)
            and any(m.Unit(DateUnit.START_OF_YEAR) in self.lexicon.meanings(word) for word in words)
        }
        own = tuple(
            name
            for name, words in named.items()
            if m.Unit(DateUnit.START_OF_YEAR) in self.lexicon.meanings(words[-1]) and set(words[:-1]) <= self.row_nouns
        )
        ways = (way for column in self.profile.columns for way in column.written)
        dated = self.dates or any(way.type is ColumnType.DATE for way in ways)
        only = tuple(named) if len(named) == 1 and not dated else ()
        return own or only

    @cached_property
    def column_words(self) -> Mapping[str, tuple[str, ...]]:
        """The words of each column's name, at least one, without plural endings and abbreviations."""
        return {name: self._own_words(name) for name in self.profile.schema_.names}

    @cached_property
    def joined_names(self) -> Mapping[str, tuple[str, ...]]:
        """Runs of the words of columns' names by those words written as one: "tracklength" for `track_length_km`."""
        names = [split_name(name) for name in self.profile.schema_.names]
        runs = (words[i:j] for words in names for i in range(len(words)) for j in range(i + 2, len(words) + 1))
        return {"".join(run): run for run in runs}

    def _own_words(self, name: str) -> tuple[str, ...]:
        words = words_of_name(name, self.column(name).unit)
        if self.type_of(name) is ColumnType.BOOLEAN and len(words) > 1 and words[0] in self.lexicon.truth_prefixes:
            words = words[1:]
        return self.written_out(words)

    def written_out(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return lower-case words written out and without plural endings; behind "per", also units of one letter."""
        per = [place for place, word in enumerate(words) if m.GroupWord(each=True) in self.lexicon.meanings(word)]
        units = self.lexicon.units_behind_per
        return tuple(self.plain(units.get(w, w) if place - 1 in per else w) for place, w in enumerate(words))

    def plain(self, word: str) -> str:
        """Return a lower-case word written out and without its plural ending."""
        return self.lexicon.base(word if word in self._denials else self._short_forms.get(word, word))

    @cached_property
    def _short_forms(self) -> Mapping[str, str]:
        """Short forms of words, also those that only names of columns use: `int_rate`."""
        names = (split_name(name) for name in self.profile.schema_.names)
        return {**written_in_names(names, self.lexicon.short_in_names), **self.lexicon.abbreviations}

    @cached_property
    def _denials(self) -> frozenset[str]:
        """The words with which names of columns begin that say yes or no: the "no" of `no_show` is no number."""
        names = [split_name(column.name) for column in self.profile.columns if column.distinct <= YES_AND_NO]
        return self.lexicon.denying_truth & {words[0] for words in names if len(words) > 1}

    @cached_property
    def _by_word(self) -> Mapping[str, tuple[str, ...]]:
        return inverted((name, word) for name, words in self.column_words.items() for word in words)

    @cached_property
    def _by_stem(self) -> Mapping[str, tuple[str, ...]]:
        language = self.lexicon.language
        return inverted((name, stem(word, language)) for name, words in self.column_words.items() for word in words)

    def columns_with(self, word: str) -> Mapping[str, float]:
        """Return the columns that have a (plain) word in their names, with how surely."""
        known = self._looked_up.get(word)
        if known is None:
            if len(self._looked_up) >= MOST_LOOKED_UP:
                self._looked_up.clear()
            known = self._looked_up[word] = self._columns_with(word)
        return known

    @cached_property
    def _looked_up(self) -> dict[str, Mapping[str, float]]:
        return {}

    def _columns_with(self, word: str) -> Mapping[str, float]:
        bent = word not in self.lexicon.never_bent
        found = dict.fromkeys(self._by_stem.get(stem(word, self.lexicon.language), ()) if bent else (), STEM)
        found |= dict.fromkeys(self._by_word.get(word, ()), EXACT)
        return found or dict.fromkeys(self._shortening(word), SHORTENED)

    def _shortening(self, word: str) -> Iterator[str]:
        """Yield the columns that name a word by a short form; other languages write theirs into the lexicon."""
        if self.lexicon.language == "english" and word not in self.lexicon.words and word not in self.row_nouns:
            for own, names in self._by_word.items():
                if own not in self.lexicon.words and shortens(own, word):
                    yield from names

    @cached_property
    def name_beginnings(self) -> frozenset[str]:
        """What some word of a column's name begins with."""
        return frozenset(
            word[:end] for words in self.column_words.values() for word in words for end in range(3, len(word))
        )

    @cached_property
    def full_names(self) -> frozenset[str]:
        """The words that are the whole name of a column, other than one that numbers what the rows are."""
        called = {name: words for name, words in self.column_words.items() if not self._numbers_runs(name)}
        return frozenset(words[0] for words in called.values() if len(words) == 1)

    @cached_property
    def optional_words(self) -> Mapping[str, frozenset[str]]:
        """The words that a question may leave out of each column's name: units, and totals of amounts."""
        return {name: self._optional(name, words) for name, words in self.column_words.items()}

    @cached_property
    def running_totals(self) -> Mapping[str, str]:
        """The columns that run up, by their names, with those of what is new in each row."""
        return dict(run_up(self.profile.schema_.names, self.lexicon))

    def _optional(self, name: str, words: tuple[str, ...]) -> frozenset[str]:
        totals = frozenset[str]() if set(words) & self.lexicon.intensive else TOTAL_WORDS
        if name in self.running_totals:
            totals = frozenset()  # "cases" are those of each row, and only "total cases" what they came to
        elif name in self.running_totals.values():
            totals = self.lexicon.increments
        unit = self.column(name).unit or ""
        figures = {words[-1]} & self.lexicon.nouns_of_figures if len(words) > 1 else set()
        short = {words[-1]} if len(words) > 1 and unit.startswith(split_name(name)[-1]) else set()
        return (
            self.row_nouns
            | self.lexicon.filler
            | totals
            | figures
            | (self.lexicon.saying_which & set(words[:-1]))
            | short  # the "min" of `delay_min`, which is in minutes
            | {self.plain(w) for w in split_name(unit)}
            | {"in", "identifier", "percent"}
        )

    @cached_property
    def values(self) -> Mapping[str, tuple[m.Value, ...]]:
        """Values of text columns by their lower-case words."""
        return values_by_words(self.profile)

    @cached_property
    def values_in_plural(self) -> Mapping[str, tuple[m.Value, ...]]:
        """Values whose last word is a plural, by their words in the singular."""
        heads = ((said.rpartition(" "), found) for said, found in self.values.items())
        return {f"{head}{space}{self.lexicon.base(last)}": found for (head, space, last), found in heads}

    @cached_property
    def written_values(self) -> frozenset[str]:
        """The values of text columns as they are written."""
        return frozenset(value.value for values in self.values.values() for value in values)

    @cached_property
    def value_parts(self) -> frozenset[str]:
        """Every single word that some value is made of."""
        return frozenset(part for words in self.values for part in words.split())

    @cached_property
    def row_nouns(self) -> frozenset[str]:
        """The words that stand for a row: the table's own name, words for the same, and what an identifier names.

        A word that is a column, or part of an amount's name, never is: in `sales`, "sales" may be `sales_usd`.
        """
        named = {self.lexicon.base(word) for word in split_name(self.profile.name)} - GENERIC_NAMES
        same = {word for group in self.lexicon.same_thing if group & named for word in group - self.values.keys()}
        day = {"day"} if self.has_a_row_per_day else set()
        others = self._column_nouns() | told_of_some(named, self.profile, self.lexicon.language)
        others |= kinds_in_name(self.profile, self.values, self.lexicon.base)
        others |= places_of_events(self.profile, self.lexicon.base, self.lexicon.language)
        others |= counted_in_columns(self.profile, self.lexicon.base, self._asks_for_a_number)
        others |= self._nouns_of_levels()
        identified = things_of_rows(self.profile, self.lexicon, self.values)
        rows = (named | same | day) - others | identified - self.full_names
        return frozenset(rows - (self.lexicon.amounts - identified))

    def _nouns_of_levels(self) -> set[str]:
        """Return the nouns that a column says how many there were of: the "subscribers" of `Active Subscribers`."""
        measures = [words for name, words in self.column_words.items() if self.is_measure(name)]
        levels = {word for words in measures if not set(words) & self.lexicon.flows for word in words}
        return levels & self.lexicon.levels

    def _asks_for_a_number(self, words: str) -> bool:
        return any(isinstance(meaning, m.CountWord) for meaning in self.lexicon.meanings(words))

    @cached_property
    def amount_nouns(self) -> frozenset[str]:
        """The words of the table's name that may mean its rows or an amount: the "payment" of `tax_payments`."""
        words = {self.lexicon.base(word) for word in split_name(self.profile.name)}
        return frozenset(words & self.lexicon.amounts) - self.full_names if len(words) > 1 else frozenset()

    def _column_nouns(self) -> set[str]:
        split = {name: [self.lexicon.base(word) for word in split_name(name)] for name in self.profile.schema_.names}
        whole = {words[0] for name, words in split.items() if len(words) == 1 and not self._numbers_runs(name)}
        measures = {name: words for name, words in split.items() if self.is_measure(name)}
        united = {name: unit for name in measures if (unit := self.column(name).unit)}
        bare = {split[n][0] for n, u in united.items() if 1 in (len(split[n]) - 1, len(split_name(n.rpartition(u)[0])))}
        told_apart = {
            words[0]
            for name, words in split.items()
            if len(words) == 2 and self.plain(words[1]) in NAMES_OF_THINGS
            if self.column(name).distinct < self.profile.rows
        }
        of_amounts = set().union(*(amounts_in(self.column(n), w, self.lexicon) for n, w in measures.items()))
        head = {self.lexicon.base(last_noun(self.profile.name))}
        return whole | bare | (told_apart - (head - self.named_several_times)) | of_amounts

    @cached_property
    def named_several_times(self) -> frozenset[str]:
        """The nouns of things that have rows of several times each, and no row of their own."""
        return named_several_times(self.profile, self.lexicon)

    def _numbers_runs(self, name: str) -> bool:
        """Tell whether a column has the number of what each row is one run of: the `flight` of a table `flights`."""
        numbered = self.is_number(name) and self.column(name).role is Role.CATEGORY
        return numbered and self.lexicon.base(name.casefold()) == self.lexicon.base(self.profile.name.casefold())

    @cached_property
    def has_a_telling_name(self) -> bool:
        """False when the table's name does not say what a row is, as a date or a number does not."""
        words = {self.lexicon.base(word) for word in split_name(self.profile.name)} - GENERIC_NAMES
        return any(letter.isalpha() for word in words for letter in word)

    @cached_property
    def has_a_row_per_day(self) -> bool:
        """True when the first date column never repeats, so that "day" is a row; moments of a day are no days."""
        if not self.dates or self.dates[0] in self.clocks:
            return False
        return self.column(self.dates[0]).distinct == self.profile.rows > 0

    @cached_property
    def _columns(self) -> Mapping[str, ColumnProfile]:
        return {column.name: column for column in self.profile.columns}

    def column(self, name: str) -> ColumnProfile:
        """Return one column's profile."""
        return self._columns[name]

    @cached_property
    def _types(self) -> Mapping[str, ColumnType]:
        return {field.name: field.type for field in self.profile.schema_.fields}

    def type_of(self, name: str) -> ColumnType:
        """Return the type of a column."""
        return self._types[name]

    def is_number(self, name: str) -> bool:
        """Tell whether a column holds numbers."""
        return self.type_of(name).is_number

    def is_whole(self, name: str) -> bool:
        """Tell whether a column holds whole numbers, also where some are missing."""
        return holds_whole_numbers(self.column(name), self.type_of(name))

    def is_measure(self, name: str) -> bool:
        """Tell whether a number column is more than a label."""
        return self.is_number(name) and self.column(name).role is Role.MEASURE

    def is_of_money(self, name: str) -> bool:
        """Tell whether a column holds amounts of money: by its unit, or by a noun for what is paid."""
        in_currency = (self.column(name).unit or "").casefold() in self.lexicon.currencies
        return self.is_measure(name) and (
            in_currency or bool(set(self.column_words[name]) & self.lexicon.nouns_of_money)
        )

    @cached_property
    def units_of_columns(self) -> Mapping[str, tuple[str, ...]]:
        """The columns of figures that are measured in a unit, by its only word: "minute" for `waiting_min`."""
        known = ((c.name, split_name(c.unit or "")) for c in self.profile.columns if self.is_measure(c.name))
        return inverted((name, self.plain(unit[0])) for name, unit in known if len(unit) == 1 < len(unit[0]))

    def is_code(self, name: str) -> bool:
        """Tell whether a number column names things, such as `order_id`."""
        return self.is_number(name) and self.column(name).role is Role.IDENTIFIER

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """Return the columns that hold how many pieces a row is about."""
        named = [name for name, words in self.column_words.items() if set(words) & self.lexicon.pieces]
        found = [name for name in named if self.is_measure(name) and self.adds_up(name) is not False]
        alone = [name for name in found if len(self.column_words[name]) == 1]
        return tuple(alone if len(alone) == 1 else found)  # `quantity` beside `wasted_units`

    def is_called_as_rows(self, name: str) -> bool:
        """Tell whether a column has the name of the table's rows, such as `race` in `races`: either may be counted."""
        named = {self.lexicon.base(word) for word in split_name(self.profile.name)} - GENERIC_NAMES
        return len(named) == 1 and set(self.column_words[name][-1:]) == named

    def names_rows(self, name: str) -> bool:
        """Tell whether a column has another value in nearly every row, so that grouping by it groups nothing."""
        return self.column(name).distinct * 20 >= self.profile.rows * 19 > 19

    def is_key(self, name: str) -> bool:
        """Tell whether a column has a value of its own in every row, so that it tells each row apart."""
        column = self.column(name)
        return column.nulls == 0 and column.distinct == self.profile.rows > 1

    def tell_rows_apart(self, names: frozenset[str]) -> bool:
        """Tell whether columns have one row for each combination of their values, as a panel of years has."""
        known = [self.column(name) for name in names if name in self._columns]
        if len(known) < len(names) or any(column.nulls for column in known):
            return False
        return 1 < self.profile.rows == math.prod(column.distinct for column in known)

    def tells_the_year_of(self, year: str, date: str) -> bool:
        """Tell whether a column of years spans the same years as a date column, so that either may say the year."""
        years, dates = self.column(year), self.column(date)
        ends = ((years.minimum, dates.minimum), (years.maximum, dates.maximum))
        return all(own is not None and str(own) == str(other)[:4] for own, other in ends)

    def adds_up(self, name: str) -> bool | None:
        """Return true for amounts, false for rates and levels, None when the name does not tell."""
        column = self.column(name)
        told = told_to_add_up(name, self.column_words[name], column.kind, column.unit or "", self.lexicon)
        return told if column.adds_up is None else column.adds_up

    def counts_things(self, name: str) -> bool:
        """Tell whether a column says how many there were of what its name is the plural of, such as `renewals`."""
        words, known = [word for word in split_name(name) if not word.isdecimal()], self.column(name)
        plural = bool(words) and self.lexicon.base(words[-1]) != words[-1]
        whole = self.is_whole(name) and known.minimum is not None and known.minimum >= 0
        return plural and whole and self.adds_up(name) is None

    def could_be(self, name: str, value: float) -> bool:
        """Tell whether a number column can hold a number: within its range, and one of its values if all are known."""
        column = self.column(name)
        if not self.is_number(name):
            return False
        if column.complete:
            return value in column.values
        return column.minimum is not None and column.minimum <= value <= column.maximum


@lru_cache(maxsize=16)
def context_of(profile: Profile, language: str) -> Context:
    """Return the context of a table; remembered by the profile's value, so that indexes are built once."""
    return Context(profile, load_lexicon(language))


def _has_time(moment: str) -> bool:
    """Tell whether a moment in ISO 8601 is more than a day."""
    return any(digit in "123456789" for digit in moment[len("2024-03-01") + 1 :])


def inverted(pairs: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    """Return the names by each of their words, for pairs of a name and a word."""
    found: dict[str, dict[str, None]] = {}
    for name, word in pairs:
        found.setdefault(word, {})[name] = None
    return {word: tuple(names) for word, names in found.items()}
