"""A first look at a table, as text."""

from __future__ import annotations

from jupyter_mcpgen.card_text import escaped, markdown_table, plain_table
from jupyter_mcpgen.model.overview import Overview
from jupyter_mcpgen.plan.visible import as_code, unobeyed, without_pictures

MOST_COLUMNS = 200
"""How many columns are shown as text."""
_ASK = "Questions to ask:"


def markdown(overview: Overview) -> str:
    """Return the look in Markdown; the questions stand as they are typed."""
    questions = "\n".join(f"- {as_code(f'%mcpgen {each.typed}')}" for each in overview.suggestions)
    parts = [f"**{escaped(overview.name)}**: {overview.text}", markdown_table(overview.columns, MOST_COLUMNS)]
    return without_pictures("\n\n".join([*parts, *([f"{_ASK}\n\n{questions}"] if questions else [])]))


def plain(overview: Overview) -> str:
    """Return the look for a terminal."""
    questions = [f"  %mcpgen {each.typed}" for each in overview.suggestions]
    lines = [f"{overview.name}: {overview.text}", plain_table(overview.columns, MOST_COLUMNS)]
    return unobeyed("\n".join([*lines, *([_ASK, *questions] if questions else [])]))
