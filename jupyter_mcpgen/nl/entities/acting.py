"""Questions with the verb of a column of times: "when did Ida Crane take office", "who left office before 1900"."""

from __future__ import annotations

from jupyter_mcpgen.nl.entities import plans
from jupyter_mcpgen.nl.entities.meant import Meant
from jupyter_mcpgen.nl.entities.naming import entity
from jupyter_mcpgen.nl.entities.serving import asked_for
from jupyter_mcpgen.nl.entities.terms import is_moment
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.expressions import All, Col, Compare, CompareOp, Lit, Predicate
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure
from jupyter_mcpgen.plan.schema import ColumnType


def did_when(found: Found, table: Table) -> Meant | None:
    """Read "when did Ida Crane take office" by `Took office`."""
    one, column = entity(found["a"], table), _moment_of(found, table)
    if one is None or column is None:
        return None
    rows, shown = Filter(predicate=one.is_it), plans.showing(one.column, column)
    return Meant(plans.over(table.context.profile, rows, shown))


def did_then(found: Found, table: Table) -> Meant | None:
    """Read "who left office before 1900" by `Left office`, and how many did."""
    asked, column = asked_for(found, table), _moment_of(found, table)
    if asked is None or column is None:
        return None
    rows = Filter(predicate=_at(column, found.meant("side"), int(found["year"]), table))
    if found["how"]:
        counted = Aggregate(measures=(Measure(function=AggregateFunction.COUNT),))
        return Meant(plans.over(table.context.profile, rows, counted))
    return Meant(plans.over(table.context.profile, rows, plans.showing(*asked, column)))


def _moment_of(found: Found, table: Table) -> str | None:
    """Return the one column of times that is called after a verb and its object, if any, in any form of the verb."""
    said = [word.casefold() for word in split_name(found["object"])]
    fitting = []
    for name in table.context.profile.schema_.names:
        own = [word.casefold() for word in split_name(name)]
        if own and own[1:] == said and _is_form_of(found.folded("verb"), own[0], table):
            fitting.append(name)
    moments = [name for name in fitting if is_moment(name, table, dated=False) or is_moment(name, table, dated=True)]
    return moments[0] if len(fitting) == len(moments) == 1 else None


def _is_form_of(verb: str, own: str, table: Table) -> bool:
    said, known = (table.meaning("past_of_verbs", word) for word in (verb, own))
    return said == known or table.akin(said, known)


def _at(column: str, side: str, year: int, table: Table) -> Predicate:
    """Return the condition that a year or a date lies in a year, or on a side of it."""
    op, left = CompareOp(side), Col(name=column)
    if table.context.type_of(column) is not ColumnType.DATE:
        return Compare(op=op, left=left, right=Lit(value=year, type=ColumnType.INTEGER))
    first, last = (Lit(value=f"{year}-{day}", type=ColumnType.DATE) for day in ("01-01", "12-31"))
    if op is CompareOp.EQ:
        inside = ((CompareOp.GE, first), (CompareOp.LE, last))
        return All(terms=tuple(Compare(op=one, left=left, right=day) for one, day in inside))
    return Compare(op=op, left=left, right=first if op in (CompareOp.LT, CompareOp.GE) else last)
