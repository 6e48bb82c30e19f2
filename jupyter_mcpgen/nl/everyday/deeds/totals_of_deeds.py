"""Amounts of what was done, which add up: "distance flown by carrier", "how much tax did Lowshire raise"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.deeds.decorated import tells_rows_apart
from jupyter_mcpgen.nl.everyday.deeds.deeds import is_amount
from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.identifiers import told_apart
from jupyter_mcpgen.nl.everyday.saying.ranks import Rank
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found


def who_did_the_superlative(said: Speech, table: Table) -> Speech | None:
    """Say "who carried the heaviest parcel" as who has the highest `parcel_kg`, where the adjective is about it."""
    found = said.find(table.wording("who_did_the_superlative"))
    if found is None or table.is_data(found["word"]) or persons.only_person(table) is None:
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
    if found is None or column is None or not is_amount(column, table):
        return None
    return _naming_all(said, found, table)


def who_of_those_served(said: Speech, table: Table) -> Speech | None:
    """Refuse "who worked the most hours" where the only persons told are the clients for whom it was done."""
    found = said.find(table.wording("who_of_those_served"))
    people = _persons(table) if found else []
    served = table.words("served_persons")
    if found is None or len(people) != 1 or table.context.column_words[people[0]][-1] not in served:
        return None
    return said.refusing(found.said(column=people[0]))


def who_of_several(said: Speech, table: Table) -> Speech | None:
    """Refuse "who burned the most calories" beside a `member` and a `coach`, and name both."""
    found = said.find(table.wording("who_of_several"))
    return _naming_all(said, found, table) if found is not None else None


def _naming_all(said: Speech, found: Found, table: Table) -> Speech | None:
    """Refuse what is asked of one who is not told apart, and name the columns of those who may be meant."""
    people = _persons(table)
    if len(people) < len(("one", "other")):
        return None
    listed, rest = ", ".join(f"`{name}`" for name in people), found["rest"].rstrip("?.! ")
    asked = f"{found['what']} {rest}".strip()
    wording = table.wording("who_of_several")
    parts = {"columns": listed, "column": people[0], "verb": found["verb"], "end": found["end"], "rest": asked}
    return said.refusing(wording.say("", parts).rstrip() + ".")


def _persons(table: Table) -> list[str]:
    """Return the columns that name persons; of an identifier and the names beside it, only the names."""
    own = table.context.column_words
    named = [name for name in own if columns.label(name, table) == name and persons.names_persons(name, table)]
    apart = {name: told_apart(name, table) for name in named}
    beside = {words for name in named if apart[name] is None for words in (own[name], own[name][:-1])}
    return [name for name in named if apart[name] is None or apart[name] not in beside]
