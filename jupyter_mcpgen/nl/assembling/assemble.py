"""Turns a row of phrases into plans: what was said, what it implies, and what that costs in certainty.

Every phrase must have an effect on the plan. A kind of answer that has no place for something that was said is no
reading of the question.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.answers import Answer, Grouping, Listing, Outline, to_plan
from jupyter_mcpgen.nl.assembling.drawings import drawings, with_manner
from jupyter_mcpgen.nl.assembling.groupings import groupings
from jupyter_mcpgen.nl.assembling.implied import (
    BESIDE,
    IMPLIED,
    USUAL_KEPT,
    all_measures,
    counts,
    in_pieces,
    named_labels,
    with_numbers_added_up,
)
from jupyter_mcpgen.nl.assembling.kept_groups import counted_groups, counted_periods, lacking_groups
from jupyter_mcpgen.nl.assembling.listings import figures_of_rows, without_measures
from jupyter_mcpgen.nl.assembling.parts import Parts, collect, counted_as
from jupyter_mcpgen.nl.assembling.superlatives import best_of_each, best_rows_of_each, superlatives, top_row
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.manner.wishes import PLAIN, Manner
from jupyter_mcpgen.nl.parsing.grammar import COUNT_ROWS, FEW_VALUES
from jupyter_mcpgen.nl.parsing.parse import Cover
from jupyter_mcpgen.nl.parsing.rules.numbers import takes
from jupyter_mcpgen.nl.predicates import about, equal_values
from jupyter_mcpgen.nl.reading import Reading
from jupyter_mcpgen.nl.words.whole_numbers import holds_whole_numbers
from jupyter_mcpgen.plan.expressions import All, AnyOf, Compare
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.ops import ChartKind

_SUMMARY = (F.COUNT, F.MEAN, F.MEDIAN, F.MIN, F.MAX)

Found = Iterator[Answer]


def assemble(cover: Cover, context: Context, manner: Manner = PLAIN) -> Iterator[Reading]:
    """Yield the plans that a cover may mean when it is shown in some manner, with their costs."""
    said = collect(cover, context)
    parts = _settled(said, context) if said is not None else None
    noun = _counted_in_order(manner)
    if parts is not None and noun is not None:
        parts = counted_as(parts, noun, context)
    if parts is None:
        return
    for answer in _each_shown(with_numbers_added_up(parts, context), manner, context):
        if not _is_told(answer, context):
            continue
        try:
            plan = to_plan(answer, context)
        except PlanError:
            continue  # a combination that makes no sense over these types is no reading
        if parts.no_chart:
            plan = plan.with_steps(plan.steps)
        cost = round(cover.cost + answer.cost, 4)
        notes = (*parts.assumptions, *answer.notes, *_bracketed(parts), *_figures_of_labels(answer, context))
        notes = (*notes, *_counted_once(answer, context))
        doubts = parts.doubts
        if parts.amount is not None and (isinstance(answer, Listing) or COUNT_ROWS in _measures(answer)):
            doubts = (*doubts, parts.amount)
        yield Reading(plan=plan, label="", cost=cost, assumptions=notes, doubts=doubts, no_chart=parts.no_chart)


def _counted_in_order(manner: Manner) -> str | None:
    """Return the word of an order such as "sorted by number of widgets" that was only assumed to mean a row."""
    target = manner.order.target if manner.order is not None else None
    return target.noun if isinstance(target, m.Measured) else None


def _each_shown(parts: Parts, manner: Manner, context: Context) -> Found:
    """Yield the answers; what was sold is counted in rows, and in pieces where a column says how many."""
    yield from _shown(parts, manner, context)
    pieces = in_pieces(parts, context)
    if pieces is not None:
        yield from _shown(pieces, manner, context)


def _counted_once(answer: Answer, context: Context) -> tuple[str, ...]:
    """Say of what repeats over the rows that each counts once."""
    return tuple(
        f"Each `{one.column}` counts once, however many rows it has."
        for one in _measures(answer)
        if one.function is F.COUNT_DISTINCT and one.column is not None and not context.is_key(one.column)
    )


def _shown(parts: Parts, manner: Manner, context: Context) -> Found:
    """Yield the answers in the manner that was asked for; what only a drawing can say is tried last."""
    answers = tuple(_answers(in_manner, context)) if (in_manner := with_manner(parts, manner)) is not None else ()
    yield from answers
    if not answers:
        yield from drawings(parts.without("names_table"), manner, context)


def _figures_of_labels(answer: Answer, context: Context) -> tuple[str, ...]:
    """Say which columns are labels made of numbers, so that a figure of them may mean nothing."""
    return tuple(
        f"`{measured.column}` is a label made of numbers, so its {measured.function.value} may mean nothing."
        for measured in _measures(answer)
        if measured.column is not None and not takes(measured.function, measured.column, context)
    )


def _bracketed(parts: Parts) -> tuple[str, ...]:
    """Say how "and" and "or" were put in brackets, where that makes a difference."""
    mixed = [p for p in parts.conditions if isinstance(p, AnyOf) and about(p) is None]
    tight = any(isinstance(term, All) for predicate in mixed for term in predicate.terms)
    return ("“and” is taken to bind more tightly than “or”.",) if tight else ()


def _is_told(answer: Answer, context: Context) -> bool:
    """Tell whether every figure means something; one of labels is taken at its word only by groups."""
    drawn = isinstance(answer, Grouping) and answer.drawn and answer.keys
    return bool(drawn) or all(
        measured.column is None or takes(measured.function, measured.column, context) for measured in _measures(answer)
    )


def _settled(parts: Parts, context: Context) -> Parts | None:
    """Settle what a description such as "this traffic accident dataset" is of; only an overview can be of it."""
    if parts.described is None:
        return parts
    note = f"“{parts.described}” is taken to describe the whole of `{context.profile.name}`."
    said = replace(parts.without("described"), assumptions=(*parts.assumptions, note))
    return said if parts.overview else None


def _measures(answer: Answer) -> tuple[m.Measured, ...]:
    return answer.measures if isinstance(answer, Grouping) else ()


def _answers(parts: Parts, context: Context) -> Found:
    parts = parts.without("names_table")
    if parts.each_row is not None:
        yield from _of_each_row(parts.without("each_row"), parts.each_row, context)
        return
    if parts.on_days:
        if COUNT_ROWS in parts.measures or not (parts.measures or parts.columns):
            return  # how many days there are is not how many rows
        parts = parts.without("on_days")
    if parts.counted is not None:
        yield from counted_periods(parts, context)
        return
    if parts.overview:
        yield from _overviews(parts, context)
    if parts.pair is not None or parts.relation or parts.chart in (ChartKind.SCATTER, ChartKind.HISTOGRAM):
        yield from _clouds(parts, context)
    elif parts.commonest is not None:
        yield from _commonest(parts)
    elif parts.listed:
        yield from _values(parts)
    elif parts.top_row is not None:
        yield from top_row(parts, context)
    elif parts.superlative is not None:
        yield from superlatives(parts, context)
    elif not parts.overview:
        yield from general(parts, context)


def _of_each_row(parts: Parts, noun: str, context: Context) -> Found:
    """Read what is asked of "each order": the figure of every row, or one figure of all rows, which says so."""
    rows = figures_of_rows(parts, context)
    if rows is not None:
        yield rows
        return
    note = f"Each row is one {noun}, so this is one figure of all of them."
    for answer in _answers(parts, context):
        one = isinstance(answer, Grouping) and not answer.keys and COUNT_ROWS not in answer.measures
        yield answer.noting(note) if one else answer


def _overviews(parts: Parts, context: Context) -> Found:
    if parts.has_only("overview", "varies", "columns", "names_rows", "lists_rows"):
        numbers = tuple(name for name in parts.columns if context.is_number(name))
        if parts.columns and numbers == parts.columns:
            yield Outline(parts.conditions, parts.columns, cost=parts.cost)
        elif not parts.columns:
            yield Outline(parts.conditions, all_measures(context), cost=parts.cost)
        elif len(parts.columns) == 1:
            yield counts(parts, parts.columns, parts.cost + IMPLIED)
    elif _is_summary_by_groups(parts, context):
        measures = tuple(m.Measured(function, name) for name in parts.columns for function in _SUMMARY)
        yield Grouping(parts.conditions, parts.keys, measures, cost=parts.cost)
    if parts.measures or parts.varies:
        said = parts.without("overview")
        yield from (answer.costlier(IMPLIED) for answer in general(said, context))


def _is_summary_by_groups(parts: Parts, context: Context) -> bool:
    fitting = parts.has_only("overview", "columns", "keys", "each", "names_rows")
    return fitting and bool(parts.columns) and all(context.is_measure(name) for name in parts.columns)


def _clouds(parts: Parts, context: Context) -> Found:
    """Two numbers against each other, or the distribution of one."""
    if not parts.has_only("pair", "relation", "chart", "columns", "varies", "names_rows"):
        grouped = parts.has_only("chart", "measures", "keys", "each", "columns", "pair") and len(parts.keys) == 1
        pair = (parts.pair.up, parts.pair.across) if parts.pair is not None and parts.chart is None else ()
        if grouped and pair and not parts.measures and all(_are_amounts(name, context) for name in pair):
            yield from general(replace(parts.without("pair"), columns=pair), context)  # "budget vs spent by team"
        elif grouped and not parts.measures and (parts.pair is not None or _names_histogram(parts)):
            yield from _colored(parts, context)
        elif grouped and parts.chart is ChartKind.SCATTER:
            yield from _points(parts, context) if not parts.measures else general(parts, context)
        return
    columns = (parts.pair.across, parts.pair.up) if parts.pair is not None else parts.columns
    if parts.pair is not None and parts.columns:
        return
    numbers = [name for name in columns if context.is_number(name)]
    if parts.chart is ChartKind.HISTOGRAM and len(columns) == 1:
        if numbers:
            yield Listing(parts.conditions, columns, chart=ChartKind.HISTOGRAM, cost=parts.cost)
        else:
            yield counts(parts.without("chart"), columns, parts.cost)
    elif parts.chart in (None, ChartKind.SCATTER) and len(columns) == len(numbers) == 2:
        yield Listing(parts.conditions, columns, chart=ChartKind.SCATTER, cost=parts.cost)
    elif parts.chart is None and parts.relation and len(columns) == 2 and len(numbers) == 1:
        label = next(name for name in columns if name not in numbers)
        said = replace(parts.without("relation", "columns"), keys=(m.GroupKey(label),), columns=tuple(numbers))
        yield from general(said, context)


def _are_amounts(name: str, context: Context) -> bool:
    """Tell whether a column holds amounts, or may say how many there were: groups then have figures side by side."""
    known, adds_up = context.column(name), context.adds_up(name)
    whole = holds_whole_numbers(known, context.type_of(name)) and known.minimum is not None and known.minimum >= 0
    return adds_up is True or (adds_up is None and whole)


def _names_histogram(parts: Parts) -> bool:
    return parts.chart is ChartKind.HISTOGRAM and not parts.spread


def _colored(parts: Parts, context: Context) -> Found:
    """Yield "length against weight by sex", "a histogram of weight by sex": the rows, with a color for each group."""
    label = parts.keys[0]
    pair = (parts.pair.across, parts.pair.up) if parts.pair is not None else ()
    columns = pair if not parts.columns else parts.columns if not pair else ()
    chart = ChartKind.SCATTER if pair else ChartKind.HISTOGRAM
    fitting = parts.chart in (None, chart) and len(columns) == (2 if pair else 1)
    few = label.unit is None and label.column not in columns and _makes_colors(label.column, context)
    if fitting and few and all(context.is_number(name) for name in columns):
        yield Listing(parts.conditions, (*columns, label.column), chart=chart, cost=parts.cost)


def _makes_colors(name: str, context: Context) -> bool:
    """Tell whether a column has labels, or numbers of few values such as a class."""
    return not context.is_measure(name) or context.column(name).distinct <= FEW_VALUES


def _points(parts: Parts, context: Context) -> Found:
    """Yield "a scatter plot of weight by height", which is of the rows unless it is by a label."""
    columns = (parts.keys[0].column, *parts.columns)
    if parts.keys[0].unit is None and len(columns) == 2 and all(context.is_measure(name) for name in columns):
        yield Listing(parts.conditions, columns, chart=ChartKind.SCATTER, cost=parts.cost)
    elif parts.keys[0].unit is None and len(columns) == 3 and all(context.is_measure(name) for name in parts.columns):
        columns = (*parts.columns, parts.keys[0].column)  # each point has the colour of its group
        yield Listing(parts.conditions, columns, chart=ChartKind.SCATTER, cost=parts.cost)
    else:
        yield from general(parts, context)


def _commonest(parts: Parts) -> Found:
    common = parts.commonest
    if common is None or not parts.has_only("commonest", "best", "names_rows", "chart", "keys", "each"):
        return
    if any(key.column == common.column for key in parts.keys):
        return
    if parts.best is not None and (parts.best.of is not None or parts.best.descending is not True):
        return
    limit = (parts.best.count if parts.best else 1) or USUAL_KEPT
    counted = counts(parts, (common.column,), parts.cost)
    keys = (*parts.keys, *counted.keys)
    ordered = replace(counted, keys=keys, per=len(parts.keys), ordered=True)
    yield replace(ordered, descending=common.descending, limit=limit)


def _values(parts: Parts) -> Found:
    if parts.has_only("listed", "lists_rows"):
        yield Listing(parts.conditions, parts.listed, distinct=True, cost=parts.cost)
    if parts.has_only("listed", "lists_rows", "chart"):
        plain = parts.chart is None
        yield counts(parts, parts.listed, parts.cost + (BESIDE if plain else IMPLIED))


def general(parts: Parts, context: Context) -> Found:
    """Yield the answers to a question of no special kind: numbers by groups, else rows."""
    parts = _with_functions(parts, context)
    if parts.functions or parts.listed or parts.subjects or parts.superlative or parts.top_row or parts.commonest:
        return
    if parts.periods:
        parts = replace(
            parts.without("periods"), keys=(*parts.periods, *(k for k in parts.keys if k not in parts.periods))
        )
    if parts.contrasted is not None:
        parts = _grouped_by_contrast(parts)
    elif parts.varies:
        parts = _compared(parts, context)
    if parts.varies and (parts.best or parts.first or not (parts.keys or named_labels(parts, context))):
        return
    best = parts.best
    by_column = parts.ordered is not None and isinstance(parts.ordered.by, m.Column)
    of_rows = best is not None and (parts.columns or (parts.names_rows and parts.ordered) or (best.rows and by_column))
    if best is not None and best.of is None and parts.keys and of_rows:
        yield from best_rows_of_each(parts, best, context)
        return
    if best is not None and best.of is not None:
        if parts.keys:
            yield from best_of_each(parts, best, context)
            return
        parts = replace(parts, keys=(m.GroupKey(best.of),), best=replace(best, of=None))
    if parts.lacks is not None:
        yield from lacking_groups(parts, context)
        return
    if parts.having and parts.measures:
        yield from counted_groups(parts, context)
    if parts.having and not parts.keys:
        if parts.measures:
            return
        labels = named_labels(parts, context)
        numbers = tuple(name for name in parts.columns if name not in labels)
        parts = replace(parts, keys=tuple(m.GroupKey(name) for name in labels), columns=numbers)
    if parts.measures or parts.keys or parts.having:
        yield from groupings(parts, context)
    else:
        yield from without_measures(parts, context)


def _with_functions(parts: Parts, context: Context) -> Parts:
    """Join functions with columns that stand apart from them: "what is the average, in Boston, of salary"."""
    numbers = tuple(name for name in parts.columns if context.is_measure(name))
    fitting = [f for f in parts.functions if numbers and all(takes(f, name, context) for name in numbers)]
    if not numbers or len(fitting) < len(parts.functions) or not parts.functions or parts.measures:
        return parts
    named = tuple(m.Measured(f, name) for f in parts.functions for name in numbers)
    labels = tuple(name for name in parts.columns if name not in numbers)
    extra = IMPLIED if len(named) == 1 else BESIDE
    return replace(
        parts.without("functions"), measures=(*parts.measures, *named), columns=labels, cost=parts.cost + extra
    )


def _grouped_by_contrast(parts: Parts) -> Parts:
    key = m.GroupKey(parts.contrasted or "")
    return parts if key in parts.keys else replace(parts, keys=(*parts.keys, key))


def _compared(parts: Parts, context: Context) -> Parts:
    """Group by what is compared, and take an amount behind "by" for what it is compared by: it makes no groups."""
    ordered, labels = parts.ordered, named_labels(parts, context)
    if not parts.keys and ordered is not None and ordered.hinted and isinstance(ordered.by, m.Measured):
        parts = replace(parts.without("ordered"), measures=(*parts.measures, ordered.by))
    figures = tuple(key.column for key in parts.keys if key.unit is None and context.is_measure(key.column))
    by_figures = bool(figures) and len(figures) == len(parts.keys) and not parts.measures
    if by_figures and not any(context.adds_up(name) is False for name in figures):
        said = replace(parts.without("keys"), columns=tuple(name for name in parts.columns if name not in labels))
        named = replace(said, keys=tuple(m.GroupKey(name) for name in labels)) if labels else _compared_values(said)
        return replace(named, columns=(*named.columns, *figures)) if named.keys else parts
    return parts if labels else _compared_values(parts)


def _compared_values(parts: Parts) -> Parts:
    """Group by the column of which several values are compared, too."""
    for predicate in parts.conditions:
        name = about(predicate)
        if name is not None and equal_values(predicate) and not isinstance(predicate, Compare):
            key = m.GroupKey(name)
            return replace(parts, keys=(*parts.keys, key)) if key not in parts.keys else parts
    return parts
