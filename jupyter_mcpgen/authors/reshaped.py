"""Reads a question over the rows that a table says in the names of its columns and in lists, and back into the table.

Such a reading counts only where the question is about these rows: each row of the table is there several times, so a
total of its other columns would be too large.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from jupyter_mcpgen.model.profile import ColumnProfile, Profile, Reshaped
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding, each_reading
from jupyter_mcpgen.plan.columns import names_in, used_columns
from jupyter_mcpgen.plan.ops import (
    FIGURES,
    Derive,
    Filter,
    Sort,
    Window,
)
from jupyter_mcpgen.plan.period_names import PeriodNames
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.repeats import is_by_member, weighed_measures
from jupyter_mcpgen.plan.reshaping import Members, Unpivot

Read = Callable[[Profile], Understanding]
"""Reads the question over a table."""


def names_wide_columns(question: str, plan: Plan, profile: Profile) -> bool:
    """Tell whether a plan over a table computes with columns that could be rows, and the question names each of them.

    A plan that only shows them, for `2020 vs 2023`, may have missed that they are compared.
    """
    used = _wide(profile) & used_columns(plan)
    computes = any(isinstance(step, (*FIGURES, Sort, Filter, Derive, Window)) for step in plan.steps)
    return computes and bool(used) and all(name.casefold() in question.casefold() for name in used)


def of_unnamed_columns(question: str, reading: Reading, profile: Profile) -> bool:
    """Tell whether a reading takes one of the columns that could be rows, without a word of the question for which."""
    used = _wide(profile) & used_columns(reading.plan)
    return any(name.casefold() not in question.casefold() for name in used)


def with_lists_told(understood: Understanding, profile: Profile) -> Understanding:
    """Return what was understood of a table, saying of the lists that it reads that they are taken as they are."""
    return each_reading(understood, lambda reading: _with_lists_told(reading, profile))


def _with_lists_told(reading: Reading, profile: Profile) -> Reading:
    named = {form.step.column.name for form in profile.reshaped if isinstance(form.step, Members)}
    notes = tuple(
        f"The cells of `{name}` are lists: each is taken as a whole, so that a value means a list of nothing else."
        for name in sorted(named & used_columns(reading.plan))
    )
    return replace(reading, assumptions=(*notes, *reading.assumptions)) if notes else reading


def with_rows_told(understood: Understanding, profile: Profile) -> Understanding:
    """Return a refusal that says how the columns that could be rows can be asked about; what is none as it is."""
    step = next((form.step for form in profile.reshaped if isinstance(form.step, Unpivot)), None)
    if step is None or not isinstance(understood, Refused):
        return understood
    taken = step.columns(profile.schema_)
    how = f"`{taken[0]}` to `{taken[-1]}` can be asked about as `{step.name}` and `{step.value}`"
    hint = f"{how}, as in “sum of {step.value} by {step.name}”."
    return replace(understood, message=f"{understood.message} {hint}")


def _wide(profile: Profile) -> set[str]:
    return {name for form in profile.reshaped if isinstance(form.step, Unpivot) for name in _taken(form, profile)}


def with_names_quoted(question: str, profile: Profile) -> str:
    """Return a question with the names of columns that are periods in quotes: `2021` alone is read as a number."""
    wide = _wide(profile)
    if not wide:
        return question
    names = "|".join(re.escape(name) for name in sorted(wide, key=len, reverse=True))
    return re.sub(rf"(?<![\w`\"'.,-])({names})(?![\w`\"'-]|[.,]\d)", r"`\1`", question)


def readings_of_rows(question: str, profile: Profile, read: Read) -> tuple[Reading, ...]:
    """Return the readings over other rows that are about these, as readings of the table; several are near ties."""
    found: dict[PeriodNames | Members, tuple[Reading, ...]] = {}
    for form in forms_called(profile, question):
        rows = form.step.names if isinstance(form.step, Unpivot) else form.step
        if not found.get(rows):
            found[rows] = tuple(_over(form, profile, read))
    return tuple(reading for readings in found.values() for reading in readings)


def follow_up(earlier: Plan, profile: Profile) -> tuple[Reshaped, Plan] | None:
    """Return the rows that an earlier plan is about, and that plan over them; None where it is about the table."""
    if not earlier.reshaping:
        return None
    step = earlier.reshaping[0]
    for form in profile.reshaped:
        named = _named(form, step.value) if isinstance(step, Unpivot) and isinstance(form.step, Unpivot) else form
        if named.step == step:
            over = Plan(
                source=earlier.source, source_schema=named.profile.schema_, steps=earlier.steps[1:], chart=earlier.chart
            )
            return named, over
    return None


def in_table(understood: Understanding, form: Reshaped, profile: Profile) -> Understanding:
    """Return what was understood of other rows as readings of the table."""
    match understood:
        case Answered(winner, alternatives):
            return replace(
                understood,
                winner=_in_table(winner, form, profile),
                alternatives=tuple(_in_table(other, form, profile) for other in alternatives if is_about(other, form)),
            )
        case Asked(options=options):
            return replace(understood, options=tuple(_in_table(option, form, profile) for option in options))
        case Refused():
            return understood.with_readings(lambda reading: _in_table(reading, form, profile))


def _taken(form: Reshaped, profile: Profile) -> tuple[str, ...]:
    return form.step.columns(profile.schema_)


def forms_called(profile: Profile, question: str) -> Iterator[Reshaped]:
    """Yield the other rows, first with cells that are called by the table where the question calls them so."""
    words = re.findall(r"\w+", question.casefold())
    for form in profile.reshaped:
        is_bare = isinstance(form.step, Unpivot) and form.step.names.is_bare
        if is_bare and profile.name.casefold() in words and profile.name not in form.profile.schema_.names:
            yield _named(form, profile.name)
        yield form


def _named(form: Reshaped, value: str) -> Reshaped:
    """Return the same rows with another name for their cells."""
    if not isinstance(form.step, Unpivot) or form.step.value == value:
        return form
    old, known = form.step.value, form.profile
    fields = tuple(f.model_copy(update={"name": value}) if f.name == old else f for f in known.schema_.fields)
    schema = known.schema_.model_copy(update={"fields": fields})
    columns = tuple(_renamed(column, value) if column.name == old else column for column in known.columns)
    return Reshaped(
        step=form.step.model_copy(update={"value": value}),
        profile=known.replace(schema_=schema, columns=columns),
        reason=form.reason,
    )


def _renamed(column: ColumnProfile, name: str) -> ColumnProfile:
    ways = tuple(way.replace(values=way.values.replace(name=name)) for way in column.written)
    return column.replace(name=name, written=ways)


def _over(form: Reshaped, profile: Profile, read: Read) -> Iterator[Reading]:
    match read(form.profile):
        case Answered(winner):
            readings: tuple[Reading, ...] = (winner,)
        case Asked(options=options):
            readings = options
        case Refused():
            readings = ()
    yield from (_in_table(reading, form, profile) for reading in readings if is_about(reading, form))


def _in_table(reading: Reading, form: Reshaped, profile: Profile) -> Reading:
    over = reading.plan
    plan = Plan(source=over.source, source_schema=profile.schema_, steps=(form.step, *over.steps), chart=over.chart)
    return replace(reading, plan=plan, assumptions=(form.reason, *reading.assumptions))


def is_about(reading: Reading, form: Reshaped) -> bool:
    """Tell whether a reading is about the rows of a form, and counts nothing of the table several times."""
    if isinstance(form.step, Unpivot):
        return _is_about_cells(reading.plan, form.step)
    return is_by_member(reading.plan, form.step.column.name)


def _is_about_cells(plan: Plan, step: Unpivot) -> bool:
    """Tell whether a plan reads the cells and adds up nothing but them."""
    made = {name: set(names_in(s)) for s in plan.steps if isinstance(s, Derive | Window) for name in (s.name,)}
    own = {step.value, *(name for name, read in made.items() if read <= {step.value, step.name})}
    weighed = {measure.column.name for measure in weighed_measures(plan) if measure.column is not None}
    return step.value in used_columns(plan) and weighed <= own


def is_of_json(reading: Reading) -> bool:
    """Tell whether a reading takes lists apart that a frame holds, whose text nobody asks about as a whole."""
    return any(isinstance(step, Members) and step.separator is None for step in reading.plan.reshaping)
