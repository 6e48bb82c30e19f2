"""Ages told by a year: "cars older than 2015" began before it, "newer than 2015" after it."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.tables.dependencies import is_told_of_each
from jupyter_mcpgen.nl.words.forms import split_name, stem
from jupyter_mcpgen.plan.schema import ColumnType


def older_than_a_year(said: Speech, table: Table) -> Speech | None:
    """Say "older than 2015" as before 2015, by the one year or date in which what is asked about began."""
    found = said.find(table.wording("older_than_a_year"))
    if found is None:
        return None
    of_rows = columns.is_row(said.word_before(found).strip(",.;"), table, table.words("one_row"))
    began = _beginnings(table, of_rows=of_rows)
    parts = {"side": found.meant("word"), "year": found["year"]}
    if len(began) > 1:
        listed = ", ".join(f"`{name}`" for name in began)
        return said.refusing(found.said("which", said=found.text, columns=listed, column=began[0], **parts))
    if not began:
        return None
    way = "date" if columns.holds_dates(began[0], table) else found.meant("word")
    note = f"“{found.text}” is taken to mean `{began[0]}` {found.meant('word')} {found['year']}."
    return said.put(found, found.said(way, column=began[0], **parts), note)


def older_than_so_long(said: Speech, table: Table) -> Speech | None:
    """Refuse "older than 2 years" where only the year or the date is told in which something began."""
    found = said.find(table.wording("older_than_so_long"))
    began = _beginnings(table, of_rows=True) if found else []
    if found is None or not began or any(_holds_ages(name, table) for name in table.context.column_words):
        return None
    return said.refusing(found.said(said=found.text, column=began[0], side=found.meant("word")))


def by_year_of_deed(said: Speech, table: Table) -> Speech | None:
    """Say "how many films were released each year" by `release_year`."""
    for found in said.find_each(table.wording("by_year_of_deed")):
        column = _year_of(found.folded("verb"), table)
        if column is not None:
            return said.put(found, found.said(column=column), f"“{found.text}” is taken to mean `{column}`.")
    return None


def year_of_most_deeds(said: Speech, table: Table) -> Speech | None:
    """Say "which year had the most releases" as the `release_year` with the most rows."""
    for found in said.find_each(table.wording("year_of_most_deeds")):
        deeds = found.folded("deeds")
        amount = table.context.lexicon.base(deeds) in table.context.lexicon.amounts  # "sales" may be money
        column = None if amount else _year_of(deeds, table)
        if column is not None:
            note = f"“{found['deeds']}” are taken to be the rows by `{column}`."
            return said.put(found, found.said(found.meant("end"), column=column, rest=found["rest"]), note)
    return None


def _year_of(deed: str, table: Table) -> str | None:
    """Return the one column of years that is called by a verb or its noun, where each row is one that was done.

    None where a date tells of it as well, or where the rows of something share its year.
    """
    own = table.context.column_words
    years = [name for name in own if is_of_a_year(name, table)]
    found = [name for name in years if any(table.akin(deed, word) for word in own[name])]
    if len(found) != 1 or columns.date_of(deed, table) is not None:
        return None
    labels = (name for name in own if table.context.type_of(name) is ColumnType.TEXT and not table.context.is_key(name))
    told = any(is_told_of_each(found[0], name, table.context) for name in labels)
    return None if told else found[0]


def year_of_deed(verb: str, table: Table) -> str | None:
    """Return the one column of years that a verb is a form of: of "opened first" the `Opened`."""
    language, own = table.context.lexicon.language, table.context.column_words
    found = [
        name
        for name in own
        if is_of_a_year(name, table)
        and any(table.akin(verb, word) or stem(verb, language) == stem(word, language) for word in split_name(name))
    ]
    return found[0] if len(found) == 1 else None


def _holds_ages(name: str, table: Table) -> bool:
    """Tell whether a column is called an age, or a birth, from which an age is counted."""
    return bool(set(table.context.column_words[name]) & (table.words("age") | table.words("births")))


def _beginnings(table: Table, *, of_rows: bool) -> list[str]:
    """Return the years and dates in which something began: a birth, if any is told, else what may have begun then.

    The dates are those of the rows, so of nothing else that is called older.
    """
    context = table.context
    years = [name for name in context.column_words if is_of_a_year(name, table)]
    dates = [name for name in context.column_words if columns.holds_dates(name, table)]
    born = [name for name in (*years, *dates) if set(context.column_words[name]) & table.words("births")]
    if born:
        return born
    first = [name for name in dates if set(context.column_words[name]) & table.words("first_of_two")]
    return [*years, *(first if len(first) == 1 else dates)] if of_rows else years


def year_of_beginning(table: Table) -> str | None:
    """Return the first column of years in which something began by its name, such as `release_year`."""
    own, begins = table.context.column_words, table.words("beginnings_of_things")
    return next((name for name in own if set(own[name]) & begins and is_of_a_year(name, table)), None)


def is_of_a_year(name: str, table: Table) -> bool:
    """Tell whether a column of whole numbers holds years."""
    known = table.context.column(name)
    if not table.context.is_number(name) or not isinstance(known.minimum, int):
        return False
    begins = bool(set(table.context.column_words[name]) & table.words("beginnings_of_things"))
    return known.kind is Kind.YEAR or (begins and LEAST <= known.minimum <= MOST)


LEAST, MOST = 500, 2100
"""Between these, the smallest number of a column that is called a beginning is a year."""
