"""One column set beside another: "does length differ between species", "how does survival depend on class"."""

from __future__ import annotations

import re

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.periods import has_dates
from jupyter_mcpgen.nl.everyday.sides import side_of
from jupyter_mcpgen.nl.everyday.speech import Speech, Table

_WHAT = r"(?:the\s+)?(?:average\s+|mean\s+)?(?P<what>[\w -]+?)"
_BY = r"(?:(?:the|different|various|having|an?)\s+)*(?P<by>[\w -]+?)"
_IN = r"(?P<rest>\s+(?:in|for|among|during|since)\s+.+?)?"
FEW_GROUPS = 30
"""A number with more values than this makes no groups to set side by side."""


def set_beside(said: Speech, table: Table) -> Speech | None:
    """Say "does X differ between Y" and "does Y affect X" as the average, or the rate, of X by Y."""
    over = r"(?:between|by|across|with|among|from|per|depending\s+on|according\s+to)"
    found = (
        said.find(rf"^(?:(?:how\s+)?(?:does|do|did))\s+{_WHAT}\s+(?:differ|vary|change)\s+{over}\s+{_BY}{_IN}[?.]?$")
        or said.find(rf"^(?:is|are|was|were)\s+{_WHAT}\s+(?:any\s+)?different\s+{over}\s+{_BY}{_IN}[?.]?$")
        or said.find(rf"^(?:how\s+)?(?:does|do|did)\s+{_WHAT}\s+depend\s+(?:up)?on\s+{_BY}{_IN}[?.]?$")
        or said.find(
            rf"^(?:how\s+)?(?:does|do|did)\s+{_BY}\s+"
            rf"(?:affect|influence|impact|change|matter\s+for|make\s+a\s+difference\s+(?:to|in|for))\s+{_WHAT}{_IN}[?.]?$"
        )
    )
    if found is None or not _groups(found["by"], table):
        return None
    note = "The groups are set side by side; that they differ is neither tested nor explained by this."
    rest = found["rest"] or ""
    flag = _flag(found["what"], table)
    if flag is not None:
        return said.saying(f"share of `{flag}` rows by {found['by']} {rest}", note)
    column = columns.named(found["what"], table.context, SHORTENED)
    if column is None or not table.context.is_measure(column):
        return None
    varies = re.search(r"\b(?:vary|change)\s+(?:by|across|with|between|among)\b", said.text, re.IGNORECASE)
    figure = "" if varies and table.context.adds_up(column) else "average"
    return said.saying(f"{figure} `{column}` by {found['by']} {rest}", note)


def changed(said: Speech, table: Table) -> Speech | None:
    """Say "how did revenue in Oslo change" as revenue in Oslo over time."""
    found = said.find(
        rf"^how\s+(?:has|have|did|does|do)\s+{_WHAT}(?P<where>\s+(?:in|of|for|at)\s+[\w -]+?)?"
        r"\s+(?:change|changed|develop|developed|evolve|evolved)"
        r"(?P<over>\s+over\s+(?:time|the\s+years))?(?P<rest>\s+(?:in|since|from|between|during|after|before)\b.+?)?[?.]?$"
    )
    column = columns.named(found["what"], table.context, SHORTENED) if found else None
    if found is None or column is None or not table.context.is_measure(column):
        return None
    figure = "average" if table.context.adds_up(column) is False else ""
    by = f"by `{table.context.years[0]}`" if not has_dates(table) and len(table.context.years) == 1 else "over time"
    return said.saying(f"{figure} `{column}` {found['where'] or ''} {by} {found['rest'] or ''}")


def spread_by(said: Speech, table: Table) -> Speech | None:
    """Say "income distribution by department" as a summary of income in each department."""
    found = said.find(
        rf"^(?:show\s+(?:me\s+)?|what\s+is\s+|plot\s+)?(?:the\s+)?"
        rf"(?:distribution\s+of\s+{_WHAT}|(?P<name>[\w -]+?)\s+distribution)\s+"
        rf"(?:by|per|across|for\s+each|in\s+each|for\s+every)\s+{_BY}{_IN}[?.]?$"
    )
    if found is None or not _groups(found["by"], table):
        return None
    column = columns.named(found["what"] or found["name"], table.context, SHORTENED)
    if column is None or not table.context.is_measure(column):
        return None
    note = f"How `{column}` is spread is told by its mean, median, smallest and largest value in each group."
    return said.saying(f"describe `{column}` by {found['by']} {found['rest'] or ''}", note)


def _flag(text: str, table: Table) -> str | None:
    column = columns.named(text, table.context, SHORTENED)
    if column is not None:
        return column if column in set(columns.flags(table.context)) else None
    words = text.split()
    side = side_of(words[0], table) if len(words) == 1 else None
    return side[0] if side is not None and side[1] else None


def _groups(text: str, table: Table) -> bool:
    """Tell whether words name a column to group by, or periods."""
    context = table.context
    meanings = context.lexicon.meanings(text.casefold())
    if any(isinstance(meaning, m.Unit) for meaning in meanings) and has_dates(table):
        return True
    column = columns.named(text, context, SHORTENED)
    if column is None or context.names_rows(column) or columns.holds_dates(column, context):
        return False
    return not context.is_measure(column) or context.column(column).distinct <= FEW_GROUPS
