"""Two kinds of rows set side by side: "before and after 1 July", "with guests vs without", "discounted vs full price".

The condition of the one kind is read by itself. The kinds become a column, and the rest is read as if the table had it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.computed.column import Computed, free_name
from jupyter_mcpgen.nl.computed.reader import over_computed
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.rivals import values_called
from jupyter_mcpgen.nl.everyday.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.everyday.wording import Found
from jupyter_mcpgen.nl.predicates import number
from jupyter_mcpgen.nl.reading import Answered, Asked, Understanding
from jupyter_mcpgen.plan.expressions import AnyOf, Case, Col, Compare, CompareOp, IsMissing, Lit, Predicate, When
from jupyter_mcpgen.plan.ops import Derive, Filter, Select
from jupyter_mcpgen.plan.schema import ColumnType

Read = Callable[[str, Profile, str], Understanding]
MOST_COLUMNS = 1


@dataclass(frozen=True)
class _Sides:
    """The kinds of rows by their names, in their order, and what was assumed of them."""

    kinds: tuple[tuple[str, Predicate], ...]
    notes: tuple[str, ...]


def read_two_sides(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with the two kinds of rows that it sets side by side as groups."""
    vocabulary = load_vocabulary(language)
    if vocabulary is None:
        return read(question, profile, language)
    table = Table(context_of(profile, language), vocabulary)
    said = Speech(question)
    for find in (_before_and_after, _with_and_without_figure, _full_and_reduced, _value_and_rest):
        for found in said.find_each(table.wording(find.__name__.strip("_"))):
            sides = find(found, table, read) if _is_said_of_rows(said, found, table) else None
            asked = _asked(said, found, table) if sides is not None else None
            if sides is None or asked is None:
                continue
            meant = over_computed(_column(sides, asked, profile, table), profile, language, read, MOST_COLUMNS)
            if isinstance(meant, Answered | Asked):
                return meant
    return read(question, profile, language)


def _is_said_of_rows(said: Speech, found: Found, table: Table) -> bool:
    """Tell whether every word of a phrase is accounted for: its nouns are rows, and what is repeated is the same."""
    nouns = [found[name] for name in ("noun", "noun_again") if found[name]]
    following = said.behind(found).partition(" ")[0].strip(" ,:?.")
    if found["reduced"] and following and columns.is_of_the_data(following, table):
        return False  # "full price vs discounted price" are two columns
    same = found.folded("again") in ("", found.folded("what")) or found.folded("again") in table.words("it_again")
    return same and all(columns.is_row(noun, table, table.words("one_row")) for noun in nouns)


def _asked(said: Speech, found: Found, table: Table) -> str | None:
    """Return the question with a slot for the groups in the place of the two kinds; None where no figure is asked."""
    before, behind = said.before(found).strip(" ,:"), said.behind(found).strip(" ,:?.")
    if not before and not behind and (found["noun"] or found["noun_again"]):
        before = table.say("number_of_rows")
    opening, _, rest = before.partition(" ")
    before = rest if opening.casefold() in table.words("comparing_words") else before
    if not before and not behind:
        return None
    clauses = Speech(behind).find(table.wording("begins_with_a_clause")) is not None
    return f"{before} {_SLOT} {behind}" if clauses else f"{before} {behind} {_SLOT}"


_SLOT = "{sides}"
"""Where the groups are named."""


def _column(sides: _Sides, asked: str, profile: Profile, table: Table) -> Computed:
    """Return the column of the kinds of rows."""
    name = free_name(table.wording("two_sides").say("name", {}), profile)
    names = tuple(said for said, _ in sides.kinds)
    branches = tuple(When(condition=met, value=Lit(value=said, type=ColumnType.TEXT)) for said, met in sides.kinds)
    return Computed(
        name=name,
        type=ColumnType.TEXT,
        step=Derive(name=name, expression=Case(branches=branches)),
        question=asked.replace(_SLOT, table.say("by_column", column=name)),
        notes=sides.notes,
        labels=len(names),
        order=names,
        is_new=True,
        required=True,
    )


def _before_and_after(found: Found, table: Table, read: Read) -> _Sides | None:
    """Return the rows before a day and those from it on; those within a month or a year that is named, apart."""
    when = found["when"].strip(" ,")
    one, other = (_limit(found.said(side, when=when), table, read) for side in ("before", "after"))
    if one is None or other is None or not isinstance(one.left, Col) or one.left != other.left:
        return None
    if one.op is not CompareOp.LT or other.op is not CompareOp.GE:
        return None
    first, end = _day(one), _day(other)
    if first is None or end is None or first >= end:
        return None
    named = [found.said(f"name_{side}", when=when) for side in ("before", "during", "after")]
    if end - first == dt.timedelta(days=1):  # the day itself is the first one of what came after
        since = one.model_copy(update={"op": CompareOp.GE})
        note = found.said("note", column=one.left.name, when=when)
        return _Sides(((named[0], one), (found.said("name_since", when=when), since)), (note,))
    return _Sides(((named[0], one), (named[2], other), (named[1], _within(one, other))), ())


def _within(one: Compare, other: Compare) -> Predicate:
    return IsMissing(operand=one.left, negated=True) if isinstance(one.left, Col) else other


def _limit(question: str, table: Table, read: Read) -> Compare | None:
    """Return the one condition of the rows that a question asks for; None where it has none, or others."""
    meant = read(question, table.context.profile, table.vocabulary.language)
    steps = meant.winner.plan.steps if isinstance(meant, Answered) else ()
    kept = [step.predicate for step in steps if isinstance(step, Filter)]
    alone = len(kept) == 1 and all(isinstance(step, Filter | Select) for step in steps)
    return kept[0] if alone and isinstance(kept[0], Compare) else None


def _day(limit: Compare) -> dt.date | None:
    value = str(limit.right.value) if isinstance(limit.right, Lit) else ""
    try:
        return dt.date.fromisoformat(value[:10]) if len(value) <= len("2024-07-01") else None
    except ValueError:
        return None


def _with_and_without_figure(found: Found, table: Table, read: Read) -> _Sides | None:
    """Return the rows that have some of a figure, or any value, and those that have none."""
    what = found["what"]
    names = (found.said("with", what=what), found.said("without", what=what))
    column = columns.measured(what, table) or columns.named(what, table)
    if column is None or column in set(columns.flags(table)):
        return None  # yes and no are groups already
    known = table.context.column(column)
    if known.minimum == 0 and table.context.is_measure(column):
        return _of_zero(column, names, table)
    if not known.nulls or not columns.may_be_lacking(column, table):
        return None
    missing = IsMissing(operand=Col(name=column))
    kinds = ((names[0], missing.model_copy(update={"negated": True})), (names[1], missing))
    return _Sides(kinds, (found.said("note_missing", column=column),))


def _full_and_reduced(found: Found, table: Table, read: Read) -> _Sides | None:
    """Return the rows with a discount, and those at the full price."""
    some = _limit(found.said("reduced", said=found["reduced"]), table, read)
    if some is None or some.op is not CompareOp.GT or not isinstance(some.left, Col) or some.right != number(0):
        return None
    names = (found["reduced"].casefold(), found["full"].casefold())
    return _of_zero(some.left.name, names, table)


def _value_and_rest(found: Found, table: Table, read: Read) -> _Sides | None:
    """Return the rows with a value, and those with any other one."""
    known = values_called(found["one"], table)
    if len(known) != 1 or not known[0][1].startswith('"'):
        return None
    column, value = known[0][0], known[0][1].strip('"')
    is_value = Compare(op=CompareOp.EQ, left=Col(name=column), right=Lit(value=value, type=ColumnType.TEXT))
    rest = is_value.model_copy(update={"op": CompareOp.NE})
    names = (value, found.said("rest"))
    if table.context.column(column).nulls:
        return _Sides(((names[0], is_value), (names[1], rest)), (found.said("lacking", column=column),))
    return _Sides(((names[0], is_value), (names[1], rest)), ())


def _of_zero(column: str, names: tuple[str, str], table: Table) -> _Sides:
    """Return the rows with some of a figure and those with none of it: 0, or missing where rows lack it."""
    some = Compare(op=CompareOp.GT, left=Col(name=column), right=number(0))
    none: Predicate = Compare(op=CompareOp.EQ, left=Col(name=column), right=number(0))
    lacking = table.context.column(column).nulls > 0
    if lacking:
        none = AnyOf(terms=(none, IsMissing(operand=Col(name=column))))
    way = "note_lacking" if lacking else "note_zero"
    note = table.wording("two_sides").say(way, {"some": names[0], "none": names[1], "column": column})
    return _Sides(((names[0], some), (names[1], none)), (note,))
