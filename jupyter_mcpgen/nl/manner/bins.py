"""Takes the bins of a date that a question asks for out of it: "bin the start date by weekday"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.manner.remainder import LONGEST_TARGET, Remainder
from jupyter_mcpgen.nl.manner.targets import named_alone
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.plan.expressions import DateUnit

LEADS = frozenset({"the", "their", "each", "of", "a"})
"""Words before the date to bin."""
_LABELS = {DateUnit.START_OF_YEAR: DateUnit.YEAR}
"""Bins are labelled: a year by its number."""


def take_bins(left: Remainder) -> m.GroupKey | None:
    """Take out the bins of a date that a question asks for, and return the date and its unit."""
    bins = left.words.bins
    for at, token in enumerate(left.tokens):
        if token.lower not in bins["verbs"]:
            continue
        for stop in range(at + 1, min(at + 1 + LONGEST_TARGET, len(left.tokens))):
            if left.tokens[stop].lower in bins["by"]:
                unit = _unit(left, stop + 1)
                key = _binned(left, at + 1, stop, unit[1]) if unit is not None else None
                if unit is not None and key is not None:
                    left.cut_clause(at, unit[0])
                    return key
    return None


def _unit(left: Remainder, at: int) -> tuple[int, DateUnit] | None:
    """Return where the words for a unit of bins end that begin at a word, and the unit."""
    bins = left.words.bins
    at = left.past(bins["leads"], at, len(left.tokens))
    for end in range(min(at + 4, len(left.tokens)), at, -1):
        units = [u.unit for u in left.context.lexicon.meanings(left.text(at, end)) if isinstance(u, m.Unit)]
        if units:
            return left.past(bins["tails"], end, len(left.tokens)), _LABELS.get(units[0], units[0])
    return None


def _binned(left: Remainder, start: int, stop: int, unit: DateUnit) -> m.GroupKey | None:
    """Return the bins of the date that words name; where they name none, of the only date that may be meant."""
    dates = left.context.dates
    start = left.past(LEADS, start, stop)
    if start == stop or left.text(start, stop) in left.words.axes:
        named = {item.meaning.name for item in link(left.tokens, left.context) if isinstance(item.meaning, m.Column)}
        meant = [name for name in dates if name in named] or dates
        return m.GroupKey(meant[0], unit) if len(meant) == 1 else None
    for found in named_alone(left.tokens[start:stop], left.context):
        name = found.name if isinstance(found, m.Column) else found.column if isinstance(found, m.GroupKey) else None
        if name in dates:
            return m.GroupKey(str(name), unit)
    return None
