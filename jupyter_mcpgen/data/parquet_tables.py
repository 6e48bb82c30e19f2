"""Tables of millions of rows that stay in their Parquet file: what is asked of them is read there, and no more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as parquet

from jupyter_mcpgen.plan.emit.duckdb import labels
from jupyter_mcpgen.toolkit.columns import plain_types

if TYPE_CHECKING:
    from pyarrow.dataset import Dataset

LEAST_ROWS = 1_000_000
"""A table of fewer rows is loaded: that takes less time than asking its file several times."""
_LARGEST_EXACT = 2**53
_PANDAS = "index_columns"


@dataclass(frozen=True)
class ParquetTable:
    """A Parquet file whose columns mean the same in SQL as in the frame that pandas makes of it.

    `schema` has the types that the frame has: whole numbers with gaps are decimal fractions there.
    """

    path: str
    schema: pa.Schema
    rows: int
    bytes: int
    """About how much memory the whole table takes."""

    @classmethod
    def of(cls, path: str) -> ParquetTable | None:
        """Return the table of a file; None for one that has few rows, or columns that change when they are loaded."""
        with parquet.ParquetFile(path) as file:
            if file.metadata.num_rows < LEAST_ROWS or _has_named_rows(file.schema_arrow):
                return None
            types = list(takewhile(bool, _plain_types(file)))  # behind a nested column, places are others in the file
            names = file.schema_arrow.names
            if len(types) < len(names) or len(set(names)) < len(names) or list(labels(names).values()) != names:
                return None
            fields = zip(names, types, strict=True)
            groups = range(file.metadata.num_row_groups)
            size = sum(file.metadata.row_group(group).total_byte_size for group in groups)
            table = cls(path, pa.schema(list(fields)), file.metadata.num_rows, size)
        return table if table._is_plain() else None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.schema.names)

    @cached_property
    def dataset(self) -> Dataset:
        """What a query reads of the file: the columns and rows that it asks for."""
        import pyarrow.dataset  # deferred: 40 ms

        return pyarrow.dataset.dataset(self.path, schema=self.schema, format="parquet")

    def read(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """Return the table as it is when it is loaded, or some of its columns."""
        return plain_types(self.dataset.to_table(columns=columns).to_pandas())

    def every(self, step: int) -> pd.DataFrame:
        """Return the first of every so many rows, read column by column: so little is held at a time."""
        columns = [pa.chunked_array(self._every(name, step), self.schema.field(name).type) for name in self.names]
        return plain_types(pa.table(columns, schema=self.schema).to_pandas())

    def _every(self, name: str, step: int) -> Iterator[pa.Array]:
        before = 0
        for part in self._column(name):
            yield part.take(pa.array(range(-before % step, len(part), step), pa.int64()))
            before += len(part)

    def ends(self) -> dict[str, tuple[int, Any, Any]] | None:
        """Return how many values each column has, the smallest and the largest, as the file says; None if it does not.

        Only numbers and dates have ends.
        """
        with parquet.ParquetFile(self.path) as file:
            found = {field: _statistics(file, place) for place, field in enumerate(self.schema)}
            told = [
                each.has_null_count and (each.has_min_max or each.num_values == 0 or not _has_ends(field))
                for field, parts in found.items()
                for each in parts
            ]
            if not all(told) or len(told) < len(found) * file.metadata.num_row_groups:
                return None
        return {field.name: _ends(field, parts) for field, parts in found.items()}

    def _is_plain(self) -> bool:
        """Tell whether nothing in the columns is read otherwise by pandas: gaps that are no gaps, objects in texts."""
        reals = [field.name for field in self.schema if pa.types.is_floating(field.type)]
        texts = [field.name for field in self.schema if pa.types.is_string(field.type)]
        if not all(any(map(_has_other_than_objects, self._column(name))) for name in texts):
            return False
        return not any(pc.any(pc.is_nan(part)).as_py() for name in reals for part in self._column(name))

    def _column(self, name: str) -> Iterator[pa.Array]:
        """Yield the values of a column, few of them read ahead."""
        batches = self.dataset.scanner(columns=[name], batch_readahead=2, fragment_readahead=1).to_batches()
        return (batch.column(0) for batch in batches)


Rows = pd.DataFrame | ParquetTable
"""The rows of a table, loaded or not."""


def names_of(rows: Rows) -> tuple[str, ...]:
    """Return the names of the columns."""
    return rows.names if isinstance(rows, ParquetTable) else tuple(map(str, rows.columns))


def count_of(rows: Rows) -> int:
    """Return how many rows there are."""
    return rows.rows if isinstance(rows, ParquetTable) else len(rows)


def memory_of(rows: Rows) -> int:
    """Return about how many bytes of memory a table takes once it is loaded."""
    return rows.bytes if isinstance(rows, ParquetTable) else int(rows.memory_usage(deep=True).sum())


def columns_of(rows: Rows, names: Sequence[str]) -> pd.DataFrame:
    """Return some columns, loaded."""
    return rows.read(names) if isinstance(rows, ParquetTable) else rows[list(names)]


def _has_other_than_objects(words: pa.Array) -> bool:
    return bool(pc.any(pc.invert(pc.starts_with(pc.utf8_ltrim_whitespace(words), "{"))).as_py())


def _has_named_rows(schema: pa.Schema) -> bool:
    """Tell whether pandas wrote labels of rows into the file, which become columns when it is loaded."""
    about = schema.pandas_metadata
    labels_of_rows = () if about is None else about.get(_PANDAS, ())
    return any(not isinstance(index, dict) or index["name"] is not None for index in labels_of_rows)


def _plain_types(file: parquet.ParquetFile) -> Iterator[pa.DataType | None]:
    """Yield the type that each column has in a frame; None for one whose values change."""
    for place, field in enumerate(file.schema_arrow):
        kind = field.type
        if pa.types.is_integer(kind) and kind != pa.uint64():
            yield _type_of_whole_numbers(file, place)
        elif pa.types.is_floating(kind):
            yield pa.float64()
        elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
            yield pa.string()
        elif pa.types.is_boolean(kind):
            yield pa.bool_() if _has_values(file, place) else None  # without a value there is no type
        elif kind == pa.timestamp("us") or kind == pa.timestamp("ms") or kind == pa.timestamp("s"):
            yield pa.timestamp("us")
        else:
            yield None


def _type_of_whole_numbers(file: parquet.ParquetFile, place: int) -> pa.DataType | None:
    """Return the type of whole numbers in a frame: pandas makes decimal fractions of them where some are missing."""
    found = _statistics(file, place)
    if len(found) < file.metadata.num_row_groups or not all(each.has_null_count for each in found):
        return None
    if not any(each.null_count for each in found):
        return pa.int64()
    ends = [end for each in found if each.has_min_max for end in (each.min, each.max)]
    exact = bool(ends) and all(abs(end) <= _LARGEST_EXACT for end in ends)
    return pa.float64() if exact else None


def _ends(field: pa.Field, found: list[parquet.Statistics]) -> tuple[int, Any, Any]:
    present = sum(each.num_values for each in found)
    ranged = [each for each in found if each.has_min_max] if _has_ends(field) else []
    if not ranged:
        return present, None, None
    ends = pa.array([end for each in ranged for end in (each.min, each.max)]).cast(field.type)
    both = pc.min_max(ends)
    return present, both["min"].as_py(), both["max"].as_py()


def _has_ends(field: pa.Field) -> bool:
    return not pa.types.is_string(field.type) and not pa.types.is_boolean(field.type)


def _has_values(file: parquet.ParquetFile, place: int) -> bool:
    return any(each.has_min_max for each in _statistics(file, place))


def _statistics(file: parquet.ParquetFile, place: int) -> list[parquet.Statistics]:
    """Return what is written of a column in the parts of a file, of those parts that have it."""
    groups = range(file.metadata.num_row_groups)
    found = (file.metadata.row_group(group).column(place).statistics for group in groups)
    return [each for each in found if each is not None]
