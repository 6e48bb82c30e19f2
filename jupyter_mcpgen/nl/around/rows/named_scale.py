"""A value of several columns is one of the column that is named: "how many agree with workload is fair"."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.mentions.columns import columns_in
from jupyter_mcpgen.nl.mentions.naming import WITHOUT_TOTAL
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Understanding, asking_which
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import All, Col, Columns, Compare, CompareOp, Lit, Predicate, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, Filter, Select, Sort, Step

FEWEST_WORDS = 2
"""A column of one word is named by chance."""


def asking_of_the_named(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning; asked about where a value is looked for in a column that is not named, and another one is."""
    if not isinstance(meant, Answered | Asked):
        return meant
    readings = (meant.winner,) if isinstance(meant, Answered) else meant.options
    named = _named(question, context)
    said = {context.plain(token.lower) for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)}
    made = [_of_named(reading, named | _shown(reading, said, context), context) for reading in readings]
    if not readings or made[0] is None or None in made:
        return meant
    ways = (made[0], *readings)
    return asking_which(ways)


def _named(question: str, context: Context) -> frozenset[str]:
    """Return the columns of several words that a question names wholly."""
    tokens = tuple(tokenize(question, decimal_comma=context.lexicon.decimal_comma))
    return frozenset(
        item.meaning.name
        for item in columns_in(tokens, context)
        if isinstance(item.meaning, m.Column) and item.cost <= WITHOUT_TOTAL and item.end - item.start >= FEWEST_WORDS
    )


def _shown(reading: Reading, said: set[str], context: Context) -> frozenset[str]:
    """Return the columns that a reading shows where no word of its conditions' columns is said: "neutral on trust"."""
    held = {name for step in reading.plan.steps for term in _terms(step) if (name := _column_of(term)) is not None}
    if any(said & set(context.column_words.get(name, ())) - context.lexicon.filler for name in held):
        return frozenset()
    shown = (name for step in reading.plan.steps if isinstance(step, Select) for name in step.columns.names)
    return frozenset(name for name in shown if said & set(context.column_words.get(name, ())) - context.lexicon.filler)


def _of_named(reading: Reading, named: frozenset[str], context: Context) -> Reading | None:
    """Return a reading with its value looked for in the one named column that has it, too; None where none does."""
    held = {name for step in reading.plan.steps for term in _terms(step) if (name := _column_of(term)) is not None}
    if held & named:
        return None
    for step in reading.plan.steps:
        for term in _terms(step):
            fitting = [name for name in named if _has(name, term, context)]
            if len(fitting) == 1:
                return _swapped(reading, term, fitting[0])
    return None


def _terms(step: Step) -> Iterator[Predicate]:
    if isinstance(step, Filter):
        yield from terms_of(step.predicate)
    elif isinstance(step, Aggregate):
        yield from (term for measure in step.measures if measure.where for term in terms_of(measure.where))


def _column_of(term: Predicate) -> str | None:
    return term.left.name if isinstance(term, Compare) and isinstance(term.left, Col) else None


def _has(name: str, term: Predicate, context: Context) -> bool:
    """Tell whether a condition is that a column of a scale is, or is not, a value that a named one has as well."""
    if not isinstance(term, Compare) or term.op not in (CompareOp.EQ, CompareOp.NE) or not isinstance(term.right, Lit):
        return False
    own = _column_of(term)
    scale = own in context.column_words and bool(context.column(own).order) if own is not None else False
    return scale and name in context.column_words and term.right.value in context.column(name).order


def _swapped(reading: Reading, term: Predicate, name: str) -> Reading | None:
    """Return a reading with a condition on another column, which is neither shown nor makes groups any more."""
    if not isinstance(term, Compare):
        return None
    other = term.model_copy(update={"left": Col(name=name)})
    made: list[Step] = []
    for step in reading.plan.steps:
        match step:
            case Filter():
                made.append(Filter(predicate=_with(step.predicate, term, other)))
            case Select():
                rest = tuple(shown for shown in step.columns.names if shown != name)
                made += [Select(columns=Columns(names=rest))] if rest else []
            case Aggregate():
                measures = tuple(
                    each.model_copy(update={"where": _with(each.where, term, other)}) if each.where else each
                    for each in step.measures
                )
                by = tuple(key for key in step.by.names if key != name)
                made.append(Aggregate(by=Columns(names=by), measures=measures))
            case Sort() if name in names_in(step):
                continue
            case _:
                made.append(step)
    return reading.with_steps(tuple(made))


def _with(predicate: Predicate, term: Predicate, other: Predicate) -> Predicate:
    terms = tuple(other if each == term else each for each in terms_of(predicate))
    return terms[0] if len(terms) == 1 else All(terms=terms)
