"""Parts of what a figure's plural names: "percentage of late results by lab" is one of the results, no sum of them."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.other_names import called_otherwise
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Answered, Reading, Understanding, asking_which
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure, Window, WindowFunction
from jupyter_mcpgen.plan.plan import Plan

_PARTS = (WindowFunction.SHARE, WindowFunction.PERCENT)


def counting_parts(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning with rows counted where it is a part of a sum that nobody asked for.

    Of an amount, either may be meant: it is asked about.
    """
    if not isinstance(meant, Answered):
        return meant
    summed = _summed_part(meant.winner.plan)
    if summed is None or summed.column is None or not _is_said_in_plural(summed.column.name, question, context):
        return meant
    counted = _counted(meant.winner, summed)
    if counted is None:
        return meant
    if context.adds_up(summed.column.name) is True:
        return asking_which((counted, meant.winner), how=IN_ITS_WORDS)
    return replace(meant, winner=counted, alternatives=())


def _summed_part(plan: Plan) -> Measure | None:
    """Return the sum that a plan makes for each of several kinds, of which it keeps the part of some."""
    figures = [step for step in plan.steps if isinstance(step, Aggregate)]
    parts = [place for place, s in enumerate(plan.steps) if isinstance(s, Window) and s.function in _PARTS]
    kept = bool(parts) and any(isinstance(step, Filter) for step in plan.steps[parts[-1] :])
    if not kept or len(figures) != 1 or len(figures[0].measures) != 1:
        return None
    measure = figures[0].measures[0]
    return measure if measure.function is AggregateFunction.SUM and measure.where is None else None


def _is_said_in_plural(name: str, question: str, context: Context) -> bool:
    """Tell whether a question says the plural of a column that is called in the singular, and asks for no total."""
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    if any(isinstance(one, m.Function | m.HowMuch) for word in words for one in context.lexicon.meanings(word)):
        return False
    own = [word for word in split_name(name) if context.lexicon.base(word) == word]
    several = {context.lexicon.base(word) for word in words if context.lexicon.base(word) != word}
    return bool(several.intersection(own))


def _counted(reading: Reading, summed: Measure) -> Reading | None:
    """Return the same part of the rows; None where no plan is one."""
    plan, number = reading.plan, Measure(function=AggregateFunction.COUNT)
    called = {summed.name: number.name}
    steps = tuple(
        step.model_copy(update={"measures": (number,)})
        if isinstance(step, Aggregate)
        else called_otherwise(step, called)
        for step in plan.steps
    )
    chart = called_otherwise(plan.chart, called) if plan.chart is not None else None
    column = summed.column.name if summed.column is not None else ""
    kept = tuple(note for note in reading.assumptions if f"`{column}` is added up" not in note)
    return reading.with_steps(steps, chart, assumptions=kept)
