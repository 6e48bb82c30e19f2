"""The tables that the SELECTs of the case files read, generated in many ways, and what runs a SELECT over them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from pathlib import Path
from random import Random

import duckdb
import pandas as pd
import pyarrow as pa

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.pipeline.select_agreement import contradiction
from jupyter_mcpgen.plan.from_sql import Granted, Unread, read_select
from jupyter_mcpgen.plan.reading import SETTINGS, Reading
from jupyter_mcpgen.plan.schema import ColumnType
from tests.plans import schema_of
from tests.strategies.tables import DTYPES

CASES = Path(__file__).parent / "cases" / "selects"
Frames = Mapping[str, pd.DataFrame]

_PARCELS = {
    "parcel_id": "integer",
    "city": "text",
    "depot": "text",
    "carrier": "text",
    "weight": "real",
    "fee": "real",
    "items": "integer",
    "express": "boolean",
    "sent": "date",
    "arrived": "date",
}
TABLES = {
    "parcels": Granted(schema_of(_PARCELS), frozenset({"parcel_id", "city", "fee", "items", "sent"})),
    "depots": Granted(
        schema_of({"depot": "text", "region": "text", "capacity": "integer", "opened": "date"}), frozenset({"depot"})
    ),
    "archive": Granted(schema_of(_PARCELS), frozenset({"parcel_id", "city", "fee", "items", "sent"})),
    "labels": Granted(
        schema_of({"label": "integer", "packed": "text", "printed": "text"}), frozenset({"label", "packed"})
    ),
}
_WORDS = {
    "city": ["Bern", "Basel", "bern", "Aarau", "Chur"],
    "depot": ["N1", "N2", "S1", "S2", "W9"],
    "carrier": ["Swift", "swift", "Mule", "Dove 7", "%"],
    "region": ["north", "south", "west"],
    "packed": ["03/14/2024", "3/9/2024", "04/01/2024", "12/31/2023", "02/29/2024"],
    "printed": ["2024-03-14", "2024-03-15", "soon", "2024-02-30", "2024-04-01"],
}


class Kind(StrEnum):
    """What a generated set of tables is made to tell apart."""

    TYPICAL = "typical"
    GAPS = "gaps"
    """Many missing values in every column that may lack them."""
    ONLY_GAPS = "only gaps"
    TIES = "ties"
    """Few distinct values, and each row several times."""
    NEGATIVE = "negative"
    SINGLE = "single"
    EMPTY = "empty"


_ROWS = {Kind.SINGLE: 1, Kind.EMPTY: 0}
_GAPS = {Kind.TYPICAL: 0.08, Kind.GAPS: 0.4, Kind.ONLY_GAPS: 1.0, Kind.TIES: 0.1, Kind.NEGATIVE: 0.1, Kind.SINGLE: 0.3}


@cache
def frames(kind: Kind) -> Frames:
    """Return all tables of a kind; columns that are complete have no gaps in any."""
    random = Random(kind.value)
    return {name: _frame(name, granted, kind, random) for name, granted in TABLES.items()}


def _frame(name: str, granted: Granted, kind: Kind, random: Random) -> pd.DataFrame:
    rows = _ROWS.get(kind, 9 if name == "depots" else 40)
    columns = {}
    for field in granted.schema.fields:
        values = [_value(field.name, field.type, kind, random) for _ in range(rows)]
        if field.name not in granted.complete:
            values = [None if random.random() < _GAPS.get(kind, 0.1) else value for value in values]
        columns[field.name] = pd.Series(values, dtype=DTYPES[field.type])
    table = pd.DataFrame(columns)
    if kind is Kind.TIES and rows:
        table = pd.concat([table.head(rows // 2), table.head(rows // 2)], ignore_index=True)
    return table


def _value(name: str, type_: ColumnType, kind: Kind, random: Random) -> object:
    few = kind is Kind.TIES
    match type_:
        case ColumnType.TEXT:
            words = _WORDS[name]
            return random.choice(words[:2] if few else words)
        case ColumnType.BOOLEAN:
            return random.random() < 0.4
        case ColumnType.INTEGER:
            return random.randint(-3 if kind is Kind.NEGATIVE else 0, 2 if few else 25)
        case ColumnType.REAL:
            low = -40 if kind is Kind.NEGATIVE else 0
            return random.randint(low, 3 if few else 60) / 4
        case ColumnType.DATE:
            day = pd.Timestamp("2023-11-20") + pd.Timedelta(days=random.randint(0, 3 if few else 420))
            return day + pd.Timedelta(seconds=random.choice([0, 0, 3_600, 45_296]))


@dataclass(frozen=True)
class Select:
    """A SELECT of a case file: what the plan that it is says, or why there is none."""

    about: str
    sql: str
    says: str | None
    unread: str | None

    @cached_property
    def reading(self) -> Reading | Unread:
        """What it is read as, once for all that is asked of it."""
        return read_select(self.sql, TABLES)


@lru_cache(maxsize=1)
def selects() -> tuple[Select, ...]:
    """Return the SELECTs of all case files."""
    trees = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(CASES.glob("*.toml"))]
    return tuple(
        Select(entry["about"], entry["sql"], entry.get("says"), entry.get("unread"))
        for tree in trees
        for entry in tree["select"]
    )


@dataclass(frozen=True)
class Desk:
    """A database with the tables of one kind, and the same tables as frames."""

    kind: Kind
    connection: duckdb.DuckDBPyConnection

    def run(self, sql: str) -> pd.DataFrame:
        """Run a SELECT as the product does."""
        return self.connection.execute(sql).df()

    def difference(self, rows: pd.DataFrame, reading: Reading) -> str | None:
        """Return how the rows of a SELECT contradict its plan over the same tables."""
        second = reading.plan.second
        engine = _engine(self.kind, reading.plan.source, None if second is None else second.other)
        return contradiction(rows, reading, engine)


@cache
def _engine(kind: Kind, source: str, other: str | None) -> Engine:
    """Return the reference engine over one or two tables of a kind."""
    tables = frames(kind)
    return Engine(tables[source], None if other is None else tables[other])


@lru_cache(maxsize=1)
def desks() -> tuple[Desk, ...]:
    """Return a database for the tables of every kind."""
    return tuple(_desk(kind) for kind in Kind)


def _desk(kind: Kind) -> Desk:
    connection = duckdb.connect(config={"enable_external_access": "false", "threads": "1", **SETTINGS})
    tables = frames(kind)
    for name, frame in tables.items():
        connection.register(name, pa.Table.from_pandas(frame, preserve_index=False))
    return Desk(kind, connection)
