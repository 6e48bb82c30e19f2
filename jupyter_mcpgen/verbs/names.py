"""The names that a person may type: tables, columns, values, tools and cards, each from a bounded look.

Nothing here reads more of a table than its first rows, because it is done while a person types.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.data.lazy_frames import is_lazy
from jupyter_mcpgen.data.named_files import TABLE_FILES, paths_in
from jupyter_mcpgen.verbs.finding import MOST_TABLES, column_names, tables_in

if TYPE_CHECKING:
    import pandas as pd

    from jupyter_mcpgen.model.tool import PromotedTool
    from jupyter_mcpgen.registry.store import Registry

LOOKED_AT = 1_000
"""How many rows of a table are looked at for its values, at most."""
_MOST_CELLS = 20_000
"""How many cells; of a table of very many columns fewer rows."""
_MOST_COLUMNS = 200
_LONGEST_VALUE = 60
_MOST_FILES = 2_000


@dataclass(frozen=True)
class Names:
    """What is there to be named: the variables of a notebook, the files beside it, and a registry."""

    namespace: Mapping[str, object]
    open_registry: Callable[[], Registry]
    folder: Path = Path()

    @property
    def tables(self) -> Mapping[str, object]:
        """The variables that hold tables."""
        return tables_in(self.namespace)

    def files(self, begun: str, endings: Collection[str] = TABLE_FILES, *, folders: bool = True) -> Iterator[str]:
        """Yield the files with one of these endings, and the folders, whose path begins so; hidden ones if begun."""
        above, _, name = begun.rpartition("/")
        start = f"{above}/" if "/" in begun else ""
        folder = self.folder / Path(start or ".").expanduser()
        if not folder.is_dir():
            return
        for found in sorted(islice(folder.iterdir(), _MOST_FILES)):
            is_begun = found.name.startswith(name) if name else not found.name.startswith(".")
            if not is_begun:
                continue
            if found.is_dir():
                yield from [f"{start}{found.name}/"] if folders else []
            elif found.suffix.casefold() in endings:
                yield f"{start}{found.name}"

    def columns(self, question: str) -> tuple[str, ...]:
        """Return the columns of the tables that a question names; of all variables where it names none yet."""
        variables, paths = self._meant(question)
        names = [name for table in variables for name in column_names(table)]
        names += [name for path in paths for name in _columns_of_file(path)]
        return tuple(dict.fromkeys(names))

    def values(self, question: str) -> tuple[str, ...]:
        """Return the texts that stand in the first rows of the variables that a question may be about."""
        found = (value for table in self._meant(question)[0] for value in _texts_in(table))
        return tuple(dict.fromkeys(found))

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the active tools."""
        return tuple(tool.name for tool in self.open_registry().indexed())

    @property
    def waiting(self) -> tuple[str, ...]:
        """The ids of the answers that wait for a decision, newest first."""
        return tuple(candidate.tool_id for candidate in self.open_registry().staged())

    def versions(self, name: str) -> tuple[str, ...]:
        """Return the versions of a tool, newest first."""
        return tuple(tool.version for tool in self.open_registry().versions(name))

    def tool(self, name: str) -> PromotedTool:
        """Return an active tool; raises `UnknownTool`."""
        return self.open_registry().tool(name)

    def _meant(self, question: str) -> tuple[list[object], list[Path]]:
        tables = self.tables
        named = [table for name, table in tables.items() if name in re.findall(r"\w+", question)]
        paths = [self.folder / Path(path).expanduser() for path in paths_in(question)]
        files = [path for path in paths if path.is_file()]
        return (named if named or files else list(tables.values())[:MOST_TABLES]), files


def _columns_of_file(path: Path) -> tuple[str, ...]:
    from jupyter_mcpgen.data.column_names import column_names_of  # deferred: loads pandas

    return column_names_of(path)


def _texts_in(table: Any) -> Iterator[str]:
    """Yield the short texts of a table's first rows, column by column."""
    first = _first_rows(table)
    if first is None:
        return
    for place in range(min(first.shape[1], _MOST_COLUMNS)):
        column = first.iloc[:, place]
        if column.dtype.kind in "OT" or str(column.dtype) in ("category", "str", "string"):
            for value in column.drop_duplicates().tolist():
                if isinstance(value, str) and 0 < len(value) <= _LONGEST_VALUE and value.isprintable():
                    yield value


def _first_rows(table: Any) -> pd.DataFrame | None:
    """Return the first rows of a table as pandas; nothing of a lazy one, whose query would run."""
    columns = column_names(table)
    if not columns or is_lazy(table):
        return None
    rows = min(LOOKED_AT, _MOST_CELLS // len(columns))
    import pandas as pd  # deferred: it is there where such a variable is

    first = table.head(rows) if hasattr(type(table), "head") else table.slice(0, rows)
    if isinstance(first, pd.DataFrame):
        return first
    import pyarrow as pa  # deferred, as pandas

    taken: pd.DataFrame = pa.table(first).to_pandas()
    return taken
