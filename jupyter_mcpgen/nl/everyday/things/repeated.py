"""Figures over what has several rows: "average order value", "customers who ordered more than 5 times"."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.amounts.worth_of_each import spent
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import measure_of_verb
from jupyter_mcpgen.nl.everyday.saying.identifiers import told_apart
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term
from jupyter_mcpgen.nl.tables.dependencies import has_one_value, is_known_by_row
from jupyter_mcpgen.plan.schema import ColumnType

SHORTEST_NOUN = 4
"""A shorter noun of a row is no sign of its verb."""


def value_of_each(said: Speech, table: Table) -> Speech | None:
    """Say "average order value" as the average of the orders' totals, where an order has several rows.

    By groups that divide an order, it may be of the whole orders or of their parts.
    """
    found = said.find(table.wording("value_of_each"))
    if found is None or found.folded("value") not in table.words("worth"):
        return None
    group = columns.repeated_key(found["noun"], table)
    if group is None or _divides(found["rest"], group, table):
        return None
    named = columns.named(f"{found['noun']} {found['value']}", table, SHORTENED)
    if named is not None and table.context.is_measure(named):
        return None
    column = spent(table)
    return _over_groups(said, found, column, group, table) if column else None


def _divides(text: str, group: str, table: Table) -> bool:
    """Tell whether words group rows by what differs within what a key tells apart."""
    words = text.split()
    sizes = range(1, len(words) + 1) if table.groups(text) else range(0)
    ends = [" ".join(words[start : start + size]).strip("?.,") for size in sizes for start in range(len(words))]
    named = {column for column in (columns.label(end, table) for end in ends) if column is not None}
    if any(columns.is_period(end, table) for end in ends):
        named |= set(table.context.dates)
    context = table.context
    known = (name for name in named if is_known_by_row(name, group, context=context))
    return not all(has_one_value(name, group, context) for name in known)


def total_for_each(said: Speech, table: Table) -> Speech | None:
    """Say "average total sales per customer" and "average revenue per order" as the average of their totals."""
    found = said.find(table.wording("total_for_each"))
    group = columns.entity(found["noun"], table) if found else None
    column = columns.named(found["what"], table, SHORTENED) if found else None
    if found is None or group is None or column is None or not table.context.is_measure(column):
        return None
    purchase = found.folded("noun") in table.words("purchases") and table.context.adds_up(column)
    if not found["total"] and not (purchase and group == columns.repeated_key(found["noun"], table)):
        return None
    return _over_groups(said, found, column, group, table)


def _over_groups(said: Speech, found: Found, column: str, group: str, table: Table) -> Speech:
    note = f"`{column}` is added up for each `{group}`, and these totals are averaged."
    parts = {"f": Term(found.meant("f")), "column": column, "group": group}
    if table.groups(found["rest"]):
        apart = f"A `{group}` with rows in several groups counts in each of them, with what it has there."
        known = is_known_by_row(group, context=table.context)
        return said.put(found, found.said("grouped", **parts), note, "" if known else apart)
    return said.put(found, found.said(**parts), note)


def number_for_each(said: Speech, table: Table) -> Speech | None:
    """Say "average number of orders per customer" as the average of the customers' counts."""
    found = said.find(table.wording("number_for_each"))
    group = columns.entity(found["noun"], table) if found else None
    if found is None or group is None or columns.named(table.say("number_of", what=found["what"]), table):
        return None
    own = columns.named(found["what"], table)
    figure = _counted(found["what"], table)
    if figure is None or (own is not None and table.context.is_measure(own)):
        return None
    note = f"The {figure} is taken for each `{group}`, and these figures are averaged."
    return said.put(found, found.said(f=Term(found.meant("f")), figure=figure, group=group), note)


def _counted(what: str, table: Table) -> str | None:
    """Return what is counted: different things where an identifier repeats, else rows."""
    key = columns.repeated_key(what, table)
    if key is not None:
        return table.say("number_of_different", column=key)
    if table.context.plain(what.casefold()) in table.words("quantity"):
        pieces = columns.ranking(table.vocabulary.ranked["pieces"], table)
        return table.say("total", column=pieces) if pieces else None
    return table.say("number_of_rows") if columns.is_row(what, table, table.words("one_row")) else None


def more_than_times(said: Speech, table: Table) -> Speech | None:
    """Say "customers who ordered more than 5 times" as those with more than 5 different orders."""
    found = said.find(table.wording("more_than_times"))
    group = columns.entity(found["noun"], table) if found else None
    if found is None or group is None:
        return None
    done = _told_by_a_column(found, table)
    if done is not None:
        rows = table.say("number_of_rows")
        note = f"How often is taken to mean the {rows} of each `{group}` {done}."
        return _limited(said, found, group, rows, note, table, done)
    figure = _done(found.folded("verb"), group, table)
    if figure is None:
        return None
    return _limited(said, found, group, figure, f"How often is taken to mean the {figure} of each `{group}`.", table)


def so_often(said: Speech, table: Table) -> Speech | None:
    """Say "customers who ordered only once" as those with one order, "ordered again" as those with more than one."""
    for found in said.find_each(table.wording("so_often")):
        group, verb = columns.entity(found["noun"], table), found.folded("verb") or found.folded("not")
        first = verb.split()[0]
        told = group is None or columns.flag_of(first, table) is not None
        figure = _done(first, group, table) if group is not None and not told else None
        n = found.meant("n")
        if figure is None or group is None or (found["rest"] and not n):
            continue  # "again in 2024" may be after an earlier one
        side = "=" if n or found["not"] else ">"
        note = f"How often is taken to mean the {figure} of each `{group}`: {_TIMES[side]} {n or 1}."
        return _limited(said, found, group, figure, note, table, side=side, n=n or "1")
    return None


_TIMES = {"=": "exactly", ">": "more than"}


def _told_by_a_column(found: Found, table: Table) -> str | None:
    """Return the condition of the rows in which something was done, where only some say so."""
    flag, date = columns.flag_of(found.folded("verb"), table), columns.date_of(found.folded("verb"), table)
    if flag is not None:
        return found.said("done", column=flag)
    return found.said("dated", column=date) if date is not None and table.context.column(date).nulls else None


def _done(verb: str, group: str, table: Table) -> str | None:
    """Return the figure of how often something was done: several rows of one receipt are one visit."""
    context, own = table.context, table.context.column_words
    others = [name for name in own if told_apart(name, table) is not None and name != group]
    others = [name for name in others if not context.names_rows(name) and not _is_of_several(name, group, table)]
    akin = [name for name in others if any(table.akin(verb, word) for word in own[name][:-1])]
    keys = akin or others
    if not akin and not _makes_a_row(verb, table):
        return None  # "complained" is nothing that orders tell
    if len(keys) == 1:
        return table.say("number_of_different", column=keys[0])
    rows = not keys and (columns.date_of(verb, table) or not columns.is_known(verb, table))
    return table.say("number_of_rows") if rows else None


def counted_otherwise(group: str, table: Table) -> bool:
    """Tell whether what is done by those of a group has several rows each time, as the lines of one receipt have."""
    own = [name for name in table.context.column_words if told_apart(name, table) is not None and name != group]
    return any(not table.context.names_rows(name) and not _is_of_several(name, group, table) for name in own)


def _makes_a_row(verb: str, table: Table) -> bool:
    """Tell whether a verb says what every row is about: by the row's noun, its only date, or in general."""
    if verb in table.words("deeds_of_rows") | table.words("came") | table.words("making"):
        return True
    dates = [name for name in table.context.column_words if columns.holds_dates(name, table)]
    dated = len(dates) == 1 and columns.date_of(verb, table) == dates[0]
    nouns = (noun for noun in table.context.row_nouns if len(noun) >= SHORTEST_NOUN)
    if dated or any(table.akin(verb, noun) or verb.startswith(noun) for noun in nouns):
        return True
    numbered = (name for name in table.context.column_words if table.context.names_rows(name))
    called = {*numbered, *(name for name in table.context.column_words if _is_in_every_row(name, table))}
    return any(table.akin(verb, word) for name in called for word in table.context.column_words[name])


def _is_in_every_row(name: str, table: Table) -> bool:
    """Tell whether every row has some of a figure of one word, so that its verb says nothing more: `fine`."""
    known = table.context.column(name)
    figure = table.context.is_measure(name) and len(table.context.column_words[name]) == 1
    return figure and not known.nulls and known.minimum is not None and known.minimum > 0


def _is_of_several(name: str, group: str, table: Table) -> bool:
    """Tell whether what an identifier tells apart has rows of several of a group: a warden is no fine of a plate."""
    context = table.context
    return is_known_by_row(name, group, context=context) and not has_one_value(group, name, context)


def with_more_of(said: Speech, table: Table) -> Speech | None:
    """Say "customers with more than 5 orders" as those with more than 5 different ones."""
    found = said.find(table.wording("with_more_of"))
    group = columns.entity(found["noun"], table) if found else None
    key = columns.repeated_key(found["what"], table) if found else None
    if found is None or group is None or key is None or key == group:
        return None
    figure = table.say("number_of_different", column=key)
    return _limited(said, found, group, figure, f"Each `{key}` counts once.", table)


def with_different(said: Speech, table: Table) -> Speech | None:
    """Say "customers who bought only one product" and "... every product" by how many different ones each has."""
    for found in said.find_each(table.wording("with_different")):
        group, verb = columns.entity(found["noun"], table), found.folded("verb")
        what = columns.repeated_key(found["what"], table) or columns.label(found["what"], table)
        several = group is not None and not table.context.names_rows(group)
        rows = what is None and not found["all"] and columns.is_row(found["what"], table)
        if group is None or not several or (what is None and not rows) or what == group:
            continue
        if verb and not (verb in table.words("dealing_with_several") or _makes_a_row(verb, table)):
            continue
        side = ">" if found["several"] else found.meant("side") or "="
        if what is None:
            figure = table.say("number_of_rows")
            note = f"“{found['what']}” are taken to be the rows of each `{group}`."
            return _limited(said, found, group, figure, note, table, side=side, n=found.meant("n") or "1")
        one = found["all"] or found["several"] or found["different"] or found.meant("n") in ("", "1")
        if table.context.is_called_as_rows(what):
            continue  # five sprints are five rows, or five names
        if table.context.pieces and not one and columns.repeated_key(found["what"], table) is None:
            continue  # 30 plants may be 30 pieces of one
        all_of = table.context.column(what).distinct
        n = str(all_of) if found["all"] else found.meant("n") or "1"
        figure = table.say("number_of_different", column=what)
        note = f"There are {all_of} different `{what}`." if found["all"] else ""
        return _limited(said, found, group, figure, note, table, side=side, n=n)
    return None


def containing(said: Speech, table: Table) -> Speech | None:
    """Say "orders that contain ivy" as those with it, where an order has several rows."""
    for found in said.find_each(table.wording("containing")):
        words = said.behind(found).casefold().replace("?", "").split()
        held = any(" ".join(words[:size]) in table.context.values for size in range(1, len(words) + 1))
        if held and columns.repeated_key(found["noun"], table) is not None:
            return said.put(found, found.said())
    return None


def more_in_total(said: Speech, table: Table) -> Speech | None:
    """Say "customers who spent more than 100" as those with a total above it."""
    found = said.find(table.wording("more_in_total"))
    group = columns.entity(found["noun"], table) if found else None
    column = measure_of_verb(found.folded("verb"), table) if found else None
    if found is None or group is None or column is None or table.context.adds_up(column) is False:
        return None
    note = f"What was {found.folded('verb')} is taken to be the total `{column}` of each `{group}`."
    return _limited(said, found, group, table.say("total", column=column), note, table)


def _limited(
    said: Speech,
    found: Found,
    group: str,
    figure: str,
    note: str,
    table: Table,
    condition: str = "",
    side: str = "",
    n: str = "",
) -> Speech:
    """Choose groups by a limit on their figure, of the rows of a condition, or count them."""
    way = "groups_counted" if found["how"] else "groups_chosen"
    limit = {"side": side or found.meant("side"), "n": n or found.meant("n"), "rest": f"{condition} {found['rest']}"}
    return said.put(found, table.say(way, group=group, figure=figure, **limit), note)


def done_so_often(said: Speech, table: Table) -> Speech | None:
    """Say "reopened more than once" and "never reopened" by the column that counts it."""
    for found in said.find_each(table.wording("done_so_often")):
        verb = found.folded("verb")
        column = measure_of_verb(verb, table)
        if column is None or columns.flag_of(verb, table) or not tells_how_often(column, table):
            continue
        note = f"How often it was “{verb}” is taken to be told by `{column}`."
        if found["never"]:
            return said.put(found, found.said("never", column=column), note)
        return said.put(found, found.said("so_often", column=column, side=found["side"], n=found.meant("n")), note)
    return None


def tells_how_often(column: str, table: Table) -> bool:
    """Tell whether a column counts what happened: whole numbers from none on."""
    known = table.context.column(column)
    return table.context.type_of(column) is ColumnType.INTEGER and known.minimum == 0 and known.unit is None


def flagged_most_often(said: Speech, table: Table) -> Speech | None:
    """Say "which team gets escalated most often" as the one with the most rows that were."""
    for found in said.find_each(table.wording("flagged_most_often")):
        column = columns.flag_of(found.folded("verb"), table)
        if column is not None and columns.named(found["group"], table, columns.PERHAPS) is not None:
            note = f"How often it was “{found['verb']}” is taken to be the number of rows where `{column}` is true."
            return said.put(found, found.said(found.meant("end"), column=column), note)
    return None
