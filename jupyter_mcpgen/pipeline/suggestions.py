"""Questions that may be asked of a table, made of what its profile says of its columns.

Each way to ask is tried with the columns that suit it best. A question is suggested only where the planner reads it
without a doubt, with every column that it names, and where it gives rows: the caller says both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice, product

from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.profile import ColumnProfile, Kind, Profile, Role
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction
from jupyter_mcpgen.plan.schema import ColumnType

MOST = 5
"""How many questions are suggested."""
_MOST_TRIED = 4
"""How many combinations of columns are tried for one way to ask, each time that it has its turn."""
_MOST_ROUNDS = 3
_MOST_GROUPS = 50
_EASY_GROUPS = range(3, 13)
"""So many groups are taken in at a glance."""
_FEWEST_NUMBERS = 10
"""With fewer different numbers there is no distribution to look at."""
_MOSTLY = 0.9
_SHORT_DAYS, _LONG_DAYS = 92, 5 * 366
"""Up to the first a table is looked at by days, from the second on by years."""

Read = Callable[[str], Intent | None]
"""Returns what a question means over the table, or None where there is a doubt or no row."""


@dataclass(frozen=True)
class _Way:
    """A way to ask: what its columns must be good for, and how it is said in each language."""

    takes: tuple[str, ...]
    words: Mapping[str, str]


_WAYS = (
    _Way(("measure", "group"), {"en": "{figure} by {group}", "de": "{figure} nach {group}"}),
    _Way(("measure", "date"), {"en": "{figure} by {period} of {date}", "de": "{figure} nach {period}"}),
    _Way(("group",), {"en": "number of rows by {group}", "de": "Anzahl der Zeilen nach {group}"}),
    _Way(
        ("measure", "other"),
        {"en": "correlation between {measure} and {other}", "de": "Korrelation zwischen {measure} und {other}"},
    ),
    _Way(("spread",), {"en": "histogram of {spread}", "de": "Histogramm von {spread}"}),
    _Way(
        ("group", "second"),
        {"en": "number of rows by {group} and {second}", "de": "Anzahl der Zeilen nach {group} und {second}"},
    ),
    _Way(("date",), {"en": "number of rows by {period} of {date}", "de": "Anzahl der Zeilen nach {period}"}),
    _Way(("gap",), {"en": "missing values by column", "de": "fehlende Werte"}),
    _Way(("spread",), {"en": "outliers in {spread}", "de": "Ausreißer in {spread}"}),
    _Way((), {"en": "number of rows", "de": "Anzahl der Zeilen"}),
)
_NEUTRAL = {"en": "{measure} by {group}", "de": "{measure} nach {group}"}
"""Says no calculation, so that the planner takes the one that suits the measure."""
_FIGURES = {
    AggregateFunction.SUM: {"en": "total {}", "de": "Summe von {}"},
    AggregateFunction.MEAN: {"en": "average {}", "de": "Durchschnitt von {}"},
}
_PERIODS = {
    "en": {"day": "day", "month": "month", "year": "year"},
    "de": {"day": "Tag", "month": "Monat", "year": "Jahr"},
}


def suggest(profile: Profile, name: str, read: Read, language: str) -> tuple[tuple[str, Intent], ...]:
    """Return questions with what they mean, of as many kinds as the table allows, the most telling first.

    `name` is what a question calls the table.
    """
    found: list[tuple[str, Intent]] = []
    waiting = [(way, _fills(way, profile)) for way in _WAYS]
    for _ in range(_MOST_ROUNDS):
        for way, fills in waiting:
            if len(found) == MOST:
                return tuple(found)
            questions = (
                (f"{_said(way, columns, read, language)} in {name}", _named_in(way, columns, language))
                for columns in islice(fills, _MOST_TRIED)
            )
            one = _first_read(questions, read, [intent for _, intent in found])
            found += [one] if one is not None else []
    return tuple(found)


def _first_read(
    questions: Iterator[tuple[str, set[str]]], read: Read, before: Sequence[Intent]
) -> tuple[str, Intent] | None:
    """Return the first question that is read with all of its columns, and that is not asked already."""
    for question, named in questions:
        intent = read(question)
        if intent is not None and named <= set(intent.columns) and all(intent.plan != each.plan for each in before):
            return question, intent
    return None


def _named_in(way: _Way, columns: Mapping[str, ColumnProfile], language: str) -> set[str]:
    words = way.words[language].replace("{figure}", "{measure}")
    return {column.name for role, column in columns.items() if f"{{{role}}}" in words}


def _said(way: _Way, columns: Mapping[str, ColumnProfile], read: Read, language: str) -> str:
    names = {role: column.name for role, column in columns.items()}
    words = way.words[language]
    if "{figure}" in words:
        group = names.get("group") or names["date"]
        names["figure"] = _figure(names["measure"], group, read, language)
    if "date" in columns:
        names["period"] = _PERIODS[language][_period(columns["date"])]
    return words.format(**names)


def _figure(measure: str, group: str, read: Read, language: str) -> str:
    """Return a measure with the calculation that the planner would take; where it would ask, the mean suits any."""
    intent = read(_NEUTRAL[language].format(measure=measure, group=group))
    steps = intent.plan.steps if intent is not None else ()
    functions = [each.function for step in steps if isinstance(step, Aggregate) for each in step.measures]
    words = _FIGURES.get(functions[0]) if functions else None
    return (words or _FIGURES[AggregateFunction.MEAN])[language].format(measure)


def _fills(way: _Way, profile: Profile) -> Iterator[Mapping[str, ColumnProfile]]:
    """Yield the columns that a way may take, the best first; the ways begin at different groups."""
    turn = [each for each in _WAYS if "group" in each.takes or each is way].index(way)
    for columns in product(*(_good_for(role, profile, turn) for role in way.takes)):
        if len({column.name for column in columns}) == len(columns):
            yield dict(zip(way.takes, columns, strict=True))


def _good_for(role: str, profile: Profile, turn: int) -> Sequence[ColumnProfile]:
    # texts that write numbers are numbers; what can be read in two ways would only be asked about
    columns = [each.written[0].values if each.written else each for each in profile.columns if len(each.written) < 2]
    known = [each for each in columns if each.distinct > 1 and each.nulls < _MOSTLY * profile.rows]
    match role:
        case "measure" | "other":
            measures = [each for each in known if each.role is Role.MEASURE]
            return sorted(measures, key=lambda each: (each.kind is not Kind.MONEY, each.distinct < _FEWEST_NUMBERS))
        case "spread":
            return [each for each in known if each.role is Role.MEASURE and each.distinct >= _FEWEST_NUMBERS]
        case "group" | "second":
            groups = [each for each in known if each.role is Role.CATEGORY and _makes_groups(each, profile)]
            easy = [each for each in groups if _is_easy(each, profile)]
            start = turn % len(easy) if easy else 0
            return [*easy[start:], *easy[:start], *(each for each in groups if each not in easy)]
        case "date":
            return [each for each in known if each.role is Role.TIME]
        case _:
            return [each for each in profile.columns if each.nulls][:1]


def _makes_groups(column: ColumnProfile, profile: Profile) -> bool:
    return column.distinct <= _MOST_GROUPS and 2 * column.distinct <= profile.rows


def _is_easy(group: ColumnProfile, profile: Profile) -> bool:
    """Tell whether groups are words, and neither two nor many."""
    types = {field.name: field.type for field in profile.schema_.fields}
    return types[group.name] is ColumnType.TEXT and group.distinct in _EASY_GROUPS


def _period(date: ColumnProfile) -> str:
    first, last = (datetime.fromisoformat(str(each)) for each in (date.minimum, date.maximum))
    days = (last - first).days
    return "day" if days <= _SHORT_DAYS else "year" if days >= _LONG_DAYS else "month"
