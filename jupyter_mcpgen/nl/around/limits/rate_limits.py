"""Groups of which more or less than so many percent are something: "carriers with a delay rate above 20%"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.parts.percent_limits import holds_parts
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.reading import Answered, Read, Reading, Understanding
from jupyter_mcpgen.nl.tables.flags import flags_of
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Col, Compare, CompareOp, Lit
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Derive,
    Filter,
    Measure,
    Select,
    Sort,
    Step,
    Window,
    WindowFunction,
)
from jupyter_mcpgen.plan.schema import ColumnType

WHOLE = 100
"""A figure in percent of all."""
PERCENT = "%"
FEW_CLASSES = 12
"""So many numbers may be classes that rows are grouped by."""
_WAYS = ("rate", "of_those", "doing", "named", "of_all")
_OPERATORS = {"=": CompareOp.EQ} | {str(op): op for op in CompareOp}


def read_rate_limits(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with only the groups whose share lies beyond a limit where it asks so."""
    table = table_of(profile, language)
    for found in Speech(question).find_each(table.wording("rate_limit")):
        made = _limited(found, table, read)
        if made is not None:
            return Answered(made)
    return read(question, profile, language)


def _limited(found: Found, table: Table, read: Read) -> Reading | None:
    """Return the shares of all groups, cut at the limit; None where no figure of the words is a share of one group."""
    group = _group(found["group"], table)
    least = _share(found)
    if group is None or least is None or _is_no_share(found, table):
        return None
    for asked in _asked(found, group):
        meant = read(asked, table.context.profile, table.vocabulary.language)
        if isinstance(meant, Answered) and (made := _cut(meant.winner, group, found, least, table)) is not None:
            return made
    return None


def _is_no_share(found: Found, table: Table) -> bool:
    """Tell whether "more than 20% discount" is said, of which each row has its own, and not "20% of the discounts"."""
    what = found["what"]
    if not what or found["part"]:
        return False
    return holds_parts(what, table) or (not found["part_of"] and columns.figure(what, table) is not None)


def _group(text: str, table: Table) -> str | None:
    """Return the column of groups that words name: of labels, or of the few numbers of classes."""
    group = columns.label(text, table) or columns.entity(text, table)
    if group is not None:
        return group
    numbered = columns.named(text, table, SHORTENED)
    context = table.context
    if numbered is None or not context.is_number(numbered) or context.column(numbered).distinct > FEW_CLASSES:
        return None
    return numbered


def _asked(found: Found, group: str) -> Iterator[str]:
    """Yield the ways to ask for the share of every group, the surest first."""
    given = set(found.phrase.meanings) | {"group", "rest"}
    for way in _WAYS:
        template = found.wording.becomes.get(way, "")
        if template and all(name in given for name in _names(template)):
            yield found.said(way, group=group)


def _names(template: str) -> list[str]:
    return [part.split("}")[0] for part in template.split("{")[1:]]


def _share(found: Found) -> float | None:
    """Return the limit as a share of one; a number above one without a sign of percent is none."""
    if found["part"]:
        return float(found.meant("part")) / WHOLE
    number = float(found["n"])
    if found["percent"] or PERCENT in found.text:
        return number / WHOLE if number <= WHOLE else None
    return number if number < 1 else None


def _cut(reading: Reading, group: str, found: Found, least: float, table: Table) -> Reading | None:
    """Return a plan with the groups beyond a limit only; None where it does not end in one share of each group."""
    steps = reading.plan.steps
    place = next((place for place in reversed(range(len(steps))) if not isinstance(steps[place], Sort | Select)), None)
    name, whole = _figure(steps[: place + 1], group, table) if place is not None else (None, 0)
    if place is None or name is None or not whole:
        return None
    limit = Compare(op=_OPERATORS[found.meant("side")], left=Col(name=name), right=_literal(least * whole))
    counted = (Aggregate(measures=(Measure(function=AggregateFunction.COUNT),)),)
    shown = steps[place + 1 :] if not found["how"] else counted
    plan = reading.plan.tried((*steps[: place + 1], Filter(predicate=limit), *shown))
    if plan is None:
        return None  # a step in between needs all of the groups
    chart = reading.plan.chart if not found["how"] else None
    note = f"The limit is one of the share of each `{group}`."
    assumptions = (*reading.assumptions, note)
    return replace(reading, plan=plan.model_copy(update={"chart": chart}), assumptions=assumptions)


def _literal(number: float) -> Lit:
    """Return a limit without the last digits that a multiplication leaves behind."""
    exact = round(number, 10)
    if exact.is_integer():
        return Lit(value=int(exact), type=ColumnType.INTEGER)
    return Lit(value=exact, type=ColumnType.REAL)


def _figure(steps: tuple[Step, ...], group: str, table: Table) -> tuple[str | None, int]:
    """Return the one share that a plan has of each group, and what all of them would be: 1, or 100."""
    match steps:
        case (*_, Aggregate(measures=(measure,)) as grouped) if grouped.by.names == (group,):
            return measure.name, _whole_of(measure, table)
        case (*_, Aggregate() as grouped, Window(function=WindowFunction.PERCENT, name=name)) if _is_of(grouped, group):
            return name, WHOLE
        case (*_, Aggregate() as grouped, Window(function=WindowFunction.SHARE, name=name)) if _is_of(grouped, group):
            return name, 1
        case (
            *_,
            Aggregate() as grouped,
            Derive(name=name, expression=Arithmetic(op=ArithmeticOp.DIVIDE, left=Col(), right=Col())),
        ) if _is_of(grouped, group):
            return name, 1
        case _:
            return None, 0


def _is_of(grouped: Aggregate, group: str) -> bool:
    return grouped.by.names == (group,)


def _whole_of(measure: Measure, table: Table) -> int:
    """Return what a share is measured in; 0 where a figure is none."""
    match measure.function:
        case AggregateFunction.RATE:
            return 1
        case AggregateFunction.PERCENT:
            return WHOLE
        case AggregateFunction.MEAN if measure.column is not None:
            return 1 if _says_yes(measure.column.name, table) else 0
        case _:
            return 0


def _says_yes(name: str, table: Table) -> bool:
    """Tell whether the mean of a column is a share: it says yes or no."""
    return name in flags_of(table.context.profile, table.vocabulary.language) or name in set(columns.flags(table))
