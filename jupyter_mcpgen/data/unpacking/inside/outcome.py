"""What comes of unpacking a file: one table with what was done, the tables to choose from, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass

CELLS = ".cells.csv"
"""The suffix of cells that were no text before: delimiter and encoding are those of whoever wrote them."""


@dataclass(frozen=True)
class Choice:
    """A table in a container: its name, and its size in words where that is known."""

    name: str
    size: str = ""


@dataclass(frozen=True)
class Table:
    """An unpacked table: its file in the scratch folder, its suffix for the reader, and what was done, in sentences."""

    file: str
    suffix: str
    notes: tuple[str, ...] = ()
    sheet: str | None = None


class CannotUnpack(Exception):
    """A file that holds no table that can be had; says in one sentence why, and what to do."""


class SeveralTables(Exception):
    """A container with several tables, of which none was named, or one that is not there."""

    def __init__(self, what: str, choices: list[Choice], missing: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.choices = choices
        self.missing = missing


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number of things in words."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def choose(what: str, choices: list[Choice], wanted: str | None) -> Choice:
    """Return the table that is wanted, or the only one; raises `SeveralTables`.

    `what` is what the tables are called, in the plural. Case does not matter where no other name differs by it.
    """
    if wanted is None:
        if len(choices) == 1:
            return choices[0]
        raise SeveralTables(what, choices)
    exact = [each for each in choices if each.name == wanted]
    near = [each for each in choices if each.name.casefold() == wanted.casefold()]
    for found in (exact, near):
        if len(found) == 1:
            return found[0]
    raise SeveralTables(what, choices, wanted)
