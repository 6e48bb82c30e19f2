"""A year in one column and a month in another: together they are a date, where a question needs one.

"Since March 2023", "by quarter" and "the last 6 months" are of neither column alone. The question is read over a table
that has the first day of each month in their place, and the steps that make this day are put first.
"""

from __future__ import annotations

from collections.abc import Callable

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.around.months_alone import keeping_months_whole
from jupyter_mcpgen.nl.computed.column import Computed, free_name
from jupyter_mcpgen.nl.computed.reader import with_step
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.reading import Asked, Refused, Understanding
from jupyter_mcpgen.nl.tables.year_and_month import dated, digits_of, year_and_month
from jupyter_mcpgen.plan.expressions import Col, Parse
from jupyter_mcpgen.plan.moments import DigitsWriting
from jupyter_mcpgen.plan.ops import Derive
from jupyter_mcpgen.plan.schema import ColumnType

Read = Callable[[str, Profile, str], Understanding]
_MADE = "month_start"
_DIGITS = "month_start_digits"
_SPOKEN = "qzxm"
"""What no word of a question is taken for."""


def read_year_and_month(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, by the first day of each month where year and month alone do not answer it."""
    plain = read(question, profile, language)
    pair = year_and_month(context_of(profile, language)) if isinstance(plain, Refused) else None
    if pair is None:
        return plain
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
