"""Limits whose unit tells the column: "rides over 2 km" where one column is measured in metres, "above 75 degrees"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.amounts.conversions import in_unit_of, is_time, measures_alike, tells_how_long
from jupyter_mcpgen.nl.everyday.amounts.ranges import two_ends
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found


def limit_by_its_unit(said: Speech, table: Table) -> Speech | None:
    """Say "rides over 2 km" by the one column of lengths; of two of them, one has to be named."""
    for found in said.find_all(table.wording("limit_by_its_unit")):
        unit = found.meant("unit")
        fitting = [name for name in table.context.column_words if measures_alike(name, unit, table)]
        if len(fitting) > 1:
            listed = ", ".join(f"`{name}`" for name in fitting)
            return said.refusing(found.said("which", said=found.text, columns=listed, column=fitting[0]))
        number = "0.5" if found["half"] else found["n"] or "1"
        limit = in_unit_of(number, found["unit"], fitting[0], table) if fitting else None
        if limit is None or not _is_said_of_rows(said, found, table):
            continue
        if _is_of_another_figure(said.word_before(found), fitting[0], table):
            continue
        if is_time(unit) and not tells_how_long(fitting[0], table):
            continue
        note = f"“{found.text}” is taken to be of `{fitting[0]}`."
        parts = {"column": fitting[0], "side": found.meant("side"), "n": limit[0]}
        return said.put(found, found.said("limit", **parts), note, limit[1])
    return None


def _is_said_of_rows(said: Speech, found: Found, table: Table) -> bool:
    """Tell whether a limit stands behind a noun for rows, or for what a column is called after: not "lie below"."""
    noun = said.word_before(found).strip(",;:?.")
    if not noun or columns.is_row(noun, table, table.words("one_row")) or columns.is_of_the_data(noun, table):
        return True
    return columns.is_period(noun, table)  # days of several places have a row each


def _is_of_another_figure(noun: str, column: str, table: Table) -> bool:
    """Tell whether a limit stands behind what another column is a figure of: "parcels under 2 km" of a `parcel_kg`."""
    context, plain = table.context, table.context.plain(noun.strip(",;:?."))
    called = [name for name in context.columns_with(plain) if columns.is_figure(name, table)] if plain else []
    return bool(called) and column not in called and not columns.is_row(noun, table)


def degrees(said: Speech, table: Table) -> Speech | None:
    """Say "above 75 degrees" by the column before it, or the one that is measured in degrees."""
    for found in said.find_all(table.wording("degrees")):
        column = columns.last_figure(said.before(found), table)
        measured = [name for name in table.context.column_words if _in_degrees(name, table)]
        end = _end_of_warmth(found.meant("side"), table)
        if column is None and end is not None and _is_said_of_rows(said, found, table):
            note = f"“{found.text}” is taken to be of `{end}`."
            return said.put(found, found.said("alone", column=end, side=found.meant("side")), note, _scale(end, table))
        if column is None and len(measured) == 1 and _is_said_of_rows(said, found, table):
            note = f"“{found.text}” is taken to be of `{measured[0]}`."
            parts = {"column": measured[0], "side": found.meant("side")}
            return said.put(found, found.said("alone", **parts), note, _scale(measured[0], table))
        warm = [name for name in table.context.column_words if _is_of_warmth(name, table)] if not measured else []
        if column is None and warm and _is_said_of_rows(said, found, table):
            texts = [found.said("alone", column=name, side=found.meant("side")) for name in warm]
            if len(warm) == 1:
                return said.put(found, texts[0], f"“{found.text}” is taken to be of `{warm[0]}`.")
            about = f"“{found.text.strip()}” may be said of {' or '.join(f'`{name}`' for name in warm)}."
            return said.asking_back(about, *(said.put(found, text).text for text in texts))
        if column in measured:
            return said.put(found, found.said("named", side=found.meant("side")), _scale(column, table))
        if column is not None and _is_of_warmth(column, table):
            return said.put(found, found.said("named", side=found.meant("side")))
    return None


def _end_of_warmth(side: str, table: Table) -> str | None:
    """Return the highest temperature of a row for a limit from below, else its lowest; None where it has not both."""
    ends = (two_ends(word, table) for word in table.words("told_in_degrees"))
    both = next((pair for pair in ends if pair is not None), None)
    return None if both is None else both[side in table.words("limits_from_below")]


def _is_of_warmth(name: str, table: Table) -> bool:
    """Tell whether a column of figures without a unit is called a temperature."""
    told = bool(set(table.context.column_words[name]) & table.words("told_in_degrees"))
    return told and columns.is_figure(name, table) and not table.context.column(name).unit


def _in_degrees(name: str, table: Table) -> bool:
    return bool(table.context.column(name).unit) and _unit_of(name, table) in table.choices("scales_of_degrees")


def _unit_of(name: str, table: Table) -> str:
    return table.meaning("units_of_measure", (table.context.column(name).unit or "").casefold().strip("°."))


def _scale(name: str | None, table: Table) -> str:
    unit = table.context.column(name).unit if name is not None else None
    return f"`{name}` is in {unit}." if unit else ""


def around_a_number(said: Speech, table: Table) -> Speech | None:
    """Refuse "around 50", which names no limits, and say how to name them."""
    found = said.find(table.wording("around_a_number"))
    number = found["n"].replace(",", "") if found is not None else ""
    if found is None or not number.replace(".", "", 1).isdecimal():
        return None
    low, high = (f"{float(number) * part:.6g}" for part in (0.9, 1.1))
    return said.refusing(found.said(said=f"{found['word']} {found['n']}", low=low, high=high))
