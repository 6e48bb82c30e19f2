"""Figures as parts of their total, where a follow-up or a next step says nothing else: "in percent", "as a share"."""

from __future__ import annotations

from functools import partial
from itertools import dropwhile

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.assembling.answers import to_plan
from jupyter_mcpgen.nl.comparing.plans.shares import shared
from jupyter_mcpgen.nl.comparing.reader import says_percent, says_share
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.followups.uncompared import Former
from jupyter_mcpgen.nl.reading import Reading
from jupyter_mcpgen.nl.text.tokens import Token


def says_parts(tokens: tuple[Token, ...], context: Context, language: str) -> bool:
    """Tell whether a text says no more than that figures are to be parts of their total."""
    return any(says_percent(said, language) or says_share(said, language) for said in _ways(tokens, context))


def as_parts(
    former: Former, tokens: tuple[Token, ...], notes: tuple[str, ...], context: Context, language: str
) -> list[Reading]:
    """Return parts of the whole of the rows that were asked about, where that is all that is asked for."""
    percent = any(says_percent(said, language) for said in _ways(tokens, context))
    if former.percent is percent or not says_parts(tokens, context, language):
        return []
    complete = former.otherwise
    if complete is None and former.is_plain:
        complete = partial(shared, percent=percent, within=None, rate=False, narrowed=True)
    if complete is None:
        return []
    try:
        plan = complete(to_plan(former.answer, context))
    except PlanError:
        return []  # the earlier figures add up to no whole
    return [Reading(plan=plan, label="", cost=0.0, assumptions=notes)]


def _ways(tokens: tuple[Token, ...], context: Context) -> tuple[tuple[Token, ...], ...]:
    """Return a text as it is, and without the words before it that say nothing: "show me percentages"."""
    return tokens, tuple(dropwhile(lambda token: context.lexicon.is_filler(token.lower), tokens))
