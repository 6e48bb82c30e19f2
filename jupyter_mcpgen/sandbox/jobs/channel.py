"""Reads what a job wrote on its result channel, believing none of it.

Whatever the bytes are, reading ends with the answers that arrived whole and, if need be, a sentence on what was wrong.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jupyter_mcpgen.sandbox.inside.calling import BLOB_LENGTH, HEADER_LENGTH, HEADER_LIMIT
from jupyter_mcpgen.sandbox.job import Answer

_LONGEST_MS = 1e12
_DEEPEST, _MOST_VALUES, _LONGEST_NAME = 32, 200_000, 10_000
_LONGEST_TYPE, _LONGEST_MESSAGE = 200, 20_000
_LARGEST_WHOLE_NUMBER = 2**1000
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_KEPT_CONTROLS = "\n\t"


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
        document = json.loads(header, parse_constant=lambda _: None, parse_float=_finite, parse_int=_whole)
    except (ValueError, RecursionError) as error:
        raise _Malformed("a header is not JSON") from error
    if not isinstance(document, dict):
        raise _Malformed("a header is not a JSON object")
    return document


def _answer(header: Mapping[str, Any], text: bytes, table: bytes) -> Answer:
    details, milliseconds = header.get("details", {}), header.get("milliseconds", 0.0)
    error_type, error_message = header.get("error_type"), header.get("error_message")
    if not isinstance(details, dict) or not _is_modest(details) or not _is_duration(milliseconds):
        raise _Malformed("a header holds values of the wrong type")
    if not isinstance(error_type, str | None) or not isinstance(error_message, str | None):
        raise _Malformed("a header holds values of the wrong type")
    if header.get("has_value") is True and error_type is None:
        value = _value(text)
        said = value if isinstance(value, str) else text.decode("utf-8", "replace")
        return Answer(text=said, value=value, has_value=True, milliseconds=float(milliseconds))
    failed_without_text = error_type is not None and not text
    return Answer(
        text=None if failed_without_text else text.decode("utf-8", "replace"),
        table=table if header.get("has_table") is True else None,
        details=details,
        error_type=_plain_text(error_type, _LONGEST_TYPE),
        error_message=_plain_text(error_message, _LONGEST_MESSAGE),
        milliseconds=float(milliseconds),
    )


def _value(text: bytes) -> Any:
    """Return the JSON value that a call gave; raises `_Malformed` for what is none, or deeper than may be walked."""
    try:
        value = json.loads(text, parse_constant=lambda _: None, parse_float=_finite, parse_int=_whole)
    except (ValueError, RecursionError) as error:
        raise _Malformed("a value is not JSON") from error
    if not _is_modest({"value": value}):
        raise _Malformed("a value is too deep or has too many parts")
    return value


def _finite(digits: str) -> float | None:
    """Return a number, and nothing for what JSON itself could not say: `1e999` is no number either."""
    value = float(digits)
    return value if math.isfinite(value) else None


def _whole(digits: str) -> int | None:
    """Return a whole number, and nothing for one that whoever reads it as a float would stumble over."""
    value = int(digits)
    return value if abs(value) <= _LARGEST_WHOLE_NUMBER else None


def _plain_text(text: str | None, longest: int) -> str | None:
    """Return what a message says, without what a terminal would obey or no encoding can hold."""
    if text is None:
        return None
    return "".join(part if _is_plain(part) else "\ufffd" for part in text[:longest])


def _is_plain(character: str) -> bool:
    return character in _KEPT_CONTROLS or unicodedata.category(character) not in ("Cc", "Cs")


def _is_modest(details: dict[str, Any]) -> bool:
    """Return whether the details are no deeper and no more than anything here can be asked to walk through."""
    waiting: list[tuple[object, int]] = [(details, 1)]
    seen = 0
    while waiting:
        value, depth = waiting.pop()
        seen += 1
        if depth > _DEEPEST or seen > _MOST_VALUES:
            return False
        if isinstance(value, dict):
            if any(len(name) > _LONGEST_NAME or _LONE_SURROGATE.search(name) for name in value):
                return False
            waiting += [(part, depth + 1) for part in value.values()]
        elif isinstance(value, list):
            waiting += [(part, depth + 1) for part in value]
        elif isinstance(value, str) and _LONE_SURROGATE.search(value):
            return False
    return True


def _is_duration(value: object) -> bool:
    return isinstance(value, float | int) and 0 <= value < _LONGEST_MS  # compared first: a huge int is no float
