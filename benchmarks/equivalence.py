"""Tells equivalent faults from missed ones: each is held against 1,000 further tables, up to the first that shows it.

The tables are drawn from other seeds, whole and cut to a few rows. DuckDB holds 500 of them at once, and one
query gives the result of a plan over each. Where two results are not the same rows, the comparison that the gate uses
decides, over that table alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from itertools import islice
from math import isnan
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa

from jupyter_mcpgen.data.distributions import TAILS
from jupyter_mcpgen.data.synthetic import Case
from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.pipeline.generated import Tables, tables_for
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.mutation import Tried, try_faults
from jupyter_mcpgen.plan.emit.duckdb import SOURCE, emit_duckdb, labels
from jupyter_mcpgen.plan.emit.duckdb_expressions import identifier
from jupyter_mcpgen.plan.emit.duckdb_sources import OTHER
from jupyter_mcpgen.plan.faults import Fault
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.rewrite import rewrite
from jupyter_mcpgen.plan.shape import Shape

SEEDS = 25
"""Each gives a table of every case."""
CUTS = 4
"""How many parts of each table are tried besides the whole."""
CASES = tuple(case for case in Case if case not in (Case.EMPTY, Case.SINGLE_ROW, Case.LARGE))
"""The cases that differ from seed to seed; a cut may have a single row."""
MOST_ROWS = 40
"""How many rows a cut has at most."""
AT_ONCE = 500
"""How many tables a query is over."""


def further_tables(plan: Plan, material: Material, seeds: int = SEEDS) -> dict[str, Tables]:
    """Return tables for a plan that its tool was not tried on: 40 for each seed, by case, seed and cut."""
    found: dict[str, Tables] = {}
    for seed in range(1, seeds + 1):
        for case, given in tables_for(plan, material, seed=seed, cases=CASES).items():
            found[f"{case.value} {seed}"] = given
            rng = np.random.default_rng((seed, CASES.index(case)))
            for cut in range(1, CUTS + 1):
                found[f"{case.value} {seed}, cut {cut}"] = _cut(given, rng)
    return found


def _cut(tables: Tables, rng: np.random.Generator) -> Tables:
    """Return some rows of the first table, in their order, and the second table whole."""
    rows = len(tables.frame)
    size = int(rng.integers(1, min(rows, MOST_ROWS), endpoint=True)) if rows else 0
    places = np.sort(rng.choice(rows, size, replace=False))
    return Tables(tables.frame.iloc[places].reset_index(drop=True), tables.other, tables.arguments)


def shown_by(shape: Shape, faults: Sequence[Fault], tables: Mapping[str, Tables]) -> dict[int, str]:
    """Return which table shows each fault first, by the place of the fault; one that none shows is left out.

    All tables must have the same columns.
    """
    shown: dict[int, str] = {}
    for first in range(0, len(tables), AT_ONCE):
        batch = dict(islice(tables.items(), first, first + AT_ONCE))
        with _Batch(list(batch.values())) as loaded:
            right = loaded.results(shape)
            for place, fault in enumerate(faults):
                if place not in shown:
                    wrong = loaded.results(Shape(plan=fault.plan, parameters=shape.parameters))
                    given = zip(batch, right, wrong, strict=True)
                    differing = {name: batch[name] for name, *both in given if _differ(*both)}
                    (trial,) = try_faults(shape, [fault], differing) or [Tried(fault, None)]
                    if trial.shown_by is not None:
                        shown[place] = trial.shown_by
    return shown


@dataclass(frozen=True)
class _Result:
    """What a plan gives over one table; what is alike here is alike for the comparison of the gate.

    19 is 19.0, NaN is missing, and the last digits of a real number do not count.
    """

    columns: tuple[tuple[str, bool], ...]
    """The names, and which of them hold numbers."""
    rows: list[tuple[Any, ...]]


def _differ(right: _Result | None, wrong: _Result | None) -> bool:
    return right is None or right != wrong


def _plain(value: Any) -> Any:
    return (None if isnan(value) else float(f"{value:.12g}")) if isinstance(value, float) else value


class _Batch:
    """Some tables of the same columns, each under its number, and queries over each of them at once."""

    def __init__(self, tables: Sequence[Tables]) -> None:
        self._tables = tables
        self._connection = duckdb.connect(config={"enable_external_access": "false", "threads": "1"})
        for name, function in TAILS.items():
            self._connection.create_function(name, function, ["DOUBLE"] * len(signature(function).parameters), "DOUBLE")
        self._sources = [self._source(SOURCE, [given.frame for given in tables])]
        others = [given.other for given in tables if given.other is not None]
        if others:
            self._sources.append(self._source(OTHER, others))

    def __enter__(self) -> _Batch:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def results(self, shape: Shape) -> list[_Result | None]:
        """Return the columns and rows that a shape gives over each table; None where that cannot be told."""
        try:
            plan = rewrite(self._tables[0].bound(shape))
            rows = self._connection.execute(self._query(plan)).fetchall()
        except (PlanError, duckdb.Error):
            return [None] * len(self._tables)  # each table is then tried on its own
        found: list[list[tuple[Any, ...]]] = [[] for _ in self._tables]
        for number, *values, _ in sorted(rows, key=lambda row: (row[0], row[-1])):
            found[number].append(tuple(map(_plain, values)))
        columns = tuple((field.name, field.type.is_number) for field in plan.result_schema.fields)
        return [_Result(columns, rows) for rows in found]

    def _query(self, plan: Plan) -> str:
        """Return the query over every table: the number of one, a row of its result, and the place of the row."""
        query, last = emit_duckdb(plan).removeprefix("WITH "), f" FROM step_{len(plan.steps)}"
        selected, _, order = query.rpartition(f"{last} ORDER BY ")
        each = f"WITH {', '.join(self._sources)}, {selected}, {order}{last}"
        return f"SELECT * FROM (SELECT range AS number FROM range({len(self._tables)})) AS numbers, LATERAL ({each})"  # noqa: S608  its parts are quoted

    def _source(self, name: str, frames: Sequence[pd.DataFrame]) -> str:
        """Load tables, and return the part of a query that takes the one of a number under their common name."""
        table = pa.Table.from_pandas(pd.concat(frames, ignore_index=True), preserve_index=False)
        known = list(labels(table.column_names).values())
        number = f"number of {' '.join(known)}"  # longer than every name there is
        numbers = np.repeat(np.arange(len(frames)), [len(frame) for frame in frames])
        self._connection.register("loaded", table.rename_columns(known).append_column(number, pa.array(numbers)))
        self._connection.execute(f"CREATE TABLE every_{name} AS SELECT * FROM loaded")  # noqa: S608  a name of ours
        self._connection.unregister("loaded")
        columns = ", ".join(identifier(label) for label in known)
        return f"{name} AS (SELECT {columns} FROM every_{name} WHERE {identifier(number)} = numbers.number)"  # noqa: S608  its parts are quoted
