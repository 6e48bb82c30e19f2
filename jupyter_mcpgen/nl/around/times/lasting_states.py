"""States that begin in a year and last: "out of print in 1995" may be of what went out then, or long before."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.nl.words.forms import split_name


def refusing_lasting_states(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning, or a refusal where it takes a state in a year for what began in it."""
    if not isinstance(meant, Answered):
        return meant
    table = Table(context, load_vocabulary(language))
    found = Speech(question).find(table.wording("lasting_in"))
    if found is None:
        return meant
    words = set(split_name(found["state"]))
    began = [name for name in context.profile.schema_.names if set(split_name(name)) == words]
    if len(began) != 1 or not (columns.holds_numbers(began[0], table) or columns.holds_dates(began[0], table)):
        return meant
    return Refused(found.said(column=began[0]), words=(found.folded("state"),))
