"""Amounts computed with percentages: 15 % of 200 is 30, so a column that holds 15 for it is divided by 100.

"Sales times commission rate" is a part of the sales, and "price minus discount" takes a part of the price off it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl.around.parts.added_rates import is_in_percent
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding, retold
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Col, Expression, Lit
from jupyter_mcpgen.plan.ops import Derive
from jupyter_mcpgen.plan.schema import ColumnType

_HUNDRED = 100
_ADDED = (ArithmeticOp.ADD, ArithmeticOp.SUBTRACT)


def taking_percentages_of(meant: Understanding, context: Context, language: str) -> Understanding:
    """Return a meaning in which an amount times a column of percentages is that part of it, and says so."""
    rates = _rates(context, language)
    if isinstance(meant, Refused) or not rates:
        return meant
    ways = (meant.winner, *meant.alternatives) if isinstance(meant, Answered) else meant.options
    made = tuple(_in_parts(way, rates, context) for way in ways)
    if made == ways:
        return meant
    if isinstance(meant, Answered):
        return replace(meant, winner=made[0], alternatives=made[1:])
    text = retold(meant.question, zip(ways, made, strict=True))
    note = next(note for way in made for note in way.assumptions if note not in ways[0].assumptions)
    return Asked(f"{note} {text}", made)


def _rates(context: Context, language: str) -> frozenset[str]:
    """Return the columns that hold percentages, such as 15 for 15 %; parts of 1 need nothing."""
    named = load_vocabulary(language).words("rates_in_percent")
    return frozenset(name for name in context.column_words if _is_rate(name, named, context))


def _is_rate(name: str, named: frozenset[str], context: Context) -> bool:
    known = context.column(name)
    values = known.written[0].values if known.written else known
    if not isinstance(values.maximum, int | float) or values.maximum <= 1:
        return False
    if is_in_percent(name, context):
        return True
    words = set(context.column_words[name])
    called = bool(words & named and words & context.lexicon.intensive)
    return called and known.kind is None and known.unit is None and 0 <= values.minimum < values.maximum <= _HUNDRED


def _in_parts(reading: Reading, rates: frozenset[str], context: Context) -> Reading:
    """Return a reading whose calculations take percentages as what they are; the same where none does so."""
    plan = reading.plan
    parts = _Parts(rates, lambda name: _is_amount(name, rates, context))
    steps = tuple(
        step.model_copy(update={"expression": parts.within(step.expression)}) if isinstance(step, Derive) else step
        for step in plan.steps
    )
    if not parts.taken:
        return reading
    try:
        changed = plan.with_steps(steps).model_copy(update={"chart": plan.chart})
    except PlanError:
        return reading
    named = ", ".join(f"`{name}`" for name in sorted(parts.taken))
    note = f"{named} holds percentages, such as 15 for 15 %: the calculation takes that part of the amount."
    return replace(reading, plan=changed, assumptions=(note, *reading.assumptions))


def _is_amount(name: str, rates: frozenset[str], context: Context) -> bool:
    """Tell whether a column holds what a percentage can be a part of, and no rate, score or level."""
    if name not in context.column_words or name in rates:
        return False
    return context.column(name).kind is Kind.MONEY or context.adds_up(name) is not False


@dataclass(frozen=True)
class _Parts:
    """Rewrites a calculation, and remembers which columns of percentages it took parts by."""

    rates: frozenset[str]
    is_amount: Callable[[str], bool]
    taken: set[str] = field(default_factory=set)

    def within(self, value: Expression) -> Expression:
        """Return a calculation with each percentage as a part; one that has a number of its own stays."""
        if not isinstance(value, Arithmetic) or _has_number(value):
            return value
        left, right = self.within(value.left), self.within(value.right)
        if value.op is ArithmeticOp.MULTIPLY and self._is_rate(value.left) is not self._is_rate(value.right):
            return self._part(left, right, value.right if self._is_rate(value.right) else value.left)
        if value.op in _ADDED and self._is_rate(value.right) and any(map(self.is_amount, names_in(value.left))):
            return Arithmetic(op=value.op, left=left, right=self._part(left, right, value.right))
        return value.model_copy(update={"left": left, "right": right})

    def _is_rate(self, value: Expression) -> bool:
        return isinstance(value, Col) and value.name in self.rates

    def _part(self, left: Expression, right: Expression, rate: Expression) -> Arithmetic:
        self.taken.update(names_in(rate))
        product = Arithmetic(op=ArithmeticOp.MULTIPLY, left=left, right=right)
        hundred = Lit(value=_HUNDRED, type=ColumnType.INTEGER)
        return Arithmetic(op=ArithmeticOp.DIVIDE, left=product, right=hundred)


def _has_number(value: Expression) -> bool:
    """Tell whether a calculation has a number in it, such as the 100 of someone who thought of it."""
    match value:
        case Lit():
            return True
        case Arithmetic(left=left, right=right):
            return _has_number(left) or _has_number(right)
        case _:
            return False
