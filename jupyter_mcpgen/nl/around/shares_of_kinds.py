"""How rows, or an amount, are spread over kinds: "share of each service by year", "share of room types in Manhattan".

Each group, or the rows that are chosen, is a whole of its own. The figures are read by themselves, by everything that
reads a number of rows or a total, and are then said as parts of it.
"""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.around.settled import settled
from jupyter_mcpgen.nl.comparing.plans.shares import shared
from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.identifiers import identifiers_of
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Understanding
from jupyter_mcpgen.nl.tables.dependencies import has_one_value
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Sort
from jupyter_mcpgen.plan.plan import Plan

_ADDING_UP = (AggregateFunction.COUNT, AggregateFunction.SUM)


def read_kinds_in_groups(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with the share of each kind in each group where it asks for that."""
    table = table_of(profile, language)
    for found in Speech(question).find_each(table.wording("kinds_in_groups")):
        kind = _kind(found, table)
        asked = _figures(found, kind, table) if kind is not None else None
        if kind is None or asked is None:
            continue
        made = _shares(asked, kind, found, table, read)
        if made is not None and all(len(_keys(way.plan)) == 1 + bool(found["group"]) for way in _ways(made)):
            return made
    return read(question, profile, language)


def read_kinds_of_some(question: str, profile: Profile, language: str, read: Read) -> Answered | Asked | None:
    """Return how some rows are spread over the kinds of a column, where a question asks for that."""
    table = table_of(profile, language)
    for found in Speech(question).find_each(table.wording("kinds_of_some")):
        kind = _kind(found, table)
        if kind is None or table.groups(found["rest"]):
            continue
        made = _shares(found.said(kind=kind), kind, found, table, read)
        if made is not None and all(_keys(way.plan) == (kind,) and _conditions(way.plan) for way in _ways(made)):
            return made
    return None


def _kind(found: Found, table: Table) -> str | None:
    """Return the column of kinds that words name: no persons, unless each of them is asked for, and no rows."""
    column, last = columns.label(found["kind"], table), found["kind"].split()[-1]
    if column is None or table.context.is_key(column) or columns.is_row(last, table, table.words("one_row")):
        return None
    own = (*table.context.column_words[column], *table.context.lexicon.generic)
    if any(word not in own for word in map(table.context.plain, found.folded("kind").split())):
        return None  # "grade A" is one of its grades
    if found["each"]:
        return column
    told = identifiers_of(last, table) or persons.names_persons(column, table) or column in columns.flags(table)
    return None if told or found.folded("kind") in table.context.values else column


def _figures(found: Found, kind: str, table: Table) -> str | None:
    """Return the question of the figures of each kind in each group; None where it would name no figure."""
    rest, of_all = found.said("in_year") if found["year"] else "", "" if found["group"] else "_of_all"
    if not found["amount"]:
        return found.said(f"rows{of_all}", kind=kind, rest=rest)
    column = columns.measured(found["amount"], table)
    if column is not None and table.context.adds_up(column) is not False:
        return found.said(f"amount{of_all}", kind=kind, column=column, rest=rest)
    key = columns.named(found["amount"], table)
    rows = columns.is_row(found["amount"], table, table.words("one_row"))
    rows = rows or (key is not None and table.context.is_key(key))
    return found.said(f"rows{of_all}", kind=kind, rest=rest) if rows else None


def _shares(asked: str, kind: str, found: Found, table: Table, read: Read) -> Answered | Asked | None:
    """Return the figures of a question as parts of each group; None where a way to read it gives none."""
    profile, language = table.context.profile, table.vocabulary.language
    meant = settled(read(asked, profile, language), asked, profile, language)
    percent = found.meant("share") in ("", Term.PERCENTAGE)
    match meant:
        case Answered(winner):
            made = _shared(winner, kind, percent, table)
            return Answered(made) if made is not None else None
        case Asked(text, options):
            ways = tuple(way for option in options if (way := _shared(option, kind, percent, table)) is not None)
            return Asked(text, ways) if len(ways) == len(options) > 0 else None
        case _:
            return None


def _shared(reading: Reading, kind: str, percent: bool, table: Table) -> Reading | None:
    """Return the figures of kinds as parts of each group; None where each kind is in one group only."""
    plan, keys = reading.plan, _keys(reading.plan)
    groups = [name for name in keys if name != kind]
    others = [*groups, *(name for name in _conditions(plan))]
    known = [name for name in others if name in table.context.column_words and name not in table.context.dates]
    if kind not in keys or any(has_one_value(name, kind, table.context) for name in known):
        return None  # "share of shops in North" is one of shops
    try:
        made = shared(plan, percent, groups[0] if groups else None, rate=False, narrowed=False)
    except PlanError:
        return None
    notes = list(reading.assumptions)
    if groups:
        notes.append(f"Each `{groups[0]}` is a whole of its own.")
    if (lacking := table.context.column(kind).nulls) > 0:
        notes.append(f"`{kind}` is missing in {lacking:,} of {table.context.profile.rows:,} rows: they are no part.")
    return replace(reading, plan=made, label="", assumptions=tuple(dict.fromkeys(notes)))


def _ways(meant: Answered | Asked) -> tuple[Reading, ...]:
    return (meant.winner,) if isinstance(meant, Answered) else meant.options


def _keys(plan: Plan) -> tuple[str, ...]:
    """Return by what the only figures of a plan are grouped; nothing where it has other steps."""
    grouped = [step for step in plan.steps if isinstance(step, Aggregate)]
    adding_up = len(grouped) == 1 and all(one.function in _ADDING_UP for one in grouped[0].measures)
    plain = all(isinstance(step, Aggregate | Derive | Filter | Sort) or step.kind == "window" for step in plan.steps)
    return grouped[0].by.names if adding_up and plain else ()


def _conditions(plan: Plan) -> tuple[str, ...]:
    return tuple(name for step in plan.steps if isinstance(step, Filter) for name in names_in(step))
