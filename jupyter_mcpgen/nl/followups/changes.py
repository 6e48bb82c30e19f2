"""What a follow-up changes of an answer: its groups, figures, rows, order or chart; the rest stays as it was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.answers import Answer, Grouping, Listing, to_plan
from jupyter_mcpgen.nl.assembling.assemble import general
from jupyter_mcpgen.nl.assembling.implied import implied_functions
from jupyter_mcpgen.nl.assembling.parts import Parts, collect
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.followups.cue import Cue, narrows
from jupyter_mcpgen.nl.followups.parts_kept import of_the_same_whole
from jupyter_mcpgen.nl.followups.uncompared import Complete, Former
from jupyter_mcpgen.nl.parsing.parse import parse
from jupyter_mcpgen.nl.predicates import about, equal_values, is_true, lists_values, replaced, values_of
from jupyter_mcpgen.nl.reading import Reading
from jupyter_mcpgen.nl.text.tokens import Token
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.english_values import say_predicate
from jupyter_mcpgen.plan.expressions import Compare, negate
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.schema import ColumnType

MOST_WORDS_OF_A_FIGURE = 4
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
        shown = _showing(former, parts, cue) if parts is not None else None
        if parts is not None and shown is not None:
            cost = round(cover.cost + parts.cost, 4)
            reading = _reading(shown, former.complete, parts, cost, notes, context)
            if reading is not None and reading.plan != before:
                best.setdefault(say_plan(reading.plan), reading)
            continue
        parts = _of_whom(parts, tokens, cue, context) if parts is not None else None
        parts = _narrowed(parts, tokens, context) if parts is not None and cue.narrows else parts
        if parts is None or not (is_change(parts, cue) or _is_figure_alone(parts, tokens)):
            continue
        ways = [*_changed(former.answer, parts, cue.adds, context)]
        if not cue.said and not cue.computes and isinstance(former.answer, Grouping):
            ways += _of_the_figures(former.answer, parts)
        if cue.said and not (cue.narrows or cue.adds or cue.computes or may_stay) and parts.has_only():
            ways += _left_out_too(former.answer, parts)
        for answer in ways:
            cost = round(cover.cost + parts.cost + answer.cost, 4)
            meant, complete = of_the_same_whole(answer, former, parts.conditions, context)
            reading = _reading(meant, complete, parts, cost, notes, context)
            if reading is not None and reading.plan != before:
                key = f"{say_plan(reading.plan)} {reading.plan.chart}"
                if key not in best or reading.cost < best[key].cost:
                    best[key] = reading
    return sorted(best.values(), key=lambda reading: (reading.cost, say_plan(reading.plan)))


def _showing(former: Former, parts: Parts, cue: Cue) -> Listing | None:
    """Return the rows of a list with some columns of them: "only the name and the price"."""
    answer = former.answer
    if not isinstance(answer, Listing) or not (cue.narrows or cue.adds) or answer.distinct or answer.chart is not None:
        return None
    if not parts.columns or parts.conditions or parts.doubts or not parts.has_only("columns", "enumerated"):
        return None
    if cue.adds and not answer.columns:
        return answer  # every column is there already
    before = answer.columns if cue.adds else ()
    return replace(answer, columns=tuple(dict.fromkeys((*before, *parts.columns))))


def _of_whom(parts: Parts, tokens: tuple[Token, ...], cue: Cue, context: Context) -> Parts:
    """Read the "patients" of "for private patients" as those whose rows are kept, and as no groups."""
    if not parts.conditions or not (cue.narrows or narrows(tokens, context.lexicon)):
        return parts
    groups = tuple(name for name in parts.columns if context.column(name).role is not Role.IDENTIFIER)
    return replace(parts, columns=groups)


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


def _is_figure_alone(parts: Parts, tokens: tuple[Token, ...]) -> bool:
    """Tell whether nothing is said but a calculation: "median", "what's the total"."""
    return bool(parts.functions) and len(tokens) <= MOST_WORDS_OF_A_FIGURE and parts.has_only("functions")


def _left_out_too(answer: Grouping | Listing, parts: Parts) -> list[Answer]:
    """Return the answer without what is said as well: "and no-shows" behind "leave out cancellations" may mean it."""
    said = parts.conditions[0] if len(parts.conditions) == 1 else None
    if said is None or not equal_values(said):
        return []
    left = [one for one in answer.conditions if lists_values(one) and about(one) == about(said)]
    other = negate(said)
    alike = any(set(values_of(said)) & set(values_of(one)) for one in left)
    return [replace(answer, conditions=(*answer.conditions, other))] if left and not alike else []


def _of_the_figures(answer: Grouping, parts: Parts) -> list[Grouping]:
    """Return a calculation over the figures that were shown: "average" behind sums may mean it, or that of rows."""
    functions = set(parts.functions)
    if not parts.has_only("functions") or len(functions) != 1 or functions <= {F.SUM, F.COUNT, F.COUNT_DISTINCT}:
        return []
    whole = len(answer.measures) == 1 and answer.keys and answer.limit is None
    plain = replace(answer, then=functions.pop(), order=None, ordered=False, descending=None)
    return [plain] if whole and _is_added_up(answer) else []


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
    if answer.then is not None and any(key.unit is None for key in keys):
        return  # "by region" behind the average of the orders' totals asks for no average of the regions'
    if keys:
        answer = _with_every_group(answer, keys, parts)
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


def _with_every_group(answer: Grouping, keys: tuple[m.GroupKey, ...], parts: Parts) -> Grouping:
    """Return the answer of every group: "by channel" behind "only phone" asks for no single bar."""
    grouped = {key.column for key in keys if key.unit is None}
    former = tuple(one for one in answer.conditions if one not in parts.conditions)
    gone = tuple(one for one in former if equal_values(one) and isinstance(one, Compare) and about(one) in grouped)
    kept = tuple(one for one in answer.conditions if one not in gone)
    return replace(answer, conditions=kept).noting(*(f"No longer: {say_predicate(one)}." for one in gone))


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
    elif parts.functions == (F.SUM,) and not numbers and _is_added_up(answer):
        if not adds and not _names_groups(parts) and answer.keys and answer.limit is None and not answer.having:
            yield replace(answer, keys=(), order=None, ordered=False, descending=None, chart=None)
    elif parts.functions and not numbers:
        columns = dict.fromkeys(measured.column for measured in answer.measures if measured.column is not None)
        yield from _measuring(answer, tuple(m.Measured(f, name) for f in parts.functions for name in columns), adds)
    elif numbers and parts.functions:
        yield from _measuring(answer, tuple(m.Measured(f, name) for f in parts.functions for name in numbers), adds)
    elif numbers:
        functions = {measured.function for measured in answer.measures}
        kept = functions.pop() if len(functions) == 1 else F.COUNT
        adds_nothing_up = kept is F.SUM and any(context.adds_up(name) is False for name in numbers)
        if kept not in (F.COUNT, F.COUNT_DISTINCT) and not adds_nothing_up:
            yield from _measuring(answer, tuple(m.Measured(kept, name) for name in numbers), adds)
            return
        for function, note, extra in implied_functions(numbers, context):
            said = answer.noting(note).costlier(extra)
            yield from _measuring(said, tuple(m.Measured(function, name) for name in numbers), adds)
    else:
        yield answer


def _is_added_up(answer: Grouping) -> bool:
    return answer.then is None and {measured.function for measured in answer.measures} <= {F.SUM, F.COUNT}


def _names_groups(parts: Parts) -> bool:
    return bool(parts.keys or parts.periods)


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
