"""A question whose answer no plan holds, as somebody read it: a sentence, code, and perhaps a second computation."""

from __future__ import annotations

from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.record import Record


class Second(Record):
    """A second computation in DuckDB SQL over the tables by their names, written apart from the code."""

    sql: str
    is_ordered: bool = False
    """True where the query puts its rows in an order."""


class NoSecond(Record):
    """Why nothing computes the answer a second time."""

    reason: str


class WrittenIntent(Record):
    """What a question was understood to ask, and the code that was written for it.

    `code` defines one function. Its parameters without a default that are annotated `pd.DataFrame` take the tables, the
    others are parameters of the tool; it returns a DataFrame, or any value that JSON can hold.
    """

    reading: str
    code: str
    second: Second | NoSecond
    input: str
    other_input: str | None = None
    """The path of the second table, if the code takes one."""
    assumptions: tuple[str, ...] = ()
    limitations: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    """The columns of the tables that the code and the query name."""


Understood = Intent | WrittenIntent
"""A question that was understood: as a plan, or as code."""
