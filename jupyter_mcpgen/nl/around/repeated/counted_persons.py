"""Rows counted for persons with several of them: "how many were hired in 2015" over requests of leave.

Where all that is asked is the same in all rows of each person, such as an age, the persons may be meant.
"""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.around.repeated.counting_ids import counting, first_count
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding, asking_which
from jupyter_mcpgen.nl.tables.dependencies import has_one_value
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.ops import Filter, Sort, Step


def asking_rows_or_persons(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning, or ask whether its rows or the persons are counted, where only what is of persons is asked."""
    if not isinstance(meant, Answered):
        return meant
    table = Table(context, load_vocabulary(language))
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    if any(columns.is_row(word, table, table.words("one_row")) for word in words):
        return meant
    person = persons.repeated_person(table) or persons.only_person(table)
    each = _of_persons(meant.winner, person, table) if person is not None else None
    return asking_which((meant.winner, each)) if each is not None else meant


def _of_persons(reading: Reading, person: str, table: Table) -> Reading | None:
    """Return the number or the part of the different persons; None where some of what is asked is of rows."""
    plan, step = reading.plan, first_count(reading.plan)
    if step is None or len(step.measures) != 1 or not _orders(plan.steps[plan.steps.index(step) + 1 :]):
        return None
    conditions = [other.predicate for other in plan.steps if isinstance(other, Filter)]
    conditions += [one.where for one in step.measures if one.where is not None]
    told = {name for condition in conditions for name in names_in(condition)}
    own = table.context.column_words
    kinds = {name for name in told & own.keys() if set(own[name]) & table.words("kinds_of_persons")}
    told |= set(step.by.names)
    if not told or not told <= own.keys() or person in told:
        return None
    if any(has_one_value(name, person, table.context) for name in kinds):
        told = kinds  # "how many nurses were sick": a nurse is one in all rows
    if not any(_is_of_persons(name, table) for name in told):
        return None
    if not all(has_one_value(name, person, table.context) for name in told):
        return None
    made = counting(plan, person)
    return replace(reading, plan=made) if made is not None else None


def _orders(steps: tuple[Step, ...]) -> bool:
    return all(isinstance(step, Sort) for step in steps)


def _is_of_persons(name: str, table: Table) -> bool:
    """Tell whether a column tells what persons have or are, or a day in their lives, and rows have not."""
    of_persons = table.words("of_a_person") | table.words("days_of_persons") | table.words("kinds_of_persons")
    return bool(of_persons & set(table.context.column_words[name]))
