"""Finds how the texts of a column write numbers, dates or truth, from its distinct words; never a guess.

A column counts as written in a way when four of five words are; words that spell a missing value count neither way.
Where day and month could be either, both ways are given, and a person is asked.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import pandas as pd

from jupyter_mcpgen.data.date_formats import find_dates, read_dates
from jupyter_mcpgen.data.headers import words_of
from jupyter_mcpgen.data.written_moments import find_moments, read_moments
from jupyter_mcpgen.data.written_numbers import find_numbers, read_numbers
from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.missing_words import words_for_nothing
from jupyter_mcpgen.plan.moments import ClockWriting, CountedWriting, DigitsWriting, ZonedWriting
from jupyter_mcpgen.plan.number_writing import NumberWriting
from jupyter_mcpgen.plan.writings import TruthWriting, Writing
from jupyter_mcpgen.toolkit.missing_words import is_missing_word

_MOST_LOOKED_AT = 400
_READABLE = 0.8
_TRUTHS = (
    (("yes", "y", "true", "t"), ("no", "n", "false", "f")),
    (("ja", "j", "wahr"), ("nein", "n", "falsch")),
    (("oui", "vrai"), ("non", "faux")),
    (("si", "verdadero"), ("no", "falso")),
    (("on",), ("off",)),
)
"""Words for true and for false, language by language; a column has some of each."""
_AUXILIARIES = frozenset({"is", "are", "was", "were", "has", "have", "had", "ist", "sind", "war", "wurde", "hat"})
"""Words before a state that leave it what it is."""
_NO_STATES = _AUXILIARIES | {
    *("no", "not", "non", "none", "never", "without", "nein", "nicht", "kein", "keine", "nie", "ohne"),
}
"""Words that name no state when they stand alone."""
_BETWEEN_WORDS = re.compile(r"[\s_?-]+")


def find_writings(
    words: Sequence[str], decimal: str | None = None, name: str = "", repeated: Collection[str] = ()
) -> tuple[Writing, ...]:
    """Return how distinct words are written: nothing for plain text, two ways where they can be read in two.

    `decimal` is the mark before decimals in the rest of the table, where that is known; the `name` of the column tells
    durations from times of the day, and what is `repeated` in several rows may spell a missing value.
    """
    present = [word.strip() for word in words if not is_missing_word(word)]
    truth = _truth(present) or _truth_of_name(present, name)
    if truth is not None:
        return (truth,)
    nothing = words_for_nothing(words, repeated)
    counting = [word.strip() for word in words if word not in nothing][:_MOST_LOOKED_AT]
    if not _may_be_written(counting):
        return ()
    return find_numbers(counting, decimal) or find_dates(counting) or find_moments(name, counting)


def read_words(words: pd.Series, writing: Writing) -> pd.Series:
    """Return what texts say, or numbers that count moments, as the code and the query of a plan read them."""
    match writing:
        case NumberWriting():
            return read_numbers(words, writing)
        case DateWriting():
            return read_dates(words, writing)
        case TruthWriting():
            known = dict.fromkeys(writing.true, True) | dict.fromkeys(writing.false, False)
            return words.str.lower().map(known).astype("boolean")
        case CountedWriting() | DigitsWriting() | ZonedWriting() | ClockWriting():
            return read_moments(words, writing)


def _may_be_written(words: Sequence[str]) -> bool:
    """Tell whether enough words hold a figure: no number, no date and no time is written without one."""
    return sum(any(map(str.isdigit, word)) for word in words) >= max(1.0, _READABLE * len(words))


def _truth(words: Sequence[str]) -> TruthWriting | None:
    folded = {word.lower() for word in words}
    for true, false in _TRUTHS:
        said = tuple(word for word in true if word in folded), tuple(word for word in false if word in folded)
        if all(said) and len(folded) == len(said[0]) + len(said[1]):
            return TruthWriting(true=said[0], false=said[1])
    return None


def _truth_of_name(words: Sequence[str], name: str) -> TruthWriting | None:
    """Return what a column of two words says, of which one is its whole name: "Churned" and "Active" in `is_churned`.

    Any other word in the name may turn it round, as in `not_returned`, or make it the name of something else.
    """
    folded = sorted({word.lower() for word in words})
    others = [word for word in folded if word != _named_state(name)]
    if len(folded) != 2 or len(others) != 1 or not "".join(folded).isascii():
        return None
    (said,) = {*folded} - {*others}
    return TruthWriting(true=(said,), false=(others[0],))


def _named_state(name: str) -> str | None:
    """Return the one word that a name has, in lower case, whether or not an auxiliary stands before it."""
    parts = words_of(name)
    if not parts or "".join(parts) != _BETWEEN_WORDS.sub("", name).lower():
        return None
    *before, state = parts
    return state if {*before} <= _AUXILIARIES and len(before) < 2 and state not in _NO_STATES else None
