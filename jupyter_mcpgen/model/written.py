"""A question whose answer no plan holds, as somebody read it: a sentence, code, and perhaps a second computation."""

from __future__ import annotations

from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.second import NoSecond, Second
from jupyter_mcpgen.plan.ops import ChartKind


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
    chart: ChartKind | None = None
    """What the result is drawn as, where its columns fit."""
    assumptions: tuple[str, ...] = ()
    limitations: tuple[str, ...] = ()
    read_by: str = "model"
    """Who read the question, as the card calls it."""
    columns: tuple[str, ...] = ()
    """The columns of the tables that the code and the query name."""


Understood = Intent | WrittenIntent
"""A question that was understood: as a plan, or as code."""
