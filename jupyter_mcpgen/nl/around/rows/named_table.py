"""The table's own name behind a question: "population over time in isles", also where a column is called `isle`."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.reading import Read, Refused, Understanding

_ENDS = " ?!."


def read_named_table(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means without the name of its table behind it; as it is where that cannot be read.

    A name that is also a column's ("outliers in sales from stores") groups nothing; one that is a value narrows rows.
    """
    context = context_of(profile, language)
    bare = _without_its_name(question, context)
    if bare is None:
        return read(question, profile, language)
    if context.profile.name.casefold() in context.values:
        meant = read(question, profile, language)
        again = read(bare, profile, language) if isinstance(meant, Refused) else meant
        return meant if isinstance(again, Refused) else again
    again = read(bare, profile, language)
    return read(question, profile, language) if isinstance(again, Refused) else again


def _without_its_name(question: str, context: Context) -> str | None:
    """Return a question without "in" and the name of its table at the end; None where it ends otherwise."""
    before, _, name = question.rstrip(_ENDS).rpartition(" ")
    asked, _, place = before.rpartition(" ")
    named = name.strip("`").casefold() == context.profile.name.casefold()
    return asked if asked and named and place.casefold() in context.lexicon.places else None
