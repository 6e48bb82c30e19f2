"""How often something was done by what has several rows: "pets seen more than 5 times", "who cancelled at least twice".

The question is read without the number of times; the rows of each that are meant are then counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.around.settled import settled
from jupyter_mcpgen.nl.around.things.things_with_rows import (
    LONGEST,
    Things,
    counted_with,
    keeps_groups,
    names_beside,
    one_of,
    things_in,
)
from jupyter_mcpgen.nl.everyday.deeds.outcomes import deed_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import doer
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.everyday.things.repeated import counted_otherwise
from jupyter_mcpgen.nl.predicates import number
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Refused, Understanding
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import All, Col, Columns, Compare, CompareOp, Predicate
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure, Sort, SortKey, Step

_BELOW = (CompareOp.LT, CompareOp.LE)
MOST_WORDS_OF_A_VERB = 2
"""A verb is of one word, or has a particle behind it: "broke down"."""


@dataclass(frozen=True)
class _Limit:
    """How often is meant."""

    op: CompareOp
    times: int


def read_so_many_times(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with things limited by how many rows of a kind each of them has."""
    if len(question) > LONGEST:
        return read(question, profile, language)
    table = table_of(profile, language)
    meant = read(question, profile, language)
    for found in Speech(question).find_each(table.wording("so_many_times")):
        things, limit = things_in(found["head"], table), _limit(found)
        if things is None or limit is None or counted_otherwise(things.group, table):
            continue
        sure = settled(meant, question, profile, language)
        if isinstance(sure, Answered) and keeps_groups(sure.winner.plan):
            return meant  # it is read so without this
        for what, known in _ways(found, things, table):
            made = _told(things, what, limit, found, table, read)
            if made and not known:
                return _asked(made, found) if isinstance(meant, Refused) else meant
            if made:
                return one_of(made)
    return meant


def _limit(found: Found) -> _Limit | None:
    """Return the limit that a phrase sets: "exactly" where it only says "twice"."""
    said = found.meant("n") or "1"
    if not said.isdecimal():
        return None
    if found["several"]:
        return _Limit(CompareOp.GT, 1)
    side = ">=" if found["more"] else found.meant("side")
    return _Limit(CompareOp.EQ if side in ("", "=") else CompareOp(side), int(said))


def _ways(found: Found, things: Things, table: Table) -> Iterator[tuple[str, bool]]:
    """Yield the words that say which rows are counted, and whether every word beside them is accounted for."""
    words, rest = things.said.split(), found["rest"].strip("?.! ")
    relative = table.words("saying_of_it")
    at = next((place for place, word in enumerate(words) if word.casefold() in relative), None)
    before, verb = (words[:at], words[at + 1 :]) if at is not None else ([], words)
    while verb and verb[0].casefold() in table.words("auxiliaries") | table.words("only_so_often"):
        verb = verb[1:]
    own = " ".join(before)
    if not verb or _says_no_more(verb, table):
        yield f"{own} {rest}".strip(), True
        return
    yield f"{own} {' '.join(verb)} {rest}".strip(), True
    if verb[1:] and _says_no_more(verb[:1], table):
        yield f"{own} {' '.join(verb[1:])} {rest}".strip(), True
    if len(verb) <= MOST_WORDS_OF_A_VERB and not columns.is_known(verb[0], table):
        yield f"{own} {rest}".strip(), False


def _says_no_more(verb: list[str], table: Table) -> bool:
    """Tell whether a verb says no more of rows than what they all are: "came in", "were seen", "visited"."""
    first, particle = verb[0].casefold(), [word.casefold() for word in verb[1:]]
    if particle and not (len(particle) == 1 and particle[0] in table.words("particles_of_deeds")):
        return False
    if columns.flag_of(first, table) or deed_of(first, table) is not None or table.context.values.get(first):
        return False
    date = columns.date_of(first, table)
    if date is not None:
        return not table.context.column(date).nulls
    general = (
        table.words("deeds_of_rows") | table.words("came") | table.words("making") | table.words("dealing_with_a_row")
    )
    if first in general or doer(first, table) is not None:
        return True
    return any(table.akin(first, noun) for noun in table.context.row_nouns)


def _told(things: Things, what: str, limit: _Limit, found: Found, table: Table, read: Read) -> list[Reading]:
    """Return the things with so many rows of a kind, in each way to read which rows; none where that cannot be read."""
    bare = replace(things, said="")
    if not (what or things.kind):
        meant = read(f"{found.said('counted')} {things.noun}", table.context.profile, table.vocabulary.language)
        made = [_built(meant.winner, (), [], things, limit, found, table)] if isinstance(meant, Answered) else []
    else:
        ways = counted_with(bare, what, found.said("counted"), table, read)
        if any(not such.terms or things.group in _names_of(such.terms) for _, such in ways):
            return []
        made = [_built(way, such.derived, [*such.terms], things, limit, found, table) for way, such in ways]
    return [one for one in made if one is not None]


def _names_of(terms: tuple[Predicate, ...]) -> set[str]:
    """Return the columns that conditions are about."""
    return {name for term in terms for name in names_in(term)}


def _built(
    reading: Reading,
    derived: tuple[Step, ...],
    terms: list[Predicate],
    things: Things,
    limit: _Limit,
    found: Found,
    table: Table,
) -> Reading | None:
    """Return the things whose rows are counted and limited; None where a column of the table is called as the count."""
    where = terms[0] if len(terms) == 1 else All(terms=tuple(terms)) if terms else None
    below = limit.op in _BELOW and where is not None
    count = Measure(function=AggregateFunction.COUNT, column=None, where=where if below else None)
    by = (things.group,) if found["how"] else (things.group, *names_beside(things.group, table))
    made: list[Step] = [*derived]
    made += [Filter(predicate=where)] if where is not None and not below else []
    made.append(Aggregate(by=Columns(names=by), measures=(count,)))
    made.append(Filter(predicate=Compare(op=limit.op, left=Col(name=count.name), right=number(limit.times))))
    if found["how"]:
        one = Measure(function=AggregateFunction.COUNT, column=None)
        made.append(Aggregate(by=Columns(names=()), measures=(one,)))
    else:
        made.append(Sort(keys=(SortKey(column=count.name, descending=True),)))
    notes = [found.said("often", group=things.group), *([found.said("none")] if below else [])]
    return reading.with_steps(tuple(made), assumptions=(*reading.assumptions, *notes))


def _asked(ways: list[Reading], found: Found) -> Asked:
    """Return whether all rows are meant, where nothing tells of which rows a verb is said."""
    lines = "; ".join(f"({place}) {say_plan(way.plan)}" for place, way in enumerate(ways, 1))
    return Asked(found.said("asked", did=found["head"], lines=lines), tuple(ways))
