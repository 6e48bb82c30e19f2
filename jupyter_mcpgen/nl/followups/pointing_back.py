"""Questions of their own that point back: "how many of them are open" is of the rows of the answer before."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import Token, tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import All, Parse, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Filter, Limit, Select, Sort, Step
from jupyter_mcpgen.plan.plan import Plan

SURELY_A_NAME = 0.1


def points_back(question: str, profile: Profile, language: str) -> bool:
    """Tell whether a question points back at the rows of the answer before it."""
    context = context_of(profile, language)
    return _pointer(tokenize(question, decimal_comma=context.lexicon.decimal_comma), context) is not None


def of_rows_before(
    meant: Understanding, question: str, earlier: tuple[str, Plan] | None, profile: Profile, language: str
) -> Understanding:
    """Return a meaning of the rows that the answer before was about, where the question points back at these.

    Refused where it showed some groups only: of which rows they are is more than a condition says.
    """
    if earlier is None or not isinstance(meant, Answered):
        return meant
    context = context_of(profile, language)
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    pointer = _pointer(tokens, context)
    asked_before, before = earlier
    plan = meant.winner.plan
    if pointer is None or (before.source, before.source_schema) != (plan.source, plan.source_schema):
        return meant
    if before.second is not None or plan.second is not None:
        return meant
    rows = _rows_of(before)
    if rows is None:
        return Refused(_GROUPS.format(pointer, asked_before.strip(" ?.!")))
    try:
        made = plan.with_steps(_over(rows, plan.steps)).model_copy(update={"chart": plan.chart}) if rows else plan
    except PlanError:
        return Refused(_GROUPS.format(pointer, asked_before.strip(" ?.!")))
    note = f"“{pointer}” is taken to be the rows that “{asked_before.strip(' ?.!')}” was about."
    return replace(meant, winner=replace(meant.winner, plan=made, assumptions=(note, *meant.winner.assumptions)))


_GROUPS = (
    "I cannot tell which rows of the answer to “{1}” are meant by “{0}”. Ask the whole question in one sentence, "
    "with the rows that are meant."
)


def _pointer(tokens: tuple[Token, ...], context: Context) -> str | None:
    """Return what points back out of a question; None where nothing does, or at something that the question names."""
    said = [token.lower for token in tokens if token.text not in ("?", ".", "!")]
    lexicon = context.lexicon
    for phrase in lexicon.pointing_at_last:
        words = phrase.split()
        if said[-len(words) :] == words and len(said) > len(words):
            return phrase
    things = [
        item.start
        for item in link(tokens, context)
        if item.cost <= SURELY_A_NAME and _is_of_things(item.meaning, context)
    ]
    for phrase in sorted(lexicon.pointing, key=lambda one: -len(one.split())):
        words = phrase.split()
        for start in range(len(said) - len(words) + 1):
            if said[start : start + len(words)] == words and not any(place < start for place in things):
                return phrase
    return None


def _is_of_things(meaning: m.Meaning, context: Context) -> bool:
    if isinstance(meaning, m.RowNoun):
        return not meaning.pronoun
    return isinstance(meaning, m.Column) and not context.is_measure(meaning.name)


def _rows_of(plan: Plan) -> tuple[Step, ...] | None:
    """Return the steps that keep the rows that a plan is about; None where it shows some groups of all."""
    before = tuple(takewhile(lambda step: isinstance(step, Filter | Derive | Sort | Limit | Select), plan.steps))
    behind = plan.steps[len(before) :]
    if behind and not isinstance(behind[0], Aggregate):
        return None
    if any(isinstance(step, Limit | Filter) for step in behind) or (behind and any(map(_is_limited, before))):
        return None
    kept = tuple(step for step in before if not isinstance(step, Select))
    if not any(isinstance(step, Limit) for step in kept):
        kept = tuple(step for step in kept if not isinstance(step, Sort))
    used = {name for step in kept if isinstance(step, Filter | Sort) for name in names_in(step)}
    return tuple(step for step in kept if not isinstance(step, Derive) or step.name in used)


def _is_limited(step: Step) -> bool:
    return isinstance(step, Limit)


def _over(rows: tuple[Step, ...], steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return steps over some rows; what both demand of each row is one condition, behind the texts that are read."""
    if any(isinstance(step, Limit) for step in rows):
        return (*rows, *(step for step in steps if step not in rows or not isinstance(step, Derive)))
    own = tuple(takewhile(lambda step: isinstance(step, Filter | Derive), steps))
    reads = tuple(dict.fromkeys(step for step in (*rows, *own) if isinstance(step, Derive)))
    filters = [step for step in (*rows, *own) if isinstance(step, Filter)]
    terms = tuple(dict.fromkeys(term for step in filters for term in terms_of(step.predicate)))
    if any(not isinstance(step.expression, Parse) for step in reads) or not terms:
        return (*rows, *(step for step in steps if step not in rows or not isinstance(step, Derive)))
    kept = Filter(predicate=terms[0] if len(terms) == 1 else All(terms=terms))
    return (*reads, kept, *steps[len(own) :])
