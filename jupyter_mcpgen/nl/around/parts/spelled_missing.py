"""Texts that say there is no value, such as "?": they count as values where it is asked what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Understanding
from jupyter_mcpgen.nl.words.stored_values import spelled_missing
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import (
    Col,
    Compare,
    CompareOp,
    IsIn,
    IsMissing,
    Parse,
    Predicate,
    TextMatch,
    terms_of,
)
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Filter, Step
from jupyter_mcpgen.plan.statistics import MissingValues


def noting_spelled_missing(meant: Understanding, context: Context) -> Understanding:
    """Return a meaning about missing values that names the texts which say so too, and are not counted."""
    if not isinstance(meant, Answered):
        return meant
    steps = meant.winner.plan.steps
    read = {step.name for step in steps if isinstance(step, Derive) and isinstance(step.expression, Parse)}
    asked = dict.fromkeys(name for step in steps for name in _lacking(step) if name not in read)  # read: missing there
    notes = tuple(note for name in asked if name in context.column_words for note in _notes(name, context))
    return replace(meant, winner=replace(meant.winner, assumptions=(*meant.winner.assumptions, *notes)))


def _lacking(step: Step) -> Iterator[str]:
    """Yield the columns of which a step asks whether a value is missing."""
    match step:
        case MissingValues():
            yield from names_in(step)
        case Filter(predicate=predicate):
            yield from _in_terms(predicate)
        case Aggregate(measures=measures):
            for measure in measures:
                yield from _in_terms(measure.where) if measure.where is not None else ()
        case _:
            return


def _in_terms(predicate: Predicate) -> Iterator[str]:
    for term in terms_of(predicate):
        if isinstance(term, IsMissing) and isinstance(term.operand, Col):
            yield term.operand.name


def _notes(name: str, context: Context) -> Iterator[str]:
    spelled = spelled_missing(context.column(name))
    if spelled:
        said = " and ".join(f"“{value}”" for value in spelled)
        yield f"`{name}` says {said} in some rows: these count as values here, and not as missing."


def noting_rows_without_value(meant: Understanding, context: Context) -> Understanding:
    """Return a meaning that says how many rows are left out because they lack the value that a condition denies."""
    if not isinstance(meant, Answered):
        return meant
    terms = [term for step in meant.winner.plan.steps if isinstance(step, Filter) for term in terms_of(step.predicate)]
    told = {term.operand.name for term in terms if isinstance(term, IsMissing)}
    denied = [name for name in dict.fromkeys(_denied(terms)) if name in context.column_words and name not in told]
    notes = tuple(
        f"Rows without a `{name}` ({context.column(name).nulls:,} of {context.profile.rows:,} in the table) are left "
        "out, as what they are is not known."
        for name in denied
        if context.column(name).nulls
    )
    if not notes:
        return meant
    winner = meant.winner
    return replace(meant, winner=replace(winner, assumptions=(*winner.assumptions, *notes)))


def _denied(terms: list[Predicate]) -> Iterator[str]:
    """Yield the columns of which a condition says what they are not."""
    for term in terms:
        match term:
            case Compare(op=CompareOp.NE, left=Col(name=name)):
                yield name
            case IsIn(operand=Col(name=name), negated=True) | TextMatch(operand=Col(name=name), negated=True):
                yield name
            case _:
                pass
