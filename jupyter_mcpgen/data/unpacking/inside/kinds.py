"""What a file is, told by its first bytes and never by its name alone."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

HEAD_BYTES = 4096
_PARQUET_NAMES = (".parquet", ".pq")
_ARROW_NAMES = (".feather", ".arrow", ".ipc")
_WEB_NAMES = (".html", ".htm")
_WEB_BEGINNINGS = (b"<!doctype html", b"<html", b"<table", b"<head", b"<body", b"<meta")
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_DUCKDB_AT, _TAR_AT = 8, 257
_LOOKED_AT, _LEAST_LINES = 20, 3


class Kind(StrEnum):
    """What a file is; `PLAIN` is everything that the reader of tables takes as it is, or says what is wrong with it."""

    PLAIN = "plain"
    GZIP = "gzip"
    BZIP2 = "bzip2"
    XZ = "xz"
    ZSTD = "zstd"
    ZIP = "zip"
    COMPOUND = "compound"
    SQLITE = "sqlite"
    DUCKDB = "duckdb"
    ORC = "orc"
    FEATHER_1 = "feather 1"
    PARQUET = "parquet"
    ARROW = "arrow"
    TAR = "tar"
    JSON = "json"
    XML = "xml"
    WEB_PAGE = "web page"
    ALIGNED = "aligned text"


_MARKS = (
    (b"\x1f\x8b", Kind.GZIP),
    (b"BZh", Kind.BZIP2),
    (b"\xfd7zXZ\x00", Kind.XZ),
    (b"\x28\xb5\x2f\xfd", Kind.ZSTD),
    (b"PK\x03\x04", Kind.ZIP),
    (b"PK\x05\x06", Kind.ZIP),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Kind.COMPOUND),
    (b"SQLite format 3\x00", Kind.SQLITE),
    (b"ORC", Kind.ORC),
    (b"FEA1", Kind.FEATHER_1),
    (b"PAR1", Kind.PARQUET),
    (b"ARROW1", Kind.ARROW),
)
COMPRESSED = (Kind.GZIP, Kind.BZIP2, Kind.XZ, Kind.ZSTD)


def kind_of(path: Path, name: str | None = None) -> Kind:
    """Return what a file is; `name` is what it is called, where that is not how its path ends."""
    with path.open("rb") as file:
        return kind_of_head(file.read(HEAD_BYTES), name or path.name)


def kind_of_head(head: bytes, name: str) -> Kind:
    """Return what a file is that begins so; Parquet and Arrow files of another name are renamed, others are plain."""
    suffix = Path(name).suffix.lower()
    kind = next((kind for mark, kind in _MARKS if head.startswith(mark)), None)
    if head[_DUCKDB_AT : _DUCKDB_AT + 4] == b"DUCK":
        kind = Kind.DUCKDB
    if head[_TAR_AT : _TAR_AT + 5] == b"ustar":
        kind = Kind.TAR
    if kind is Kind.ORC and not _is_binary(head):
        return Kind.PLAIN  # a text whose first column is called so
    if (kind is Kind.PARQUET and suffix in _PARQUET_NAMES) or (kind is Kind.ARROW and suffix in _ARROW_NAMES):
        return Kind.PLAIN
    if kind is not None:
        return kind
    if suffix == ".json" and _is_nested(head):
        return Kind.JSON
    if _text(head).startswith(b"<?xml") and b"<html" not in head.lower():
        return Kind.XML
    if suffix in _WEB_NAMES or _text(head).lower().startswith(_WEB_BEGINNINGS):
        return Kind.WEB_PAGE
    return Kind.ALIGNED if _is_aligned(head) else Kind.PLAIN


def _is_aligned(head: bytes) -> bool:
    """Tell whether the first lines have columns that are lined up by spaces, and no sign between fields."""
    lines = [line for line in head.splitlines()[:_LOOKED_AT] if line.strip()]
    if len(lines) < _LEAST_LINES or any(byte in head for byte in (b"\0", b"\t", b'"')):
        return False
    if any(lines[0].count(sign) and lines[0].count(sign) == lines[1].count(sign) for sign in (b",", b";", b"|")):
        return False
    apart = [b"  " in line.strip() for line in lines]
    return apart[0] and sum(apart) * 2 > len(apart)


def _is_binary(head: bytes) -> bool:
    return any(byte < 9 for byte in head)


def _is_nested(head: bytes) -> bool:
    """Tell whether a JSON document may be other than a list of objects, which the reader of tables takes."""
    text = _text(head)
    return head.startswith(_BYTE_ORDER_MARKS[1:]) or text[:1] == b"{" or text[1:].lstrip()[:1] not in (b"{", b"]", b"")


def _text(head: bytes) -> bytes:
    return head.removeprefix(_BYTE_ORDER_MARKS[0]).lstrip()
