"""By whom it was done, where that chooses rows: "notices issued by Joan Ellis", "visits by Luna", "paid by card"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.deeds.outcomes import deed_of
from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import doer
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found


def done_by(said: Speech, table: Table) -> Speech | None:
    """Say "notices issued by Joan Ellis" by the column of officers; where two columns hold her, either may be meant."""
    for found in said.find_all(table.wording("done_by")):
        held = _held(found["a"], table)
        both = _held(found["b"], table) if found["b"] else held
        fitting = [name for name in held if name in both]
        if not fitting:
            continue
        column = _column(table.meaning("paying_by", found.folded("verb")), fitting, table)
        if column is None and (len(fitting) == 1 or found["b"]):
            continue  # the verb is of another column, which holds no such value
        verb, dropped = _verb(found, fitting, table)
        if column is None:
            return said.put(found, found.said("open", verb=verb, a=held[fitting[0]]))
        note = f"“{found.text}” is taken to mean that `{column}` is {held[column].strip(chr(34))}." if dropped else ""
        parts = {"verb": verb, "column": column, "a": held[column]}
        if found["b"]:
            return said.put(found, found.said("both", **parts, b=both[column]))
        return said.put(found, found.said("one", **parts), note)
    return None


def _held(text: str, table: Table) -> dict[str, str]:
    """Return the columns that have a value which words name, with the value; none where they name groups."""
    bare = text.strip("?.,!")
    if columns.is_period(bare, table) or columns.named(bare, table, columns.STEMMED) is not None:
        return {}
    return dict(values_called(bare, table))


def _column(verb: str, held: list[str], table: Table) -> str | None:
    """Return the column of who did what a verb says: one that is called after it, or the only one with the value."""
    own = table.context.column_words
    called = [name for name, words in own.items() if verb and any(table.akin(verb, word) for word in words)]
    does = doer(verb, table) if verb else None
    persons = [name for name in dict.fromkeys((*called, *((does,) if does else ()))) if _is_label(name, table)]
    if persons:
        fitting = [name for name in persons if name in held]
        return fitting[0] if len(fitting) == 1 else None
    return held[0] if len(held) == 1 else None


def _is_label(name: str, table: Table) -> bool:
    return columns.label(name, table) == name and not columns.holds_dates(name, table)


def _verb(found: Found, held: list[str], table: Table) -> tuple[str, bool]:
    """Return a verb where it chooses rows by itself, and whether one that does not is left out."""
    verb = table.meaning("paying_by", found.folded("verb"))
    if not verb:
        return "", False
    values = (deed_of(verb, table), *table.context.values.get(verb, ()))
    held_by = {value.column: value.value for value in values if value is not None}
    if len(held_by) == 1:
        ((name, value),) = held_by.items()
        return table.say("rows_of_value", column=name, value=value), False
    date = columns.date_of(verb, table)
    lacking = date is not None and bool(table.context.column(date).nulls)
    chooses = columns.flag_of(verb, table) or held_by or lacking
    if chooses or not (verb in table.words("dealing_with_a_row") or _is_of_a_column(verb, held, table)):
        return found["verb"], False  # of "lost by Sam" nothing is known
    return "", True


def _is_of_a_column(verb: str, held: list[str], table: Table) -> bool:
    """Tell whether a verb is of what a column or a row is called after."""
    words = (word for name in held for word in table.context.column_words[name])
    return any(table.akin(verb, word) for word in (*words, *table.context.row_nouns))


def how_often_done(said: Speech, table: Table) -> Speech | None:
    """Say "how often was LATHE-01 repaired" as the number of its rows, where the verb says no more than that."""
    for found in said.find_all(table.wording("how_often_done")):
        held, verb = _held(found["who"], table), found.folded("verb")
        if len(held) != 1 or not _is_of_every_row(verb, table):
            continue
        ((column, value),) = held.items()
        note = f"How often “{found['verb']}” is taken to be the number of rows."
        return said.put(found, found.said(column=column, a=value), note)
    return None


def _is_of_every_row(verb: str, table: Table) -> bool:
    """Tell whether a verb says of the rows what they all are: "book" of bookings, "repaired" where nothing tells it."""
    date = columns.date_of(verb, table)
    if date is not None:
        return not table.context.column(date).nulls
    if columns.flag_of(verb, table) or deed_of(verb, table) or columns.is_of_the_data(verb, table):
        return False
    general = (
        table.words("deeds_of_rows") | table.words("making") | table.words("came") | table.words("dealing_with_a_row")
    )
    return verb in general or any(table.akin(verb, word) for word in general | table.context.row_nouns)


def done_by_aged(said: Speech, table: Table) -> Speech | None:
    """Say "visits by patients over 65" as visits aged over 65, where the rows of a patient tell the age."""
    found = said.find(table.wording("done_by_aged"))
    if found is None or not columns.is_plural(found["noun"], table):
        return None
    key = columns.repeated_key(found["noun"], table)
    ages = [name for name, own in table.context.column_words.items() if table.words("age") & set(own)]
    if key is None or len(ages) != 1 or not persons.names_persons(key, table):
        return None
    return said.put(found, found.said(years=found["years"]), f"“{found.text.strip()}” are taken to be rows of these.")
