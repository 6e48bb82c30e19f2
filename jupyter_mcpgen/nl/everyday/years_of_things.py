"""Ages told by a year: "cars older than 2015" began before it, "newer than 2015" after it."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.speech import Speech, Table


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


def _holds_ages(name: str, table: Table) -> bool:
    """Tell whether a column is called an age, or a birth, from which an age is counted."""
    return bool(set(table.context.column_words[name]) & (table.words("age") | table.words("births")))


def _beginnings(table: Table, *, of_rows: bool) -> list[str]:
    """Return the years and dates in which something began: a birth, if any is told, else what may have begun then.

    The dates are those of the rows, so of nothing else that is called older.
    """
    context = table.context
    years = [name for name in context.column_words if _is_of_a_year(name, table)]
    dates = [name for name in context.column_words if columns.holds_dates(name, table)]
    born = [name for name in (*years, *dates) if set(context.column_words[name]) & table.words("births")]
    if born:
        return born
    first = [name for name in dates if set(context.column_words[name]) & table.words("first_of_two")]
    return [*years, *(first if len(first) == 1 else dates)] if of_rows else years


def _is_of_a_year(name: str, table: Table) -> bool:
    known = table.context.column(name)
    if not table.context.is_number(name) or not isinstance(known.minimum, int):
        return False
    begins = bool(set(table.context.column_words[name]) & table.words("beginnings_of_things"))
    return known.kind is Kind.YEAR or (begins and LEAST <= known.minimum <= MOST)


LEAST, MOST = 500, 2100
"""Between these, the smallest number of a column that is called a beginning is a year."""
