"""Two generated tables that come together: most keys of the first are in the second, and none repeats that must not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from jupyter_mcpgen.data.synthetic import Case, synthesize
from jupyter_mcpgen.data.with_columns import with_columns
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.sources import Join, Second, Summary, Union
from jupyter_mcpgen.toolkit.pairs import allow_missing

_MATCHED_SHARE = 0.75
_MISSING_SHARE = 0.15
Wanted = Mapping[str, Sequence[Any]]


def synthesize_pair(
    second: Second, profiles: tuple[Profile, Profile], rows: int, seed: int, case: Case, wanted: tuple[Wanted, Wanted]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Generate two tables of a case; the same arguments give the same. `wanted` are values that have to occur."""
    first = synthesize(second.first_schema, profiles[0], rows, seed, case, wanted[0])
    other = synthesize(second.other_schema, profiles[1], rows, seed + 1, case, wanted[1])
    if isinstance(second, Union):
        return first, other
    rng = np.random.default_rng(seed)
    first, other = _with_common_keys(second, first, other, rng)
    if case is Case.NULLS:
        first, other = _with_gaps(first, _keys(second, 0), rng), _with_gaps(other, _keys(second, 1), rng)
    if second.relation.first_is_unique:
        first = first[~first[_keys(second, 0)].duplicated()].reset_index(drop=True)
    if isinstance(second, Join) and second.relation.second_is_unique:
        names = _keys(second, 1)
        other = other[other[names].isna().any(axis=1) | ~other[names].duplicated()].reset_index(drop=True)
    return first, other


def with_repeated_keys(
    second: Join | Summary, first: pd.DataFrame, other: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the tables with a row twice where a key must not repeat."""
    if isinstance(second, Join) and second.relation.second_is_unique:
        return first, pd.concat([other, other.dropna(subset=_keys(second, 1)).head(1)], ignore_index=True)
    return pd.concat([first, first.head(1)], ignore_index=True), other


def _keys(join: Join | Summary, side: int) -> list[str]:
    return [(pair.first, pair.second)[side].name for pair in join.keys]


def _with_common_keys(
    join: Join | Summary, first: pd.DataFrame, other: pd.DataFrame, rng: np.random.Generator
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Give most rows of one table the keys of a row of the other; whole numbers go to where real ones are.

    Where keys are grouped it is the second table that gets them, so that a group has several rows.
    """
    types = [(join.first_schema.type_of(p.first.name), join.other_schema.type_of(p.second.name)) for p in join.keys]
    to_second = any(pair == (ColumnType.INTEGER, ColumnType.REAL) for pair in types)
    to_second |= isinstance(join, Summary) and (ColumnType.REAL, ColumnType.INTEGER) not in types
    if to_second:
        return first, _matched(other, _keys(join, 1), first, _keys(join, 0), rng)
    return _matched(first, _keys(join, 0), other, _keys(join, 1), rng), other


def _with_gaps(table: pd.DataFrame, keys: list[str], rng: np.random.Generator) -> pd.DataFrame:
    """Take some keys away on both sides, also whole numbers: a missing key must match nothing."""
    typed = allow_missing(table[keys])
    for key in keys:
        gaps = pd.Series(rng.random(len(table)) < _MISSING_SHARE, index=table.index)
        table = with_columns(table, {key: typed[key].mask(gaps)})
    return table


def _matched(
    table: pd.DataFrame, keys: list[str], known: pd.DataFrame, known_keys: list[str], rng: np.random.Generator
) -> pd.DataFrame:
    pool = known[known_keys].dropna()
    if not len(pool) or not len(table):
        return table
    drawn = pool.iloc[rng.integers(0, len(pool), len(table))].reset_index(drop=True)
    takes = pd.Series(rng.random(len(table)) < _MATCHED_SHARE) & table[keys].notna().all(axis=1)
    for key, known_key in zip(keys, known_keys, strict=True):
        values = drawn[known_key].astype(table[key].dtype)
        table = with_columns(table, {key: table[key].mask(takes, values)})
    return table
