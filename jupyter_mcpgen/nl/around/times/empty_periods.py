"""Periods of which a table has no row: "how many days had no order", "months without a booking"."""

from __future__ import annotations

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.meanings import Unit
from jupyter_mcpgen.nl.predicates import number
from jupyter_mcpgen.nl.reading import Answered, Reading
from jupyter_mcpgen.nl.tables.own_dates import own_date
from jupyter_mcpgen.plan.expressions import Col, Columns, Compare, CompareOp, DateUnit
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure, Resample, Select, Step
from jupyter_mcpgen.plan.plan import Plan


def read_empty_periods(question: str, profile: Profile, language: str) -> Answered | None:
    """Return the periods between the first and the last date without a row, where a question asks for them."""
    table = table_of(profile, language)
    for found in Speech(question).find_each(table.wording("empty_periods")):
        noun, unit = found["noun"], _unit(found.meant("unit"), table)
        date = own_date(table.context) or (table.context.dates[0] if len(table.context.dates) == 1 else None)
        if unit is None or date is None or not _is_a_row(noun, table):
            continue
        made = _empty(date, unit, found.meant("unit"), profile, counted=bool(found["how"]))
        if made is not None:
            known, period = table.context.column(date), found.meant("unit")
            first, last = (str(end)[:10] for end in (known.minimum, known.maximum))
            note = f"Each {period} of `{date}` from {first} to {last} is looked at, and none before or after."
            return Answered(Reading(plan=made, label="", cost=0.0, assumptions=(note,)))
    return None


def _unit(said: str, table: Table) -> DateUnit | None:
    meanings = (one for one in table.context.lexicon.meanings(said) if isinstance(one, Unit))
    return next((one.unit for one in meanings if one.unit.is_period), None)


def _is_a_row(noun: str, table: Table) -> bool:
    """Tell whether a noun names what rows are, or what several rows are of: no row says that there was none of it."""
    repeated = columns.repeated_key(noun, table)
    if repeated is not None:
        return not persons.names_persons(repeated, table)
    named = columns.measured(noun, table) or columns.named(noun, table, columns.STEMMED)
    return named is None and (columns.is_row(noun, table) or columns.dates_rows(noun, table))


def _empty(date: str, unit: DateUnit, called: str, profile: Profile, *, counted: bool) -> Plan | None:
    """Return a plan of the periods without a row, or of their number."""
    taken = {field.name for field in profile.schema_.fields}
    name = called if called not in taken else f"{called}_of_{date}"
    rows = Measure(function=AggregateFunction.COUNT, column=None)
    steps: list[Step] = [
        Resample(name=name, date=Col(name=date), unit=unit, measures=(rows,)),
        Filter(predicate=Compare(op=CompareOp.EQ, left=Col(name=rows.name), right=number(0))),
    ]
    steps.append(
        Aggregate(by=Columns(names=()), measures=(rows,)) if counted else Select(columns=Columns(names=(name,)))
    )
    try:
        return Plan(source=profile.name, source_schema=profile.schema_, steps=tuple(steps))
    except PlanError:
        return None  # a column has the name of the count
