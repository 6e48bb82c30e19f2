"""Says how the texts of a column are read, and which of its cells are not."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import OddCell, Written
from jupyter_mcpgen.plan.english_values import say_writing
from jupyter_mcpgen.plan.number_writing import NumberWriting

_LONGEST = 40


def say_written(name: str, written: Written) -> str:
    """Say how a column is read, how many of its cells are missing then, and the first of those that cannot be read."""
    note = f"`{name}` is {say_writing(written.writing)}."
    about = "About " if written.estimated else ""
    if written.missing:
        spelled = ", ".join(f"“{word}”" for word in written.spelled)
        verb = _one(written.missing, "spells", "spell")
        note += f" {about}{_cells(written.missing)} {verb} a missing value ({spelled})."
    if written.bare and isinstance(written.writing, NumberWriting):
        sign = (*written.writing.prefixes, *written.writing.suffixes)[0]
        has, is_ = ("has", "is") if written.bare == 1 else ("have", "are")
        they = _one(written.bare, "it", "they")
        note += f" {about}{_cells(written.bare)} {has} no `{sign}` and {is_} read as if {they} had one."
    if written.unreadable:
        odd = ", ".join(map(_say_odd, written.odd))
        counts = _one(written.unreadable, "counts", "count")
        note += f" {about}{_cells(written.unreadable)} cannot be read so and {counts} as missing: {odd}."
    return note


def _say_odd(cell: OddCell) -> str:
    return f"“{cell.text[:_LONGEST]}”" + ("" if cell.row is None else f" (row {cell.row:,})")


def _cells(count: int) -> str:
    return f"{count:,} {_one(count, 'cell', 'cells')}"


def _one(count: int, singular: str, plural: str) -> str:
    return singular if count == 1 else plural
