"""The narwhals code written so far, and by which columns the rows of its table are ordered.

A lazy frame has no order of rows. So the order that a plan gives them is kept as the columns it follows from, and rows
are only sorted where somebody looks: before the first ones are taken, and at the end.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NoReturn

from jupyter_mcpgen.errors import NotExact
from jupyter_mcpgen.plan.emit.narwhals_engines import LACKS, Ability, Below
from jupyter_mcpgen.plan.schema import Schema


@dataclass(frozen=True)
class Key:
    """A column that rows are ordered by; missing values come last either way."""

    column: str
    descending: bool = False


@dataclass
class Writer:
    """The statements so far, the expression of the table, and what its rows are ordered by."""

    below: Below
    spare: str
    """What names begin with that no column of the plan has."""
    frame: str
    visible: tuple[str, ...] = ()
    """The columns that the plan's table has."""
    carried: tuple[str, ...] = ()
    """The columns that the code's table has; some of them only the order of the rows needs."""
    order: tuple[Key, ...] = ()
    unique: frozenset[str] | None = None
    """Columns in which no two rows are equal, if any are known; of none, there is one row."""
    numbers: set[str] = field(default_factory=set)
    """The columns that number rows: they ascend and have no missing values."""
    is_sorted: bool = False
    is_collected: bool = False
    chain: list[str] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)
    used: int = 0

    @property
    def value(self) -> str:
        """The current table as an expression."""
        return f"({self.frame}{''.join(self.chain)})" if self.chain else self.frame

    @property
    def hidden(self) -> tuple[str, ...]:
        """The columns that only the order of the rows needs."""
        return tuple(name for name in self._ordering() if name not in self.visible)

    def new_name(self) -> str:
        """Return a name that no column has."""
        self.used += 1
        return f"{self.spare}{self.used}"

    def name_it(self, name: str) -> str:
        """Give the current table a variable, and return it."""
        if self.chain:
            self.statements.append(f"{name} = {self.value}")
            self.frame, self.chain = name, []
        return self.frame

    def need(self, ability: Ability, what: str) -> None:
        """Refuse what the engine below does not do exactly."""
        if ability in LACKS[self.below]:
            self.refuse(f"{what}: {ability.value}")

    def refuse(self, what: str) -> NoReturn:
        """Refuse a step. Raises `NotExact`."""
        raise NotExact(f"narwhals over {self.below.value} cannot write {what}. Use pandas or DuckDB for this question.")

    def add(self, columns: Iterable[tuple[str, str]]) -> None:
        """Add columns, or replace those of a name."""
        values = dict(columns)
        if values:
            self.chain.append(f".with_columns({', '.join(named(value, name) for name, value in values.items())})")
            self.carried = (*self.carried, *(name for name in values if name not in self.carried))

    def select(self, values: Iterable[str], names: tuple[str, ...]) -> None:
        """Keep some values under their names."""
        self.chain.append(f".select({', '.join(values)})")
        self.carried = names

    def show(self, name: str) -> None:
        """Make a column one of the plan's table."""
        if name not in self.visible:
            self.visible = (*self.visible, name)

    def rename(self, old: str, new: str) -> None:
        """Give a column another name."""
        self.chain.append(f".rename({{{old!r}: {new!r}}})")
        self.visible = tuple(new if name == old else name for name in self.visible)
        self.carried = tuple(new if name == old else name for name in self.carried)
        self._move({old: new})

    def free(self, *names: str) -> None:
        """Copy the columns of the order that are about to be lost."""
        moved = {name: self.new_name() for name in names if name in self._ordering()}
        self.add((new, column(old)) for old, new in moved.items())
        self._move(moved)

    def keep(self, schema_names: tuple[str, ...]) -> None:
        """Keep some columns of the plan's table, and those that its order needs."""
        lost = [name for name in self._ordering() if name in self.visible and name not in schema_names]
        moved = {name: self.new_name() for name in lost}
        hidden = self.hidden
        kept = [*map(repr, schema_names), *map(repr, hidden), *(named(column(o), n) for o, n in moved.items())]
        self.select(kept, (*schema_names, *hidden, *moved.values()))
        self.visible = schema_names
        self._move(moved)

    def _ordering(self) -> tuple[str, ...]:
        """Return the columns that the order of the rows follows from, and those that tell rows apart."""
        return tuple(dict.fromkeys([*(key.column for key in self.order), *sorted(self.unique or ())]))

    def _move(self, moved: dict[str, str]) -> None:
        self.order = tuple(Key(moved.get(key.column, key.column), key.descending) for key in self.order)
        if self.unique is not None:
            self.unique = frozenset(moved.get(name, name) for name in self.unique)

    def order_by(self, keys: tuple[Key, ...]) -> None:
        """Order the rows by some columns, and rows that are equal in them as they were ordered."""
        first = {key.column for key in keys}
        rest = () if self._is_decided_by(keys) else tuple(key for key in self.order if key.column not in first)
        self.order, self.is_sorted = (*keys, *rest), False

    def _is_decided_by(self, keys: tuple[Key, ...]) -> bool:
        return self.unique is not None and self.unique <= {key.column for key in keys}

    def known_order(self, why: str) -> tuple[Key, ...]:
        """Return the columns that put every row in its place; raises `NotExact` when they leave it open."""
        if not self._is_decided_by(self.order):
            self.refuse(f"{why} of rows whose order is open: name a column that numbers them, or sort by all groups")
        return self.order

    def sort(self, why: str) -> None:
        """Write the sort that the rows are due."""
        keys = self.known_order(why)
        if keys and not self.is_sorted:
            names = ", ".join(repr(key.column) for key in keys)
            flags = [key.descending for key in keys]
            descending = f", descending={flags if len(flags) > 1 else True}" if any(flags) else ""
            self.chain.append(f".sort({names}{descending}, nulls_last=True)")
        self.is_sorted = True

    def collect(self) -> None:
        """Let the engine compute the table, once; what follows is done here. Dask gives a table of pandas."""
        if not self.is_collected:
            self.chain.append(".collect()")
            self.is_collected = True
            self.below = Below.PANDAS if self.below is Below.DASK else self.below

    def number(self, why: str) -> Key:
        """Return one column that orders the rows, without missing values; written if there is none yet."""
        order = self.known_order(why)
        if len(order) == 1 and order[0].column in self.numbers:
            return order[0]
        self.need(Ability.PLACES, why)
        places, one, number = self.places(order), self.new_name(), self.new_name()
        self.add([(one, "nw.lit(1)")])  # no column that the window is ordered by: pandas would drop it from the order
        self.add([(number, f"{column(one)}.cum_sum(){over((), places)}")])
        self.number_by(number)
        return self.order[0]

    def number_by(self, number: str) -> None:
        """Let a column without missing values or equal ones be what orders the rows."""
        self.order, self.unique = (Key(number),), frozenset({number})
        self.numbers.add(number)

    def places(self, order: Iterable[Key]) -> list[str]:
        """Add columns that ascend as the rows are ordered and have no missing values; return their names.

        A window of narwhals is ordered upwards only, and engines differ in where they put missing values.
        """
        added: dict[str, str] = {}
        places: list[str] = []
        for key in order:
            if key.column in self.numbers and not key.descending:
                places.append(key.column)
                continue
            missing, place = self.new_name(), self.new_name()
            descending = ", descending=True" if key.descending else ""
            added[missing] = f"{column(key.column)}.is_null().cast(nw.Int64)"
            added[place] = f'{column(key.column)}.rank("dense"{descending}).fill_null(0)'
            places += [missing, place]
        if not places:  # there is one row
            places = [self.new_name()]
            added[places[0]] = "nw.lit(1)"
        self.add(added.items())
        return places

    def became(self, names: tuple[str, ...], order: tuple[Key, ...], unique: Iterable[str]) -> None:
        """Say what the table is after a step that made new rows."""
        self.visible = self.carried = names
        self.order, self.unique, self.is_sorted = order, frozenset(unique), False


def column(name: str) -> str:
    """Write a column."""
    return f"nw.col({name!r})"


def named(value: str, name: str) -> str:
    """Write a value under a name."""
    if value == column(name):
        return value
    is_call = isinstance(ast.parse(value, mode="eval").body, ast.Call)
    return f"{value if is_call else f'({value})'}.alias({name!r})"


def over(by: Iterable[str], places: Iterable[str] = ()) -> str:
    """Write that a value is one among a group of rows, in an order."""
    order = list(places)
    arguments = [*map(repr, by), *([f"order_by={order!r}"] if order else [])]
    return f".over({', '.join(arguments)})" if arguments else ""


def spare_prefix(schemas: Iterable[Schema]) -> str:
    """Return what no column of a plan begins with, whatever the case of its letters."""
    taken = [name.casefold() for schema in schemas for name in schema.names]
    prefix = "place_"
    while any(name.startswith(prefix) for name in taken):
        prefix += "_"
    return prefix
