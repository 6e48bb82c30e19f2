"""Rows that never had what is denied of a period: who has not cancelled at all did not cancel in 2024 either."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Reading, Understanding, each_reading
from jupyter_mcpgen.nl.tables.own_dates import begun_at, own_date
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Col,
    Compare,
    CompareOp,
    DatePart,
    IsMissing,
    Lit,
    Predicate,
    terms_of,
)
from jupyter_mcpgen.plan.ops import Aggregate, Filter, Measure, Step

_NOTE = "Rows without a `{0}` are taken to be of what never was, and are counted in."


def keeping_never_done(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning whose denied periods of an event are also met by the rows without a date of it."""
    denied = _denied_events(question, Table(context, load_vocabulary(language)))
    return each_reading(meant, partial(_with_never, denied=denied)) if denied else meant


def _denied_events(question: str, table: Table) -> dict[str, bool]:
    """Return the dates, empty in some rows, of what is denied, and whether it stands right behind the denial.

    The date at which a row was made is not one of them: where it is missing, it is unknown.
    """
    context, denials = table.context, table.words("not_so")
    lexicon, made = context.lexicon, {own_date(context), begun_at(context)}
    found, near, denied = dict[str, bool](), False, False
    for token in tokenize(question, decimal_comma=lexicon.decimal_comma):
        if token.lower in denials or any(isinstance(one, m.Not) for one in lexicon.meanings(token.lower)):
            near = denied = True
        elif denied and not lexicon.meanings(token.lower):
            date = columns.date_of(token.lower, table)
            if date is not None and date not in made and context.column(date).nulls:
                found[date] = found.get(date, False) or near
                denied = False
            near = near and (lexicon.is_filler(token.lower) or context.plain(token.lower) in context.row_nouns)
    return found


def _with_never(reading: Reading, denied: dict[str, bool]) -> Reading:
    old = reading.plan
    steps = tuple(_of_step(step, denied) for step in old.steps)
    if steps == old.steps:
        return reading
    changed = "".join(repr(new) for step, new in zip(old.steps, steps, strict=True) if step != new)
    notes = tuple(_NOTE.format(name) for name in sorted(denied) if repr(name) in changed)
    plan = old.with_steps(steps).model_copy(update={"chart": old.chart})
    return replace(reading, plan=plan, assumptions=(*reading.assumptions, *notes))


def _of_step(step: Step, denied: dict[str, bool]) -> Step:
    match step:
        case Filter(predicate=predicate):
            return Filter(predicate=_or_never(predicate, denied))
        case Aggregate(measures=measures):
            return step.model_copy(update={"measures": tuple(_of_measure(one, denied) for one in measures)})
        case _:
            return step


def _of_measure(measure: Measure, denied: dict[str, bool]) -> Measure:
    if measure.where is None:
        return measure
    return measure.model_copy(update={"where": _or_never(measure.where, denied)})


def _or_never(predicate: Predicate, denied: dict[str, bool]) -> Predicate:
    """Return a condition whose denied periods are also met by rows without the date, unless it asks for that itself."""
    terms = terms_of(predicate)
    told = {term.operand.name for term in terms if isinstance(term, IsMissing)}
    limits = [name for term in terms if (name := _limited(term)) is not None]
    made = []
    for term in terms:
        one_side = _limited(term)
        alone = one_side is not None and limits.count(one_side) == 1 and denied.get(one_side, False)
        name = one_side if alone else _denied_period(term)
        never = name in denied and name not in told
        made.append(_either(IsMissing(operand=Col(name=name)), term) if never and name is not None else term)
    return made[0] if len(made) == 1 else All(terms=tuple(made)) if tuple(made) != terms else predicate


def _either(never: IsMissing, term: Predicate) -> AnyOf:
    return AnyOf(terms=(never, *(term.terms if isinstance(term, AnyOf) else (term,))))


def _limited(term: Predicate) -> str | None:
    """Return the column that a condition sets one limit of, or None."""
    match term:
        case Compare(op=CompareOp.LT | CompareOp.LE | CompareOp.GE | CompareOp.GT, left=Col(name=name), right=Lit()):
            return name
        case _:
            return None


def _denied_period(term: Predicate) -> str | None:
    """Return the column of which a condition wants what is before or after a period, or None."""
    match term:
        case AnyOf(terms=(Compare(op=CompareOp.LT) as before, Compare(op=CompareOp.GE | CompareOp.GT) as after)):
            name = _limited(before)
            return name if name == _limited(after) else None
        case Compare(op=CompareOp.NE, left=DatePart(operand=Col(name=name)), right=Lit()):
            return name
        case _:
            return None
