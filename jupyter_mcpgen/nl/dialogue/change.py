"""What was said of the answer before, made ready to be put into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from jupyter_mcpgen.nl.assembly.answers import Answer, Grouping
from jupyter_mcpgen.nl.assembly.courses import course_key
from jupyter_mcpgen.nl.assembly.query import Query, labels_and_numbers, numbers_of
from jupyter_mcpgen.nl.assembly.resolve import dated
from jupyter_mcpgen.nl.dialogue.cues import NO_CUE, Cue
from jupyter_mcpgen.nl.dialogue.edits import AsShare, Edit, InOrder, OnlyFirst, Widened
from jupyter_mcpgen.nl.dialogue.kept_conditions import columns_of
from jupyter_mcpgen.nl.dialogue.merging import merged
from jupyter_mcpgen.nl.grammar.families.conditions import negated
from jupyter_mcpgen.nl.grammar.meanings import (
    Column,
    Is,
    Part,
    Test,
    Within,
)
from jupyter_mcpgen.nl.grammar.table import Table

ASKED = ("who", "when", "where")


@dataclass(frozen=True)
class Change:
    """What was said of the answer before: the parts of a question, and what only a follow-up says."""

    query: Query
    edits: tuple[Edit, ...] = ()
    cue: Cue = NO_CUE
    counts_alone: bool = False
    """True where nothing says of what there are so many: "how many are there"."""

    named_first: bool = False
    """True where the words begin with what they are about, as in "days with revenue above 300"."""

    @property
    def has_subject(self) -> bool:
        """True for words that could be a question of their own."""
        query = self.query
        extreme = query.extreme is not None and (query.extreme.by is not None or query.order is not None)
        named = query.figures and not (self.counts_alone and query == Query(figures=query.figures))
        drawn = query.drawn is not None and (query.tests or query.keys)
        asked = query.asked in ASKED or (query.asked and query.tests)
        moved = query.window is not None and (query.keys or query.extreme is not None)
        apart = query.keys and (query.compared or (query.function and query.tests))
        parts = (query.terms, query.entities, query.pair, query.span, query.limits, query.named, asked, moved, apart)
        return bool(named or extreme or drawn or self.named_first or any(parts)) or self._tells_shares_of_some

    @property
    def _tells_shares_of_some(self) -> bool:
        """True for "percentage of late orders by region", which says of what, and for "orders by status"."""
        query = self.query
        shares = any(isinstance(edit, AsShare) for edit in self.edits) and (query.tests or query.keys or query.order)
        alone = any(isinstance(edit, InOrder | OnlyFirst) for edit in self.edits)
        return bool(shares) or (alone and self.query != Query())

    @property
    def is_whole(self) -> bool:
        """True for words that say what to compute, and by which groups or of which things."""
        query = self.query
        figures = bool(query.figures or query.terms or (query.extreme is not None and query.extreme.by is not None))
        asked = any(one.column and (one.asked or one.different) for one in query.entities)
        return asked or (figures and bool(query.keys or (query.entities and query.extreme is not None)))

    def tests(self) -> tuple[Test, ...]:
        """Return the conditions, denied where the words leave rows out."""
        said = self.query.tests
        if not self.cue.drops:
            return said
        return tuple(one for test in said if (one := negated(test)) is not None)


def by_amount(query: Query, table: Table) -> Query:
    """Read "top 2 by revenue" as the first by an amount, which makes no groups."""
    extreme = query.extreme
    if extreme is None or extreme.by is not None or len(query.keys) != 1:
        return query
    key = query.keys[0]
    amount = isinstance(key, Column) and key.name in numbers_of(table)
    return replace(query, keys=(), extreme=replace(extreme, by=key)) if amount else query


def measured_by(query: Query, answer: Answer, table: Table) -> Query:
    """Read "by hours" as the figure of an amount that makes no groups, or of which the first few are asked."""
    ranked = isinstance(answer, Grouping) and answer.first is not None
    amounts = [
        key
        for key in query.keys
        if isinstance(key, Column)
        and key.name in numbers_of(table)
        and (ranked or not table.column(key.name).makes_groups)
    ]
    if not amounts or query.figures or query.terms or not isinstance(answer, Grouping):
        return query
    return replace(query, keys=tuple(key for key in query.keys if key not in amounts), terms=tuple(amounts))


def over_time(query: Query, answer: Answer, table: Table) -> Query:
    """Read "over time" as the periods of the date before the groups that are there, and "per month" once."""
    if not isinstance(answer, Grouping):
        return query
    if query.function and query.keys and set(query.keys) <= set(answer.keys):
        return replace(query, keys=())
    timed = query.drawn is not None and query.drawn.timed
    if not timed or query.keys or any(isinstance(key, Part) for key in answer.keys):
        return query
    key = course_key(None, table)
    return replace(query, keys=(key, *answer.keys)) if key is not None else query


def dated_as_before(query: Query, answer: Answer, table: Table) -> Query:
    """Put the date of the answer before where a period was said without one, else that of the rows."""
    keys = answer.keys if isinstance(answer, Grouping) else ()
    dates = (
        *(key.date for key in keys if isinstance(key, Part)),
        *(t.date for t in answer.tests if isinstance(t, Within)),
    )
    own = next((date for date in dates if date), "")
    tests = tuple(replace(t, date=own) if isinstance(t, Within) and not t.date else t for t in query.tests)
    return dated(replace(query, tests=tests), table)


def of_whom(query: Query, table: Table) -> Query:
    """Leave out nouns that only say whose the rows are that count: "without cancelled orders", "only VIP guests"."""
    labels = {Column(name) for name in labels_and_numbers(query, numbers_of(table))[0]}
    whose = replace(query, entities=(), terms=tuple(term for term in query.terms if term not in labels))
    return whose if query.tests and whose == Query(tests=query.tests) else query


def kept_tests(before: tuple[Test, ...], change: Change) -> tuple[Test, ...] | None:
    """Return the conditions that hold now; None where a column is widened that no condition was about."""
    tests = merged(before, change.tests(), adds=change.cue.adds).tests
    for edit in change.edits:
        if isinstance(edit, Widened):
            left = tuple(test for test in tests if columns_of([test]) != {edit.column})
            if len(left) == len(tests):
                return None
            tests = left
    return tests


def gone_of(before: Sequence[Test], answer: Answer) -> tuple[Test, ...]:
    """Return the conditions that do not hold any more."""
    return tuple(test for test in before if test not in answer.tests and not _holds_in(test, answer.tests))


def _holds_in(test: Test, tests: Sequence[Test]) -> bool:
    """Tell whether a wider or narrower condition of the same values took its place."""
    match test:
        case Is(column, values, False):
            return any(isinstance(one, Is) and one.column == column and set(values) & set(one.values) for one in tests)
        case _:
            return False
