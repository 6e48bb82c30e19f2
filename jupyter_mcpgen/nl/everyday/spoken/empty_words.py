"""Words that say nothing, or nothing here: "the only year in …", "over all seasons", a `status` called "empty"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.words.stored_values import spelled_missing


def the_only(said: Speech, table: Table) -> Speech | None:
    """Leave out "only" where a question expects one answer; it shows whether there are more."""
    found = said.find(table.wording("the_only"))
    return (
        said.put(found, found.said(), "“only” was not taken for a condition: all that fit are shown.")
        if found
        else None
    )


def value_called_missing(said: Speech, table: Table) -> Speech | None:
    """Take "empty" for the value where a column of labels holds that very word, unless another column may lack one."""
    for found in said.find_all(table.wording("value_called_missing")):
        holding = {value.column for value in table.context.values.get(found.folded("word"), ())}
        if len(holding) != 1 or _beside(said, found, table) - holding:
            continue
        column = holding.pop()
        if table.context.column(column).nulls:
            return said.refusing(found.said("both", word=found["word"], column=column))
        note = f"“{found['word']}” is taken to be the value of `{column}`, not a value that is missing."
        return said.put(found, found.said("value", word=found["word"]), note)
    return None


def unknown_value(said: Speech, table: Table) -> Speech | None:
    """Say "unknown workclass" as the rows where it says "?", or where it is missing; refuse where both may be."""
    for found in said.find_each(table.wording("unknown_value")):
        column = columns.named(found["what"], table)
        if column is None or table.is_data(found["word"]):
            continue
        known = table.context.column(column)
        spelled = spelled_missing(known)
        if len(spelled) > 1 or (spelled and known.nulls):
            return said.refusing(found.said("both", said=found.text, column=column, value=spelled[0]))
        way, value = ("value", spelled[0]) if spelled else ("missing", "")
        told = f"says “{value}”" if value else "is missing"
        note = f"“{found.text}” is taken to mean that `{column}` {told}."
        return said.put(found, found.said(way, column=column, value=value), note)
    return None


def _beside(said: Speech, found: Found, table: Table) -> set[str]:
    """Return the columns that may lack values and are named right before or right behind a word."""
    before, behind = said.before(found).split(), said.behind(found).split()
    while before and before[-1].casefold() in table.words("be") | table.words("before_missing"):
        before = before[:-1]
    widths = range(1, columns.MOST_WORDS + 1)
    texts = [" ".join(words) for width in widths for words in (before[-width:], behind[:width])]
    named = {columns.named(text.strip("?.!,"), table) for text in texts if text}
    return {name for name in named if name is not None and table.context.column(name).nulls}


def being_in_a_value(said: Speech, table: Table) -> Speech | None:
    """Leave out the "being" of "left before being seen", where a value is called so without it."""
    for found in said.find_all(table.wording("being_in_a_value")):
        before, behind = said.before(found).split(), said.behind(found).strip("?.! ").split()
        widths = range(1, columns.MOST_WORDS + 1)
        texts = (" ".join((*before[-one:], *behind[:other])).casefold() for one in widths for other in widths)
        if before and behind and any(text in table.context.values for text in texts):
            return said.put(found, "")
    return None


def over_all_rows(said: Speech, table: Table) -> Speech | None:
    """Leave out "over all seasons" where the rows are the seasons: nothing else would be computed without it."""
    found = said.find(table.wording("over_all_rows"))
    if found is None or not (columns.is_row(found["noun"], table) or _names_every_row(found["noun"], table)):
        return None
    return said.put(found, "")


def _names_every_row(noun: str, table: Table) -> bool:
    column = columns.named(noun, table)
    return column is not None and table.context.is_key(column)


def across_all(said: Speech, table: Table) -> Speech | None:
    """Say "average energy across all sites" without the sites: "across sites" and "by site" ask for one of each."""
    for found in said.find_each(table.wording("across_all")):
        label = columns.label(found["group"], table)
        if label is not None and columns.is_plural(found["group"], table):
            return said.put(found, found.said(), f"All values of `{label}` are taken together; “by” asks for each.")
    return None


def sorted_alone(said: Speech, table: Table) -> Speech | None:
    """Leave out the "sorted" of groups, which stand in the order of their figures anyway."""
    found = said.find(table.wording("sorted_alone"))
    if found is None or not table.groups(said.before(found)):
        return None
    return said.saying(said.before(found).rstrip(" ,"))
