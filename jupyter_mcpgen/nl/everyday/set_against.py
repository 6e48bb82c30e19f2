"""Figures and groups set against each other: "mean vs median fare", "how much more did Oslo make than Bergen"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.rivals import values_called
from jupyter_mcpgen.nl.everyday.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.wording import Found, Term


def two_functions(said: Speech, table: Table) -> Speech | None:
    """Say "mean vs median fare" as the mean and the median of it."""
    found = said.find(table.wording("two_functions"))
    if found is None or found.folded("one") == found.folded("other"):
        return None
    if any(columns.is_of_the_data(found[name], table) for name in ("one", "other")):
        return None
    return said.put(found, found.said())


def range_of_figure(said: Speech, table: Table) -> Speech | None:
    """Say "fare range by class" as the range of the fare."""
    found = said.find(table.wording("range_of_figure"))
    if found is None or columns.figure(found["what"], table) is None:
        return None
    return None if columns.named(f"{found['what']} range", table) else said.put(found, found.said())


def apart_in(said: Speech, table: Table) -> Speech | None:
    """Say "difference between Oslo and Bergen in average fare" as the difference in it between the two."""
    found = said.find(table.wording("apart_in"))
    if found is None or shared_column(found, table) is None or columns.last_figure(found["what"], table) is None:
        return None
    return said.put(found, found.said())


def higher_of_two(said: Speech, table: Table) -> Speech | None:
    """Say "which shop has a higher average fare, Oslo or Bergen" as the average of one vs the other."""
    for found in said.find_each(table.wording("higher_of_two")):
        column = shared_column(found, table)
        what = columns.figure(found["what"], table) if found["what"] else _done(found, table)
        if column is None or what is None or (found["group"] and columns.entity(found["group"], table) != column):
            continue
        summed = columns.is_summed(what, table) and not found["figure"]
        figure = table.vocabulary.sayings.terms[Term.TOTAL if summed else Term.AVERAGE]
        return said.put(found, found.said(figure=figure, what=f"`{what}`"))
    return None


def how_much_more(said: Speech, table: Table) -> Speech | None:
    """Say "how much more did Oslo make than Bergen" as the difference of their totals."""
    for found in said.find_each(table.wording("how_much_more")):
        if shared_column(found, table) is None:
            continue
        column = _compared_by(found, table)
        if column is None:
            refused = _not_said(found, table)
            return said.refusing(refused) if refused else None
        summed = columns.is_summed(column, table) and not found["figure"]
        figure = table.vocabulary.sayings.terms[Term.TOTAL if summed else Term.AVERAGE]
        way = "relative" if found["in_percent_verb"] else "absolute"
        return said.put(found, found.said(way, figure=figure, column=column))
    return None


def shared_column(found: Found, table: Table) -> str | None:
    """Return the one column that has both of two names as values; None where there is none, or several."""
    one, other = ({column for column, _ in values_called(found[name], table)} for name in ("one", "other"))
    return next(iter(one & other)) if len(one & other) == 1 else None


def taken_in(table: Table) -> str | None:
    """Return the column of what was taken in; None where two may be it, or one holds what was gained of it."""
    words = (*table.vocabulary.ranked["gross"], *table.vocabulary.ranked["amounts_taken"])
    gains = set(table.vocabulary.ranked["gain"])
    own = {name: set(parts) for name, parts in table.context.column_words.items() if columns.is_summed(name, table)}
    if any(parts & gains for parts in own.values()):
        return None
    for word in words:
        fitting = [name for name, parts in own.items() if table.context.lexicon.base(word) in parts]
        if fitting:
            return columns.money((word,), table) if len(fitting) == 1 else None
    return None


def _compared_by(found: Found, table: Table) -> str | None:
    if found["what"]:
        return columns.measured(found["what"], table)
    return taken_in(table) if found["in_percent_verb"] else _done(found, table)


def _done(found: Found, table: Table) -> str | None:
    """Return the column of what a verb says that one of two did more."""
    verb = found.folded("verb")
    return taken_in(table) if verb in table.words("taking_in") else columns.measure_of_verb(verb, table)


def _not_said(found: Found, table: Table) -> str:
    """Refuse a verb that may be about several columns, and name these; nothing where a word says which is meant."""
    if found["what"] or found.folded("verb") not in table.words("taking_in"):
        return ""
    named = [name for name in table.context.column_words if columns.is_summed(name, table)]
    if not named:
        return ""
    listed = ", ".join(f"`{name}`" for name in named)
    return found.said("refused", said=found["verb"] or found["in_percent_verb"], named=listed, first=named[0])
