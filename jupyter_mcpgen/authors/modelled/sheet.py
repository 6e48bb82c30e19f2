"""What a prompt shows of a table: names and types, and of its values as much as the person allows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from jupyter_mcpgen.model.profile import ColumnProfile, Profile
from jupyter_mcpgen.plan.schema import ColumnType, Field
from jupyter_mcpgen.plan.visible import visible

MOST_COLUMNS = 150
"""More columns than this are left out of a prompt, those that share no word with the question first."""
_EXAMPLES = 4
_FEW = 20
"""A column has few values when it has at most so many."""
_LONGEST_VALUE = 60
_TYPES = {
    ColumnType.TEXT: "VARCHAR",
    ColumnType.INTEGER: "BIGINT",
    ColumnType.REAL: "DOUBLE",
    ColumnType.BOOLEAN: "BOOLEAN",
    ColumnType.DATE: "TIMESTAMP",
}


class Privacy(StrEnum):
    """What of the data a prompt may hold beside names and types."""

    NONE = "none"
    MASKED = "masked"
    """The shapes of some values: letters become `a`, digits `9`."""
    ROWS = "rows"
    """Some values as they are."""


@dataclass(frozen=True)
class Policy:
    """What a person allows to be shown."""

    privacy: Privacy = Privacy.NONE
    low_cardinality_values: bool = False
    """Whether all values of a column with few different ones may be shown."""

    @property
    def shows_values(self) -> bool:
        """True where values of every column may be shown as they are."""
        return self.privacy is Privacy.ROWS


def shown_fields(profile: Profile, question: str) -> list[Field]:
    """Return the columns that are shown, in the table's order unless there are too many."""
    fields = list(profile.schema_.fields)
    if len(fields) <= MOST_COLUMNS:
        return fields
    asked = _words(question)
    return sorted(fields, key=lambda field: -len(asked & _words(field.name)))[:MOST_COLUMNS]


def shown_values(profile: Profile, name: str, policy: Policy) -> tuple[str, ...]:
    """Return all texts of a column that has few, where the policy lets them be shown; else nothing."""
    column = next((each for each in profile.columns if visible(each.name) == name), None)
    may_be = policy.low_cardinality_values or policy.shows_values
    if column is None or not may_be or not column.complete or not 0 < len(column.values) <= _FEW:
        return ()
    texts = tuple(value for value in column.values if isinstance(value, str) and len(value) <= _LONGEST_VALUE)
    return tuple(map(visible, texts)) if len(texts) == len(column.values) else ()


def sheet_of(profile: Profile, policy: Policy, question: str) -> str:
    """Return a table as a prompt shows it: one line per column, those that the question may be about first."""
    fields = shown_fields(profile, question)
    left = len(profile.schema_.fields) - len(fields)
    rows = f" ({profile.rows:,} rows)" if policy.privacy is Privacy.ROWS else ""
    lines = [f"Table {quoted(profile.name)}{rows}, columns:", *(_line(f, profile, policy) for f in fields)]
    return "\n".join([*lines, f"({left} more columns)"] if left else lines)


def quoted(name: str) -> str:
    """Return a name as SQL quotes it, on one line, with every sign that does not show spelled out."""
    return '"' + visible(name).replace('"', '""') + '"'


def _words(text: str) -> set[str]:
    return {word[:5] for word in re.findall(r"[a-z]+", text.lower())}


def _line(field: Field, profile: Profile, policy: Policy) -> str:
    column = profile.column(field.name)
    shown = ", ".join(_shown(column, policy))
    missing = f"; {column.nulls:,} missing" if policy.privacy is Privacy.ROWS and column.nulls else ""
    return f"- {quoted(field.name)} {_TYPES[field.type]}{f' e.g. {shown}' if shown else ''}{missing}"


def _shown(column: ColumnProfile, policy: Policy) -> Iterator[str]:
    few = policy.low_cardinality_values and column.complete and len(column.values) <= _FEW
    if few:
        yield from map(_literal, column.values)
    elif policy.privacy is Privacy.ROWS:
        yield from map(_literal, column.values[:_EXAMPLES] or _ends(column))
    elif policy.privacy is Privacy.MASKED:
        yield from dict.fromkeys(_masked(value) for value in column.values[:_EXAMPLES])


def _ends(column: ColumnProfile) -> tuple[Any, ...]:
    return tuple(value for value in (column.minimum, column.maximum) if value is not None)


def _literal(value: Any) -> str:
    """Return a value as JSON, bounded, without signs that do not show."""
    return (
        json.dumps(visible(str(value))[:_LONGEST_VALUE], ensure_ascii=False) if isinstance(value, str) else str(value)
    )


def _masked(value: Any) -> str:
    text = re.sub(r"\d", "9", str(value)[:_LONGEST_VALUE])
    return json.dumps(re.sub(r"[^\W\d_]", "a", visible(text)), ensure_ascii=False)
