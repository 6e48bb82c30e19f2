"""Things that have several rows each, as a question begins with them: "pets of Omar Shaw", "dogs" among the pets.

What readers of "with no visit in 2024" and of "seen more than 5 times" have in common: which things are meant, which
conditions the words behind them put on their rows, and which names stand beside their identifiers.
"""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.nl.around.rows.whole_entities import Entities, entities_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.identifiers import told_apart
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, asking_which
from jupyter_mcpgen.nl.tables.dependencies import has_one_value
from jupyter_mcpgen.plan.expressions import Predicate
from jupyter_mcpgen.plan.ops import Aggregate, Filter
from jupyter_mcpgen.plan.plan import Plan

LONGEST = 400
"""A longer text is no question about such things."""


@dataclass(frozen=True)
class Things:
    """The column that tells things apart, the noun for them, and the words behind it."""

    group: str
    noun: str
    said: str
    kind: str = ""
    """The condition that makes some of them what the noun says: the "dogs" among pets."""


def things_in(head: str, table: Table) -> Things | None:
    """Return the things that words begin with; None where a row is one of them."""
    words = head.split()
    widths = (size for size in (2, 1) if len(words) >= size)
    size = next((size for size in widths if columns.entity(" ".join(words[:size]), table) is not None), 0)
    noun, said = " ".join(words[:size]), " ".join(words[size:])
    group = columns.entity(noun, table) if size else None
    if group is None:
        return _kind(words[0], " ".join(words[1:]), table) if words else None
    if table.context.is_key(group) or columns.is_row(noun, table):
        return None
    return Things(group, noun, said)


def _kind(noun: str, said: str, table: Table) -> Things | None:
    """Return those of which a noun is a kind, by the one identifier that tells it: the "dogs" among pets."""
    held = values_called(noun, table) if columns.is_plural(noun, table) else []
    context, own = table.context, table.context.column_words
    keys = [name for name in own if told_apart(name, table) and not context.names_rows(name)]
    fitting = [(key, column, value) for column, value in held for key in keys if has_one_value(column, key, context)]
    if len(fitting) != 1:
        return None
    key, column, value = fitting[0]
    kind = table.say("rows_of_value", column=column, value=value.strip('"'))
    return Things(key, f"`{key}`", said, kind)


def counted_with(things: Things, what: str, counting: str, table: Table, read: Read) -> list[tuple[Reading, Entities]]:
    """Return the ways in which things are counted by their rows of a kind; none where one of them is no such number."""
    question = " ".join(f"{counting} {things.noun} {things.kind} {things.said} {what}".split())
    meant = read(question, table.context.profile, table.vocabulary.language)
    ways = (meant.winner,) if isinstance(meant, Answered) else meant.options if isinstance(meant, Asked) else ()
    found = [(way, entities_of(way.plan, table.context, things.group)) for way in ways]
    sure = [(way, one) for way, one in found if one is not None and one.group == things.group]
    return sure if len(sure) == len(found) else []


def said_of_things(things: Things, counting: str, table: Table, read: Read) -> tuple[Predicate, ...] | None:
    """Return the conditions on the things themselves; None where they cannot be read."""
    if not (things.said or things.kind):
        return ()
    own = counted_with(things, "", counting, table, read)
    return own[0][1].terms if len(own) == 1 else None


def names_beside(group: str, table: Table) -> tuple[str, ...]:
    """Return the column of names beside an identifier, where each has one."""
    told = told_apart(group, table)
    own = table.context.column_words
    called = ((), *((word,) for word in table.vocabulary.ranked.get("names", ())))
    names = [name for name in own if told and name != group and any(own[name] == (*told, *rest) for rest in called)]
    return tuple(name for name in names if has_one_value(name, group, table.context))[:1]


def keeps_groups(plan: Plan) -> bool:
    """Tell whether a plan keeps some of the groups of all rows."""
    grouped = [place for place, step in enumerate(plan.steps) if isinstance(step, Aggregate)]
    return any(isinstance(step, Filter) for step in plan.steps[grouped[0] :]) if grouped else False


def one_of(ways: list[Reading]) -> Answered | Asked:
    """Return the only way to read a question, or the question which one is meant."""
    if len(ways) == 1:
        return Answered(ways[0])
    return asking_which(ways)
