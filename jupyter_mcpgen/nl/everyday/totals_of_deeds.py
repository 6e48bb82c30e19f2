"""Amounts of what was done, which add up: "distance flown by carrier", "how much tax did Lowshire raise"."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.conversions import adds_up_by_unit
from jupyter_mcpgen.nl.everyday.decorated import tells_rows_apart
from jupyter_mcpgen.nl.everyday.ranks import Rank
from jupyter_mcpgen.nl.everyday.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.wording import Found

MOST_WORDS = 3
"""Of how many words the name of a column is that a participle stands behind."""


def summed_when_done(said: Speech, table: Table) -> Speech | None:
    """Say "distance covered by each rider" as the total of each, where no other figure is asked for."""
    for found in said.find_all(table.wording("summed_when_done")):
        verb, words = found.folded("verb"), said.before(found).split()
        for width in range(min(MOST_WORDS, len(words)), 0, -1):
            column = columns.figure(" ".join(words[-width:]), table)
            named = columns.figure(" ".join((*words[-width:], verb)), table)
            if named is not None or column is None:
                continue
            if not _is_amount(column, table) or _has_figure(words[:-width], table):
                return None
            if tells_rows_apart(verb, column, table) or columns.entity(found["group"], table) is None:
                return None
            note = f"What was {verb} is added up for each of them."
            text = f"{' '.join(words[:-width])} {found.said(column=column)} {said.behind(found)}"
            return said.saying(text, note)
    return None


def ranked_by_deed(said: Speech, table: Table) -> Speech | None:
    """Say "top 3 drivers by hours worked" by the total of what each did."""
    found = said.find(table.wording("ranked_by_deed"))
    column = columns.figure(found["what"], table) if found else None
    if found is None or column is None or not _is_amount(column, table):
        return None
    verb = found.folded("verb")
    if columns.figure(f"{found['what']} {verb}", table) is not None or tells_rows_apart(verb, column, table):
        return None
    return said.put(found, found.said(column=column), f"What was {verb} is added up for each of them.")


def _is_amount(column: str, table: Table) -> bool:
    """Tell whether a column holds how much of something there was: money, things, or so much of a unit."""
    if table.context.column(column).kind is Kind.PERCENT or columns.is_per_piece(column, table):
        return False
    return columns.is_summed(column, table) or adds_up_by_unit(column, table)


def _has_figure(words: list[str], table: Table) -> bool:
    """Tell whether a calculation or a count is among words."""
    said = (meaning for word in words for meaning in table.context.lexicon.meanings(word.casefold()))
    return any(isinstance(meaning, m.Function | m.CountWord | m.Extreme) for meaning in said)


def how_much_of_it(said: Speech, table: Table) -> Speech | None:
    """Say "how much tax did Lowshire raise" as the total of that column for it."""
    found = said.find(table.wording("how_much_of_it"))
    column = columns.figure(found["what"], table) if found else None
    if found is None or column is None or not columns.is_summed(column, table):
        return None
    verb = found.folded("verb")
    if tells_rows_apart(verb, column, table):
        return None
    note = f"“{verb}” is taken to say nothing more of `{column}`."
    return said.put(found, found.said(column=column), note)


def who_did_the_superlative(said: Speech, table: Table) -> Speech | None:
    """Say "who carried the heaviest parcel" as who has the highest `parcel_kg`, where the adjective is about it."""
    found = said.find(table.wording("who_did_the_superlative"))
    if found is None or table.is_data(found["word"]) or columns.only_person(table) is None:
        return None
    quality, highest = table.vocabulary.by_adjective[found.folded("word")]
    named = columns.figure(found["noun"], table)
    column = named or columns.ranking(quality.columns, table)
    noun = table.context.plain(found.folded("noun"))
    if column is None or tells_rows_apart(found.folded("verb"), column, table):
        return None
    if noun not in table.context.column_words[column] and not columns.is_row(found["noun"], table):
        return None
    rank = Rank(column, highest, found["word"])
    return said.put(found, found.said(end=rank.extreme, column=column), rank.note)


def who_of_several_with_a_figure(said: Speech, table: Table) -> Speech | None:
    """Refuse "who drank the most water" beside a `member` and a `coach`: each may have drunk it in several rows."""
    found = said.find(table.wording("who_of_several_with_a_figure"))
    column = columns.figure(found["what"], table) if found else None
    if found is None or column is None or not _is_amount(column, table):
        return None
    return _naming_all(said, found, table)


def who_of_those_served(said: Speech, table: Table) -> Speech | None:
    """Refuse "who worked the most hours" where the only persons told are the clients for whom it was done."""
    found = said.find(table.wording("who_of_those_served"))
    persons = _persons(table) if found else []
    served = table.words("served_persons")
    if found is None or len(persons) != 1 or table.context.column_words[persons[0]][-1] not in served:
        return None
    return said.refusing(found.said(column=persons[0]))


def who_of_several(said: Speech, table: Table) -> Speech | None:
    """Refuse "who burned the most calories" beside a `member` and a `coach`, and name both."""
    found = said.find(table.wording("who_of_several"))
    return _naming_all(said, found, table) if found is not None else None


def _naming_all(said: Speech, found: Found, table: Table) -> Speech | None:
    """Refuse what is asked of one who is not told apart, and name the columns of those who may be meant."""
    persons = _persons(table)
    if len(persons) < len(("one", "other")):
        return None
    listed, rest = ", ".join(f"`{name}`" for name in persons), found["rest"].rstrip("?.! ")
    asked = f"{found['what']} {rest}".strip()
    wording = table.wording("who_of_several")
    parts = {"columns": listed, "column": persons[0], "verb": found["verb"], "end": found["end"], "rest": asked}
    return said.refusing(wording.say("", parts).rstrip() + ".")


def _persons(table: Table) -> list[str]:
    own = table.context.column_words
    return [name for name in own if columns.label(name, table) == name and columns.names_persons(name, table)]
