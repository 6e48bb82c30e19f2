"""The largest number of things of each: "max donations per donor" counts donations, and looks for no largest id."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.model.profile import Role
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Measure, Sort
from jupyter_mcpgen.plan.plan import Plan

_ENDS = (AggregateFunction.MAX, AggregateFunction.MIN)


def counting_largest(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning that counts what an identifier names in the plural, where it would take the largest of them."""
    if not isinstance(meant, Answered):
        return meant
    plan = meant.winner.plan
    grouped = [step for step in plan.steps if isinstance(step, Aggregate)]
    if not grouped or len(grouped[0].measures) != 1:
        return meant
    first, measure = grouped[0], grouped[0].measures[0]
    name = measure.column.name if measure.column is not None else ""
    if measure.function in _ENDS and (rows := _rows_named(name, question, context)) is not None:
        said = f"“{rows}” can be the number of rows of each, or their `{name}`"
        return Refused(f"{said}. Ask for the number of rows, or for `{name}` by its name.", words=(rows,))
    if measure.function not in _ENDS or not _is_said_in_plural(name, question, context):
        return meant
    counted = _counted(plan, first, context) if len(grouped) == 1 and len(first.by.names) == 1 else None
    if counted is None:
        said = f"`{name}` is an identifier, so its largest or smallest value is not a number of things"
        return Refused(f"{said}. Ask for the number of rows by one column.", words=(name,))
    each = first.by.names[0]
    note = f"What `{name}` tells apart is counted for each `{each}`, and the figure is taken of these numbers."
    return Answered(replace(meant.winner, plan=counted, assumptions=(*meant.winner.assumptions, note)))


def _rows_named(name: str, question: str, context: Context) -> str | None:
    """Return the plural of what a row is, where an amount is called by it and by no other word: the "gifts"."""
    if name not in context.column_words or not context.is_of_money(name):
        return None
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    said = {context.plain(token.lower): token.lower for token in tokens}
    named = [word for word in context.column_words[name] if word in said]
    rows = len(named) == 1 and named[0] in context.row_nouns and said[named[0]] != named[0]
    return said[named[0]] if rows and len(context.column_words[name]) > 1 else None


def _is_said_in_plural(name: str, question: str, context: Context) -> bool:
    """Tell whether a question has the plural of what an identifier tells apart, and not the identifier."""
    if name not in context.column_words or context.column(name).role is not Role.IDENTIFIER:
        return False
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    noun = context.column_words[name][0]
    return any(context.plain(token.lower) == noun != token.lower for token in tokens)


def _counted(plan: Plan, first: Aggregate, context: Context) -> Plan | None:
    """Return the largest or smallest of the numbers of each; None where a plan does more than to group and sort."""
    place, measure = plan.steps.index(first), first.measures[0]
    if not all(isinstance(step, Derive | Filter | Aggregate | Sort) for step in plan.steps):
        return None
    if any(not isinstance(step, Sort) for step in plan.steps[place + 1 :]) or measure.column is None:
        return None
    key = context.is_key(measure.column.name)
    number = (
        Measure(function=AggregateFunction.COUNT)
        if key
        else Measure(function=AggregateFunction.COUNT_DISTINCT, column=measure.column)
    )
    steps = (
        *plan.steps[:place],
        first.model_copy(update={"measures": (number,)}),
        Aggregate(by=Columns(names=()), measures=(Measure(function=measure.function, column=Col(name=number.name)),)),
    )
    return plan.tried(steps)
