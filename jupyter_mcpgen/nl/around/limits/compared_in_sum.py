"""Groups of which two amounts are compared: "crews with more spend than budget" compares the sums of each crew.

Read row by row, a crew would be one with any such row, and a number of rows would stand beside it unasked.
"""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.around.limits.limits import is_amount
from jupyter_mcpgen.nl.computed.vocabulary import load_computed
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.expressions import Col, Columns, Compare, Parse, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Distinct, Filter, Measure, Select, Sort, Step
from jupyter_mcpgen.plan.plan import Plan


def comparing_sums(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning, with the sums of each group compared where two amounts of its rows were."""
    plan = meant.winner.plan if isinstance(meant, Answered) else None
    group = group_asked_for(plan, question, context, language) if plan is not None else None
    if not isinstance(meant, Answered) or plan is None or group is None:
        return meant
    made = _in_sum(meant.winner, group, context)
    return meant if made is None else replace(meant, winner=made)


def group_asked_for(plan: Plan, question: str, context: Context, language: str) -> str | None:
    """Return the column of groups that are listed or counted, where a question is about these and not about rows."""
    aggregates = [step for step in plan.steps if isinstance(step, Aggregate)]
    listed = [step.columns.names for step in plan.steps if isinstance(step, Distinct)]
    if not aggregates and len(listed) == 1 == len(listed[0]):
        return listed[0][0] if _is_subject(listed[0][0], question, context, language) else None
    if len(aggregates) != 1 or len(aggregates[0].measures) != 1:
        return None
    by, measure = aggregates[0].by.names, aggregates[0].measures[0]
    if measure.where is not None:
        return None
    if measure.function is AggregateFunction.COUNT_DISTINCT and not by and measure.column is not None:
        return measure.column.name
    # a sum that was not asked for is one of what is compared
    unasked = measure.column is None or measure.function is AggregateFunction.SUM
    return by[0] if unasked and len(by) == 1 and _is_subject(by[0], question, context, language) else None


def _is_subject(name: str, question: str, context: Context, language: str) -> bool:
    """Tell whether a question opens with what a column holds, behind words such as "which" and "list the"."""
    vocabulary = load_computed(language)
    asking = vocabulary.lists["asking"] if vocabulary is not None else ()
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    first = next((word for word in words if word not in asking), "")
    return context.plain(first) in context.column_words.get(name, ())


def _in_sum(reading: Reading, group: str, context: Context) -> Reading | None:
    """Return the groups whose sums compare as the amounts of rows did; None where no two amounts are compared."""
    steps = reading.plan.steps
    place = next(place for place, step in enumerate(steps) if isinstance(step, Aggregate | Distinct))
    chosen = [step for step in steps[:place] if isinstance(step, Filter)]
    texts = [s for s in steps[:place] if isinstance(s, Derive) and isinstance(s.expression, Parse)]
    if len(chosen) + len(texts) != place or any(not isinstance(step, Sort | Select) for step in steps[place + 1 :]):
        return None
    terms = [term for step in chosen for term in terms_of(step.predicate)]
    compared = [term for term in terms if isinstance(term, Compare) and compares_amounts(term, context)]
    if len(compared) != 1 or not isinstance(compared[0].left, Col) or not isinstance(compared[0].right, Col):
        return None
    one, names = compared[0], (compared[0].left.name, compared[0].right.name)
    shown = [measure.column for step in steps[place:] if isinstance(step, Aggregate) for measure in step.measures]
    if any(column is not None and column.name not in (*names, group) for column in shown):
        return None  # the rows whose amounts compare so are those of which something else is told
    sums = tuple(Measure(function=AggregateFunction.SUM, column=Col(name=name)) for name in names)
    kept = one.model_copy(update={"left": Col(name=sums[0].name), "right": Col(name=sums[1].name)})
    made: list[Step] = list(texts)
    made += [Filter(predicate=term) for term in terms if term is not one]
    made += [Aggregate(by=Columns(names=(group,)), measures=sums), Filter(predicate=kept)]
    if group not in reading.plan.result_schema.names:  # how many there are was asked
        made.append(Aggregate(by=Columns(names=()), measures=(Measure(function=AggregateFunction.COUNT, column=None),)))
    note = f"`{names[0]}` and `{names[1]}` are added up for each `{group}`, and the sums compared."
    return reading.with_steps(
        tuple(made), assumptions=(*reading.assumptions, note)
    )  # the groups have the name of a sum


def compares_amounts(term: Compare, context: Context) -> bool:
    """Tell whether a condition compares two columns of amounts, which add up."""
    if not isinstance(term.left, Col) or not isinstance(term.right, Col):
        return False
    names = (term.left.name, term.right.name)
    known = all(name in context.profile.schema_.names and is_amount(name, context) for name in names)
    return known and all(context.adds_up(name) or context.counts_things(name) for name in names)
