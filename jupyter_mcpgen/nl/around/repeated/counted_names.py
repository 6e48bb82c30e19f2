"""Whether rows are counted or the names that they share: three of the races of a season may be called alike."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.comparing.plans.figures import redrawn, renamed
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding, asking_which
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Measure


def asking_rows_or_names(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning, or ask where it counts the names of what each row is one of, and some rows share theirs.

    Where a key tells the rows apart, and the table is called after what a column names, a row is one of these.
    """
    reading = meant.winner if isinstance(meant, Answered) else None
    told = _asks_for_different(question, context)
    of_rows = _of_rows(reading, context) if reading is not None and not told else None
    if reading is None or of_rows is None:
        return meant
    return asking_which((of_rows, reading))


def _asks_for_different(question: str, context: Context) -> bool:
    words = (token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma))
    return any(isinstance(meaning, m.DistinctWord) for word in words for meaning in context.lexicon.meanings(word))


def _of_rows(reading: Reading, context: Context) -> Reading | None:
    """Return the same with the rows counted; None where a reading counts no names that they share."""
    steps = reading.plan.steps
    places = [place for place, step in enumerate(steps) if isinstance(step, Aggregate)]
    grouped = steps[places[0]] if len(places) == 1 else None
    if not isinstance(grouped, Aggregate) or len(grouped.measures) != 1:
        return None
    names = grouped.measures[0]
    if names.function is not AggregateFunction.COUNT_DISTINCT or names.column is None or names.where is not None:
        return None
    if not _names_what_rows_are(names.column.name, context):
        return None
    rows = Measure(function=AggregateFunction.COUNT, column=None)
    called = {names.name: rows.name}
    made = (
        *steps[: places[0]],
        grouped.model_copy(update={"measures": (rows,)}),
        *renamed(steps[places[0] + 1 :], called),
    )
    chart = redrawn(reading.plan.chart, called)
    return reading.with_steps(made, chart, assumptions=())  # the groups have the name of the number


def _names_what_rows_are(name: str, context: Context) -> bool:
    """Tell whether a table is called after what a column names, some rows share theirs, and a key tells these apart."""
    if name not in context.profile.schema_.names or context.is_key(name):
        return False
    last = context.plain((split_name(context.profile.name) or ("",))[-1])
    keys = any(context.is_key(other) for other in context.profile.schema_.names)
    return context.column_words[name] == (last,) and keys
