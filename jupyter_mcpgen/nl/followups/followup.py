"""Follow-ups: "now by month", "only 2020", "as a line chart", "top 5" change the answer before them.

A question is a follow-up when it says so ("now …", "what about …") or when it is a fragment that has no subject of its
own. What it names takes the place of what was there; with "also" it comes beside it. The rest stays as it was.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.assembling.answers import to_plan
from jupyter_mcpgen.nl.assembling.parts import Parts, collect
from jupyter_mcpgen.nl.comparing.reader import Attempt, attempts
from jupyter_mcpgen.nl.computed.reader import followed_computed
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.everyday.reader import in_own_words
from jupyter_mcpgen.nl.followups.changes import changed, is_change
from jupyter_mcpgen.nl.followups.cue import Cue, cue_of
from jupyter_mcpgen.nl.followups.figure_order import in_order_of_figures
from jupyter_mcpgen.nl.followups.figures_again import of_the_figures
from jupyter_mcpgen.nl.followups.kept_rows import drops_rows, kept_rows
from jupyter_mcpgen.nl.followups.narrowing import of_fewer_rows
from jupyter_mcpgen.nl.followups.parts_of_whole import as_parts, says_parts
from jupyter_mcpgen.nl.followups.uncompared import Complete, Former, former_of
from jupyter_mcpgen.nl.parsing.parse import parse
from jupyter_mcpgen.nl.read import decide
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.nl.spelling import corrected
from jupyter_mcpgen.nl.statistics.followup import changed_statistic
from jupyter_mcpgen.nl.tables.flags import as_flags, conditions_on_flags, over_flags, stored_flags
from jupyter_mcpgen.nl.tables.written import over_texts_read, ways, with_texts_read
from jupyter_mcpgen.nl.text.tokens import Token, tokenize
from jupyter_mcpgen.plan.plan import Plan

UNCHANGED = "The answer before is already so."
MOST_WORDS = 14
"""A longer text is a question of its own."""


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
    return _of_fewer_rows(question, earlier, earlier_question, profile, language) or refused


def _of_fewer_rows(
    question: str, earlier: Plan, earlier_question: str, profile: Profile, language: str
) -> Answered | None:
    """Return the earlier figures of some rows, where no other reader of follow-ups can change them."""
    context = context_of(profile, language)
    tokens, notes = corrected(tokenize(question, decimal_comma=context.lexicon.decimal_comma), context)
    cue, rest = cue_of(tokens, context.lexicon)
    if not cue.narrows or not rest or len(rest) > MOST_WORDS or former_of(earlier, context) is not None:
        return None
    return of_fewer_rows(earlier, rest, (f"Read as a follow-up to “{earlier_question}”.", *notes), context)


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
    cue, rest = cue_of(tokens, context.lexicon)
    if not rest or len(rest) > MOST_WORDS:
        return None
    notes = (f"Read as a follow-up to “{earlier_question}”.", *notes)
    again = of_the_figures(earlier, rest, context, language) or of_the_figures(earlier, tokens, context, language)
    if again is not None:
        return Answered(Reading(plan=again, label="", cost=0.0, assumptions=notes))
    former = former_of(earlier, context)
    bare = tuple(attempt for attempt in attempts(rest, context, language) if attempt.bare)
    if former is not None:
        found = (
            as_parts(former, rest, notes, context, language)
            or in_order_of_figures(former, rest, notes, context)
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
        if bare or says_parts(rest, context, language) or _is_change(rest, cue, context)
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
    """Tell whether words say a change of an answer, and no question of their own ("top 3 countries by revenue")."""
    covers = parse(tokens, context).covers
    said = [collect(cover, context) for cover in covers[:1] if not cover.uncovered]
    parts = [part for part in said if part is not None and (cue.said or not _names_what_is_best(part))]
    return any(is_change(part, cue) for part in parts)


def _names_what_is_best(parts: Parts) -> bool:
    return parts.best is not None and (parts.best.of is not None or parts.best.rows or parts.names_rows)


def _no_place(question: str, earlier_question: str) -> Refused:
    return Refused(
        f"I read “{question}” as a change of “{earlier_question}”, but could not apply it. Ask the whole question in "
        "one sentence."
    )


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
