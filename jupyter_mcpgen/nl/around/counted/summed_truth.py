"""Sums and averages of yes and no by a piece of a column's name: "average time" is none of `first_time`."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.nl.tables.flags import flags_of
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.expressions import Parse
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Resample
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.writings import TruthWriting

_FIGURES = (AggregateFunction.SUM, AggregateFunction.MEAN, AggregateFunction.MEDIAN)


def refusing_sums_of_truth(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Refuse a sum or an average of yes and no that the question names by a part of the column's name only."""
    if not isinstance(meant, Answered):
        return meant
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    flags = flags_of(context.profile, language)
    said = {context.plain(token.lower) for token in tokens}
    for name in _averaged(meant.winner.plan):
        own = context.column_words.get(name, ())
        named = [word for word in own if word in said]
        if not named or len(named) == len(own):
            continue
        if _is_truth(name, meant.winner.plan, context) or (name in flags and own[-1:] == tuple(named)):
            word = named[0]
            return Refused(
                f"“{word}” is only in `{name}`, which says yes or no and cannot be added up. Ask for the share of "
                f"rows with `{name}`, or for another column.",
                words=(word,),
            )
    return meant


def _averaged(plan: Plan) -> list[str]:
    measures = [one for step in plan.steps if isinstance(step, Aggregate | Resample) for one in step.measures]
    return [one.column.name for one in measures if one.function in _FIGURES and one.column is not None]


def _is_truth(name: str, plan: Plan, context: Context) -> bool:
    """Tell whether a column says yes or no, also in texts that a plan reads so."""
    for step in plan.steps:
        match step:
            case Derive(name=made, expression=Parse(writing=TruthWriting())) if made == name:
                return True
            case _:
                pass
    return context.type_of(name) is ColumnType.BOOLEAN
