"""What a question means: a change of the answer before it, a question of its own, or several steps."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.around.rows.named_table import read_named_table
from jupyter_mcpgen.nl.followups.before_after import read_before_and_after
from jupyter_mcpgen.nl.followups.chain import prepares_first, read_chain, works_on_figures
from jupyter_mcpgen.nl.followups.conditions_left import telling_what_is_left
from jupyter_mcpgen.nl.followups.counted import counted
from jupyter_mcpgen.nl.followups.followup import follow_up
from jupyter_mcpgen.nl.followups.in_turn import change_of
from jupyter_mcpgen.nl.followups.pointing_back import of_rows_before
from jupyter_mcpgen.nl.followups.same_figure import settled
from jupyter_mcpgen.nl.followups.sides_compared import by_the_same_figure
from jupyter_mcpgen.nl.followups.year_before import with_year_before
from jupyter_mcpgen.nl.joining.heeded import heeding_both, implied_by_both
from jupyter_mcpgen.nl.joining.reader import how_to_join, read_joined
from jupyter_mcpgen.nl.joining.refusals import asked_of_second
from jupyter_mcpgen.nl.joining.summary import read_figures
from jupyter_mcpgen.nl.joining.without_matches import read_without_matches
from jupyter_mcpgen.nl.read import read
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused, Understanding
from jupyter_mcpgen.nl.refusal import quoting_what_was_typed
from jupyter_mcpgen.nl.sentences.reader import read_sentences
from jupyter_mcpgen.nl.words.lexicon import load_lexicon
from jupyter_mcpgen.plan.plan import Plan


def understand(
    question: str,
    profile: Profile,
    language: str = "en",
    earlier: tuple[str, Plan] | None = None,
    other: Profile | None = None,
) -> Understanding:
    """Return what a question means over a table; `earlier` is the question before it with its plan.

    `other` is a second table that the question names, or that the question before was about too.
    """
    meant = _meant(_without_list_number(question, language), profile, language, earlier, other)
    return quoting_what_was_typed(meant, question) if isinstance(meant, Refused) else meant


def _meant(
    question: str, profile: Profile, language: str, earlier: tuple[str, Plan] | None, other: Profile | None
) -> Understanding:
    """Return what a question without the number that it has in a list means."""
    joined = None
    alone = partial(_of_one, language=language)
    without = read_without_matches(question, (profile, other), language, alone) if other is not None else None
    if without is not None:
        return without
    if other is not None:
        joined = read_joined(question, (profile, other), language, earlier, alone)
    if joined is not None:
        return joined
    if other is not None:
        surely = read_figures(question, (profile, other), language, alone, surely=True)
        if surely is not None:
            return surely
    understood = _over_one(question, profile, language, earlier)
    if other is not None and isinstance(understood, Answered):
        return heeding_both(understood, question, (profile, other), language, alone)
    if other is not None and isinstance(understood, Refused):
        meant = read_figures(question, (profile, other), language, alone, surely=False)
        if meant is not None:
            return meant
    if other is not None and not isinstance(understood, Answered):
        implied = implied_by_both(question, (profile, other), language, alone)
        if implied is not None and not (isinstance(understood, Asked) and isinstance(implied, Asked)):
            return implied
    if other is not None and isinstance(understood, Refused):
        of_other = alone(question, other)
        if isinstance(of_other, Answered):
            return replace(understood, message=asked_of_second(of_other.winner, other))
        return replace(understood, message=f"{understood.message} {how_to_join(profile, other, language)}".strip())
    return understood


def _without_list_number(question: str, language: str) -> str:
    """Return a question without the number that it has in a list; where ordinals are written so, "3." stays."""
    marks = ")" if load_lexicon(language).decimal_comma else ".)"
    return re.sub(rf"^\s*\(?([A-Za-z]?\d{{1,3}}[{marks}]|[A-Za-z]\))\s+(?=\w)", "", question)


def _over_one(question: str, profile: Profile, language: str, earlier: tuple[str, Plan] | None) -> Understanding:
    """Return what a question means over one table."""
    number = counted(question, earlier, profile, language)
    if number is not None:
        return number
    beside = with_year_before(question, earlier, profile, language, follow_up)
    if beside is not None:
        return beside
    followed = change_of(question, earlier, profile, language, _of_one) if earlier is not None else None
    if followed is not None:
        return followed
    own = by_the_same_figure(_of_one(question, profile, language), question, earlier, profile, language)
    own = of_rows_before(own, question, earlier, profile, language)
    return telling_what_is_left(settled(own, question, earlier), earlier)


def _of_one(question: str, profile: Profile, language: str) -> Understanding:
    """Return what a question of its own, with the sentences beside it, means over one table."""
    return read_sentences(question, profile, language, partial(read_named_table, read=_of_steps))


def _of_steps(question: str, profile: Profile, language: str) -> Understanding:
    """Return what a question of its own, or several steps, mean over one table."""
    both = read_before_and_after(question, profile, language)
    if both is not None:
        return both
    first = prepares_first(question, profile, language)
    again = works_on_figures(question, profile, language) if first is None else None
    chained = read_chain(question, profile, language) if first is not None or again is not None else None
    if chained is not None:
        return chained
    whole = read(question, profile, language)
    if isinstance(whole, Answered):
        if again is not None:
            return Refused(_UNREAD_FIGURES.format(again.strip()))
        return whole if first is None else Refused(_UNREAD_STEP.format(first.strip()))
    return read_chain(question, profile, language) or whole


_UNREAD_FIGURES = (
    "I could not combine “{}” with the results before it. Ask for the first step alone, and then for the next one."
)
_UNREAD_STEP = (
    "“{}” asks to drop or fill rows first, and I could not combine it with the rest. Say each as a step of its own, "
    "for example: drop rows with missing price, then average price by region."
)
