"""Two kinds of rows set side by side: "before and after 1 July", "with guests vs without", "discounted vs full price".

The condition of the one kind is read by itself. The kinds become a column, and the rest is read as if the table had it.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.computed.column import Computed, free_name
from jupyter_mcpgen.nl.computed.reader import over_computed
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.everyday.times.course_of_rows import date_called
from jupyter_mcpgen.nl.everyday.times.late import due_and_done
from jupyter_mcpgen.nl.everyday.times.open_rows import state_told
from jupyter_mcpgen.nl.predicates import number
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Refused, Understanding, asking_which
from jupyter_mcpgen.plan.expressions import AnyOf, Case, Col, Compare, CompareOp, IsMissing, Lit, Parse, Predicate, When
from jupyter_mcpgen.plan.ops import Derive, Filter, Select, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

MOST_COLUMNS = 1


@dataclass(frozen=True)
class _Sides:
    """The kinds of rows by their names, in their order, and what was assumed of them."""

    kinds: tuple[tuple[str, Predicate], ...]
    notes: tuple[str, ...]
    before: tuple[Step, ...] = ()
    """Steps that the conditions need, such as one that reads texts as dates."""


@dataclass(frozen=True)
class _Limit:
    """The one condition of some rows, and the steps that it needs."""

    condition: Compare
    before: tuple[Step, ...]


def read_two_sides(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with the two kinds of rows that it sets side by side as groups."""
    table = table_of(profile, language)
    said = _late_compared(Speech(question), table)
    for find in (
        _before_and_after,
        _with_and_without_figure,
        _full_and_reduced,
        _value_and_rest,
        _done_and_not,
        _late_and_not,
    ):
        for found in said.find_each(table.wording(find.__name__.strip("_"))):
            asked = _asked(said, found, table) if _is_said_of_rows(said, found, table) else None
            ways = find(found, table, read) if asked is not None else ()
            made = [_over(sides, asked, table, read) for sides in ways] if asked is not None else []
            known = tuple(meant for meant in made if meant is not None)
            if len(known) == 1 == len(made):
                return known[0]
            if len(known) == len(made) > 1 and (several := _asked_back(known)) is not None:
                return several
    return read(question, profile, language)


def _over(sides: _Sides, asked: str, table: Table, read: Read) -> Answered | Asked | None:
    """Return what is asked over a table that has the kinds of rows as a column; None where that cannot be read."""
    profile, language = table.context.profile, table.vocabulary.language
    meant = over_computed(_column(sides, asked, profile, table), profile, language, read, MOST_COLUMNS)
    return meant if isinstance(meant, Answered | Asked) else None


def _asked_back(known: tuple[Answered | Asked, ...]) -> Asked | None:
    """Ask which of several dates tells what came before; None where one of them can be read in several ways itself."""
    ways = tuple(meant.winner for meant in known if isinstance(meant, Answered))
    if len(ways) < len(known):
        return None
    return asking_which(ways)


def _is_said_of_rows(said: Speech, found: Found, table: Table) -> bool:
    """Tell whether every word of a phrase is accounted for: its nouns are rows, and what is repeated is the same."""
    nouns = [found[name] for name in ("noun", "noun_again") if found[name]]
    following = said.behind(found).partition(" ")[0].strip(" ,:?.")
    if found["reduced"] and following and columns.is_of_the_data(following, table):
        return False  # "full price vs discounted price" are two columns
    same = found.folded("again") in ("", found.folded("what")) or found.folded("again") in table.words("it_again")
    kind = {column for column, _ in values_called(found["one"], table)} if found["one"] else set()
    of_rows = (columns.is_row(noun, table, table.words("one_row")) for noun in nouns)
    return same and (all(of_rows) or any(columns.entity(noun, table) in kind for noun in nouns))


def _asked(said: Speech, found: Found, table: Table) -> str | None:
    """Return the question with a slot for the groups in the place of the two kinds; None where no figure is asked."""
    before, behind = said.before(found).strip(" ,:"), said.behind(found).strip(" ,:?.")
    if not before and not behind and (found["noun"] or found["noun_again"] or found["state"]):
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
        before=sides.before,
        is_new=True,
        required=True,
    )


def _before_and_after(found: Found, table: Table, read: Read) -> tuple[_Sides, ...]:
    """Return the rows before a day and those from it on, by each date that may be meant."""
    when = found["when"].strip(" ,")
    before, after = (_limits(found.said(side, when=when), table, read) for side in ("before", "after"))
    if not before or len(before) != len(after):
        return ()
    made = [_around(one, other, found, when) for one, other in zip(before, after, strict=True)]
    return tuple(sides for sides in made if sides is not None) if all(made) else ()


def _around(one: _Limit, other: _Limit, found: Found, when: str) -> _Sides | None:
    """Return the rows before a day and those from it on; those within a month or a year that is named, apart."""
    low, high = one.condition, other.condition
    if not isinstance(low.left, Col) or low.left != high.left:
        return None
    if low.op is not CompareOp.LT or high.op is not CompareOp.GE:
        return None
    first, end = _day(low), _day(high)
    if first is None or end is None or first >= end:
        return None
    named = [found.said(f"name_{side}", when=when) for side in ("before", "during", "after")]
    if end - first == dt.timedelta(days=1):  # the day itself is the first one of what came after
        since = low.model_copy(update={"op": CompareOp.GE})
        note = found.said("note", column=low.left.name, when=when)
        return _Sides(((named[0], low), (found.said("name_since", when=when), since)), (note,), one.before)
    return _Sides(((named[0], low), (named[2], high), (named[1], _within(low, high))), (), one.before)


def _within(one: Compare, other: Compare) -> Predicate:
    return IsMissing(operand=one.left, negated=True) if isinstance(one.left, Col) else other


def _limits(question: str, table: Table, read: Read) -> tuple[_Limit, ...]:
    """Return the one condition of the rows that a question asks for, of each of its readings; nothing for any other."""
    match read(question, table.context.profile, table.vocabulary.language):
        case Answered(winner):
            plans = [winner.plan]
        case Asked(options=options):
            plans = [option.plan for option in options]
        case Refused():
            return ()
    known = [_limit_of(plan) for plan in plans]
    return tuple(limit for limit in known if limit is not None) if all(known) else ()


def _limit_of(plan: Plan) -> _Limit | None:
    kept = [step.predicate for step in plan.steps if isinstance(step, Filter)]
    before = tuple(step for step in plan.steps if isinstance(step, Derive) and isinstance(step.expression, Parse))
    alone = len(kept) == 1 and all(isinstance(step, Filter | Select) or step in before for step in plan.steps)
    return _Limit(kept[0], before) if alone and isinstance(kept[0], Compare) else None


def _day(limit: Compare) -> dt.date | None:
    value = str(limit.right.value) if isinstance(limit.right, Lit) else ""
    try:
        return dt.date.fromisoformat(value[:10]) if len(value) <= len("2024-07-01") else None
    except ValueError:
        return None


def _with_and_without_figure(found: Found, table: Table, read: Read) -> tuple[_Sides, ...]:
    """Return the rows that have some of a figure, or any value, and those that have none."""
    what = found["what"]
    names = (found.said("with", what=what), found.said("without", what=what))
    column = columns.measured(what, table) or columns.named(what, table)
    if column is None or column in set(columns.flags(table)):
        return ()  # yes and no are groups already
    if set(table.context.column_words[column]) & table.words("charged_on_top"):
        return ()  # a price "with tax" is another one, not that of rows with a tax
    known = table.context.column(column)
    if known.minimum == 0 and table.context.is_measure(column):
        return (_of_zero(column, names, table),)
    if not known.nulls or not columns.may_be_lacking(column, table):
        return ()
    missing = IsMissing(operand=Col(name=column))
    kinds = ((names[0], missing.model_copy(update={"negated": True})), (names[1], missing))
    return (_Sides(kinds, (found.said("note_missing", column=column),)),)


def _full_and_reduced(found: Found, table: Table, read: Read) -> tuple[_Sides, ...]:
    """Return the rows with a discount, and those at the full price."""
    limits = _limits(found.said("reduced", said=found["reduced"]), table, read)
    some = limits[0].condition if len(limits) == 1 and not limits[0].before else None
    if some is None or some.op is not CompareOp.GT or not isinstance(some.left, Col) or some.right != number(0):
        return ()
    names = (found["reduced"].casefold(), found["full"].casefold())
    return (_of_zero(some.left.name, names, table),)


def _value_and_rest(found: Found, table: Table, read: Read) -> tuple[_Sides, ...]:
    """Return the rows with a value, and those with any other one."""
    known = values_called(found["one"], table)
    if len(known) != 1 or not known[0][1].startswith('"'):
        return ()
    column, value = known[0][0], known[0][1].strip('"')
    if any(called == column for called, _ in values_called(found["rest"], table)):
        return ()  # "other" is a kind of its own
    is_value = Compare(op=CompareOp.EQ, left=Col(name=column), right=Lit(value=value, type=ColumnType.TEXT))
    kinds = ((value, is_value), (found.said("rest"), is_value.model_copy(update={"op": CompareOp.NE})))
    lacking = table.context.column(column).nulls > 0
    return (_Sides(kinds, (found.said("lacking", column=column),) if lacking else ()),)


def _done_and_not(found: Found, table: Table, read: Read) -> tuple[_Sides, ...]:
    """Return the rows that have the date of what was done, and those that lack it: paid and unpaid."""
    state = state_told(found, table)
    if state is None or state.way != "missing" or date_called(found.folded("done"), table) != state.column:
        return ()
    missing = IsMissing(operand=Col(name=state.column))
    there = missing.model_copy(update={"negated": True})
    kinds = ((found.folded("done"), there), (found.folded("state"), missing))
    return (_Sides(kinds, (table.say("taken_to_be_missing", said=found["state"], column=state.column),)),)


def _late_and_not(found: Found, table: Table, read: Read) -> tuple[_Sides, ...]:
    """Return the rows that were done after their due date, and those that were done by it."""
    ends = due_and_done(found, table)
    if ends is None:
        return ()
    due, done = (Col(name=name) for name in ends)
    late = Compare(op=CompareOp.GT, left=done, right=due)
    names = (found.said("late"), found.said("on_time"))
    kinds = ((names[0], late), (names[1], late.model_copy(update={"op": CompareOp.LE})))
    lacking = table.context.column(ends[1]).nulls > 0
    return (_Sides(kinds, (found.said("lacking", column=ends[1]),) if lacking else ()),)


def _late_compared(said: Speech, table: Table) -> Speech:
    """Say "do late orders get worse reviews" as the average of both: those that were late, and those on time."""
    found = said.find(table.wording("late_compared"))
    column = columns.figure(found["what"], table) if found is not None else None
    if found is None or column is None or not columns.is_row(found["noun"], table, table.words("one_row")):
        return said
    return said.put(found, found.said(column=column))


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
