"""What is said of people beside their noun: "women over 65", "how many people", "orders per customer on average"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.amounts.sizes import population
from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.identifiers import identifiers_of, told_apart
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.words.forms import split_name

OLDEST = 130


def aged(said: Speech, table: Table) -> Speech | None:
    """Say "women over 65" by the one column that holds an age."""
    found = said.find(table.wording("aged"))
    context, ages = table.context, table.words("age") if found else frozenset()
    fitting = [name for name, own in context.column_words.items() if ages & set(own)]
    fitting = [name for name in fitting if columns.holds_numbers(name, table)]
    if found is None or len(fitting) != 1 or not 0 < int(found.meant("years")) < OLDEST:
        return None
    noun, children = found.folded("noun"), table.words("children")
    rows = table.words("one_row") | table.words("female") | table.words("male") | context.row_nouns | children
    known = {noun, context.plain(noun)}
    are_rows = bool(known & rows) and noun not in table.words("deals_counted")
    are_people = bool(known & _people(table)) or not found["stated"]
    column = columns.named(found["noun"], table) if are_people else None
    named = column is not None and persons.names_persons(column, table)
    if columns.repeated_key(noun, table) is None and not (are_rows and are_people) and not named:
        return None
    said_noun = table.say("rows") if noun in children else found["noun"]
    if found["older"]:
        note = f"“{found['years']} and {found['older']}” are taken to be of `{fitting[0]}`."
        both = {"years": found.meant("years"), "older": found.meant("older")}
        return said.put(found, found.said("between", noun=said_noun, column=fitting[0], **both), note)
    note = f"“{found['side']} {found['years']}” is taken to mean `{fitting[0]}`."
    return said.put(found, found.said("side", noun=said_noun, column=fitting[0]), note)


def _people(table: Table) -> frozenset[str]:
    """Return the nouns that can mean nothing but people."""
    named = (table.words(key) for key in ("persons", "people", "women", "men", "children"))
    return frozenset().union(*named)


def as_rows(said: Speech, table: Table) -> Speech | None:
    """Say "people" as rows, where nothing in the table is called that and a row may be one."""
    found = said.find(table.wording("as_rows"))
    if found is None or table.is_data(found["noun"]) or columns.named(found["noun"], table, columns.PERHAPS):
        return None
    person = persons.people_of_rows(table)
    if person is not None:
        return said.put(found, table.say("number_of_different", column=person))
    if population(table) is not None or _counts_people(table):
        return None  # a row is a place, in which so many live, or a team of so many
    return said.put(found, found.said(), f"Each row is taken to be one of the “{found['noun']}”.")


def _counts_people(table: Table) -> bool:
    """Tell whether a column says how many people there are of each row."""
    own = table.context.column_words
    return any(set(words) & table.words("heads") and table.context.is_measure(name) for name, words in own.items())


def persons_of_rows(said: Speech, table: Table) -> Speech | None:
    """Say "female patients" as rows, where each row tells something of one: `Patient Age`, and no number of theirs.

    The plural of a name counts them: a row with `Visitors (2022)` is none of a visitor.
    """
    own = table.context.column_words.values()
    for found in said.find_all(table.wording("persons_of_rows")):
        noun = table.context.plain(found.folded("noun"))
        told = any(split_name(name)[0] == noun for name, words in table.context.column_words.items() if len(words) > 1)
        named = identifiers_of(found["noun"], table) or any(words[-1:] == (noun,) for words in own)
        named = named or columns.entity(found["noun"], table) is not None or noun in table.context.values
        told = told or _tells_of_one_person(table)
        if told and not named and not columns.is_row(found["noun"], table) and columns.is_plural(found["noun"], table):
            return said.put(found, found.said(), f"Each row is taken to be of one of the “{found['noun']}”.")
    return None


def _tells_of_one_person(table: Table) -> bool:
    """Tell whether each row has an age and a sex of its own, and nothing says that a person has several rows.

    A row with a date, or with a key of something else, is what happened: an order, a visit.
    """
    own = table.context.column_words
    alone = {words[0] for words in own.values() if len(words) == 1}
    both = bool(alone & table.words("age")) and bool(alone & table.words("gender"))
    dated = any(columns.holds_dates(name, table) and not set(own[name]) & table.words("births") for name in own)
    keyed = any(told and not set(told) & table.words("persons") for name in own for told in (told_apart(name, table),))
    several = persons.repeated_person(table) is not None or persons.only_person(table) is not None
    return both and not (dated or keyed or several)


def people_with_attributes(said: Speech, table: Table) -> Speech | None:
    """Say "people in Sales" as rows, where each row tells of a person what only persons have: `salary`, `surname`."""
    found = said.find(table.wording("people_with_attributes"))
    if found is None or table.is_data(found["noun"]) or columns.named(found["noun"], table, columns.PERHAPS):
        return None
    told = any(set(own) & table.words("of_a_person") for own in table.context.column_words.values())
    if not told or persons.repeated_person(table) is not None:
        return None
    return said.put(found, found.said(), f"Each row is taken to be one of the “{found['noun']}”.")


def on_average(said: Speech, table: Table) -> Speech | None:
    """Say "number of orders per customer on average" with the average first."""
    found = said.find(table.wording("on_average"))
    return said.put(found, found.said()) if found else None


def those_of_another(said: Speech, table: Table) -> Speech | None:
    """Say "employees of Otto Falk" as those of the manager of that name: he is one of them, and has no employees so."""
    for found in said.find_all(table.wording("those_of_another")):
        noun, held = found.folded("noun"), dict(values_called(found["name"], table))
        own = [name for name in held if table.context.plain(noun) in table.context.column_words[name]]
        others = [name for name in held if name not in own]
        if len(own) == 1 and len(others) == 1 and columns.is_plural(noun, table):
            note = f"“{found.text}” are taken to be those with that `{others[0]}`."
            return said.put(found, found.said(noun=found["noun"], column=others[0], value=held[others[0]]), note)
    return None
