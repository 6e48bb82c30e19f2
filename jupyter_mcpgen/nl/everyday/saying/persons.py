"""Which columns name persons: a `customer_id` that repeats, the one column of people, those who deal with the rows."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying.identifiers import is_studied, told_apart
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.tables.dependencies import has_one_value
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.schema import ColumnType


def names_persons(name: str, table: Table) -> bool:
    """Tell whether a column of labels is called after persons: each has an age of their own, and no average one."""
    own = told_apart(name, table)
    last = table.context.column_words[name] if own is None else own
    return bool(set(last[-1:]) & table.words("persons"))


def persons_called(noun: str, table: Table) -> str | None:
    """Return the column of persons that a noun is the whole name of, where their identifier is called so as well."""
    plain = tuple(table.context.plain(word) for word in split_name(noun))
    fitting = [name for name, own in table.context.column_words.items() if own == plain and names_persons(name, table)]
    return fitting[0] if len(fitting) == 1 and not table.context.names_rows(fitting[0]) else None


def repeated_person(table: Table, attribute: str | None = None) -> str | None:
    """Return the identifier of persons who may have several rows each, to whom an attribute like an age may belong."""
    own = table.context.column_words
    names = [name for name in own if told_apart(name, table) is not None and names_persons(name, table)]
    names = names or [name for name in own if is_studied(name, table)]
    if len(names) != 1 or table.context.names_rows(names[0]):
        return None
    whose = own[attribute][:-1] if attribute is not None else ()
    return names[0] if not whose or own[names[0]][: len(whose)] == whose else None  # `patient_sex` is no technician's


def people_of_rows(table: Table) -> str | None:
    """Return the one column of people who have several rows each: their identifier, the `staff` of shifts, couriers.

    Other names may be of those who deal with the people meant, unless the rows tell an age or a role of each of them.
    """
    context, nouns = table.context, table.words("collective_people")
    named = [name for name, own in context.column_words.items() if own[:1] and own[0] in nouns]
    named = [name for name in named if len(context.column_words[name]) == 1 or names_persons(name, table)]
    texts = [name for name in named if context.type_of(name) is ColumnType.TEXT and not context.names_rows(name)]
    person = repeated_person(table) or (texts[0] if len(texts) == 1 else None)
    return person or (one if (one := only_person(table)) is not None and _has_all_told(one, table) else None)


def _has_all_told(person: str, table: Table) -> bool:
    """Tell whether rows tell of each person what a person has or is, and of nobody else."""
    told = table.words("of_a_person") | table.words("kinds_of_persons")
    names = [name for name, own in table.context.column_words.items() if name != person and told & set(own)]
    return bool(names) and all(has_one_value(name, person, table.context) for name in names)


def only_handler(table: Table) -> str | None:
    """Return the one column of labels that names those who deal with the rows: the agents, beside the customers."""
    context, handling = table.context, table.words("handling")
    named = [name for name, own in context.column_words.items() if set(own) & handling]
    texts = [name for name in named if context.type_of(name) is ColumnType.TEXT and not context.names_rows(name)]
    return texts[0] if len(texts) == 1 else None


def only_person(table: Table) -> str | None:
    """Return the column of labels that names persons, unless each row is one."""
    context, persons = table.context, table.words("persons")
    names = [name for name, own in context.column_words.items() if own and own[-1] in persons]
    names = [name for name in names if not context.is_number(name) and not _is_of_a_thing(name, table)]
    if any(context.names_rows(name) for name in names) or context.row_nouns & persons:
        return None
    grouped = [name for name in names if context.type_of(name) is ColumnType.TEXT]
    told = repeated_person(table)
    if len(grouped) == 1 and told is not None and not has_one_value(grouped[0], told, context):
        return None  # the member, or the coach
    return grouped[0] if len(grouped) == 1 and not also_named_in(grouped[0], table) else None


def _is_of_a_thing(name: str, table: Table) -> bool:
    """Tell whether a name is that of some thing, which another word tells: an `account_name`, and no `full_name`."""
    *others, last = table.context.column_words[name]
    known = table.words("persons") | table.words("beside_names_of_persons")
    return last in table.words("name") and bool(others) and not set(others) & known


def also_named_in(name: str, table: Table) -> tuple[str, ...]:
    """Return the columns in which most of those whom a column names stand as well: captains and first officers."""
    context = table.context
    texts = [one for one in context.column_words if one != name and context.type_of(one) is ColumnType.TEXT]
    own = {*context.column(name).values, *context.column(name).more}
    held = {one: {*context.column(one).values, *context.column(one).more} for one in texts}
    return tuple(one for one, values in held.items() if 2 * len(own & values) > len(own))
