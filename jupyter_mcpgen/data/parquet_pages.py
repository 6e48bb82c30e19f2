"""How many bytes the pages of a Parquet file take once they are unpacked, by what stands before each of them.

The footer says it too, and no reader holds it to that; but a page is unpacked into a buffer of the length that stands
before it, and no further. Those descriptions are a few numbers in Thrift's compact notation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jupyter_mcpgen.data.arrow_messages import Part

if TYPE_CHECKING:
    import pyarrow.parquet as parquet

_LONGEST_DESCRIPTION, _SHORT_DESCRIPTION = 1 << 24, 1 << 10
# the numbers of fields in Parquet's own description of its pages
_UNPACKED, _PACKED, _DATA, _DATA_SINCE_2 = 2, 3, 5, 8
_VALUES, _ENCODING, _ENCODING_SINCE_2 = 1, 2, 4
_BY_THE_ONE_BEFORE = 7
# what Thrift calls its kinds of values
_STOP, _TRUE, _FALSE, _BYTE, _INTEGERS, _DOUBLE, _TEXT, _LISTS, _STRUCT = 0, 1, 2, 3, (4, 5, 6), 7, 8, (9, 10), 12
_MANY, _DEEPEST = 15, 8


class _Incomplete(Exception):
    """A description goes on behind what was read of it."""


@dataclass(frozen=True)
class Pages:
    """The bytes of the pages of a part of a column, and whether values in them say only how they differ.

    Those begin with what the one before them begins with, which may be nearly all of each.
    """

    unpacked: int
    is_by_the_one_before: bool


@dataclass(frozen=True)
class _Page:
    """A page: how long its description is, how long it is packed and unpacked, and its values, none of a dictionary."""

    described: int
    packed: int
    unpacked: int
    values: int
    is_by_the_one_before: bool


def pages_of(part: Part, chunk: parquet.ColumnChunkMetaData) -> Pages:
    """Return what the pages of a part of a column take; raises `ValueError` where they do not say."""
    at = int(chunk.data_page_offset)
    if chunk.has_dictionary_page and 0 < chunk.dictionary_page_offset < at:
        at = int(chunk.dictionary_page_offset)
    unpacked = values = 0
    is_by_the_one_before = False
    # What the footer says of the length of it all is not used: whoever reads goes on until there are enough values.
    while values < chunk.num_values:
        page = _page(part, at)
        at += page.described + page.packed
        values += page.values
        unpacked += max(page.unpacked, page.packed)
        is_by_the_one_before |= page.is_by_the_one_before
    return Pages(unpacked, is_by_the_one_before)


def _page(part: Part, at: int) -> _Page:
    for length in _lengths():
        data = part(at, length)
        try:
            fields, described = _struct(data, 0, 0)
        except _Incomplete:
            if len(data) < length:
                break
            continue
        held, encoding = fields.get(_DATA), _ENCODING
        if held is None:
            held, encoding = fields.get(_DATA_SINCE_2, {}), _ENCODING_SINCE_2
        if not isinstance(held, dict):
            break
        by_the_one_before = held.get(encoding) == _BY_THE_ONE_BEFORE
        packed, unpacked, values = _length(fields, _PACKED), _length(fields, _UNPACKED), _length(held, _VALUES)
        return _Page(described, packed, unpacked, values, by_the_one_before)
    raise ValueError("a page lies about its own layout")


def _length(fields: _Fields, field: int) -> int:
    """Return a number that is not negative, 0 where it is left out."""
    found = fields.get(field, 0)
    if not isinstance(found, int) or found < 0:
        raise ValueError("a page lies about its own length")
    return found


def _lengths() -> Iterator[int]:
    length = _SHORT_DESCRIPTION
    while length <= _LONGEST_DESCRIPTION:
        yield length
        length *= 4


_Fields = dict[int, "int | _Fields"]


def _struct(data: bytes, at: int, depth: int) -> tuple[_Fields, int]:
    """Return the numbers and records of a record by the numbers of their fields, and where it ends."""
    if depth > _DEEPEST:
        raise ValueError("a page lies about its own layout")
    fields: _Fields = {}
    field = 0
    while True:
        head = _byte(data, at)
        at += 1
        kind, step = head & 0xF, head >> 4
        if kind == _STOP:
            return fields, at
        if step:
            field += step
        else:
            field, at = _integer(data, at)
        if kind in _INTEGERS:
            fields[field], at = _integer(data, at)
        elif kind == _STRUCT:
            fields[field], at = _struct(data, at, depth + 1)
        elif kind not in (_TRUE, _FALSE):
            at = _behind(data, at, kind, depth + 1)


def _behind(data: bytes, at: int, kind: int, depth: int) -> int:
    """Return where a value ends that nobody needs."""
    if kind in (_TRUE, _FALSE, _BYTE):
        return at + 1
    if kind in _INTEGERS:
        return _varint(data, at)[1]
    if kind == _DOUBLE:
        return at + 8
    if kind == _TEXT:
        length, at = _varint(data, at)
        return at + length
    if kind == _STRUCT:
        return _struct(data, at, depth)[1]
    if kind not in _LISTS or depth > _DEEPEST:
        raise ValueError("a page lies about its own layout")
    head = _byte(data, at)
    count, at = (head >> 4, at + 1) if head >> 4 < _MANY else _varint(data, at + 1)
    for _ in range(count):
        at = _behind(data, at, head & 0xF, depth + 1)
    return at


def _integer(data: bytes, at: int) -> tuple[int, int]:
    number, at = _varint(data, at)
    return (number >> 1) ^ -(number & 1), at


def _varint(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = _byte(data, at)
        number, at, shift = number | (byte & 0x7F) << shift, at + 1, shift + 7
        if byte < 0x80:
            return number, at
        if shift > 63:
            raise ValueError("a page lies about its own layout")


def _byte(data: bytes, at: int) -> int:
    if at >= len(data):
        raise _Incomplete
    return data[at]
