"""Kinds that are counted by the rows of things: "how many dogs" over visits of pets asks for visits, or for pets."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.around.things.things_with_rows import LONGEST, things_in
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Understanding
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Measure


def read_kinds_counted(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means; asked back where a kind of what has several rows each is counted by the rows."""
    meant = read(question, profile, language)
    if len(question) > LONGEST or not isinstance(meant, Answered):
        return meant
    table = table_of(profile, language)
    found = Speech(question).find(table.wording("kinds_counted"))
    things = things_in(found["noun"], table) if found is not None else None
    if things is None or not things.kind or not _comes_again(things.group, table):
        return meant
    each = _of_things(meant.winner, things.group)
    if each is None:
        return meant
    ways = (meant.winner, each)
    lines = "; ".join(f"({place}) {say_plan(way.plan)}" for place, way in enumerate(ways, 1))
    return Asked(f"Are the rows or the different `{things.group}` meant? {lines}. Which one do you mean?", ways)


def _comes_again(group: str, table: Table) -> bool:
    """Tell whether an identifier is of what comes again itself, as pets and machines do, and wares do not."""
    return not set(table.context.column_words[group]) & table.words("wares_said")


def _of_things(reading: Reading, group: str) -> Reading | None:
    """Return a number of rows as that of the different things; None where something else is counted."""
    match reading.plan.steps:
        case (
            *before,
            Aggregate(by=Columns(names=()), measures=(Measure(function=AggregateFunction.COUNT, where=None),)),
        ):
            one = Measure(function=AggregateFunction.COUNT_DISTINCT, column=Col(name=group))
            return reading.with_steps((*before, Aggregate(by=Columns(names=()), measures=(one,))))
        case _:
            return None
