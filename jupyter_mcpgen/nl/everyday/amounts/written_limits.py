"""Values that are written as limits: the ">50K" of `income` for "people who earn more than 50K"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.plan.schema import ColumnType

_LIMIT = re.compile(r"\s*(?P<op>[<>]=?|[≤≥])\s*[$€£]?(?P<number>\d[\d.,]*)\s*(?P<scale>[kKmM]?)[$€£]?\s*")
_SCALES = {"": 1, "k": 1_000, "m": 1_000_000}
_SIGNS = {"≤": "<=", "≥": ">="}


@dataclass(frozen=True)
class _Written:
    """A value of a column, and the limit it writes."""

    column: str
    value: str
    op: str
    number: float


def value_of_a_limit(said: Speech, table: Table) -> Speech | None:
    """Say "more than 50K" as the value ">50K", where one column writes its values so and no figure may be meant."""
    written = tuple(_all_written(table))
    said = _in_words(said, written, table)
    for found in said.find_each(table.wording("value_of_a_limit")) if written else ():
        op, number = found.meant("side"), _number(found["n"])
        fitting = [one for one in written if (one.op, one.number) == (op, number)]
        if len(fitting) != 1 or not (_is_named(found, fitting[0], table) or _is_alone(fitting[0], table)):
            continue
        verb = "" if not found["verb"] or _means(found.folded("verb"), fitting[0].column, table) else found["verb"]
        text = found.said(verb=verb, column=fitting[0].column, value=fitting[0].value)
        return said.put(found, text, f"The limit is taken to be the value {fitting[0].value} of `{fitting[0].column}`.")
    return None


def _in_words(said: Speech, written: tuple[_Written, ...], table: Table) -> Speech:
    """Return a question with a limit that is typed as the values write it, ">50K", in words: "more than 50000"."""
    text = said.text
    for one in written:
        words = sorted(table.choices("limits").get(one.op, ()))
        if words and one.value in text and f'"{one.value}"' not in text:
            text = text.replace(one.value, f" {words[0]} {one.number:.15g}")
    return said if text == said.text else said.saying(text)


def _all_written(table: Table) -> Iterator[_Written]:
    for name, own in ((column.name, column) for column in table.context.profile.columns):
        if table.context.type_of(name) is not ColumnType.TEXT:
            continue
        for value in (*own.values, *own.more):
            match = _LIMIT.fullmatch(str(value))
            if match is not None:
                number = _number(match["number"] + match["scale"])
                if number is not None:
                    yield _Written(name, str(value), _SIGNS.get(match["op"], match["op"]), number)


def _number(text: str) -> float | None:
    """Return the number that "50K" or "50,000" write; None for other texts of digits and marks."""
    plain = text.strip("$€£").casefold().replace(",", "")
    scale = plain[-1:] if plain[-1:] in _SCALES else ""
    digits = plain.removesuffix(scale).rstrip(".")
    return float(digits) * _SCALES[scale] if digits.replace(".", "", 1).isdigit() else None


def _is_named(found: Found, written: _Written, table: Table) -> bool:
    """Tell whether the column, or a verb of what it tells, stands before the limit."""
    named = found["what"] and columns.named(found["what"], table, columns.STEMMED) == written.column
    return bool(named) or _means(found.folded("verb"), written.column, table)


def _means(verb: str, column: str, table: Table) -> bool:
    return bool(set(table.vocabulary.verbs.get(verb, ())) & set(table.context.column_words[column]))


def _is_alone(written: _Written, table: Table) -> bool:
    """Tell whether no column of numbers reaches the limit, so that none can be meant."""
    reached = (
        known.minimum is not None and known.maximum is not None and known.minimum <= written.number <= known.maximum
        for known in table.context.profile.columns
        if table.context.is_number(known.name)
    )
    return not any(reached)
