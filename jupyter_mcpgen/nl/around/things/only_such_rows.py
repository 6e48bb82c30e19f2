"""Things of which all rows are of a kind: "members who only did spin", "shippers that use only express".

The question is read without "only"; those that have such rows and no other are then kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.around.rows.whole_entities import all_rows_so
from jupyter_mcpgen.nl.around.settled import settled
from jupyter_mcpgen.nl.around.things.things_with_rows import LONGEST, Things, counted_with, one_of, things_in
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.reading import Read, Reading, Refused, Understanding
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import All, Col, CompareOp, IsMissing


def read_only_such_rows(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, where it could not be read otherwise, with things told by all of their rows."""
    meant = read(question, profile, language)
    if len(question) > LONGEST:
        return meant
    table = table_of(profile, language)
    for found in Speech(question).find_each(table.wording("only_such")):
        things = things_in(found["head"], table)
        if things is None or not isinstance(settled(meant, question, profile, language), Refused):
            continue
        bare = replace(things, said="")
        for what in _ways(found, things, table):
            made = _told(bare, what, found, table, read)
            if made:
                return one_of(made)
    return meant


def _ways(found: Found, things: Things, table: Table) -> Iterator[str]:
    """Yield the words that say of which kind all rows are: with their verbs, and without them."""
    dropped = table.words("saying_of_it") | table.words("auxiliaries")
    before = [word for word in things.said.split() if word.casefold() not in dropped]
    behind = found["what"].strip("?.! ").split()
    if not behind or behind[0][:1].isdigit() or behind[0].casefold() in table.words("not_of_kinds"):
        return
    deeds = table.words("deeds_of_rows") | table.words("dealing_with_a_row") | table.words("paying_said")
    first = behind[0].casefold()
    nouns = table.context.row_nouns | set(table.context.column_words[things.group])
    empty = bool(behind[1:]) and (first in deeds or any(table.akin(first, noun) for noun in nouns))
    if not before and (empty or (behind[1:] and not columns.is_known(first, table))):
        yield " ".join(behind[1:])
        if behind[2:] and behind[1].casefold() in table.words("before_either"):
            yield " ".join(behind[2:])
    yield " ".join((*before, *behind))
    if len(before) == 1:
        yield " ".join(behind)


def _told(things: Things, what: str, found: Found, table: Table, read: Read) -> list[Reading]:
    """Return the things of which all rows meet the one condition that is read; none where there are others."""
    made: list[Reading | None] = []
    for reading, such in counted_with(things, what, found.said("counted"), table, read):
        about = {name for term in such.terms for name in names_in(term)}
        if len(about) != 1 or things.group in about:
            return []
        name = next(iter(about))
        lacking = name in table.context.column_words and table.context.column(name).nulls > 0
        predicate = such.terms[0] if len(such.terms) == 1 else All(terms=such.terms)
        there = (IsMissing(operand=Col(name=name), negated=True),) if lacking else ()
        entities = replace(such, terms=there, counted=bool(found["how"]))
        note = found.said("lacking" if lacking else "all", only=found["only"], group=things.group, column=name)
        made.append(all_rows_so(reading, entities, [], predicate, CompareOp.EQ, None, note))
    return [one for one in made if one is not None]
