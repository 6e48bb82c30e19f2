"""What holds of all rows of a group, or of none: "students who passed all exams", "customers with no late orders"."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import value_words
from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.sides import side_of
from jupyter_mcpgen.nl.everyday.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.wording import Found, Term


def in_all_rows(said: Speech, table: Table) -> Speech | None:
    """Say "students who passed all exams" as those who have never had a row without it."""
    found = said.find(table.wording("in_all_rows"))
    group = _group(found, table) if found else None
    side = side_of(found["verb"], table) if found and group else None
    if found is None or group is None or side is None:
        return None
    if found["rest"]:
        return said.refusing(found.said("part", group=group, rest=found["rest"]))
    flag, says_yes = side
    if table.context.column(flag).nulls:
        return said.refusing(found.said("unknown", said=found["verb"], column=flag, group=group))
    value = Term.FALSE if says_yes else Term.TRUE
    note = f"All are taken to be the rows of each `{group}`, of which none has another `{flag}`."
    return said.put(found, found.said(_way(found), group=group, column=flag, value=value), note)


def in_no_row(said: Speech, table: Table) -> Speech | None:
    """Say "customers with no reopened tickets" as those who have never had one."""
    found = said.find(table.wording("in_no_row"))
    group = _group(found, table) if found else None
    such = _such(found["which"], table) if found and group else None
    if found is None or group is None or such is None or such[0] == group:
        return None
    if found["rest"]:
        return said.refusing(found.said("part", group=group, rest=found["rest"]))
    column, value = such
    note = f"Those with no row of that kind at all are looked for, among each `{group}`."
    return said.put(found, found.said(_way(found), group=group, column=column, value=value), note)


def _group(found: Found, table: Table) -> str | None:
    """Return the column of those of whom it is said, where each has several rows and these are what is counted."""
    group = columns.entity(found["noun"], table)
    of_rows = columns.is_row(found["what"], table, table.words("one_row"))
    return group if of_rows and not columns.is_row(found["noun"], table) else None


def _way(found: Found) -> str:
    return "counted" if found["how"] else "listed"


def _such(text: str, table: Table) -> tuple[str, str] | None:
    """Return the column that words before the noun of a row are about, and its value as it is said."""
    side = side_of(text, table)
    flag = columns.flag_named(text, table)
    if flag is not None or side is not None:
        column, says_yes = (flag, True) if flag is not None else side or ("", True)
        return column, Term.TRUE if says_yes else Term.FALSE
    words = value_words(text)
    for end in range(len(words), 0, -1):
        values = table.context.values.get(" ".join(words[:end]), ())
        rest = " ".join(words[end:])
        if len(values) == 1 and (not rest or columns.named(rest, table) == values[0].column):
            return values[0].column, f'"{values[0].value}"'
    return None
