"""One amount for each piece of another: "price per carat", "average price per night", "kg per crate".

Two sums are divided, and the answer says so; where an average is asked for, that of the ratio of each row is offered
beside it. Where words fit several columns, or a price may be one per night already, each way is offered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.comparing.plans.figures import figures_of, redrawn, renamed
from jupyter_mcpgen.nl.comparing.plans.sums import divided
from jupyter_mcpgen.nl.everyday.amounts.units import is_unit_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.reading import Answered, Read, Reading, Refused, Understanding, asking_which
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Col
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Measure, Step
from jupyter_mcpgen.plan.plan import Plan


def read_figures_per_unit(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with one amount divided by another where it asks for so much per piece."""
    meant = read(question, profile, language)
    table = table_of(profile, language)
    found = Speech(question).find(table.wording("figure_per_unit")) if table is not None else None
    if table is None or found is None:
        return meant
    parts = _called(found["what"], table)
    wholes = tuple(name for name in _called(found["unit"], table) if parts != (name,))
    pairs = [(part, whole) for part in parts for whole in wholes if part != whole]
    pairs = [(part, whole) for part, whole in pairs if _may_be_divided(part, table)]
    open_ = len(parts) > 1 and _is_unit(found["what"], table)
    if (
        (len(parts) > 1 and not open_)
        or not pairs
        or not (isinstance(meant, Refused) or open_ or _groups_by(meant, wholes, table))
    ):
        return meant
    ways = [way for part, whole in pairs for way in _ways(part, whole, found, table, read)]
    known = tuple({say_plan(way.plan): way for way in reversed(ways)}.values())[::-1]
    if len(known) > 1:
        return asking_which(known)
    return Answered(known[0]) if known else meant


def _called(text: str, table: Table) -> tuple[str, ...]:
    """Return the columns of figures that words name: the one that they surely do, or all that they may."""
    context = table.context
    amounts = [name for name in context.column_words if columns.is_figure(name, table)]
    of_unit = tuple(name for name in amounts if is_unit_of(text.casefold(), name, table))
    surely = columns.measured(text, table)
    if surely is not None and len(of_unit) <= 1:
        return (surely,)
    said = {context.plain(word) for word in split_name(text)}
    return of_unit or tuple(name for name in amounts if said and said <= set(context.column_words[name]))


def _is_unit(text: str, table: Table) -> bool:
    return any(is_unit_of(text.casefold(), name, table) for name in table.context.column_words)


def _may_be_divided(part: str, table: Table) -> bool:
    """Tell whether a column is no rate: a total of ratings, or of prices per piece, is nothing."""
    paid = table.words("money") & set(table.context.column_words[part])
    amount = table.context.adds_up(part) is not False or table.context.is_of_money(part) or bool(paid)
    of_unit = table.context.column(part).unit is not None
    return (amount or of_unit) and not columns.is_per_piece(part, table)


def _groups_by(meant: Understanding, wholes: tuple[str, ...], table: Table) -> bool:
    """Tell whether rows are grouped by what was to be divided by, an amount with a unit of its own."""
    if not isinstance(meant, Answered):
        return False
    grouped = [step for step in meant.winner.plan.steps if isinstance(step, Aggregate)]
    measured = [name for name in wholes if table.context.column(name).unit is not None]
    return any(name in step.by.names for step in grouped for name in measured)


def _ways(part: str, whole: str, found: Found, table: Table, read: Read) -> Iterator[Reading]:
    """Yield the figures that may be meant: of all rows, of each row on average, or a price that is one per piece."""
    priced = table.context.adds_up(part) is not True
    noun = table.context.plain(found["unit"].casefold())
    named_so = noun in table.words("rated_by") and table.context.column_words[whole] != (noun,)
    if priced and named_so:
        yield from _figures(found.said("mean", column=part), table, read)
    for reading in _figures(found.said("total", column=part), table, read):
        try:
            plan = divided(reading.plan, whole, table.context)
        except PlanError:
            continue
        note = f"The sum of `{part}` is divided by the sum of `{whole}`."
        yield replace(reading, plan=plan, label="", assumptions=(note,))
    if found["mean"]:
        for reading in _figures(found.said("mean", column=part), table, read):
            try:
                yield replace(reading, plan=_of_each_row(reading.plan, whole), label="", assumptions=())
            except PlanError:
                continue


def _figures(question: str, table: Table, read: Read) -> tuple[Reading, ...]:
    meant = read(question, table.context.profile, table.vocabulary.language)
    return (meant.winner,) if isinstance(meant, Answered) else ()


def _of_each_row(plan: Plan, whole: str) -> Plan:
    """Return a plan of the mean of a column with that of its ratio to another in each row.

    Raises `PlanError` where it takes no mean.
    """
    figures = figures_of(plan)
    measure = figures.measure
    if measure.function is not AggregateFunction.MEAN or measure.column is None:
        raise PlanError("Only a mean is taken of the ratios of rows.")
    part = measure.column
    ratio = Derive(
        name=f"{part.name}_per_{whole}",
        expression=Arithmetic(op=ArithmeticOp.DIVIDE, left=part, right=Col(name=whole)),
    )
    mean = Measure(function=AggregateFunction.MEAN, column=Col(name=ratio.name))
    names = {measure.name: mean.name}
    steps: tuple[Step, ...] = (
        *figures.before,
        ratio,
        figures.aggregate.model_copy(update={"measures": (mean,)}),
        *renamed(figures.without(), names),
    )
    return figures.built(steps, redrawn(plan.chart, names))
