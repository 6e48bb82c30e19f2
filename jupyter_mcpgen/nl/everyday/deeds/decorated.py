"""Words that only decorate the name of a column: "fare paid by class", "distance flown", "the closing price"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.deeds.outcomes import outcome_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term

MOST_WORDS = 3
"""Of how many words the name of a column is that a participle stands behind."""


def decorated(said: Speech, table: Table) -> Speech | None:
    """Leave out the "paid" of "average fare paid by class", where no column tells what was not paid."""
    for found in said.find_all(table.wording("decorated")):
        verb = found.folded("verb")
        column = _named_before(said.before(found), verb, table)
        stated = said.word_before(found) in table.words("auxiliaries")
        if column is None or stated or tells_rows_apart(verb, column, table):
            continue
        if columns.is_planned(column, table) and verb in table.words("spent"):
            continue  # of a budget, what was spent is another amount
        note = f"“{verb}” is taken to say nothing more of `{column}`."
        by_whom = found["by"] and not _makes_groups(said.behind(found), table)
        return said.put(found, found.said("of" if by_whom else "grouped" if found["by"] else "alone"), note)
    return None


def decorated_before(said: Speech, table: Table) -> Speech | None:
    """Leave out the "trading" of "average trading volume", where one column is called a volume."""
    for found in said.find_all(table.wording("decorated_before")):
        verb = found.folded("verb")
        column = _figure_first(found["what"], table)
        if column is not None and not tells_rows_apart(verb, column, table):
            return said.put(found, found["what"], f"“{verb}” is taken to say nothing more of `{column}`.")
    return None


def called_by_verb(said: Speech, table: Table) -> Speech | None:
    """Say "closing price" by the column `Close`, where no column is called a price."""
    for found in said.find_all(table.wording("called_by_verb")):
        verb, noun = found.folded("verb"), found.folded("noun")
        if table.context.columns_with(table.context.plain(noun)) or table.is_data(found.text):
            continue
        own = table.context.column_words
        akin = [name for name in own if len(own[name]) == 1 and table.akin(verb, own[name][0])]
        akin = [name for name in akin if table.context.is_measure(name)]
        if len(akin) == 1:
            return said.put(found, found.said(column=akin[0]), f"“{found.text}” is taken to mean `{akin[0]}`.")
    return None


def did_with_a_limit(said: Speech, table: Table) -> Speech | None:
    """Leave out the "work" of "people who work more than 40 hours", where one column of figures is called hours."""
    for found in said.find_all(table.wording("did_with_a_limit")):
        verb, column = found.folded("verb"), _figure_first(found["what"].strip(" ?.,"), table)
        if column is not None and not tells_rows_apart(verb, column, table):
            note = f"“{verb}” is taken to say nothing more of `{column}`."
            return said.put(found, found.said(limit=found["limit"], n=found["n"], what=found["what"]), note)
    return None


def who_did_with_a_figure(said: Speech, table: Table) -> Speech | None:
    """Say "who paid the highest fare" as who has it, where no column tells who did not pay."""
    for found in said.find_each(table.wording("who_did_with_a_figure")):
        column = columns.figure(found["what"], table)
        if column is not None and not tells_rows_apart(found.folded("verb"), column, table):
            return said.put(found, found.said())
    return None


def which_did_with_a_figure(said: Speech, table: Table) -> Speech | None:
    """Say "which employee worked the most hours" by the total of each."""
    found = said.find(table.wording("which_did_with_a_figure"))
    column = columns.figure(found["what"], table) if found else None
    group = columns.entity(found["group"], table) if found else None
    if found is None or column is None or group is None or table.context.adds_up(column) is False:
        return None
    if tells_rows_apart(found.folded("verb"), column, table):
        return None
    note = f"“{found['verb']} the {found['end']}” is taken to mean the total `{column}`."
    return said.put(found, found.said(group=group, column=column, end=Term(found.meant("end"))), note)


def sold_best(said: Speech, table: Table) -> Speech | None:
    """Say "which product sold best" as the best selling one."""
    found = said.find(table.wording("sold_best"))
    if found is None or columns.label(found["group"], table) is None:
        return None
    return said.put(found, found.said(found.meant("end")))


def best_for(said: Speech, table: Table) -> Speech | None:
    """Say "which weekday is best for sales" as the one with the highest total, or average."""
    found = said.find(table.wording("best_for"))
    column = columns.figure(found["what"], table) if found else None
    if found is None or column is None or set(table.context.column_words[column]) & table.words("less_is_better"):
        return None
    if columns.label(found["group"], table) is None and not columns.is_period(found["group"], table):
        return None
    figure = Term.TOTAL if columns.is_summed(column, table) else Term.AVERAGE
    end = Term(found.meant("end"))
    note = f"“{found['end']}” is taken to mean the {end} {figure} `{column}`."
    parts = {"group": found["group"], "end": end, "figure": figure, "column": column, "rest": found["rest"]}
    return said.put(found, table.say("which_group", **parts), note)


def _named_before(text: str, verb: str, table: Table) -> str | None:
    """Return the column of figures that the last words of a text name, without a verb that may be its own."""
    words = text.split()
    for width in range(min(MOST_WORDS, len(words)), 0, -1):
        last = words[-width:]
        if columns.figure(" ".join((*last, verb)), table) is not None:
            return None  # `hours_worked` is called so
        column = columns.figure(" ".join(last).strip("`"), table)
        if column is not None:
            return column
    return None


def _figure_first(text: str, table: Table) -> str | None:
    words = text.split()
    widths = range(len(words), 0, -1)
    return next((c for c in (columns.figure(" ".join(words[:width]), table) for width in widths) if c), None)


def tells_rows_apart(verb: str, column: str, table: Table) -> bool:
    """Tell whether a verb is a word of the data, or a column says of which rows it is so."""
    if table.is_data(verb) or verb in table.context.value_parts:
        return True
    date = columns.date_of(verb, table)
    lacking = date is not None and table.context.column(date).nulls > 0
    told = lacking or columns.flag_of(verb, table) or columns.flag_of_event(verb, table)
    others = [name for name in table.context.column_words if name != column and table.context.is_measure(name)]
    akin = any(table.akin(verb, word) for name in others for word in table.context.column_words[name])
    return bool(told) or akin or outcome_of(verb, table) is not None


def _makes_groups(text: str, table: Table) -> bool:
    """Tell whether the words behind "by" name a column or a period to group by, and not somebody."""
    words = [word.strip("?,.!`") for word in text.split()]
    for width in range(min(MOST_WORDS, len(words)), 0, -1):
        named = " ".join(words[:width])
        column = columns.named(named, table, columns.STEMMED)
        if columns.is_period(named, table) or column is not None:
            return column is None or not (column in set(columns.flags(table)) and columns.is_plural(named, table))
        if named.casefold() in table.context.values:
            return False
    return not columns.is_row(words[0], table, table.words("one_row")) if words else True
