"""Comparatives that name no column, "heavier than 1000 kg"; groups before their figure, "age bands of 10: …"."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl.everyday.amounts.conversions import as_in_column
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.words.forms import split_name

DECADE = "10"


def than_a_number(said: Speech, table: Table) -> Speech | None:
    """Say "heavier than 1000 kg" by the one column that the adjective is about."""
    found = said.find(table.wording("than_a_number"))
    if found is None or table.is_data(found["word"]):
        return None
    quality, highest = table.vocabulary.by_adjective[found.folded("word")]
    column = columns.ranking(quality.columns, table)
    if column is None or table.context.column(column).kind is Kind.YEAR:
        return None  # how old something is is not the year in which it began
    beside = found.folded("unit") in table.words("with_or_without")  # "younger than 40 with a cabin"
    unit = "" if beside or _is_unit(found.folded("unit"), column, table) else found["unit"]
    note, side = f"“{found['word']}” is taken to be about `{column}`.", ">" if highest else "<"
    n = "0.5" if found["half"] else "1" if found["one"] else found["n"]
    joined = f"{table.say('and_also')} {found['unit']}" if beside else ""
    other = as_in_column(n, unit, column, table) if unit else None
    if other is not None:
        return said.put(found, f"{found.said(column=column, side=side, n=other[0], unit='')} {joined}", note, other[1])
    return said.put(found, f"{found.said(column=column, side=side, n=n, unit=unit)} {joined}", note)


def than_average(said: Speech, table: Table) -> Speech | None:
    """Say "taller than average" by the one column that the adjective is about."""
    found = said.find(table.wording("than_average"))
    if found is None or table.is_data(found["word"]):
        return None
    quality, highest = table.vocabulary.by_adjective[found.folded("word")]
    column = columns.ranking(quality.columns, table)
    if column is None:
        return None
    alone = not said.before(found).strip() and not found["noun"]
    way = f"{'rows' if alone else 'stated'}_{'above' if highest else 'below'}"
    note = f"“{found['word']}” is taken to be about `{column}`."
    return said.put(found, f"{found['counted']} {found['noun']} {found.said(way, column=column)}", note)


def _is_unit(word: str, column: str, table: Table) -> bool:
    """Tell whether a word is the unit of a column, or a part of its name."""
    unit = (table.context.column(column).unit or "").casefold()
    return word == unit or not {word, table.context.plain(word)}.isdisjoint(split_name(column))


def groups_first(said: Speech, table: Table) -> Speech | None:
    """Say "age bands of 10: average cost" with the figure first."""
    found = said.find(table.wording("groups_first"))
    return said.put(found, found.said()) if found else None


def binned_then_asked(said: Speech, table: Table) -> Speech | None:
    """Say "group guests into age bands of 10 years and compute the return rate of each" with what is asked first."""
    for found in said.find_each(table.wording("binned_then_asked")):
        column = columns.named(found["what"], table, columns.STEMMED)
        if column is None or not columns.holds_numbers(column, table):
            continue
        if found["noun"] and not columns.is_row(found["noun"], table, table.words("one_row") | table.words("persons")):
            continue
        return said.put(found, found.said(column=column, n=found["n"] or DECADE))
    return None


def rows_into_bins(said: Speech, table: Table) -> Speech | None:
    """Say "group members into age bands of 10" as how many rows lie in each."""
    found = said.find(table.wording("rows_into_bins"))
    column = columns.named(found["what"], table, columns.STEMMED) if found else None
    if found is None or column is None or not columns.holds_numbers(column, table):
        return None
    noun = found["noun"]
    if noun and not columns.is_row(noun, table, table.words("one_row") | table.words("persons")):
        return None
    return said.put(found, found.said(column=column))
