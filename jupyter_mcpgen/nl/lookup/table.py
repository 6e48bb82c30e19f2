"""What looking up needs to know about a table, indexed once: its names, its values, what kind each column is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.computed.vocabulary import load_computed
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.ends import Ends, ends_of
from jupyter_mcpgen.nl.lookup.names import EXACT, Names
from jupyter_mcpgen.nl.lookup.rows import Rows
from jupyter_mcpgen.nl.lookup.values import Values
from jupyter_mcpgen.nl.lookup.vocabulary import Vocabulary, load_vocabulary
from jupyter_mcpgen.nl.lookup.words import plain_words
from jupyter_mcpgen.nl.words.forms import singular
from jupyter_mcpgen.plan.schema import ColumnType

_SAMPLE = 50
_SHORT = 4
_SIGNS = frozenset("+-$~")
_PLACES = frozenset({"place", "origin"})
_MOST_FIGURES = 200
_FIGURE = re.compile(r"[$€£~]?\s*([-+−]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\s*%?")


@dataclass(frozen=True)
class Table:
    """A table with the words of a language, ready to look questions up in."""

    profile: Profile
    context: Context
    vocabulary: Vocabulary
    language: str

    @cached_property
    def names(self) -> Names:
        """The headers by their words."""
        units = {column.name: column.unit or "" for column in self.profile.columns}
        return Names(units, self.vocabulary, self.context.lexicon.language)

    @cached_property
    def values(self) -> Values:
        """The values by their words."""
        return Values(self.profile)

    @cached_property
    def ends(self) -> tuple[Ends, ...]:
        """The pairs of columns that hold where a row begins and where it ends."""
        vocabulary = load_computed(self.language)
        return tuple(ends_of(vocabulary, self.context)) if vocabulary is not None else ()

    @cached_property
    def rows(self) -> Rows:
        """Which row has which value."""
        return Rows(self.profile)

    @cached_property
    def kinds(self) -> Mapping[str, frozenset[str]]:
        """What each column holds: persons, times, places, numbers."""
        found = {name: frozenset(self._kinds(name)) for name in self.profile.schema_.names}
        persons = [name for name, kinds in found.items() if "person" in kinds and "organisation" not in kinds]
        subject = self._telling_rows_apart(found)
        if persons or subject is None or found[subject] or not self._has_members:
            return found
        return found | {subject: frozenset({"person"})}  # beside `Party`, the names of `Provost` are who acts

    @property
    def _has_members(self) -> bool:
        """Tell whether a column says which party or the like each row belongs to, as only persons do."""
        own = (set(header.words) for header in self.names.headers.values())
        return any(words & self.vocabulary.memberships for words in own)

    def _kinds(self, name: str) -> set[str]:
        words = self.names.headers[name].words
        kind = self.context.type_of(name)
        heads = frozenset().union(*map(self.vocabulary.heads, words))
        persons = self.vocabulary.kinds["person"] & heads
        found = {kind for kind, nouns in self.vocabulary.kinds.items() if nouns & heads}
        if kind is ColumnType.DATE or (kind is ColumnType.TEXT and self._has_times_in_cells(name)):
            found |= {"time"}
        agent = (
            words[-1].endswith(self.vocabulary.agents)
            and len(words[-1]) > 4
            and words[-1] not in self.vocabulary.not_agents
        )
        if words[0] in self.vocabulary.left_over.percent:
            found -= {"time"}  # the percentage of "trains on time" says no time
        if persons and persons <= self.vocabulary.organisations:
            found.add("organisation")
        if len(words) > 1 and not self._place_nouns & heads - self.vocabulary.sides:
            found -= _PLACES  # the "home team" is no place
        if kind is ColumnType.TEXT and (agent or (len(words) > 1 and words[-1] == "by")):
            found.add("person")
        if kind.is_number:
            found = (found - {"person"} - _PLACES) | {"number"}
        elif kind is ColumnType.TEXT and self._is_mostly_digits(name):
            found = (found - {"person"} - _PLACES) | {"figures"}
        return found

    def _has_times_in_cells(self, name: str) -> bool:
        """Tell whether the cells of a column say what they number: "Day 1" and "Day 6" of `Arrived` are times."""
        cells = [plain_words(str(value)) for value in self.context.column(name).values[:_SAMPLE]]
        two = [cell for cell in cells if len(cell) == 2 and cell[1].isdecimal()]
        return sum(cell[0] in self.vocabulary.kinds["time"] for cell in two) * 5 > len(cells) * 4

    @cached_property
    def _place_nouns(self) -> frozenset[str]:
        return self.vocabulary.kinds["place"] | self.vocabulary.kinds["origin"]

    @cached_property
    def rival_columns(self) -> frozenset[str]:
        """The columns of opponents and partners, where no other column says whose they are; else none."""
        headers = {name: self.names.headers[name].words for name in self.kinds}
        rivals = {name for name, words in headers.items() if self.vocabulary.rivals & {*words}} | {self.names.faced}
        competitors = self.vocabulary.kinds["person"] | self.vocabulary.sides
        others = [words for name, words in headers.items() if name not in rivals]
        own = any(competitors & {*words} for words in others if words[-1] not in self.vocabulary.standings)
        return frozenset() if own else frozenset(name for name in rivals if name is not None)

    def _is_mostly_digits(self, name: str) -> bool:
        values = [str(value) for value in self.context.column(name).values[:_SAMPLE]]
        return bool(values) and sum(_is_like_a_number(value) for value in values) * 2 > len(values)

    def knows(self, word: str) -> bool:
        """Tell whether a word means something as it is: in the language, in a header or in the data."""
        lexicon, vocabulary = self.context.lexicon, self.vocabulary
        return (
            word in vocabulary.light
            or word in vocabulary.restricting
            or word in vocabulary.groups
            or word in lexicon.words
            or self.is_kind(word)
            or bool(self.names.matches(word))
            or word in self.values.parts
        )

    def is_kind(self, word: str) -> bool:
        """Tell whether a word is a noun for what columns hold, such as "player" or "city", and no name of its own."""
        return singular(word) in self._nouns

    @cached_property
    def tells_rows(self) -> bool:
        """Tell whether the table's name says what a row is; numbers, dates and "sheet" do not."""
        named = any(letter.isalpha() for noun in self.context.row_nouns for letter in noun)
        return named and self.context.has_a_telling_name

    @cached_property
    def names_of_rows(self) -> frozenset[str]:
        """The columns of texts that are called only a name: what has it is the row."""
        sorts = self.vocabulary.naming
        texts = (field.name for field in self.profile.schema_.fields if field.type is ColumnType.TEXT)
        return frozenset(name for name in texts if set(self.names.headers[name].words) <= sorts)

    @cached_property
    def row_words(self) -> frozenset[str]:
        """The words for what a row is and what is done in it, as far as the names of two or more columns tell it."""
        heads = [{*header.words} for header in self.names.headers.values()]
        told = (kind for kind in self.vocabulary.row_kinds if sum(bool(kind.told_by & head) for head in heads) > 1)
        return frozenset(word for kind in told for word in kind.words) | self._sorted.keys()

    @cached_property
    def _sorted(self) -> Mapping[str, str]:
        """The nouns for rows that have a sort or a name, with that column: of `Type of trip` each row is a trip."""
        own = self.vocabulary.questions
        found = {}
        for name in self.profile.schema_.names:
            match plain_words(name):
                case (sort, of, noun) if sort in own.sorts and of in own.of:
                    found[noun] = name
                case _:
                    pass
        return found

    def is_row_word(self, word: str) -> bool:
        """Tell whether a word says what a row is, or what is done in each, and is in no header: "who was drafted"."""
        own = {word, singular(word)} & self.row_words
        sorts = {self._sorted.get(noun) for noun in own}
        exact = {column for (column, _), sure in self.names.matches(word).items() if sure == EXACT}
        return bool(own) and exact <= sorts

    @cached_property
    def _nouns(self) -> frozenset[str]:
        return frozenset(noun for nouns in self.vocabulary.kinds.values() for noun in nouns)

    @cached_property
    def only_fractions(self) -> str | None:
        """The only column of numbers that are not all whole; None where there is none or more than one."""
        fields = self.profile.schema_.fields
        numbers = {f.name: self.context.column(f.name).values for f in fields if f.type is ColumnType.REAL}
        found = [name for name, values in numbers.items() if any(isinstance(v, float) and v % 1 for v in values)]
        found += [name for name, known in self._figures.items() if any(number % 1 for number in known.values())]
        return found[0] if len(found) == 1 else None

    def spans(self, column: str, number: float) -> bool:
        """Tell whether a limit leaves some of a column's numbers on either side."""
        if not self.context.is_number(column):
            figures = self.figures(column)
            return bool(figures) and min(figures.values()) <= number <= max(figures.values())
        known = self.context.column(column)
        return known.minimum is not None and known.minimum <= number <= known.maximum

    def figures(self, column: str) -> Mapping[str, float]:
        """Return the numbers that a text column spells, such as `1,250`, if all its values are known and most are."""
        return self._figures.get(column, {})

    @cached_property
    def _figures(self) -> Mapping[str, Mapping[str, float]]:
        found = {}
        for field, column in zip(self.profile.schema_.fields, self.profile.columns, strict=True):
            if field.type is ColumnType.TEXT and column.complete and len(column.values) <= _MOST_FIGURES:
                spelt = {v: n for v in map(str, column.values) if (n := _figure(v)) is not None}
                if spelt and len(spelt) * 10 >= len(column.values) * 7:
                    found[field.name] = spelt
        return found

    @cached_property
    def subject(self) -> str | None:
        """The column that says what each row is about: the first text column with hardly any value twice."""
        texts = [f.name for f in self.profile.schema_.fields if f.type is ColumnType.TEXT]
        return self._telling_rows_apart(self.kinds) or (texts[0] if texts else None)

    def _telling_rows_apart(self, kinds: Mapping[str, frozenset[str]]) -> str | None:
        """Return the first text column with hardly any value twice."""
        texts = (f.name for f in self.profile.schema_.fields if f.type is ColumnType.TEXT)
        apart = (name for name in texts if self.context.column(name).distinct * 10 >= self.profile.rows * 9)
        return next((name for name in apart if "figures" not in kinds[name]), None)


@lru_cache(maxsize=16)
def table_of(profile: Profile, language: str = "en") -> Table:
    """Return a table ready for looking up; remembered by the profile's value, so that indexes are built once."""
    return Table(profile, context_of(profile, language), load_vocabulary(language), language)


def _is_like_a_number(text: str) -> bool:
    """Tell whether a text begins like a number, or is short and has a digit, as in the place `T5`."""
    return text[:1].isdigit() or text[:1] in _SIGNS or (len(text) <= _SHORT and any(map(str.isdigit, text)))


def _figure(text: str) -> float | None:
    found = _FIGURE.fullmatch(text.strip())
    if found is None:
        return None
    sign = -1 if found[1] in ("-", "−") else 1
    return sign * float(found[2].replace(",", "") + (found[3] or ""))
