"""Follow-ups that can only be said in one sentence: "by hall" after "total cost as fee plus catering".

A figure that several steps make has no single place for a change. Where the question before stands for itself, the two
are read as the one sentence that they make together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.assembling.parts import Parts, collect
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.followups.cue import cue_of
from jupyter_mcpgen.nl.parsing.parse import parse
from jupyter_mcpgen.nl.reading import Answered, Understanding
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind, tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.ops import Aggregate, Filter
from jupyter_mcpgen.plan.plan import Plan

Alone = Callable[[str, Profile, str], Understanding]
"""Reads a question of its own."""


def in_one_sentence(
    question: str, earlier: tuple[str, Plan], profile: Profile, language: str, alone: Alone
) -> Answered | None:
    """Return what the question before means with the groups or the condition added; None where that is not sure.

    What is said must come beside what was there: a plan that has groups already would have to lose them.
    """
    earlier_question, plan = earlier
    context = context_of(profile, language)
    _, rest = cue_of(tokenize(question, decimal_comma=context.lexicon.decimal_comma), context.lexicon)
    if not any(_comes_beside(parts, plan) for parts in _said(rest, context)):
        return None
    before = alone(earlier_question, profile, language)
    if not isinstance(before, Answered) or before.winner.plan != plan:
        return None  # the question before was a change itself, or another reading of it was picked
    both = alone(f"{earlier_question.strip(' ?.!')} {_text(rest)}", profile, language)
    if not isinstance(both, Answered) or both.winner.plan == plan:
        return None
    note = f"Read as a follow-up to “{earlier_question}”."
    return replace(both, winner=replace(both.winner, assumptions=(note, *both.winner.assumptions)))


def _said(tokens: tuple[Token, ...], context: Context) -> list[Parts]:
    """Return the ways to read a fragment that names groups or conditions, and nothing else."""
    found = [collect(cover, context) for cover in parse(tokens, context).covers if not cover.uncovered]
    return [parts for parts in found if parts is not None and parts.has_only("keys", "periods", "each")]


def _comes_beside(parts: Parts, plan: Plan) -> bool:
    aggregates = [step for step in plan.steps if isinstance(step, Aggregate)]
    if len(aggregates) != 1 or aggregates[0].by.names or not (parts.keys or parts.periods or parts.conditions):
        return False
    limited = {name for step in plan.steps if isinstance(step, Filter) for name in names_in(step.predicate)}
    return limited.isdisjoint(name for predicate in parts.conditions for name in names_in(predicate))


def _text(tokens: tuple[Token, ...]) -> str:
    """Return the words of a fragment as they are typed."""
    return " ".join(f'"{token.text}"' if token.kind is TokenKind.QUOTED else token.text for token in tokens)
