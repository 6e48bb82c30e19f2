"""Follow-ups that say of which rows in words of their own: "without refunds", "for private patients", "only late ones".

What such words mean is read as if they stood alone, where they list rows: their conditions are put to the earlier
answer.
"""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile, Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.answers import to_plan
from jupyter_mcpgen.nl.computed.column import text_of
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.followups.cue import cue_of, narrows
from jupyter_mcpgen.nl.followups.in_one_sentence import Alone
from jupyter_mcpgen.nl.followups.kept_rows import without_verb
from jupyter_mcpgen.nl.followups.narrowing import over_fewer_rows
from jupyter_mcpgen.nl.followups.uncompared import former_of
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.predicates import replaced
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Understanding
from jupyter_mcpgen.nl.text.tokens import Token, tokenize
from jupyter_mcpgen.plan.expressions import Parse, negate, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Sort, Step
from jupyter_mcpgen.plan.plan import Plan

MOST_WORDS = 8
"""A longer text is a question of its own."""
_SURE = 0.1
"""A word that asks for something at most this uncertainly does ask for it."""
_ASKS = (m.Measured, m.Function, m.CountWord, m.HowMuch, m.GroupWord, m.ListRows, m.Extreme, m.EachOne, m.ChartWord)


def of_rows_named(
    question: str, earlier: tuple[str, Plan], profile: Profile, language: str, alone: Alone
) -> Answered | None:
    """Return the answer before over the rows that a fragment names; None for what asks for anything else."""
    earlier_question, plan = earlier
    if (plan.source, plan.source_schema) != (profile.name, profile.schema_) or plan.second is not None:
        return None
    context = context_of(profile, language)
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    cue, rest = cue_of(tokens, context.lexicon)
    keeps = without_verb(rest, context.lexicon)[0]
    if not 0 < len(rest) <= MOST_WORDS or not (cue.said or keeps is not None or narrows(rest, context.lexicon)):
        return None
    if any(isinstance(item.meaning, _ASKS) and item.cost <= _SURE for item in link(rest, context)):
        return None
    for words in (rest, tokens):
        named = rows_named(words, profile, context, language, alone)
        found = _over(plan, named, context) if named is not None else None
        if found is not None:
            note = f"Read as a follow-up to “{earlier_question}”."
            return Answered(replace(found, assumptions=(note, *found.assumptions)))
    return None


def rows_named(
    tokens: tuple[Token, ...], profile: Profile, context: Context, language: str, alone: Alone
) -> Reading | None:
    """Return the rows that words name, as a reading that does nothing but keep them; None where they ask for more.

    Behind a verb that drops rows, they are all the others.
    """
    keeps, rest = without_verb(tokens, context.lexicon)
    meant = alone(text_of(rest), profile, language) if rest else None
    named = _named(meant, context)
    if named is None:
        return None
    reads, kept = named.plan.steps[:-1], named.plan.steps[-1]
    if keeps is False and isinstance(kept, Filter):
        kept = Filter(predicate=negate(kept.predicate))
    return replace(named, plan=named.plan.with_steps((*reads, kept)))


def _named(meant: Understanding | None, context: Context) -> Reading | None:
    """Return a meaning as nothing but the rows that it keeps; None where it asks for more, or may keep other rows."""
    match meant:
        case Answered(winner):
            return _kept(winner, context, shown=False)
        case Asked(_, options) if options:
            found = [_kept(option, context, shown=True) for option in options]
            first = found[0]
            alike = first is not None and all(one is not None and one.plan.steps == first.plan.steps for one in found)
            return first if alike else None  # only what is shown of the rows is open
        case _:
            return None


def _kept(reading: Reading, context: Context, shown: bool) -> Reading | None:
    """Return a reading as the rows that it keeps; `shown` where whatever it shows of them does not matter."""
    if reading.plan.second is not None:
        return None
    steps = reading.plan.steps
    reads = tuple(step for step in steps if isinstance(step, Derive) and isinstance(step.expression, Parse))
    others = tuple(step for step in steps if step not in reads)
    kept = others[0] if others else None
    if not isinstance(kept, Filter) or not (shown or _says_no_more(others[1:], context)):
        return None
    return reading.with_steps((*reads, kept))  # the conditions are about groups


def _says_no_more(steps: tuple[Step, ...], context: Context) -> bool:
    """Tell whether what follows a condition only names the rows: "trade customers" counts the rows of each."""
    if not steps:
        return True
    counted = steps[0]
    if not isinstance(counted, Aggregate) or not all(isinstance(step, Sort) for step in steps[1:]):
        return False
    functions = [measure.function for measure in counted.measures if measure.column is None]
    told = [name in context.column_words and context.column(name).role is Role.IDENTIFIER for name in counted.by.names]
    return functions == [AggregateFunction.COUNT] and told == [True]


def _over(earlier: Plan, named: Reading, context: Context) -> Reading | None:
    """Return the answer before over the rows that are named."""
    reads = tuple(step for step in named.plan.steps if isinstance(step, Derive))
    said = tuple(term for step in named.plan.steps if isinstance(step, Filter) for term in terms_of(step.predicate))
    former = former_of(earlier, context) if not reads else None
    if former is None:
        return over_fewer_rows(earlier, said, named.assumptions, reads)
    kept, gone = replaced(former.answer.conditions, said, adds=False)
    try:
        plan = former.complete(to_plan(replace(former.answer, conditions=kept), context))
    except PlanError:
        return None  # the earlier figures have no meaning for these rows
    return Reading(plan=plan, label="", cost=0.0, assumptions=(*named.assumptions, *gone))
