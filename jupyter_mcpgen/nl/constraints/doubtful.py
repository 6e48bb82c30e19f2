"""Rows and values that a table has but no analyst would compute with: rows of totals, and numbers such as -999.

Rows of totals are left out, and the reading says so; groups that differ only in spelling are named. Whether -999 is a
number or a missing value nobody can know from the table, so a question that computes with it is asked back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import ColumnProfile, Profile, StandIn, Totals
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Case,
    Col,
    Compare,
    CompareOp,
    IsIn,
    IsMissing,
    Lit,
    Predicate,
    When,
)
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Distinct, Filter, Select, Sort, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

_SHOWS_ROWS = (Filter, Select, Distinct, Sort, Derive)


def without_doubtful(meant: Understanding, profile: Profile) -> Understanding:
    """Return a meaning that leaves rows of totals out, or the question whether a number stands for a missing value."""
    match meant:
        case Answered(winner, alternatives, no_chart):
            kept = tuple(_without_totals(_noting_spellings(one, profile), profile) for one in (winner, *alternatives))
            return _asked_about_stand_ins(Answered(kept[0], kept[1:], no_chart), profile)
        case Asked(question, options):
            return Asked(question, tuple(_without_totals(option, profile) for option in options))
        case Refused():
            return meant


def _noting_spellings(reading: Reading, profile: Profile) -> Reading:
    """Return a reading that says which groups, or kinds that it counts, differ only in how they are spelled."""
    steps = [step for step in reading.plan.steps if isinstance(step, Aggregate)]
    made = {step.name for step in reading.plan.steps if isinstance(step, Derive)}  # read as truth, or in one spelling
    keys = {name for step in steps[:1] for name in step.by.names} - made
    counted = {name for step in steps for name in _counted_kinds(step)} - made - keys
    notes = tuple(
        note for column in profile.columns if column.name in keys for note in _spelled_twice(column, "groups")
    )
    notes += tuple(
        f"{note} Each is counted as a kind of its own."
        for column in profile.columns
        if column.name in counted
        for note in _spelled_twice(column, "values")
    )
    return replace(reading, assumptions=(*reading.assumptions, *notes)) if notes else reading


def _counted_kinds(step: Aggregate) -> Iterator[str]:
    """Yield the columns of which a step counts how many different values there are."""
    for measure in step.measures:
        if measure.function is AggregateFunction.COUNT_DISTINCT and measure.column is not None:
            yield measure.column.name


def _spelled_twice(column: ColumnProfile, what: str) -> Iterator[str]:
    spellings: dict[str, list[str]] = {}
    for word in column.values:
        if isinstance(word, str):
            spellings.setdefault(" ".join(word.split()).casefold(), []).append(word)
    several = [words for words in spellings.values() if len(words) > 1]
    if several:
        example = " and ".join(f"“{word}”" for word in sorted(several[0])[:3])
        yield f"`{column.name}` has {what} that differ only in spaces or capitals, such as {example}."


def _without_totals(reading: Reading, profile: Profile) -> Reading:
    totals, steps = profile.totals, reading.plan.steps
    counted = next((place for place, step in enumerate(steps) if not isinstance(step, _SHOWS_ROWS)), len(steps))
    if totals is None or reading.plan.second is not None or totals.column in _conditions_on(steps[:counted]):
        return reading  # the question says itself which rows it is about
    if counted == len(steps) and reading.plan.chart is None and not any(isinstance(step, Filter) for step in steps):
        return reading  # rows that are only shown are not counted twice
    keep, old = _others(totals, profile), reading.plan
    first, *rest = old.steps or (None,)
    if isinstance(first, Filter):
        before = first.predicate.terms if isinstance(first.predicate, All) else (first.predicate,)
        kept: tuple[Step, ...] = (Filter(predicate=All(terms=(*before, keep))), *rest)
    else:
        kept = (Filter(predicate=keep), *old.steps)
    plan = old.model_copy(update={"steps": kept})
    return replace(reading, plan=plan, assumptions=(*reading.assumptions, _note(totals)))


def _others(totals: Totals, profile: Profile) -> Predicate:
    """Return the condition that holds for every row but those of totals."""
    column, type_ = Col(name=totals.column), profile.schema_.type_of(totals.column)
    if not totals.labels:
        return IsMissing(operand=column, negated=True)
    values = tuple(Lit(value=label, type=type_) for label in totals.labels)
    other: Predicate = (
        Compare(op=CompareOp.NE, left=column, right=values[0])
        if len(values) == 1
        else IsIn(operand=column, values=values, negated=True)
    )
    return AnyOf(terms=(other, IsMissing(operand=column))) if profile.column(totals.column).nulls else other


def _note(totals: Totals) -> str:
    if not totals.labels:
        return f"The last row has no `{totals.column}` and adds up the others, so it is left out."
    named = ", ".join(f"“{label}”" for label in totals.labels[:5])
    what = "The row" if totals.rows == 1 else f"The {totals.rows:,} rows"
    does = "adds up the others, so it is" if totals.rows == 1 else "add up the others, so they are"
    return f"{what} {named} in `{totals.column}` {does} left out."


def _asked_about_stand_ins(meant: Answered, profile: Profile) -> Understanding:
    """Ask whether numbers such as -999 count, when a plan computes with their column and sets no bound to it."""
    plan = meant.winner.plan
    used = {name for step in plan.steps if not isinstance(step, Select) for name in names_in(step)}
    doubtful = {
        column.name: column.stand_ins
        for column in profile.columns
        if column.stand_ins and column.name in used - _conditions_on(plan.steps)
    }
    if not doubtful:
        return meant
    try:
        without = _as_missing(plan, doubtful, profile)
    except PlanError:
        return meant
    said = "; ".join(_said(name, found) for name, found in doubtful.items())
    options = (
        replace(meant.winner, plan=without, label="as missing values"),
        replace(meant.winner, label="as numbers"),
    )
    lines = "; ".join(f"({number}) {say_plan(option.plan)}" for number, option in enumerate(options, 1))
    return Asked(f"{said}. This often stands for a missing value: {lines}. Which one do you mean?", options)


def _said(name: str, found: tuple[StandIn, ...]) -> str:
    rows = [f"{one.value:g} in {one.rows:,} {'row' if one.rows == 1 else 'rows'}" for one in found]
    return f"`{name}` is {' and '.join(rows)}, far from its other values"


def _as_missing(plan: Plan, doubtful: dict[str, tuple[StandIn, ...]], profile: Profile) -> Plan:
    """Return the plan over columns in which these numbers are missing."""
    cleaned = tuple(
        Derive(name=name, expression=Case(branches=(When(condition=_is_none_of(name, found), value=Col(name=name)),)))
        for name, found in doubtful.items()
    )
    return Plan.model_validate({**plan.model_dump(), "steps": [*(s.model_dump() for s in (*cleaned, *plan.steps))]})


def _is_none_of(name: str, found: tuple[StandIn, ...]) -> Predicate:
    terms = tuple(Compare(op=CompareOp.NE, left=Col(name=name), right=_literal(one.value)) for one in found)
    return terms[0] if len(terms) == 1 else All(terms=terms)


def _literal(value: float) -> Lit:
    whole = value == int(value)
    return Lit(value=int(value) if whole else value, type=ColumnType.INTEGER if whole else ColumnType.REAL)


def _conditions_on(steps: tuple[Step, ...]) -> set[str]:
    """Return the columns that the conditions of a plan are about."""
    return {name for step in steps if isinstance(step, Filter) for name in names_in(step.predicate)}
