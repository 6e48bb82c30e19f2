"""What a question leaves open, and what filling it in costs in certainty."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.model.profile import Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.answers import Grouping
from jupyter_mcpgen.nl.assembling.parts import Parts
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.grammar import COUNT_ROWS
from jupyter_mcpgen.nl.tables.counted_money import is_counted_money
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.schema import ColumnType

IMPLIED = 0.05
"""What taking the usual function costs when none was named."""
SECOND_CHOICE = 0.35
"""What another function than the usual one costs."""
BARE_LABEL = 0.15
"""What grouping by a label costs that stands beside a number without "by"."""
BESIDE = 0.3
"""What a bare label or number costs beside an answer that is complete without it."""
MISPLACED = 0.5
"""What reading a "by" as an order costs where nothing is limited."""
USUAL_KEPT = 10
"""How many "top regions" without a number keeps."""
OFFERED_ORDERS = 4
"""How many columns are offered to order by when none was named."""


def all_measures(context: Context) -> tuple[str, ...]:
    """Return the columns that a summary of the table is about: its numbers, but not the ones that name rows."""
    numbers = [name for name in context.profile.schema_.names if context.is_number(name)]
    return tuple(name for name in numbers if context.column(name).role is not Role.IDENTIFIER)


def named_labels(parts: Parts, context: Context) -> tuple[str, ...]:
    """Return the named columns that are labels rather than amounts."""
    return tuple(name for name in parts.columns if not context.is_measure(name))


def implied_functions(names: tuple[str, ...], context: Context) -> Iterator[tuple[F, str, float]]:
    """Yield the functions that suit number columns without one, the usual first; two when the names do not tell."""
    known = {context.adds_up(name) for name in names}
    usual, other = (F.SUM, F.MEAN) if known <= {True} else (F.MEAN, F.SUM)
    unsure = None in known and False not in known
    yield usual, implied_note(usual, names), 0.0
    yield other, implied_note(other, names), 0.0 if unsure else SECOND_CHOICE - IMPLIED


def implied_note(function: F, names: tuple[str, ...]) -> str:
    """Say which calculation was taken because none was named."""
    columns = " and ".join(f"`{name}`" for name in names)
    word = {F.SUM: "summed", F.MEAN: "averaged"}[function]
    return f"You did not say how to combine {columns}, so {'it was' if len(names) == 1 else 'they were'} {word}."


def counts(parts: Parts, columns: tuple[str, ...], cost: float) -> Grouping:
    """Return a count of rows by some columns."""
    keys = tuple(m.GroupKey(name) for name in columns)
    return Grouping(parts.conditions, keys, (COUNT_ROWS,), cost=cost, chart=parts.chart)


def in_pieces(parts: Parts, context: Context) -> Parts | None:
    """Return the parts with what is counted as a number of pieces, where a verb such as "sold" may mean them."""
    if not parts.deals or len(context.pieces) != 1:
        return None

    def summed(measured: m.Measured) -> m.Measured:
        counts = measured.function in (F.COUNT, F.COUNT_DISTINCT) and measured.column not in context.pieces
        open_ = counts and (measured.implied or measured.column is None)
        return m.Measured(F.SUM, context.pieces[0]) if open_ else measured

    best = parts.superlative
    if best is not None and isinstance(best.by, m.Measured):
        best = replace(best, by=summed(best.by))
    having = tuple(replace(one, measured=summed(one.measured)) for one in parts.having)
    measures = tuple(map(summed, parts.measures)) if not parts.having else parts.measures
    if not measures and not having and best is None and (parts.keys or parts.periods):
        measures = (m.Measured(F.SUM, context.pieces[0]),)  # "croissants sold per day" need not be rows of them
    changed = replace(parts, measures=measures, having=having, superlative=best)
    return changed if changed != parts else None


def with_numbers_added_up(parts: Parts, context: Context) -> Parts:
    """Return the parts with "the number of guests by valley" as a sum, where a column may hold numbers of guests."""
    keys = {key.column for key in (*parts.keys, *parts.periods)}
    if not keys:
        return parts
    measures = tuple(
        m.Measured(F.SUM, measured.column)
        if measured.function is F.COUNT
        and measured.column is not None
        and measured.column not in keys
        and _holds_numbers_of(measured.column, context)
        else measured
        for measured in parts.measures
    )
    return replace(parts, measures=measures)


def _holds_numbers_of(name: str, context: Context) -> bool:
    """Tell whether a column may hold how many there are of what it is called: `guests`, but not `age`."""
    whole = context.type_of(name) is ColumnType.INTEGER and context.is_measure(name)
    return whole and context.adds_up(name) is None and not is_counted_money(name, context)
