"""A year in one column and a month in another: together they are a date, where a question needs one.

"Since March 2023", "by quarter" and "the last 6 months" are of neither column alone. The question is read over a table
that has the first day of each month in their place, and the steps that make this day are put first.
"""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.around.times.months_alone import keeping_months_whole
from jupyter_mcpgen.nl.computed.column import Computed, free_name
from jupyter_mcpgen.nl.computed.reader import with_step
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Refused, Understanding
from jupyter_mcpgen.nl.tables.year_and_month import YearAndMonth, dated, digits_of, year_and_month
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Col, Parse
from jupyter_mcpgen.plan.moments import DigitsWriting
from jupyter_mcpgen.plan.ops import Aggregate, Derive
from jupyter_mcpgen.plan.schema import ColumnType

_MADE = "month_start"
_DIGITS = "month_start_digits"
_SPOKEN = "qzxm"
"""What no word of a question is taken for."""


def read_year_and_month(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, by the first day of each month where year and month alone do not answer it."""
    plain = read(question, profile, language)
    pair = year_and_month(context_of(profile, language))
    if pair is None or not isinstance(plain, Refused):
        return plain if pair is None else _noting_years(plain, pair, profile)
    name, digits = free_name(_MADE, profile), free_name(_DIGITS, profile)
    computed = Computed(
        name=name,
        type=ColumnType.DATE,
        step=Derive(name=name, expression=Parse(operand=Col(name=digits), writing=DigitsWriting())),
        question=question,
        notes=(f"`{name}` is the first day of the `{pair.month}` of the `{pair.year}`.",),
        before=(Derive(name=digits, expression=digits_of(pair)),),
    )
    meant = with_step(read(question, dated(profile, pair, _SPOKEN), language), computed, _SPOKEN, profile)
    if meant is None or isinstance(meant, Refused) or (isinstance(meant, Asked) and len(meant.options) < 2):
        return plain
    return keeping_months_whole(meant, frozenset({name}))


def _noting_years(meant: Understanding, pair: YearAndMonth, profile: Profile) -> Understanding:
    """Return a meaning that says so where it puts the same months of several years together."""
    if not isinstance(meant, Answered) or next(c.distinct for c in profile.columns if c.name == pair.year) < 2:
        return meant
    steps = meant.winner.plan.steps
    grouped = {name for step in steps if isinstance(step, Aggregate) for name in step.by.names}
    if pair.month not in grouped or any(pair.year in names_in(step) for step in steps):
        return meant
    note = f"The same `{pair.month}` of all years is put together; “by {pair.month} and {pair.year}” keeps them apart."
    return replace(meant, winner=replace(meant.winner, assumptions=(*meant.winner.assumptions, note)))
