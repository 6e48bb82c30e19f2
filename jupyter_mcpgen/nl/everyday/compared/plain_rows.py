"""Rows that a column says yes of, beside the plain ones: "rush vs normal jobs", "with and without a deposit"."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found


def flag_and_plain(said: Speech, table: Table) -> Speech | None:
    """Say "rush vs normal jobs" as the two groups of `rush`; a value that is called so stands for itself."""
    for found in said.find_each(table.wording("flag_and_plain")):
        flag = columns.flag_named(found["flag"], table, SHORTENED) or _of_first_times(found, table)
        if flag is None or columns.is_of_the_data(found["rest"], table):
            continue
        if not (_are_rows(found["noun"], table) and _are_rows(found["noun_again"], table)):
            continue
        new = found.meant("rest") == "known"
        if new and not set(table.context.column_words[flag]) & table.words("flags_of_first_times"):
            continue
        note = found.said("note", rest=found["rest"], column=flag)
        return said.put(
            found, _counted(said.before(found), said.behind(found), found.said("groups", column=flag), table), note
        )
    return None


def with_or_without(said: Speech, table: Table) -> Speech | None:
    """Say "with and without a deposit" as "with a deposit vs without", and alone, as the numbers of both."""
    for found in said.find_each(table.wording("with_or_without")):
        before = said.before(found).strip()
        akin = columns.flag_of(found["what"], table) if not _is_had(found["what"], table) else None
        if akin is not None:  # "insurance" of `insured`
            groups = table.say("by_column", column=akin)
            note = found.said("note", said=found["what"], column=akin)
            return said.put(found, _counted(before, said.behind(found), groups, table), note)
        if not _is_had(found["what"], table):
            continue
        return said.put(found, _counted(before, said.behind(found), found.said("both"), table))
    return None


def _of_first_times(found: Found, table: Table) -> str | None:
    """Return the one yes or no that tells first times from later ones, for "first vs returning visits"."""
    said, firsts = found.folded("flag"), table.words("flags_of_first_times")
    if said not in firsts or found.meant("rest") != "known":
        return None
    fitting = [name for name in columns.flags(table) if set(table.context.column_words[name]) & firsts]
    return fitting[0] if len(fitting) == 1 else None


def _is_had(what: str, table: Table) -> bool:
    """Tell whether rows may have something: a column says yes or no to it, or how much of it there is."""
    return columns.flag_named(what, table, SHORTENED) is not None or columns.measured(what, table) is not None


def _are_rows(noun: str, table: Table) -> bool:
    return not noun or columns.is_row(noun, table, table.words("one_row")) or columns.is_person(noun, table)


def _counted(before: str, behind: str, groups: str, table: Table) -> str:
    """Return how groups are asked for; of no figure, how many rows they have."""
    opening, _, rest = before.strip().partition(" ")
    bare = not before.strip() or (opening.casefold() in table.words("comparing_words") and not rest)
    figure = bare and not any(columns.measured(word, table) for word in behind.strip(" ?.!").split())
    return f"{table.say('number_of_rows')} {groups}" if figure else groups
