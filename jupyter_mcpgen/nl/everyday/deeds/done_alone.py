"""What was done beside a date with gaps: "how many sold", "sold homes", "homes sold by region"."""

from __future__ import annotations

import re

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.words.forms import is_irregular_past

_YEAR = re.compile(r"(?:19|20)\d\d(?!\d)")


def how_many_done(said: Speech, table: Table) -> Speech | None:
    """Say "how many sold" as the rows with the date of that, never as the number of its days."""
    found = said.find(table.wording("how_many_done"))
    verb, lexicon = (found.folded("verb") if found else ""), table.context.lexicon
    done = verb.endswith(lexicon.participles) or is_irregular_past(verb, lexicon.language)
    date = columns.date_of(verb, table) if done else None
    if found is None or date is None or table.is_data(verb) or not table.context.column(date).nulls:
        return None
    return said.put(found, found.said(column=date), f"“{verb}” is taken to mean that `{date}` is not missing.")


def done_rows(said: Speech, table: Table) -> Speech | None:
    """Say "sold homes" as those with the date of that: a verb that says nothing elsewhere tells rows apart here."""
    for found in said.find_all(table.wording("done_rows")):
        verb = found.folded("verb")
        date = columns.date_of(verb, table) if _says_nothing(verb, table) else None
        if date is None or not table.context.column(date).nulls:
            continue
        if _may_be_the_part(said, found, table):
            return said.refusing(found.said("part", verb=found["verb"], column=date))
        denied = any(isinstance(meaning, m.Not) for meaning in table.context.lexicon.meanings(said.word_before(found)))
        if not denied and _when(said.behind(found), table):
            return said.put(found, found.said("dated", column=date), f"“{found['verb']}” goes by `{date}`.")
        if not _goes_on(said, found, table):
            note = f"“{found['verb']}” is taken to mean that `{date}` is not missing."
            return said.put(found, found.said("done", column=date), note)
    return None


def _says_nothing(verb: str, table: Table) -> bool:
    """Tell whether a verb would be left out over other tables, and no column or value is called so."""
    meanings, context = table.context.lexicon.meanings(verb), table.context
    empty = bool(meanings) and all(isinstance(meaning, m.Describing) for meaning in meanings)
    return empty and not table.is_data(verb) and not context.columns_with(context.plain(verb))


def _may_be_the_part(said: Speech, found: Found, table: Table) -> bool:
    """Tell whether a share is asked for and the verb is not right behind "of": the part, or the rows it is of."""
    said_first = set(said.before(found).casefold().split())
    shares = {"%", *(name for names in table.choices("shares").values() for name in names)}
    return bool(said_first & shares) and said.word_before(found) not in table.words("before_parts")


def _when(behind: str, table: Table) -> bool:
    """Tell whether a time follows: "in 2023", "since March", "between 1 May and 3 June"."""
    link, *words = [word.strip("?,.!").casefold() for word in behind.split()[:3]] or [""]
    months = {name for names in table.choices("short_months").values() for name in names}
    first = next((word for word in words if word not in table.words("determiners")), "")
    return link in table.words("times_of_deeds") and (first in months or _YEAR.match(first) is not None)


def _goes_on(said: Speech, found: Found, table: Table) -> bool:
    """Tell whether a verb has its own when, who or how much behind it: "sold in June", "sold by Ann", "sold for 20"."""
    link, *words = [word.strip("?,.!") for word in said.behind(found).split()] or [""]
    if link.casefold() not in table.words("goes_on_after_deeds"):
        return link[:1].isdecimal()
    if link.casefold() == "by":
        return not any(columns.label(" ".join(words[:many]), table) for many in (1, 2))
    return not any(" ".join(words[:many]).casefold() in table.context.values for many in (1, 2, 3))
