"""In which form a result is wanted: as a table, or as text that is pasted elsewhere (seed 000, step 1)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import PurePath
from string import whitespace

from jupyter_mcpgen.model.intent import OutputFormat
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.wording import in_name

_WANTED = r"""
    (?<=[\s,;]) (?:as|in|als|im) \s++ (?:an?\s++)?
    (?P<phrase> (?P<form>json|markdown) (?:[\s-]*+(?:format|table|tabelle|text))? )
    (?P<table> \s++ (?:(?:in|of|from|for|aus|von)\s++)? [`'"]? (?:{names}) [`'"]? )? [\s.?!]*+ $
"""
"""The form, and behind it at most the name of the table; no run of blanks is looked at twice."""
_BEFORE = f"{whitespace},;"


def split_format(question: str, *profiles: Profile) -> tuple[str, OutputFormat]:
    """Return a question without the form that it asks for at its end, and that form.

    A word that a table has as a column or a value means the data.
    """
    if not any(form in question.casefold() for form in OutputFormat):
        return question, OutputFormat.TABLE
    names = [re.escape(name) for profile in profiles for name in (profile.name, PurePath(profile.name).stem)]
    found = re.search(_WANTED.format(names="|".join(names)), question, re.IGNORECASE | re.VERBOSE)
    if found is None or {_plain(found["form"]), _plain(found["phrase"])} & set(map(_plain, _words(profiles))):
        return question, OutputFormat.TABLE
    return question[: found.start()].rstrip(_BEFORE) + (found["table"] or ""), OutputFormat(found["form"].casefold())


def _words(profiles: tuple[Profile, ...]) -> Iterator[str]:
    for profile in profiles:
        for column in profile.columns:
            yield column.name
            yield from map(str, (*column.values, *column.more))


def _plain(word: str) -> str:
    """Return a word without what separates its parts, which a column writes otherwise than a question."""
    return re.sub(r"[\s_-]", "", word.casefold())


def as_text(table: Table, form: OutputFormat) -> str:
    """Return a result in the form that was asked for; nothing for a table, which every face draws its own way."""
    match form:
        case OutputFormat.JSON:
            rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
            return json.dumps(rows, indent=2, ensure_ascii=False)
        case OutputFormat.MARKDOWN:
            body = [
                [_cell(in_name(value, kind) or value) for value, kind in zip(row, table.types, strict=True)]
                for row in table.rows
            ]
            lines = [map(_cell, table.headers), ("---" for _ in table.columns), *body]
            return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
        case OutputFormat.TABLE:
            return ""


def _cell(value: object) -> str:
    """Return a value as a cell of Markdown; what would end the cell or the row is taken as text."""
    return "" if value is None else " ".join(str(value).replace("\\", "\\\\").replace("|", "\\|").split())
