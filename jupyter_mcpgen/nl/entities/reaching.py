"""Questions about what one side came to: "how many times did the team reach the final", "a record of 1-1"."""

from __future__ import annotations

import re

from jupyter_mcpgen.nl.entities import plans
from jupyter_mcpgen.nl.entities.meant import Meant
from jupyter_mcpgen.nl.entities.order import order_of_rows
from jupyter_mcpgen.nl.entities.sides import cell, is_other_side, is_own_side
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Asked, Reading, Refused, asking_which
from jupyter_mcpgen.nl.text.tokens import TokenKind, tokenize
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, IsIn, Lit, Predicate
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

_OF_THE_OTHER_SIDE = (
    "“{0}” is in `{1}`, and `{2}` can be that of the other side. Ask for the rows where `{1}` is that name."
)


def times_reached(found: Found, table: Table) -> Meant | Asked | Refused | None:
    """Read "how many times did the team reach the final": the rows of that stage, and maybe of any beyond it."""
    stage = cell(found["what"], table)
    whose = _whose(found["a"], table)
    if stage is None or whose is None or not isinstance(stage.left, Col) or not isinstance(stage.right, Lit):
        return None
    if (met := _other_side(found["a"], table)) is not None:
        return Refused(_OF_THE_OTHER_SIDE.format(found["a"], met, stage.left.name))
    there = _counted((*whose, Filter(predicate=stage)), table)
    farther = _beyond(stage.left.name, str(stage.right.value), table) if found["reached"] else ()
    note = f"Each row is taken to be one time, by its `{stage.left.name}`."
    if not farther:
        return Meant(there, (note,))
    any_of = tuple(Lit(value=value, type=ColumnType.TEXT) for value in (stage.right.value, *farther))
    or_more = _counted((*whose, Filter(predicate=IsIn(operand=stage.left, values=any_of))), table)
    return _which(stage.left.name, there, or_more)


def last_time_in(found: Found, table: Table) -> Meant | Refused | None:
    """Read "when did they last play in the Third division": the last row of it, by the column that orders the rows."""
    stage, whose, order = cell(found["what"], table), _whose(found["a"], table), order_of_rows(table)
    if stage is None or whose is None or order is None or not isinstance(stage.left, Col):
        return None
    if found["kind"] and columns.named(found["kind"], table) != order:
        return None
    if (met := _other_side(found["a"], table)) is not None:
        return Refused(_OF_THE_OTHER_SIDE.format(found["a"], met, stage.left.name))
    last = found.meant("end") == "last"
    end = plans.end_of((order, stage.left.name), order, table.context.profile, last=last)
    plan = end.with_steps((*whose, Filter(predicate=stage), *end.steps))
    return Meant(plan, (f"The rows are taken in the order of `{order}`.",))


def has_a_value(found: Found, table: Table) -> Meant | Refused | None:
    """Read "did the Otters have a record of 1-1": the rows with that value of the column that is named, if any."""
    column, whose = columns.named(found["what"], table), _whose(found["a"], table)
    if column is None or whose is None:
        return None
    if (met := _other_side(found["a"], table)) is not None:
        return Refused(_OF_THE_OTHER_SIDE.format(found["a"], met, column))
    condition = _is(column, found["value"], table)
    if condition is None:
        return None
    note = f"“Yes” where a row has it: those with this `{column}` are shown."
    return Meant(plans.over(table.context.profile, *whose, Filter(predicate=condition)), (note,))


def _whose(text: str, table: Table) -> tuple[Filter, ...] | None:
    """Return the step that keeps the rows of whom a question is about: none for one side's own; None where unknown."""
    if is_own_side(text, table):
        return ()
    one = cell(text, table)
    return (Filter(predicate=one),) if one is not None else None


def _other_side(text: str, table: Table) -> str | None:
    """Return the column of the other side of each row where words are a name in it, or None."""
    other = cell(text, table)
    name = other.left.name if other is not None and isinstance(other.left, Col) else None
    return name if name is not None and is_other_side(name, table) else None


def _is(column: str, text: str, table: Table) -> Predicate | None:
    """Return the condition that a column has what is written; None where that can be no cell of it."""
    kind = table.context.type_of(column)
    if kind is ColumnType.TEXT and any(letter.isdigit() for letter in text):
        if not any(_shape(str(value)) == _shape(text) for value in _values(column, table)):
            return None  # "5-2" is none of W, L and D
        return Compare(op=CompareOp.EQ, left=Col(name=column), right=Lit(value=text, type=kind))
    if not table.context.is_number(column):
        return None
    tokens = tokenize(text)
    if len(tokens) != 1 or tokens[0].kind is not TokenKind.NUMBER or tokens[0].number is None:
        return None
    number = Lit(value=tokens[0].number, type=kind if kind is ColumnType.REAL else ColumnType.INTEGER)
    return Compare(op=CompareOp.EQ, left=Col(name=column), right=number)


def _beyond(column: str, value: str, table: Table) -> tuple[str, ...]:
    """Return the values of a column that name a later stage of a contest than one of them does."""
    stages = table.choices("stages_of_contests")
    place = {stage: number for number, stage in enumerate(stages)}
    known = {str(other): table.meaning("stages_of_contests", _plain(other)) for other in _values(column, table)}
    at = place.get(known.get(value, ""))
    if at is None:
        return ()
    return tuple(other for other, stage in known.items() if place.get(stage, -1) > at)


def _values(column: str, table: Table) -> tuple[object, ...]:
    own = table.context.column(column)
    return (*own.values, *own.more)


def _shape(text: str) -> str:
    """Return how a text with numbers is written, whatever the numbers are: "0-0" of "12-3"."""
    return re.sub(r"\d+", "0", text.strip())


def _plain(value: object) -> str:
    return " ".join(str(value).casefold().replace("-", " ").split())


def _counted(steps: tuple[Filter, ...], table: Table) -> Plan:
    counted = Aggregate(measures=(Measure(function=AggregateFunction.COUNT),))
    return plans.over(table.context.profile, *steps, counted)


def _which(column: str, there: Plan, or_more: Plan) -> Asked:
    """Ask whether a stage is meant alone, as the last one that was come to, or with those beyond it."""
    options = tuple(Reading(plan, "", 0.0, no_chart=True) for plan in (there, or_more))
    told = f"`{column}` may say how far a row got at most, and some got farther. "
    return asking_which(options, f"{told}", how=IN_ITS_WORDS)
