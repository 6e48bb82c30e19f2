"""What a follow-up changes of an answer: its groups, figures, rows, order or chart; the rest stays as it was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.answers import Answer, Grouping, Listing, to_plan
from jupyter_mcpgen.nl.assembling.assemble import general
from jupyter_mcpgen.nl.assembling.implied import implied_functions
from jupyter_mcpgen.nl.assembling.parts import Parts, collect
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.followups.cue import Cue
from jupyter_mcpgen.nl.followups.uncompared import Complete, Former
from jupyter_mcpgen.nl.parsing.parse import parse
from jupyter_mcpgen.nl.predicates import is_true, replaced
from jupyter_mcpgen.nl.reading import Reading
from jupyter_mcpgen.nl.words.tokens import Token
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.schema import ColumnType

_FRAGMENT = ("keys", "each", "periods", "chart", "no_chart", "best", "first", "ordered", "direction")
_WITH_CUE = (*_FRAGMENT, "measures", "functions", "columns")
_STEP = (*_WITH_CUE, "names_rows", "lists_rows", "varies")
_CHANGES = frozenset({*_WITH_CUE, "conditions"}) - {"each"}


def changed(
    former: Former,
    tokens: tuple[Token, ...],
    cue: Cue,
    notes: tuple[str, ...],
    context: Context,
    *,
    may_stay: bool = False,
) -> list[Reading]:
    """Return the readings of a change to an earlier answer, the likeliest first; `may_stay` for one that is none."""
    best: dict[str, Reading] = {}
    before = None if may_stay else former.complete(to_plan(former.answer, context))
    for cover in parse(tokens, context).covers:
        parts = collect(cover, context) if not cover.uncovered else None
        parts = _narrowed(parts, tokens, context) if parts is not None and cue.narrows else parts
        if parts is None or not is_change(parts, cue):
            continue
        for answer in _changed(former.answer, parts, cue.adds, context):
            cost = round(cover.cost + parts.cost + answer.cost, 4)
            reading = _reading(answer, former.complete, parts, cost, notes, context)
            if reading is not None and reading.plan != before:
                key = f"{say_plan(reading.plan)} {reading.plan.chart}"
                if key not in best or reading.cost < best[key].cost:
                    best[key] = reading
    return sorted(best.values(), key=lambda reading: (reading.cost, say_plan(reading.plan)))


def _narrowed(parts: Parts, tokens: tuple[Token, ...], context: Context) -> Parts | None:
    """Read "only refunded" as a condition; None for "only" with a column of labels, which says no values.

    Beside a condition, an amount that is named by a part of its name says whose rows are meant: the "patients" of
    "only female patients" do not ask for `Patient Age`.
    """
    labels = tuple(name for name in parts.columns if not context.is_measure(name))
    if any(context.type_of(name) is not ColumnType.BOOLEAN for name in labels):
        return None
    said = {context.plain(token.lower) for token in tokens}
    kept = tuple(name for name in parts.columns if name not in labels)
    if (parts.conditions or labels) and not parts.functions:
        kept = tuple(n for n in kept if set(context.column_words[n]) - context.optional_words[n] <= said)
    return replace(parts, columns=kept, conditions=(*parts.conditions, *map(is_true, labels)))


def is_change(parts: Parts, cue: Cue) -> bool:
    """Tell whether what was said is a change of an answer rather than a question with a subject of its own."""
    said = any(getattr(parts, name) != getattr(Parts(), name) for name in _CHANGES)
    subject = bool(parts.doubts) or (not cue.computes and bool(parts.measures and (parts.keys or parts.periods)))
    return said and not subject and parts.has_only(*(_STEP if cue.computes else _WITH_CUE if cue.said else _FRAGMENT))


def _reading(
    answer: Answer, complete: Complete, parts: Parts, cost: float, notes: tuple[str, ...], context: Context
) -> Reading | None:
    try:
        plan = complete(to_plan(answer, context))
    except PlanError:
        return None  # a change that makes no sense of the earlier answer is no reading
    if parts.no_chart:
        plan = plan.with_steps(plan.steps)
    elif parts.chart is not None:
        if plan.chart is None:
            return None
        chart = plan.chart.model_copy(update={"kind": parts.chart})
        plan = plan if chart == plan.chart else plan.model_copy(update={"chart": chart})
    assumptions = (*notes, *parts.assumptions, *answer.notes)
    return Reading(plan=plan, label="", cost=cost, assumptions=assumptions, no_chart=parts.no_chart)


def _changed(former: Grouping | Listing, parts: Parts, adds: bool, context: Context) -> Iterator[Answer]:
    """Yield the earlier answer with its parts changed as they were said."""
    kept, gone = replaced(former.conditions, parts.conditions, adds)
    answer = replace(former, conditions=kept).noting(*gone)
    match answer:
        case Grouping():
            yield from _changed_groups(answer, parts, adds, context)
        case Listing():
            yield from _changed_rows(answer, parts, context)


def _changed_groups(answer: Grouping, parts: Parts, adds: bool, context: Context) -> Iterator[Grouping]:
    marks = [name for name in parts.columns if not context.is_measure(name)]
    keys = (*parts.periods, *parts.keys, *(m.GroupKey(name) for name in marks))
    if keys:
        new = tuple(key for key in keys if not adds or key not in answer.keys)
        answer = replace(answer, keys=(*answer.keys, *new) if adds else new)
        if isinstance(answer.order, m.Column) and not answer.limit:
            answer = replace(answer, order=None, ordered=False, descending=None)
        answer = replace(answer, chart=None)
    if parts.chart is not None:
        answer = replace(answer, chart=parts.chart)
    if parts.first is not None and not answer.ordered:
        return
    if parts.best is not None and (parts.best.of is not None or parts.best.rows or parts.names_rows):
        return  # "top 2 employees" are rows, and no groups
    if parts.best is not None and parts.best.count is None:
        return
    if parts.best is None and parts.first is not None:
        answer = replace(answer, limit=parts.first)
    for kept in (answer,) if parts.best is None else _best_groups(answer, parts.best, context):
        ordered = _in_order(kept, parts)
        if ordered is not None:
            yield from _changed_measures(ordered, parts, adds, context)


def _in_order(answer: Grouping, parts: Parts) -> Grouping | None:
    """Return the groups in the order that was said; None for an order by several columns."""
    if parts.ordered is not None:
        if parts.ordered.then:
            return None
        descending = parts.ordered.descending
        if descending is None and parts.best is not None:
            descending = parts.best.descending
        answer = replace(answer, ordered=True, order=parts.ordered.by, descending=descending)
    return answer if parts.direction is None else replace(answer, ordered=True, descending=parts.direction)


def _best_groups(answer: Grouping, best: m.Best, context: Context) -> tuple[Grouping, ...]:
    """Return the groups with the largest figures, or the smallest; in an order that was asked for, also its first."""
    kept: tuple[Grouping, ...] = (answer,)
    if isinstance(answer.order, m.Column):
        by_figures = replace(answer, order=None, ordered=False, descending=None)
        kept = (by_figures, answer) if _is_ordered_otherwise(answer, by_figures, context) else (by_figures,)
    return tuple(replace(one, ordered=True, descending=best.descending, limit=best.count) for one in kept)


def _is_ordered_otherwise(answer: Grouping, usual: Grouping, context: Context) -> bool:
    """Tell whether an order was asked for; periods and ordered labels stand in their own order anyway."""
    try:
        return to_plan(answer, context).steps != to_plan(usual, context).steps
    except PlanError:
        return False  # a change that makes no sense of the earlier answer is dropped where it is read


def _changed_measures(answer: Grouping, parts: Parts, adds: bool, context: Context) -> Iterator[Grouping]:
    numbers = tuple(name for name in parts.columns if context.is_measure(name))
    if parts.measures:
        yield from _measuring(answer, parts.measures, adds)
    elif parts.functions and not numbers:
        columns = dict.fromkeys(measured.column for measured in answer.measures if measured.column is not None)
        yield from _measuring(answer, tuple(m.Measured(f, name) for f in parts.functions for name in columns), adds)
    elif numbers and parts.functions:
        yield from _measuring(answer, tuple(m.Measured(f, name) for f in parts.functions for name in numbers), adds)
    elif numbers:
        functions = {measured.function for measured in answer.measures}
        kept = functions.pop() if len(functions) == 1 else F.COUNT
        if kept not in (F.COUNT, F.COUNT_DISTINCT):
            yield from _measuring(answer, tuple(m.Measured(kept, name) for name in numbers), adds)
            return
        for function, note, extra in implied_functions(numbers, context):
            said = answer.noting(note).costlier(extra)
            yield from _measuring(said, tuple(m.Measured(function, name) for name in numbers), adds)
    else:
        yield answer


def _measuring(answer: Grouping, measures: tuple[m.Measured, ...], adds: bool) -> Iterator[Grouping]:
    """Yield the answer with other numbers; what depended on the ones that are gone goes with them."""
    if not measures or (answer.having and not adds):
        return
    wanted = tuple(dict.fromkeys((*answer.measures, *measures))) if adds else measures
    order = answer.order if answer.order in wanted or isinstance(answer.order, m.Column) else None
    yield replace(answer, measures=wanted, order=order, then=None)


def _changed_rows(answer: Listing, parts: Parts, context: Context) -> Iterator[Answer]:
    if parts.measures or parts.functions or parts.keys or parts.periods or parts.best or parts.columns:
        if answer == Listing(answer.conditions, (), notes=answer.notes):  # all rows that count, as they are
            yield from general(replace(parts, conditions=answer.conditions), context)
        return
    if parts.ordered is not None:
        if not isinstance(parts.ordered.by, m.Column):
            return
        answer = replace(answer, order=parts.ordered.by.name, then=parts.ordered.then)
        answer = replace(answer, descending=bool(parts.ordered.descending))
    if parts.direction is not None:
        if answer.order is None:
            return
        answer = replace(answer, descending=parts.direction)
    if parts.first is not None:
        answer = replace(answer, limit=parts.first)
    yield replace(answer, chart=parts.chart) if parts.chart is not None else answer
