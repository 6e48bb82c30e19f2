"""Which column with gaps a word is of: `Assignee` of "unassigned"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.plan.schema import ColumnType


def lacking_of(word: str, table: Table) -> str | None:
    """Return the one column of texts with gaps whose name a word is a form of: `Assignee` of "assigned"."""
    context = table.context
    texts = [name for name in context.column_words if context.type_of(name) is ColumnType.TEXT]
    found = [name for name in texts if any(table.akin(word, own) for own in context.column_words[name])]
    return found[0] if len(found) == 1 and context.column(found[0]).nulls else None
