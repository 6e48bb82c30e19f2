"""Follow-ups that take a condition back: "all priorities" behind "for high priority", "all years" behind "in 2023"."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.answers import to_plan
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.followups.uncompared import former_of
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.predicates import about
from jupyter_mcpgen.nl.reading import Answered, Reading
from jupyter_mcpgen.nl.text.tokens import Token, tokenize
from jupyter_mcpgen.plan.english_values import say_predicate
from jupyter_mcpgen.plan.expressions import Predicate
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType


def of_all_again(question: str, earlier: tuple[str, Plan], profile: Profile, language: str) -> Answered | None:
    """Return the answer before without the conditions on what is asked for as a whole; None where it has none on it."""
    asked_before, plan = earlier
    if (plan.source, plan.source_schema) != (profile.name, profile.schema_) or plan.second is not None:
        return None
    context = context_of(profile, language)
    what = _what(tokenize(question), context)
    former = former_of(plan, context) if what else None
    if former is None:
        return None
    gone = tuple(one for one in former.answer.conditions if _is_about(one, what, context))
    if not gone:
        return None
    kept = tuple(one for one in former.answer.conditions if one not in gone)
    try:
        made = former.complete(to_plan(replace(former.answer, conditions=kept), context))
    except PlanError:
        return None  # the figures are of what was chosen
    notes = (f"Read as a follow-up to “{asked_before}”.", *(f"No longer: {say_predicate(one)}." for one in gone))
    return Answered(Reading(plan=made, label="", cost=0.0, assumptions=notes))


def _what(tokens: tuple[Token, ...], context: Context) -> tuple[Token, ...]:
    """Return what is asked for as a whole: the "priorities" of "for all priorities again"."""
    words = [token for token in tokens if token.text not in ("?", ".", "!")]
    said = [token.lower for token in words]
    for phrase in sorted(context.lexicon.whole_again, key=lambda one: -len(one.split())):
        lead = phrase.split()
        if said[: len(lead)] == lead:
            rest = words[len(lead) :]
            return tuple(rest[:-1] if rest and rest[-1].lower in context.lexicon.trailing else rest)
    return ()


def _is_about(predicate: Predicate, what: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a condition is on the column, or on the part of a date, that words name and nothing else."""
    name = about(predicate)
    whole = [item.meaning for item in link(what, context) if item.start == 0 and item.end == len(what)]
    if name is None or name not in context.column_words:
        return False
    dated = context.type_of(name) is ColumnType.DATE and any(isinstance(meaning, m.Unit) for meaning in whole)
    return dated or m.Column(name) in whole
