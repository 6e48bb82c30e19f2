"""Names that several persons share, beside their identifier: "top customers" are customers, not names.

Grouped or counted by the name alone, two persons who are called alike would stand as one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying import persons
from jupyter_mcpgen.nl.everyday.saying.identifiers import told_apart
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.other_names import called_otherwise
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding, retold
from jupyter_mcpgen.nl.tables.dependencies import has_one_value, is_known_by_row, keys_of_value
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Col, Columns, Compare, CompareOp, Lit, terms_of
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Derive,
    Distinct,
    Filter,
    Limit,
    Resample,
    Select,
    Sort,
    Step,
)
from jupyter_mcpgen.plan.plan import Plan


@dataclass(frozen=True)
class _Shared:
    """A column of names, some of which several share, and the identifier that tells these apart."""

    name: str
    key: str
    persons: bool
    """Whether they are persons: wares that are called alike may well be meant as one."""


def telling_namesakes_apart(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning that groups and counts persons by their identifier where several share a name.

    Where a question asks for names, or no plan can be said so, the meaning says that namesakes stand as one.
    """
    if isinstance(meant, Refused):
        return meant
    table = Table(context, load_vocabulary(language))
    words = (token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma))
    by_name = bool({context.plain(word) for word in words} & set(table.vocabulary.ranked.get("names", ())))
    for shared in _all_shared(table):
        if isinstance(meant, Asked):
            meant = meant if by_name else _of_each_way(meant, shared, context)
        elif isinstance(meant, Answered):
            winner = _told_apart(meant.winner, shared, context, by_name=by_name)
            meant = meant if winner is meant.winner else replace(meant, winner=winner, alternatives=())
    return meant


def _of_each_way(asked: Asked, shared: _Shared, context: Context) -> Asked:
    ways = tuple(_told_apart(way, shared, context, by_name=False) for way in asked.options)
    return Asked(retold(asked.question, zip(asked.options, ways, strict=True)), ways)


def _all_shared(table: Table) -> Iterator[_Shared]:
    """Yield the columns of names beside an identifier of which there are more."""
    context, own = table.context, table.context.column_words
    names = tuple((word,) for word in table.vocabulary.ranked.get("names", ()))
    for key in own:
        told = told_apart(key, table) or ()
        bare = names if context.is_key(key) and persons.names_persons(key, table) else ()  # each row is a person
        called = {*bare, *((*told, *rest) for rest in ((), *names))}
        for name in own if told else ():
            fitting = name != key and own[name] in called
            if fitting and context.column(name).distinct < context.column(key).distinct and not context.is_number(name):
                yield _Shared(name, key, persons.names_persons(key, table))


def _told_apart(reading: Reading, shared: _Shared, context: Context, *, by_name: bool) -> Reading:
    """Return a reading by the identifier, or with a note; as it was where it does not go by the name."""
    plan = reading.plan
    used = _goes_by(plan, shared)
    if not used:
        notes = tuple(_called_alike(plan, shared, context))
        return replace(reading, assumptions=(*reading.assumptions, *notes)) if notes else reading
    made = None if by_name or not shared.persons or _is_doubtful(shared, context) else _by_key(plan, shared)
    if made is None:
        note = f"Several `{shared.key}` share a `{shared.name}`; they stand as one."
        return replace(reading, assumptions=(*reading.assumptions, note))
    note = f"Several `{shared.key}` share a `{shared.name}`, so each `{shared.key}` stands for itself."
    kept = (one for one in reading.assumptions if f"Each `{shared.name}` " not in one)
    return replace(reading, plan=made, assumptions=(*kept, note))


def _is_doubtful(shared: _Shared, context: Context) -> bool:
    """Tell whether rows lack the identifier, or one of them has several names."""
    if context.column(shared.key).nulls > context.column(shared.name).nulls:
        return True
    known = is_known_by_row(shared.key, shared.name, context=context)
    return known and not has_one_value(shared.name, shared.key, context)


def _goes_by(plan: Plan, shared: _Shared) -> bool:
    """Tell whether a plan groups by a name, lists or counts the different ones, and not by the identifier."""
    for step in plan.steps:
        match step:
            case Aggregate(by=by, measures=measures) | Resample(by=by, measures=measures):
                if shared.name in by.names and shared.key not in by.names:
                    return True
                if any(_counts(measure.function) and measure.column == Col(name=shared.name) for measure in measures):
                    return True
            case Distinct(columns=by):
                if shared.name in by.names and shared.key not in by.names:
                    return True
            case Derive(name=name) if shared.name in names_in(step.expression) and name in _counted_apart(plan):
                return True
            case _:
                continue
    return False


def _counts(function: AggregateFunction) -> bool:
    return function is AggregateFunction.COUNT_DISTINCT


def _counted_apart(plan: Plan) -> set[str]:
    """Return the columns of which a plan counts the different values."""
    figures = (step for step in plan.steps if isinstance(step, Aggregate | Resample))
    return {m.column.name for step in figures for m in step.measures if m.column and _counts(m.function)}


def _by_key(plan: Plan, shared: _Shared) -> Plan | None:
    """Return a plan that goes by the identifier, and shows the name beside it; None where a step does otherwise."""
    renamed: dict[str, str] = {}
    counted = _counted_apart(plan)
    steps: list[Step] = []
    for step in plan.steps:
        own = called_otherwise(step, renamed) if renamed else step
        match own:
            case Aggregate() | Resample():
                steps.extend(_figures(own, shared, renamed))
            case Distinct() | Select():
                steps.append(own.model_copy(update={"columns": _with_key(own.columns, shared)}))
            case Derive(name=name) if shared.name in names_in(own.expression) and name in counted:
                steps.append(called_otherwise(own, {shared.name: shared.key}))
            case Filter() | Sort() | Limit() | Derive():
                steps.append(own)
            case _ if shared.name in names_in(own):
                return None
            case _:
                steps.append(own)
    chart = plan.chart
    if chart is not None:
        grouped = {shared.name: shared.key} if shared.name in (chart.x, chart.color) else {}
        chart = called_otherwise(chart, {**renamed, **grouped})
    return plan.tried(tuple(steps), chart)


def _figures(step: Aggregate | Resample, shared: _Shared, renamed: dict[str, str]) -> Iterator[Step]:
    """Yield the same figures by the identifier; its own number by itself lists each."""
    measures = []
    for measure in step.measures:
        own = measure
        if _counts(measure.function) and measure.column == Col(name=shared.name):
            own = measure.model_copy(update={"column": Col(name=shared.key)})
            renamed.update({measure.name: own.name} if measure.label is None else {})
        measures.append(own)
    yield step.model_copy(update={"by": _with_key(step.by, shared), "measures": tuple(measures)})


def _with_key(by: Columns, shared: _Shared) -> Columns:
    """Return columns with the identifier before the name."""
    if shared.name not in by.names or shared.key in by.names:
        return by
    place = by.names.index(shared.name)
    return Columns(names=(*by.names[:place], shared.key, *by.names[place:]))


def _called_alike(plan: Plan, shared: _Shared, context: Context) -> Iterator[str]:
    """Yield notes about names that a plan keeps rows of, and that several have."""
    if any(shared.key in names_in(step) for step in plan.steps):
        return
    for step in plan.steps:
        for term in terms_of(step.predicate) if isinstance(step, Filter) else ():
            match term:
                case Compare(op=CompareOp.EQ, left=Col(name=name), right=Lit(value=value)) if name == shared.name:
                    number = keys_of_value(value, name, shared.key, context)
                    if number > 1:
                        yield f"{number} `{shared.key}` are called “{value}”: these are the rows of all of them."
                case _:
                    continue
