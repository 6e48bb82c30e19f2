"""The options that say how a text file is written."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError

from jupyter_mcpgen.model.request import DAY_FIRST, MONTH_FIRST, ReadOptions
from jupyter_mcpgen.verbs.words import UsageError

READING_OPTIONS = ("delimiter", "encoding", "header", "skip", "footer", "na", "decimal", "thousands", "dates")
_AS_FOUND = "auto"
_NO_HEADER = "none"
_MARKS = {"comma": ",", "point": ".", "space": " ", "apostrophe": "'"}
_ORDERS = {"day-first": DAY_FIRST, "month-first": MONTH_FIRST}
_TAKES = {
    "decimal": "Write `point`, `comma` or `auto`.",
    "thousands": "Write `point`, `comma`, `space`, `apostrophe` or `auto`.",
}
_SIGNS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}


def reading_options(options: Mapping[str, str]) -> ReadOptions | None:
    """Return what was typed of how a file is written, or nothing where no option says anything of it.

    `auto` says that something is to be found in the file. Raises `UsageError`.
    """
    typed = {name: value for name, value in options.items() if name in READING_OPTIONS}
    if not typed:
        return None
    said = {name: value for name, value in typed.items() if value != _AS_FOUND}
    delimiter = said.get("delimiter")
    sign = None if delimiter is None else _SIGNS.get(delimiter.lower(), delimiter)
    if sign is not None and len(sign) != 1:
        raise UsageError(f"`--delimiter {delimiter}` is no single sign. Write one, or `tab`.")
    header = "0" if said.get("header", "").lower() == _NO_HEADER else said.get("header")
    return _options(
        delimiter=sign,
        encoding=said.get("encoding"),
        header=_count("header", header),
        skip=_count("skip", said.get("skip")) or 0,
        footer=_count("footer", said.get("footer")),
        missing=tuple(word.strip() for word in said["na"].split(",")) if "na" in said else (),
        decimal=_MARKS.get(said.get("decimal", ""), said.get("decimal")),
        thousands=_MARKS.get(said.get("thousands", ""), said.get("thousands")),
        dates=_ORDERS.get(said.get("dates", ""), said.get("dates")),
    )


def _options(**said: object) -> ReadOptions:
    """Return what is said; raises `UsageError` for a value that an option does not take."""
    try:
        return ReadOptions.model_validate(said)
    except ValidationError as error:
        wrong = str(error.errors()[0]["loc"][0])
        raise UsageError(f"`--{wrong} {said[wrong]}` cannot be used. {_TAKES[wrong]}") from error


def _count(name: str, value: str | None) -> int | None:
    if value is None:
        return None
    if not value.isdecimal():
        also = ", `none` or `auto`" if name == "header" else " or `auto`"
        raise UsageError(f"`--{name} {value}` is no number. Write a number{also}.")
    return int(value)
