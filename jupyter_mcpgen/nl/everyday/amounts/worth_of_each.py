"""What those are worth who have several rows: "most valuable customers", "largest order", "spend per customer"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import called_by_verb, cost_or
from jupyter_mcpgen.nl.everyday.saying.identifiers import told_apart
from jupyter_mcpgen.nl.everyday.saying.ranks import USUAL_KEPT
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term


def spent(table: Table) -> str | None:
    """Return the column of what was paid in a row, which adds up over what somebody bought, or None."""
    ranked = table.vocabulary.ranked
    column = columns.money(ranked["money"], table) or columns.ranking(ranked["paid_for_a_row"], table)
    return column if column is not None and table.context.adds_up(column) is not False else None


def worth_most(said: Speech, table: Table) -> Speech | None:
    """Say "most valuable customers" and "largest order" by the total of the rows of each."""
    for found in (*said.find_each(table.wording("worth_most")), *said.find_each(table.wording("most_valuable"))):
        group = _several_rows_each(found["group"], table)
        column = spent(table)
        if group is None or column is None or table.groups(found["rest"]):
            continue
        bought = bool(set(told_apart(group, table) or ()) & (table.words("purchases") | table.words("deals")))
        if not (bought or (found.wording is table.wording("most_valuable") and persons.names_persons(group, table))):
            continue
        highest = found.meant("end") == Term.HIGHEST
        note = f"“{found['end']}” is taken to mean the {found.meant('end')} total `{column}` of each `{group}`."
        parts = {"group": f"`{group}`", "figure": Term.TOTAL, "column": column, "rest": found["rest"]}
        count = found["n"] or found["m"]
        if count or columns.is_plural(found["group"], table):
            end = Term.TOP if highest else Term.BOTTOM
            return said.put(found, table.say("first_groups", end=end, n=count or str(USUAL_KEPT), **parts), note)
        return said.put(found, table.say("which_group", end=Term(found.meant("end")), **parts), note)
    return None


def _several_rows_each(noun: str, table: Table) -> str | None:
    """Return the column that tells apart what a noun names, where each may have several rows."""
    group = columns.entity(noun, table)
    several = group is not None and not table.context.names_rows(group)
    return group if several else columns.repeated_key(noun, table)  # a few orders are paid in two parts


def most_loyal(said: Speech, table: Table) -> Speech | None:
    """Say "most loyal customers" as those with the most orders, or rows where nothing else is told apart."""
    found = said.find(table.wording("most_loyal"))
    group = _several_rows_each(found["group"], table) if found else None
    if found is None or group is None or table.is_data(found["end"]) or not persons.names_persons(group, table):
        return None
    key = columns.other_key(group, table)
    figure = table.say("number_of_different", column=key) if key else table.say("number_of_rows")
    note = f"“{found['end']}” is taken to mean the largest {figure} of each `{group}`."
    parts = {"group": group, "figure": figure, "rest": found["rest"]}
    count = found["n"] or found["m"]
    if count or columns.is_plural(found["group"], table):
        return said.put(found, found.said("several", n=count or str(USUAL_KEPT), **parts), note)
    return said.put(found, found.said("one", **parts), note)


def paid_the_most(said: Speech, table: Table) -> Speech | None:
    """Say "who paid the most" as the one person with the highest total of what was paid."""
    found = said.find(table.wording("paid_the_most"))
    person = (persons.repeated_person(table) or persons.only_person(table)) if found else None
    column = (called_by_verb(found.folded("verb"), table) or spent(table)) if found else None
    if found is None or person is None or column is None:
        return None
    end = Term(found.meant("end"))
    note = f"“{found['verb']} the {found['end']}” is taken to mean the {end} total `{column}` of each `{person}`."
    parts = {"group": f"`{person}`", "figure": Term.TOTAL, "column": column, "rest": found["rest"]}
    return said.put(found, table.say("which_group", end=end, **parts), note)


def spend_of_each(said: Speech, table: Table) -> Speech | None:
    """Say "average spend per customer" as the average of the customers' totals, "spend per customer" as each total."""
    for found in said.find_each(table.wording("spend_of_each")):
        group = _several_rows_each(found["group"], table)
        column = spent(table) if columns.named(found["spending"], table, columns.STEMMED) is None else None
        if group is None or column is None:
            continue
        if not persons.names_persons(group, table) and cost_or(column, found.folded("spending"), table) != column:
            continue
        note = f"“{found['spending']}” is taken to mean the total `{column}` of each `{group}`."
        parts = {"column": column, "group": group}
        if found["f"]:
            return said.put(found, found.said("averaged", f=Term(found.meant("f")), **parts), note)
        if found["side"]:
            limit = {"figure": table.say("total", column=column), "side": found.meant("side"), "n": found.meant("n")}
            way = "groups_counted" if found["how"] else "groups_chosen"
            return said.put(found, table.say(way, group=group, rest=found["rest"], **limit), note)
        return said.put(found, found.said("each", **parts), note)
    return None


def worth_beyond(said: Speech, table: Table) -> Speech | None:
    """Say "orders over 100" as those with a total above it, where each has several rows."""
    for found in said.find_each(table.wording("worth_beyond")):
        group, column = columns.repeated_key(found["group"], table), spent(table)
        known = group is not None and bool(set(told_apart(group, table) or ()) & table.words("purchases"))
        if group is None or not known or column is None:
            continue
        way = "groups_counted" if found["how"] else "groups_chosen"
        limit = {"figure": table.say("total", column=column), "side": found.meant("side"), "n": found.meant("n")}
        note = f"What is {found['side']} {found['n']} is taken to be the total `{column}` of each `{group}`."
        return said.put(found, table.say(way, group=group, rest=found["rest"], **limit), note)
    return None
