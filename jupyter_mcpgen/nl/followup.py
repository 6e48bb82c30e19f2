"""Follow-ups: "now by month", "only 2020", "as a line chart", "top 5" change the answer before them.

A question is a follow-up when it says so ("now …", "what about …") or when it is a fragment that has no subject of its
own. What it names takes the place of what was there; with "also" it comes beside it. The rest stays as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.answers import Answer, Grouping, Listing, to_plan
from jupyter_mcpgen.nl.assemble import general
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.implied import implied_functions
from jupyter_mcpgen.nl.lexicon import Lexicon
from jupyter_mcpgen.nl.parse import parse
from jupyter_mcpgen.nl.parts import Parts, collect
from jupyter_mcpgen.nl.predicates import about
from jupyter_mcpgen.nl.read import decide
from jupyter_mcpgen.nl.reading import Reading, Understanding
from jupyter_mcpgen.nl.recall import recall
from jupyter_mcpgen.nl.spelling import corrected
from jupyter_mcpgen.nl.tokens import Token, tokenize
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.english_values import say_predicate
from jupyter_mcpgen.plan.expressions import Predicate
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.plan import Plan

MOST_WORDS = 14
"""A longer text is a question of its own."""

_FRAGMENT = ("keys", "each", "periods", "chart", "no_chart", "best", "first", "ordered", "direction")
_WITH_CUE = (*_FRAGMENT, "measures", "functions", "columns")
_STEP = (*_WITH_CUE, "names_rows", "lists_rows", "varies")
_CHANGES = frozenset({*_WITH_CUE, "conditions"}) - {"each"}
_Former = Grouping | Listing


@dataclass(frozen=True)
class Cue:
    """What says that a question follows another one.

    `adds` when it comes beside what was there; `computes` for a next step, which may have a subject of its own.
    """

    said: bool = False
    adds: bool = False
    computes: bool = False


def follow_up(
    question: str, earlier: Plan, earlier_question: str, profile: Profile, language: str = "en"
) -> Understanding | None:
    """Return the earlier answer as the question changes it; None when the question stands for itself."""
    context = context_of(profile, language)
    if (earlier.source, earlier.source_schema) != (profile.name, profile.schema_):
        return None
    former = recall(earlier, context)
    tokens, notes = corrected(tokenize(question, decimal_comma=context.lexicon.decimal_comma), context)
    cue, rest = _cue(tokens, context.lexicon)
    if former is None or not rest or len(rest) > MOST_WORDS:
        return None
    note = f"Read as a follow-up to “{earlier_question}”."
    found = changed(former, rest, cue, (note, *notes), context)
    return decide(found, context) if found else None


def _cue(tokens: tuple[Token, ...], lexicon: Lexicon) -> tuple[Cue, tuple[Token, ...]]:
    """Take the words that point back off both ends of a question."""
    cue, changed = Cue(), True
    while changed and tokens:
        changed = False
        for phrase in lexicon.follow_up_phrases:
            words = tuple(phrase.split())
            adds = cue.adds or phrase in lexicon.adding
            if _lower(tokens[: len(words)]) == words:
                tokens, cue, changed = tokens[len(words) :], Cue(True, adds), True
            elif phrase in lexicon.trailing and _lower(tokens[-len(words) :]) == words:
                tokens, cue, changed = tokens[: -len(words)], Cue(True, adds), True
            if changed:
                break
    return cue, _without_end_mark(tokens)


def _without_end_mark(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    return tokens[:-1] if tokens and tokens[-1].text in ("?", ".", "!") else tokens


def _lower(tokens: tuple[Token, ...]) -> tuple[str, ...]:
    return tuple(token.lower for token in tokens)


def changed(
    former: _Former,
    tokens: tuple[Token, ...],
    cue: Cue,
    notes: tuple[str, ...],
    context: Context,
) -> list[Reading]:
    """Return the readings of a change to an earlier answer, the likeliest first."""
    best: dict[str, Reading] = {}
    for cover in parse(tokens, context).covers:
        parts = collect(cover, context) if not cover.uncovered else None
        if parts is None or not _follows(parts, cue):
            continue
        for answer in _changed(former, parts, cue.adds, context):
            reading = _reading(answer, parts, round(cover.cost + parts.cost + answer.cost, 4), notes, context)
            if reading is not None and reading.plan != to_plan(former, context):
                key = f"{say_plan(reading.plan)} {reading.plan.chart}"
                if key not in best or reading.cost < best[key].cost:
                    best[key] = reading
    return sorted(best.values(), key=lambda reading: (reading.cost, say_plan(reading.plan)))


def _follows(parts: Parts, cue: Cue) -> bool:
    """Tell whether what was said is a change of an answer rather than a question with a subject of its own."""
    said = any(getattr(parts, name) != getattr(Parts(), name) for name in _CHANGES)
    subject = bool(parts.doubts) or (not cue.computes and bool(parts.measures and (parts.keys or parts.periods)))
    return said and not subject and parts.has_only(*(_STEP if cue.computes else _WITH_CUE if cue.said else _FRAGMENT))


def _reading(answer: Answer, parts: Parts, cost: float, notes: tuple[str, ...], context: Context) -> Reading | None:
    try:
        plan = to_plan(answer, context)
    except PlanError:
        return None  # a change that makes no sense of the earlier answer is no reading
    if parts.no_chart:
        plan = plan.with_steps(plan.steps)
    assumptions = (*notes, *parts.assumptions, *answer.notes)
    return Reading(plan=plan, label="", cost=cost, assumptions=assumptions, no_chart=parts.no_chart)


def _changed(former: _Former, parts: Parts, adds: bool, context: Context) -> Iterator[Answer]:
    """Yield the earlier answer with its parts changed as they were said."""
    kept, replaced = _conditions(former.conditions, parts.conditions, adds)
    answer = replace(former, conditions=kept).noting(*replaced)
    match answer:
        case Grouping():
            yield from _changed_groups(answer, parts, adds, context)
        case Listing():
            yield from _changed_rows(answer, parts, context)


def _conditions(
    former: tuple[Predicate, ...], said: tuple[Predicate, ...], adds: bool
) -> tuple[tuple[Predicate, ...], tuple[str, ...]]:
    """Return the conditions that hold now, and in words the ones that gave way."""
    columns = {about(predicate) for predicate in said} - {None}
    gone = () if adds else tuple(predicate for predicate in former if about(predicate) in columns)
    kept = tuple(predicate for predicate in former if predicate not in gone and predicate not in said)
    return (*kept, *said), tuple(f"No longer: {say_predicate(predicate)}." for predicate in gone)


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
    if parts.best is not None:
        if parts.best.of is not None or parts.best.count is None:
            return
        answer = replace(answer, ordered=True, descending=parts.best.descending, limit=parts.best.count)
    elif parts.first is not None:
        answer = replace(answer, limit=parts.first)
    if parts.ordered is not None:
        if parts.ordered.then:
            return
        answer = replace(answer, ordered=True, order=parts.ordered.by, descending=parts.ordered.descending)
    if parts.direction is not None:
        answer = replace(answer, ordered=True, descending=parts.direction)
    yield from _changed_measures(answer, parts, adds, context)


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
