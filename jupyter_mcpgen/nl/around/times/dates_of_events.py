"""A period behind what happened is of the date of that: "cancelled in June" goes by `Cancellation Date`.

The first date of the table, by which a period without one is read, is that of something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding, asking_which
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Col,
    Compare,
    DatePart,
    IsMissing,
    Lit,
    Predicate,
    negate,
    terms_of,
)
from jupyter_mcpgen.plan.ops import Aggregate, Filter
from jupyter_mcpgen.plan.plan import Plan

_WORD = re.compile(r"\d{4}-\d\d-\d\d|\w[\w'’]*")
_PERIOD = re.compile(r"(?:1[89]|20)\d\d(?:-\d\d-\d\d)?|q[1-4]")


def by_the_date_of_events(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning whose period is of the date of what the question says before it."""
    table = Table(context, load_vocabulary(language))
    dates = [name for name in context.column_words if columns.holds_dates(name, table)]
    if not isinstance(meant, Answered) or len(dates) < 2:
        return meant
    event = _event_of_period(question, table)
    used = {name for name in _periods_of(meant.winner.plan) if name in dates}
    if event is None or event.date in used or len(used) != 1 or _is_named(next(iter(used)), question, table):
        return meant
    if event.is_noun and meant.winner.plan.result_schema.names == (event.date,):
        return meant  # "the launched for 3 May" asks for a date, and nobody asks for the one that is said
    if event.date in _lacked(meant.winner.plan):
        return _lacking(meant, next(iter(used)), event)
    if _is_a_part(meant.winner.plan):  # a rate in June is one of the rows of June
        note = f"The period is taken to be that of `{next(iter(used))}`, and “{event.word}” of the rows in it."
        return replace(meant, winner=replace(meant.winner, assumptions=(*meant.winner.assumptions, note)))
    made = _moved(meant.winner, next(iter(used)), event)
    return meant if made is None else Answered(made, no_chart=meant.no_chart)


def _lacking(meant: Answered, used: str, event: _Event) -> Understanding:
    """Return a meaning of rows of a period that have no date, or of all rows that have none in it, where it may be."""
    note = f"The period is taken to be that of `{used}`: the rows have no `{event.date}`."
    own = replace(meant.winner, assumptions=(*meant.winner.assumptions, note))
    at_another_time = _without_period(meant.winner, used, event)
    if at_another_time is None:
        return replace(meant, winner=own)
    return asking_which((own, at_another_time), f"“{event.word}” may have been done at another time, or never. ")


def _without_period(reading: Reading, used: str, event: _Event) -> Reading | None:
    """Return a reading of all rows whose date of an event is not in the period: before it, after it, or never."""
    chosen = [step for step in reading.plan.steps if isinstance(step, Filter)]
    terms = [term for step in chosen for term in terms_of(step.predicate)]
    periods = [term for term in terms if used in _compared(term)]
    if len(chosen) != 1 or not periods:
        return None
    of_event = Filter(predicate=All(terms=tuple(periods))).model_dump(mode="json")
    moved = Filter.model_validate(_of(of_event, used, event.date)).predicate
    never = next(term for term in terms if isinstance(term, IsMissing) and set(names_in(term)) == {event.date})
    others = [term for term in terms if term not in (*periods, never)]
    kept = AnyOf(terms=(never, *(negate(term) for term in terms_of(moved))))
    own = Filter(predicate=All(terms=(*others, kept)) if others else kept)
    steps = tuple(own if step is chosen[0] else step for step in reading.plan.steps)
    plan = reading.plan.with_steps(steps).model_copy(update={"chart": reading.plan.chart})
    return replace(reading, plan=plan)


@dataclass(frozen=True)
class _Event:
    """A word for what happened, and the date that is called after it."""

    word: str
    date: str
    is_noun: bool
    """An article stands before it."""


def _event_of_period(question: str, table: Table) -> _Event | None:
    """Return the word nearest to a period that a date is called after, before it or else behind it."""
    words = [match.group() for match in _WORD.finditer(question)]
    folded, context = [word.casefold() for word in words], table.context
    months = context.lexicon.months
    place = next((i for i, word in enumerate(folded) if word in months or _PERIOD.fullmatch(word)), None)
    if place is None:
        return None
    begun = {*table.words("begun_deeds"), *table.words("beginnings_counted")}
    behind = list(range(place + 1, len(words)))
    if place <= 1:  # "in June, how many bookings were cancelled"
        behind.sort(key=lambda at: at > place + 1 and context.plain(folded[at]) in context.row_nouns)
    for at in (*range(place - 1, -1, -1), *behind):
        if folded[at] in context.lexicon.words or folded[at] in months:
            continue
        if (date := columns.date_of(folded[at], table)) is not None:
            before = context.lexicon.meanings(folded[at - 1]) if at else ()
            return _Event(words[at], date, any(isinstance(one, m.Determiner) for one in before))
        if at < place and folded[at] in begun:
            return None  # "signed up in May and have left": `start_date` is called otherwise
        if any(table.akin(folded[at], word) for one in context.dates for word in context.column_words[one]):
            return None  # several dates are called after it
    return None


def _is_named(date: str, question: str, table: Table) -> bool:
    """Tell whether a question names a date by all words of its name."""
    own = set(table.context.column_words[date])
    return own <= {table.context.plain(match.group().casefold()) for match in _WORD.finditer(question)}


def _periods_of(plan: Plan) -> Iterator[str]:
    """Yield the columns that rows are chosen by, but not those that are only asked to be there."""
    for step in plan.steps:
        for term in terms_of(step.predicate) if isinstance(step, Filter) else ():
            yield from _compared(term)


def _lacked(plan: Plan) -> Iterator[str]:
    """Yield the columns that are missing in the rows of a plan."""
    for step in plan.steps:
        for term in terms_of(step.predicate) if isinstance(step, Filter) else ():
            if isinstance(term, IsMissing) and not term.negated and isinstance(term.operand, Col):
                yield term.operand.name


def _compared(term: Predicate) -> Iterator[str]:
    match term:
        case Compare(left=Col(name=name), right=Lit()) | Compare(left=DatePart(operand=Col(name=name)), right=Lit()):
            yield name
        case IsMissing() | Compare():
            return  # "late" sets two dates against each other
        case _:
            for inner in terms_of(term) if len(terms_of(term)) > 1 else getattr(term, "terms", ()):
                yield from _compared(inner)


def _is_a_part(plan: Plan) -> bool:
    """Tell whether a plan asks for a part of rows."""
    return any(one.where is not None for step in plan.steps if isinstance(step, Aggregate) for one in step.measures)


def _moved(reading: Reading, date: str, event: _Event) -> Reading | None:
    """Return a reading with its conditions on one date said of another; None where a step after them goes by it."""
    old = reading.plan
    steps = [
        _of(step.model_dump(mode="json"), date, event.date) if isinstance(step, Filter) else step for step in old.steps
    ]
    tree = old.model_dump(mode="json")
    tree["steps"] = [step if isinstance(step, dict) else step.model_dump(mode="json") for step in steps]
    try:
        plan = Plan.model_validate(tree)
    except (PlanError, ValueError):
        return None
    note = f"The period is taken to be that of “{event.word}”, by `{event.date}`."
    return replace(reading, plan=plan, assumptions=(*reading.assumptions, note))


def _of(tree: Any, date: str, own: str) -> Any:
    """Return a condition, written as JSON, whose comparisons of one column with constants are of another."""
    match tree:
        case {"kind": "compare", "left": left, "right": {"kind": "lit"}}:
            return {**tree, "left": _renamed(left, date, own)}
        case dict():
            return {key: _of(value, date, own) for key, value in tree.items()}
        case list():
            return [_of(value, date, own) for value in tree]
        case _:
            return tree


def _renamed(left: Any, date: str, own: str) -> Any:
    match left:
        case {"kind": "col", "name": str(name)} if name == date:
            return {**left, "name": own}
        case dict():
            return {key: _renamed(value, date, own) for key, value in left.items()}
        case _:
            return left
