"""How often something happened: "finished more than 10 times" limits a number of rows, never minutes or money."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl.around.limits.limits import limits_of
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.everyday.things.repeated import tells_how_often
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter
from jupyter_mcpgen.plan.plan import Plan

_COUNTED = (AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT)


def refusing_other_limits(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning, or a refusal where it limits a figure by a number of times, or by a number of rows."""
    if not isinstance(meant, Answered):
        return meant
    table = Table(context, load_vocabulary(language))
    own = context.column_words
    limits = [limit for limit in _limits(meant.winner.plan) if limit[1] in own and context.is_measure(limit[1])]
    for found in Speech(question).find_all(table.wording("so_many_occasions")) if limits else ():
        number = found.meant("n")
        other = next((name for limit, name in limits if f"{limit:g}" == number and _is_other(found, name, table)), None)
        if other is not None:
            return Refused(found.said(said=found.text, column=other, n=number))
    return meant


def _is_other(found: Found, name: str, table: Table) -> bool:
    """Tell whether a column says nothing of how often, or of how many of the rows, a limit speaks of."""
    noun = found.folded("noun")
    if not noun or noun in table.words("occasions"):
        return not tells_how_often(name, table)
    context = table.context
    own = context.column_words[name]
    unit = context.column(name).unit
    if unit is not None and context.plain(noun) in own[:-1] and columns.is_plural(noun, table):
        return context.plain(noun) not in map(context.plain, unit.split())  # no 10 finishes are of `finish_minutes`
    if not columns.is_row(noun, table) or context.counts_things(name):
        return False
    return context.plain(noun) not in context.column_words[name]


def _limits(plan: Plan) -> Iterator[tuple[float, str]]:
    """Yield the numbers that columns of the source, or figures of them, are compared with."""
    of: dict[str, str] = {name: name for name in plan.source_schema.names}
    for step in plan.steps:
        if isinstance(step, Aggregate):
            of = {one.name: one.column.name for one in step.measures if one.column and one.function not in _COUNTED}
        elif isinstance(step, Filter):
            yield from ((limit.number, of[limit.column]) for limit in limits_of(step.predicate) if limit.column in of)
