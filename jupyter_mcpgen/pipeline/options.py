"""The readings of a question that is asked back, each with the first rows that it gives."""

from __future__ import annotations

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.question import OpenQuestion, Option
from jupyter_mcpgen.model.second import Second
from jupyter_mcpgen.model.written import Understood
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.trial import table_of
from jupyter_mcpgen.pipeline.written_reference import SqlReference

MOST_ROWS = 5
"""How many rows of each reading stand beside each other."""


def with_rows(question: OpenQuestion, material: Material, services: Services) -> OpenQuestion:
    """Return a question with the first rows of each of its readings."""
    if question.results:
        return question
    return question.replace(results=tuple(option_of(intent, material, services) for intent in question.intents))


def option_of(intent: Understood, material: Material, services: Services) -> Option:
    """Return a reading with the first rows that it gives on the data; nothing is claimed of them."""
    told = Option(label=intent.reading, reading=intent.reading)
    arranged = material.arranged(intent)
    if isinstance(intent, Intent):
        try:
            return told.replace(table=table_of(arranged.engine.table(intent.plan), MOST_ROWS))
        except PlanError as error:
            return told.replace(without=f"This reading gives no rows: {error}")
    if not isinstance(intent.second, Second):
        return told.replace(without="Its code runs when you pick it.")
    rows = SqlReference(intent.second.sql, intent.second.is_ordered, services).rows_on(arranged)
    if rows.table is None:
        return told.replace(without=f"This reading gives no rows: {rows.wrong}.")
    return told.replace(table=table_of(rows.table, MOST_ROWS))
