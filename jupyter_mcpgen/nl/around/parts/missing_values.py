"""What missing values do to a figure that could treat them in two ways: shares, rates and differences of sums."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.comparing.plans.figures import redrawn, renamed
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.predicates import equals, is_true
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding
from jupyter_mcpgen.nl.tables.flags import flags_of
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Arithmetic,
    ArithmeticOp,
    Col,
    IsMissing,
    Parse,
    Predicate,
    terms_of,
)
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Limit, Measure, Select, Sort, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

_PARTS = (AggregateFunction.RATE, AggregateFunction.PERCENT)


def settling_missing(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning whose rates are shares of all rows, as its other shares are, and that says what is missing."""
    if not isinstance(meant, Answered):
        return meant
    winner = meant.winner
    aggregate = next((step for step in winner.plan.steps if isinstance(step, Aggregate)), None)
    if aggregate is None:
        return meant
    flags = _flags(winner.plan, context, language)
    if not _says_average(question, context):
        winner = _as_shares(winner, aggregate, flags, context)
    notes = tuple(note for note in _notes(winner.plan, flags, context) if note not in winner.assumptions)
    if not notes and winner is meant.winner:
        return meant
    winner = replace(winner, assumptions=(*winner.assumptions, *notes))
    known = tuple(_of_known_rows(winner, context))
    return replace(meant, winner=winner, alternatives=(*known, *meant.alternatives))


def _says_average(question: str, context: Context) -> bool:
    """Tell whether a question asks for an average in words, which leaves missing values out."""
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    meanings = (meaning for token in tokens for meaning in context.lexicon.meanings(token.lower))
    return any(isinstance(one, m.Function) and one.function is AggregateFunction.MEAN for one in meanings)


def _flags(plan: Plan, context: Context, language: str) -> frozenset[str]:
    """Return the columns that say yes or no where a plan aggregates: of truth, of 0 and 1, or read as truth."""
    truths = {name for name in context.profile.schema_.names if context.type_of(name) is ColumnType.BOOLEAN}
    return frozenset({*truths, *flags_of(context.profile, language), *_read_as_truth(plan, context)})


def _read_as_truth(plan: Plan, context: Context) -> Iterator[str]:
    for step in plan.steps:
        if isinstance(step, Derive) and isinstance(step.expression, Parse) and step.name in context.column_words:
            written = context.column(step.name).written
            if any(way.writing == step.expression.writing and way.type is ColumnType.BOOLEAN for way in written):
                yield step.name


def _lacks(name: str, context: Context) -> bool:
    return name in context.column_words and context.column(name).nulls > 0


def _as_shares(reading: Reading, aggregate: Aggregate, flags: frozenset[str], context: Context) -> Reading:
    """Return a reading with the means of yes-or-no columns that lack values said as shares of all rows."""
    place = reading.plan.steps.index(aggregate)
    after = reading.plan.steps[place + 1 :]
    if not all(isinstance(step, Sort | Select | Limit) for step in after):
        return reading
    changed = {one.name: _share(one, context) for one in aggregate.measures if _is_mean_of(one, flags, context)}
    if not changed:
        return reading
    names = {name: share.name for name, share in changed.items()}
    measures = tuple(changed.get(one.name, one) for one in aggregate.measures)
    if len({one.name for one in measures}) < len(measures):
        return reading
    steps = (
        *reading.plan.steps[:place],
        aggregate.model_copy(update={"measures": measures}),
        *renamed(after, names),
    )
    plan = reading.plan
    shared = plan.with_steps(steps, redrawn(plan.chart, names))
    return replace(reading, plan=shared)


def _is_mean_of(measure: Measure, flags: frozenset[str], context: Context) -> bool:
    column = measure.column
    mean = measure.function is AggregateFunction.MEAN and measure.where is None
    return mean and column is not None and column.name in flags and _lacks(column.name, context)


def _share(measure: Measure, context: Context) -> Measure:
    name = measure.column.name if measure.column is not None else ""
    numbered = context.type_of(name) is ColumnType.INTEGER
    return Measure(function=AggregateFunction.RATE, where=equals(name, 1) if numbered else is_true(name))


def _notes(plan: Plan, flags: frozenset[str], context: Context) -> Iterator[str]:
    """Yield what is to be said of rows that lack a value of what a plan compares, averages or takes off."""
    held = {
        term.operand.name
        for step in plan.steps
        if isinstance(step, Filter)
        for term in terms_of(step.predicate)
        if isinstance(term, IsMissing) and term.negated
    }
    sums: dict[str, str] = {}
    for step in plan.steps:
        if isinstance(step, Aggregate):
            for measure in step.measures:
                yield from (_NO_YES.format(name) for name in _asked_of(measure, context) if name not in held)
                if _is_mean_of(measure, flags, context) and measure.column is not None:
                    yield _LEFT_OUT.format(measure.column.name)
                if measure.function is AggregateFunction.SUM and measure.column is not None:
                    sums[measure.name] = measure.column.name
        if isinstance(step, Derive) and isinstance(step.expression, Arithmetic):
            yield from (_AS_ZERO.format(one) for one in _differences(step.expression, sums) if _lacks(one, context))


def _of_known_rows(reading: Reading, context: Context) -> Iterator[Reading]:
    """Yield a share of the rows that have a value of the one column that it asks of, where it is one of all rows."""
    steps = reading.plan.steps
    place = next(place for place, step in enumerate(steps) if isinstance(step, Aggregate))
    names = {name for measure in _measures(steps[place]) for name in _asked_of(measure, context)}
    if len(names) != 1 or any(isinstance(step, Filter) for step in steps[:place]):
        return
    (name,) = names
    known = Filter(predicate=IsMissing(operand=Col(name=name), negated=True))
    plan = reading.plan.tried((*steps[:place], known, *steps[place:]))
    if plan is None:
        return  # a step behind it needs what is left out
    without = tuple(note for note in reading.assumptions if note != _NO_YES.format(name))
    yield replace(reading, plan=plan, label=_KNOWN.format(name), assumptions=without)


def _measures(step: Step) -> tuple[Measure, ...]:
    return step.measures if isinstance(step, Aggregate) else ()


def _asked_of(measure: Measure, context: Context) -> Iterator[str]:
    """Yield the columns that lack values of which a share asks something, except whether there is a value."""
    if measure.function in _PARTS and measure.where is not None:
        yield from sorted({name for name in _compared(measure.where) if _lacks(name, context)})


def _compared(predicate: Predicate) -> Iterator[str]:
    """Yield the columns of which a condition looks at the value, and not only at whether there is one."""
    match predicate:
        case IsMissing():
            return
        case All(terms=terms) | AnyOf(terms=terms):
            met = {term.operand.name for term in terms if isinstance(term, IsMissing) and isinstance(predicate, AnyOf)}
            for term in terms:
                yield from (name for name in _compared(term) if name not in met)
        case _:
            yield from names_in(predicate)


def _differences(expression: Arithmetic, sums: dict[str, str]) -> Iterator[str]:
    """Yield the columns whose sums are set against each other by a difference."""
    if expression.op is ArithmeticOp.SUBTRACT:
        ends = (expression.left, expression.right)
        names = [sums[end.name] for end in ends if isinstance(end, Col) and end.name in sums]
        yield from names if len(names) == len(ends) else ()


_NO_YES = "A row without `{0}` is one of all the rows, and none of those that meet the condition."
_KNOWN = "only rows with {}"
_LEFT_OUT = "Rows without `{0}` are left out of the average."
_AS_ZERO = "The sums are set against each other: a row without `{0}` adds nothing to its sum."
