"""What of a specification does not fit, in the words of who wrote it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import ValidationError

from jupyter_mcpgen.errors import did_you_mean
from jupyter_mcpgen.plan.visible import visible

_MUST_BE: Mapping[str, str] = {
    "bool_parsing": "must be true or false",
    "bool_type": "must be true or false",
    "dict_type": "must be an object",
    "literal_error": "must be {expected}",
    "model_type": "must be an object",
    "string_too_long": "must have {max_length:,} characters at most",
    "string_too_short": "must not be empty",
    "string_type": "must be a text",
    "too_long": "must have {max_length:,} entries at most",
    "too_short": "must have an entry",
    "tuple_type": "must be a list",
}
"""What is to be there, by pydantic's kinds of errors."""
_WRITTEN: Mapping[str, str] = {
    "name": "must be of lower-case letters, digits and `_`, begin with a letter, and have 64 characters at most",
    "version": "must be three numbers, such as `1.0.0`",
}
"""How what has a pattern is written, by its key."""


def unfit(error: ValidationError, keys: Iterable[str] = ()) -> str:
    """Return the first flaw of a specification, as a sentence without its full stop; `keys` are all that there are."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = f"`{visible('.'.join(map(str, first['loc'])))}`" if first["loc"] else "the whole"
    key, about = str(first["loc"][-1]) if first["loc"] else "", first.get("ctx", {})
    match first["type"]:
        case "missing":
            return f"{place} is missing"
        case "extra_forbidden":
            near = _lowered(did_you_mean(key, keys).strip())
            return f"there is no key {place}" + (f" ({near})" if near else "")
        case "value_error":
            return f"{place} does not fit: {visible(str(about['error']))}"
        case "string_pattern_mismatch" if key in _WRITTEN:
            return f"{place} {_WRITTEN[key]}"
        case kind if kind in _MUST_BE:
            return f"{place} {_MUST_BE[kind].format(**about)}"
    return f"{place} does not fit: {visible(_lowered(first['msg']))}"


def _lowered(sentence: str) -> str:
    return f"{sentence[:1].lower()}{sentence[1:]}"
