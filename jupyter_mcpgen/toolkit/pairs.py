"""Checks of two tables before they become one."""

from __future__ import annotations

import difflib

import pandas as pd

from jupyter_mcpgen.toolkit.tables import validate_sums

_WITH_GAPS = {"int64": "Int64", "uint64": "UInt64", "bool": "boolean"}
_MOST_SHOWN = 5
_LARGEST_EXACT_KEY = 2**53


def allow_missing(df: pd.DataFrame) -> pd.DataFrame:
    """Return the table in types that can hold missing values: a row without a match leaves whole numbers whole."""
    kinds = {name: _WITH_GAPS[str(kind)] for name, kind in df.dtypes.items() if str(kind) in _WITH_GAPS}
    return df.astype(kinds) if kinds else df


def validate_keys(
    df: pd.DataFrame,
    other: pd.DataFrame,
    keys: dict[str, str],
    *,
    once_in_first: bool = False,
    once_in_second: bool = False,
) -> None:
    """Check that the keys of two tables can be compared, and that none repeats where it must not.

    Raises `ValueError` that names the columns, and some of the keys that repeat.
    """
    for first, second in keys.items():
        kinds = _kind_of_key(df[first]), _kind_of_key(other[second])
        if kinds[0] != kinds[1] and "nothing" not in kinds:
            raise ValueError(
                f"`{first}` holds {kinds[0]} and `{second}` of the second table {kinds[1]}, so no row can match. "
                "Name columns of one type, or convert one of them first."
            )
        _refuse_rounded(df[first], other[second])
    if once_in_first:
        _refuse_repeated(df, list(keys), "first", "second")
    if once_in_second:
        _refuse_repeated(other.dropna(subset=list(keys.values())), list(keys.values()), "second", "first")


def validate_new_columns(df: pd.DataFrame, columns: list[str]) -> None:
    """Check that columns can be put beside those of a table; raises `ValueError` for one that it has already."""
    taken = [name for name in columns if name in df.columns]
    if taken:
        named = ", ".join(f"`{name}`" for name in taken)
        raise ValueError(f"The first table has a column {named} already. Rename it first.")


def validate_columns_of_both(df: pd.DataFrame, other: pd.DataFrame, columns: list[str], suffix: str = "") -> None:
    """Check that the table made of two has the columns; the second one's get the suffix where the first has the name.

    Raises `ValueError` that names the missing columns and the nearest names.
    """
    names = [str(name) for name in df.columns]
    names += [f"{name}{suffix}" if name in names else str(name) for name in other.columns]
    missing = [name for name in columns if name not in names]
    if missing:
        near = {name: difflib.get_close_matches(name, names, n=1) for name in missing}
        named = (f"`{name}`" + (f" (did you mean `{near[name][0]}`?)" if near[name] else "") for name in missing)
        shown = ", ".join(f"`{name}`" for name in dict.fromkeys(names))
        raise ValueError(f"The two tables have no column {', '.join(named)}. Columns of both: {shown}.")


def validate_sums_of_both(df: pd.DataFrame, other: pd.DataFrame, columns: list[str], suffix: str = "") -> None:
    """Check that whole numbers of either table can be added up; raises `ValueError` as `validate_sums` does."""
    for name in columns:
        parts = [table[name] for table in (df, other) if name in table]
        values = pd.concat(parts) if parts else other[name.removesuffix(suffix)]
        validate_sums(values.to_frame(name), [name])


def _kind_of_key(column: pd.Series) -> str:
    if column.isna().all():
        return "nothing"
    if pd.api.types.is_bool_dtype(column.dtype):
        return "true and false"
    if pd.api.types.is_numeric_dtype(column.dtype):
        return "numbers"
    if isinstance(column.dtype, pd.DatetimeTZDtype):
        return "dates with a time zone"
    return "dates" if pd.api.types.is_datetime64_any_dtype(column.dtype) else "text"


def _refuse_rounded(first: pd.Series, second: pd.Series) -> None:
    """Refuse whole numbers that would become equal: numbers of two sorts are compared as real ones, which round."""
    sorts = {getattr(column.dtype, "kind", "") for column in (first, second)}
    if len(sorts) < 2 or not sorts <= set("iuf"):
        return
    for column, which, beside in ((first, "first", second), (second, "second", first)):
        if column.dtype.kind != "f" and bool((column.dropna().abs() > _LARGEST_EXACT_KEY).any()):
            raise ValueError(
                f"`{column.name}` of the {which} table has whole numbers beyond 2^53, and `{beside.name}` of the other "
                "one has numbers of another type: they would be rounded, and match what they are not. Make both of "
                "them whole numbers, or texts."
            )


def _refuse_repeated(table: pd.DataFrame, keys: list[str], which: str, others: str) -> None:
    repeated = table[table.duplicated(subset=keys, keep=False)][keys].drop_duplicates()
    if len(repeated):
        shown = ["/".join(map(str, row)) for row in repeated.head(_MOST_SHOWN).itertuples(index=False, name=None)]
        more = f" and {len(repeated) - _MOST_SHOWN:,} more" if len(repeated) > _MOST_SHOWN else ""
        raise ValueError(
            f"`{', '.join(keys)}` names several rows of the {which} table ({', '.join(shown)}{more}), so rows of the "
            f"{others} table would count several times. Leave one row per key, or add them up by key first."
        )
