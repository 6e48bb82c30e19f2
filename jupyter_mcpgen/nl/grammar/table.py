"""What the rules ask of a table, each answer kept once it was found."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any

from jupyter_mcpgen.model.profile import ColumnProfile, Kind, Profile, Role
from jupyter_mcpgen.nl.grammar.meanings import Between, Column
from jupyter_mcpgen.nl.grammar.rows_met import RowsMet
from jupyter_mcpgen.nl.lexicon.doing import listed, phrases_of
from jupyter_mcpgen.nl.lexicon.lexicon import Lexicon, load
from jupyter_mcpgen.nl.lexicon.reading import NounKind
from jupyter_mcpgen.nl.schema.additivity import Additivity
from jupyter_mcpgen.nl.schema.dates import DateRole
from jupyter_mcpgen.nl.schema.facts import ColumnFacts, TableSchema, schema_of
from jupyter_mcpgen.nl.schema.relations import Sides
from jupyter_mcpgen.nl.schema.row_nouns import DESCRIBES_SEVERAL, OF_KIND, RowNoun
from jupyter_mcpgen.nl.schema.truth_index import RELATED
from jupyter_mcpgen.nl.text.morphology import Analysis, Form
from jupyter_mcpgen.nl.text.tokens import Token
from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.expressions import DateUnit, TimeUnit
from jupyter_mcpgen.plan.schema import ColumnType

_MOST_ANSWERS = 4
FEW_VALUES = 20
"""A number of so few different values may group rows."""
_NEARLY_ALL = 0.95
SYNONYM, OTHER_DATE = 0.06, 0.25
"""What it costs to take a column for what a synonym of its header says, or a further date for that of the rows."""
_TIMES = ("date", "year")
_WHEN = frozenset({"date", "time", "day", "datetime", "timestamp"})
"""Words of headers that say when something was, and not what."""
DURATION = "duration"
_AMOUNTS = frozenset({"revenue", "price", "cost", "profit", "salary"})
MONEY = "money"
_CLOCK = re.compile(r"[T ](?!00:00)\d{2}:\d{2}")
_FEWEST_DAYS, _WORKING_DAYS = 10, (0.65, 5 / 7 + 0.005)
"""So many days show which part of all days they are; with a row on working days alone, it is about five in seven."""
MANY_DAYS = 62
"""With more days than this, a date column is grouped by month."""
_LABELS = frozenset({Additivity.IDENTIFIER, Additivity.CODE})
_DAYS_WRITTEN = ("%d", "%e", "%j", "%H", "%I")
_OWN_DATE = (DateRole.CREATED, DateRole.START, DateRole.OTHER, DateRole.END, DateRole.DUE, DateRole.BIRTH)


@dataclass(frozen=True)
class ColumnView:
    """A column as the rules see it."""

    facts: ColumnFacts
    known: ColumnProfile
    """The profile of what its texts write, or of the column itself."""
    rows: int
    written_values: int
    """How many different values there are as they are written."""

    @property
    def adds_up(self) -> bool:
        """True for amounts."""
        return self.facts.additivity is Additivity.ADDITIVE

    @property
    def may_add_up(self) -> bool:
        """True for amounts, and for numbers of which nothing says that they do not add up."""
        return self.facts.additivity in (Additivity.ADDITIVE, Additivity.UNTOLD)

    @property
    def is_stock(self) -> bool:
        """True for stocks, which add up over everything but time."""
        return self.facts.additivity is Additivity.SEMI_ADDITIVE

    @property
    def is_level(self) -> bool:
        """True for measurements, which are averaged."""
        return self.facts.additivity is Additivity.LEVEL

    @property
    def is_untold(self) -> bool:
        """True for numbers of which nothing says whether they add up."""
        return self.facts.additivity is Additivity.UNTOLD

    @property
    def is_label(self) -> bool:
        """True for identifiers and codes, also those made of digits."""
        return self.facts.additivity in _LABELS

    @property
    def is_identifier(self) -> bool:
        """True for names of rows or things, also those made of digits."""
        return self.facts.additivity is Additivity.IDENTIFIER

    @property
    def is_unique(self) -> bool:
        """True where each row has a value of its own."""
        return self.known.distinct >= self.rows - self.known.nulls and self.rows > 1

    @property
    def nulls(self) -> int:
        """How many rows have no value."""
        return self.known.nulls

    @property
    def has_zeros(self) -> bool:
        """True for numbers from zero on, of which some are zero."""
        return self.facts.type.is_number and self.known.minimum == 0

    @property
    def makes_groups(self) -> bool:
        """True for values that repeat often enough to group rows by."""
        if self.is_label or self.known.kind in (Kind.YEAR, Kind.ORDINAL, Kind.ORDERED):
            return True
        return self.known.distinct <= FEW_VALUES

    @property
    def says_yes_or_no(self) -> bool:
        """True for yes and no, also where some rows say neither."""
        told = {str(value).casefold() for value in self.known.values[:_MOST_ANSWERS]}
        return self.facts.truth is not None or (self.known.distinct <= _MOST_ANSWERS and {"yes", "no"} <= told)

    @property
    def truth_text(self) -> bool:
        """True for texts that write yes and no."""
        return bool(self.facts.written) and self.facts.type is ColumnType.BOOLEAN

    @property
    def counts_things_off(self) -> bool:
        """True for numbers that number things, such as a round or a class."""
        return self.makes_groups

    @property
    def truth(self) -> tuple[Any, Any] | None:
        """The values for yes and no."""
        return (self.facts.truth.yes, self.facts.truth.no) if self.facts.truth is not None else None


@dataclass(frozen=True)
class Table:
    """A table as the rules see it."""

    schema: TableSchema
    lexicon: Lexicon
    language: str

    def tokens(self, question: str) -> tuple[Token, ...]:
        """Return the tokens of a question about the table."""
        return self.lexicon.tokens(question, lambda word: bool(self.schema.column_index.matches(word)))

    def listed(self, name: str) -> frozenset[str]:
        """Return the words of a list of the language."""
        return listed(name, self.language)

    def lists(self, name: str, word: str) -> bool:
        """Tell whether a word is on a list of the language (see the part `words`)."""
        return word in listed(name, self.language)

    @property
    def profile(self) -> Profile:
        """The profile that it was inferred from."""
        return self.schema.profile

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, in order."""
        return self.profile.schema_.names

    @cached_property
    def _views(self) -> dict[str, ColumnView]:
        known = ((one, self.profile.column(one.name)) for one in self.schema.columns)
        rows = self.profile.rows
        return {
            one.name: ColumnView(one, p.written[0].values if p.written else p, rows, p.distinct) for one, p in known
        }

    def is_called(self, name: str) -> bool:
        """Tell whether questions may call a column by its name."""
        return name in self._views

    @cached_property
    def met(self) -> RowsMet:
        """Which rows meet conditions."""
        return RowsMet(self.profile)

    def column(self, name: str) -> ColumnView:
        """Return one column."""
        return self._views[name]

    def type_of(self, name: str) -> ColumnType:
        """Return the type of a column, or of what its texts write."""
        return self._views[name].facts.type

    def is_number(self, name: str) -> bool:
        """Tell whether a column holds or writes numbers."""
        return self.type_of(name).is_number

    def is_date(self, name: str) -> bool:
        """Tell whether a column holds or writes dates."""
        return self.type_of(name) is ColumnType.DATE

    def is_text(self, name: str) -> bool:
        """Tell whether a column holds texts."""
        return self.type_of(name) is ColumnType.TEXT

    @cached_property
    def years(self) -> tuple[str, ...]:
        """The columns of whole numbers that are years."""
        return tuple(
            name
            for name, view in self._views.items()
            if view.known.kind is Kind.YEAR and view.facts.type is ColumnType.INTEGER
        )

    @cached_property
    def periods(self) -> tuple[str, ...]:
        """The columns of texts that write periods, such as `2024Q1`."""
        return tuple(name for name in self.names if self.profile.column(name).kind is Kind.PERIOD)

    @cached_property
    def dates(self) -> tuple[str, ...]:
        """The columns of dates, the one that tells when a row was first."""
        found = [name for name in self.names if self.is_date(name)]
        roles = {name: self.column(name).facts.date_role for name in found}
        return tuple(sorted(found, key=lambda name: (not self._is_called_as_rows(name), _place(roles[name]))))

    @cached_property
    def date_rivals(self) -> tuple[str, ...]:
        """The dates of which a period may be meant that names none; one alone where it is surely that."""
        roles = {name: self.column(name).facts.date_role for name in self.dates}
        planned = (DateRole.BIRTH, DateRole.DUE)
        told = [name for name, role in roles.items() if role not in planned and not self.is_deed(name)]
        own = [name for name in told if self._is_called_as_rows(name)]
        created = [name for name in told if roles[name] is DateRole.CREATED]
        begun = [name for name in told if roles[name] in (DateRole.START, DateRole.CREATED)]
        timed = all(_has_time(str(self.column(name).known.maximum)) for name in told)
        if created and len(begun) > len(created):
            created = []
        sure = next((found for found in (own, created, begun if timed else []) if len(found) == 1), told)
        return tuple(sure or self.dates)

    def _is_called_as_rows(self, name: str) -> bool:
        """Tell whether a date is called after what a row is: `order_date` in orders, `visited_on` in visits."""
        nouns = {noun.words[-1] for noun in self.schema.row.nouns if noun.cost <= OF_KIND}
        nouns |= {thing.words[-1] for thing in self.schema.row.repeated}
        words = [word for word in self.column(name).facts.words if word.heavy and word.known.isdisjoint(_WHEN)]
        return bool(words) and all(nouns & {*word.known, *self.lexicon.lemmas(word.text)} for word in words)

    @cached_property
    def own_year(self) -> str | None:
        """The column of years that says of which year a row is, unless a date is called after what a row is."""
        dated = bool(self.dates) and self._is_called_as_rows(self.dates[0])
        return self.years[0] if len(self.years) == 1 and not dated else None

    def has_clock(self, name: str) -> bool:
        """Tell whether dates of a column have times of day."""
        known = self.column(name).known
        return any(_has_time(str(one)) for one in (known.minimum, known.maximum, *known.values[:20]))

    def last_day(self, name: str) -> str | None:
        """Return the last day that a column of dates has, of months the last one of the month; None without dates."""
        known = self.column(name).known
        if known.maximum is None:
            return None
        values = known.values if known.complete else ()
        months = self.has_months_only(name) or (bool(values) and all(str(one)[8:10] == "01" for one in values))
        last = date.fromisoformat(str(known.maximum)[:10])
        return (last.replace(day=monthrange(last.year, last.month)[1]) if months else last).isoformat()

    def has_months_only(self, name: str) -> bool:
        """Tell whether the dates of a column are written without a day."""
        written = self.column(name).facts.written
        writing = written[0].writing if written else None
        return isinstance(writing, DateWriting) and not any(sign in writing.format for sign in _DAYS_WRITTEN)

    @property
    def places(self) -> tuple[str, ...]:
        """The columns that say where, those with known places first."""
        return self.schema.places

    @cached_property
    def ends(self) -> tuple[Sides, ...]:
        """The pairs of columns that say where rows begin and end, such as an origin and a destination."""
        pairs = self.schema.sides
        return tuple(
            one for one in pairs if self.lists("beginning", one.words[0]) and self.lists("ending", one.words[1])
        )

    @property
    def persons(self) -> tuple[str, ...]:
        """The columns that name persons, those with names first."""
        return self.schema.persons

    @cached_property
    def rows_are_persons(self) -> bool:
        """True where a row is called as a person is."""
        nouns = (noun.words[-1] for noun in self.schema.row.nouns if noun.cost <= OF_KIND)
        return any(NounKind.PERSON in self.lexicon.kinds(noun) for noun in nouns)

    @cached_property
    def called(self) -> tuple[str, ...]:
        """The columns that tell rows apart by what these are called: an identifier, and the names of persons."""
        keys = {key[0] for key in self.schema.row.keys if len(key) == 1}
        names = [name for name in keys & set(self.persons) if self.is_text(name)]
        return tuple(one for one in self.names if one in names or (one in keys and self.column(one).is_identifier))

    @cached_property
    def has_identifier(self) -> bool:
        """True where an identifier tells rows apart, so that what a column names comes back in them."""
        return any(len(key) == 1 and self.column(key[0]).is_identifier for key in self.schema.row.keys)

    def is_person(self, noun: str) -> bool:
        """Tell whether a noun is that of a person."""
        return NounKind.PERSON in self.lexicon.kinds(noun.rpartition(" ")[2])

    def any_of(self, noun: str) -> str | None:
        """Return the column that a noun such as "people" means, which names any persons or places."""
        kinds = self.lexicon.generic(noun)
        found = (*(self.persons if NounKind.PERSON in kinds else ()), *(self.places if NounKind.PLACE in kinds else ()))
        return found[0] if found and not self.column(found[0]).is_unique else None

    def unit_of(self, name: str) -> str | None:
        """Return the unit of a column's numbers, also where only its name has it."""
        facts = self.column(name).facts
        last = facts.words[-1].text
        return facts.unit or (last if len(facts.words) > 1 and self.lexicon.unit(last) is not None else None)

    def scale_of(self, name: str) -> float:
        """Return what the header says that numbers are multiplied by: a million for `viewers (millions)`."""
        words = (lemma for word in self.column(name).facts.words for lemma in word.lemmas)
        return next((times for word in words if (times := self.lexicon.multiplier(word)) is not None), 1.0)

    def columns_in(self, unit: str) -> tuple[str, ...]:
        """Return the columns whose numbers have a unit of the same kind."""
        said = self.lexicon.unit(unit)
        own = ((name, self.unit_of(name)) for name in self.names if self.is_number(name))
        known = ((name, self.lexicon.unit(word)) for name, word in own if word)
        return tuple(name for name, one in known if one is not None and said is not None and one.kind == said.kind)

    def columns_of(self, unit: str) -> tuple[str, ...]:
        """Return the columns that add up and whose numbers are in a unit: "per hour" by hours, not by minutes."""
        said = self.lexicon.unit(unit)
        return tuple(
            name
            for name in self.columns_in(unit)
            if self.column(name).adds_up and (own := self.unit_of(name)) and self.lexicon.unit(own) == said
        )

    def is_percent(self, name: str) -> bool:
        """Tell whether a column has percentages from 0 to 100."""
        known = self.column(name).known
        return known.unit == "%" and (known.maximum or 0) > 1

    def is_part_of_one(self, name: str) -> bool:
        """Tell whether a column has parts of one, such as 0.15 for 15 %."""
        known = self.column(name).known
        numbers = [one for one in (known.minimum, known.maximum) if isinstance(one, int | float)]
        return self.type_of(name) is ColumnType.REAL and len(numbers) == 2 and numbers[0] >= 0 and numbers[1] <= 1

    def repeats(self, name: str) -> bool:
        """Tell whether the values of a column come back in other rows."""
        known = self.column(name).known
        return known.distinct < (self.profile.rows - known.nulls) * _NEARLY_ALL

    def is_told_often(self, name: str) -> bool:
        """Tell whether rows tell of the same things again, as at several times: a key has the column and another."""
        return any(name in key and len(key) > 1 for key in self.schema.row.keys)

    @cached_property
    def times(self) -> tuple[str, ...]:
        """The columns that say when: dates, years, else texts that are called so."""
        found = sorted((*self.dates, *self.years), key=lambda name: not self._is_called(name, "date"))
        called = (name for name in self.names if self.is_text(name) and self._is_called(name, "date"))
        return tuple(found or called)

    @cached_property
    def with_figures(self) -> tuple[str, ...]:
        """The columns of texts of which most have digits, as those of dates in several writings do."""
        known = ((name, self.profile.column(name).values[:FEW_VALUES]) for name in self.names if self.is_text(name))
        return tuple(name for name, texts in known if 2 * sum(map(_has_digit, texts)) > len(texts))

    def _is_called(self, name: str, concept: str) -> bool:
        words = self.column(name).facts.words
        return any(concept in word.known or concept in word.concepts for word in words)

    @cached_property
    def durations(self) -> tuple[Between, ...]:
        """How long something took between two dates of a row, in hours where these have times, else in days."""
        found = ((one.start, one.end) for one in self.schema.intervals)
        dated = [(start, end) for start, end in found if self.is_date(start) and self.is_date(end)]
        return tuple(Between(self._unit_between(start), start, end) for start, end in dated)

    def _unit_between(self, start: str) -> TimeUnit:
        known = self.column(start).known
        ends = (known.minimum, known.maximum)
        return TimeUnit.HOURS if any(_has_time(str(end)) for end in ends) else TimeUnit.DAYS

    def says_how_many(self, name: str) -> bool:
        """Tell whether a column's name begins as a count does: `number of users`."""
        words = [word.text for word in self.column(name).facts.words]
        counts = (doing for doing in phrases_of(self.language).get(words[0], ()) if doing.category == "count")
        return any(len(doing.lemmas) > 1 and tuple(words[: len(doing.lemmas)]) == doing.lemmas for doing in counts)

    def terms_about(self, concept: str) -> tuple[tuple[Column | Between, float], ...]:
        """Return the values of rows that measure something, also how long they took."""
        columns = tuple((Column(name), cost) for name, cost in self.columns_about(concept))
        if columns or concept != DURATION:
            return columns
        return tuple((one, SYNONYM) for one in self.durations)

    def columns_with_part(self, text: str) -> tuple[str, ...]:
        """Return the columns of texts of which several values hold a text as whole words."""
        pattern = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)", re.IGNORECASE)
        found = []
        for name in self.names:
            if self.is_text(name):
                known = self.profile.column(name)
                inside = (value for value in (*known.values, *known.more) if pattern.search(str(value)))
                if len(tuple(islice(inside, 2))) == 2:
                    found.append(name)
        return tuple(found)

    @cached_property
    def currency_codes(self) -> tuple[str, ...]:
        """The columns of texts that say in which of several currencies the amounts of a row are."""
        texts = (name for name in self.names if self.is_text(name) and self.column(name).known.distinct > 1)
        return tuple(name for name in texts if self._is_called(name, "currency"))

    def is_in_several_currencies(self, name: str) -> bool:
        """Tell whether an amount has no currency of its own where a column says it for each row."""
        facts = self.column(name).facts
        units = (self.lexicon.unit(word.text) for word in facts.words)
        own = facts.unit is not None or any(unit is not None and unit.kind == MONEY for unit in units)
        return (facts.money or (self.column(name).adds_up and self._is_called(name, "amount"))) and not own

    def is_amount_noun(self, word: str) -> bool:
        """Tell whether a noun for the rows names an amount as well, such as "sales"."""
        lemmas = self.lexicon.lemmas(word)
        return self.is_money_noun(word) or any(self.lists("amounts", one) or one in self._measured for one in lemmas)

    @cached_property
    def measure_names(self) -> tuple[str | None, tuple[str, ...]]:
        """The column that says what each row measures, where there is one, and the columns with what was measured."""
        called = {name: self._header(name) for name in self.names}
        texts = [name for name in self.names if self.is_text(name) and self.repeats(name)]
        names = [name for name in texts if any(self.lists("measures", one) for one in called[name])]
        numbers = [name for name in self.names if self.is_number(name)]
        values = tuple(name for name in numbers if any(self.lists("measured", one) for one in called[name]))
        return (names[0], values) if len(names) == 1 and values else (None, ())

    def _header(self, name: str) -> frozenset[str]:
        return frozenset(one for word in self.column(name).facts.words for one in word.known)

    @cached_property
    def _measured(self) -> frozenset[str]:
        """The nouns that stocks are called by: rows of balances are not how many balances there are."""
        stocks = (self.column(name).facts.words for name in self.names if self.column(name).is_stock)
        heads = (next((word for word in reversed(words) if word.heavy), None) for words in stocks)
        return frozenset(lemma for word in heads if word is not None for lemma in word.known)

    def is_money_noun(self, word: str) -> bool:
        """Tell whether a noun is that of an amount of money."""
        lemmas = self.lexicon.lemmas(word)
        return any(concept in _AMOUNTS for lemma in lemmas for concept in self.lexicon.concepts(lemma))

    def is_money_word(self, word: str) -> bool:
        """Tell whether a word as it stands, not another form of it, is that of an amount of money."""
        return any(concept in _AMOUNTS for concept in self.lexicon.concepts(word))

    @cached_property
    def moneys(self) -> tuple[str, ...]:
        """The columns of money."""
        return tuple(name for name, view in self._views.items() if view.facts.money)

    @cached_property
    def totals(self) -> tuple[str, ...]:
        """The columns of amounts and stocks, of which a total may be asked."""
        summed = (Additivity.ADDITIVE, Additivity.SEMI_ADDITIVE)
        return tuple(name for name, view in self._views.items() if view.facts.additivity in summed)

    @cached_property
    def counts(self) -> tuple[str, ...]:
        """The columns of whole numbers that add up and are no money: how many visitors, pieces, calls."""
        whole = (name for name in self.amounts if self.type_of(name) is ColumnType.INTEGER)
        return tuple(name for name in whole if not self.column(name).facts.money)

    @cached_property
    def quantities(self) -> tuple[str, ...]:
        """The counts that say how many of something a row is about: a quantity, pieces, what was seen."""
        return tuple(name for name in self.counts if any(self.lists("quantities", one) for one in self._header(name)))

    @cached_property
    def amounts(self) -> tuple[str, ...]:
        """The columns of numbers that add up."""
        return tuple(name for name, view in self._views.items() if view.adds_up)

    def is_deed(self, name: str) -> bool:
        """Tell whether a date is that of a deed which only some rows have: `cancelled_on`."""
        if not self.column(name).nulls:
            return False
        return any(any(self._past(word.text)) for word in self.column(name).facts.words)

    def tells_deed(self, name: str) -> bool:
        """Tell whether a date may be that of a deed by its noun as well: `cancellation_date`."""
        words = [word for word in self.column(name).facts.words if word.heavy and word.known.isdisjoint(_WHEN)]
        noun = len(words) == 1 and any(self.lexicon.derived(lemma) for lemma in words[0].known)
        return self.is_deed(name) or (noun and bool(self.column(name).nulls))

    def dates_of(self, name: str) -> tuple[str, ...]:
        """Return the dates of the deed that an amount is called after: `paid_on` for `amount_paid`."""
        deeds = self._deeds(name) if self.is_number(name) else frozenset()
        return tuple(one for one in self.dates if deeds & self._deeds(one))

    def _deeds(self, name: str) -> frozenset[str]:
        """Return the verbs of a column's name that stand in the past."""
        words = [word.text for word in self.column(name).facts.words]
        return frozenset(one.lemma for word in words for one in self._past(word) if one.lemma != word)

    def _past(self, word: str) -> Iterator[Analysis]:
        return (one for one in self.lexicon.morphology.analyses(word) if one.form is Form.PAST)

    def says_which_rows(self, noun: RowNoun) -> bool:
        """Tell whether a noun is one for some of the rows: "returns" by `is_returned`, "faults" by a `fault_code`."""
        word = noun.words[-1]
        said = self.schema.truth_index.said(word)
        if any(one.cost <= RELATED and one.value == self._yes(one.column) for one in said):
            return True
        if noun.cost < DESCRIBES_SEVERAL:
            return False
        columns = [view for view in self._views.values() if any(word in one.known for one in view.facts.words)]
        counts = (one for view in columns if view.facts.type.is_number for one in view.facts.words if one.base == word)
        return bool(columns) and (
            all(view.nulls and not view.facts.type.is_number for view in columns)
            or any(one.text != word for one in counts)
        )

    def _yes(self, name: str) -> object:
        truth = self.column(name).truth
        return truth[0] if truth is not None else None

    @cached_property
    def repeated_things(self) -> frozenset[str]:
        """The identifiers of things that several rows are about, and their names."""
        columns = (name for one in self.schema.row.repeated for name in (one.identifier, one.name))
        return frozenset(name for name in columns if name is not None and not self.numbers_rows(name))

    def says_when(self, name: str) -> bool:
        """Tell whether a column is called as dates are, and not as something that was done then."""
        return any(not word.known.isdisjoint(_WHEN) for word in self.column(name).facts.words)

    def numbers_rows(self, name: str) -> bool:
        """Tell whether an identifier comes back for other rows: the number of a line that sails again every day."""
        row = self.schema.row
        told = any(len(key) == 1 and self.column(key[0]).is_identifier for key in row.keys)
        if told or not any(one.identifier == name for one in row.repeated):
            return False
        nouns = {lemma for one in row.things if one.identifier == name for lemma in self.lexicon.lemmas(one.words[-1])}
        own = [date for date in self.dates if any(nouns & word.known for word in self.column(date).facts.words)]
        alone = not any(row.depends(other, name) for other in self.names)
        return any(not row.depends(date, name) for date in own) or (self.is_told_often(name) and alone)

    def doubled_identifier(self, noun: str) -> str | None:
        """Return the identifier of what rows are called, where some rows have the same one: those are counted once."""
        for thing in self.schema.row.things:
            name = thing.identifier
            if name is not None and thing.words[-1:] == tuple(noun.split()[-1:]):
                known = self.column(name).known
                double = known.distinct < self.profile.rows - known.nulls and not self.numbers_rows(name)
                return name if double else None
        return None

    def is_negative(self, name: str) -> bool:
        """Tell whether numbers are below zero, but for some that are zero: refunds may be written so."""
        known = self.column(name).known
        ends = (known.minimum, known.maximum)
        return self.is_number(name) and all(isinstance(one, int | float) for one in ends) and ends[0] < 0 >= ends[1]

    def number_of(self, noun: str) -> str | None:
        """Return the column that says how many of something each row is of: `number of boats`."""
        named = [name for name in self.amounts if self.says_how_many(name)]
        lemmas = self.lexicon.lemmas(noun.split()[-1]) if noun else ()
        return next((n for n in named if not self.column(n).facts.words[-1].known.isdisjoint(lemmas)), None)

    def is_identified(self, noun: str) -> bool:
        """Tell whether rows are what a noun says because a column has an identifier of it for each of them."""
        own = (one.identifier for one in self.schema.row.things if one.words[-1:] == tuple(noun.split()[-1:]))
        return any(name is not None and self.column(name).is_unique for name in own)

    def measures_some(self, noun: str) -> bool:
        """Tell whether a column of amounts is called as a noun: `new_cases` are not rows."""
        return any(noun in self.column(name).facts.words[-1].known for name in self.amounts)

    def most(self, term: Column) -> float:
        """Return the largest number of a column."""
        return float(self.column(term.name).known.maximum or 0)

    def only_describes_numbers(self, noun: str) -> bool:
        """Tell whether a noun names rows at best because it stands in the headers of numbers."""
        costs = [one.cost for one in self.schema.row.nouns if one.words[-1] == noun]
        return (
            bool(costs)
            and min(costs) >= DESCRIBES_SEVERAL
            and any(self.is_number(name) for name, _ in self.columns_about(noun))
        )

    def named_pair(self, name: str) -> tuple[str, str] | None:
        """Return the identifier and the name of what a column tells apart, where a thing has both."""
        pairs = [(one.identifier, one.name) for one in self.schema.row.things if one.identifier and one.name]
        return next(((first, second) for first, second in pairs if name in (first, second)), None)

    def has_word(self, lemma: str) -> bool:
        """Tell whether a word stands in the header of a column."""
        return any(lemma in word.known for view in self._views.values() for word in view.facts.words)

    def order_of(self, name: str) -> tuple[str, ...]:
        """Return the values of a scale, lowest first; nothing for other columns."""
        return self._views[name].facts.order if name in self._views else ()

    def columns_about(self, concept: str) -> tuple[tuple[str, float], ...]:
        """Return the columns that measure something, by its concept, with what that costs."""
        return self._about.get(concept, ())

    @cached_property
    def _about(self) -> dict[str, tuple[tuple[str, float], ...]]:
        found: dict[str, dict[str, float]] = {}
        more = {one.other: one.cost for one in self.schema.preferences}
        for name, view in self._views.items():
            ordered = view.facts.type.is_number or view.facts.type is ColumnType.DATE
            if not ordered or (view.is_label and name not in self.years):
                continue
            for concept, cost in self._concepts_of(name).items():
                found.setdefault(concept, {})[name] = more.get(name, 0.0) + cost
        return {concept: tuple(listed.items()) for concept, listed in found.items()}

    def _concepts_of(self, name: str) -> dict[str, float]:
        """Return what a column is about: the words of its header, their synonyms, and time for a date or year."""
        lemmas = {lemma for word in self.column(name).facts.words for lemma in word.known}
        about = {concept: SYNONYM for lemma in lemmas for concept in self.lexicon.concepts(lemma)}
        if name in self.years or self.is_date(name):
            own = name == next(iter((*self.dates, *self.years)))
            about |= dict.fromkeys(_TIMES, 0.0 if own else OTHER_DATE)
        return about | dict.fromkeys(lemmas, 0.0)

    def usual_unit(self, name: str) -> DateUnit:
        """Return the period by which a date column is grouped: the one it is named after, else what stays readable."""
        words = {lemma for word in self.column(name).facts.words for lemma in word.known}
        for word in words:
            for doing in phrases_of(self.language).get(word, ()):
                if doing.category == "unit" and doing.lemmas == (word,) and DateUnit(doing.meaning).is_period:
                    return DateUnit(doing.meaning)
        known = self.column(name).known
        few = known.distinct <= MANY_DAYS or (self.has_clock(name) and _days_between(known) <= MANY_DAYS)
        return DateUnit.START_OF_DAY if few else DateUnit.START_OF_MONTH

    def has_working_days(self, name: str) -> bool:
        """Tell whether so many days have no row as weekends are: the day before a Monday is then a Friday."""
        known = self.column(name).known
        ends = [str(end) for end in (known.minimum, known.maximum)]
        if not self.is_date(name) or known.distinct < _FEWEST_DAYS or any(map(_has_time, ends)):
            return False
        first, last = (date.fromisoformat(end[:10]) for end in ends)
        least, most = _WORKING_DAYS
        return least <= known.distinct / ((last - first).days + 1) <= most

    def tells_time(self, name: str) -> bool:
        """Tell whether a column says when its rows were."""
        return name in self.years or self.is_date(name) or self.profile.column(name).role is Role.TIME


@lru_cache(maxsize=32)
def table_of(profile: Profile, language: str) -> Table:
    """Return a table as the rules see it."""
    lexicon = load(language)
    return Table(schema_of(profile, lexicon, language), lexicon, language)


def _days_between(known: ColumnProfile) -> int:
    """Return how many days lie from the first to the last date of a column."""
    ends = [str(end)[:10] for end in (known.minimum, known.maximum)]
    return (date.fromisoformat(ends[1]) - date.fromisoformat(ends[0])).days if all(ends) else 0


def _has_digit(text: object) -> bool:
    return any(map(str.isdigit, str(text)))


def _has_time(moment: str) -> bool:
    return _CLOCK.search(moment) is not None


def _place(role: DateRole | None) -> int:
    return _OWN_DATE.index(role) if role in _OWN_DATE else len(_OWN_DATE)
