"""Says a part of a question about rows in plainer words: "a geo id larger than 5", "no depth given", "term length"."""

from __future__ import annotations

from collections.abc import Callable

from jupyter_mcpgen.nl.entities.naming import is_thing
from jupyter_mcpgen.nl.entities.terms import is_moment, term_of
from jupyter_mcpgen.nl.everyday.amounts.units import is_unit_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.predicates import holds_years
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.schema import ColumnType

MOST_WORDS = 5
"""Of how many words the name of a column is looked for before a comparison."""


def limit_of_a_column(said: Speech, table: Table) -> Speech | None:
    """Say "geo id larger than 5" as a geo id above 5, although "larger" may be about another column elsewhere."""
    for found in said.find_all(table.wording("limit_of_a_column")):
        word = found.folded("word")
        before = [w for w in said.before(found).split() if w.casefold() not in table.words("be")]
        widths = range(1, min(MOST_WORDS, len(before)) + 1)
        named = {columns.named(" ".join(before[-width:]), table) for width in widths} - {None}
        if len(named) != 1 or not table.context.is_number(str(*named)):
            continue
        if table.meaning("older_or_newer", word) != word and holds_years(str(*named), table.context):
            continue  # the parser knows that an older year is an earlier one
        _, highest = table.vocabulary.by_adjective[word]
        return said.put(found, found.said("more" if highest else "less"))
    return None


def nothing_given(said: Speech, table: Table) -> Speech | None:
    """Say "have no depth given" and "is the depth unknown" as rows without a depth."""
    for found in said.find_each(table.wording("nothing_given")):
        column = columns.named(found["what"], table, columns.PERHAPS)
        noun = found["noun"]
        if column is None or (noun and not is_thing(noun, table)) or not columns.may_be_lacking(column, table):
            continue
        way = "counted" if found["how"] else "listed"
        return said.saying(found.said(way, column=column))
    return None


def length_of_terms(said: Speech, table: Table) -> Speech | None:
    """Say "average term length" as the average of the end minus the beginning."""
    found = said.find(table.wording("length_of_terms"))
    term = term_of(table) if found is not None else None
    if found is None or term is None or term.dated:
        return None
    note = f"“{found.text}” is taken to be `{term.end}` minus `{term.start}`."
    return said.put(found, found.said(start=term.start, end=term.end), note)


def served_on_average(said: Speech, table: Table) -> Speech | None:
    """Say "how long did mayors serve on average" as the average of the end minus the beginning."""
    found = said.find(table.wording("served_on_average"))
    term = term_of(table) if found is not None else None
    if found is None or term is None or term.dated or not is_thing(found["noun"], table):
        return None
    note = f"How long is taken to be `{term.end}` minus `{term.start}`, in years."
    return said.saying(found.said(start=term.start, end=term.end), note)


def lying_at(said: Speech, table: Table) -> Speech | None:
    """Say "which lakes lie below 500 m" and "which lake lies highest" by the column of how high things are."""
    found, column = said.find(table.wording("lying_at")), None
    if found is not None:
        column = columns.ranking(table.vocabulary.ranked["heights"], table)
    units = [found.folded(key) for key in ("one", "unit") if found[key]] if found is not None else []
    if found is None or column is None or any(not _is_unit(unit, column, table) for unit in units):
        return None
    if not units and not found["end"] and _says_another_unit(said.behind(found), table):
        return None
    way = "end" if found["end"] else "between" if found["m"] else "side"
    parts = {"side": found.meant("side"), "end": found.meant("end"), "column": column}
    return said.put(found, found.said(way, **parts), f"“{found.text}” is taken to be about `{column}`.")


def _says_another_unit(behind: str, table: Table) -> bool:
    """Tell whether a noun stands right behind a number, such as "degrees": it may say what the number is of."""
    word = (behind.split() or [""])[0].casefold()
    return word.strip("?.!,;").isalpha() and word not in table.words("clauses") | table.words("joining_conditions")


def _is_unit(unit: str, column: str, table: Table) -> bool:
    """Tell whether a unit is that of a column, or stands in its name: `elevation_m`."""
    same = {table.meaning("units_of_measure", word) for word in split_name(column)}
    return is_unit_of(unit, column, table) or table.meaning("units_of_measure", unit) in same


def best_rank(said: Speech, table: Table) -> Speech | None:
    """Say "highest position" as the lowest number of a column of places, of which 1 is the highest."""
    for found in said.find_each(table.wording("best_rank")):
        column = columns.named(found["rank"], table) or _only_rank(found.folded("rank"), table)
        said_of = {table.context.plain(word) for word in found.folded("rank").split()}
        if column is not None and not said_of <= set(table.context.column_words[column]):
            continue  # "highest position of"
        if column is None or not set(table.context.column_words[column]) & table.words("ranks_of_rows"):
            continue
        if table.context.type_of(column) is not ColumnType.INTEGER or table.context.column(column).minimum != 1:
            continue
        note = f"1 is taken to be the highest `{column}`."
        return said.put(found, found.said(found.meant("end"), column=column), note)
    return None


def _only_rank(word: str, table: Table) -> str | None:
    """Return the one column whose name ends in a word for a place of a ranking: the "rank" of `height_rank`."""
    ends = [name for name, own in table.context.column_words.items() if own and own[-1] == word]
    return ends[0] if len(ends) == 1 and word in table.words("ranks_of_rows") else None


def since_a_year(said: Speech, table: Table) -> Speech | None:
    """Say "since 2000" by the one column of years, where the table has no dates."""
    found, own = said.find(table.wording("since_a_year")), table.context.column_words
    if found is None or table.context.dates:
        return None
    years = [name for name in own if set(own[name]) & table.words("years_of_rows") and is_moment(name, table)]
    if len(years) != 1:
        return None
    return said.put(found, found.said(column=years[0], side=found.meant("side")))


Reword = Callable[[Speech, Table], Speech | None]
SURE: tuple[Reword, ...] = (limit_of_a_column, nothing_given, length_of_terms, served_on_average, lying_at, best_rank)
"""The kinds of parts that are said in plainer words, each with phrases under its name."""
AT_LEAST: tuple[Reword, ...] = (since_a_year,)
"""Those that are said so only where nothing else can be read."""
