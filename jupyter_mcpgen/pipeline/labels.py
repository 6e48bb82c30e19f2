"""What people read above the columns of a result, and which of its numbers are names of months, weekdays or years.

Only a card and its chart say it: in the data of an answer, and in a tool, the columns keep their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.plan.english_measures import say_measure
from jupyter_mcpgen.plan.expressions import DatePart, DateUnit
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Measure, Pivot, Rename, Resample, Window
from jupyter_mcpgen.plan.plan import Plan

_LONGEST = 40
_MONTHS = 12
_NAMED_UNITS = {DateUnit.MONTH: "month", DateUnit.WEEKDAY: "weekday", DateUnit.YEAR: "year"}


def labelled(table: Table, plan: Plan) -> Table:
    """Return a result with titles for the columns that the plan made, and with the units of its dates as types."""
    made, units = titles(plan), dict(_units(plan))
    types = list(table.types)
    for place, name in enumerate(table.columns):
        if types[place] == "integer" and name in units:
            types[place] = units[name]
        elif types[place] == "integer" and name not in made and _are_months(name, [row[place] for row in table.rows]):
            types[place] = "month"
    return table.replace(titles=tuple(made.get(name, name) for name in table.columns), types=tuple(types))


def _are_months(name: str, values: Sequence[Any]) -> bool:
    """Tell whether whole numbers of the data are months: their column is called so, and none is beyond the year."""
    last = re.split(r"[\W_]+|(?<=[a-z])(?=[A-Z])", name)[-1].lower()
    return last == "month" and all(
        value is None or (isinstance(value, int) and 1 <= value <= _MONTHS) for value in values
    )


def titles(plan: Plan) -> dict[str, str]:
    """Return what the columns are called that a plan made."""
    made: dict[str, str] = {}
    for step in plan.steps:
        match step:
            case Aggregate(measures=measures) | Resample(measures=measures):
                made |= {measure.name: _title(measure) for measure in measures}
            case Derive(name=name) | Window(name=name):
                made[name] = _in_words(name)
            case Rename(column=column, name=name):
                made.pop(column.name, None)
                made[name] = _in_words(name)
            case Pivot():
                made.clear()  # its columns are called by values of the data
            case _:
                continue
    given = plan.source_schema.names
    return {name: title for name, title in made.items() if name not in given}


def titled(chart: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a chart whose axes, legend and tooltips call columns by their titles."""
    return {key: _titled(value, names) if key in ("encoding", "layer") else value for key, value in chart.items()}


def _titled(part: Any, names: Mapping[str, str]) -> Any:
    if isinstance(part, list):
        return [_titled(each, names) for each in part]
    if not isinstance(part, dict):
        return part
    inner = {key: _titled(value, names) for key, value in part.items()}
    if "title" not in inner or not isinstance(inner.get("field"), str):
        return inner
    column = re.sub(r"\\(.)", r"\1", inner["field"], flags=re.DOTALL)  # a field is a path with signs escaped
    return {**inner, "title": names[column]} if column in names and inner["title"] in (column, None) else inner


def _title(measure: Measure) -> str:
    if measure.label is not None:
        return _in_words(measure.label)
    said = say_measure(measure)
    return _in_words(said if len(said) <= _LONGEST else measure.name)


def _in_words(name: str) -> str:
    words = " ".join(name.replace("_", " ").split()) or name
    return words[:1].upper() + words[1:]


def _units(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield the columns that are a part of a date, with what the part is."""
    for step in plan.steps:
        if isinstance(step, Derive) and isinstance(step.expression, DatePart) and step.expression.unit in _NAMED_UNITS:
            yield step.name, _NAMED_UNITS[step.expression.unit]
