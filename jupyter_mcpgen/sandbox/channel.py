"""Reads what a job wrote on its result channel, believing none of it.

Whatever the bytes are, reading ends with the answers that arrived whole and, if need be, a sentence on what was wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jupyter_mcpgen.sandbox.calling import BLOB_LENGTH, HEADER_LENGTH, HEADER_LIMIT
from jupyter_mcpgen.sandbox.job import Answer

_LONGEST_MS = 1e12


@dataclass(frozen=True)
class Received:
    """The answers that arrived whole; the failure to load that the job admitted; what was wrong with the bytes."""

    answers: tuple[Answer, ...] = ()
    load_error: Answer | None = None
    problem: str | None = None


class _Malformed(ValueError):
    """The bytes are not frames."""


def read_answers(data: bytes, expected: int) -> Received:
    """Return what the channel holds; more, fewer or broken frames are a problem, never an exception."""
    answers: list[Answer] = []
    try:
        for header, text, table in _frames(data):
            answer = _answer(header, text, table)
            if header.get("loaded") is False and not answers and not answer.ok:
                return Received(load_error=answer)
            answers.append(answer)
            if len(answers) > expected:
                raise _Malformed("it holds more answers than there were calls")
        if len(answers) < expected:
            raise _Malformed(f"it holds {len(answers)} of {expected} answers")
    except _Malformed as error:
        return Received(tuple(answers[:expected]), problem=f"The result channel cannot be trusted: {error}.")
    return Received(tuple(answers))


def _frames(data: bytes) -> Iterator[tuple[Mapping[str, Any], bytes, bytes]]:
    view, position = memoryview(data), 0
    while position < len(view):
        header, position = _taken(view, position, HEADER_LENGTH, HEADER_LIMIT)
        text, position = _taken(view, position, BLOB_LENGTH, len(view))
        table, position = _taken(view, position, BLOB_LENGTH, len(view))
        yield _parsed(header), text, table


def _taken(view: memoryview, position: int, length_bytes: int, limit: int) -> tuple[bytes, int]:
    begin = position + length_bytes
    length = int.from_bytes(view[position:begin], "big")
    if begin > len(view) or length > limit or begin + length > len(view):
        raise _Malformed("a frame is cut short or lies about its length")
    return bytes(view[begin : begin + length]), begin + length


def _parsed(header: bytes) -> Mapping[str, Any]:
    try:
        document = json.loads(header, parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        raise _Malformed("a header is not JSON") from error
    if not isinstance(document, dict):
        raise _Malformed("a header is not a JSON object")
    return document


def _answer(header: Mapping[str, Any], text: bytes, table: bytes) -> Answer:
    details, milliseconds = header.get("details", {}), header.get("milliseconds", 0.0)
    error_type, error_message = header.get("error_type"), header.get("error_message")
    if not isinstance(details, dict) or not _is_duration(milliseconds):
        raise _Malformed("a header holds values of the wrong type")
    if not isinstance(error_type, str | None) or not isinstance(error_message, str | None):
        raise _Malformed("a header holds values of the wrong type")
    failed_without_text = error_type is not None and not text
    return Answer(
        text=None if failed_without_text else text.decode("utf-8", "replace"),
        table=table if header.get("has_table") is True else None,
        details=details,
        error_type=error_type,
        error_message=error_message,
        milliseconds=float(milliseconds),
    )


def _is_duration(value: object) -> bool:
    return isinstance(value, float | int) and 0 <= value < _LONGEST_MS  # compared first: a huge int is no float
