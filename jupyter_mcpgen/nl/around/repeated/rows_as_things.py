"""Averages per what a row is: "average wait per visit" over visits is that of the rows, and no list of each visit."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.around.repeated.once_each import figures_of_rows
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Chart, Derive, Filter, Measure, Sort, Step
from jupyter_mcpgen.plan.plan import Plan

_AVERAGES = (AggregateFunction.MEAN, AggregateFunction.MEDIAN)


def averaging_rows(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning with the average of the rows, where it is asked for per what each row is."""
    if not isinstance(meant, Answered):
        return meant
    plan = meant.winner.plan
    first = figures_of_rows(plan)
    if not isinstance(first, Aggregate) or len(first.measures) != 1 or first.measures[0].column is None:
        return meant
    each = [name for name in first.by.names if _is_row_behind_each(name, question, context)]
    amount = first.measures[0].column
    if len(each) != 1 or amount.name not in context.column_words:
        return meant
    kept = tuple(name for name in first.by.names if name != each[0])
    averaged = _averaged(plan, first, kept)
    if averaged is None:
        return meant
    figure = Measure(function=averaged, column=Col(name=amount.name))
    grouped = Aggregate(by=Columns(names=kept), measures=(figure,))
    before: tuple[Step, ...] = plan.steps[: plan.steps.index(first)]
    sorts = tuple(step for step in plan.steps if isinstance(step, Sort)) if kept else ()
    chart = plan.chart if kept and isinstance(plan.chart, Chart) else None
    if chart is not None:
        chart = chart.model_copy(update={"x": kept[0], "y": figure.name, "color": None})
    try:
        made = plan.with_steps((*before, grouped, *sorts), chart)
    except PlanError:
        return meant
    notes: tuple[str, ...] = (
        f"Each row is taken to be one `{each[0]}`, so `{amount.name}` is averaged over the rows.",
    )
    if context.column(amount.name).nulls:
        notes = (*notes, f"Rows without `{amount.name}` are left out of the average.")
    said = tuple(note for note in meant.winner.assumptions if note not in notes and f"`{each[0]}`" not in note)
    return replace(meant, winner=replace(meant.winner, plan=made, assumptions=(*said, *notes)), alternatives=())


def _averaged(plan: Plan, first: Aggregate, kept: tuple[str, ...]) -> AggregateFunction | None:
    """Return the average that a plan takes of each, or of the totals of each; None where it does anything else."""
    rest = plan.steps[plan.steps.index(first) + 1 :]
    if not all(isinstance(step, Derive | Filter) for step in plan.steps[: plan.steps.index(first)]):
        return None
    function = first.measures[0].function
    if function in _AVERAGES and all(isinstance(step, Sort) for step in rest):
        return function
    match rest:
        case (Aggregate(by=by, measures=(Measure(function=over),)), *others) if over in _AVERAGES:
            summed = function is AggregateFunction.SUM and by.names == kept
            return over if summed and all(isinstance(step, Sort) for step in others) else None
        case _:
            return None


def _is_row_behind_each(name: str, question: str, context: Context) -> bool:
    """Tell whether a column tells rows apart, and what each row is stands behind "per": a noun that is no column."""
    if name not in context.column_words or not (context.is_key(name) or context.names_rows(name)):
        return False
    if context.column(name).role is not Role.IDENTIFIER:
        return False
    noun = context.column_words[name][0]
    called = {context.lexicon.base(word) for word in split_name(context.profile.name)} | context.row_nouns
    if not context.is_key(name) and noun not in called:
        return False
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    words = [token.lower for token in tokens]
    if name.casefold() in words:
        return False  # a column that is named is what the question groups by
    return any(
        context.lexicon.meanings(word) == (m.GroupWord(each=True),) and context.plain(behind) == noun
        for word, behind in pairwise(words)
    )
