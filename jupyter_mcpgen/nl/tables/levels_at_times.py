"""What a table tells of the same things at several times: the headcount of each team in a row per month.

A level, such as a stock, is there at a time; what was sold or who was hired happened between two of them.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

from jupyter_mcpgen.model.profile import FIRST_PLACE, ColumnProfile, Kind, Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.nl.words.whole_numbers import holds_whole_numbers
from jupyter_mcpgen.plan.schema import ColumnType

MOSTLY = 0.6
"""A table that has a row for this part of the pairs of a thing and a time tells of things at times."""
_MISSING = chr(FIRST_PLACE)


def is_level(name: str, context: Context) -> bool:
    """Tell whether a column holds what there is at a time, by its name: `on_hand`, `Active Subscribers`."""
    if name not in context.column_words or not context.is_measure(name):
        return False
    lexicon, own = context.lexicon, context.column_words[name]
    words = {*own, *split_name(name)}
    if words & lexicon.flows:
        return False
    pairs = {" ".join(pair) for pair in (*pairwise(own), *pairwise(split_name(name)))}
    return bool((words | pairs) & lexicon.levels) or (bool(words & lexicon.states_at_times) and _counts(name, context))


def _counts(name: str, context: Context) -> bool:
    """Tell whether a column says how many there were of something that is no time: `beds_occupied`."""
    whole = holds_whole_numbers(context.column(name), context.type_of(name))
    units = (one for word in context.column_words[name] for one in context.lexicon.meanings(word))
    return whole and not any(isinstance(one, m.Unit) for one in units) and not context.column(name).unit


def times_of_things(context: Context) -> tuple[str, ...]:
    """Return the columns of times at which a table tells of the same things: those with a row for most of their pairs.

    Where no time has these, it is the first one over which all that tells things apart repeats.
    """
    times = [name for name in _times(context) if context.column(name).distinct > 1]
    on_a_grid = tuple(name for name in times if _is_of_things(name, context))
    return on_a_grid or tuple(name for name in times if _repeats_over(name, context))[:1]


def known_at(name: str, context: Context) -> ColumnProfile:
    """Return the profile of a column of times, also of texts that write dates."""
    known = context.column(name)
    dated = next((way for way in known.written if way.type is ColumnType.DATE), None)
    return dated.values if dated is not None else known


def labels_of_things(context: Context) -> tuple[str, ...]:
    """Return the columns of texts that several rows share, and that write no numbers or dates."""
    texts = (context.column(f.name) for f in context.profile.schema_.fields if f.type is ColumnType.TEXT)
    return tuple(known.name for known in texts if 1 < known.distinct < context.profile.rows and not known.written)


def _times(context: Context) -> tuple[str, ...]:
    own = (*context.years, *context.dates)
    return (*own, *(name for name in context.column_words if name not in own and _is_period(name, context)))


def _is_period(name: str, context: Context) -> bool:
    """Tell whether a column holds periods or dates as texts, or is called a period and holds a few of them."""
    known = context.column(name)
    if known.kind is Kind.PERIOD or any(way.type is ColumnType.DATE for way in known.written):
        return True
    if known.unit and context.is_number(name):
        return False  # `lead_time_days` is how long something takes
    called = context.lexicon.meanings(context.column_words[name][-1])
    return context.type_of(name) is not ColumnType.REAL and any(isinstance(one, m.Unit) for one in called)


def _is_of_things(time: str, context: Context) -> bool:
    """Tell whether some label has a row for most of the values of a time."""
    rows, times = context.profile.rows, context.column(time).distinct
    labels = [context.column(name).distinct for name in labels_of_things(context) if not _is_period(name, context)]
    things = (*labels, *(first * second for first, second in combinations(labels, 2)))
    pairs = (number * times for number in things)
    return times < rows and any(rows <= pair and rows >= MOSTLY * pair for pair in pairs)


def _repeats_over(time: str, context: Context) -> bool:
    """Tell whether most rows have the same labels and numbers of things as a row of another time."""
    times = set(_times(context))
    telling = [one for one in context.profile.columns if one.name not in times and _tells_apart(one, context)]
    columns = [context.column(time).places, *(one.places for one in telling)]
    if (
        context.column(time).nulls
        or not all(columns)
        or any(one.distinct > len(one.values) + len(one.more) for one in telling)
    ):
        return False
    rows = list(zip(*columns, strict=True))
    several = Counter(row[1:] for row in set(rows) if row[0] != _MISSING)
    return sum(1 for row in rows if several[row[1:]] > 1) >= MOSTLY * len(rows)


def tells_one_row(names: tuple[str, ...], context: Context) -> bool:
    """Tell whether no two rows share their values of some columns; true where that is not known."""
    columns = [context.column(name).places for name in dict.fromkeys(names)]
    rows = list(zip(*columns, strict=True)) if all(columns) else []
    return len(set(rows)) == len(rows)


def _tells_apart(known: ColumnProfile, context: Context) -> bool:
    return context.type_of(known.name) is ColumnType.TEXT or known.role is Role.IDENTIFIER
