"""Functions that nobody said, where the table does not tell them either."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jupyter_mcpgen.nl.assembly.derivation import Derivation
from jupyter_mcpgen.nl.assembly.edits import mapped, parts
from jupyter_mcpgen.nl.constraints.verdict import Doubt, Refusal
from jupyter_mcpgen.nl.grammar.meanings import Column, Computed, Figure, Holds, Is, Number, Part, Period, Ratio, Within
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.expressions import ArithmeticOp, CompareOp, DateUnit
from jupyter_mcpgen.plan.ops import AggregateFunction as F

_OTHER = {F.SUM: F.MEAN, F.MEAN: F.SUM}
_ENDS = {F.MIN: F.MAX, F.MAX: F.MIN}
_RANK = "rank"


def sum_or_mean(found: Derivation, table: Table) -> Doubt | None:
    """Ask whether numbers are added or averaged of which nothing says whether they add up."""
    divided = {one for ratio in parts(found.answer) if isinstance(ratio, Ratio) for one in parts(ratio)}
    figures = (one for one in parts(found.answer) if isinstance(one, Figure) and one not in divided)
    open_ = {one for one in figures if _is_open(one, table)}
    if not open_ or _of_one_row(found, table):
        return None

    def other(one: Any) -> Any:
        return replace(one, function=_OTHER[one.function]) if one in open_ else one

    return Doubt((mapped(found.answer, lambda one: other(one) if isinstance(one, Figure) else one),))


def _is_open(figure: Figure, table: Table) -> bool:
    if not figure.implied or figure.function not in _OTHER:
        return False
    match figure.term:
        case Column(name):
            return table.column(name).is_untold
        case Computed(ArithmeticOp.MULTIPLY, Column(left), Column(right)):
            return table.column(left).adds_up == table.column(right).adds_up  # two amounts, or two prices
        case Computed():
            return True
        case _:
            return False


def best_or_largest(found: Derivation, table: Table) -> Doubt | None:
    """Ask whether the highest rank is the best, which has the smallest number, or the largest number."""
    ranks = {Column(name) for name, _ in table.columns_about(_RANK)}
    ends = {
        one for one in parts(found.answer) if isinstance(one, Figure) and one.function in _ENDS and one.term in ranks
    }
    if not ends:
        return None

    def other(one: Any) -> Any:
        return replace(one, function=_ENDS[one.function]) if one in ends else one

    return Doubt((mapped(found.answer, lambda one: other(one) if isinstance(one, Figure) else one),))


def gaps_in_computed(found: Derivation, table: Table) -> Refusal | None:
    """Refuse what is computed of two columns where rows lack one of them, which may be zero there or unknown."""
    for one in parts(found.answer):
        if isinstance(one, Computed) and one.op in (ArithmeticOp.ADD, ArithmeticOp.SUBTRACT):
            names = [term.name for term in (one.left, one.right) if isinstance(term, Column)]
            for name in names:
                if len(names) == 2 and table.column(name).nulls:
                    rows = table.column(name).nulls
                    said = f"{rows:,} rows have no `{name}`, so nothing can be computed there."
                    return Refusal(f"{said} Ask for each of the two.", (name,))
    return None


def _of_one_row(found: Derivation, table: Table) -> bool:
    """Tell whether each figure is of one row, so that its sum is its mean: of a country in a year."""
    told = {one.name for one in getattr(found.answer, "keys", ()) if isinstance(one, Column)}
    for test in getattr(found.answer, "tests", ()):
        match test:
            case Is(column, (_,), negated=False) | Holds(Column(column), CompareOp.EQ, Number()):
                told.add(column)
            case Within(Period(unit=DateUnit.START_OF_YEAR), date, negated=False) if date in table.years:
                told.add(date)
            case _:
                pass
    told |= {part.date for part in getattr(found.answer, "keys", ()) if isinstance(part, Part)} & set(table.years)
    return any(told.issuperset(key) for key in table.schema.row.keys)
