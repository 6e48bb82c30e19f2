"""Small tables with the columns of a plan, as a person could have them, for tests that need data to profile."""

from __future__ import annotations

import numpy as np
import pandas as pd

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.model.request import DataKind, DataRef
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Schema

ROWS = 120
WORDS = ("tea", "coffee", "juice", "green tea", "water")


def sample(schema: Schema, seed: int = 5) -> pd.DataFrame:
    """Return a table with the columns of a schema: counts, prices, few words and dates of two years, with some gaps."""
    random = np.random.default_rng(seed)
    return pd.DataFrame({field.name: _column(field.type, random) for field in schema.fields})


def _column(type_: ColumnType, random: np.random.Generator) -> pd.Series:
    gaps = random.random(ROWS) < 0.05
    match type_:
        case ColumnType.INTEGER:
            return pd.Series(random.integers(1, 30, ROWS))
        case ColumnType.REAL:
            return pd.Series(np.round(random.gamma(2.0, 4.0, ROWS), 2)).mask(gaps)
        case ColumnType.TEXT:
            return pd.Series(random.choice(WORDS, ROWS), dtype="str").mask(gaps)
        case ColumnType.BOOLEAN:
            return pd.Series(random.random(ROWS) < 0.4)
        case ColumnType.DATE:
            days = np.datetime64("2023-01-01", "us") + random.integers(0, 730, ROWS) * np.timedelta64(1, "D")
            return pd.Series(days).mask(gaps)


def material_for(plan: Plan) -> Material:
    """Return tables that a plan could have been made for, profiled; no file of them is read."""
    if plan.second is None:
        return _material(plan.source, plan.source_schema)
    other = _material(plan.second.other, plan.second.other_schema, seed=6)
    first = _material(plan.source, plan.second.first_schema)
    return Material(first.ref, first.rows, first.profile, first.before, other)


def _material(name: str, schema: Schema, seed: int = 5) -> Material:
    frame = sample(schema, seed)
    ref = DataRef(kind=DataKind.FRAME, name=name, path=f"{name}.parquet")
    return Material(ref=ref, rows=frame, profile=profile(name, frame), before="")
