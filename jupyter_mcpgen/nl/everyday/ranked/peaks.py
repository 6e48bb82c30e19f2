"""The day, month or group with most of something: "on which date were deaths highest", "most sales in a single day"."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.amounts.ranges import end_told
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import measure_of_verb
from jupyter_mcpgen.nl.everyday.saying.ranks import Rank, ranked_rows
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term
from jupyter_mcpgen.nl.everyday.times.periods import has_dates


def highest_when(said: Speech, table: Table) -> Speech | None:
    """Say "on which date were deaths highest" and "most visits in a single day" as the day with the highest total."""
    found = said.find(table.wording("highest_when"))
    column = columns.figure(found["what"], table) if found else None
    period = period_called(found["unit"], table) if found else None
    if found is not None and column is None and not found["unit"] and table.is_data(found["what"]):
        figures = ", ".join(f"`{name}`" for name in table.context.column_words if columns.is_figure(name, table))
        return said.refusing(found.said("no_figure", what=found["what"], figures=figures)) if figures else None
    if found is None or column is None or period is None:
        return None
    figure = Term.AVERAGE if table.context.adds_up(column) is False else Term.TOTAL
    end = Term(found.meant("end"))
    note = f"The {end} {figure} `{column}` of one {found['unit'] or 'period'} is looked for."
    parts = {"group": period, "end": end, "figure": figure, "column": column, "rest": found["rest"]}
    return said.put(found, table.say("which_group", **parts), note)


def when_most(said: Speech, table: Table) -> Speech | None:
    """Refuse "when were most trips cancelled", which names no period; the groups of yes and no are no times."""
    found = said.find(table.wording("when_most"))
    called = columns.named(found["noun"], table) if found else None
    is_label = called is not None and not table.context.is_measure(called)
    if found is None or not (is_label or columns.is_row(found["noun"], table, table.words("one_row"))):
        return None
    return said.refusing(found.said(what=f"{found['noun']} {found['rest']}".strip()))


def when_recorded(said: Speech, table: Table) -> Speech | None:
    """Say "when was the highest temperature recorded" as the row that has it."""
    found = said.find(table.wording("when_recorded"))
    column = (columns.figure(found["what"], table) or end_told(found, table)) if found else None
    if found is None or column is None or columns.is_summed(column, table) or not has_dates(table):
        return None
    rank = Rank(column, found.meant("end") == Term.HIGHEST, found["end"])
    return ranked_rows(said, "", "", found["rest"], rank, table)


def period_called(unit: str, table: Table) -> str | None:
    """Return how a period or a group is asked for; "when" asks for a day, or a year where nothing else is known."""
    said, context = unit.casefold(), table.context
    any_period = not said or said in table.words("date")
    if not any_period and not columns.is_period(said, table):
        return unit if columns.label(unit, table) else None
    if has_dates(table):
        return table.say("day") if any_period else said
    return f"`{context.years[0]}`" if len(context.years) == 1 and (not said or said in table.words("year")) else None


def most_in_which(said: Speech, table: Table) -> Speech | None:
    """Say "on which weekday do we have the most visits" as which weekday has the most visits."""
    for found in said.find_each(table.wording("most_in_which")):
        if columns.label(found["unit"], table) is not None or columns.is_period(found["unit"], table):
            return said.put(found, found.said(found.meant("end")))
    return None


def most_made_in_which(said: Speech, table: Table) -> Speech | None:
    """Say "in which quarter were the most tickets logged" as which quarter has the most tickets."""
    found = said.find(table.wording("most_made_in_which"))
    if found is None or columns.flag_of(found.folded("verb"), table) or table.is_data(found["verb"]):
        return None
    date = columns.date_of(found.folded("verb"), table)
    own = columns.label(found["unit"], table) is not None or columns.is_period(found["unit"], table)
    if not own or (date is not None and table.context.column(date).nulls):
        return None
    return said.put(found, found.said(found.meant("end")))


def do_the_most(said: Speech, table: Table) -> Speech | None:
    """Say "on which day do people tip the most" as the group with the highest figure of what the verb is about."""
    found = said.find(table.wording("do_the_most"))
    column = measure_of_verb(found.folded("verb"), table) if found else None
    if found is None or column is None:
        return None
    group = found["group"]
    known = columns.label(group, table) is not None or columns.is_period(group, table)
    if not known or not columns.is_person(found["who"], table):
        return None
    well = found.folded("end") in table.words("best")  # who does it best need not do it often
    figure = Term.TOTAL if columns.is_summed(column, table) and not well else Term.AVERAGE
    end = Term(found.meant("end"))
    note = f"“{found['verb']} the {found['end']}” is taken to mean the {end} {figure} `{column}`."
    parts = {"group": group, "end": end, "figure": figure, "column": column, "rest": found["rest"]}
    return said.put(found, table.say("which_group", **parts), note)


def did_most_of(said: Speech, table: Table) -> Speech | None:
    """Say "which store sold the most soup" as the highest total of what was sold, of soup."""
    found = said.find(table.wording("did_most_of"))
    if found is None or columns.label(found["group"], table) is None:
        return None
    column = measure_of_verb(found.folded("verb"), table)
    if column is None or columns.named(found["of"], table, SHORTENED) is not None:
        return None
    note = f"What was {found.folded('verb')} is taken to be the total `{column}`."
    return said.put(found, found.said(column=column, end=Term(found.meant("end"))), note)


def most_of_a_column(said: Speech, table: Table) -> Speech | None:
    """Say "had the most deaths" as the highest total of a column of them, not as the most rows."""
    found = said.find(table.wording("most_of_a_column"))
    column = columns.figure(found["what"], table) if found else None
    if found is None or column is None or not columns.is_summed(column, table):
        return None
    way = "with" if found["with"] else "has"
    note = f"“{found['what']}” is taken to mean `{column}`."
    return said.put(found, found.said(way, column=column, end=Term(found.meant("end"))), note)


def longest_when(said: Speech, table: Table) -> Speech | None:
    """Say "on which weekday are waits longest" as the weekday with the highest average wait, and not as one row."""
    found = said.find(table.wording("longest_when"))
    column = columns.measured(found["what"], table) if found else None
    if found is None or column is None or table.context.adds_up(column) is True:
        return None
    if not columns.is_period(found["unit"], table) and columns.label(found["unit"], table) is None:
        return None
    several = columns.is_plural(found["what"], table) or found["mean"]
    if found.folded("unit") in (*table.words("date"), table.say("day")) and not several:
        return None  # the day of the longest delay is that of one row
    end = Term.HIGHEST if table.vocabulary.by_adjective[found.folded("word")][1] else Term.LOWEST
    note = f"The {end} average `{column}` of one {found['unit']} is looked for."
    parts = {"group": found["unit"], "end": end, "figure": Term.AVERAGE, "column": column, "rest": found["rest"]}
    return said.put(found, table.say("which_group", **parts), note)
