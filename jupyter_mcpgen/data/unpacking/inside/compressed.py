"""Compressed files: unpacked as a stream that ends at a bound, whatever the file says of its own size."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO

from .kinds import Kind
from .outcome import CannotUnpack

_PIECE_BYTES = 1 << 16
_MOST_BYTES = 2 << 30
_RATIO, _GRACE_BYTES = 200, 64 << 20


def most_unpacked(packed: int) -> int:
    """Return how large a file may get that is so large when packed."""
    return min(_MOST_BYTES, _RATIO * packed + _GRACE_BYTES)


def decompress(path: Path, kind: Kind, into: Path) -> None:
    """Unpack a compressed file; raises `CannotUnpack` for one that is broken or too large."""
    with _opened(path, kind) as packed:
        copy_bounded(packed, into, most_unpacked(path.stat().st_size), f"this {kind.value} file")


def copy_bounded(source: IO[bytes], into: Path, most: int, what: str) -> None:
    """Write a stream to a file, piece by piece; raises `CannotUnpack` where it is broken or longer than the bound."""
    written = 0
    with into.open("wb") as target:
        try:
            while piece := source.read(_PIECE_BYTES):
                written += len(piece)
                if written > most:
                    raise CannotUnpack(
                        f"{what} unpacks to more than {most >> 20:,} MB, the most for a file of its size. "
                        "Unpack it yourself if you trust it, and name the unpacked file."
                    )
                target.write(piece)
        except EOFError as error:
            raise CannotUnpack(f"{what} ends too early. Fetch or copy it again: it is not complete.") from error
        except _BROKEN as error:
            raise CannotUnpack(f"{what} is damaged ({error}). Fetch or copy it again.") from error
    if written == 0:
        raise CannotUnpack(f"{what} has nothing in it. Check that you named the right file.")


def _opened(path: Path, kind: Kind) -> IO[bytes]:
    if kind is Kind.ZSTD:
        import pyarrow as pa  # deferred: only this format needs it, and Python has it from 3.14 on only

        return pa.CompressedInputStream(pa.OSFile(str(path)), "zstd")  # type: ignore[no-any-return]
    open_: Callable[..., IO[bytes]] = {Kind.GZIP: gzip.open, Kind.BZIP2: bz2.open, Kind.XZ: lzma.open}[kind]  # type: ignore[assignment]
    return open_(path, "rb")


_BROKEN = (OSError, zlib.error, lzma.LZMAError, ValueError)
