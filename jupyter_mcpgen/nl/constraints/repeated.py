"""Conditions that may be of each row or of a thing that comes back in several rows."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.assembly.answers import Grouping, Listing
from jupyter_mcpgen.nl.assembly.derivation import Derivation
from jupyter_mcpgen.nl.assembly.lookups import finds_one
from jupyter_mcpgen.nl.constraints.verdict import Doubt, Refusal
from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.families.conditions import undone
from jupyter_mcpgen.nl.grammar.families.figures import ROWS
from jupyter_mcpgen.nl.grammar.meanings import Beside, Bound, Column, Figure, Holds, Is, Limit, Number, Ratio, Test
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.expressions import ArithmeticOp, CompareOp
from jupyter_mcpgen.plan.ops import AggregateFunction as F

_DENYING = frozenset({"conditions.denied", "conditions.without", "conditions.column_is_not"})
_EQUAL = frozenset({CompareOp.EQ, CompareOp.NE})


def limit_of_row_or_thing(found: Derivation, table: Table) -> Doubt | None:
    """Ask of "sellers with profit below 0" whether one row or the whole of a seller is meant."""
    if finds_one(found.query.tests, table):
        return None
    if found.answer.tests != found.query.tests and (rows := _of_single_rows(found, table)) is not None:
        return Doubt((rows,))
    name, counts = _things(found)
    if name is None or not _comes_back(name, table):
        return None
    tests: tuple[Test, ...] = found.answer.tests
    own = name in table.persons or name in table.repeated_things
    limits = {test: limit for test in tests if (limit := _of_thing(test, table, averaged=own)) is not None}
    if not limits:
        return None
    measures = tuple(dict.fromkeys(limit.measure for limit in limits.values()))
    rest = tuple(test for test in tests if test not in limits)
    then = F.COUNT if counts else None
    return Doubt((Grouping(rest, (Column(name),), measures, tuple(limits.values()), then=then),))


def _of_single_rows(found: Derivation, table: Table) -> Listing | None:
    """Return the things with a row that meets a limit which was taken for one of their totals, if any has."""
    match found.answer:
        case Grouping(keys=(Column(name),), limits=(_, *_) as limits, then=None) if not found.query.limits:
            if any(limit.bound.op not in (CompareOp.GT, CompareOp.GE) for limit in limits):
                return None  # who has a profit below zero has so in total
            rows = table.met.of_all(found.query.tests)
            return Listing(found.query.tests, (name,)) if rows else None
        case _:
            return None


def both_of_thing(found: Derivation, table: Table) -> Doubt | None:
    """Ask of "guides who worked in Leeds and York" whether each has rows of both, or rows of either."""
    answer = found.answer
    several = [one for one in getattr(answer, "tests", ()) if isinstance(one, Is) and one.apart and not one.negated]
    apart = replace(found, answer=replace(answer, keys=())) if isinstance(answer, Grouping) else found
    name, counts = next((one for one in map(_things, (found, apart)) if one[0] is not None), (None, False))
    if len(several) != 1 or several[0].against or name in (None, several[0].column) or not table.repeats(str(name)):
        return None
    column = several[0].column
    if isinstance(answer, Grouping) and answer.keys not in ((), (Column(column),), (Column(str(name)),)):
        return None
    kinds = Figure(F.COUNT_DISTINCT, Column(column))
    limit = Limit(kinds, Bound(CompareOp.GE, Number(len(several[0].values))))
    return Doubt((Grouping(answer.tests, (Column(str(name)),), (kinds,), (limit,), then=F.COUNT if counts else None),))


def amount_of_thing(found: Derivation, table: Table) -> Doubt | None:
    """Ask whether what belongs to a thing counts once for it or in each of its rows: the budget of a department."""
    answer = found.answer
    if not isinstance(answer, Grouping) or answer.then is not None or answer.window is not None or answer.limits:
        return None
    for measure in answer.measures:
        match measure:
            case Figure(F.SUM | F.MEAN | F.MEDIAN as function, Column(name), None):
                thing = _owner(name, answer, table)
                if thing is not None and len(answer.measures) == 1:
                    once = Figure(F.MAX, Column(name))
                    keys = (*answer.keys, Column(thing))
                    per = len(answer.keys)
                    return Doubt((Grouping(answer.tests, keys, (once,), per=per, then=function, chart=answer.chart),))
            case _:
                pass
    return None


def _owner(name: str, answer: Grouping, table: Table) -> str | None:
    """Return the thing that tells the values of a column, where several rows are about it and none is a group."""
    keys = {key.name for key in answer.keys if isinstance(key, Column)}
    for thing in table.schema.row.repeated:
        own = [column for column in (thing.identifier, thing.name) if column is not None]
        if keys & set(own):
            continue
        if any(table.schema.row.depends(name, column) for column in own):
            return own[0]
    if table.column(name).adds_up:
        return None
    persons = [person for person in table.persons if table.is_text(person) and person not in keys]
    return next((one for one in persons if table.schema.row.depends(name, one) and table.repeats(one)), None)


def above_average_of_things(found: Derivation, table: Table) -> Refusal | None:
    """Refuse "days on which revenue was above average" where rows are not those days."""
    answer = found.answer
    beside = any(isinstance(test, Beside) for test in getattr(answer, "tests", ()))
    shown = answer.columns if isinstance(answer, Listing) else filter(None, _things(found)[:1])
    again = next((name for name in shown if _comes_back(name, table)), None)
    periods = any(phrase.category is C.UNIT for phrase in found.phrases())
    if not beside or (again is None and not periods):
        return None
    reason = "I can compare single rows with the average, but not what several rows add up to."
    return Refusal(f"{reason} Ask for the totals first.", (again,) if again is not None else ())


def nothing_else(found: Derivation, table: Table) -> Refusal | None:
    """Refuse "members who only booked yoga": members with such a row are not those without any other."""
    name, _ = _things(found)
    if name is None or not _comes_back(name, table) or not found.answer.tests:
        return None
    tested = {phrase.last for phrase in found.cover.phrases if phrase.category is C.TEST}
    unread = zip(found.cover.unread, found.unread, strict=True)
    said = next(
        (one for at, one in unread if table.lists("alone", one) or (at in tested and table.lists("every", one))), None
    )
    if said is None:
        return None
    reason = f"“{said}” asks about all the rows that each has, and I cannot check those. Ask without the word."
    return Refusal(reason, (name,))


def never_or_once(found: Derivation, table: Table) -> Doubt | None:
    """Ask of "members without a fine" whether they have a row without one, or no row with one."""
    name, counts = _things(found)
    tests: tuple[Test, ...] = found.answer.tests
    if name is None or not _comes_back(name, table):
        return None
    denied = {one.meaning for one in found.phrases() if one.rule in _DENYING}
    for test in tests:
        own = isinstance(test, Is) and test.column == name  # "harbours except Leeds" are no harbours of Leeds
        opposite = undone(test, table) if test in denied and not own else None
        if opposite is not None:
            rest = tuple(one for one in tests if one != test)
            then = F.COUNT if counts else None
            return Doubt((Grouping(rest, (Column(name),), (ROWS,), lacks=opposite, then=then),))
    return None


def spelled_short(found: Derivation, table: Table) -> Doubt | None:
    """Ask whether "female" is meant as well where it is written "F" in other rows."""
    tests: tuple[Test, ...] = getattr(found.answer, "tests", ())
    for test in tests:
        if not isinstance(test, Is) or not table.is_text(test.column):
            continue
        said = {str(one).casefold() for one in test.values}
        others = {str(one): str(one).casefold() for one in table.column(test.column).known.values}
        alike = [
            text
            for text, one in others.items()
            if one not in said
            and any(_is_initial(one, it) and table.lexicon.knows(max(one, it, key=len)) for it in said)
        ]
        if alike:
            both = replace(test, values=(*test.values, *alike))
            return Doubt((replace(found.answer, tests=tuple(both if one == test else one for one in tests)),))
    return None


def _is_initial(one: str, other: str) -> bool:
    """Tell whether one of two texts is the first letter of the other."""
    short, long = sorted((one, other), key=len)
    return len(short) == 1 < len(long) and long.startswith(short) and long.isalpha()


def limit_of_rows_or_groups(found: Derivation, table: Table) -> Doubt | None:
    """Ask of "average score above 60 by course" whether courses are left out, or rows before they are averaged."""
    answer = found.answer
    rules = {phrase.rule for phrase in found.phrases()}
    limited = "groups.figure_limited" in rules and "groups.with_limit" not in rules
    if not limited or not isinstance(answer, Grouping) or len(answer.limits) != 1 or answer.then is not None:
        return None
    measure, bound = answer.limits[0].measure, answer.limits[0].bound
    match measure:
        case Figure(F.MEAN | F.MEDIAN, Column() as term, None) if answer.measures == (measure,) and bound.upper is None:
            rows = Holds(term, bound.op, bound.value)
            return Doubt((replace(answer, tests=(*answer.tests, rows), limits=()),))
        case _:
            return None


def _things(found: Derivation) -> tuple[str | None, bool]:
    """Return the column of the things that are listed or counted, and whether they are counted."""
    match found.answer:
        case Listing(columns=(name,), first=None, nth=None):
            return name, False
        case Grouping(keys=(Column(name), *_), measures=(Figure(F.COUNT, None, None),), limits=(), ordered=False):
            return (name if not found.query.keys else None), False
        case Grouping(keys=(), measures=(Figure(F.COUNT_DISTINCT, Column(name)),), limits=()):
            return name, True
        case _:
            return None, False


def _comes_back(name: str, table: Table) -> bool:
    column = table.column(name)
    named = table.is_text(name) or column.is_label or table.is_date(name)
    return named and table.repeats(name)


def _of_thing(test: Test, table: Table, *, averaged: bool) -> Limit | None:
    """Return a limit of the numbers of a row as one of the total of a thing's rows."""
    match test:
        case Holds(Column(name), op, Number() as number) if op not in _EQUAL and table.column(name).adds_up:
            return Limit(Figure(F.SUM, Column(name)), Bound(op, number))
        case Holds(Column(name), op, Number() as number) if (
            op not in _EQUAL and table.column(name).is_level and averaged
        ):
            return Limit(Figure(F.MEAN, Column(name)), Bound(op, number))
        case Holds(Column(left), op, Column(right)) if op not in _EQUAL:
            if table.column(left).adds_up and table.column(right).adds_up:
                both = Ratio(Figure(F.SUM, Column(left)), Figure(F.SUM, Column(right)), ArithmeticOp.SUBTRACT)
                return Limit(both, Bound(op, Number(0)))
            return None
        case _:
            return None
