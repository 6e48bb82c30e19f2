"""Names that may be of two things: May is a month and May Lee, a manager is a column and a title."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.plan.schema import ColumnType


def months_that_are_names(said: Speech, table: Table) -> Speech | None:
    """Ask whether the "cases of May" are those of a month or of May Lee, where both may be meant."""
    if not any(columns.holds_dates(name, table) for name in table.context.column_words):
        return None
    for found in said.find_all(table.wording("months_that_are_names")):
        month, before = found["month"], said.word_before(found)
        if (found["verb"] and not month[:1].isupper()) or said.behind(found).lstrip(" ,")[:1].isdecimal():
            continue  # "may" is a verb, too, and a day or a year tells that it is a month
        written = table.context.written_values
        called = [value for value in written if len(parts := value.split()) > 1 and month.title() in parts]
        if len(called) == 1 and before not in table.words("parts_of_months") and called[0] not in said.text:
            name = said.put(found, found.said("name", name=called[0])).text
            time = said.put(found, found.said("verb" if found["verb"] else "time", month=month.casefold())).text
            return said.asking_back(found.said("asking", month=month, name=called[0]), name, time)
    return None


def columns_that_are_values(said: Speech, table: Table) -> Speech | None:
    """Ask whether "managers" are those of the column `Manager`, or the rows whose `Title` is Manager."""
    context = table.context
    for found in said.find_all(table.wording("columns_that_are_values")):
        noun = context.lexicon.base(found.folded("noun"))
        own = [
            name
            for name, words in context.column_words.items()
            if words == (noun,) and context.type_of(name) is ColumnType.TEXT
        ]
        values = [value for value in context.values.get(noun, ()) if value.column not in own]
        if (
            len(own) != 1
            or len(values) != 1
            or not (found["quality"] or columns.is_plural(found.folded("noun"), table))
        ):
            continue
        if _is_told(said, found, own[0], values[0].column, table):
            continue
        value = values[0]
        rows = "rows" if columns.is_plural(found.folded("noun"), table) else "row"
        ways = (found.said(rows, column=value.column, value=value.value), found.said("names", column=own[0]))
        about = found.said("asking", own=own[0], column=value.column, value=value.value)
        return said.asking_back(about, *(said.put(found, way).text for way in ways))
    return None


def _is_told(said: Speech, found: Found, own: str, other: str, table: Table) -> bool:
    """Tell whether words beside a noun tell of which column it is: a group, a name, another title."""
    before, behind = said.before(found).casefold().split(), said.behind(found).casefold().split()
    beside = {word.strip("?,.!") for word in (*before, *behind)}
    held = {str(value).casefold() for name in (own, other) for value in table.context.column(name).values}
    noun = found.folded("noun")
    named = any(value in said.text.casefold() for value in held - {noun, table.context.lexicon.base(noun)})
    titled = bool(beside & set(table.context.column_words[other]))
    ranked = any(word.isdecimal() for word in before[-1:])  # "top 5 managers by salary"
    return named or titled or ranked or bool(set(before[-1:]) & table.words("before_names_of_columns"))
