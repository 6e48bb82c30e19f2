"""Follow-ups: "now by month", "only 2020", "as a line chart", "top 5" change the answer before them.

A question is a follow-up when it says so ("now …", "what about …") or when it is a fragment that has no subject of its
own. What it names takes the place of what was there; with "also" it comes beside it. The rest stays as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.answers import Answer, Grouping, Listing, to_plan
from jupyter_mcpgen.nl.assembling.assemble import general
from jupyter_mcpgen.nl.assembling.implied import implied_functions
from jupyter_mcpgen.nl.assembling.parts import Parts, collect
from jupyter_mcpgen.nl.comparing.plans.shares import shared
from jupyter_mcpgen.nl.comparing.reader import Attempt, attempts, says_percent
from jupyter_mcpgen.nl.computed.reader import followed_computed
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.everyday.reader import in_own_words
from jupyter_mcpgen.nl.followups.kept_rows import drops_rows, kept_rows
from jupyter_mcpgen.nl.followups.uncompared import Complete, Former, former_of
from jupyter_mcpgen.nl.parsing.parse import parse
from jupyter_mcpgen.nl.predicates import is_true, replaced
from jupyter_mcpgen.nl.read import decide
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.nl.spelling import corrected
from jupyter_mcpgen.nl.statistics.followup import changed_statistic
from jupyter_mcpgen.nl.tables.flags import as_flags, conditions_on_flags, over_flags, stored_flags
from jupyter_mcpgen.nl.tables.written import over_texts_read, ways, with_texts_read
from jupyter_mcpgen.nl.words.lexicon import Lexicon
from jupyter_mcpgen.nl.words.tokens import Token, tokenize
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

UNCHANGED = "The answer before is already so."
MOST_WORDS = 14
"""A longer text is a question of its own."""

_FRAGMENT = ("keys", "each", "periods", "chart", "no_chart", "best", "first", "ordered", "direction")
_WITH_CUE = (*_FRAGMENT, "measures", "functions", "columns")
_STEP = (*_WITH_CUE, "names_rows", "lists_rows", "varies")
_CHANGES = frozenset({*_WITH_CUE, "conditions"}) - {"each"}


@dataclass(frozen=True)
class Cue:
    """What says that a question follows another one.

    `adds` when it comes beside what was there, `narrows` when it keeps some of the rows; `computes` for a next step,
    which may have a subject of its own.
    """

    said: bool = False
    adds: bool = False
    computes: bool = False
    narrows: bool = False


def follow_up(
    question: str, earlier: Plan, earlier_question: str, profile: Profile, language: str = "en"
) -> Understanding | None:
    """Return the earlier answer as the question changes it; None when the question stands for itself.

    A change that the earlier answer has no place for is refused, because the words alone would mean something else.
    """
    if (earlier.source, earlier.source_schema) != (profile.name, profile.schema_) or earlier.second is not None:
        return None
    follow = partial(_of_plan, question, earlier_question, language)
    made = followed_computed(earlier, profile, follow)
    if made is not None:
        return made
    spoken = tuple(dict.fromkeys((question, in_own_words(question, profile, language))))
    flagged = _flagged(spoken, earlier, earlier_question, profile, language)
    if flagged is not None:
        return flagged
    refused: Understanding | None = None
    for words in spoken:
        found = _followed(words, earlier, earlier_question, profile, language)
        if isinstance(found, Answered | Asked):
            return found
        refused = refused or found
    for way, typed in ways(profile):
        plan = over_texts_read(earlier, way, typed)
        if plan is None:
            continue
        flagged = _flagged(spoken, plan, earlier_question, typed, language)
        if flagged is not None:
            return with_texts_read(flagged, way, profile)
        for words in spoken:
            found = _followed(words, plan, earlier_question, typed, language)
            if isinstance(found, Answered | Asked):
                return with_texts_read(found, way, profile)
            refused = refused or found
    return refused


def _of_plan(
    question: str, earlier_question: str, language: str, earlier: Plan, profile: Profile
) -> Understanding | None:
    return follow_up(question, earlier, earlier_question, profile, language)


def _flagged(
    spoken: tuple[str, ...], earlier: Plan, earlier_question: str, profile: Profile, language: str
) -> Answered | None:
    """Return the earlier answer with a condition on a column of 0 and 1; None where the question says none."""
    typed = as_flags(profile, language)
    plan = over_flags(earlier, typed) if typed is not None else None
    if typed is None or plan is None:
        return None
    for words in spoken:
        found = _followed(words, plan, earlier_question, typed, language)
        if isinstance(found, Answered) and conditions_on_flags(found.winner.plan, profile, language):
            return stored_flags(found, profile, language)
    return None


def _followed(
    question: str, earlier: Plan, earlier_question: str, profile: Profile, language: str
) -> Understanding | None:
    context = context_of(profile, language)
    tokens, notes = corrected(tokenize(question, decimal_comma=context.lexicon.decimal_comma), context)
    if drops_rows(tokens, context):
        return _without_rows(tokens, earlier, (f"Read as a follow-up to “{earlier_question}”.", *notes), context)
    cue, rest = _cue(tokens, context.lexicon)
    if not rest or len(rest) > MOST_WORDS:
        return None
    notes = (f"Read as a follow-up to “{earlier_question}”.", *notes)
    former = former_of(earlier, context)
    bare = tuple(attempt for attempt in attempts(rest, context, language) if attempt.bare)
    if former is not None:
        found = (
            _in_percent(former, rest, notes, context, language)
            or _compared_now(former, bare, notes, context)
            or changed(former, rest, cue, notes, context)
        )
    else:
        found = changed_statistic(earlier, rest, notes, context, language, said=cue.said, adds=cue.adds)
    if not found and former is not None and (same := changed(former, rest, cue, notes, context, may_stay=True)):
        found = [replace(reading, assumptions=(*reading.assumptions, UNCHANGED)) for reading in same]
    if found:
        return decide(found, context)
    return (
        _no_place(question, earlier_question)
        if bare or says_percent(rest, language) or _is_change(rest, cue, context)
        else None
    )


def _without_rows(
    tokens: tuple[Token, ...], earlier: Plan, notes: tuple[str, ...], context: Context
) -> Understanding | None:
    """Return the earlier answer without the rows that "exclude …" names; None where it names none."""
    former = former_of(earlier, context)
    kept = kept_rows(tokens, context)
    if former is None or not kept:
        return None
    answer = replace(former.answer, conditions=(*former.answer.conditions, *kept))
    found = _completed(replace(former, answer=answer), former.complete, 0.0, notes, context)
    return decide(found, context) if found else None


def _is_change(tokens: tuple[Token, ...], cue: Cue, context: Context) -> bool:
    """Tell whether words say a change of an answer, and no question of their own."""
    covers = parse(tokens, context).covers
    parts = (collect(cover, context) for cover in covers[:1] if not cover.uncovered)
    return any(part is not None and _follows(part, cue) for part in parts)


def _no_place(question: str, earlier_question: str) -> Refused:
    return Refused(
        f"“{question}” reads as a change of “{earlier_question}”, but that answer cannot be changed in this way, so "
        "nothing was computed. Ask the whole question in one sentence."
    )


def _in_percent(
    former: Former, tokens: tuple[Token, ...], notes: tuple[str, ...], context: Context, language: str
) -> list[Reading]:
    """Return parts of a whole in percent, where that is all a follow-up asks for."""
    if former.percent or not says_percent(tokens, language):
        return []
    complete = former.otherwise
    if complete is None and former.is_plain:
        complete = partial(shared, percent=True, within=None, rate=False, narrowed=True)
    return [] if complete is None else _completed(former, complete, 0.0, notes, context)


def _compared_now(former: Former, bare: tuple[Attempt, ...], notes: tuple[str, ...], context: Context) -> list[Reading]:
    """Return the earlier figures compared, where a follow-up asks for nothing else: "cumulative", "growth"."""
    for attempt in bare if former.is_plain else ():
        found = _completed(former, attempt.complete, attempt.cost, notes, context)
        if found:
            return found
    return []


def _completed(
    former: Former, complete: Complete, cost: float, notes: tuple[str, ...], context: Context
) -> list[Reading]:
    try:
        plan = complete(to_plan(former.answer, context))
    except PlanError:
        return []  # the earlier figures cannot be compared so
    return [Reading(plan=plan, label="", cost=cost, assumptions=notes)]


def _cue(tokens: tuple[Token, ...], lexicon: Lexicon) -> tuple[Cue, tuple[Token, ...]]:
    """Take the words that point back off both ends of a question."""
    cue, changed = Cue(), True
    while changed and tokens:
        changed = False
        for phrase in lexicon.follow_up_phrases:
            words = tuple(phrase.split())
            adds, narrows = cue.adds or phrase in lexicon.adding, cue.narrows or phrase in lexicon.narrowing
            if _lower(tokens[: len(words)]) == words:
                tokens, cue, changed = tokens[len(words) :], Cue(True, adds, narrows=narrows), True
            elif phrase in lexicon.trailing and _lower(tokens[-len(words) :]) == words:
                tokens, cue, changed = tokens[: -len(words)], Cue(True, adds, narrows=narrows), True
            if changed:
                break
    new = _without_what_gives_way(_without_end_mark(tokens), lexicon)
    return (cue, new) if len(new) == len(_without_end_mark(tokens)) else (replace(cue, said=True), new)


def _without_what_gives_way(tokens: tuple[Token, ...], lexicon: Lexicon) -> tuple[Token, ...]:
    """Return "by device" of "by device instead of month": what is new says which part it takes the place of."""
    for phrase in lexicon.in_place_of:
        words = tuple(phrase.split())
        for start in range(1, len(tokens) - len(words)):
            if _lower(tokens[start : start + len(words)]) == words:
                return tokens[:start]
    return tokens


def _without_end_mark(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    return tokens[:-1] if tokens and tokens[-1].text in ("?", ".", "!") else tokens


def _lower(tokens: tuple[Token, ...]) -> tuple[str, ...]:
    return tuple(token.lower for token in tokens)


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
        if parts is None or not _follows(parts, cue):
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


def _follows(parts: Parts, cue: Cue) -> bool:
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
