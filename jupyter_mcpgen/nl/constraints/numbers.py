"""Numbers that no row has, and limits that no number meets."""

from __future__ import annotations

from collections import defaultdict

from jupyter_mcpgen.nl.assembly.answers import Listing
from jupyter_mcpgen.nl.assembly.derivation import Derivation
from jupyter_mcpgen.nl.assembly.edits import parts
from jupyter_mcpgen.nl.constraints.verdict import Refusal
from jupyter_mcpgen.nl.grammar.families.figures import COUNTS
from jupyter_mcpgen.nl.grammar.meanings import Column, Figure, Holds, Limit, Number, Rate
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.expressions import CompareOp

_ABOVE = frozenset({CompareOp.GT, CompareOp.GE})
_BELOW = frozenset({CompareOp.LT, CompareOp.LE})


def number_of_no_row(found: Derivation, table: Table) -> Refusal | None:
    """Refuse a number that should be equal to that of a column which has all others but this one."""
    for one in parts(found.answer):
        match one:
            case Holds(Column(name), CompareOp.EQ, Number(value)) if not _has(table, name, value):
                return Refusal(f"No row has {value:g} in `{name}`. Ask for a number that it has.", (name,))
            case _:
                pass
    return None


def _has(table: Table, name: str, value: float) -> bool:
    known = table.column(name).known
    values = [one for one in (*known.values, *known.more) if isinstance(one, int | float)]
    return len(values) < known.distinct or value in values


def limits_without_numbers(found: Derivation, table: Table) -> Refusal | None:
    """Refuse limits of one figure of which the lower is above the upper."""
    bounds: dict[object, list[tuple[CompareOp, float]]] = defaultdict(list)
    answer = found.answer
    tests = getattr(answer, "tests", ())
    for test in tests:
        if isinstance(test, Holds) and isinstance(test.right, Number):
            bounds[test.left].append((test.op, test.right.value))
    limits: tuple[Limit, ...] = () if isinstance(answer, Listing) else getattr(answer, "limits", ())
    for limit in limits:
        part = isinstance(limit.measure, Figure) and limit.measure.function in COUNTS and limit.bound.value.value % 1
        if part:
            part_said = f"{limit.bound.value.value:g}"
            return Refusal(f"A number of rows is never {part_said}. Ask for a percentage of the rows instead.", ())
        if isinstance(limit.measure, Rate) and not limit.measure.percent and limit.bound.value.value > 1:
            said = limit.bound.value.value
            return Refusal(f"A share lies between 0 and 1, and {said:g} does not. Did you mean {said:g} %?", ())
        bounds[limit.measure].append((limit.bound.op, limit.bound.value.value))
    for what, known in bounds.items():
        low = max((value for op, value in known if op in _ABOVE), default=float("-inf"))
        high = min((value for op, value in known if op in _BELOW), default=float("inf"))
        if low > high:
            names = (what.name,) if isinstance(what, Column) else ()
            return Refusal(f"Nothing is above {low:g} and below {high:g}. Join them with “or”, or ask for one.", names)
    return None
