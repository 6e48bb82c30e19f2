"""A first look at a table: what its columns hold, and questions that can be asked of it."""

from __future__ import annotations

from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.run import Table


class Suggestion(Record):
    """A question that was read and computed before it is suggested. `card` is its answer, where a page keeps one."""

    question_id: str
    question: str
    typed: str
    """What a person types after `%mcpgen` to ask it."""
    reading: str
    card: Card | None = None


class Overview(Record):
    """A table at a glance: `columns` has a row for each of its columns."""

    name: str
    text: str
    columns: Table
    suggestions: tuple[Suggestion, ...]
