"""Several values beside each other: "gdp of Norway and France over time", "in 1952, 1977 and 2007"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.amounts.counts import has_rows_of_days
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.plan.ops import AggregateFunction

SEVERAL = ("a", "b", "c", "d", "z")
"""What phrases call the values of a list."""
LEVELS = {AggregateFunction.MEAN, AggregateFunction.MEDIAN}
"""Figures that say how high something is, and not how much of it there is."""


def each_listed(said: Speech, table: Table) -> Speech | None:
    """Say "population of France, Kenya and Egypt" as that of each; only a calculation may be one over all of them."""
    for found in said.find_each(table.wording("each_listed")):
        before = said.before(found).replace("`", "")
        if columns.last_figure(before, table) is None:
            continue
        if _adds_up_all(before, found, table) and not _is_an_end_of_each(before, found, table):
            continue
        called = _one_column([found[name] for name in SEVERAL if found[name]], table)
        if called is None or _groups_by(called[0], said.behind(found), table):
            continue
        column, values = called
        return _chosen(said, found, column, values, table)
    return None


def each_year_listed(said: Speech, table: Table) -> Speech | None:
    """Say "in 1952 and 2007" as the figure of each year, where a column holds years."""
    found = said.find(table.wording("each_year_listed"))
    years = table.context.years
    if found is None or len(years) != 1 or years[0] in said.text:
        return None
    column = columns.last_figure(said.before(found).replace("`", ""), table)
    if column is None or _adds_up_all(said.text, found, table) or not _is_a_level(column, table):
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


def _is_a_level(column: str, table: Table) -> bool:
    """Tell whether a figure of one year is none to be added to that of another, such as a population."""
    words = set(table.context.column_words[column])
    return table.context.adds_up(column) is False or bool(words & table.words("levels_of_years"))


def _chosen(said: Speech, found: Found, column: str, values: list[str], table: Table) -> Speech:
    behind = said.behind(found).strip(" ?.!")
    dated = bool(table.context.dates) and Speech(behind).find(table.wording("each_year_listed")) is not None
    chosen = found.said("first_of_years" if dated else "first", column=column, value=values[0])
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


def _adds_up_all(text: str, found: Found, table: Table) -> bool:
    """Tell whether a total, a number or an end is named, which may be one of all rows together.

    An average "of" several is one of each, and one "in" several may be of both together.
    """
    words = [word.strip("?,.:`") for word in text.casefold().split()]
    meanings = [meaning for word in words for meaning in table.context.lexicon.meanings(word)]
    if any(isinstance(meaning, m.CountWord | m.Extreme) for meaning in meanings):
        return True
    functions = {meaning.function for meaning in meanings if isinstance(meaning, m.Function)}
    of_each = found.folded("of") in table.words("of_whom")
    return bool(functions) and not (of_each and functions <= LEVELS)


def _is_an_end_of_each(text: str, found: Found, table: Table) -> bool:
    """Tell whether only the end of a figure is asked "of" several: "highest close of A and B" is one of each."""
    if found.folded("of") not in table.words("of_whom"):
        return False
    context = table.context
    column = columns.last_figure(text, table)
    own = set(context.column_words[column]) if column is not None else set()
    words = [word.strip("?,.:`") for word in text.casefold().split()]
    others = [word for word in words if context.plain(word) not in own and not context.lexicon.is_filler(word)]
    meanings = [context.lexicon.meanings(word) for word in others]
    return bool(others) and all(any(isinstance(one, m.Extreme) for one in each) for each in meanings)


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
