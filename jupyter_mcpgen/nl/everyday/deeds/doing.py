"""What the rows do, where a column says yes or no to it: "employees who work overtime", "how many use autopay"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.deeds.outcomes import outcome_of
from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import called_by_verb
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term


def doing(said: Speech, table: Table) -> Speech | None:
    """Say "how many employees work overtime" and "people who work overtime" by the column `overtime`."""
    places = said.find_each(table.wording("doing"))
    found = next((place for place in places if columns.flag_named(place["flag"], table)), None)
    flag = columns.flag_named(found["flag"], table) if found else None
    if found is None or flag is None:
        return None
    nouns = table.words("one_row") | table.words("persons")
    if found["noun"] and not columns.is_row(found["noun"], table, nouns):
        return None
    holds = Term.FALSE if found["not"] else Term.TRUE
    note = f"“{found['flag']}” is taken to mean that `{flag}` is true."
    way = "counted" if found["how"] else "chosen"
    following = (said.behind(found).split() or ["and"])[0].strip("?.,!").casefold()
    if way == "chosen" and following and following not in table.words("clauses") | table.words("joining"):
        way = "beside"  # what those who work overtime did is said behind it
    return said.put(found, found.said(way, column=flag, holds=holds), note)


def done_to_rows(said: Speech, table: Table) -> Speech | None:
    """Leave out the "booked" of "suites booked by phone", where each row is a booking."""
    for found in said.find_all(table.wording("done_to_rows")):
        verb = found.folded("verb")
        context = table.context
        is_one = any(table.akin(verb, noun) for noun in context.row_nouns)
        known = table.is_data(verb) or verb in context.lexicon.words or verb in context.value_parts
        known = known or context.plain(verb) in context.row_nouns
        following = (said.behind(found).split() or [""])[0].strip("?,.")
        named = bool(following) and columns.figure(f"{verb} {following}", table) is not None
        ranked = Speech(said.behind(found)).find(table.wording("begins_with_an_end")) is not None
        second = said.word_before(found) in table.words("joining")  # "joined in 2022 and visited in 2024"
        if is_one and not known and not named and not ranked and not second and found.start:
            note = f"“{verb}” is taken to say of the rows what they all are."
            return said.put(found, found.said("way" if found["way"] else "done"), note)
    return None


def doing_it(said: Speech, table: Table) -> Speech | None:
    """Leave out the "gave" of "how many donors gave in 2023", where no column says who did not."""
    for found in said.find_all(table.wording("doing_it")):
        noun = found["noun"]
        if found.folded("verb") in table.words("trading"):
            continue  # so many pieces, or so many rows
        planned = columns.named(noun, table) if noun and found.folded("verb") in table.words("spent") else None
        if planned is not None and columns.is_planned(planned, table):
            continue  # of a budget, what was spent is another amount
        if table.context.columns_with(found.folded("verb")):
            continue  # "what the trees cost" asks for a cost, and "how many paid" for rows with an `Amt Paid`
        counted = not noun and said.before(found).rstrip().endswith("`")
        if counted or (noun and (columns.is_row(noun, table) or columns.entity(noun, table) is not None)):
            note = f"“{found['verb']}” is taken to say of the rows what they all are."
            return said.put(found, found.said(), note)
    return None


def that_we_did(said: Speech, table: Table) -> Speech | None:
    """Leave out the "did we host" of "how many guests did we host in 2023", which is so of all rows."""
    found = said.find(table.wording("that_we_did"))
    verb = found.folded("verb") if found else ""
    if found is None or table.is_data(verb) or columns.flag_of(verb, table) or columns.date_of(verb, table):
        return None
    if outcome_of(verb, table) is not None:
        return None  # "did we ship", where some rows say that they are shipped
    return said.put(found, found.said(), f"“{found.text.strip()}” is taken to say of the rows what they all are.")


def rows_handed_in(said: Speech, table: Table) -> Speech | None:
    """Say "how many claims did Ann submit" as how many there are for Ann, where no column tells who did so when."""
    found = said.find(table.wording("rows_handed_in"))
    if found is None or not columns.is_row(found["rows"], table):
        return None
    verb, tells = found.folded("verb"), (columns.flag_of, columns.date_of, columns.is_of_the_data, outcome_of)
    if any(tell(verb, table) for tell in tells) or called_by_verb(verb, table):
        return None
    named = [column for column, _ in values_called(found["who"], table)]
    own = table.context.column_words
    people = [one for one in own if persons.names_persons(one, table) or set(own[one]) & table.words("handling")]
    if any(name in people for name in named) and len(people) > 1:
        return None  # of the author and the reviewer of a paper, one submitted it
    return said.put(found, found.said(), f"“{verb}” is taken to say of the rows what they all are.")


def done_with_a_figure(said: Speech, table: Table) -> Speech | None:
    """Leave out the "delivered" of "energy delivered in May", where no column says what was done otherwise."""
    for found in said.find_all(table.wording("done_with_a_figure")):
        verb, words = found.folded("verb"), found["what"].split()
        tells = (columns.flag_of, columns.date_of, columns.is_of_the_data, outcome_of)
        told = any(tell(verb, table) for tell in tells)
        column = columns.measured(words[-1], table)
        if not told and column is not None and not _is_one_of_several(column, table):
            return said.put(found, found.said(), f"“{verb}” is taken to say of the rows what they all are.")
    return None


def _is_one_of_several(column: str, table: Table) -> bool:
    """Tell whether several columns hold money: the "amount collected" may be another one than `amount`."""
    context = table.context
    money = [name for name in context.column_words if context.is_measure(name) and context.is_of_money(name)]
    return column in money and len(money) > 1


def with_a_particle(said: Speech, table: Table) -> Speech | None:
    """Leave out the "out" of "who paid out the most", where a column is called by the verb alone."""
    for found in said.find_all(table.wording("with_a_particle")):
        verb = found.folded("verb")
        if called_by_verb(verb, table) is not None and not columns.is_of_the_data(found["particle"], table):
            return said.put(found, found.said())
    return None
