"""What one of two groups does more often: "are dogs adopted more often than cats", "do firms pay deposits"."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.compared.rivals import groups_of_two
from jupyter_mcpgen.nl.everyday.parts.sides import side_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term


def more_often(said: Speech, table: Table) -> Speech | None:
    """Say "are dogs adopted more often than cats" as the share of both groups that was."""
    for found in said.find_each(table.wording("more_often")):
        done = _done(found, table)
        both = groups_of_two(found["a"], found["b"], table) if done is not None else None
        if done is None or both is None:
            continue
        column, holds, note = done
        if f"`{column}`" in both:
            continue  # what tells the groups apart is not what they did
        return said.put(found, found.said("share", column=column, holds=holds, both=both), note)
    return None


def _done(found: Found, table: Table) -> tuple[str, str, str] | None:
    """Return the column that tells what was done, what it says then, and what is assumed."""
    if found["thing"]:
        flag = columns.flag_named(found["thing"], table, SHORTENED)
        side = (flag, True) if flag is not None else side_of(found["thing"], table)
        return _of_flag(found, side, table) if side is not None and side[1] else None
    if side_of(found["deed"], table) is not None:
        return None  # what a yes or no says is asked for in other words
    value = value_of_deed(found["deed"], table)
    if value is None:
        return None
    column, text = value
    note = found.said("note", said=found["deed"], column=column, value=text)
    return column, f'"{text}"', note


def _of_flag(found: Found, side: tuple[str, bool], table: Table) -> tuple[str, str, str]:
    holds = table.vocabulary.sayings.terms[Term.TRUE if side[1] else Term.FALSE]
    return side[0], holds, found.said("note", said=found["thing"] or found["deed"], column=side[0], value=holds)


def value_of_deed(deed: str, table: Table) -> tuple[str, str] | None:
    """Return the one column and value that a participle or verb is, or is a form of: "adopted", "pay" for `paid`."""
    context, folded = table.context, deed.casefold()
    exact = {(value.column, value.value) for value in context.values.get(folded, ())}
    akin = {
        (value.column, value.value)
        for said, values in context.values.items()
        if " " not in said and table.akin(folded, said)
        for value in values
    }
    found = exact or akin
    return next(iter(found)) if len(found) == 1 else None
