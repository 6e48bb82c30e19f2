"""Says in English which other rows of a table a plan works on."""

from __future__ import annotations

from typing import assert_never

from jupyter_mcpgen.plan.reshaping import Members, Reshaping, Unpivot
from jupyter_mcpgen.plan.schema import Schema


def say_reshaping(step: Reshaping, schema: Schema) -> str:
    """Return what is done with which columns, as a part of a reading."""
    match step:
        case Unpivot():
            taken = step.columns(schema)
            which = f"columns {taken[0]} to {taken[-1]}" if len(taken) > 1 else f"column {taken[0]}"
            return f"the {which} taken as one column `{step.name}`, their cells as `{step.value}`"
        case Members():
            return f"each member of the lists in {step.column.name} counted once per row"
        case _:
            assert_never(step)


def say_reshaping_generally(step: Reshaping) -> str:
    """Return which rows a family of questions is about."""
    match step:
        case Unpivot():
            return f"with one column per {step.names.form.unit} taken as rows"
        case Members():
            return "with each member of a list taken as a row"
        case _:
            assert_never(step)


def do_reshaping(step: Reshaping) -> str:
    """Return what a tool does to the table that it reads."""
    match step:
        case Unpivot():
            unit = step.names.form.unit
            return f"Takes every column called by a {unit} as rows: one row per {unit} and row of the table."
        case Members():
            return (
                "Takes the lists in a column apart: one row per different member and row of the table; "
                "rows without a member are left out."
            )
        case _:
            assert_never(step)


def limit_of_reshaping(step: Reshaping) -> str:
    """Return what a card has to say about the rows."""
    match step:
        case Unpivot():
            return f"Each row of the table counts once per {step.names.form.unit}."
        case Members():
            return "A row with two members counts in both, so the counts of members add up to more than the rows."
        case _:
            assert_never(step)
