"""Figures in another unit than their column's, "downtime in hours", and figures per unit of time, "fee per minute"."""

from __future__ import annotations

from fractions import Fraction

from jupyter_mcpgen.nl.everyday.amounts.unit_sizes import SIZES, TIME, in_decimals, other_degrees
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.words.forms import split_name

MOST_WORDS = 4
"""Of how many words the name of a column is looked for before its unit."""
MOST_BETWEEN = 2
"""How many words may stand between a figure and its limit: "resolution time of over 2 days"."""
_OF_CLOCKS = "h"
_SHORTEST = "min"
"""The longest unit of which no table of dates has periods."""


def in_another_unit(said: Speech, table: Table) -> Speech | None:
    """Say "downtime in hours" of a column in minutes as its values divided by 60."""
    for found in said.find_all(table.wording("in_another_unit")):
        figure = _last_figure(said.before(found), table)
        if figure is None:
            continue
        start, end, column = figure
        factor = _factor(column, found.meant("unit"), table)
        if factor == 1:
            return said.put(found, "")  # it is told in that unit
        shown = in_decimals(factor) if factor is not None else None
        degrees = other_degrees(table.meaning("units_of_measure", _degrees_of(column, table)), found.meant("unit"))
        if shown is not None:
            converted = found.said(shown[0], column=column, by=shown[1])
        elif degrees is not None:
            converted = found.said("degrees", column=column, by=degrees[0], more=degrees[1])
        else:
            continue
        note = f"`{column}` is in {_own_unit(column, table)}; it is shown in {found['unit']}."
        several = found.folded("unit") in table.words("units_of_several_sizes")
        note = f"{note} {found.said('size')}" if several else note
        text = f"{said.text[:start]} {converted} {said.text[end : found.start]}"
        return said.saying(f"{text} {said.behind(found)}", note)
    return None


def _degrees_of(column: str, table: Table) -> str:
    return unit_of(column, table).casefold().strip("°.")


def limit_in_another_unit(said: Speech, table: Table) -> Speech | None:
    """Say "resolution over 2 days" of a column in hours as over 48, and "took longer than half an hour" likewise."""
    for found in said.find_all(table.wording("limit_in_another_unit")):
        if found["told"]:
            column = _told_by(found, table)
        else:
            before = said.before(found)
            figure = _last_figure(before, table)
            near = figure is not None and len(before[figure[1] :].split()) <= MOST_BETWEEN
            column = figure[2] if figure is not None and near else None
        limit = _limit(found, column, table) if column is not None else None
        if column is not None and limit is not None:
            if found["told"] and limit[1] and _is_beyond(float(limit[0]), column, table):
                return said.refusing(found.said("beyond", said=found.text.strip(), column=column))
            way = "taking" if found["told"] else "limit"
            return said.put(found, found.said(way, column=column, by=limit[0], side=found.meant("side")), limit[1])
    return None


def _is_beyond(limit: float, column: str, table: Table) -> bool:
    """Tell whether no row of a column reaches a limit, and the dates of a row may tell how long it took as well."""
    dates = [name for name in table.context.column_words if columns.holds_dates(name, table)]
    most = table.context.column(column).maximum
    return len(dates) > 1 and isinstance(most, int | float) and most < limit


def _told_by(found: Found, table: Table) -> str | None:
    """Return the only column of how long something took, or the one that "to resolve" is said of."""
    context = table.context
    lasting = [name for name in context.column_words if context.is_measure(name) and _takes_time(name, table)]
    verb = found.folded("verb")
    if verb:
        lasting = [n for n in lasting if any(table.akin(verb, word) for word in context.column_words[n])]
    return lasting[0] if len(lasting) == 1 else None


def _takes_time(name: str, table: Table) -> bool:
    unit = table.meaning("units_of_measure", unit_of(name, table).casefold())
    return unit in SIZES and SIZES[unit][0] == TIME


def range_in_a_unit(said: Speech, table: Table) -> Speech | None:
    """Say "between 5 and 10 km" by the one column that is measured in it."""
    found = said.find(table.wording("range_in_a_unit"))
    if found is None:
        return None
    context, unit = table.context, found.meant("unit")
    known = {name: unit_of(name, table).casefold() for name in context.column_words}
    fitting = [name for name, own in known.items() if own and table.meaning("units_of_measure", own) == unit]
    figure = _last_figure(said.before(found), table)
    near = figure is not None and len(said.before(found)[figure[1] :].split()) <= 1
    if len(fitting) != 1:
        return None
    if near and figure is not None and figure[2] != fitting[0]:
        near = False
        if not known[figure[2]]:
            return None  # a figure without a unit may be meant as well
    if near and figure is not None:
        return said.saying(f"{said.text[: figure[0]]} {found.said(column=fitting[0])} {said.behind(found)}")
    return said.put(found, found.said(column=fitting[0]))


def within_a_time(said: Speech, table: Table) -> Speech | None:
    """Say "got a first reply within 30 minutes" by the column of how many minutes it took."""
    found = said.find(table.wording("within_a_time"))
    column = columns.measured(found["what"], table) if found else None
    limit = _limit(found, column, table) if found is not None and column is not None else None
    if found is None or column is None or limit is None:
        return None
    note = f"“{found.text}” is taken to mean that `{column}` is at most {limit[0]}."
    return said.put(found, found.said(column=column, by=limit[0]), note, limit[1])


def as_in_column(number: str, unit: str, column: str, table: Table) -> tuple[str, str] | None:
    """Return a number of some unit in the unit of a column, and what was assumed; None where it is no other one."""
    factor = _factor(column, table.meaning("units_of_measure", unit.casefold()), table)
    if factor is None or factor == 1 or not number.replace(".", "", 1).isdecimal():
        return None
    text = _plain(Fraction(number) / factor)
    return text, f"{number} {unit} are {text} {_own_unit(column, table)} of `{column}`."


def in_unit_of(number: str, unit: str, column: str, table: Table) -> tuple[str, str] | None:
    """Return a number of some unit in the unit of a column, and what was assumed where that is another unit."""
    factor = _factor(column, table.meaning("units_of_measure", unit.casefold()), table)
    if factor == 1:
        return number, ""
    return as_in_column(number, unit, column, table)


def measures_alike(column: str, unit: str, table: Table) -> bool:
    """Tell whether a column of figures measures what a unit measures: metres, where kilometres are asked for."""
    headed = bool(unit_of(column, table))
    return headed and table.context.is_measure(column) and _factor(column, unit, table) is not None


def adds_up_by_unit(column: str, table: Table) -> bool:
    """Tell whether a column holds lengths, masses, volumes, times or energy: amounts that add up over what was done."""
    words = split_name(column)
    unit = unit_of(column, table)
    if not unit and len(words) == len(("unit", "deed")):  # `minutes_played`
        was_done = words[1].endswith(tuple(table.endings("pasts"))) or words[1] in table.words("deeds_of_amounts")
        unit = words[0] if was_done else ""
    return table.meaning("units_of_measure", unit.casefold()) in SIZES


def is_time(unit: str) -> bool:
    """Tell whether a unit measures how long something took."""
    return SIZES.get(unit, ("", 0))[0] == TIME


def _plain(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else f"{float(number):.12g}"


def _limit(found: Found, column: str, table: Table) -> tuple[str, str] | None:
    """Return a limit in the unit of a column, and what was assumed; None where the unit is of other things."""
    factor = _factor(column, found.meant("unit"), table)
    if factor is None:
        return None
    said = "0.5" if found["half"] else "1" if found["one"] else found["n"]
    if not said:
        return None
    text = _plain(Fraction(said) / factor)
    unit = _own_unit(column, table)
    return text, "" if factor == 1 else f"{said} {found['unit']} are {text} {unit} of `{column}`."


def _last_figure(text: str, table: Table) -> tuple[int, int, str] | None:
    """Return where the last column of figures is named in some words, by as many of them as name it."""
    words = _places(text)
    for end in range(len(words), 0, -1):
        for first in range(max(0, end - MOST_WORDS), end):
            start, stop = words[first][0], words[end - 1][1]
            column = columns.measured(text[start:stop].strip(",;:`"), table)
            if column is not None:
                return start, stop, column
    return None


def _places(text: str) -> list[tuple[int, int]]:
    """Return where each word of a text begins and ends."""
    found, at = [], 0
    for word in text.split():
        at = text.index(word, at)
        found.append((at, at + len(word)))
        at += len(word)
    return found


def _factor(column: str, wanted: str, table: Table) -> Fraction | None:
    """Return what values of a column are multiplied with to be in another unit; None where it measures other things."""
    own = SIZES.get(table.meaning("units_of_measure", _own_unit(column, table).casefold()))
    other = SIZES.get(wanted)
    return own[1] / other[1] if own is not None and other is not None and own[0] == other[0] else None


def _is_called(unit: str, table: Table) -> bool:
    """Tell whether a column of figures is called by a unit and nothing else: `hours`."""
    plain = table.context.plain(unit.casefold())
    return any(own == (plain,) and table.context.is_measure(name) for name, own in table.context.column_words.items())


def per_unit_of_time(said: Speech, table: Table) -> Speech | None:
    """Say "fee per minute" as the fee divided by the one column of how many minutes a row took."""
    found = said.find(table.wording("per_unit_of_time"))
    if found is None or (table.is_data(found["unit"]) and not _is_called(found["unit"], table)):
        return None
    unit, context = found.meant("unit"), table.context
    if SIZES.get(unit, ("", 0))[0] != TIME:
        return None
    units = {name: unit_of(name, table).casefold() for name in context.column_words}
    fitting = [name for name, own in units.items() if table.meaning("units_of_measure", own) == unit]
    fitting = [name for name in fitting if context.is_measure(name)]
    fitting += [name for name in units if name not in fitting and _begins_with_unit(name, unit, table)]
    lasting = [name for name in fitting if set(context.column_words[name]) & table.words("names_of_lengths")]
    fitting = lasting if len(lasting) == 1 else fitting
    named = columns.measured(f"{found['of']} {found['unit']}", table) if found["of"] else None
    if named is not None and named in fitting:
        return said.put(found, found.said(column=named))
    is_period = bool(context.dates) and SIZES[unit][1] > SIZES[_SHORTEST][1]
    if unit == _OF_CLOCKS and not context.clocks:
        is_period = False  # no date has hours
    if len(fitting) != 1 or is_period:
        return None  # "calls per hour" are of the hours of a day
    note = f"“{found.text}” is taken to be divided by `{fitting[0]}`."
    return said.put(found, found.said(column=fitting[0]), note)


def _begins_with_unit(column: str, unit: str, table: Table) -> bool:
    """Tell whether a column of figures is called so many of a unit: `minutes_treated`."""
    first = (split_name(column) or (column,))[0]
    plural = table.context.is_measure(column) and table.context.plain(first) != first
    return plural and table.meaning("units_of_measure", first) == unit


def tells_how_long(column: str, table: Table) -> bool:
    """Tell whether a time is that of the row itself: a `waiting_min` is no length of a visit."""
    told = table.words("names_of_lengths") | table.words("units_of_times") | table.context.row_nouns
    return set(split_name(column)) <= told


def _own_unit(column: str, table: Table) -> str:
    """Return the unit of a column that a question names with another unit: `labour_min` is then in minutes.

    A letter alone is no unit, and beside a `labour_max` it is the smallest one.
    """
    known, words = unit_of(column, table), split_name(column)
    if known or len(words) == 1 or len(words[-1]) == 1 or not table.context.is_measure(column):
        return known
    beside = (name for name in table.context.column_words if name != column)
    alone = not any(split_name(name)[:-1] == words[:-1] for name in beside)
    spelled = words[-1] in table.words("units_of_measure") and table.meaning("units_of_measure", words[-1]) in SIZES
    return words[-1] if alone and spelled else ""


def unit_of(column: str, table: Table) -> str:
    """Return the unit of a column, or nothing; `length_min` is in minutes where no `length_max` stands beside it."""
    unit, words = table.context.column(column).unit, split_name(column)
    if unit is not None or len(words) < 2 or not table.context.is_measure(column):
        return unit or ""
    beside = [name for name in table.context.column_words if name != column and split_name(name)[:-1] == words[:-1]]
    is_told = tells_how_long(column, table) and table.meaning("units_of_measure", words[-1]) in SIZES
    return words[-1] if is_told and not beside else ""
