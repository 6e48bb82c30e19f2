"""The table's own name behind a question: "population over time in isles", also where a column is called `isle`."""

from __future__ import annotations

from collections.abc import Callable

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.reading import Refused, Understanding

_ENDS = " ?!."
Read = Callable[[str, Profile, str], Understanding]


def read_named_table(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means; where it cannot be read, what it means without the name of its table behind it."""
    meant = read(question, profile, language)
    if not isinstance(meant, Refused):
        return meant
    bare = _without_its_name(question, context_of(profile, language))
    again = read(bare, profile, language) if bare is not None else meant
    return meant if isinstance(again, Refused) else again


def _without_its_name(question: str, context: Context) -> str | None:
    """Return a question without "in" and the name of its table at the end; None where it ends otherwise."""
    before, _, name = question.rstrip(_ENDS).rpartition(" ")
    asked, _, place = before.rpartition(" ")
    named = name.strip("`").casefold() == context.profile.name.casefold()
    return asked if asked and named and place.casefold() in context.lexicon.places else None
