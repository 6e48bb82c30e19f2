"""The one JSON object in what a model wrote; strict: nothing is completed, corrected or chosen by guessing."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

LONGEST = 200_000
"""More characters than any reply that was asked for has."""
_MOST_OBJECTS = 20
_TAG = re.compile(r"<(/?)(?:think|thinking|reasoning|analysis)\b[^<>]*>", re.IGNORECASE)
_FINAL = "<|channel|>final<|message|>"
_MARKER = re.compile(r"<\|[^|<>]{1,40}\|>")
_FENCE = re.compile(r"```[^\n`]*\n(.*?)(?:\n```|\Z)", re.DOTALL)
_LAST_COMMA = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])')


@dataclass(frozen=True)
class Unreadable:
    """Why there is no one object that can be used; `cut` is a text that ends inside of one."""

    reason: str
    cut: bool = False


def read_object(
    text: str, broken: Callable[[Any], str | None], wrapper: str | None = None
) -> dict[str, Any] | Unreadable:
    """Return the one object in a text that `broken` has nothing against.

    An object below a single key of the name `wrapper` counts as itself.
    """
    text = text[:LONGEST]
    plain = _without_thoughts(text)
    complaint, cut = "", False
    for source in (_if_one_object(text.strip()), plain, *_FENCE.findall(plain)):
        found: list[dict[str, Any]] = []
        for written in islice(_objects(source), _MOST_OBJECTS):
            if written is None:
                cut = True
                continue
            value, why = _loaded(written) if written in text else (None, "its JSON has marks of reasoning in it")
            if value is None:
                complaint = complaint or why
                continue
            value = _unwrapped(value, wrapper, broken)
            why = broken(value) or ""
            complaint = complaint or why
            if not why and value not in found:
                found.append(value)
        if len(found) > 1:
            return Unreadable("it has several different JSON objects")
        if found:
            return found[0]
    if complaint:
        return Unreadable(complaint)
    return Unreadable("its JSON object is not complete" if cut else "it has no JSON object", cut)


def without_reasoning(text: str) -> str:
    """Return what a model wrote without the reasoning, and the marks, that some models write around their answer."""
    return _MARKER.sub("", _without_thoughts(text)).strip()


def _without_thoughts(text: str) -> str:
    kept: list[str] = []
    rest, thinking = 0, False
    for tag in _TAG.finditer(text):
        if not tag[1]:
            kept += [] if thinking else [text[rest : tag.start()]]
            thinking = True
        else:
            # a closing tag alone: the opening one stands in the server's template
            kept = kept if thinking else []
            rest, thinking = tag.end(), False
    plain = "".join(kept if thinking else [*kept, text[rest:]]).lstrip("\ufeff")
    if _FINAL in plain:
        plain = plain.rpartition(_FINAL)[2]
    return plain.strip()


def _if_one_object(text: str) -> str:
    """Return a text that is one object and nothing else: what looks like a tag in it is a string of its own."""
    return text if text.startswith("{") and next(_objects(text), None) == text else ""


def _objects(text: str) -> Iterator[str | None]:
    """Yield each outermost `{…}`; `None` for one that is not closed."""
    depth = start = 0
    in_string = escaped = False
    for place, character in enumerate(text):
        if in_string:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                in_string = False
        elif character == '"' and depth:
            in_string = True
        elif character == "{":
            if not depth:
                start = place
            depth += 1
        elif character == "}" and depth:
            depth -= 1
            if not depth:
                yield text[start : place + 1]
    if depth:
        yield None


def _loaded(written: str) -> tuple[dict[str, Any] | None, str]:
    """Return an object, or why it is none; a comma before a closing bracket is the one slip that is overlooked."""
    try:
        return _strict(written), ""
    except RecursionError:
        return None, "its JSON is nested too deeply"
    except ValueError as error:
        why = f"its JSON is not valid: {error}"
    try:
        return _strict(_LAST_COMMA.sub(lambda found: found[1] or "", written)), ""
    except ValueError:
        return None, why


def _strict(written: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(
        written, object_pairs_hook=_without_doubles, parse_constant=_no_constant, parse_float=_finite
    )
    json.dumps(value, ensure_ascii=False).encode()  # half a character, such as `\\ud800`, is a `ValueError`
    return value


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a key is there twice")
    return value


def _no_constant(name: str) -> Any:
    raise ValueError(f"`{name}` is not JSON")


def _finite(written: str) -> float:
    number = float(written)
    if math.isinf(number):
        raise ValueError(f"`{written[:40]}` is too large")
    return number


def _unwrapped(value: dict[str, Any], wrapper: str | None, broken: Callable[[Any], str | None]) -> dict[str, Any]:
    inner = value.get(wrapper) if wrapper is not None and len(value) == 1 else None
    return inner if isinstance(inner, dict) and broken(value) and not broken(inner) else value
