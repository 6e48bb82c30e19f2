"""What the messages of an Arrow file or stream say of their batches, read from the descriptions and never unpacked.

Arrow describes each batch in a flatbuffer before its values: how many rows it has and where its buffers are. A buffer
that is compressed begins with how long it is unpacked, and no reader takes more out of it than that.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Self

Part = Callable[[int, int], bytes]
"""Gives as many bytes of a file as asked for, from a place in it: fewer where it ends."""

_FILE = b"ARROW1"
_CONTINUED = 0xFFFFFFFF
_LONGEST_DESCRIPTION = 1 << 26
# the numbers of fields in Arrow's own description of its messages
_VERSION, _KIND, _HEADER, _BODY_LENGTH, _NOTES = range(5)
_DICTIONARIES, _BATCHES = 2, 3
_BATCH_OF_A_DICTIONARY = 1
_ROWS, _, _BUFFERS, _COMPRESSION = range(4)
_SCHEMA, _DICTIONARY, _BATCH = 1, 2, 3
_LISTED = {_DICTIONARIES: (_DICTIONARY,), _BATCHES: (_BATCH,)}
_VERSION_WITH_COMPRESSION = 4


@dataclass(frozen=True)
class Batch:
    """The rows of a batch, none for the words of a dictionary, and its bytes once they are unpacked."""

    rows: int
    unpacked: int


def batches(part: Part, size: int) -> Iterator[Batch]:
    """Yield what each batch of a file or stream of so many bytes takes; raises `ValueError` where it does not say."""
    try:
        if part(0, len(_FILE)) == _FILE:
            yield from _of_file(part, size)
        else:
            yield from _of_stream(part, size)
    except struct.error as error:
        raise ValueError("a message lies about its own layout") from error


def _of_file(part: Part, size: int) -> Iterator[Batch]:
    """Yield the batches that the footer lists, as often as it lists them: that is how a file is read."""
    ending = struct.calcsize("<i") + len(_FILE)
    (length,) = struct.unpack_from("<i", part(size - ending, ending))
    footer = _Table.root(_described(part, size - ending - length, length))
    for field in (_DICTIONARIES, _BATCHES):
        for at, described, _ in footer.structs(field, "<qi4xq"):
            message = _Table.root(_described(part, *_description(part, at)))
            yield _batch(message, part, at + described, _LISTED[field])


def _of_stream(part: Part, size: int) -> Iterator[Batch]:
    """Yield the batches of a stream; a schema is what it begins with, and nothing but batches comes after."""
    at = 0
    while at < size:
        place, length = _description(part, at)
        if length == 0:
            return
        message = _Table.root(_described(part, place, length))
        if at > 0 or message.number(_KIND, "<B") != _SCHEMA:
            yield _batch(message, part, place + length, (_DICTIONARY, _BATCH))
        at = place + length + message.number(_BODY_LENGTH, "<q")


def _description(part: Part, at: int) -> tuple[int, int]:
    """Return where the description of a message is, and its length; before Arrow 0.15 there was no mark before it."""
    word = part(at, 8)
    (first,) = struct.unpack_from("<I", word)
    return (at + 8, int(struct.unpack_from("<i", word, 4)[0])) if first == _CONTINUED else (at + 4, int(first))


def _batch(message: _Table, part: Part, body: int, kinds: tuple[int, ...]) -> Batch:
    """Return what a batch takes whose buffers are behind a place; raises `ValueError` for a message of other kinds."""
    kind = message.number(_KIND, "<B")
    if kind not in kinds:
        raise ValueError("a message that should be a batch is none")
    header = message.table(_HEADER)
    batch = header if kind == _BATCH else header.table(_BATCH_OF_A_DICTIONARY)
    # before there was a field for it, compression stood among the notes
    old = message.number(_VERSION, "<h") < _VERSION_WITH_COMPRESSION and message.has(_NOTES)
    lengths = list(batch.structs(_BUFFERS, "<qq"))
    unpacked = sum(length for _, length in lengths)
    if batch.has(_COMPRESSION) or old:
        unpacked = sum(_unpacked(part, body + start, length) for start, length in lengths)
    return Batch(batch.number(_ROWS, "<q") if kind == _BATCH else 0, unpacked)


def _unpacked(part: Part, at: int, length: int) -> int:
    """Return how long a compressed buffer says that it is; -1 stands before one that is not compressed after all."""
    if length == 0:
        return 0
    (said,) = struct.unpack_from("<q", part(at, 8))
    if said < -1:
        raise ValueError("a buffer lies about its own length")
    return length if said == -1 else int(said)


def _described(part: Part, at: int, length: int) -> bytes:
    if at < 0 or not 0 < length <= _LONGEST_DESCRIPTION:
        raise ValueError("a message lies about its own length")
    return part(at, length)


@dataclass(frozen=True)
class _Table:
    """A table inside a flatbuffer."""

    data: bytes
    place: int

    @classmethod
    def root(cls, data: bytes) -> Self:
        return cls(data, int(struct.unpack_from("<I", data)[0]))

    def has(self, field: int) -> bool:
        return self._at(field) != 0

    def number(self, field: int, form: str) -> int:
        """Return a number that is not negative, 0 where it is left out."""
        at = self._at(field)
        found = int(struct.unpack_from(form, self.data, at)[0]) if at else 0
        if found < 0:
            raise ValueError("a message lies about its own length")
        return found

    def table(self, field: int) -> _Table:
        return _Table(self.data, self._target(field))

    def structs(self, field: int, form: str) -> Iterator[tuple[int, ...]]:
        """Yield the records of a list; raises `ValueError` for a negative number in one."""
        if not self.has(field):
            return
        start = self._target(field)
        (count,) = struct.unpack_from("<I", self.data, start)
        for at in range(start + 4, start + 4 + count * struct.calcsize(form), struct.calcsize(form)):
            found = struct.unpack_from(form, self.data, at)
            if min(found) < 0:
                raise ValueError("a message lies about its own length")
            yield found

    def _target(self, field: int) -> int:
        at = self._at(field)
        if at == 0:
            raise ValueError("a message lacks its header")
        return at + int(struct.unpack_from("<I", self.data, at)[0])

    def _at(self, field: int) -> int:
        """Return where a field is, 0 where it is left out."""
        layout = self.place - int(struct.unpack_from("<i", self.data, self.place)[0])
        if layout < 0:
            raise ValueError("a message lies about its own layout")
        (size,) = struct.unpack_from("<H", self.data, layout)
        entry = 4 + 2 * field
        found = int(struct.unpack_from("<H", self.data, layout + entry)[0]) if entry + 2 <= size else 0
        return self.place + found if found else 0
