"""Comparisons that leave unsaid with whom: "do smokers tip more", "is the fare higher in first class"."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.amounts.counts import crowd_column
from jupyter_mcpgen.nl.everyday.parts.sides import side_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import measure_of_verb
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term

FEW_LABELS = 3
"""A column of so few labels tells who has something: "none" and "completed"."""
SHORT_DAY = 3
"""Days of the week are told apart by so many letters."""


def unsaid_rival(said: Speech, table: Table) -> Speech | None:
    """Say "do smokers tip more" as the figures of smokers and of all others, side by side."""
    for found in said.find_each(table.wording("unsaid_rival")):
        compared = _figure(found, table)
        if compared is None:
            continue
        figure, what = compared
        quality = _quality_of(found["a"], table)
        if quality is not None and quality != what:
            return _with_quality(said, found, what, quality, table)
        if found["week"]:
            return _on_days(said, found, what, table)
        groups = _groups(found, table)
        if groups is not None:
            column, note = groups
            sides = table.say("by_column", column=column)
            return said.put(found, table.say("figure", figure=figure, column=what, rest=sides), note)
    return None


def busier_part(said: Speech, table: Table) -> Speech | None:
    """Say "is the weekend busier" as the number of rows on each of both kinds of days, on average."""
    found = said.find(table.wording("busier_part"))
    if found is None or table.is_data(found["busy"]):
        return None
    rows = found["rows"]
    if rows and not columns.is_row(rows, table):
        return None
    counted = crowd_column(table)
    if found["week"]:
        daily = found.said("each_day", what=table.say("number_of_rows"))
        text = daily if counted is None else found.said("each_total", column=counted)
        return said.put(found, text) if len(table.context.dates) == 1 else None
    column = _column_of(found["a"], table)
    if column is None:
        return None
    figure = table.say("number_of_rows") if counted is None else table.say("total", column=counted)
    note = found.said("beside", said=found["a"], column=column)
    return said.put(found, f"{figure} {table.say('by_column', column=column)}", note)


def unsaid_rival_did(said: Speech, table: Table) -> Speech | None:
    """Say "do women survive more often" as the share of each group that did."""
    for found in said.find_each(table.wording("unsaid_rival_did")):
        side = side_of(found.folded("flag"), table)
        if side is None:
            continue
        holds = Term.TRUE if side[1] else Term.FALSE
        quality = _quality_of(found["a"], table)
        if quality is not None and table.context.is_measure(quality):
            sides = table.say("by_column", column=side[0])
            return said.put(found, table.say("figure", figure=Term.AVERAGE, column=quality, rest=sides))
        groups = _groups(found, table) if quality is None else None
        if groups is not None and groups[0] != side[0]:
            column, note = groups
            sides = table.say("by_column", column=column)
            return said.put(found, found.said("share", column=side[0], holds=holds, groups=sides), note)
    return None


def _with_quality(said: Speech, found: Found, what: str, quality: str, table: Table) -> Speech:
    """Set a figure beside the one that rows are older or larger by: together, or by years that nothing is made of."""
    if table.context.is_measure(quality):
        return said.put(found, found.said("together", what=what, by=quality), found.said("by_quality", by=quality))
    sides = table.say("by_column", column=quality)
    return said.put(found, table.say("figure", figure=Term.AVERAGE, column=what, rest=sides))


def _on_days(said: Speech, found: Found, what: str, table: Table) -> Speech | None:
    """Set a figure of weekends beside that of the other days: what adds up is added up for each day first."""
    if _has_dates(table):
        daily = columns.is_summed(what, table) and found.folded("what") in table.words("added_up")
        way = "each_row" if not daily else "each_day" if len(table.context.dates) == 1 else "each_weekday"
        return said.put(found, found.said(way, what=f"`{what}`"))
    column = _column_of_days(table)
    if column is None:
        return None
    note = found.said("days", said=found["week"], column=column)
    sides = table.say("by_column", column=column)
    return said.put(found, table.say("figure", figure=Term.AVERAGE, column=what, rest=sides), note)


def _figure(found: Found, table: Table) -> tuple[Term, str] | None:
    """Return how groups are compared, and by which column."""
    if found["adjective"] and not found["what"]:
        if table.is_data(found["adjective"]):
            return None
        quality, _ = table.vocabulary.by_adjective[found.folded("adjective")]
        column = columns.ranking(quality.columns, table) or columns.ranking(quality.opposite, table, dates=False)
    elif found["what"]:
        column = columns.figure(found["what"], table)
    else:
        column = measure_of_verb(found.folded("verb"), table)
    if column is None:
        return None
    mass = (
        bool(found["what"])
        and not found["verb"]
        and not found["then"]
        and found.folded("what") in table.words("added_up")
    )
    summed = mass or (bool(found["verb"]) and found.folded("verb") in table.words("adding_up"))
    return (Term.TOTAL if summed else Term.AVERAGE), column


def _quality_of(text: str, table: Table) -> str | None:
    """Return the column that "older" is about in "older employees"."""
    words = text.split()
    for size in range(len(words) - 1, 0, -1):
        said = " ".join(words[:size]).casefold()
        if said in table.words("comparatives") and not table.is_data(said):
            quality, _ = table.vocabulary.by_adjective[said]
            return columns.ranking(quality.columns, table) or columns.ranking(quality.opposite, table)
    return None


def _groups(found: Found, table: Table) -> tuple[str, str] | None:
    """Return the column of groups of which one is named, and what is assumed; None where it is no group."""
    words = (found["a"] or found["then"]).split()
    for kept in (words, words[:-1]):
        named = " ".join(kept)
        column = _column_of(named, table) if kept else None
        if column is not None and (kept == words or _may_be_rows(words[-1], table)):
            return column, _beside(" ".join(words), column, table)
    flag = _column_had(found["with"], table) if found["with"] else None
    if flag is not None:
        return flag, _beside(found["with"], flag, table)
    return None


def _column_had(text: str, table: Table) -> str | None:
    """Return the column that says whether a row has something: yes or no, or one of very few labels."""
    flag = columns.flag_named(text, table, SHORTENED)
    label = columns.label(text, table) if flag is None else None
    return flag or (label if label is not None and table.context.column(label).distinct <= FEW_LABELS else None)


def _beside(said: str, column: str, table: Table) -> str:
    return table.wording("unsaid_rival").say("beside", {"said": said, "column": column})


def _column_of(text: str, table: Table) -> str | None:
    """Return the one column of which words are a value, or a yes or no that words are about."""
    flag = columns.flag_named(text, table, SHORTENED)
    if flag is not None:
        return flag
    words = text.split()
    side = side_of(words[0], table) if len(words) == 1 else None
    if side is not None:
        return side[0]
    found = {column for column, _ in values_called(text, table)}
    return found.pop() if len(found) == 1 else None


def _may_be_rows(noun: str, table: Table) -> bool:
    """Tell whether a noun may be what a row is: one of the table's, a person, or one that the table knows nothing of.

    Nothing in the table is called so, and whose rows they are is said by the word before it and by the note.
    """
    if columns.is_row(noun, table, table.words("one_row") | table.words("persons")):
        return True
    return columns.is_plural(noun, table) and not columns.is_known(noun.casefold(), table)


def _has_dates(table: Table) -> bool:
    return any(columns.holds_dates(name, table) for name in table.context.column_words)


def _column_of_days(table: Table) -> str | None:
    """Return the column of labels whose values are all days of the week."""
    days = {name[:SHORT_DAY].casefold() for name in table.choices("days")}
    for name in table.context.column_words:
        column = table.context.column(name)
        values = {str(value)[:SHORT_DAY].casefold() for value in column.values}
        if column.complete and values and values <= days:
            return name
    return None
