"""A question whose answer no plan holds, as somebody read it: a sentence, code, and perhaps a second computation."""

from __future__ import annotations

from jupyter_mcpgen.model.example import Example
from jupyter_mcpgen.model.intent import Agreeing, Intent, OutputFormat, ReadBy
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.model.second import NoSecond, PlannedSecond, Second
from jupyter_mcpgen.plan.ops import ChartKind


class WrittenIntent(Record):
    """What a question was understood to ask, and the code that was written for it.

    `code` defines one function. Its first parameters, annotated `pd.DataFrame`, take the tables; the others have
    defaults and are parameters of the tool. It returns a DataFrame, or any value that JSON can hold.
    """

    reading: str
    code: str
    second: Second | PlannedSecond | NoSecond
    input: str
    other_input: str | None = None
    """The path of the second table, if the code takes one."""
    chart: ChartKind | None = None
    """What the result is drawn as, where its columns fit."""
    assumptions: tuple[str, ...] = ()
    limitations: tuple[str, ...] = ()
    read_by: ReadBy = ReadBy.MODEL
    agreeing: Agreeing | None = None
    """How many replies of a model say this, where it was asked for several."""
    columns: tuple[str, ...] = ()
    """The columns of the tables that the code and the query name."""
    output_format: OutputFormat = OutputFormat.TABLE
    tables: tuple[DataRef, ...] = ()
    """What `input` and `other_input` are the paths of."""
    is_edited: bool = False
    """True where a person changed the code of an answer."""
    examples: tuple[Example, ...] = ()
    """Small tables with their results, written apart from the code."""


Understood = Intent | WrittenIntent
"""A question that was understood: as a plan, or as code."""
