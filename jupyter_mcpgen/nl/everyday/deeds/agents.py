"""By whom something was done: "moved by Sam", "used by the reefer trucks"."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.nl.everyday.deeds.deeds import splits
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Table


@dataclass(frozen=True)
class Agent:
    """Those by whom something was done: a value of a column, and what is said behind it."""

    column: str
    value: str
    behind: str


def agent_of(text: str, table: Table) -> Agent | None:
    """Return the one value that a text begins with, with or without the noun of its column: "the reefer trucks"."""
    words = text.split()
    start = 1 if words and words[0].casefold() in table.words("determiners") else 0
    for name, behind in splits(" ".join(words[start:])):
        bare = name.strip("?.,!")
        if columns.is_period(bare, table) or columns.named(bare, table, columns.STEMMED) is not None:
            return None  # "by day" groups, also where a shift is called so
        called = dict(values_called(bare, table)) or dict(_with_its_noun(bare, table))
        if len(called) == 1:
            ((column, value),) = called.items()
            return Agent(column, value, f"{name[len(bare) :]} {behind}".strip())
    return None


def _with_its_noun(name: str, table: Table) -> list[tuple[str, str]]:
    """Return the values before a noun of the name of their column: "reefer trucks" by `truck_type`."""
    value, _, noun = name.rpartition(" ")
    plain = table.context.plain(noun.casefold())
    found = values_called(value, table) if value else []
    return [(column, known) for column, known in found if plain in table.context.column_words[column]]
