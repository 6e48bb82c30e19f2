"""Turns a row of phrases into plans: what was said, what it implies, and what that costs in certainty.

Every phrase must have an effect on the plan. A kind of answer that has no place for something that was said is no
reading of the question.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.answers import Answer, Grouping, Listing, Outline, to_plan
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.grammar import FEW_VALUES, takes
from jupyter_mcpgen.nl.parse import Cover
from jupyter_mcpgen.nl.parts import Parts, collect
from jupyter_mcpgen.nl.predicates import about, equal_values, number
from jupyter_mcpgen.nl.reading import Reading
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.ops import ChartKind
from jupyter_mcpgen.plan.schema import ColumnType

IMPLIED = 0.05
"""What taking the usual function costs when none was named."""
SECOND_CHOICE = 0.35
"""What another function than the usual one costs."""
BARE_LABEL = 0.15
"""What grouping by a label costs that stands beside a number without "by"."""
BESIDE = 0.3
"""What a bare label or number costs beside an answer that is complete without it."""
MISPLACED = 0.5
"""What reading a "by" as an order costs where nothing is limited."""
USUAL_KEPT = 10
"""How many "top regions" without a number keeps."""
OFFERED_ORDERS = 4
"""How many columns are offered to order by when none was named."""
COUNT_ROWS = m.Measured(F.COUNT, None)
_SUMMARY = (F.COUNT, F.MEAN, F.MEDIAN, F.MIN, F.MAX)

Found = Iterator[Answer]


def assemble(cover: Cover, context: Context) -> Iterator[Reading]:
    """Yield the plans that a cover may mean, with their costs."""
    parts = collect(cover, context)
    if parts is None:
        return
    for answer in _answers(parts, context):
        try:
            plan = to_plan(answer, context)
        except PlanError:
            continue  # a combination that makes no sense over these types is no reading
        if parts.no_chart:
            plan = plan.with_steps(plan.steps)
        cost = round(cover.cost + answer.cost, 4)
        notes = (*parts.assumptions, *answer.notes)
        yield Reading(plan=plan, label="", cost=cost, assumptions=notes, doubts=parts.doubts, no_chart=parts.no_chart)


def _answers(parts: Parts, context: Context) -> Found:
    if parts.described is not None:
        if not parts.overview:
            return
        note = f"“{parts.described}” is taken to describe the whole of `{context.profile.name}`."
        parts = replace(parts.without("described"), assumptions=(*parts.assumptions, note))
    parts = parts.without("names_table")
    if parts.on_days:
        if COUNT_ROWS in parts.measures or not (parts.measures or parts.columns):
            return  # how many days there are is not how many rows
        parts = parts.without("on_days")
    if parts.overview:
        yield from _overviews(parts, context)
    if parts.pair is not None or parts.relation or parts.chart in (ChartKind.SCATTER, ChartKind.HISTOGRAM):
        yield from _clouds(parts, context)
    elif parts.commonest is not None:
        yield from _commonest(parts)
    elif parts.listed:
        yield from _values(parts)
    elif parts.top_row is not None:
        yield from _top_row(parts, context)
    elif parts.superlative is not None:
        yield from _superlatives(parts, context)
    elif not parts.overview:
        yield from _general(parts, context)


# overviews, charts of two numbers, values -----------------------------------------------------------------------------


def _overviews(parts: Parts, context: Context) -> Found:
    if parts.has_only("overview", "varies", "columns", "names_rows", "lists_rows"):
        numbers = tuple(name for name in parts.columns if context.is_number(name))
        if parts.columns and numbers == parts.columns:
            yield Outline(parts.conditions, parts.columns, cost=parts.cost)
        elif not parts.columns:
            yield Outline(parts.conditions, _all_measures(context), cost=parts.cost)
        elif len(parts.columns) == 1:
            yield _counts(parts, parts.columns, parts.cost + IMPLIED)
    elif parts.has_only("overview", "varies", "columns", "keys", "each", "names_rows"):
        if parts.columns and all(context.is_measure(name) for name in parts.columns) and not parts.varies:
            measures = tuple(m.Measured(function, name) for name in parts.columns for function in _SUMMARY)
            yield Grouping(parts.conditions, parts.keys, measures, cost=parts.cost)
    if parts.measures or parts.varies:
        said = parts.without("overview")
        yield from (answer.costlier(IMPLIED) for answer in _general(said, context))


def _all_measures(context: Context) -> tuple[str, ...]:
    """Return the columns that a summary of the table is about: its numbers, but not the ones that name rows."""
    numbers = [name for name in context.profile.schema_.names if context.is_number(name)]
    return tuple(name for name in numbers if context.column(name).role is not Role.IDENTIFIER)


def _counts(parts: Parts, columns: tuple[str, ...], cost: float) -> Grouping:
    keys = tuple(m.GroupKey(name) for name in columns)
    return Grouping(parts.conditions, keys, (COUNT_ROWS,), cost=cost, chart=parts.chart)


def _clouds(parts: Parts, context: Context) -> Found:
    """Two numbers against each other, or the distribution of one."""
    if not parts.has_only("pair", "relation", "chart", "columns", "varies", "names_rows"):
        if parts.has_only("chart", "relation", "measures", "keys", "each", "columns") and not parts.relation:
            if parts.chart is ChartKind.SCATTER and len(parts.keys) == 1:
                yield from _general(parts, context)
        return
    columns = (parts.pair.across, parts.pair.up) if parts.pair is not None else parts.columns
    if parts.pair is not None and parts.columns:
        return
    numbers = [name for name in columns if context.is_number(name)]
    if parts.chart is ChartKind.HISTOGRAM and len(columns) == 1:
        if numbers:
            yield Listing(parts.conditions, columns, chart=ChartKind.HISTOGRAM, cost=parts.cost)
        else:
            yield _counts(parts.without("chart"), columns, parts.cost)
    elif parts.chart in (None, ChartKind.SCATTER) and len(columns) == len(numbers) == 2:
        yield Listing(parts.conditions, columns, chart=ChartKind.SCATTER, cost=parts.cost)
    elif parts.chart is None and parts.relation and len(columns) == 2 and len(numbers) == 1:
        label = next(name for name in columns if name not in numbers)
        said = replace(parts.without("relation", "columns"), keys=(m.GroupKey(label),), columns=tuple(numbers))
        yield from _general(said, context)


def _commonest(parts: Parts) -> Found:
    common = parts.commonest
    if common is None or not parts.has_only("commonest", "best", "names_rows", "chart"):
        return
    if parts.best is not None and (parts.best.of is not None or parts.best.descending is not True):
        return
    limit = (parts.best.count if parts.best else 1) or USUAL_KEPT
    counts = _counts(parts, (common.column,), parts.cost)
    yield replace(counts, ordered=True, descending=common.descending, limit=limit)


def _values(parts: Parts) -> Found:
    if parts.has_only("listed", "lists_rows", "chart"):
        yield _counts(parts, parts.listed, parts.cost + IMPLIED)


# the one with most of something -----------------------------------------------------------------------------------------


def _one_row(parts: Parts, column: str, descending: bool, context: Context) -> Listing:
    """Return the row with most or least of a column, with a note where several may share the place."""
    listing = Listing(parts.conditions, (), order=column, descending=descending, limit=1, cost=parts.cost)
    if context.column(column).distinct * 2 > context.profile.rows:
        return listing
    return listing.noting(f"Several rows may share the same `{column}`; only the first of them is shown.")


def _top_row(parts: Parts, context: Context) -> Found:
    top = parts.top_row
    if top is not None and parts.has_only("top_row", "names_rows", "lists_rows"):
        yield _one_row(parts, top.column, top.descending, context)


def _superlatives(parts: Parts, context: Context) -> Found:
    best = parts.superlative
    if best is None:
        return
    subjects = (*parts.periods, *parts.subjects, *(m.GroupKey(name) for name in parts.columns))
    if not parts.has_only("superlative", "periods", "subjects", "each", "columns", "keys", "chart", "names_rows"):
        return
    if len(subjects) == 1 and not parts.keys:
        yield from _which(parts, subjects[0], best, context)
    elif not subjects and parts.keys and isinstance(best.by, m.Measured):
        yield Grouping(
            parts.conditions,
            parts.keys,
            (best.by,),
            descending=best.descending,
            ordered=True,
            cost=parts.cost,
            chart=parts.chart,
        )


def _which(parts: Parts, subject: m.GroupKey, best: m.Superlative, context: Context) -> Found:
    """Answer "which region has the highest …"."""
    if subject.unit is None and context.is_measure(subject.column):
        whole = context.type_of(subject.column) is ColumnType.INTEGER
        if not whole or context.column(subject.column).distinct > FEW_VALUES or context.adds_up(subject.column):
            return
    grouping = Grouping(
        parts.conditions,
        (subject,),
        (),
        descending=best.descending,
        ordered=True,
        limit=1,
        cost=parts.cost,
        chart=parts.chart,
    )
    if isinstance(best.by, m.Measured):
        if best.by.column != subject.column:
            yield replace(grouping, measures=(best.by,))
        return
    name = best.by.name
    row = replace(_one_row(parts, name, best.descending, context), chart=parts.chart)
    if name == subject.column:
        return
    if subject.unit is None and context.names_rows(subject.column):
        yield row
        return
    adds_up = context.adds_up(name)
    if adds_up is not False:
        yield replace(grouping, measures=(m.Measured(F.SUM, name),)).noting(_implied(F.SUM, (name,))).costlier(IMPLIED)
    if adds_up is not True:
        yield replace(grouping, measures=(m.Measured(F.MEAN, name),)).noting(_implied(F.MEAN, (name,))).costlier(IMPLIED)
    yield row.costlier(SECOND_CHOICE if adds_up else IMPLIED)


# everything else ------------------------------------------------------------------------------------------------------


def _general(parts: Parts, context: Context) -> Found:
    parts = _with_functions(parts, context)
    if parts.functions or parts.listed or parts.subjects or parts.superlative or parts.top_row or parts.commonest:
        return
    if parts.periods:
        parts = replace(parts.without("periods"), keys=(*parts.periods, *(k for k in parts.keys if k not in parts.periods)))
    if parts.contrasted is not None:
        parts = _grouped_by_contrast(parts)
    elif parts.varies and not parts.keys and not _named_labels(parts, context):
        parts = _compared_values(parts)
    if parts.varies and (parts.best or parts.first or not (parts.keys or _named_labels(parts, context))):
        return
    best = parts.best
    if best is not None and best.of is None and parts.keys and parts.columns:
        return  # "the 3 highest salaries by department" are rows of each group
    if best is not None and best.of is not None:
        if parts.keys:
            return  # the best few of each group are not to be had by keeping a few groups in all
        parts = replace(parts, keys=(m.GroupKey(best.of),), best=replace(best, of=None))
    if parts.having and not parts.keys:
        if parts.measures:
            return  # "how many regions have …" asks for one number, which takes a count of groups
        labels = _named_labels(parts, context)
        numbers = tuple(name for name in parts.columns if name not in labels)
        parts = replace(parts, keys=tuple(m.GroupKey(name) for name in labels), columns=numbers)
    if parts.measures or parts.keys or parts.having:
        yield from _groupings(parts, context)
    else:
        yield from _without_measures(parts, context)


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


def _named_labels(parts: Parts, context: Context) -> tuple[str, ...]:
    return tuple(name for name in parts.columns if not context.is_measure(name))


def _grouped_by_contrast(parts: Parts) -> Parts:
    key = m.GroupKey(parts.contrasted or "")
    return parts if key in parts.keys else replace(parts, keys=(*parts.keys, key))


def _compared_values(parts: Parts) -> Parts:
    """Group by the column of which several values are compared."""
    for predicate in parts.conditions:
        name = about(predicate)
        if name is not None and equal_values(predicate) and not isinstance(predicate, Compare):
            return replace(parts, keys=(m.GroupKey(name),))
    return parts


def _groupings(parts: Parts, context: Context) -> Found:
    allowed = ("measures", "columns", "enumerated", "keys", "each", "beside", "contrasted", "having", "best", "ordered", "direction", "chart")
    if not parts.has_only(*allowed, "names_rows", "varies", "lists_rows"):
        return
    labels = _named_labels(parts, context)
    numbers = tuple(name for name in parts.columns if name not in labels)
    cost = parts.cost
    if labels:
        if parts.keys or any(context.type_of(n) is ColumnType.DATE or context.names_rows(n) for n in labels):
            return
        if _may_be_of_all(parts, labels, context):
            yield Grouping(parts.conditions, (), parts.measures, cost=cost + BARE_LABEL)
        yes_or_no = any(context.type_of(name) is ColumnType.BOOLEAN for name in labels)
        counted = parts.measures == (COUNT_ROWS,)
        cost += BESIDE if yes_or_no or counted or parts.ordered else BARE_LABEL
        parts = replace(parts, keys=tuple(m.GroupKey(name) for name in labels))
    if parts.best is not None and any(key.unit is None and context.is_measure(key.column) for key in parts.keys):
        cost += MISPLACED
    if parts.ordered is not None and parts.ordered.hinted and parts.best is None and parts.direction is None:
        if parts.ordered.descending is None:
            cost += MISPLACED
    if parts.lists_rows and any(context.is_measure(key.column) and key.unit is None for key in parts.keys):
        cost += SECOND_CHOICE
    if parts.best is not None and not (parts.measures or numbers or parts.ordered):
        yield from _best_by_anything(parts, cost, context)
        return
    yield from _measured(parts, numbers, cost, context)


def _may_be_of_all(parts: Parts, labels: tuple[str, ...], context: Context) -> bool:
    """Tell whether a label may only say whose numbers are meant: "average age of patients", by patient or of all?"""
    named = [measured.column for measured in parts.measures]
    counted = any(measured.function in (F.COUNT, F.COUNT_DISTINCT) for measured in parts.measures)
    texts = len(labels) == 1 and context.type_of(labels[0]) is ColumnType.TEXT
    return bool(named) and texts and not counted and parts.has_only("measures", "columns", "names_rows")


def _best_by_anything(parts: Parts, cost: float, context: Context) -> Found:
    """Offer what "the top 5 customers" may be ordered by."""
    measures = sorted(_all_measures(context), key=lambda name: context.adds_up(name) is not True)
    named = [m.Measured(F.SUM if context.adds_up(name) else F.MEAN, name) for name in measures]
    choices = (COUNT_ROWS, *named[: OFFERED_ORDERS - 1])
    for choice in choices:
        yield from _measured(replace(parts, measures=(choice,)), (), cost, context)


def _measured(parts: Parts, numbers: tuple[str, ...], cost: float, context: Context) -> Found:
    ordered = parts.ordered
    implied = numbers
    if ordered is not None and isinstance(ordered.by, m.Column) and not parts.measures and not implied:
        if ordered.by.name not in {key.column for key in parts.keys}:
            implied = (ordered.by.name,)
    if not implied:
        measures = parts.measures or (_ordered_measure(parts),)
        extra = 0.0 if parts.measures or parts.names_rows or measures[0] != COUNT_ROWS else 0.1
        yield from _grouping(parts, measures, cost + extra, context)
        if not parts.measures and extra and parts.keys:
            yield from _of_the_condition(parts, cost + extra, context)
        return
    extra = BESIDE if parts.measures and not parts.beside else IMPLIED
    for function, notes, more in _implied_functions(implied, context):
        measures = (*parts.measures, *(m.Measured(function, name) for name in implied))
        for answer in _grouping(parts, measures, cost + extra + more, context):
            yield answer.noting(notes)
    whole = all(context.type_of(name) is ColumnType.INTEGER for name in implied)
    if len(implied) == 1 and whole and context.adds_up(implied[0]) and not parts.measures and ordered is None:
        above = Compare(op=CompareOp.GT, left=Col(name=implied[0]), right=number(0))
        said = replace(parts, conditions=(*parts.conditions, above))
        yield from _grouping(said, (COUNT_ROWS,), cost + extra + SECOND_CHOICE + IMPLIED, context)


def _ordered_measure(parts: Parts) -> m.Measured:
    if parts.having:
        return parts.having[0].measured
    ordered = parts.ordered
    return ordered.by if ordered is not None and isinstance(ordered.by, m.Measured) else COUNT_ROWS


def _of_the_condition(parts: Parts, cost: float, context: Context) -> Found:
    """Offer the number that a condition is about: "revenue above 2,000 by region" may ask for revenue."""
    for predicate in parts.conditions:
        name = about(predicate)
        exact = isinstance(predicate, Compare) and predicate.op is CompareOp.EQ
        if name is not None and context.is_measure(name) and not exact and not parts.best:
            for function, note, more in _implied_functions((name,), context):
                for answer in _grouping(parts, (m.Measured(function, name),), cost + more, context):
                    yield answer.noting(note)


def _implied_functions(names: tuple[str, ...], context: Context) -> Iterator[tuple[F, str, float]]:
    """Yield the functions that suit number columns without one, the usual first; two when the names do not tell."""
    known = {context.adds_up(name) for name in names}
    usual, other = (F.SUM, F.MEAN) if known <= {True} else (F.MEAN, F.SUM)
    unsure = None in known and False not in known
    yield usual, _implied(usual, names), 0.0
    yield other, _implied(other, names), 0.0 if unsure else SECOND_CHOICE - IMPLIED


def _implied(function: F, names: tuple[str, ...]) -> str:
    columns = " and ".join(f"`{name}`" for name in names)
    word = {F.SUM: "added up", F.MEAN: "averaged"}[function]
    return f"{columns} {'is' if len(names) == 1 else 'are'} {word}, because the question names no other calculation."


def _grouping(parts: Parts, measures: tuple[m.Measured, ...], cost: float, context: Context) -> Found:
    """Yield the grouped answer, or answers where a rate per period may be meant."""
    extra = tuple(having.measured for having in parts.having)
    ordered = parts.ordered
    if ordered is not None and isinstance(ordered.by, m.Measured):
        extra = (*extra, ordered.by)
    measures = tuple(dict.fromkeys((*measures, *extra)))
    choices = (ordered.descending if ordered else None, parts.direction, parts.best.descending if parts.best else None)
    descending = next((choice for choice in choices if choice is not None), None)
    limit, notes = None, ()
    if parts.best is not None:
        limit = parts.best.count or USUAL_KEPT
        if parts.best.count is None:
            notes = (f"The first {USUAL_KEPT} are kept, because the question names no number.",)
    if ordered is not None and ordered.then:
        return
    if not parts.keys and (ordered or parts.direction is not None or parts.best or parts.having or parts.lists_rows):
        return
    if not parts.keys and parts.chart is not None:
        if parts.chart is not ChartKind.LINE or len(context.dates) != 1:
            return  # a single number is not drawn
        notes = (*notes, f"The line follows `{context.dates[0]}`, because the question names no other order.")
        parts = replace(parts, keys=(m.GroupKey(context.dates[0]),))
    grouping = Grouping(
        parts.conditions,
        parts.keys,
        measures,
        having=parts.having,
        order=ordered.by if ordered else None,
        ordered=ordered is not None or parts.best is not None or parts.direction is not None,
        descending=descending,
        limit=limit,
        chart=parts.chart,
        cost=cost,
        notes=notes,
    )
    yield grouping
    if parts.each and len(measures) == 1 and not extra and limit is None:
        yield from _rates(grouping, context)


def _rates(grouping: Grouping, context: Context) -> Found:
    """Offer the mean of the totals: "average monthly revenue" is seldom the mean of the single rows."""
    measured = grouping.measures[0]
    if measured.function is not F.MEAN or measured.column is None or context.adds_up(measured.column) is False:
        return
    if any(key.unit is not None and key.unit.is_period for key in grouping.keys):
        yield replace(grouping, measures=(m.Measured(F.SUM, measured.column),), then=F.MEAN, chart=None)


# rows -----------------------------------------------------------------------------------------------------------------


def _without_measures(parts: Parts, context: Context) -> Found:
    """Read a question that names columns or conditions only."""
    labels = _named_labels(parts, context)
    numbers = tuple(name for name in parts.columns if name not in labels)
    if parts.enumerated and labels and not (parts.ordered and parts.ordered.hinted):
        yield from _listings(replace(parts.without("enumerated"), lists_rows=True), context)
        return
    parts = parts.without("enumerated")
    rows_only = parts.has_only("columns", "names_rows", "lists_rows", "best", "first", "ordered", "direction")
    plain = not (parts.best or parts.first or parts.ordered or parts.direction is not None)
    if plain and not parts.lists_rows and parts.columns and not (parts.names_rows and labels):
        if not any(context.names_rows(name) and not context.is_measure(name) for name in labels):
            yield from _named_only(parts, labels, numbers, context)
    elif parts.ordered and labels and not numbers and not parts.names_rows and not parts.lists_rows:
        yield from _groupings(replace(parts, cost=parts.cost), context)
    if rows_only:
        yield from _listings(parts, context)
    if labels and not numbers and parts.has_only("columns", "lists_rows") and parts.lists_rows:
        if not any(context.names_rows(name) for name in labels):
            yield _counts(parts, labels, parts.cost)


def _named_only(parts: Parts, labels: tuple[str, ...], numbers: tuple[str, ...], context: Context) -> Found:
    allowed = parts.has_only("columns", "names_rows", "chart", "varies", "each")
    if allowed and numbers:
        keys = tuple(m.GroupKey(name) for name in labels)
        dated = any(context.type_of(name) is ColumnType.DATE for name in labels)
        cost = parts.cost + (BESIDE if dated else BARE_LABEL if labels else 0.1)
        yield from _measured(replace(parts, keys=keys), numbers, cost, context)
    elif allowed and labels:
        yes_or_no = len(labels) > 1 and any(context.type_of(name) is ColumnType.BOOLEAN for name in labels)
        yield _counts(parts, labels, parts.cost + (MISPLACED if yes_or_no else 0.2))


def _listings(parts: Parts, context: Context) -> Found:
    column, descending = _row_order(parts, context)
    best = parts.best
    cost = parts.cost
    numbers = any(context.is_number(name) for name in parts.columns)
    unique = any(context.names_rows(name) for name in _named_labels(parts, context))
    shows_groups = bool(_named_labels(parts, context)) or not (best or parts.first or parts.ordered)
    if any(context.type_of(name) is ColumnType.BOOLEAN for name in parts.columns) and not parts.lists_rows:
        cost += BESIDE
    named = parts.names_rows and bool(_named_labels(parts, context))
    if parts.columns and shows_groups and not (named or unique) and not (parts.lists_rows and numbers):
        cost += SECOND_CHOICE
    if parts.ordered is not None and isinstance(parts.ordered.by, m.Measured):
        return
    if parts.ordered is not None and parts.ordered.hinted and best is None and parts.direction is None:
        cost += 0.0 if parts.lists_rows else MISPLACED
    if column is None and parts.direction is not None:
        return
    if best is not None and column is None:
        yield from _rows_by_anything(parts, cost, context)
        return
    if parts.first is None and best is None and column is None and not (parts.conditions or parts.columns):
        if not (parts.lists_rows or parts.names_rows):
            return
    limit = parts.first if parts.first is not None else (best.count or USUAL_KEPT) if best else None
    notes = (f"The first {USUAL_KEPT} are kept, because the question names no number.",)
    shown = () if best is not None and parts.columns == (column,) else _shown(parts.columns, column)
    yield Listing(
        parts.conditions,
        shown,
        order=column,
        then=parts.ordered.then if parts.ordered else (),
        descending=descending,
        limit=limit,
        cost=cost,
        notes=notes if best is not None and best.count is None else (),
    )


def _shown(columns: tuple[str, ...], column: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*columns, *([column] if column else [])])) if columns else ()


def _rows_by_anything(parts: Parts, cost: float, context: Context) -> Found:
    """Offer what "the top 5 rows" may be ordered by."""
    best = parts.best
    measures = [name for name in _all_measures(context) if context.is_measure(name)]
    for name in measures[:OFFERED_ORDERS] if best is not None else ():
        limit = (best.count if best else None) or USUAL_KEPT
        shown = _shown(parts.columns, name)
        descending = best is None or best.descending
        yield Listing(parts.conditions, shown, order=name, descending=descending, limit=limit, cost=cost)


def _row_order(parts: Parts, context: Context) -> tuple[str | None, bool]:
    choices = (parts.ordered.descending if parts.ordered else None, parts.direction)
    descending = next((choice for choice in choices if choice is not None), None)
    if descending is None:
        descending = parts.best.descending if parts.best else False
    if parts.ordered is not None and isinstance(parts.ordered.by, m.Column):
        return parts.ordered.by.name, descending
    numbers = [name for name in parts.columns if context.is_measure(name)]
    return (numbers[0] if parts.best is not None and len(numbers) == 1 else None), descending
