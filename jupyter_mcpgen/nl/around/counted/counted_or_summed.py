"""Whether amounts of money are counted or added up: "budgets approved per month" may be their number or their total."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.other_names import called_otherwise
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Answered, Reading, Understanding, asking_which
from jupyter_mcpgen.nl.tables.counted_money import is_counted_money
from jupyter_mcpgen.nl.tables.own_dates import names_a_date
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Measure


def asking_number_or_total(meant: Understanding, question: str, context: Context) -> Understanding:
    """Ask where figures of money are named in the plural, with what was done to them, and no calculation is named."""
    if not isinstance(meant, Answered):
        return meant
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    meanings = [meaning for word in words for meaning in context.lexicon.meanings(word)]
    if any(isinstance(meaning, m.Function | m.HowMuch | m.Extreme) for meaning in meanings):
        return meant
    counted = _counted(meant.winner, words, context) if names_a_date(words, context) else None
    if counted is None:
        return meant
    options = (counted, meant.winner)
    return asking_which(options, how=IN_ITS_WORDS)


def _counted(reading: Reading, words: list[str], context: Context) -> Reading | None:
    """Return the same with the figures counted; None where a reading does not add up one that is said in the plural."""
    plan = reading.plan
    places = [place for place, step in enumerate(plan.steps) if isinstance(step, Aggregate)]
    grouped = plan.steps[places[0]] if len(places) == 1 else None
    if not isinstance(grouped, Aggregate) or len(grouped.measures) != 1:
        return None
    summed = grouped.measures[0]
    if summed.function is not AggregateFunction.SUM or summed.column is None or summed.where is not None:
        return None
    name = summed.column.name
    plural = (context.plain(word) for word in words if context.lexicon.base(word) != word)
    if name not in context.column_words or not is_counted_money(name, context):
        return None
    if not any(name in context.columns_with(word) for word in plural):
        return None
    number = Measure(function=AggregateFunction.COUNT, column=summed.column)
    called = {summed.name: number.name}
    made = grouped.model_copy(update={"measures": (number,)})
    rest = tuple(called_otherwise(step, called) for step in plan.steps[places[0] + 1 :])
    chart = called_otherwise(plan.chart, called) if plan.chart is not None else None
    steps = (*plan.steps[: places[0]], made, *rest)
    return reading.with_steps(steps, chart, assumptions=())
