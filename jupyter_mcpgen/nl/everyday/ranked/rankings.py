"""Groups and periods that are ranked without saying by what: "biggest customers", "best month for Oslo"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.deeds.outcomes import outcome_of
from jupyter_mcpgen.nl.everyday.parts.named_rates import outcome_called
from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.ranks import USUAL_KEPT, noun_phrase
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term


def ranked_by_worth(said: Speech, table: Table) -> Speech | None:
    """Say "biggest customers" and "best month" by the total of the one column of what is taken in."""
    found = said.find(table.wording("ranked_by_worth"))
    if found is None or table.groups(found["rest"]):
        return None
    column = columns.money(table.vocabulary.ranked["takings"], table)
    group, is_period = found["group"], columns.is_period(found["group"], table)
    label = None if is_period else columns.entity(group, table)
    if column is None or table.context.adds_up(column) is False or (label is None and not is_period):
        return None
    highest = found.meant("end") == Term.HIGHEST
    note = f"“{found['end']}” is taken to mean the {found.meant('end')} total `{column}`."
    parts = {"group": f"`{label}`" if label else group, "figure": Term.TOTAL, "column": column, "rest": found["rest"]}
    count = found["n"] or found["m"]
    if count or columns.is_plural(group, table):
        end = Term.TOP if highest else Term.BOTTOM
        return said.put(found, table.say("first_groups", end=end, n=count or str(USUAL_KEPT), **parts), note)
    return said.put(found, table.say("which_group", end=Term(found.meant("end")), **parts), note)


def repeated_persons(said: Speech, table: Table) -> Speech | None:
    """Say "repeat customers" as those with more than one row."""
    found = said.find(table.wording("repeated_persons"))
    group = columns.entity(found["noun"], table) if found else None
    if found is None or group is None or table.is_data(found["which"]):
        return None
    key = columns.other_key(group, table)
    figure = table.say("number_of_different", column=key) if key else table.say("number_of_rows")
    parts = {"figure": figure, "side": found.meant("which"), "n": "1", "rest": found["rest"]}
    note = f"“{found['which']} {found['noun']}” are taken to be those whose {figure} is {found.meant('which')} 1."
    if found["how"] and not key:
        return said.put(found, found.said("rows", group=group, side=found.meant("which")), note)
    return said.put(found, table.say("groups_counted" if found["how"] else "groups_chosen", group=group, **parts), note)


def handles_the_most(said: Speech, table: Table) -> Speech | None:
    """Say "who handles the most urgent tickets" of the only persons that the rows are dealt with by."""
    found = said.find(table.wording("handles_the_most"))
    group = persons.only_person(table) or persons.only_handler(table) if found else None
    if found is None or group is None:
        return None
    dealing = set(table.context.column_words[group]) & table.words("handling")
    if not dealing or not columns.is_row(found["what"].split()[-1], table):
        return None
    note = f"“{found['verb']}” is taken to be said of `{group}`."
    chosen, told = _rows_done(found.folded("verb"), table)
    parts = {"group": group, "rest": f"{chosen} {found['rest']}"}
    return said.put(found, found.said(found.meant("end"), **parts), note, *told)


def _rows_done(verb: str, table: Table) -> tuple[str, tuple[str, ...]]:
    """Return the condition under which a verb is true of a row, and a note on it: not every deal is closed."""
    value, date = outcome_called(verb, table), columns.date_of(verb, table)
    wording = table.wording("who_did_most")
    if value is not None:
        chosen = wording.say("with_value", {"column": value.column, "value": value.value})
        return chosen, (f"“{verb}” is taken to mean that `{value.column}` is {value.value}.",)
    if date is None or not table.context.column(date).nulls:
        return "", ()
    return wording.say("dated", {"column": date}), (f"“{verb}” is taken to mean rows with a `{date}`.",)


def dealing_with_the_most(said: Speech, table: Table) -> Speech | None:
    """Say "which operator handles the most units" as which one has them, where the verb tells nothing of the rows."""
    found = said.find(table.wording("dealing_with_the_most"))
    group = columns.label(found["group"], table) if found else None
    verb = found.folded("verb") if found else ""
    told = (columns.flag_of, columns.date_of, outcome_of)
    if found is None or group is None or table.is_data(verb) or any(one(verb, table) is not None for one in told):
        return None
    note = f"“{found['verb']}” is taken to say nothing more about the rows."
    return said.put(found, found.said(found.meant("end")), note)


def best_period_of_each(said: Speech, table: Table) -> Speech | None:
    """Say "best month for each park by output" as the month with the highest output of each."""
    for found in said.find_each(table.wording("best_period_of_each")):
        group, one = columns.label(found["group"], table), columns.label(found["one"], table)
        told = found["unit"] or (one is not None and not columns.is_plural(found["one"], table))
        if group is None or not told or columns.measured(found["what"], table) is None:
            continue
        note = f"“{found['end']}” is taken to mean the {found.meant('end')} {found['what']}."
        unit = found["unit"] or f"`{one}`"
        return said.put(found, found.said(group=group, unit=unit, end=Term(found.meant("end"))), note)
    return None


def first_of_groups(said: Speech, table: Table) -> Speech | None:
    """Say "top technician by revenue" as the one with the highest: only several are a list."""
    found = said.find(table.wording("first_of_groups"))
    one = columns.label(found["one"], table) if found else None
    if found is None or one is None or columns.is_plural(found["one"], table):
        return None
    end = Term.HIGHEST if found.meant("end") == Term.TOP else Term.LOWEST
    return said.put(found, found.said("each" if found["each"] else "all", one=f"`{one}`", end=end))


def one_of_the_top(said: Speech, table: Table) -> Speech | None:
    """Say "top rep in each region" as the first one of each: only several are a list."""
    for found in said.find_each(table.wording("one_of_the_top")):
        if Speech(said.behind(found)).find(table.wording("by_a_figure")) is None:
            continue  # by which figure is not said
        phrase, more = noun_phrase(found["one"], table)
        noun = phrase.split()[-1] if phrase and not more else ""
        if not noun or phrase[0].isdecimal() or columns.is_plural(noun, table):
            continue  # how many they are is said
        if _is_called_in_data(found["end"], table):
            continue
        if _labels_or_rows(noun, table):
            return said.put(found, found.said())
    return None


def _is_called_in_data(word: str, table: Table) -> bool:
    """Tell whether a word is part of a value, or of the name of a column."""
    return table.is_data(word) or bool(table.context.columns_with(table.context.plain(word.casefold())))


def _labels_or_rows(noun: str, table: Table) -> bool:
    """Tell whether a noun is what rows are called, or stands in the names of columns of labels alone."""
    called = table.context.columns_with(table.context.plain(noun.casefold()))
    return columns.is_row(noun, table) or (bool(called) and not any(columns.is_figure(name, table) for name in called))


def place_of_groups(said: Speech, table: Table) -> Speech | None:
    """Refuse "second highest sales by region" with both ways to ask it: a place within each group is never computed."""
    found = said.find(table.wording("place_of_groups"))
    group = columns.label(found["group"], table) if found is not None else None
    column = columns.measured(found["what"], table) if found is not None and group is not None else None
    if found is None or group is None or column is None or found.meant("nth") in _ENDS:
        return None
    figure = Term.TOTAL if columns.is_summed(column, table) else Term.AVERAGE
    side = Term.TOP if found.meant("end") == Term.HIGHEST else Term.BOTTOM
    parts = {"nth": found["nth"], "end": found["end"], "group": group, "column": column, "figure": figure, "side": side}
    return said.refusing(found.said(said=found.text.strip(" ?.!"), n=found.meant("nth"), **parts))


_ENDS = ("0", "1")
"""The first and the last of each group are computed."""
