"""Requests in several steps: "keep 2020, then average price by region, then top 5" are one plan, step by step."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import takewhile

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.answers import Grouping, Listing, to_plan
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.followups.changes import changed
from jupyter_mcpgen.nl.followups.cue import Cue, cue_of
from jupyter_mcpgen.nl.followups.figures_again import of_the_figures, says_of_figures
from jupyter_mcpgen.nl.followups.kept_rows import kept_rows, without_verb
from jupyter_mcpgen.nl.followups.parts_of_whole import as_parts, says_parts
from jupyter_mcpgen.nl.followups.preparation import Preparation
from jupyter_mcpgen.nl.followups.preparing import (
    asked_after,
    begins_by_preparing,
    in_order,
    parted,
    prepared_alone,
    prepared_by,
)
from jupyter_mcpgen.nl.followups.recall import recall
from jupyter_mcpgen.nl.followups.rows_named import rows_named
from jupyter_mcpgen.nl.followups.uncompared import as_it_is, former_of
from jupyter_mcpgen.nl.manner.dressing import dressed
from jupyter_mcpgen.nl.manner.looks import take_looks
from jupyter_mcpgen.nl.read import decide, read
from jupyter_mcpgen.nl.reading import Answered, Reading
from jupyter_mcpgen.nl.spelling import corrected
from jupyter_mcpgen.nl.tables.flags import as_flags, stored_flags
from jupyter_mcpgen.nl.tables.written import ways, with_texts_read
from jupyter_mcpgen.nl.text.tokens import Token, tokenize
from jupyter_mcpgen.nl.words.lexicon import load_lexicon
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import All, Columns, Parse, Predicate, terms_of
from jupyter_mcpgen.plan.ops import Derive, Filter, Select, Window
from jupyter_mcpgen.plan.plan import Plan

MOST_STEPS = 6
_ONE_STEP = "Read as one step: the rows are shown as it leaves them."


def read_chain(question: str, profile: Profile, language: str = "en") -> Answered | None:
    """Return the one plan that several steps amount to; None unless every step can be read to its end.

    Texts that write numbers, dates or truth, and columns of 0 and 1, are read as that where the steps need it.
    """
    plain = _with_flags(question, profile, language)
    found = [(way, _with_flags(question, typed, language)) for way, typed in ways(profile)]
    read_so = [with_texts_read(chained, way, profile) for way, chained in found if chained is not None]
    needed = {say_plan(one.winner.plan): one for one in read_so if isinstance(one, Answered) and _reads_texts(one)}
    return next(iter(needed.values())) if len(needed) == 1 else plain


def _with_flags(question: str, profile: Profile, language: str) -> Answered | None:
    """Return what the steps amount to, with columns of 0 and 1 as conditions where they do not make sense otherwise."""
    plain = _chained(question, profile, language)
    flagged = as_flags(profile, language) if plain is None else None
    meant = _chained(question, flagged, language) if flagged is not None else None
    return stored_flags(meant, profile, language) if meant is not None else plain


def _reads_texts(answer: Answered) -> bool:
    """Tell whether an answer reads a column of texts as what they write."""
    steps = answer.winner.plan.steps
    return any(isinstance(step, Derive) and isinstance(step.expression, Parse) for step in steps)


def _chained(question: str, profile: Profile, language: str) -> Answered | None:
    """Return the one plan that several steps amount to over columns of the types that they have."""
    context = context_of(profile, language)
    clauses = _steps_in(question, language, context)
    if not 0 < len(clauses) <= MOST_STEPS:
        return None
    if len(clauses) == 1:
        alone = _alone(clauses[0], profile, language, context)
        return Answered(replace(alone, assumptions=(_ONE_STEP, *alone.assumptions))) if alone is not None else None
    prepared = prepared_by(clauses, context, language)
    if prepared is None:
        reading = _in_turn(clauses, profile, language, context)
    else:
        asked = [asked_after(clause, prepared, language, context) for clause in clauses[prepared.clauses :]]
        reading = _over(prepared, _in_turn(asked, profile, language, context))
    if reading is None:
        return None
    steps = "; ".join(f"({number}) {clause.strip(' .')}" for number, clause in enumerate(clauses, 1))
    note = f"Read as {len(clauses)} steps of one plan: {steps}."
    return Answered(replace(reading, assumptions=(note, *reading.assumptions)), (), reading.no_chart)


def _alone(clause: str, profile: Profile, language: str, context: Context) -> Reading | None:
    """Return the rows as one step leaves them: "remove duplicates", "fill missing heights with the median"."""
    prepared = prepared_alone(clause.strip(" .?!"), context, language)
    if prepared is None:
        return _narrowed(Listing((), ()), clause, profile, context, language)
    rows = Plan(source=profile.name, source_schema=profile.schema_)
    return _over(prepared, Reading(plan=rows, label="", cost=0.0))


def prepares_first(question: str, profile: Profile, language: str = "en") -> str | None:
    """Return the first of several steps where it drops or fills something; None for any other question."""
    context = context_of(profile, language)
    clauses = _steps_in(question, language, context)
    return clauses[0] if begins_by_preparing(clauses, language, context) else None


def works_on_figures(question: str, profile: Profile, language: str = "en") -> str | None:
    """Return the first of several steps that asks for something of the figures before it; None for any other question.

    Read as one question it would lose what it points at: "revenue by customer, then the average of that".
    """
    context = context_of(profile, language)
    later = _steps_in(question, language, context)[1:]
    found = (step for step in later if says_of_figures(_tokens(step, context)[0], context, language))
    return next(found, None)


def _steps_in(question: str, language: str, context: Context) -> list[str]:
    split = _clauses(in_order(question, language), language)
    return [part for clause in split for part in parted(clause, language, context)]


def _in_turn(clauses: list[str], profile: Profile, language: str, context: Context) -> Reading | None:
    """Return what steps amount to, each of which changes the one before it."""
    reading = _first(clauses[0], profile, language, context)
    for clause in clauses[1:]:
        reading = _next(reading, clause, profile, language, context) if reading is not None else None
    return reading


def _over(prepared: Preparation, reading: Reading | None) -> Reading | None:
    """Return a reading over rows that were prepared; None where it needs them as they were."""
    if reading is None:
        return None
    try:
        plan = reading.plan.with_steps((*prepared.steps, *reading.plan.steps))
        helping = {step.name for step in prepared.steps if isinstance(step, Window)}
        shown = tuple(name for name in plan.result_schema.names if name not in helping)
        if len(shown) < len(plan.result_schema.names):
            plan = plan.with_steps((*plan.steps, Select(columns=Columns(names=shown))))
        plan = plan.model_copy(update={"chart": reading.plan.chart})
    except PlanError:
        return None  # a column that is computed has the name of one of its own
    return replace(reading, plan=plan, assumptions=(*prepared.notes, *reading.assumptions))


def _is_unsupported(meaning: m.Meaning) -> bool:
    return isinstance(meaning, m.Unsupported)


def _clauses(question: str, language: str) -> list[str]:
    """Split a question at the words that begin a next step, and at semicolons."""
    opening, border = _borders(language)
    parts = border.split(question)
    return [part for part in (opening.sub("", parts[0]), *parts[1:]) if part.strip()]


@cache
def _borders(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what a language begins a first step with, and what it has between two steps."""
    lexicon = load_lexicon(language)
    unread = _any_of(phrase for phrase, meant in lexicon.phrases.items() if any(map(_is_unsupported, meant)))
    following = rf"(?!(?:{unread})\b)(?:{_any_of(lexicon.sequence)})\b[\s,:]*"  # "next year" begins no step
    joining = _any_of(phrase for phrase, meant in lexicon.phrases.items() if m.And() in meant and phrase.isalpha())
    verbs = _any_of(lexicon.keeping | lexicon.dropping)
    joined = rf"(?:\s*,\s*|\s+(?={joining}))(?:(?:{joining})\s+)?(?=(?:{verbs})\b)"
    opening = rf"^\s*(?:{_any_of(lexicon.first_step)})\b[\s,:]*"
    border = rf"\s*;\s*(?:{following})?|[\s,]+{following}|{joined}"
    return re.compile(opening, re.IGNORECASE), re.compile(border, re.IGNORECASE)


def _any_of(phrases: Iterable[str]) -> str:
    return "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))


def _first(clause: str, profile: Profile, language: str, context: Context) -> Reading | None:
    narrowed = _narrowed(Listing((), ()), clause, profile, context, language)
    if narrowed is not None:
        return narrowed
    match read(clause, profile, language):
        case Answered(winner):
            return winner
        case _:
            return None


def _next(before: Reading, clause: str, profile: Profile, language: str, context: Context) -> Reading | None:
    said, spelled = _tokens(clause, context)
    again = of_the_figures(before.plan, said, context, language)
    if again is not None:
        return replace(before, plan=again, assumptions=(*before.assumptions, *spelled))
    if says_of_figures(said, context, language):
        return None  # there are several that it may point at
    if says_parts(said, context, language):
        whole = former_of(before.plan, context)
        parts = as_parts(whole, said, before.assumptions, context, language) if whole is not None else []
        return parts[0] if parts else None
    former = recall(before.plan, context)
    if former is None:
        return None
    narrowed = _narrowed(former, clause, profile, context, language)
    if narrowed is not None:
        return replace(narrowed, assumptions=(*before.assumptions, *narrowed.assumptions))
    tokens, notes = _tokens(clause, context)
    found = changed(as_it_is(former), tokens, Cue(said=True, computes=True), notes, context, may_stay=True)
    match decide(found, context) if found else read(clause, profile, language):
        case Answered(winner) if found:
            return replace(winner, assumptions=(*before.assumptions, *winner.assumptions))
        case Answered(winner) if (own := _over_kept_rows(before, winner)) is not None:
            return own
        case _:
            return _in_looks(before, clause, profile, language, context)


def _in_looks(before: Reading, clause: str, profile: Profile, language: str, context: Context) -> Reading | None:
    """Return a step that says what the chart looks like: "then show it as stacked bars"."""
    looks = take_looks(clause, context, language)
    if looks is None or before.plan.chart is None:
        return None
    left = [token for token in _tokens(looks.text, context)[0] if not context.lexicon.is_filler(token.lower)]
    made = _next(before, looks.text, profile, language, context) if left else before
    return dressed(made, looks, context) if made is not None else None


def _over_kept_rows(before: Reading, reading: Reading) -> Reading | None:
    """Return a reading of a step of its own over the rows that the steps before keep; None if they do more."""
    match before.plan.steps:
        case (Filter(predicate=kept),):
            pass
        case _:
            return None
    steps = list(reading.plan.steps)
    reads = len(list(takewhile(lambda step: isinstance(step, Derive) and isinstance(step.expression, Parse), steps)))
    own = steps[reads] if reads < len(steps) else None
    if isinstance(own, Filter):
        steps[reads] = Filter(predicate=All(terms=(*terms_of(kept), *terms_of(own.predicate))))
    else:
        steps.insert(reads, Filter(predicate=kept))
    try:
        plan = reading.plan.with_steps(tuple(steps)).model_copy(update={"chart": reading.plan.chart})
    except PlanError:
        return None  # the conditions are about columns that the step reads otherwise
    return replace(reading, plan=plan, assumptions=(*before.assumptions, *reading.assumptions))


def _tokens(clause: str, context: Context) -> tuple[tuple[Token, ...], tuple[str, ...]]:
    return corrected(tokenize(clause, decimal_comma=context.lexicon.decimal_comma), context)


def _narrowed(
    former: Grouping | Listing, clause: str, profile: Profile, context: Context, language: str
) -> Reading | None:
    """Return an answer over fewer rows: "keep …" keeps what meets the conditions, "drop …" what does not."""
    tokens, notes = _tokens(clause, context)
    wanted = kept_rows(tokens, context)
    cue, rest = cue_of(tokens, context.lexicon)
    said = tokens if without_verb(tokens, context.lexicon)[0] is not None else rest if cue.narrows else ()
    if not wanted and said:
        named = rows_named(said, profile, context, language, read)
        wanted = _conditions_of(named)
        notes = named.assumptions if named is not None else notes
    if not wanted:
        return None
    try:
        plan = to_plan(replace(former, conditions=(*former.conditions, *wanted)), context)
    except PlanError:
        return None  # the conditions make no sense over these columns
    return Reading(plan=plan, label="", cost=0.0, assumptions=notes)


def _conditions_of(named: Reading | None) -> tuple[Predicate, ...]:
    """Return what the rows meet that a step names in words of its own; nothing where their texts have to be read."""
    match named.plan.steps if named is not None else ():
        case (Filter(predicate=kept),):
            return (kept,)
        case _:
            return ()
