"""Things without a row of a kind: "pets with no visit in 2024", "machines without urgent jobs in May", "did not book".

The question is read with what is denied said of them; those of whom no row is so are then looked for. Read row by row,
a pet with a visit in another year would be one of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.around.rows.whole_entities import Entities
from jupyter_mcpgen.nl.around.settled import settled
from jupyter_mcpgen.nl.around.things.things_with_rows import (
    LONGEST,
    Things,
    counted_with,
    keeps_groups,
    names_beside,
    one_of,
    said_of_things,
    things_in,
)
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.predicates import number
from jupyter_mcpgen.nl.reading import Answered, Read, Reading, Understanding
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import All, Col, Columns, Compare, CompareOp, Predicate
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure, Select, Step


def read_without_rows(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with what has no row of a kind told by all of its rows."""
    if len(question) > LONGEST:
        return read(question, profile, language)
    table = table_of(profile, language)
    meant = read(question, profile, language)
    for found in Speech(question).find_each(table.wording("without_rows")):
        things = things_in(found["head"], table)
        denied = tuple(_ways(found, things.group, table)) if things is not None else ()
        if things is None or not denied:
            continue
        sure = settled(meant, question, profile, language)
        if isinstance(sure, Answered) and keeps_groups(sure.winner.plan):
            return meant  # it is read so without this
        made = _told(things, denied, found, table, read)
        if made:
            return one_of(made)
    return meant


def _ways(found: Found, group: str, table: Table) -> Iterator[str]:
    """Yield how what is denied may be said: with its rows, and without them where they are what a row is."""
    words = found["what"].strip("?.! ").split()
    if not words or {word.casefold().strip(",") for word in words} & table.words("joining"):
        return  # "no plums or pears" may be neither, or not both
    first, rest = words[0].casefold(), " ".join(words[1:])
    if found["not"]:
        general = (table.words(key) for key in ("deeds_of_rows", "making", "came", "going", "dealing_with_a_row"))
        deed = any(first in words for words in general)
        deed = deed or any(table.akin(first, noun) for noun in table.context.row_nouns)
        deed = deed or columns.date_of(first, table) is not None
        if rest and deed and not columns.flag_of(first, table):
            yield rest
        return
    for place, word in enumerate(words[:-1]):  # "visit in 2024", "urgent orders in 2024"
        if columns.entity(word, table) == group:
            return
        if _is_row(word, table):
            yield " ".join((*words[:place], *words[place + 1 :]))
            return
    yield " ".join(words)


def _is_row(noun: str, table: Table) -> bool:
    return columns.is_row(noun, table, table.words("one_row")) or columns.dates_rows(noun, table)


def _told(things: Things, denied: tuple[str, ...], found: Found, table: Table, read: Read) -> list[Reading]:
    """Return those of whom no row is so, in each way; none where what is denied is no condition of rows alone."""
    counting = found.said("counted")
    kept = said_of_things(things, counting, table, read)
    for way in denied if kept is not None else ():
        made = []
        for reading, such in counted_with(things, way, counting, table, read):
            terms = [term for term in such.terms if term not in (kept or ())]
            of_rows = bool(terms) and not any(things.group in names_in(term) for term in terms)
            if of_rows and set(kept or ()) <= set(such.terms):
                made.append(_built(reading, such, kept or (), terms, found, table))
        if made and all(one is not None for one in made):
            return [one for one in made if one is not None]
    return []


def _built(
    reading: Reading,
    such: Entities,
    kept: tuple[Predicate, ...],
    terms: list[Predicate],
    found: Found,
    table: Table,
) -> Reading | None:
    """Return those of whom no row is so, with their names; None where a column of the table is called as the count."""
    where = terms[0] if len(terms) == 1 else All(terms=tuple(terms))
    count = Measure(function=AggregateFunction.COUNT, column=None, where=where)
    by = (such.group,) if found["how"] else (such.group, *names_beside(such.group, table))
    made: list[Step] = [*such.derived, *(Filter(predicate=term) for term in kept)]
    made.append(Aggregate(by=Columns(names=by), measures=(count,)))
    made.append(Filter(predicate=Compare(op=CompareOp.EQ, left=Col(name=count.name), right=number(0))))
    if found["how"]:
        one = Measure(function=AggregateFunction.COUNT, column=None)
        made.append(Aggregate(by=Columns(names=()), measures=(one,)))
    else:
        made.append(Select(columns=Columns(names=by)))
    return reading.with_steps(tuple(made), assumptions=(*reading.assumptions, found.said("none", group=such.group)))
