"""Several values beside each other: "gdp of Norway and France over time", "in 1952, 1977 and 2007"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.counts import has_rows_of_days
from jupyter_mcpgen.nl.everyday.rivals import values_called
from jupyter_mcpgen.nl.everyday.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.wording import Found

SEVERAL = ("a", "b", "c", "d", "z")
"""What phrases call the values of a list."""


def each_level_listed(said: Speech, table: Table) -> Speech | None:
    """Say "gdp of Norway and France" as the level of each: the average of both is that of none."""
    column = columns.last_figure(_before_list(said, table), table)
    return _each(said, table) if column is not None and table.context.adds_up(column) is False else None


def each_listed(said: Speech, table: Table) -> Speech | None:
    """Say "population of France, Kenya and Egypt" as that of each."""
    return _each(said, table)


def each_year_listed(said: Speech, table: Table) -> Speech | None:
    """Say "in 1952 and 2007" as the figure of each year, where a column holds years."""
    found = said.find(table.wording("each_year_listed"))
    years = table.context.years
    if found is None or len(years) != 1 or table.groups(said.text):
        return None
    numbers = [found[name] for name in SEVERAL if found[name]]
    chosen = found.said("first", column=years[0], value=numbers[0])
    for number in numbers[1:]:
        chosen = found.said("another", rest=chosen, value=number)
    return said.put(found, chosen, f"Each `{years[0]}` has a figure of its own.")


def compared_by_nothing(said: Speech, table: Table) -> Speech | None:
    """Refuse "compare Norway and France over time", where no figure is named and their rows are as many."""
    found = said.find(table.wording("compared_by_nothing"))
    if found is None or not (has_rows_of_days(table) or _has_rows_of_years(table)):
        return None
    if _one_column([found["a"], found["b"]], table) is None:
        return None
    flags = set(columns.flags(table))
    years = set(table.context.years)
    measures = [name for name in table.context.column_words if table.context.is_measure(name)]
    listed = ", ".join(f"`{name}`" for name in measures if name not in flags | years)
    return said.refusing(found.said(measures=listed)) if listed else None


def _before_list(said: Speech, table: Table) -> str:
    found = said.find(table.wording("each_listed"))
    return said.before(found) if found is not None else ""


def _each(said: Speech, table: Table) -> Speech | None:
    for found in said.find_each(table.wording("each_listed")):
        if _calculates(said.before(found), table) or columns.last_figure(said.before(found), table) is None:
            continue
        called = _one_column([found[name] for name in SEVERAL if found[name]], table)
        if called is None or _groups_by(called[0], said.behind(found), table):
            continue
        column, values = called
        return _chosen(said, found, column, values)
    return None


def _chosen(said: Speech, found: Found, column: str, values: list[str]) -> Speech:
    behind = said.behind(found).strip(" ?.!")
    chosen = found.said("first", column=column, value=values[0])
    for value in values[1:]:
        chosen = found.said("another", rest=chosen, value=value)
    return said.saying(f"{said.before(found)} {behind} {chosen}", f"Each `{column}` has a figure of its own.")


def _one_column(texts: list[str], table: Table) -> tuple[str, list[str]] | None:
    """Return the one column that words are values of, and these as they are said; "first and third class" as well."""
    noun = texts[-1].split()[-1] if len(texts[-1].split()) > 1 else ""
    named = [values_called(text, table) or (values_called(f"{text} {noun}", table) if noun else []) for text in texts]
    shared = set.intersection(*({column for column, _ in found} for found in named))
    if len(shared) != 1:
        return None
    column = shared.pop()
    values = [next(value for name, value in found if name == column) for found in named]
    return (column, values) if len(set(values)) == len(values) else None


def _calculates(text: str, table: Table) -> bool:
    """Tell whether a calculation or a count is named, so that all rows together may be meant."""
    words = [word.strip("?,.:") for word in text.casefold().split()]
    meanings = [meaning for word in words for meaning in table.context.lexicon.meanings(word)]
    return any(isinstance(meaning, m.Function | m.CountWord | m.Extreme) for meaning in meanings)


def _groups_by(column: str, text: str, table: Table) -> bool:
    """Tell whether a column makes the groups already."""
    words = {table.context.plain(word.strip("?,.`").casefold()) for word in text.split()}
    return bool(words & set(table.context.column_words[column])) and table.groups(text)


def _has_rows_of_years(table: Table) -> bool:
    """Tell whether each year has one row, or one for each value of a label."""
    context = table.context
    years = [context.column(name).distinct for name in context.years]
    kinds = [1, *(context.column(name).distinct for name in context.column_words if columns.label(name, table) == name)]
    return any(number * kind == context.profile.rows for number in years for kind in kinds)
