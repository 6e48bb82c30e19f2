"""How many rows and columns the table in a JSON document has, counted piece by piece and never parsed as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_OPENING, _CLOSING, _COMMA, _QUOTE = b"[{", b"]}", b",", b'"'
_LIST, _OBJECT = _OPENING
_OTHERS = bytes(set(range(256)) - {*_OPENING, *_CLOSING, *_COMMA})
_HEAD_BYTES = 4096


def json_extent(pieces: Iterable[bytes]) -> tuple[int, int]:
    """Return the rows and columns of a list of objects, or of one object of lists or objects of the same length.

    The columns of a list are those of its first object. What is neither has none; of what is no JSON they mean nothing.
    """
    found, head = _Counted(), b""
    for piece in pieces:
        head += piece[: _HEAD_BYTES - len(head)]
        found.count(piece)
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if found.second_level_of not in {b"{": ({_LIST}, {_OBJECT}), b"[": ({_OBJECT},)}.get(first, ()):
        return 0, 0
    if first == b"[":
        return found.first_level + 1, found.of_first_row + 1
    columns = found.first_level + 1
    return found.second_level // columns + 1, columns


class _Counted:
    """The commas at the first and at the second level of a document, as far as it was read."""

    def __init__(self) -> None:
        self.first_level = self.second_level = self.of_first_row = 0
        self.second_level_of: set[int] = set()
        self._has_first_row = False
        self._depth = 0
        self._is_text = False
        self._unread = b""

    def count(self, chunk: bytes) -> None:
        """Count what another piece of the document has."""
        import numpy as np  # deferred: 80 ms

        outside = np.frombuffer(self._outside_of_text(chunk), dtype=np.uint8)
        commas, lists, objects = (outside == sign for sign in (*_COMMA, *_OPENING))
        opens = lists | objects
        closes = ~(opens | commas)
        depth = self._depth + np.cumsum(opens.astype(np.int64) - closes)
        self.first_level += int(np.count_nonzero(commas & (depth == 1)))
        self.second_level += int(np.count_nonzero(commas & (depth == 2)))
        for sign, there in ((_LIST, lists), (_OBJECT, objects)):
            if np.any(there & (depth == 2)):
                self.second_level_of.add(sign)
        self._count_first_row(commas, closes, depth)
        self._depth = int(depth[-1]) if len(depth) else self._depth

    def _count_first_row(
        self, commas: npt.NDArray[np.bool_], closes: npt.NDArray[np.bool_], depth: npt.NDArray[np.int64]
    ) -> None:
        if self._has_first_row:
            return
        ends = (closes & (depth == 1)).nonzero()[0]
        end = int(ends[0]) if len(ends) else len(depth)
        self.of_first_row += int((commas[:end] & (depth[:end] == 2)).sum())
        self._has_first_row = len(ends) > 0

    def _outside_of_text(self, chunk: bytes) -> bytes:
        """Return the marks of a piece outside of its texts, whichever of those began before it or go on after it."""
        plain = (self._unread + chunk).replace(b"\\\\", b"")
        self._unread = plain[-1:] if plain.endswith(b"\\") else b""
        parts = plain.removesuffix(self._unread).replace(b'\\"', b"").split(_QUOTE)
        outside = b"".join(parts[int(self._is_text) :: 2])
        self._is_text ^= len(parts) % 2 == 0
        return outside.translate(None, _OTHERS)
