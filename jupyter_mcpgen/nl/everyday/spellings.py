"""Values and columns under other words: "Saturday" for Sat, "third-class", "rated PG", "country" for a place."""

from __future__ import annotations

import calendar
import re

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl.context import SHORTENED, value_words
from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.kinship import akin
from jupyter_mcpgen.nl.everyday.periods import has_dates
from jupyter_mcpgen.nl.everyday.speech import Speech, Table, any_of
from jupyter_mcpgen.nl.words import split_name, stem
from jupyter_mcpgen.plan.schema import ColumnType

_NTH = r"first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th"
_MONTHS = "|".join(name for name in calendar.month_name if name)
SHORTEST = 2
"""A day's or month's abbreviation has at least this many letters."""
ENOUGH = 3
"""So many values of a column must be days or months before it is one of them."""


def hyphened_places(said: Speech, table: Table) -> Speech | None:
    """Say "third-class passengers" without the hyphen, where a column is numbered so."""
    found = said.find(rf"\b(?P<nth>{_NTH})-(?P<noun>[a-z]+)\b")
    if found is None or table.is_data(found[0]) or columns.named(found["noun"], table.context, SHORTENED) is None:
        return None
    return said.put(found, f"{found['nth']} {found['noun']}")


def abbreviated_days(said: Speech, table: Table) -> Speech | None:
    """Say "on Saturday" as the value `Sat` of the one column that holds days so, and months alike."""
    if has_dates(table):
        return None
    context, changed = table.context, said
    for names in (tuple(calendar.day_name), tuple(name for name in calendar.month_name if name)):
        texts = [name for name in context.column_words if context.type_of(name) is ColumnType.TEXT]
        holding = [name for name in texts if _abbreviate({str(v) for v in context.column(name).values}, names)]
        for name in names if len(holding) == 1 else ():
            found = changed.find(rf"\b{name}s?\b")
            values = [
                str(v) for v in context.column(holding[0]).values if name.casefold().startswith(str(v).casefold())
            ]
            if found is not None and len(values) == 1 and values[0].casefold() != name.casefold():
                note = f"“{found[0]}” is taken to be “{values[0]}” of `{holding[0]}`."
                changed = changed.put(found, values[0], note)
    return changed if changed is not said else None


def _abbreviate(values: set[str], names: tuple[str, ...]) -> bool:
    """Tell whether all values are the beginnings of days or months, and some of them are shortened."""
    fits = all(
        len(value) >= SHORTEST and sum(name.casefold().startswith(value.casefold()) for name in names) == 1
        for value in values
    )
    return len(values) >= ENOUGH and fits


def said_of_a_value(said: Speech, table: Table) -> Speech | None:
    """Say "rated PG" and "embarked at C" by the column that the verb is of and its value."""
    for found in re.finditer(
        r"\b(?P<verb>[a-z]{4,})\s+(?:(?:as|at|in|from|by|on|with)\s+)?(?=(?P<after>\S.*))", said.text, re.IGNORECASE
    ):
        verb, words = found["verb"].casefold(), re.findall(r"[\w&-]+", found["after"])
        if not re.search(r"(?:ed|en|t|n|ing)$", verb):
            continue
        for width in range(min(4, len(words)), 0, -1):
            phrase = " ".join(words[:width])
            values = [
                value
                for value in table.context.values.get(" ".join(value_words(phrase)), ())
                if any(_of_one_verb(verb, word) for word in table.context.column_words[value.column])
            ]
            if len(values) != 1 or not found["after"].startswith(phrase):
                continue
            before, behind = said.text[: found.start()], found["after"][len(phrase) :]
            before = re.sub(r"\b(?:who|that|which)?\s*(?:(?:is|are|was|were|have|has|had)\s+)?$", "", before)
            return said.saying(f'{before} where `{values[0].column}` is "{values[0].value}" {behind}')
    return None


def said_of_a_date(said: Speech, table: Table) -> Speech | None:
    """Say "orders shipped in 2016" by the one column of dates that the verb is of."""
    found = said.find(
        r"(?:\b(?:that|which|who)\s+)?(?:\b(?:is|are|was|were)\s+)?\b(?P<verb>[a-z]{3,}(?:ed|t|n))\s+"
        rf"(?P<when>(?:in|on|during|since|before|after|until)\s+(?:(?:{_MONTHS})\s+)?(?:19|20)\d\d)\b"
    )
    if found is None:
        return None
    asked = re.match(r"(?:is|are|was|were)\b", found[0], re.IGNORECASE)
    if asked and said.find(r"\b(?:percent\w*|share|proportion)\b"):
        return None  # "what percentage of lost parcels were sent in 2024" asks for those of 2024
    context, verb = table.context, found["verb"].casefold()
    dates = [name for name in context.column_words if columns.holds_dates(name, context)]
    fitting = [name for name in dates if any(_of_one_verb(verb, word) for word in context.column_words[name])]
    return said.put(found, f"with `{fitting[0]}` {found['when']}") if len(fitting) == 1 else None


def _of_one_verb(first: str, second: str) -> bool:
    return akin(first, second) or stem(first, "english") == stem(second, "english")


def done_by_rows(said: Speech, table: Table) -> Speech | None:
    """Say "the fare paid by passengers" as the fare of passengers, where each row is one."""
    found = said.find(r"\b(?:paid|earned|spent|received|charged|given|scored)\s+(?:by|to)\s+(?P<noun>[a-z]+)\b")
    if found is None or not columns.is_row(found["noun"], table.context, frozenset()):
        return None
    return said.put(found, f"of {found['noun']}")


def other_words(said: Speech, table: Table) -> Speech | None:
    """Say "weight" as `body_mass`, where nothing is called a weight and one column is called by a word for the same."""
    context = table.context
    for group in table.vocabulary.synonyms:
        found = said.find(rf"\b(?P<word>(?:{any_of(group)})s?)\b")
        word = context.plain(found["word"].casefold()) if found else ""
        if found is None or table.is_data(found["word"]) or word in context.row_nouns | context.value_parts:
            continue
        if context.columns_with(word) or word in {context.plain(own) for own in split_name(context.profile.name)}:
            continue
        same = {context.plain(other) for other in group} - {word}
        fitting = [name for name, own in context.column_words.items() if same & set(own)]
        if len(fitting) == 1 and not context.names_rows(fitting[0]):
            return said.put(found, f"`{fitting[0]}`", f"“{found['word']}” is taken to mean `{fitting[0]}`.")
    return None


def countries(said: Speech, table: Table) -> Speech | None:
    """Say "country" by the one column that holds countries, whatever it is called."""
    found = said.find(r"\b(?:country|countries|nation|nations)\b")
    context = table.context
    if found is None or table.is_data(found[0]) or columns.named(found[0], context, 0.6):
        return None
    places = [name for name in context.column_words if context.column(name).kind is Kind.COUNTRY]
    if len(places) != 1:
        return None
    return said.put(found, f"`{places[0]}`", f"“{found[0]}” is taken to mean `{places[0]}`.")
