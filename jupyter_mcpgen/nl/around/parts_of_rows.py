"""Parts of the rows that a phrase means: "share of rejected samples", "% rated above 4 by show", "… in percent".

How many rows the phrase means is read by itself, by everything that reads a number; their conditions then say which
part of the rows is asked for. Where two conditions may each be the one that is asked about, both ways are offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.around.parts.rows_met import (
    RowsMet,
    is_stretch_of_time,
    part_of,
    part_of_total,
    rows_met,
    so_many_of,
)
from jupyter_mcpgen.nl.around.settled import settled
from jupyter_mcpgen.nl.assembling.parts import note_of_rows_called
from jupyter_mcpgen.nl.everyday.amounts.per_so_many import so_many
from jupyter_mcpgen.nl.everyday.parts.sides import split_at_side
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, asking_which
from jupyter_mcpgen.nl.tables.dependencies import has_one_value
from jupyter_mcpgen.nl.tables.flags import flags_of, ones_and_zeros
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import Predicate
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Measure


def read_parts_of_rows(question: str, profile: Profile, language: str, read: Read) -> Answered | Asked | None:
    """Return the part of all rows that a phrase means, where a question asks for one and their number can be read."""
    reader = _Reader(table_of(profile, language), read)
    said = Speech(question)
    for find in (reader.in_percent, reader.of_so_many, reader.of_a_side, reader.of_phrase, reader.of_condition):
        found = said.find(reader.table.wording(_WORDED[find.__name__]))
        ways = _apart(find(found)) if found is not None else ()
        if len(ways) == 1:
            return Answered(ways[0])
        if ways:
            return asking_which(ways)
    return None


def read_joined_parts(question: str, profile: Profile, language: str, read: Read) -> Answered | Asked | None:
    """Return the part of rows that meets several conditions: "what share of flats have a balcony and a lift".

    None where a question asks for no such part; neither of its conditions says of which rows it is a part.
    """
    reader = _Reader(table_of(profile, language), read)
    for found in Speech(question).find_each(reader.table.wording("joined_part_of_rows")):
        ways = _apart(reader.of_joined(found))
        if ways:
            return Answered(ways[0]) if len(ways) == 1 else asking_which(ways)
    return None


_WORDED = {
    "in_percent": "rows_in_percent",
    "of_so_many": "rows_per_so_many",
    "of_a_side": "part_of_rows",
    "of_phrase": "part_of_rows",
    "of_condition": "percent_of_rows",
}
"""How each way to ask is worded."""


def _apart(ways: Sequence[Reading]) -> tuple[Reading, ...]:
    """Return the ways that do not say the same."""
    return tuple({say_plan(way.plan): way for way in reversed(ways)}.values())[::-1]


class _Reader:
    """Reads the number of the rows that a phrase means, and says it as a part of others."""

    def __init__(self, table: Table, read: Read) -> None:
        self.table = table
        self.read = read

    def in_percent(self, found: Found) -> list[Reading]:
        """Read "organic batches by crop in percent": of the batches of each crop, or of all organic ones."""
        made: list[Reading] = []
        for rows in self._numbers(found.said("number"), f"{found['what']} {found['rest']}"):
            if self._is_of_each(rows, rows.terms):
                made += _possible(partial(part_of, rows, rows.terms, percent=True))
            if rows.keys and rows.key is None:
                made += _possible(partial(part_of_total, rows, percent=True))
        return made

    def of_so_many(self, found: Found) -> list[Reading]:
        """Read "rejected samples per 100 samples" as how many of so many rows are rejected."""
        many = so_many(found)
        if many is None or not columns.is_row(found["noun"], self.table, self.table.words("one_row")):
            return []
        numbers = self._numbers(found.said("number"), f"{found['what']} {found['rest']}")
        of_rows = [rows for rows in numbers if rows.key is None]
        return [way for rows in of_rows for way in _possible(partial(so_many_of, rows, many))]

    def of_phrase(self, found: Found) -> list[Reading]:
        """Read "percentage of women in sales": of those in sales, or of the women."""
        percent = found.meant("share") in ("", Term.PERCENTAGE)
        numbers = self._numbers(found.said("number"), found["what"])
        return [way for rows in numbers for way in self._ways(rows, found, percent)]

    def of_joined(self, found: Found) -> list[Reading]:
        """Read "share of flats that have a balcony and a lift" as those with both; "in Hill" may say of which flats."""
        head, tail = found["head"], found["tail"]
        words = {*head.casefold().split(), *tail.casefold().split()}
        acts = found.folded("verb") in self.table.words("acting_verbs_of_parts")
        some = acts or (found["verb"] != "" and bool(self.table.words("with_or_without") & {*head.casefold().split()}))
        joined = bool(self.table.words("joining_conditions_said") & words)
        if not (joined or some) or self.table.words("relatives") & words:
            return []
        split = split_at_side(f"{head} {tail}", self.table)
        led = self.table.words("joining_conditions_said") | self.table.words("before_what_is_had")
        apart = split is not None and split.who.casefold().split()[-1] not in led
        whole = self._terms_of_head(head) if not apart else None
        if whole is None:
            return []  # "guests with breakfast and a view cancelled" says of which guests it is asked
        place = Speech(tail).find(self.table.wording("place_in_a_part"))
        said = [tail] if place is None else [tail, tail[: place.start]]
        percent = found.meant("share") in ("", Term.PERCENTAGE)
        worded = (found.said("joined", tail=one) for one in said)
        numbers, *_ = counted = [self._numbers(one, f"{head} {tail}", in_any_way=True) for one in worded]
        pairs = product(numbers, (part for parts in counted for part in parts))
        least = 1 if some and whole else 2
        return [way for rows, part in pairs for way in self._joined(rows, part, whole, percent, least)]

    def _joined(
        self, rows: RowsMet, part: RowsMet, whole: tuple[Predicate, ...], percent: bool, least: int = 2
    ) -> list[Reading]:
        terms = (term for term in part.terms if term not in whole)
        asked = tuple(term for term in terms if not is_stretch_of_time(term, rows.reading.plan))
        known = {*map(repr, rows.terms)}
        fits = len(asked) >= least and all(repr(term) in known for term in (*asked, *whole)) and rows.key is None
        return _possible(partial(part_of, rows, asked, percent)) if fits else []

    def of_a_side(self, found: Found) -> list[Reading]:
        """Read "percentage of guests with breakfast who cancelled" as those of the guests with breakfast."""
        split = split_at_side(found["what"], self.table)
        last = split.who.casefold().split()[-1:] if split is not None else []
        joined = not self.table.words("joining_conditions_said").isdisjoint(last)
        whole = self._terms_of_head(split.who) if split is not None and not joined else None
        if not whole:
            return []
        percent = found.meant("share") in ("", Term.PERCENTAGE)
        numbers = self._numbers(found.said("joined"), found["what"], in_any_way=True)
        return [way for rows in numbers for way in self._joined(rows, rows, whole, percent, least=1)]

    def _terms_of_head(self, head: str) -> tuple[Predicate, ...] | None:
        """Return what the rows meet that a noun phrase means; nothing for a noun for rows, None where it is unknown."""
        if columns.is_row(head, self.table, self.table.words("one_row")):
            return ()
        rows = self._of_head(head)
        if rows is not None:
            return rows.terms
        return () if self._counts_all_rows(head) else None

    def _counts_all_rows(self, head: str) -> bool:
        """Tell whether the number of what is named is that of all rows, as for people."""
        number = self.table.wording("part_of_rows").say("head", {"head": head.strip()})
        meant = self.read(number, self.table.context.profile, self.table.vocabulary.language)
        match meant:
            case Answered(winner):
                counted = Aggregate(measures=(Measure(function=AggregateFunction.COUNT),))
                return winner.plan.steps == (counted,)
            case _:
                return False

    def of_condition(self, found: Found) -> list[Reading]:
        """Read "% rated above 4 by show" as the percentage of rows that are so."""
        percent = found.meant("share") in ("", Term.PERCENTAGE)
        grouped = Speech(found["what"]).find(self.table.wording("grouped"))
        said = found["what"][: grouped.start].strip() if grouped is not None else found["what"]
        groups = found["what"][grouped.start :] if grouped is not None else ""
        noun = said.split()[-1] if said else ""
        worded = [found.said("number")]
        if not columns.is_row(noun, self.table, self.table.words("one_row")):
            worded = [found.said("behind"), found.said("before", said=said, groups=groups), *worded]
        for number in worded:
            ways = [w for rows in self._numbers(number, found["what"]) for w in self._ways(rows, found, percent)]
            if ways:
                return ways
        return []

    def _ways(self, rows: RowsMet, found: Found, percent: bool) -> Iterator[Reading]:
        """Yield the part for each of the conditions that may be the one that is asked about."""
        for asked in self._asked(rows, found):
            if self._is_of_each(rows, asked):
                yield from _possible(partial(part_of, rows, asked, percent))

    def _asked(self, rows: RowsMet, found: Found) -> list[tuple[Predicate, ...]]:
        """Return which conditions may be asked about; what only says from when rows are never is, beside others."""
        place = Speech(found["what"]).find(self.table.wording("where_of_a_part"))
        first = self._of_head(found["what"][: place.start]) if place is not None and place.start else None
        if place is not None and place["verb"]:
            said = tuple(term for term in rows.terms if first is None or term not in first.terms)
            return [said] if said and Speech(found["what"][place.end :]).find(place.wording) is None else []
        plain = tuple(term for term in rows.terms if not is_stretch_of_time(term, rows.reading.plan))
        if len(plain) <= 1:
            return [plain or rows.terms]
        head = tuple(term for term in plain if first is not None and term in first.terms)
        tail = tuple(term for term in plain if term not in head)
        return [head, tail] if head and tail else [plain, plain[:1], plain[-1:]]

    def _is_of_each(self, rows: RowsMet, asked: Sequence[Predicate]) -> bool:
        """Tell whether a condition holds of a row, or of all rows of what is counted, which may have several."""
        key, context = rows.key, self.table.context
        names = {name for term in asked for name in names_in(term)}
        known = names <= set(context.column_words)
        return key is None or (known and all(has_one_value(name, key, context) for name in names))

    def _of_head(self, head: str) -> RowsMet | None:
        """Return the rows that the words before a place mean: the women of "women in sales"."""
        return next(
            iter(self._numbers(self.table.wording("part_of_rows").say("head", {"head": head.strip()}), head)), None
        )

    def _numbers(self, number: str, what: str, *, in_any_way: bool = False) -> list[RowsMet]:
        """Return the rows whose number is asked for in each way to read it; none where a way is no such number.

        With `in_any_way` the ways that are no such number are left out.
        """
        profile, language = self.table.context.profile, self.table.vocabulary.language
        meant = settled(self.read(number, profile, language), number, profile, language)
        readings = (meant.winner,) if isinstance(meant, Answered) else meant.options if isinstance(meant, Asked) else ()
        flags = flags_of(profile, language) | ones_and_zeros(profile)
        keys = frozenset(name for name in self.table.context.column_words if self.table.context.is_key(name))
        assumed = {note_of_rows_called(word, self.table.context) for word in what.split()}
        found = [None if assumed & {*one.assumptions} else rows_met(one, flags, keys) for one in readings]
        grouped = self.table.groups(what)
        known = [rows for rows in found if rows is not None and bool(rows.keys) <= grouped]
        return known if in_any_way or len(known) == len(found) else []


def _possible(make: Callable[[], Reading]) -> list[Reading]:
    """Return what is made; nothing where the table has columns that are called like its figures."""
    try:
        made = make()
    except PlanError:
        return []
    return [replace(made, label="")]
