"""What donations, orders and other deals are worth: "average donation", "gifts over 500", "how much was raised"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.amounts.currencies import code_of, rows_in
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import cost_or, measure_of_verb
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term
from jupyter_mcpgen.nl.words.forms import split_name

_FIRST_WORDS = 2
"""Within how many words of "value of" the noun of the rows stands."""


def figure_of_deals(said: Speech, table: Table) -> Speech | None:
    """Say "average donation" as the average of the column that holds what one is worth."""
    found = said.find(table.wording("figure_of_deals"))
    if found is None or _is_said_otherwise(found["noun"], table):
        return None
    own = _amounts_called(found["noun"], table)
    column = own[0] if own else columns.money(table.vocabulary.ranked["money"], table)
    if column is None or len(own) > 1 or not _has_deals(found["noun"], table):
        return None
    note = f"What a {table.context.plain(found.folded('noun'))} is worth is taken to be `{column}`."
    return said.put(found, found.said(f=Term(found.meant("f")), column=column), note)


def _amounts_called(noun: str, table: Table) -> list[str]:
    """Return the columns of money that are called by a noun and no more than an amount: `payment_value`."""
    context, plain = table.context, table.context.plain(noun.casefold())
    called = {name: set(own) - {plain} for name, own in context.column_words.items() if plain in own}
    money = context.lexicon.nouns_of_money
    return [name for name, rest in called.items() if columns.is_figure(name, table) and rest and rest <= money]


def value_of_rows(said: Speech, table: Table) -> Speech | None:
    """Say "value of won deals" as the total of the one column that is called a value, or is the money of a row."""
    found = said.find(table.wording("value_of_rows"))
    nouns = found["rest"].split()[:_FIRST_WORDS] if found else []
    if found is None or not any(columns.is_row(noun, table) for noun in nouns):
        return None
    ranked = table.vocabulary.ranked
    column = columns.ranking(ranked["values"], table) or columns.money(ranked["money"], table)
    if column is None or table.context.adds_up(column) is False:
        return None
    note = f"“{found['worth']}” is taken to mean the total `{column}`."
    return said.put(found, found.said(column=column, rest=found["rest"]), note)


def deals_over(said: Speech, table: Table) -> Speech | None:
    """Say "gifts over 500" and "bookings over 200 euros" by the column that holds what one is worth."""
    for found in said.find_each(table.wording("deals_over")):
        rows = rows_in(code_of(found), table) if code_of(found) else ""
        if rows is None:
            continue
        if found["noun"] and not columns.is_row(found["noun"], table, table.words("deals_counted")):
            continue
        valued = columns.ranking(table.vocabulary.ranked["values"], table) if found["valued"] else None
        worth = columns.worth_of_a_row(found["noun"] or found["deal"], table)
        column = valued or worth or columns.money(table.vocabulary.ranked["money"], table)
        if column is not None and not _is_said_otherwise(found["noun"] or found["deal"], table):
            note = f"What is {found['side']} {found['n']} is taken to be `{column}`."
            return said.put(found, found.said(column=column, side=found.meant("side"), rows=rows), note)
    return None


def _has_deals(noun: str, table: Table) -> bool:
    """Tell whether a table is about deals at all: by its own name, by a column's, or by a date of the deed."""
    context, deals = table.context, table.words("deals") | table.words("names_of_deals")
    named = {context.plain(word) for word in split_name(context.profile.name)}
    flags = set(columns.flags(table))
    called = {word for name, own in context.column_words.items() if name not in flags for word in own}
    plain = context.plain(noun.casefold())
    return bool((named | called | context.row_nouns) & deals) or any(table.akin(plain, word) for word in named | called)


def _is_said_otherwise(noun: str, table: Table) -> bool:
    """Tell whether a column has the name of a deal, other than the key of its rows, or a deal has several rows."""
    column = columns.named(noun, table)
    return (column is not None and not table.context.is_key(column)) or columns.repeated_key(noun, table) is not None


def how_much_was(said: Speech, table: Table) -> Speech | None:
    """Say "how much was donated" as the total of the column that the verb is about."""
    found = said.find(table.wording("how_much_was"))
    column = _column_of(found, table) if found else None
    if found is None or column is None or table.context.adds_up(column) is False:
        return None
    column = cost_or(column, found.folded("verb"), table)
    return said.put(found, found.said(column=column), f"What was {found['verb']} is taken to be `{column}`.")


def total_done(said: Speech, table: Table) -> Speech | None:
    """Say "total raised by each fundraiser" as the total of what was raised."""
    found = said.find(table.wording("total_done"))
    column = measure_of_verb(found.folded("verb"), table) if found else None
    called = columns.named(found.text, table) if found else None
    if called in table.context.running_totals:
        return None  # the column is called so
    plain = said.word_before(found) not in table.words("functions") if found else False
    if found is not None and called is not None and not table.context.is_number(called):
        summed = plain and columns.is_figure(called, table)
        return said.put(found, found.said(column=called)) if summed else None  # "total charges", written as texts
    if found is None or column is None or found.folded("verb") in table.words("trading"):
        return None
    if any(isinstance(meaning, m.CountWord) for meaning in table.context.lexicon.meanings(found.folded("verb"))):
        return None  # the "total number by region" is how many there are
    if columns.named(found["verb"], table, columns.STEMMED) or cost_or(column, found.folded("verb"), table) != column:
        return None
    if table.context.adds_up(column) is False:
        return None
    return said.put(found, found.said(column=column), f"What was {found['verb']} is taken to be `{column}`.")


def _column_of(found: Found, table: Table) -> str | None:
    verb = found.folded("verb")
    if verb in table.words("trading"):
        return None  # so many pieces, or so much money
    own = measure_of_verb(verb, table)
    of_rows = any(table.akin(verb, noun) for noun in table.context.row_nouns)
    return own or (columns.money(table.vocabulary.ranked["money"], table) if of_rows else None)


def more_on_average(said: Speech, table: Table) -> Speech | None:
    """Say "towns that give more than 25 on average" as those whose average is above it."""
    found = said.find(table.wording("more_on_average"))
    group = columns.entity(found["noun"], table) if found else None
    column = measure_of_verb(found.folded("verb"), table) if found else None
    if found is None or group is None or column is None:
        return None
    figure = table.say("average_of", column=column)
    way = "groups_counted" if found["how"] else "groups_chosen"
    limit = {"side": found.meant("side"), "n": found["n"], "rest": found["rest"]}
    note = f"What each gave, paid or earned is taken to be `{column}`."
    return said.put(found, table.say(way, group=group, figure=figure, **limit), note)


def total_of_a_row(said: Speech, table: Table) -> Speech | None:
    """Say "total price" as the column that is called only a total, in whatever currency."""
    found = said.find(table.wording("total_of_a_row"))
    if found is None or columns.named(found.text, table, columns.STEMMED) or columns.named(found["noun"], table):
        return None
    own, total = table.context.column_words, table.words("total")
    fitting = [name for name, words in own.items() if total & set(words) and table.context.is_measure(name)]
    fitting = [name for name in fitting if not set(own[name]) - total - table.words("currencies")]
    return said.put(found, found.said(column=fitting[0])) if len(fitting) == 1 else None
