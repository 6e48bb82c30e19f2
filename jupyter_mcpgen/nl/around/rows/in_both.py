"""Things with rows of two kinds: "members who booked both North and South", "shops that sold tea but not coffee".

The question is read with the first of the two alone. A row has one value, so each thing is told by all of its rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.around.rows.whole_entities import Entities, entities_of
from jupyter_mcpgen.nl.everyday.deeds.outcomes import deed_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.predicates import YEARS, number
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Understanding, asking_which
from jupyter_mcpgen.nl.tables.dependencies import repeats_within
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import All, Col, Columns, Compare, CompareOp, IsIn, Predicate
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure, Select, Step

MOST_WORDS = 4
"""Of how many words a value is."""


@dataclass(frozen=True)
class _Pair:
    """Two values, the things of which each may have rows of both, and what a question says around them."""

    group: str
    column: str | None
    """The column of the values; None for two years."""
    one: str
    other: str
    before: str
    between: tuple[str, ...]
    """The words between the things and the first value."""
    behind: str
    lead: str
    counting: str
    """What leads to the things where they are counted."""

    def alone(self, value: str) -> str:
        """Return the question about one of the values only."""
        return f"{self.lead} {self.before} {value} {self.behind}".strip()

    def counted(self, value: str) -> str:
        """Return the question how many things there are of one of the values."""
        return f"{self.counting} {self.before} {value} {self.behind}".strip()


def read_in_both(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with things that have rows of both of two kinds told by all of their rows."""
    table = table_of(profile, language)
    for found in Speech(question).find_each(table.wording("in_both")):
        for pair in _pairs(question, found, table):
            made = _told(pair, question, found, table, read) or _of_each_column(pair, found, table, read)
            if made is not None:
                return made
    return read(question, profile, language)


def _pairs(question: str, found: Found, table: Table) -> Iterator[_Pair]:
    """Yield the two values that may be meant, those of the most words first."""
    head, others = found["head"].split(), _plain(found["others"], table).split()
    widths = (1,) if head[1:] and _says_nothing(head[1].casefold(), table) else (2, 1)  # "accounts have" are accounts
    who = next((size for size in widths if columns.entity(" ".join(head[:size]), table) is not None), 0)
    group = columns.entity(" ".join(head[:who]), table) if who else None
    if group is None:
        return
    lead = found.said("counted") if found["how"] else question[: found.match.start("head")]
    said = _plain(found["said"], table).split() if found["both"] else head[who:]
    sizes = range(min(MOST_WORDS, len(said)), 0, -1) if not found["both"] else (len(said),)
    for size in sizes:
        kept = found["head"].split() if found["both"] else head[: len(head) - size]
        if found["both"] and (preposition := found["said"].split()[0]) not in said:
            kept = [*kept, preposition]  # "both at Quayside and at Mill Lane"
        for other in range(min(MOST_WORDS, len(others)), 0, -1):
            values = _plain(" ".join(said[-size:]), table), " ".join(others[:other]).strip("?.,!")
            column = _of_one_column(*values, table)
            if column is not None:
                before = " ".join((*kept[:who], *_saying(kept[who:], table)))
                behind = " ".join(others[other:])
                leading = [word for word in said[-size:][:1] if word.casefold() in table.words("before_either")]
                between = (*kept[who:], *leading)
                one, another = values
                yield _Pair(group, column or None, one, another, before, between, behind, lead, found.said("counted"))


def _saying(words: list[str], table: Table) -> list[str]:
    """Return words without a deed that rows are of in any table, and what joins it: "who worked on"."""
    bare = [word for word in words if not _says_nothing(word.casefold(), table)]
    return words if bare or not words else [table.say("for", of="").strip()]


def _says_nothing(word: str, table: Table) -> bool:
    empty = ("before_either", "indefinite", "saying_of_it", "have")
    if any(word in table.words(words) for words in empty):
        return True
    deeds = table.words("deeds_of_rows") | table.words("dealing_with_a_row")
    date = columns.date_of(word, table)
    if date is not None and not table.context.column(date).nulls:
        return True  # "inspected", where every row has an `inspected_on`
    deed = word in deeds and not columns.is_of_the_data(word, table)
    return deed and columns.flag_of(word, table) is None


def _plain(text: str, table: Table) -> str:
    """Return words without the prepositions and articles before them."""
    first, _, rest = text.partition(" ")
    leading = table.words("before_either") | table.words("indefinite")
    return _plain(rest, table) if rest and first.casefold() in leading else text


def _of_one_column(one: str, other: str, table: Table) -> str | None:
    """Return the column that two different texts are values of; an empty one for two years of dates."""
    if one.isdecimal() and other.isdecimal():
        years = one != other and all(len(said) == 4 and int(said) in YEARS for said in (one, other))
        return "" if years and table.context.dates else None
    values = dict(_called(one, table))
    return next((column for column, said in _called(other, table) if values.get(column, said) != said), None)


def _called(text: str, table: Table) -> tuple[tuple[str, str], ...]:
    """Return the columns with the value that a text is, or that says what is done to a row: "issued"."""
    deed = deed_of(text.casefold(), table)
    return tuple(values_called(text, table)) or (((deed.column, deed.value),) if deed is not None else ())


def _told(pair: _Pair, question: str, found: Found, table: Table, read: Read) -> Understanding | None:
    """Return the things with rows of both; asked about where "and" may be said of those with either."""
    context = table.context
    if not found["both"] and not found["but"]:
        each_has_one = pair.column is not None and repeats_within(pair.column, (pair.group,), context)
        said_of_rows = deed_of(pair.one.casefold(), table) is None
        if each_has_one or (said_of_rows and set(map(str.casefold, pair.between)) <= table.words("before_either")):
            return None  # "customers from Oslo and Bergen" are those of either
    one, other = (_things(pair.alone(value), pair, table, read) for value in (pair.one, pair.other))
    if (one is None or other is None) and not found["how"]:
        one, other = (_listed(pair.counted(value), pair, table, read) for value in (pair.one, pair.other))
    if one is None or other is None:
        return None
    made = _built(one, other, pair, found)
    if made is None or found["both"] or found["but"]:
        return Answered(made) if made is not None else None
    whole = read(question, context.profile, table.vocabulary.language)
    if isinstance(whole, Answered):
        return _asked((made, whole.winner))
    placed = table.words("before_either") & set(map(str.casefold, pair.between))
    return Answered(made) if not placed else None  # "worked at North and South" may be at either


def _of_each_column(pair: _Pair, found: Found, table: Table, read: Read) -> Asked | None:
    """Return which column is meant, where two persons may both be technicians, and both those who check."""
    others = dict(_called(pair.other, table))
    shared = [name for name, _ in _called(pair.one, table) if name in others]
    if not (found["both"] and shared[1:]) or any(not _says_nothing(word.casefold(), table) for word in pair.between):
        return None
    ways = []
    for name in shared:
        asked = (f'`{pair.group}` where `{name}` is "{value}"' for value in (pair.one, pair.other))
        things = [_things(f"{pair.counting} {said} {pair.behind}".strip(), pair, table, read) for said in asked]
        one, other = (
            replace(one, entities=replace(one.entities, counted=bool(found["how"]))) if one is not None else None
            for one in things
        )
        made = _built(one, other, replace(pair, column=name), found) if one is not None and other is not None else None
        ways += [made] if made is not None else []
    return _asked(tuple(ways)) if len(ways) == len(shared) else None


@dataclass(frozen=True)
class _Things:
    """A reading that counts or lists things by their rows of one kind."""

    reading: Reading
    entities: Entities


def _things(question: str, pair: _Pair, table: Table, read: Read) -> _Things | None:
    """Return the things with rows of one kind; None where anything else is read."""
    meant = read(question, table.context.profile, table.vocabulary.language)
    if not isinstance(meant, Answered):
        return None
    plan = meant.winner.plan
    shown = next((step for step in plan.steps if isinstance(step, Select)), None)
    if shown is not None and pair.group in shown.columns.names:  # a date may stand beside the name
        before = tuple(takewhile(lambda step: step is not shown, plan.steps))
        plan = plan.with_steps((*before, Select(columns=Columns(names=(pair.group,)))))
    entities = entities_of(plan, table.context, pair.group)
    known = entities is not None and entities.group == pair.group
    return _Things(meant.winner, entities) if entities is not None and known else None


def _listed(question: str, pair: _Pair, table: Table, read: Read) -> _Things | None:
    """Return the things with rows of one kind by the question how many they are, with no name beside them."""
    things = _things(question, pair, table, read)
    return replace(things, entities=replace(things.entities, counted=False)) if things is not None else None


def _built(one: _Things, other: _Things, pair: _Pair, found: Found) -> Reading | None:
    """Return the things with rows of the first kind, and with some of the other, or none."""
    shared = [term for term in one.entities.terms if term in other.entities.terms]
    kinds = [[term for term in things.entities.terms if term not in shared] for things in (one, other)]
    if not all(kinds) or one.entities.counted is not other.entities.counted:
        return None
    if any(isinstance(term, IsIn) for kind in kinds for term in kind):
        return None  # "North, South and West" are three
    about = [{name for term in kind for name in names_in(term)} for kind in kinds]
    if about[0] != about[1] or len(about[0]) != 1 or (pair.column is not None and about[0] != {pair.column}):
        return None  # another word of the question was read in two ways
    counts = [
        Measure(function=AggregateFunction.COUNT, column=None, where=_all(kind), label=f"rows_{place}")
        for place, kind in enumerate(kinds, 1)
    ]
    ends = (CompareOp.GT, CompareOp.EQ if found["but"] else CompareOp.GT)
    made: list[Step] = [*dict.fromkeys((*one.entities.derived, *other.entities.derived))]
    made += [Filter(predicate=_all(shared))] if shared else []
    made.append(Aggregate(by=Columns(names=(pair.group,)), measures=tuple(counts)))
    made += [
        Filter(predicate=Compare(op=op, left=Col(name=count.name), right=number(0)))
        for count, op in zip(counts, ends, strict=True)
    ]
    made.append(_end(one.entities))
    note = found.said("but" if found["but"] else "both", group=pair.group, a=pair.one, b=pair.other)
    return one.reading.with_steps(
        tuple(made), assumptions=(*one.reading.assumptions, note)
    )  # a column of the table is called as a count


def _all(terms: list[Predicate]) -> Predicate:
    return terms[0] if len(terms) == 1 else All(terms=tuple(terms))


def _end(entities: Entities) -> Step:
    if entities.counted:
        return Aggregate(by=Columns(names=()), measures=(Measure(function=AggregateFunction.COUNT, column=None),))
    return Select(columns=Columns(names=(entities.group,)))


def _asked(ways: tuple[Reading, ...]) -> Asked:
    return asking_which(ways)
