"""A limit on things that have several rows each: "agents with a score below 3" may have one such row, or such a mean.

What adds up surely is limited in its total before, so what is left here is a rate, a level, or nobody knows.
"""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl.around.limits.compared_in_sum import group_asked_for
from jupyter_mcpgen.nl.around.limits.limits import Limit, limits_of
from jupyter_mcpgen.nl.around.limits.limits_in_sum import LIMITED, names_single_rows, says_in_all
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.predicates import holds_years
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding, asking_which
from jupyter_mcpgen.nl.tables.dependencies import has_one_value, is_known_by_row
from jupyter_mcpgen.nl.tables.levels_at_times import tells_one_row
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Col, Columns, CompareOp, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Distinct, Filter, Measure, Sort, SortKey, Step

_UPPER = (CompareOp.GT, CompareOp.GE)
_BOUNDS = (*_UPPER, CompareOp.LT, CompareOp.LE)


def asking_row_or_all(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Ask whether one row of a thing is to keep a limit or all of them taken together, where either may be meant.

    A limit that no row comes to is one of the total.
    """
    if not isinstance(meant, Answered) or names_single_rows(question, context, language):
        return meant
    group = group_asked_for(meant.winner.plan, question, context, language)
    if group is None or group not in context.column_words or context.is_key(group):
        return meant
    limit = _limit_of_rows(meant.winner, group, context)
    if limit is None:
        return meant
    table = load_vocabulary(language)
    words = {token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)}
    if words & table.words("at_some_time"):
        return meant
    called = set(context.column_words[limit.column])
    adds = context.adds_up(limit.column) is not False or bool(called & table.words("nouns_of_distances"))
    in_all = says_in_all(question, context, language) or bool(words & table.words("of_totals"))
    function = AggregateFunction.SUM if adds or in_all else AggregateFunction.MEAN
    made = _of_all(meant.winner, group, limit, function)
    if made is None:
        return meant
    if in_all or (adds and _is_beyond_rows(limit, context)):
        note = LIMITED.format(f"`{limit.column}`", group)
        return replace(meant, winner=replace(made, assumptions=(*meant.winner.assumptions, note)))
    about = f"A limit of `{limit.column}` may be one of single rows, or of all rows of each `{group}`. "
    return asking_which((meant.winner, made), about)


def _limit_of_rows(reading: Reading, group: str, context: Context) -> Limit | None:
    """Return the limit of the rows that are counted or listed by group; None where it is no figure that differs."""
    chosen = [step for step in reading.plan.steps if isinstance(step, Filter)]
    counted, *behind = [step for step in reading.plan.steps if not isinstance(step, Filter)]
    if not isinstance(counted, Aggregate | Distinct) or not all(isinstance(step, Sort) for step in behind):
        return None
    if isinstance(counted, Aggregate) and any(one.function not in _COUNTS for one in counted.measures):
        return None
    terms = [term for step in chosen for term in terms_of(step.predicate)]
    limits = [one for step in chosen for one in limits_of(step.predicate) if _is_of_rows(one, context)]
    if len(limits) != 1 or chosen != list(reading.plan.steps[: len(chosen)]):
        return None
    name = limits[0].column
    others = {one for term in terms if term != limits[0].term for one in names_in(term)}
    if not is_known_by_row(name, group, context=context) or not others <= context.column_words.keys():
        return None
    if has_one_value(name, group, context) or tells_one_row((group, *sorted(others)), context):
        return None
    return limits[0]


def _is_of_rows(limit: Limit, context: Context) -> bool:
    """Tell whether a limit is one of a figure; "had a discount", which is above 0, is so of one row as of all.

    A year and a place in an order are no figures: "towns with a mill built before 1850" have one such mill.
    """
    bounds = limit.op in _BOUNDS and (limit.op, limit.number) != (CompareOp.GT, 0)
    if not bounds or limit.column not in context.column_words or not context.is_measure(limit.column):
        return False
    ranked = set(context.column_words[limit.column]) & context.lexicon.nouns_of_ranks
    return not ranked and context.column(limit.column).kind is not Kind.YEAR and not holds_years(limit.column, context)


def _is_beyond_rows(limit: Limit, context: Context) -> bool:
    """Tell whether no single row can keep a limit from below."""
    top = context.column(limit.column).maximum
    return limit.op in _UPPER and isinstance(top, int | float) and limit.number > top


def _of_all(reading: Reading, group: str, limit: Limit, function: AggregateFunction) -> Reading | None:
    """Return the groups whose total or mean keeps a limit, or their number."""
    steps = reading.plan.steps
    terms = [term for step in steps if isinstance(step, Filter) for term in terms_of(step.predicate)]
    figure = Measure(function=function, column=Col(name=limit.column))
    made: list[Step] = [Filter(predicate=term) for term in terms if term != limit.term]
    made += [Aggregate(by=Columns(names=(group,)), measures=(figure,)), Filter(predicate=limit.on_figure(figure.name))]
    if group in reading.plan.result_schema.names:
        made.append(Sort(keys=(SortKey(column=figure.name, descending=limit.op in _UPPER),)))
    else:  # how many there are was asked
        made.append(Aggregate(by=Columns(names=()), measures=(Measure(function=AggregateFunction.COUNT, column=None),)))
    return reading.with_steps(tuple(made))


_COUNTS = (AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT)
