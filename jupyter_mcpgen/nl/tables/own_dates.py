"""What tells the time of a row: one of several dates, or a column of years beside dates of something else.

`order_date` is the own date in a table of orders, `created_at` beside `closed_at`; the `year` of a budget is not
the one in which it was `approved_on`.
"""

from __future__ import annotations

from collections.abc import Iterable

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.words.forms import split_name, stem

OTHER_THAN_OWN = 0.1
"""What taking a period of another date costs, so that it is offered beside the rows' own and not asked about."""
_PLAIN = frozenset({"date", "time", "day", "on", "at", "datetime", "timestamp"})


def own_date(context: Context) -> str | None:
    """Return the one date that is called after what a row is, or of its making; None where neither tells."""
    if len(context.dates) < 2:
        return None
    identified = {own[0] for own in context.column_words.values() if len(own) == 2 and own[1] == "identifier"}
    language = context.lexicon.language
    head = {context.lexicon.base(word) for word in split_name(context.profile.name)[-1:]}
    nouns = {stem(noun, language) for noun in identified | head | context.row_nouns}  # "inspected" of inspections
    said_of = {name: set(context.column_words[name]) - _PLAIN for name in context.dates}
    fitting = [name for name, words in said_of.items() if words and {stem(w, language) for w in words} <= nouns]
    return fitting[0] if len(fitting) == 1 else beginning_of_rows(context)


def beginning_of_rows(context: Context) -> str | None:
    """Return the date at which a row was made, where all others are of what happens to it later; None for none.

    Where none is called so, but all are moments of a day, what was opened began then: `opened_at` beside `closed_at`.
    """
    lexicon = context.lexicon
    called = {name: (*words, "".join(words)) for name, words in context.column_words.items()}  # also "checkin"
    stems = {name: {stem(word, lexicon.language) for word in called[name]} for name in context.dates}
    first = [name for name, said in stems.items() if said & lexicon.beginnings_of_rows]
    later = [name for name, said in stems.items() if said & lexicon.later_moments]
    if not first and set(context.clocks) == set(context.dates):
        first = [name for name, said in stems.items() if said & lexicon.first_moments]
        later = [name for name in later if name not in first]
    alone = len(first) == 1 and not set(first) & set(later)
    return first[0] if alone and len(later) == len(stems) - 1 else None


def begun_at(context: Context) -> str | None:
    """Return the one date that is called after the making of a row, whatever else happens to it; None for several."""
    lexicon = context.lexicon
    stems = {
        name: {
            stem(word, lexicon.language) for word in (*context.column_words[name], "".join(context.column_words[name]))
        }
        for name in context.dates
    }
    first = [name for name, said in stems.items() if said & lexicon.beginnings_of_rows]
    return first[0] if len(first) == 1 else None


def other_date_cost(name: str, context: Context) -> float:
    """Return what it costs to take a period that names no date to be of this one."""
    own = own_date(context)
    return OTHER_THAN_OWN if own is not None and name != own else 0.0


def year_of_rows(context: Context, words: Iterable[str] = ()) -> str | None:
    """Return the one column that says of which year a row is; None where a date says the same, or is asked for.

    A date of other years than those is of something that happened to the row. `words` are those of the question.
    """
    if len(context.years) != 1:
        return None
    year = context.years[0]
    if any(context.tells_the_year_of(year, name) for name in context.dates) or names_a_date(words, context):
        return None
    return year


def names_a_date(words: Iterable[str], context: Context) -> bool:
    """Tell whether some words name a column of dates, as "approved" names `approved_on`; "year" and "month" do not."""
    said = (context.plain(word.lower()) for word in words)
    own = {word for year in context.years for word in context.column_words[year]}
    return any(name in context.dates for word in said if word not in own for name in context.columns_with(word))
