"""The readers of a follow-up, one after the other: what it changes of the answer before it."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.followups.cue import names_its_figure
from jupyter_mcpgen.nl.followups.in_one_sentence import Alone, in_one_sentence
from jupyter_mcpgen.nl.followups.looks import follow_up_in_looks
from jupyter_mcpgen.nl.followups.pointing_back import of_rows_before, points_back
from jupyter_mcpgen.nl.followups.rows_named import of_rows_named
from jupyter_mcpgen.nl.followups.sides_compared import by_the_same_figure
from jupyter_mcpgen.nl.followups.things_counted import counting_things
from jupyter_mcpgen.nl.followups.widened import of_all_again
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused, Understanding
from jupyter_mcpgen.nl.tables.denying_names import asked_by_whole_names
from jupyter_mcpgen.plan.plan import Plan


def change_of(
    question: str, earlier: tuple[str, Plan], profile: Profile, language: str, alone: Alone
) -> Understanding | None:
    """Return the answer before as a question changes it; None for a question of its own.

    `alone` reads a question of its own over the table.
    """
    if names_its_figure(question, earlier[1], context_of(profile, language)):
        return None
    whole = of_all_again(question, earlier, profile, language)
    if whole is not None:
        return whole
    followed = follow_up_in_looks(question, earlier, profile, language)
    if isinstance(followed, Refused):
        followed = in_one_sentence(question, earlier, profile, language, alone) or followed
    if not isinstance(followed, Answered | Asked):
        followed = of_rows_named(question, earlier, profile, language, alone) or followed
    followed = counting_things(followed, question, earlier[1], profile, language, alone)
    if followed is None:
        return None
    return asked_by_whole_names(followed, question, context_of(profile, language), language, earlier[1])


def change_of_both(
    question: str, earlier: tuple[str, Plan], both: Profile, language: str, alone: Alone
) -> Understanding | None:
    """Return the answer before over two tables as a question changes it, or what it asks of the rows of that answer.

    None for a question of its own, which may be about one of the tables only.
    """
    followed = change_of(question, earlier, both, language, alone)
    if isinstance(followed, Answered | Asked):
        return followed
    compared = by_the_same_figure(Refused(""), question, earlier, both, language)
    if isinstance(compared, Answered):
        return compared
    if followed is None and points_back(question, both, language):
        return of_rows_before(alone(question, both, language), question, earlier, both, language)
    return followed
