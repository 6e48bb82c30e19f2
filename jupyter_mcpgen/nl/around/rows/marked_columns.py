"""Columns that are marked in some rows and blank in the others: how many "remote people" there are is no kind of mark.

A blank is a missing value: it is no group of its own, and the mark is the only value that there is to count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.predicates import equals
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding, asking_which
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Col, Columns, IsMissing, Predicate
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Limit, Measure, Select, Sort, Step
from jupyter_mcpgen.plan.schema import ColumnType

_HOW_MANY = (AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT)


def heeding_marks(meant: Understanding, context: Context, language: str) -> Understanding:
    """Return a meaning that counts rows with a mark, and asks or refuses where marks are shown or make groups."""
    if isinstance(meant, Refused):
        return meant
    if isinstance(meant, Asked):
        return _counted_alike(meant, context, language)
    steps = meant.winner.plan.steps
    for name in _marked(context, language):
        grouped = [step for step in steps if isinstance(step, Aggregate) and name in step.by.names]
        counted = [step for step in steps if isinstance(step, Aggregate) and _only_counts(step, name)]
        listed = [step for step in steps if isinstance(step, Select) and name in step.columns.names]
        marked = equals(name, str(context.column(name).values[0]))
        blank = IsMissing(operand=Col(name=name))
        if counted:
            made = _of_those(meant.winner, marked, name)
            return _refused(name, context) if made is None else Answered(_counting(made, name, context))
        if grouped:
            ways = [_of_those(meant.winner, condition, name) for condition in (marked, blank)]
            options = [way for way in ways if way is not None]
            return asking_which(options, _about(name, context)) if options else _refused(name, context)
        if listed and not _is_chosen_by(steps, name):
            chosen = _listed(meant.winner, marked)
            return meant if chosen is None else asking_which((chosen, meant.winner), _about(name, context))
    return meant


def _counted_alike(meant: Asked, context: Context, language: str) -> Understanding:
    """Return a question back, or the answer where all that is asked is in which way marks are counted."""
    for name in _marked(context, language):
        aggregates = [step for way in meant.options for step in way.plan.steps if isinstance(step, Aggregate)]
        if (
            aggregates
            and len(aggregates) == len(meant.options)
            and all(_only_counts(step, name) for step in aggregates)
        ):
            made = _of_those(meant.options[0], equals(name, str(context.column(name).values[0])), name)
            return meant if made is None else Answered(_counting(made, name, context))
    return meant


def _counting(reading: Reading, name: str, context: Context) -> Reading:
    """Return a reading that counts rows with a mark, and says so; what was said of different marks is true no more."""
    others = tuple(note for note in reading.assumptions if f"`{name}`" not in note)
    return replace(reading, assumptions=(f"{_about(name, context)}The rows with the mark are counted.", *others))


def _marked(context: Context, language: str) -> Iterator[str]:
    """Yield the columns of texts that have one value, which is a mark, and blanks."""
    marks = load_vocabulary(language).words("marks_in_cells")
    for name in context.column_words:
        known = context.column(name)
        one = context.type_of(name) is ColumnType.TEXT and known.complete and known.distinct == 1 and known.nulls > 0
        if one and str(known.values[0]).strip().casefold() in marks:
            yield name


def _about(name: str, context: Context) -> str:
    known = context.column(name)
    return (
        f"`{name}` is marked “{known.values[0]}” in {context.profile.rows - known.nulls:,} of {context.profile.rows:,} "
        "rows and blank in the others. "
    )


def _refused(name: str, context: Context) -> Refused:
    return Refused(
        f"{_about(name, context)}A missing value is not a group. Ask for rows where `{name}` is "
        f"{context.column(name).values[0]}, or where `{name}` is missing."
    )


def _only_counts(step: Aggregate, name: str) -> bool:
    """Tell whether a step makes nothing but the number of a column's values, or of its different ones."""
    measure = step.measures[0]
    counts = measure.function in _HOW_MANY and measure.column == Col(name=name)
    return len(step.measures) == 1 and counts and name not in step.by.names


def _is_chosen_by(steps: tuple[Step, ...], name: str) -> bool:
    return any(isinstance(step, Filter) and name in names_in(step) for step in steps)


def _of_those(reading: Reading, condition: Predicate, name: str) -> Reading | None:
    """Return a reading of the rows with or without a mark in place of its groups; None where more is made of them."""
    plan = reading.plan
    place = next(at for at, step in enumerate(plan.steps) if isinstance(step, Aggregate))
    grouped, behind = plan.steps[place], plan.steps[place + 1 :]
    if not isinstance(grouped, Aggregate) or _is_chosen_by(plan.steps, name):
        return None
    counts = _only_counts(grouped, name)
    others = tuple(one for one in grouped.by.names if one != name)
    if not all(isinstance(step, Sort | Limit) for step in behind) or (others and not counts):
        return None
    measures = (Measure(function=AggregateFunction.COUNT, column=None),) if counts else grouped.measures
    own = grouped.model_copy(update={"by": Columns(names=others), "measures": measures})
    return _with(reading, (Filter(predicate=condition), *plan.steps[:place], own))


def _listed(reading: Reading, condition: Predicate) -> Reading | None:
    """Return the rows with a mark, whole."""
    return _with(reading, (Filter(predicate=condition), *(s for s in reading.plan.steps if not isinstance(s, Select))))


def _with(reading: Reading, steps: tuple[Step, ...]) -> Reading | None:
    return reading.with_steps(steps)
