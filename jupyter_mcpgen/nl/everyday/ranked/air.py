"""How clean air is: "air quality" and "the most polluted city" by the one column that measures it."""

from __future__ import annotations

from collections.abc import Callable

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.ranks import Rank, ranked_groups
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term
from jupyter_mcpgen.nl.words.concentrations import is_concentration
from jupyter_mcpgen.nl.words.forms import split_name

MOST_WAYS = 4
"""How many of several pollutants are offered."""


def air_quality(said: Speech, table: Table) -> Speech | None:
    """Say "air quality" as the column of its index; of several pollutants, ask which is meant. The worst is most."""
    found = said.find(table.wording("air_quality"))
    if found is None or table.is_data(found["noun"]):
        return None
    end = {Term.HIGHEST: Term.LOWEST, Term.LOWEST: Term.HIGHEST}[Term(found.meant("end"))] if found["end"] else None

    def named(column: str) -> Speech:
        words = found.said("end", column=column, end=end) if end else found.said("plain", column=column)
        return said.put(found, words, f"“{found['noun']}” is taken to be `{column}`.")

    return _of_each(said, found, named, table)


def most_polluted(said: Speech, table: Table) -> Speech | None:
    """Say "the most polluted city" as the one with the highest average of what pollutes, "cleanest" as the lowest."""
    found = said.find(table.wording("most_polluted"))
    if found is None:
        return None
    group = found["group"]
    if not columns.is_period(group, table) and columns.label(group, table) is None:
        return None
    count, highest = found["n"] or found["m"], found.meant("word") == Term.HIGHEST
    several = bool(count) or columns.is_plural(group, table)

    def ranked(column: str) -> Speech:
        rank = Rank(column, highest, found["word"])
        return ranked_groups(said, group, found["rest"], rank, table, count=count, several=several)

    return _of_each(said, found, ranked, table)


def _of_each(said: Speech, found: Found, saying: Callable[[str], Speech], table: Table) -> Speech | None:
    """Return the question said of the one column that measures the air, or what it is of each of them."""
    measured = _measuring(table)
    if len(measured) == 1:
        return saying(measured[0])
    about = f"“{found['noun'] or found['word']}” may be told by several columns."
    return said.asking_back(about, *(saying(column).text for column in measured[:MOST_WAYS])) if measured else None


def _measuring(table: Table) -> tuple[str, ...]:
    """Return the column of an index of the air, else the columns of what pollutes it."""
    context = table.context
    figures = [name for name in context.column_words if columns.is_figure(name, table)]
    polluting = tuple(name for name in figures if is_concentration(name, context.lexicon))
    whole = tuple(name for name in polluting if set(split_name(name)) & table.words("indices_of_air"))
    return whole if len(whole) == 1 else polluting
