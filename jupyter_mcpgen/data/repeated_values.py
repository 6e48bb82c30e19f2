"""How many bytes the values of a columnar file take once each is written out, where the file stores them once.

A column may name one long text a million times: by words in a dictionary, by runs, or by views of the same bytes. A
frame holds each of them apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jupyter_mcpgen.data.one_look import OneLook
from jupyter_mcpgen.data.parquet_pages import pages_of

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as parquet

_FILE = b"ARROW1"
_ROWS_AT_ONCE = 1 << 20
_TEXTS = ("string", "large_string", "binary", "large_binary")
_VIEWS = ("string_view", "binary_view")
_WORDS_OF_A_VIEW = 4


def bytes_in_arrow(look: OneLook, most: int) -> int:
    """Return the bytes of the columns of an Arrow file that store values once, as soon as they are more than `most`.

    The file was seen to be of fewer bytes before. Raises `ValueError` for values that cannot be told.
    """
    import pyarrow as pa  # deferred: 60 ms

    with pa.OSFile(look.place) as source:
        is_file = source.read(len(_FILE)) == _FILE
        source.seek(0)
        schema = (pa.ipc.open_file if is_file else pa.ipc.open_stream)(source).schema
        source.seek(0)
        named = [number for number, kind in enumerate(schema.types) if _repeats(kind)]
        options = pa.ipc.IpcReadOptions(included_fields=named)
        if not named:
            return 0
        if not is_file:
            return _sum(pa.ipc.open_stream(source, options=options), look, most)
        reader = pa.ipc.open_file(source, options=options)
        return _sum(map(reader.get_batch, range(reader.num_record_batches)), look, most)


def bytes_in_parquet(look: OneLook, most: int) -> int:
    """Return the bytes of the texts in a Parquet file, as soon as they are more than `most`, 0 where they cannot be.

    Its words are read, of which there are few; the texts themselves only where the longest word is long enough.
    """
    import pyarrow.parquet as parquet  # deferred: 60 ms

    suspects = list(_chunks_of_texts(parquet.read_metadata(look.place), look))
    if sum(chunk.most for chunk in suspects) <= most:
        return 0
    wordless = {chunk.column for chunk in suspects if not chunk.has_words}
    names = list(dict.fromkeys(chunk.column for chunk in suspects))
    file = parquet.ParquetFile(look.place, read_dictionary=[name for name in names if name not in wordless])
    likely = 0
    for chunk in suspects:
        known = chunk.most > most // len(suspects) and chunk.column not in wordless
        longest = _longest_word(file, chunk) if known else None
        likely += chunk.most if longest is None else min(chunk.most, chunk.size + chunk.values * longest)
        look.require_time()
    # No value is longer than all that is stored: so many of them are no more than what is allowed together.
    longest = max((chunk.size for chunk in suspects if not chunk.has_words), default=1)
    at_once = max(1, min(_ROWS_AT_ONCE, most // max(1, longest))) if wordless else _ROWS_AT_ONCE
    return _sum(file.iter_batches(at_once, columns=names), look, most) if likely > most else 0


@dataclass(frozen=True)
class _Chunk:
    """The part of a column of texts in one group of rows: how many values it has, and its bytes with each word once.

    It has no words where each value says what of the one before it begins with, which may be nearly all.
    """

    group: int
    column: str
    values: int
    size: int
    has_words: bool

    @property
    def most(self) -> int:
        return self.values * self.size


def _chunks_of_texts(facts: parquet.FileMetaData, look: OneLook) -> Iterator[_Chunk]:
    for number in range(facts.num_row_groups):
        group = facts.row_group(number)
        for place in range(group.num_columns):
            chunk = group.column(place)
            if chunk.physical_type == "BYTE_ARRAY":
                pages = pages_of(look.part, chunk)
                size = max(chunk.total_uncompressed_size, pages.unpacked)
                yield _Chunk(number, chunk.path_in_schema, chunk.num_values, size, not pages.is_by_the_one_before)
            look.require_time()


def _longest_word(file: parquet.ParquetFile, chunk: _Chunk) -> int | None:
    """Return how long the longest word of a dictionary is, which stands whole beside any row; None without one."""
    for batch in file.iter_batches(1, row_groups=[chunk.group], columns=[chunk.column]):
        return max(map(_longest, batch.columns), default=None)
    return None


def _longest(array: pa.Array) -> int:
    import pyarrow as pa  # deferred: 60 ms
    import pyarrow.compute as pc

    if pa.types.is_dictionary(array.type):
        return int(pc.max(_lengths(array.dictionary)).as_py() or 0)
    if pa.types.is_struct(array.type):
        return max(map(_longest, array.flatten()), default=0)
    if pa.types.is_map(array.type):
        return max(_longest(array.keys), _longest(array.items))
    return _longest(array.values) if array.type.num_fields else int(array.nbytes)


def _sum(batches: Iterator[pa.RecordBatch], look: OneLook, most: int) -> int:
    total = 0
    for batch in batches:
        batch.validate(full=True)
        total += sum(map(_written, batch.columns))
        if total > most:
            break
        look.require_time()
    return total


def _repeats(kind: pa.DataType) -> bool:
    """Tell whether a type stores values that may stand in several places, or holds one that does."""
    import pyarrow as pa  # deferred: 60 ms

    plain = not (pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind) or str(kind) in _VIEWS)
    shared = pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind)
    return not plain or shared or any(_repeats(kind.field(at).type) for at in range(kind.num_fields))


def _written(array: pa.Array) -> int:
    """Return the bytes of an array with each of its values written out."""
    import pyarrow as pa  # deferred: 60 ms
    import pyarrow.compute as pc

    kind = array.type
    if pa.types.is_dictionary(kind):
        return int(pc.sum(pc.take(_lengths(array.dictionary), array.indices)).as_py() or 0)
    if pa.types.is_run_end_encoded(kind):
        return int(pc.sum(pc.multiply(_lengths(array.values), _runs(array.run_ends))).as_py() or 0)
    if pa.types.is_struct(kind):
        return sum(map(_written, array.flatten()))
    if pa.types.is_map(kind):
        return _written(array.keys) + _written(array.items)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return _written(array.flatten())
    if str(kind) in _VIEWS:
        return int(pc.sum(_lengths(array)).as_py() or 0)
    if kind.num_fields:
        raise ValueError(f"values of the type `{kind}` may share what they hold")
    return int(array.nbytes)


def _lengths(array: pa.Array) -> pa.Array:
    """Return how many bytes each value has."""
    import numpy as np
    import pyarrow as pa  # deferred: 60 ms
    import pyarrow.compute as pc

    if str(array.type) in _TEXTS:
        return pc.cast(pc.binary_length(array), pa.int64())
    if str(array.type) in _VIEWS:
        words = np.frombuffer(array.buffers()[1], dtype="<i4")[array.offset * _WORDS_OF_A_VIEW :: _WORDS_OF_A_VIEW]
        return pa.array(words[: len(array)].astype("i8"), mask=array.is_null().to_numpy(zero_copy_only=False))
    if array.type.num_fields:
        raise ValueError(f"values of the type `{array.type}` stand in several places")
    return pa.array(np.full(len(array), -(-array.nbytes // max(len(array), 1)), dtype="i8"))


def _runs(ends: pa.Array) -> pa.Array:
    import numpy as np
    import pyarrow as pa  # deferred: 60 ms

    return pa.array(np.diff(ends.to_numpy().astype("i8"), prepend=0))
