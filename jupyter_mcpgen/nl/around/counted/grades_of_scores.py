"""Grades that may be school years: "average grade" over pupils with a `Grade` of 7 to 9 and a `score`."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.around.repeated.once_each import AVERAGES, figures_of_rows
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.other_names import called_otherwise
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Answered, Understanding, asking_which
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.ops import Aggregate
from jupyter_mcpgen.plan.schema import ColumnType


def asking_grade_or_score(meant: Understanding, context: Context, language: str) -> Understanding:
    """Return a meaning, or ask where whole grades are averaged beside a column of what was scored."""
    first = figures_of_rows(meant.winner.plan) if isinstance(meant, Answered) else None
    if not isinstance(meant, Answered) or not isinstance(first, Aggregate) or len(first.measures) != 1:
        return meant
    words, measure, plan = load_vocabulary(language).words, first.measures[0], meant.winner.plan
    name = measure.column.name if measure.column is not None else ""
    own = set(context.column_words.get(name, ()))
    if measure.function not in AVERAGES or not own & words("grades") or context.type_of(name) is not ColumnType.INTEGER:
        return meant
    scores = [
        one for one, its in context.column_words.items() if set(its) & words("results") and context.is_measure(one)
    ]
    if not scores or own & words("results"):
        return meant
    ways = []
    for score in scores:
        other = measure.model_copy(update={"column": Col(name=score)})
        called = {measure.name: other.name}
        place = plan.steps.index(first)
        behind = tuple(called_otherwise(step, called) for step in plan.steps[place + 1 :])
        steps = (*plan.steps[:place], first.model_copy(update={"measures": (other,)}), *behind)
        chart = called_otherwise(plan.chart, called) if plan.chart is not None else None
        made = plan.with_steps(steps, chart)
        ways.append(replace(meant.winner, plan=made, assumptions=()))
    return asking_which((*ways, meant.winner), how=IN_ITS_WORDS)
