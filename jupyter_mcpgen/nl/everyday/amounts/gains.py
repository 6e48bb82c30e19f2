"""Losses, profits and margins said without their column: "products that lost money", "profit margin by category"."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.identifiers import told_apart
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term

USUAL_KEPT = 10


def gains_and_losses(said: Speech, table: Table) -> Speech | None:
    """Say "which products lost money" and "products with a negative profit" as those with a total below 0."""
    found = said.find(table.wording("gains_and_losses"))
    if found is None:
        return None
    column = columns.named(found["what"], table, SHORTENED) if found["what"] else _gain(table)
    if column is None or not table.context.is_measure(column):
        return None
    side = found.meant("said")
    notes = [] if found["what"] else [f"“{found['said']}” is taken to mean that `{column}` is {_SIDES[side]} 0."]
    group = columns.entity(found["noun"], table)
    if group is None and not columns.is_row(found["noun"], table):
        return None
    if group is not None:
        notes.append(f"`{column}` is added up for each `{group}`.")
    way = ("groups" if group else "rows") + ("_counted" if found["how"] else "")
    return said.put(found, found.said(way, column=column, group=group or "", side=side), *notes)


def most_money(said: Speech, table: Table) -> Speech | None:
    """Say "which product loses the most money" as the lowest total profit of those below 0; "makes", as the highest."""
    found = said.find(table.wording("most_money"))
    column = columns.money(table.vocabulary.ranked["gain"], table, "gain_not") if found else None
    if found is None or column is None:
        return None
    group = columns.entity(found["group"], table) if found["group"] else _earner(table)
    if group is None:
        # “makes the most” would be read as of sales
        return None if found["group"] else said.refusing(found.said("nobody", column=column))
    loses, most = found.meant("do") == Term.LOWEST, found.meant("end") == Term.HIGHEST
    way = ("loses" if loses else "makes") + ("_most" if most else "_least")
    notes = [f"“{found['do']} {found['money']}” is taken to be about the total `{column}` of each `{group}`."]
    if loses:
        notes.append(f"A `{group}` whose total `{column}` is not below 0 loses nothing, and is left out.")
    return said.put(found, found.said(way, column=column, group=group), *notes)


def _earner(table: Table) -> str | None:
    """Return the column that tells persons apart, of two that name the same ones their identifier; None for none.

    A `plant_name` is nobody's.
    """
    own = table.context.column_words
    people = [n for n in own if persons.names_persons(n, table) and columns.is_person(own[n][0], table)]
    if len({own[name][0] for name in people}) > 1:
        return None
    return next((name for name in people if told_apart(name, table) is not None), people[0] if people else None)


def of_gains_or_losses(said: Speech, table: Table) -> Speech | None:
    """Say "for loss-making orders" as where the profit is below 0."""
    found = said.find(table.wording("of_gains_or_losses"))
    column = _gain(table) if found and columns.is_row(found["noun"], table) else None
    if found is None or column is None:
        return None
    side = found.meant("said")
    note = f"“{found['said']}” is taken to mean that `{column}` is {_SIDES[side]} 0."
    figure = columns.figure(said.before(found), table)
    if figure is not None and columns.is_summed(figure, table):  # bare, the rows would be listed
        parts = {"figure": figure, "column": column, "side": side, "rest": said.behind(found)}
        return said.saying(found.said("total", **parts), note)
    return said.put(found, found.said(column=column, side=side), note)


_SIDES = {"<": "below", ">": "above"}


def _gain(table: Table) -> str | None:
    """Return the column of what was gained, which is negative where something was lost."""
    column = columns.money(table.vocabulary.ranked["gain"], table, "gain_not")
    lowest = table.context.column(column).minimum if column else None
    return column if isinstance(lowest, int | float) and lowest < 0 else None


def lost_money(said: Speech, table: Table) -> Speech | None:
    """Say "products that lost money" by what was taken in less what it cost, where no column holds a profit."""
    found = said.find(table.wording("lost_money"))
    both = taken_and_cost(table) if found else None
    if found is None or both is None:
        return None
    group = columns.entity(found["noun"], table)
    if group is None and not columns.is_row(found["noun"], table):
        return None
    taken, cost = both
    parts = {"taken": taken, "cost": cost, "group": group or "", "side": found.meant("said")}
    note = f"“{found['said']}” is taken to mean that `{taken}` minus `{cost}` is {_SIDES[found.meant('said')]} 0."
    return said.put(found, found.said("groups" if group else "rows", **parts), note)


def profit(said: Speech, table: Table) -> Speech | None:
    """Say "profit" as what was taken in less what it cost, where no column holds it."""
    found = said.find(table.wording("profit"))
    both = taken_and_cost(table) if found else None
    if found is None or both is None:
        return None
    note = f"“{found['word']}” is taken to be `{both[0]}` minus `{both[1]}`."
    return said.put(found, found.said(taken=both[0], cost=both[1]), note)


def most_profitable(said: Speech, table: Table) -> Speech | None:
    """Say "the most profitable channel" as that with the highest profit, where it is computed of two columns."""
    found = said.find(table.wording("most_profitable"))
    if found is None or taken_and_cost(table) is None:
        return None
    if columns.label(found["group"], table) is None and not columns.is_period(found["group"], table):
        return None
    if not columns.is_plural(found["group"], table):
        return said.put(found, found.said("one"))
    side = Term.TOP if found.meant("end") == Term.HIGHEST else Term.BOTTOM
    return said.put(found, found.said("several", side=side, n=found["n"] or str(USUAL_KEPT)))


def taken_and_cost(table: Table) -> tuple[str, str] | None:
    """Return the columns of what was taken in and of what it cost; None where a column holds a profit."""
    own = table.context.column_words
    if any(set(words) & (table.words("profits") | table.words("margin")) for words in own.values()):
        return None
    taken = columns.money(table.vocabulary.ranked["gross"], table)
    ranked = table.vocabulary.ranked
    cost = columns.money(ranked["costs"], table) or columns.money(ranked["spent"], table)
    if taken is None or cost is None or taken == cost:
        return None
    return (taken, cost) if False not in (table.context.adds_up(taken), table.context.adds_up(cost)) else None


def margin(said: Speech, table: Table) -> Speech | None:
    """Say "profit margin" as the profit divided by the sales, where no column holds it."""
    found = said.find(table.wording("margin"))
    margins = table.words("margin")
    if found is None or any(margins & set(words) for words in table.context.column_words.values()):
        return None
    gain = columns.money(table.vocabulary.ranked["gain"], table, "gain_not")
    whole = columns.money(table.vocabulary.ranked["takings"], table)
    if gain is None or whole is None:
        return None
    note = f"“{found.text}” is taken to mean the sum of `{gain}` divided by the sum of `{whole}`."
    return said.put(found, found.said(gain=gain, whole=whole), note)


def most_taken_in(said: Speech, table: Table) -> Speech | None:
    """Say "highest sales" and "sales in 2023" of what rows are worth even where the rows are called sales."""
    return _taken_in(said, "most_taken_in", table)


def taken_in(said: Speech, table: Table) -> Speech | None:
    """Say "revenue" and "sales" as the one column of what rows are worth, where it is called an amount or a total."""
    return _taken_each_time(said, table) or _taken_in(said, "taken_in", table)


def _taken_each_time(said: Speech, table: Table) -> Speech | None:
    """Say "monthly revenue" as the total of the money that a column is called monthly of, where nothing is dated."""
    found = said.find(table.wording("taken_in"))
    each = said.word_before(found) if found is not None else ""
    called = table.context.columns_with(table.context.plain(each)) if each else {}
    money = [name for name in called if table.context.is_of_money(name)]
    if found is None or len(called) != 1 or not money or _is_taken(found.folded("word"), table):
        return None
    if any(columns.holds_dates(name, table) for name in table.context.column_words):
        return None
    before = said.before(found).rstrip()[: -len(each)]
    counted = (before.casefold().split() or [""])[-1] in table.words("functions")
    figure = f"`{money[0]}`" if counted else table.say("total", column=money[0])
    note = f"“{each} {found['word']}” is taken to be `{money[0]}`" + ("." if counted else ", added up.")
    return said.saying(f"{before} {figure} {said.behind(found)}", note)


def _taken_in(said: Speech, rule: str, table: Table) -> Speech | None:
    found = said.find(table.wording(rule))
    if found is None or _is_taken(found.folded("word"), table):
        return None
    column = columns.money(table.vocabulary.ranked["worth"], table, "worth_not")
    only = _only_takings(table) if column is None else None
    plain = not found["figure"] and said.word_before(found) not in table.words("functions")
    if only is not None:
        text = table.say("total", column=only) if plain else f"{found['figure']} `{only}`"
        rest = found["rest"]
        return said.put(found, f"{text} {rest}", f"“{found['word']}” is taken to be `{only}`.")
    if column is None or table.context.adds_up(column) is False:
        return None
    way = "" if rule == "taken_in" else "figure" if found["figure"] else "sum"
    return said.put(found, found.said(way, column=column), f"“{found['word']}” is taken to be `{column}`.")


def _only_takings(table: Table) -> str | None:
    """Return the one column of money, where it is called what is paid for a row and no row is of several pieces."""
    context = table.context
    money = [name for name in context.profile.schema_.names if context.column(name).kind is Kind.MONEY]
    fitting = [name for name in money if set(context.column_words[name]) & table.words("paid_for_a_row")]
    return fitting[0] if len(money) == len(fitting) == 1 and not context.pieces else None


def _is_taken(word: str, table: Table) -> bool:
    """Tell whether a column or value is called by a word, or a column by another word for takings."""
    columns_called = (table.context.columns_with(table.context.plain(other)) for other in table.words("takings"))
    return any(columns_called) or table.is_data(word) or bool(table.context.columns_with(table.context.plain(word)))
