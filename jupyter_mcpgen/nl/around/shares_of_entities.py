"""Parts of what has several rows: "share of customers from North", "what percentage of customers ordered again".

How many there are is read first; the same condition is then asked of each, and their part is the answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.around.settled import settled
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.everyday.saying import persons
from jupyter_mcpgen.nl.everyday.saying.identifiers import told_apart
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Term
from jupyter_mcpgen.nl.reading import Answered, Read, Reading
from jupyter_mcpgen.nl.tables.dependencies import has_one_value
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import All, Col, Columns, Compare, CompareOp, Lit, Predicate, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Measure, Sort, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType


def read_shares_of_entities(question: str, profile: Profile, language: str, read: Read) -> Answered | None:
    """Return the part of all that meet a condition, where a question asks for it and their number can be read."""
    table = table_of(profile, language)
    found = Speech(question).find(table.wording("share_of_entities"))
    if found is None:
        return None
    number = found.said()
    counted = settled(read(number, profile, language), number, profile, language)
    if not isinstance(counted, Answered):
        return None
    if _counts_dates(counted.winner.plan, context_of(profile, language)):
        return None  # rows are refunded, and no days are asked for
    acting = not found["being"] and not any(_is_dealt_with(key, table) for key in _counted(counted.winner.plan))
    if not acting and not _is_of_each(counted.winner.plan, table.context):
        return None  # what is, and has several rows that differ, may be so in any of them or in all
    percent = found.meant("share") in ("", Term.PERCENTAGE)
    made = _share(counted.winner, AggregateFunction.PERCENT if percent else AggregateFunction.RATE)
    return None if made is None else Answered(made)


def _share(reading: Reading, function: AggregateFunction) -> Reading | None:
    """Return the part of all groups of rows that a reading counts; None where it counts no groups, or not of all."""
    plan = reading.plan
    place = next((at for at, step in enumerate(plan.steps) if not isinstance(step, Derive | Filter)), len(plan.steps))
    before, after = plan.steps[:place], tuple(step for step in plan.steps[place:] if not isinstance(step, Sort))
    derived = [step for step in before if isinstance(step, Derive)]
    terms = [term for step in before if isinstance(step, Filter) for term in terms_of(step.predicate)]
    match after:
        case (Aggregate(by=Columns(names=()), measures=(Measure(where=None, column=Col(name=key)) as one,)),) if (
            one.function is AggregateFunction.COUNT_DISTINCT
        ):
            steps, met = _meeting(key, terms)
        case (
            Aggregate(by=Columns(names=(key,))) as groups,
            Filter(predicate=met),
            Aggregate(by=Columns(names=()), measures=(Measure(function=AggregateFunction.COUNT, where=None),)),
        ) if not terms:
            steps = groups
        case _:
            return None
    if steps is None or met is None:
        return None
    part = Aggregate(by=Columns(names=()), measures=(Measure(function=function, column=None, where=met),))
    notes = [f"A condition is met by each `{key}` that has a row which meets it."] if terms else []
    notes.append(f"This is the part of all different `{key}`.")
    return reading.with_steps(
        (*derived, steps, part), assumptions=(*reading.assumptions, *notes)
    )  # the condition is about a column that groups do not have


def _counts_dates(plan: Plan, context: Context) -> bool:
    """Tell whether a plan counts different dates, also where they are written as texts."""
    counted = {m.column.name for step in plan.steps if isinstance(step, Aggregate) for m in step.measures if m.column}
    known = [name for name in counted if name in context.column_words]
    written = (one.type for name in known for one in context.column(name).written)
    return ColumnType.DATE in (*(context.type_of(name) for name in known), *written)


def _counted(plan: Plan) -> Iterator[str]:
    """Yield the columns of which a plan counts the different values of all rows that it looks at."""
    for step in plan.steps:
        if isinstance(step, Aggregate) and not step.by.names:
            yield from (measure.column.name for measure in step.measures if measure.column is not None)


def _is_dealt_with(name: str, table: Table) -> bool:
    """Tell whether a column tells apart what others deal with: a product, and no customer and no order."""
    bought = table.words("purchases") | table.words("deals")
    told = told_apart(name, table) or () if name in table.context.column_words else ()
    known = name in table.context.column_words and persons.names_persons(name, table)
    return not known and not set(told) & bought


def _is_of_each(plan: Plan, context: Context) -> bool:
    """Tell whether what a plan asks of the things that it counts is the same in all rows of each."""
    keys = [m.column for step in plan.steps if isinstance(step, Aggregate) for m in step.measures]
    asked = {name for step in plan.steps if isinstance(step, Filter) for name in names_in(step.predicate)}
    known = set(context.column_words)
    return all(
        isinstance(key, Col) and asked <= known and all(has_one_value(name, key.name, context) for name in asked)
        for key in keys
    )


def _meeting(key: str, terms: list[Predicate]) -> tuple[Step | None, Predicate | None]:
    """Return the groups of a key with the number of their rows that meet one condition, and that there are some.

    Of two conditions, one may say which rows are looked at.
    """
    if not terms or len({name for term in terms for name in names_in(term)} | {key}) != 1 + 1:
        return None, None
    such = Measure(
        function=AggregateFunction.COUNT, column=None, where=terms[0] if len(terms) == 1 else All(terms=tuple(terms))
    )
    none = Lit(value=0, type=ColumnType.INTEGER)
    some = Compare(op=CompareOp.GT, left=Col(name=such.name), right=none)
    return Aggregate(by=Columns(names=(key,)), measures=(such,)), some
