"""The golden result of an approved answer: digests of its data and of its result, and what computed it; no rows."""

from __future__ import annotations

from collections.abc import Mapping

from jupyter_mcpgen.model.record import Record


class DataMark(Record):
    """One table: its shape, the SHA-256 of its file, and that of its values, which a copy in another format keeps."""

    rows: int
    columns: tuple[str, ...]
    file_sha256: str
    values_sha256: str


class ResultMark(Record):
    """A result: its shape, and the SHA-256 of its rows, in their order or in any."""

    rows: int
    columns: tuple[str, ...]
    is_ordered: bool
    sha256: str


class Golden(Record):
    """`golden.json`: the approved answer, as another machine can check it later."""

    data: tuple[DataMark, ...]
    result: ResultMark
    code_sha256: str
    plan_sha256: str | None = None
    """None for code that no plan stands behind."""
    libraries: Mapping[str, str]
    """The version of each library that took part, and of Python."""
