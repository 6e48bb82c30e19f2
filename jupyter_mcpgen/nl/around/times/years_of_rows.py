"""Years of the rows where a date of something else was taken to say them: a budget's `year`, not its approval's."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.labels import labels
from jupyter_mcpgen.nl.other_names import called_otherwise
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding, retold
from jupyter_mcpgen.nl.tables.own_dates import year_of_rows
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import Columns, DatePart, DateUnit
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Resample, SortKey, Step, Window
from jupyter_mcpgen.plan.plan import Plan

_YEARS = (DateUnit.START_OF_YEAR, DateUnit.YEAR)


def telling_years(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning whose years are those of the rows, where no word of the question names the date it took.

    Refuses where a plan uses the date's years in a way that the rows' own cannot take.
    """
    words = (token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma))
    year = year_of_rows(context, words) if context.dates else None
    if year is None:
        return meant
    match meant:
        case Answered(winner) if _dates_of_years(winner.plan, context):
            return _answered(meant, year, context)
        case Asked(_, options) if options and all(_dates_of_years(one.plan, context) for one in options):
            return _asked(meant, year, context)
        case Asked(_, options):
            return _without_dates(meant, options, year, context)
        case _:
            return meant


def _answered(meant: Answered, year: str, context: Context) -> Understanding:
    """Return an answer with the years of the rows, and the one that was read first beside it."""
    date, own = _dates_of_years(meant.winner.plan, context)[0], _with_year(meant.winner, year, context)
    if own is None:
        return _refused(meant.winner, year, date)
    found = {say_plan(own.plan): own}
    for one in meant.alternatives:
        other = _with_year(one, year, context) or one
        found.setdefault(say_plan(other.plan), other)
    near = (*list(found.values())[1:], meant.winner)
    named = labels(own.plan, tuple(one.plan for one in near))
    chips = tuple(replace(one, label=label) for one, label in zip(near, named, strict=True))
    return replace(meant, winner=own, alternatives=chips)


def _asked(meant: Asked, year: str, context: Context) -> Understanding:
    """Ask with the years of the rows; answer where that leaves one meaning."""
    changed, options = list[tuple[Reading, Reading]](), dict[str, Reading]()
    for one in meant.options:
        own = _with_year(one, year, context)
        if own is None:
            return _refused(one, year, _dates_of_years(one.plan, context)[0])
        changed.append((one, own))
        options[say_plan(own.plan)] = own
    if len(options) == 1:
        return Answered(next(iter(options.values())))
    return replace(meant, question=retold(meant.question, changed), options=tuple(options.values()))


def _without_dates(meant: Asked, options: tuple[Reading, ...], year: str, context: Context) -> Understanding:
    """Answer with the one option that is of the years of the rows, where all others are of the same of a date."""
    own = [one for one in options if not _dates_of_years(one.plan, context)]
    if len(own) != 1 or len(options) == 1 or not any(year in names_in(step) for step in own[0].plan.steps):
        return meant
    near = tuple(one for one in options if one is not own[0])
    named = labels(own[0].plan, tuple(one.plan for one in near))
    return Answered(own[0], tuple(replace(one, label=label) for one, label in zip(near, named, strict=True)))


def _refused(reading: Reading, year: str, date: str) -> Refused:
    return Refused(
        f"`{year}` and `{date}` give different years for a row, and I could not tell which one you mean. Name it, for "
        f"example “by `{year}`”.",
        words=(year,),
        nearest=reading,
    )


def _dates_of_years(plan: Plan, context: Context) -> tuple[str, ...]:
    """Return the dates of which a plan uses the years."""
    return tuple(name for step in plan.steps if (name := _date_of_years(step)) in context.dates)


def _date_of_years(step: Step) -> str | None:
    match step:
        case Derive(expression=DatePart(unit=unit, operand=operand)) if unit in _YEARS:
            return operand.name
        case Resample(unit=DateUnit.START_OF_YEAR, date=date):
            return date.name
        case _:
            return None


def _with_year(reading: Reading, year: str, context: Context) -> Reading | None:
    """Return a reading with the years of the rows in place of a date's; None where they do not fit."""
    dates = _dates_of_years(reading.plan, context)
    if not dates:
        return None
    steps: list[Step] = []
    called, ordered = dict[str, str](), False
    for step in reading.plan.steps:
        match step:
            case Derive(name=name) if _date_of_years(step) is not None:
                called[name] = year
                continue
            case Resample(name=name, by=by, measures=measures) if _date_of_years(step) is not None:
                called[name], ordered = year, True
                steps.append(Aggregate(by=Columns(names=(*by.names, year)), measures=measures))
                continue
            case Window(order=None) if ordered:
                step = step.model_copy(update={"order": SortKey(column=year)})
            case _:
                pass
        steps.append(called_otherwise(step, called))
    chart = called_otherwise(reading.plan.chart, called) if reading.plan.chart is not None else None
    note = f"Of which year a row is says `{year}`, and not `{dates[0]}`."
    return reading.with_steps(tuple(steps), chart, assumptions=(*reading.assumptions, note))
