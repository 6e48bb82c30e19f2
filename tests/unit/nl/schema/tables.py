"""Schemas of small tables for the tests."""

from __future__ import annotations

import pandas as pd

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.nl.lexicon.lexicon import load
from jupyter_mcpgen.nl.schema.facts import TableSchema, schema_of

LEXICON = load("en")


def schema(name: str, **columns: list[object]) -> TableSchema:
    """Return the schema of a small table; `__` in a name stands for a space."""
    return schema_of_frame(name, pd.DataFrame({key.replace("__", " "): cells for key, cells in columns.items()}))


def schema_of_frame(name: str, frame: pd.DataFrame) -> TableSchema:
    """Return the schema of a data frame."""
    return schema_of(profile(name, frame), LEXICON)
