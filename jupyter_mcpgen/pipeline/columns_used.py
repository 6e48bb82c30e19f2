"""Which columns written code really uses: tried on tables without them, and on tables that call them otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from jupyter_mcpgen.model.spec import ToolParameter
from jupyter_mcpgen.model.validation import Evidence, Place, Verdict
from jupyter_mcpgen.pipeline.agreement import same_rows
from jupyter_mcpgen.pipeline.generated import Tables

if TYPE_CHECKING:
    import pandas as pd

RENAMED = "renamed_columns"
USED = "columns_used"
_WITHOUT = "without_column_"
MOST_COLUMNS = 40
"""How many columns are left out in turn; of a wider table the others are not looked at."""
_LONGEST_NAMED = 10


def column_parameters(parameters: Sequence[ToolParameter], frame: pd.DataFrame) -> dict[str, object]:
    """Return the parameters whose defaults are columns of a table, with these."""
    names = set(map(str, frame.columns))
    return {p.name: p.default for p in parameters if (named := _columns_in(p.default)) and names.issuperset(named)}


def varied_columns(tables: Tables, parameters: Sequence[ToolParameter]) -> dict[str, Tables]:
    """Return the tables with the columns of the parameters called otherwise, and without each column in turn."""
    frame = tables.frame
    taken = column_parameters(parameters, frame)
    new = _new_names([name for default in taken.values() for name in _columns_in(default)], frame)
    arguments = {name: _called(default, new) for name, default in taken.items()}
    other = None if tables.other is None else tables.other.rename(columns=new)
    renamed = {RENAMED: Tables(frame.rename(columns=new), other, arguments)} if new else {}
    columns = list(frame.columns)[:MOST_COLUMNS] if len(frame.columns) > 1 else []
    without = {f"{_WITHOUT}{p}": Tables(frame.drop(columns=[c]), tables.other) for p, c in enumerate(columns)}
    return {**renamed, **without}


def columns_told(
    base: pd.DataFrame,
    varied: Mapping[str, pd.DataFrame | None],
    tables: Tables,
    parameters: Sequence[ToolParameter],
) -> Iterator[Evidence]:
    """Yield what those tables did to the result on the typical one; a result that is None could not be computed."""
    if RENAMED in varied:
        taken = column_parameters(parameters, tables.frame)
        yield _renamed(base, varied[RENAMED], taken, tables.frame)
    columns = [str(name) for name in tables.frame.columns]
    tried = {columns[p]: varied[n] for p in range(len(columns)) if (n := f"{_WITHOUT}{p}") in varied}
    if tried:
        used = [c for c, result in tried.items() if result is None or same_rows(base, result, is_ordered=True)]
        yield Evidence(check=USED, verdict=Verdict.PASSED, sentence=_uses(used, len(tried), len(columns)))


def _renamed(
    base: pd.DataFrame, result: pd.DataFrame | None, taken: Mapping[str, object], frame: pd.DataFrame
) -> Evidence:
    """Say whether the code takes its columns from its parameters; where it does not, it names one itself."""
    new = _new_names([name for default in taken.values() for name in _columns_in(default)], frame)
    named = _listed(list(taken))
    if result is not None and same_rows(base, _named_back(result, new), is_ordered=False) is None:
        told = f"Works on renamed columns through {named}: same result."
        return Evidence(check=RENAMED, verdict=Verdict.PASSED, sentence=told)
    ended = "gives no result" if result is None else "gives another result"
    told = f"With its columns renamed, and told so through {named}, the code {ended}: it names a column itself."
    return Evidence(check=RENAMED, verdict=Verdict.FAILED, sentence=told, place=Place.NOTE)


def _named_back(result: pd.DataFrame, new: Mapping[str, str]) -> pd.DataFrame:
    """Return a result with the columns' own names wherever it says the new ones, which occur nowhere else."""

    def named(text: object) -> object:
        if isinstance(text, str):
            for name, called in new.items():
                text = text.replace(called, name)
        return text

    return result.rename(columns=lambda name: str(named(name))).map(named)


def _uses(used: list[str], tried: int, there: int) -> str:
    of = f" Of {there:,} columns the first {tried} were tried." if tried < there else ""
    rest = tried - len(used)
    if not used:
        return f"The result is the same without any one of the columns.{of}"
    others = f"; the same without {'the other one' if rest == 1 else f'each of the {rest} others'}" if rest else ""
    return f"The result changes without {_listed(used)}{others}.{of}"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:_LONGEST_NAMED])
    return f"{shown} and {len(names) - _LONGEST_NAMED} more" if len(names) > _LONGEST_NAMED else shown


def _columns_in(default: object) -> list[str]:
    """Return the texts in a default: one, or those of a list."""
    listed = default if isinstance(default, list | tuple) else [default]
    return [value for value in listed if isinstance(value, str)] if all(isinstance(v, str) for v in listed) else []


def _new_names(names: Sequence[str], frame: pd.DataFrame) -> dict[str, str]:
    """Return another name for each column, one that no column has."""
    longest = max(map(len, map(str, frame.columns)), default=0)
    return {name: f"renamed {place} {'x' * longest}" for place, name in enumerate(dict.fromkeys(names))}


def _called(default: object, new: Mapping[str, str]) -> object:
    return [new[name] for name in default] if isinstance(default, list | tuple) else new[str(default)]
