"""Amounts that stand on every row of what they are of: the total of an order beside each of its lines.

Added up over the lines, or averaged over them, it counts as often as the order has lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from jupyter_mcpgen.nl.around.repeated.once_each import COUNTING_EACH, divides, figures_of_rows, taken_once
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.identifiers import repeats, told_apart
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding, asking_which, retold
from jupyter_mcpgen.nl.tables.dependencies import has_one_value, is_known_by_row, is_told_of_each
from jupyter_mcpgen.nl.tables.levels_at_times import is_level, labels_of_things, tells_one_row
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.ops import AggregateFunction, Derive, Filter
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType


@dataclass(frozen=True)
class _Repeated:
    """An amount, and the identifier of what it is of."""

    amount: str
    key: str
    shared: bool
    """Whether the amount has a word of what the identifier tells apart in its name."""
    surely: bool
    """Whether every row was looked at."""
    of_label: bool = False
    """Whether it is a level or a plan of what a label names: the population of a region."""


def taking_once_each(meant: Understanding, context: Context, language: str) -> Understanding:
    """Return a meaning that takes an amount once of what it is of, where it stands on several rows of it.

    What happened once, such as an order, has one amount. Of what has rows of several times, such as a shop with its
    monthly rent, the amounts are counted in each row, and this is said. Where it is not known whether an amount is the
    same in all rows of each, both ways are asked about.
    """
    if isinstance(meant, Refused):
        return meant
    table = Table(context, load_vocabulary(language))
    if isinstance(meant, Asked):
        return _of_each_way(meant, table)
    plan = meant.winner.plan
    found = next(_repeated(plan, table), None)
    if found is None:
        return meant
    once = taken_once(plan, found.amount, found.key, context, over_all=found.surely and not found.of_label)
    own = replace(meant.winner, plan=once) if once is not None else None
    if found.of_label:
        return _of_label(meant, own, found, table)
    if not found.surely:
        return meant if own is None else _asked(found, own, meant.winner)
    if not _is_of_one(plan, found, table):
        noted = _noting(meant, found)
        asked = own is not None and isinstance(noted, Answered) and _counts_persons(found.amount, table)
        return _asked(found, own, meant.winner) if own is not None and asked else noted
    if own is None or _is_divided(plan, found, context):
        return _refused(found, meant.winner)
    notes = [_taken_once(found)]
    if divides(plan, found.key, context):
        notes.append(f"Each `{found.key}` that has rows in several groups counts in each of them.")
    return Answered(replace(own, assumptions=(*own.assumptions, *notes)), no_chart=meant.no_chart)


def _counts_persons(amount: str, table: Table) -> bool:
    """Tell whether an amount says how many persons belong to something: no more of them with every row."""
    return bool(set(table.context.column_words[amount][-1:]) & table.words("persons"))


def _of_label(meant: Answered, own: Reading | None, found: _Repeated, table: Table) -> Understanding:
    """Return a meaning with a level taken once of what a label names; what was planned may be so for each row."""
    if own is None:
        return _refused(found, meant.winner)
    shared = divides(meant.winner.plan, found.key, table.context)
    in_each = shared and _adds_up(meant.winner.plan, found.amount) and not is_level(found.amount, table.context)
    first = figures_of_rows(meant.winner.plan)
    groups = first.by.names if first is not None else ()
    if (
        in_each
        and {*groups} <= table.context.column_words.keys()
        and tells_one_row((found.key, *groups), table.context)
    ):
        return meant  # each has one row in a group
    if in_each or not _stays(found.amount, table):
        return _asked(found, own, meant.winner)
    notes = [_taken_once(found)]
    if shared:
        notes.append(f"Each `{found.key}` that has rows in several groups counts in each of them.")
    return Answered(replace(own, assumptions=(*own.assumptions, *notes)), no_chart=meant.no_chart)


def _of_each_way(asked: Asked, table: Table) -> Asked | Answered:
    """Return a question back whose ways take what happened once, once of each; the answer where all are the same."""
    ways = []
    for way in asked.options:
        found = next(_repeated(way.plan, table), None)
        once = taken_once(way.plan, found.amount, found.key, table.context) if found is not None else None
        own = found is not None and found.surely and _is_of_one(way.plan, found, table)
        if found is None or once is None or not own or _is_divided(way.plan, found, table.context):
            ways.append(way)
            continue
        ways.append(replace(way, plan=once, assumptions=(*way.assumptions, _taken_once(found))))
    if len(ways) > 1 and all(say_plan(way.plan) == say_plan(ways[0].plan) for way in ways):
        return Answered(ways[0])
    return Asked(retold(asked.question, zip(asked.options, ways, strict=True)), tuple(ways))


def _taken_once(found: _Repeated) -> str:
    return f"`{found.amount}` is the same in all rows of each `{found.key}`, so it is taken once of each."


def _is_divided(plan: Plan, found: _Repeated, context: Context) -> bool:
    """Tell whether amounts are added up over groups in several of which one of what they are of may be."""
    return _adds_up(plan, found.amount) and divides(plan, found.key, context)


def _refused(found: _Repeated, reading: Reading) -> Refused:
    return Refused(
        f"`{found.amount}` is the same in all rows of each `{found.key}`, and I could only use it in every row "
        f"({say_plan(reading.plan)}). Ask for it by `{found.key}`, or for the “largest `{found.amount}` by "
        f"`{found.key}`”.",
        (found.amount,),
        reading,
    )


def _asked(found: _Repeated, own: Reading, winner: Reading) -> Asked:
    ways = (own, winner)
    return asking_which(
        ways, f"`{found.amount}` may be said of each `{found.key}`, of which there are several rows, or of each row. "
    )


def _noting(meant: Answered, found: _Repeated) -> Answered | Refused:
    """Return a meaning that says that an amount is counted in each row of what it is of; none with a limit on that."""
    plan = meant.winner.plan
    first = figures_of_rows(plan)
    added = _adds_up(plan, found.amount)
    if first is None or (found.key in first.by.names and not added):
        return meant
    totals = {one.name for one in first.measures if one.column is not None and one.column.name == found.amount}
    limited = (step for step in plan.steps[plan.steps.index(first) :] if isinstance(step, Filter))
    if added and any(totals.intersection(names_in(step)) for step in limited):
        return _refused(found, meant.winner)
    so = "it is added up over these rows" if added else f"a `{found.key}` with more rows counts more"
    note = f"`{found.amount}` is the same in all rows of each `{found.key}`, and {so}."
    return replace(meant, winner=replace(meant.winner, assumptions=(*meant.winner.assumptions, note)))


def _adds_up(plan: Plan, amount: str) -> bool:
    first = figures_of_rows(plan)
    measures = first.measures if first is not None else ()
    return any(m.column and m.column.name == amount and m.function is AggregateFunction.SUM for m in measures)


def _repeated(plan: Plan, table: Table) -> Iterator[_Repeated]:
    """Yield the amounts that a plan counts in every row, and that are of what has several rows; the surest first."""
    context = table.context
    amounts = _amounts(plan, context)
    keys = [key for key in context.column_words if told_apart(key, table) and repeats(key, table)]
    keys += [name for name in context.column_words if name not in keys and _has_attributes(name, table)]
    keys = [key for key in keys if not context.names_rows(key)] if amounts else []
    found = [one for amount in amounts for key in keys if (one := _of(amount, key, table)) is not None]
    if not any(one.shared or _happened_once(one.key, table) for one in found):
        yield from _told_by_labels(plan, amounts, table)  # the area of a zone, and not of who works there
    yield from sorted(found, key=lambda one: (not one.shared, not _happened_once(one.key, table)))


def _has_attributes(name: str, table: Table) -> bool:
    """Tell whether a column of labels names persons, or others who have an age: the `Subject` of a study."""
    context, own = table.context, table.context.column_words[name]
    named = persons.names_persons(name, table) or set(own[-1:]) & table.words("studied")
    return bool(named) and context.type_of(name) is ColumnType.TEXT and told_apart(name, table) is None


def _told_by_labels(plan: Plan, amounts: list[str], table: Table) -> Iterator[_Repeated]:
    """Yield the levels and plans that a plan adds up, and that are the same in all rows of a label."""
    context = table.context
    labels = sorted(labels_of_things(context), key=lambda name: context.column(name).distinct)
    for amount in amounts:
        if not _stays(amount, table) and not (_adds_up(plan, amount) and columns.is_planned(amount, table)):
            continue
        key = next((name for name in labels if is_told_of_each(amount, name, context)), None)
        if key is not None and context.column(amount).distinct > 1:
            yield _Repeated(amount, key, shared=False, surely=True, of_label=True)


def _stays(amount: str, table: Table) -> bool:
    """Tell whether a column holds what its thing has all the time: a level, or an extent such as an area."""
    extent = set(table.context.column_words.get(amount, ())) & table.words("extents")
    return bool(extent) or is_level(amount, table.context)


def _is_of_one(plan: Plan, found: _Repeated, table: Table) -> bool:
    """Tell whether what is averaged or added up is there once of each: what happened once, or what a person has.

    What a person is paid may be paid again in each row, so only an average is taken once of each.
    """
    if found.shared or _happened_once(found.key, table):
        return True
    own = set(table.context.column_words[found.amount]) & table.words("of_a_person")
    return bool(own) and persons.names_persons(found.key, table) and not _adds_up(plan, found.amount)


def _amounts(plan: Plan, context: Context) -> list[str]:
    first = figures_of_rows(plan)
    figures = {m.column.name for m in first.measures if m.column and m.function in COUNTING_EACH} if first else set()
    made = {name for step in plan.steps if isinstance(step, Derive) and step.name in figures for name in names_in(step)}
    return sorted(name for name in figures | made if name in context.column_words and context.is_measure(name))


def _of(amount: str, key: str, table: Table) -> _Repeated | None:
    context = table.context
    shared = bool(set(told_apart(key, table) or ()) & set(context.column_words[amount]))
    if amount == key:
        return None
    if not is_known_by_row(amount, key, context=context):
        return _Repeated(amount, key, shared, surely=False) if shared else None
    of_each = is_told_of_each(amount, key, context) or (shared and has_one_value(amount, key, context))
    return _Repeated(amount, key, shared, surely=True) if of_each else None


def _happened_once(key: str, table: Table) -> bool:
    """Tell whether an identifier is of what happened at one time, such as an order, by the dates of its rows."""
    context = table.context
    dates = [name for name in context.dates if 2 * context.column(name).nulls < context.profile.rows]
    once = [name for name in dates if context.column(name).distinct > 1 and has_one_value(name, key, context)]
    deeds = table.words("purchases") | table.words("deals")
    called = bool(set(told_apart(key, table) or ()) & deeds)
    return bool(once) and len(once) == len(dates) if dates and not called else called and bool(once or not dates)
