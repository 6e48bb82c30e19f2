"""Values that are small words, too: the country `US`, the department `IT`, those whose status is `Present`."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table

_LETTERS = 2
"""A single letter is no code; what stands behind "grade" is read elsewhere."""


def asked_for_whom(said: Speech, table: Table) -> Speech | None:
    """Leave out the "for me" of "calculate for me the total", where nothing in the data is written so."""
    found = said.find(table.wording("asked_for_whom"))
    if found is None or table.context.values.get(found.folded("whom")):
        return None
    return said.put(found, found.said())


def codes_for_pronouns(said: Speech, table: Table) -> Speech | None:
    """Say "us cases" as the cases of `US`: no pronoun stands before the noun of what is asked for, or behind "in"."""
    for found in said.find_all(table.wording("codes_for_pronouns")):
        word = found["word"].upper()
        places = table.context.values.get(word.casefold(), ())
        if not places or not _is_code(word, table) or found["word"] in table.context.written_values:
            continue
        if found.folded("before") in table.words("before_those_told") and _tells_somebody(said.before(found), table):
            continue
        if found["alone"] or _is_of_data((said.behind(found).split() or [""])[0].strip("?,.!"), table):
            note = f"“{found['word']}” is taken to mean that `{places[0].column}` is {word}."
            return said.put(found, found.said(value=word), *((note,) if len(places) == 1 else ()))
    return None


def verbs_that_are_values(said: Speech, table: Table) -> Speech | None:
    """Say "employees who were present" as those of that value: a verb that asks for something stands elsewhere."""
    for found in said.find_all(table.wording("verbs_that_are_values")):
        places = table.context.values.get(found.folded("word"), ())
        if len(places) != 1 or (found["noun"] and not _names_rows(found["noun"], table)):
            continue
        value = str(places[0].value)
        note = f"“{found['word']}” is taken to mean that `{places[0].column}` is {value}."
        return said.put(found, found.said("behind" if found["before"] else "alone", value=value), note)
    return None


def _names_rows(noun: str, table: Table) -> bool:
    """Tell whether a noun stands for rows, or for things that a column of labels names."""
    labels = columns.label(noun, table) or columns.part_of_label(noun, table)
    return columns.is_row(noun, table, table.words("one_row")) or labels is not None


def _tells_somebody(before: str, table: Table) -> bool:
    """Tell whether all words before "for us" ask for something: "please calculate for us …"."""
    asking = table.words("asking") | table.words("asking_for") | table.words("computing_of_groups")
    words = before.casefold().strip(" ,")
    return any(words.endswith(one) and not words.removesuffix(one).strip(" ,") for one in asking)


def _is_code(word: str, table: Table) -> bool:
    return len(word) >= _LETTERS and word == word.upper() and word in table.context.written_values


def _is_of_data(noun: str, table: Table) -> bool:
    """Tell whether a noun stands for rows, for a column, or for a figure of either: "us cases", "us share"."""
    context = table.context
    functions = any(isinstance(meaning, m.Function | m.CountWord) for meaning in context.lexicon.meanings(noun))
    named = bool(context.columns_with(context.plain(noun.casefold())))
    return named or functions or columns.is_row(noun, table) or noun.casefold() in table.words("nouns_behind_codes")
