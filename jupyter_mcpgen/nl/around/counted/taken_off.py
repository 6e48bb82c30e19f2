"""Amounts that stand below zero and are taken off another: "revenue minus refunds" adds refunds of -12.

Taken off once more, they would make the revenue larger than it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.around.counted.amounts_below_zero import below_zero, figures_of, is_taken_off
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Answered, Reading, Refused, Understanding, asking_which
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Case, Col, Expression
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive
from jupyter_mcpgen.plan.plan import Plan

MOSTLY = 0.8
"""From this part of its values on, a column that is called so is below 0 where something is taken off."""
_TOLD = (AggregateFunction.SUM, AggregateFunction.MEAN, AggregateFunction.MEDIAN)


def taking_off_amounts(meant: Understanding, context: Context, language: str) -> Understanding:
    """Return a meaning that adds what stands below 0 where it is to be taken off; asked where that is not sure."""
    below = below_zero(context, language)
    doubtful = frozenset(
        name for name in context.column_words if name not in below and _is_mostly_below(name, context, language)
    )
    if isinstance(meant, Refused) or not below | doubtful:
        return meant
    ways = (meant.winner,) if isinstance(meant, Answered) else meant.options
    made = [_added(way, below | doubtful) for way in ways]
    turned = frozenset[str]().union(*(names for _, names in made))
    if not turned:
        return _noting(meant, below, context, language) if isinstance(meant, Answered) else meant
    sure = all(name in below and is_taken_off(name, context, language) for name in turned)
    named = ", ".join(f"`{name}`" for name in sorted(turned))
    if sure and isinstance(meant, Answered):
        note = f"The values of {named} are below 0, so they are added: that takes them off."
        winner = replace(made[0][0], assumptions=(note, *meant.winner.assumptions))
        return Answered(winner, (), meant.no_chart)
    pairs = zip(ways, made, strict=True)
    options = [one for way, (other, _) in pairs for one in ((other,) if sure else (other, way))]
    how = "All" if turned <= below else "Most"
    about = f"{how} values of {named} are below 0: added, they are taken off. "
    return asking_which(tuple(dict.fromkeys(options)), about, IN_ITS_WORDS)


def _is_mostly_below(name: str, context: Context, language: str) -> bool:
    known = figures_of(name, context)
    if known is None or not is_taken_off(name, context, language) or known.minimum is None:
        return False
    numbers = [value for value in known.values if isinstance(value, int | float)]
    if not numbers:  # nobody knows how many are below 0, only how far
        return bool(-known.minimum > known.maximum)
    return sum(value < 0 for value in numbers) >= MOSTLY * len(numbers)


def _added(reading: Reading, below: frozenset[str]) -> tuple[Reading, frozenset[str]]:
    """Return a reading that adds such amounts instead, and which these are; as it was where it takes none off."""
    plan = reading.plan
    turn = _Turn(below, dict(_figures(plan)))
    steps = tuple(
        step.model_copy(update={"expression": turn.within(step.expression)}) if isinstance(step, Derive) else step
        for step in plan.steps
    )
    try:
        changed = plan.with_steps(steps).model_copy(update={"chart": plan.chart}) if turn.turned else plan
    except PlanError:
        return reading, frozenset()
    return replace(reading, plan=changed), frozenset(turn.turned)


def _figures(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield the figures of a plan with the columns that they are of."""
    for step in plan.steps:
        if isinstance(step, Aggregate):
            yield from ((one.name, one.column.name) for one in step.measures if one.column and one.function in _TOLD)


@dataclass(frozen=True)
class _Turn:
    """Rewrites a calculation, and remembers which amounts below zero it added."""

    below: frozenset[str]
    figures: Mapping[str, str]
    turned: set[str] = field(default_factory=set)

    def within(self, value: Expression) -> Expression:
        """Return a calculation that adds such an amount where it took it off another one."""
        match value:
            case Arithmetic(op=op, left=left, right=right):
                off = self._below(right) if op is ArithmeticOp.SUBTRACT else None
                mixed = any(self._column(name) not in self.below for name in names_in(left))
                if off is not None and mixed:
                    self.turned.add(off)
                    op = ArithmeticOp.ADD
                return Arithmetic(op=op, left=self.within(left), right=self.within(right))
            case Case(branches=branches, otherwise=otherwise) if otherwise is not None:
                return value.model_copy(update={"branches": branches, "otherwise": self.within(otherwise)})
            case _:
                return value

    def _below(self, value: Expression) -> str | None:
        """Return the amount below zero that a value is, or is the figure of."""
        name = self._column(value.name) if isinstance(value, Col) else None
        return name if name in self.below else None

    def _column(self, name: str) -> str:
        return self.figures.get(name, name)


def _noting(meant: Answered, below: frozenset[str], context: Context, language: str) -> Answered:
    """Say of a figure of such amounts that it is below zero because they are."""
    figures = [name for _, name in _figures(meant.winner.plan) if name in below]
    named = [name for name in figures if is_taken_off(name, context, language)]
    if not named:
        return meant
    note = f"The values of `{named[0]}` are 0 or below, so the further below 0 a figure is, the more it is."
    return replace(meant, winner=replace(meant.winner, assumptions=(*meant.winner.assumptions, note)))
