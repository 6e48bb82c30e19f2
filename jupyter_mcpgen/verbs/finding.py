"""Finds the table that a question is about: a variable of the notebook, or a file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from jupyter_mcpgen.data.lazy_frames import is_dask, is_lazy
from jupyter_mcpgen.data.named_files import (
    file_and_table,
    is_database_address,
    is_table_there,
    is_web_address,
    paths_in,
    without_paths,
)
from jupyter_mcpgen.errors import UnknownData
from jupyter_mcpgen.nl.followups.cue import cue_of
from jupyter_mcpgen.nl.joining.clause import find_clause
from jupyter_mcpgen.nl.joining.figures import may_name_figures
from jupyter_mcpgen.nl.joining.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.nl.words.lexicon import load_lexicon
from jupyter_mcpgen.verbs.words import UsageError

MOST_TABLES = 8
"""How many tables of a question are tried with each other."""


@dataclass(frozen=True)
class Found:
    """A table by name, the variable that holds it (None for a file), and the question without a path in it.

    `other` is a second table that the question names too.
    """

    name: str
    variable: object | None
    question: str
    other: Found | None = None


def in_sheet(found: Found, sheet: str | None) -> Found:
    """Return a file with the sheet, member or table in it that an option names; raises `UsageError` for a variable."""
    if sheet is None:
        return found
    if found.variable is not None:
        raise UsageError(f"`--sheet` names a table in a file, and `{found.name}` is a variable. Leave it out.")
    return replace(found, name=f"{file_and_table(found.name)[0]}#{sheet}")


def tables_in(namespace: Mapping[str, object]) -> dict[str, object]:
    """Return the variables that hold tables (pandas, polars, Dask, Arrow), without those whose names begin with `_`."""
    return {name: value for name, value in namespace.items() if not name.startswith("_") and is_table(value)}


def is_table(value: object) -> bool:
    """Tell whether a value is a two-dimensional table that is lazy or can be handed over as Arrow."""
    if isinstance(value, type):
        return False
    return is_lazy(value) or (hasattr(value, "__arrow_c_stream__") and hasattr(value, "columns"))


def column_names(table: object) -> tuple[str, ...]:
    """Return the names of a table's columns; none of a lazy one that would run its query to tell them."""
    if is_lazy(table) and not is_dask(table):
        return ()
    # Arrow's `columns` are the values; a data frame may have a column of any name as an attribute, its type has not.
    attribute = "column_names" if hasattr(type(table), "column_names") else "columns"
    return tuple(map(str, getattr(table, attribute)))


def find_tables(
    question: str,
    data: str | None,
    namespace: Mapping[str, object],
    latest: str | None = None,
    latest_other: str | None = None,
    second: str | None = None,
    language: str = "en",
) -> Found:
    """Return the table that a question is about, with the second one that it or the option `second` names.

    A question that names none goes on with the two that the latest one was about. Raises `UnknownData`.
    """
    found = find_table(question, data, namespace, latest, language)
    tables = tables_in(namespace)
    if second is not None:
        return replace(found, question=without_paths(found.question), other=_named(second, "", tables))
    paths = [path for path in paths_in(question) if path != found.name]
    if paths:
        return replace(found, question=without_paths(question), other=Found(paths[0], None, ""))
    pair = _pair(question, tables, found.name, data is not None, language)
    if pair is not None:
        known = {**tables, found.name: found.variable}
        return replace(found, name=pair[0], variable=known[pair[0]], other=Found(pair[1], tables[pair[1]], ""))
    names_none = data is None and found.name == latest and latest not in re.findall(r"\w+", question)
    points_back = data is None and found.name in (latest, latest_other) and _points_back(question, language)
    if not (names_none or points_back) or latest is None or latest_other is None:
        return found
    if not all(name in tables or _is_there(name) for name in (latest, latest_other)):
        return found
    other = Found(latest_other, tables.get(latest_other), "")
    return replace(found, name=latest, variable=tables.get(latest), other=other)


def _is_there(name: str) -> bool:
    """Tell whether there is a file of that name; a server is asked when the table is read."""
    return is_table_there(name) or is_database_address(name) or is_web_address(name)


def _points_back(question: str, language: str) -> bool:
    """Tell whether a question says that it changes the answer before it, as "only those with …" does."""
    lexicon = load_lexicon(language)
    return cue_of(tokenize(question, decimal_comma=lexicon.decimal_comma), lexicon)[0].said


def _pair(
    question: str, tables: Mapping[str, object], chosen: str, is_fixed: bool, language: str
) -> tuple[str, str] | None:
    """Return the table that was chosen with another one that the question names: of several, those that it joins.

    Where a figure is asked for, one of a table's rows names it too: "the number of orders per customer".
    """
    named = [name for name in dict.fromkeys(re.findall(r"\w+", question)) if name in tables and name != chosen]
    vocabulary = load_vocabulary(language)
    if not named and vocabulary is not None:
        others = [name for name in list(tables)[:MOST_TABLES] if name != chosen]
        named = [name for name in others if may_name_figures(question, (chosen, name), vocabulary)][:1]
    if len(named) > 1 and vocabulary is not None:
        pairs = (
            [(chosen, name) for name in named] if is_fixed else list(combinations((chosen, *named[:MOST_TABLES]), 2))
        )
        joined = next((pair for pair in pairs if find_clause(question, pair, vocabulary) is not None), None)
        if joined is not None:
            return joined
    return (chosen, named[0]) if named else None


def find_table(
    question: str,
    data: str | None,
    namespace: Mapping[str, object],
    latest: str | None = None,
    language: str = "en",
) -> Found:
    """Return the table that is named in the option or the question, or else the latest one, or the only one there is.

    Raises `UnknownData` that lists what could have been meant.
    """
    tables = tables_in(namespace)
    if data is not None:
        return _named(data, question, tables)
    path = next(iter(paths_in(question)), None)
    if path is not None:
        return Found(path, None, without_paths(question))
    words = re.findall(r"\w+", question)
    mentioned = [word for word in words if word in tables]
    if mentioned:
        return Found(mentioned[-1], tables[mentioned[-1]], question)
    if latest is not None and (latest in tables or _is_there(latest)):
        return Found(latest, tables.get(latest), question)
    if len(tables) == 1:
        name, variable = next(iter(tables.items()))
        return Found(name, variable, question)
    places = "|".join(map(re.escape, load_lexicon(language).places))
    named = re.search(rf"\b(?:{places})\s+`?(\w+)`?\W*$", question, re.IGNORECASE)
    raise UnknownData(named[1] if named else None, tables)


def _named(data: str, question: str, tables: Mapping[str, object]) -> Found:
    if data in tables:
        return Found(data, tables[data], question)
    if Path(data).expanduser().exists() or "." in data or "/" in data:
        return Found(data, None, question)
    raise UnknownData(data, tables)
