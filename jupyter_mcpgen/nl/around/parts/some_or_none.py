"""Rows that have some of a figure, or none: where 0 says that there is none of it, so does a missing value."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.predicates import number
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding
from jupyter_mcpgen.nl.tables.flags import flags_of
from jupyter_mcpgen.nl.tables.written import over_texts_read, ways, with_texts_read
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.expressions import All, AnyOf, Col, Compare, CompareOp, IsMissing, Predicate, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Measure, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType


def counting_zero_as_none(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning where "had a discount" is a discount above 0, and "had none" one of 0, or a missing one."""
    if not isinstance(meant, Answered) or _says_missing(question, context):
        return meant
    profile = context.profile
    flags = flags_of(profile, language)
    winner = _by_their_number(meant.winner, _plain_words(question, context), context, frozenset(flags))
    for way, typed in ways(profile)[:1]:  # numbers that are written as text
        read = over_texts_read(winner.plan, way, typed)
        made = _said_of_zero(replace(winner, plan=read), context_of(typed, language)) if read is not None else None
        if made is not None:
            whole = with_texts_read(Answered(made), way, profile)
            if not isinstance(whole, Answered):
                return meant
            notes = tuple(dict.fromkeys(whole.winner.assumptions))
            return replace(meant, winner=replace(whole.winner, assumptions=notes), alternatives=())
    made = _said_of_zero(winner, context) or winner
    return meant if made is meant.winner else replace(meant, winner=made, alternatives=())


def _plain_words(question: str, context: Context) -> frozenset[str]:
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    return frozenset(context.plain(token.lower) for token in tokens)


def _by_their_number(reading: Reading, words: frozenset[str], context: Context, flags: frozenset[str]) -> Reading:
    """Return a reading in which "no reviews" goes by their number, not by the date of the last one or their rate."""
    steps = list(reading.plan.steps)
    for place, step in enumerate(steps):
        terms = terms_of(step.predicate) if isinstance(step, Filter) else ()
        for term in terms:
            name = term.operand.name if isinstance(term, IsMissing) and isinstance(term.operand, Col) else ""
            counted = _number_of_the_same(name, words, context, flags)
            if counted is None or len(terms) > 1:
                continue
            none = not (isinstance(term, IsMissing) and term.negated)
            limit = Compare(op=CompareOp.EQ if none else CompareOp.GT, left=Col(name=counted), right=number(0))
            steps[place] = Filter(predicate=limit)
            note = f"Whether there are any is told by `{counted}`, and not by `{name}`."
            plan = reading.plan.with_steps(tuple(steps)).model_copy(update={"chart": reading.plan.chart})
            return replace(reading, plan=plan, assumptions=(*reading.assumptions, note))
    return reading


def _number_of_the_same(name: str, words: frozenset[str], context: Context, flags: frozenset[str]) -> str | None:
    """Return the one column that counts, from 0 on, what another column tells more of; None if that one is named."""
    own = set(context.column_words.get(name, ()))
    if not own or own <= words:
        return None
    same = own & words
    counts = [
        other
        for other, parts in context.column_words.items()
        if other != name
        and same & set(parts)
        and _has_zeros(other, context)
        and context.type_of(other) is ColumnType.INTEGER
        and other not in flags
    ]
    return counts[0] if len(counts) == 1 else None


def _says_missing(question: str, context: Context) -> bool:
    """Tell whether a question says in words that a value is missing, or is there."""
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    phrases = [*words, *(f"{one} {other}" for one, other in pairwise(words))]
    meanings = (meaning for phrase in phrases for meaning in context.lexicon.meanings(phrase))
    return any(isinstance(meaning, m.MissingWord) for meaning in meanings)


def _said_of_zero(reading: Reading, context: Context) -> Reading | None:
    """Return a reading with 0 taken for none; None where it asks for no figure that is 0 in some rows."""
    plan, notes = reading.plan, list[str]()
    if any(isinstance(step, Derive) and step.name not in context.column_words for step in plan.steps):
        return None  # rows that lack a part of what is computed are left out
    steps = tuple(_of_step(step, plan, context, notes) for step in plan.steps)
    if not notes:
        return None
    made = plan.with_steps(steps, plan.chart)
    return replace(reading, plan=made, assumptions=tuple(dict.fromkeys((*reading.assumptions, *notes))))


def _of_step(step: Step, plan: Plan, context: Context, notes: list[str]) -> Step:
    match step:
        case Filter(predicate=predicate):
            return step.model_copy(update={"predicate": _changed(predicate, plan, context, notes)})
        case Aggregate(measures=measures):
            made = tuple(_of_measure(one, plan, context, notes) for one in measures)
            return step.model_copy(update={"measures": made})
        case _:
            return step


def _of_measure(measure: Measure, plan: Plan, context: Context, notes: list[str]) -> Measure:
    """Return a number that counts no zeros: "how many people have a gain" counts those of more than 0."""
    if measure.where is not None:
        return measure.model_copy(update={"where": _changed(measure.where, plan, context, notes)})
    name = measure.column.name if measure.column is not None else ""
    if measure.function is not AggregateFunction.COUNT or not _has_zeros(name, context):
        return measure
    notes.append(f"`{name}` is 0 in some rows: to have some is taken to mean `{name}` above 0.")
    return Measure(
        function=AggregateFunction.COUNT,
        column=None,
        where=Compare(op=CompareOp.GT, left=Col(name=name), right=number(0)),
        label=measure.name,
    )


def _changed(predicate: Predicate, plan: Plan, context: Context, notes: list[str]) -> Predicate:
    match predicate:
        case All(terms=terms):
            return predicate.model_copy(update={"terms": tuple(_changed(t, plan, context, notes) for t in terms)})
        case IsMissing(operand=Col(name=name), negated=negated) if _has_zeros(name, context):
            if negated:
                notes.append(f"`{name}` is 0 in some rows: to have some is taken to mean `{name}` above 0.")
                return Compare(op=CompareOp.GT, left=Col(name=name), right=number(0))
            zero = Compare(op=CompareOp.EQ, left=Col(name=name), right=number(0))
            if not context.column(name).nulls:
                notes.append(f"To have none is taken to mean `{name}` of 0; it is never missing.")
                return zero
            notes.append(f"To have none is taken to mean `{name}` of 0, or missing.")
            return AnyOf(terms=(zero, predicate))
        case _:
            return predicate


def _has_zeros(name: str, context: Context) -> bool:
    """Tell whether a column is a figure, never below 0 and 0 in some rows."""
    return name in context.column_words and context.is_measure(name) and context.column(name).minimum == 0
