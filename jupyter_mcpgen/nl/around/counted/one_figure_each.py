"""Rows that hold one figure of each combination of labels: "wind by year" is of the figure, and no number of rows."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.around.counted.counts_in_columns import added_up
from jupyter_mcpgen.nl.around.repeated.counting_ids import first_count
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Answered, Understanding, asking_which
from jupyter_mcpgen.nl.tables.dependencies import tell_rows_apart
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.ops import Aggregate

_FEWEST_LABELS = 2
"""Rows that one label tells apart are things, and may be counted."""
_FILLED = 0.5
"""At least this part of all combinations has a row where rows stand for combinations, and are not unlike by chance."""


def taking_the_one_figure(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning with the one figure added up where it counts rows that nobody asked to be counted.

    Over `country`, `year`, `source` and `twh` each row is the figure of one combination, so a number of rows says
    nothing. It is asked about where the name of the figure does not tell whether it adds up.
    """
    step = first_count(meant.winner.plan) if isinstance(meant, Answered) else None
    figure = _only_figure(context)
    if not isinstance(meant, Answered) or not isinstance(step, Aggregate) or figure is None:
        return meant
    used = any(figure in names_in(one) for one in meant.winner.plan.steps)
    if used or context.adds_up(figure) is False or _asks_for_a_number(question, context):
        return meant
    summed = added_up(meant.winner, step, figure)
    if summed is None:
        return meant
    if context.adds_up(figure) is None:
        return asking_which((summed, meant.winner), how=IN_ITS_WORDS)
    note = f"Each row holds the `{figure}` of one combination of labels, so it is added up and rows are not counted."
    return replace(meant, winner=replace(summed, assumptions=(note,)), alternatives=(meant.winner,))


def _only_figure(context: Context) -> str | None:
    """Return the one measure of a table whose other columns tell the rows apart only together; None for others."""
    names = context.profile.schema_.names
    figures = [name for name in names if context.is_measure(name)]
    labels = tuple(name for name in names if name not in figures)
    if len(figures) != 1 or len(labels) < _FEWEST_LABELS or not all(context.column(one).complete for one in labels):
        return None
    kinds = [context.column(one).distinct for one in labels]
    filled = max(kinds) < context.profile.rows >= _FILLED * math.prod(kinds)
    return figures[0] if filled and tell_rows_apart(labels, context) else None


def _asks_for_a_number(question: str, context: Context) -> bool:
    """Tell whether a question asks how many there are, or names what a row is."""
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    said = (*words, *(f"{one} {other}" for one, other in pairwise(words)))
    counts = any(isinstance(one, m.CountWord) for phrase in said for one in context.lexicon.meanings(phrase))
    nouns = context.row_nouns | context.lexicon.table_nouns
    return counts or any(context.plain(word) in nouns or word in nouns for word in words)
