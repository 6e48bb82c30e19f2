"""A first look at a table, from its profile, with questions that were read and computed before they are suggested."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from jupyter_mcpgen.authors.author import Author
from jupyter_mcpgen.errors import DataError, NotUnderstood
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.overview import Overview, Suggestion
from jupyter_mcpgen.model.profile import ColumnProfile, Profile, Role
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import DataRef, Request
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.pipeline.material import Material, load, table_name
from jupyter_mcpgen.pipeline.options import option_of
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.suggestions import suggest
from jupyter_mcpgen.plan.ops import Aggregate
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.wording import in_digits

_MOST_NAMED = 4
_LONGEST_NAMED = 24
_TYPES = {
    ColumnType.INTEGER: "whole number",
    ColumnType.REAL: "number",
    ColumnType.TEXT: "text",
    ColumnType.BOOLEAN: "yes or no",
    ColumnType.DATE: "date",
}
_HEADERS = ("column", "type", "missing", "distinct", "values")
_HEADER_TYPES = ("text", "text", "integer", "integer", "text")


@dataclass(frozen=True)
class Explored:
    """What is shown of a table, and the suggested questions, each to be kept until it is asked."""

    overview: Overview
    questions: tuple[OpenQuestion, ...]


def explore(
    data: DataRef, typed: str, asked: Callable[[str], Request], planner: Author, language: str, services: Services
) -> Explored:
    """Look at a table; `typed` is what a person calls it, and `asked` makes a request of a question."""
    material = load(data, services)

    def read(question: str) -> Intent | None:
        services.go_on()
        return _read(asked(question), material, planner, services)

    found = suggest(material.profile, _in_question(data), read, language)
    questions = tuple(OpenQuestion(request=asked(question), text="", intents=(intent,)) for question, intent in found)
    overview = Overview(
        name=data.name,
        text=_size(material.profile),
        columns=_columns(material.profile),
        suggestions=tuple(_suggestion(each, typed) for each in questions),
    )
    return Explored(overview, questions)


def _read(request: Request, material: Material, planner: Author, services: Services) -> Intent | None:
    """Return what a question means, if the planner has no doubt of it and it gives rows to look at."""
    try:
        meant = planner.understand(request, material.profile)
        if not isinstance(meant, Intent):
            return None
        table = option_of(meant, material, services).table
    except (NotUnderstood, DataError):
        return None
    fewest = 2 if any(isinstance(step, Aggregate) and step.by.names for step in meant.plan.steps) else 1
    return meant if table is not None and table.total_rows >= fewest else None


def _suggestion(question: OpenQuestion, typed: str) -> Suggestion:
    request, (intent,) = question.request, question.intents
    words = request.question.removesuffix(f" in {_in_question(request.data)}")
    return Suggestion(
        question_id=question.question_id,
        question=request.question,
        typed=" ".join(f"{words} in {typed}".split()),  # the name of a column may have line breaks
        reading=intent.reading,
    )


def _size(profile: Profile) -> str:
    rows, columns = profile.rows, len(profile.columns)
    return f"{rows:,} row{'' if rows == 1 else 's'}, {columns:,} column{'' if columns == 1 else 's'}."


def _columns(profile: Profile) -> Table:
    types = {field.name: field.type for field in profile.schema_.fields}
    rows = tuple(
        (each.name, _type(each, types[each.name]), each.nulls, each.distinct, _values(each)) for each in profile.columns
    )
    return Table(columns=_HEADERS, types=_HEADER_TYPES, rows=rows, total_rows=len(rows))


def _type(column: ColumnProfile, own: ColumnType) -> str:
    """Return the type of a column in words, with its unit; of texts that write numbers or dates, what they write."""
    known = column.written[0].values if column.written else column
    name = f"{_TYPES[column.written[0].type]}, written as text" if column.written else _TYPES[own]
    return f"{name} ({known.unit})" if known.unit else name


def _values(column: ColumnProfile) -> str:
    """Say the range of a column's values, or the most frequent ones."""
    known = column.written[0].values if column.written else column
    is_name = known.role in (Role.IDENTIFIER, Role.CATEGORY) and bool(known.values)
    if known.minimum is not None and known.maximum is not None and not is_name:
        tell = str if known.role is Role.IDENTIFIER else _told
        return f"{tell(known.minimum)} to {tell(known.maximum)}"
    named = [_shortened(str(value)) for value in known.values[:_MOST_NAMED]]
    return ", ".join([*named, *(["…"] if known.distinct > len(named) and named else [])])


def _told(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return in_digits(value)
    return str(value).removesuffix("T00:00:00").replace("T", " ")


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_NAMED else f"{line[: _LONGEST_NAMED - 1]}…"


def _in_question(data: DataRef) -> str:
    """Return what a question calls a table: the words of a file's name would be read as words of the question."""
    return "_".join(table_name(data).split())
