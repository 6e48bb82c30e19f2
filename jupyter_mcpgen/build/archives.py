"""Wheels and source archives as bytes that are the same for the same files, on every machine and at any time.

They are written here and not by a build backend: none is needed to install, none is fetched, and no compiler of
anybody's zlib changes a byte, because nothing is compressed. The source archive names `hatchling`, with which people
build it again.
"""

from __future__ import annotations

import base64
import hashlib
import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping

EPOCH = 315_532_800
"""1980-01-01, the earliest time that a zip archive can say."""
_MODE = 0o644
_LONGEST_BLOCK = 65_535


def wheel(stem: str, files: Mapping[str, bytes], metadata: bytes, scripts: Mapping[str, str]) -> bytes:
    """Return a wheel of pure Python: its files, metadata and console scripts; `stem` is its name and version."""
    info = f"{stem}.dist-info"
    entries = "".join(f"{name} = {entry}\n" for name, entry in sorted(scripts.items()))
    about = "Wheel-Version: 1.0\nGenerator: jupyter-mcpgen\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    whole = {
        **dict(sorted(files.items())),
        f"{info}/METADATA": metadata,
        f"{info}/WHEEL": about.encode(),
        f"{info}/entry_points.txt": f"[console_scripts]\n{entries}".encode(),
    }
    record = "".join(f"{name},sha256={_digest(content)},{len(content)}\n" for name, content in whole.items())
    return _zipped({**whole, f"{info}/RECORD": f"{record}{info}/RECORD,,\n".encode()})


def source_archive(stem: str, files: Mapping[str, bytes]) -> bytes:
    """Return a `.tar.gz` with all files in one folder, or, where that has no name, without a folder."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(f"{stem}/{name}" if stem else name)
            entry.size, entry.mtime, entry.mode = len(content), EPOCH, _MODE
            archive.addfile(entry, io.BytesIO(content))
    return _gzipped(buffer.getvalue())


def _zipped(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system, entry.external_attr = 3, (0o100000 | _MODE) << 16  # as on Unix, wherever it is made
            archive.writestr(entry, content)
    return buffer.getvalue()


def _gzipped(content: bytes) -> bytes:
    """Return content as a gzip file of stored blocks (RFC 1951, 3.2.4)."""
    head = b"\x1f\x8b\x08\x00" + struct.pack("<L", EPOCH) + b"\x00\xff"
    return b"".join([head, *_blocks(content), struct.pack("<LL", zlib.crc32(content), len(content) & 0xFFFFFFFF)])


def _blocks(content: bytes) -> Iterator[bytes]:
    for begin in range(0, max(1, len(content)), _LONGEST_BLOCK):
        block = content[begin : begin + _LONGEST_BLOCK]
        is_last = begin + _LONGEST_BLOCK >= len(content)
        yield struct.pack("<BHH", is_last, len(block), len(block) ^ 0xFFFF) + block


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
